//! Dots with whiskers: values and how sure they are, on a scale that shows their differences.

use super::{
    canvas::{Canvas, Text, legend, number, shortened, tick_label, ticks, width_of},
    figure::{Figure, NARROW, WIDE},
    full,
    theme::Colour,
};

/// The height of a dot's line, and of the gap between groups.
const LINE: f64 = 13.0;
const GAP: f64 = 11.0;

/// Values of several series in groups, each with an interval where there is one.
///
/// ```
/// use ko_meta_eval::report::Intervals;
///
/// let mut figure = Intervals::new("systems", "사람과의 상관", ["어절", "자모"]);
/// figure.dot("BLEU", 0, 0.516, None);
/// figure.dot("BLEU", 1, 0.674, None);
/// let figure = figure.draw().expect("there are dots");
/// assert!(figure.to_svg().contains("0.674"));
/// assert_eq!(String::from_utf8(figure.csv()?)?, "group,series,value,low,high\nBLEU,어절,0.516,,\nBLEU,자모,0.674,,\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Intervals {
    name: String,
    title: String,
    series: Vec<String>,
    groups: Vec<(String, Vec<Dot>)>,
}

#[derive(Debug, Clone)]
struct Dot {
    series: usize,
    value: f64,
    ends: Option<(f64, f64)>,
}

impl Intervals {
    /// No dots yet: the file's name, the title, and the names of the series.
    pub fn new(
        name: impl Into<String>,
        title: impl Into<String>,
        series: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            series: series.into_iter().map(Into::into).collect(),
            groups: Vec::new(),
        }
    }

    /// One more dot, in the group of this name, with the ends of its interval. What is not finite is left out.
    pub fn dot(&mut self, group: &str, series: usize, value: f64, ends: Option<(f64, f64)>) {
        if !value.is_finite() {
            return;
        }
        let ends = ends.filter(|(low, high)| low.is_finite() && high.is_finite());
        let dot = Dot { series, value, ends };
        match self.groups.iter_mut().find(|(name, _)| name == group) {
            Some((_, dots)) => dots.push(dot),
            None => self.groups.push((group.to_owned(), vec![dot])),
        }
    }

    /// The figure; none of no dots.
    pub fn draw(&self) -> Option<Figure> {
        let dots = || self.groups.iter().flat_map(|(_, dots)| dots);
        let ends = || {
            dots().flat_map(|dot| {
                [
                    dot.value,
                    dot.ends.map_or(dot.value, |e| e.0),
                    dot.ends.map_or(dot.value, |e| e.1),
                ]
            })
        };
        let ticks = ticks(ends().reduce(f64::min)?, ends().reduce(f64::max)?);
        let range = (*ticks.first()?, *ticks.last()?);
        let layouts = [self.layout(WIDE, &ticks, range), self.layout(NARROW, &ticks, range)];
        let head = ["group", "series", "value", "low", "high"].map(str::to_owned).to_vec();
        let row = |group: &str, dot: &Dot| {
            let end = |end: Option<f64>| end.map_or_else(String::new, full);
            let series = self.series.get(dot.series).cloned().unwrap_or_default();
            vec![
                group.to_owned(),
                series,
                full(dot.value),
                end(dot.ends.map(|e| e.0)),
                end(dot.ends.map(|e| e.1)),
            ]
        };
        let rows = self
            .groups
            .iter()
            .flat_map(|(group, dots)| dots.iter().map(move |dot| row(group, dot)));
        let data = std::iter::once(head).chain(rows).collect();
        Some(Figure::new(&self.name, &self.title, layouts, data))
    }

    fn layout(&self, width: f64, ticks: &[f64], (low, high): (f64, f64)) -> Canvas {
        let narrow = width <= NARROW;
        let mut canvas = Canvas::default();
        let mut top = 4.0;
        if self.series.len() > 1 {
            top += legend(&mut canvas, &self.series, (0.0, 4.0), width) + 4.0;
        }
        let widest = self.groups.iter().map(|(name, _)| width_of(name)).fold(40.0, f64::max);
        // On a phone a group's name stands above its dots, so that the scale has all the width.
        let left = if narrow { 14.0 } else { widest.min(240.0) + 14.0 };
        // One series is few dots: each has its number beside it.
        let numbers = if self.series.len() == 1 { 48.0 } else { 0.0 };
        let plot = match narrow {
            true => width - left - 14.0 - numbers,
            false => (width - left).max(380.0) - 14.0 - numbers,
        };
        let at = |value: f64| left + plot * (value - low) / (high - low);
        let height =
            |dots: &[Dot]| dots.len() as f64 * LINE + GAP + if narrow { 16.0 } else { 0.0 };
        let bottom = top + self.groups.iter().map(|(_, dots)| height(dots)).sum::<f64>();
        for tick in ticks {
            let colour = if tick.abs() < 1e-9 { Colour::Soft } else { Colour::Rule };
            canvas.line(colour, 1.0, (at(*tick), top), (at(*tick), bottom));
            let label = Text::new(tick_label(ticks, *tick)).soft().middle();
            canvas.text((at(*tick), bottom + 18.0), label);
        }
        let mut y = top;
        for (name, dots) in &self.groups {
            canvas.line(Colour::Rule, 1.0, (if narrow { 0.0 } else { left }, y), (left + plot, y));
            let mut line = y + GAP / 2.0 + LINE / 2.0;
            if narrow {
                canvas
                    .text((0.0, y + 15.0), Text::new(shortened(name, width)).bold(true).size(12.0));
                line += 16.0;
            } else {
                let middle = line + (dots.len() as f64 - 1.0) * LINE / 2.0 + 4.5;
                canvas.text((left - 14.0, middle), Text::new(shortened(name, 240.0)).end());
            }
            for dot in dots {
                let series = self.series.get(dot.series).map_or("", String::as_str);
                let mut tip = match series {
                    "" => format!("{name}: {}", number(dot.value)),
                    series => format!("{name}, {series}: {}", number(dot.value)),
                };
                if let Some((from, to)) = dot.ends {
                    tip += &format!(" [{}, {}]", number(from), number(to));
                    let (from, to) = (at(from), at(to));
                    let colour = Colour::Series(dot.series);
                    canvas.line(colour, 1.5, (from, line), (to, line));
                    for end in [from, to] {
                        canvas.line(colour, 1.5, (end, line - 3.5), (end, line + 3.5));
                    }
                }
                canvas.point(dot.series, (at(dot.value), line), &tip);
                if numbers > 0.0 {
                    canvas.text(
                        (left + plot + 12.0, line + 4.5),
                        Text::new(number(dot.value)).size(12.0),
                    );
                }
                line += LINE;
            }
            y += height(dots);
        }
        canvas.line(
            Colour::Rule,
            1.0,
            (if narrow { 0.0 } else { left }, bottom),
            (left + plot, bottom),
        );
        canvas.sized(left + plot + 14.0 + numbers, bottom + 26.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_that_of_the_differences() {
        let mut figure = Intervals::new("x", "x", ["하나"]);
        for (group, value) in [("가", 0.601), ("나", 0.612)] {
            figure.dot(group, 0, value, Some((value - 0.004, value + 0.004)));
        }
        figure.dot("다", 0, f64::NAN, None);
        let svg = figure.draw().unwrap().to_svg();
        assert!(svg.contains(">0.600<") && !svg.contains(">0.000<"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("다"), "{svg}");
        assert!(Intervals::new("x", "x", ["하나"]).draw().is_none());
    }
}
