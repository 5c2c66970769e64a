//! Lines: how a value changes with a setting, for several series.

use super::{
    canvas::{Canvas, Text, number, shortened, tick_label, ticks, width_of},
    figure::{Figure, NARROW},
    theme::Colour,
};

const TOP: f64 = 8.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 46.0;
/// How close two names at the ends of lines may come.
const NAME: f64 = 17.0;

/// A line per series over the values of a setting; the highest point of each is ringed.
///
/// ```
/// use ko_meta_eval::report::Lines;
///
/// let mut figure = Lines::new("orders", "BLEU: 차수별 상관", "n-그램 차수");
/// figure.line("어절", [(1.0, 0.608), (2.0, 0.588), (3.0, 0.547)]);
/// figure.line("자모", [(1.0, 0.585), (2.0, 0.636), (3.0, 0.663)]);
/// assert!(figure.draw().is_some());
/// ```
#[derive(Debug, Clone)]
pub struct Lines {
    name: String,
    title: String,
    axis: String,
    lines: Vec<(String, Vec<(f64, f64)>)>,
}

impl Lines {
    /// No lines yet: the file's name, the title, and what the setting is called.
    pub fn new(name: impl Into<String>, title: impl Into<String>, axis: impl Into<String>) -> Self {
        Self { name: name.into(), title: title.into(), axis: axis.into(), lines: Vec::new() }
    }

    /// One more line, its points in order. What is not finite is left out; a series without points keeps its colour.
    pub fn line(&mut self, name: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        let finite = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        self.lines.push((name.to_owned(), points.into_iter().filter(finite).collect()));
    }

    /// The figure; none where the setting has a single value.
    pub fn draw(&self) -> Option<Figure> {
        let points = || self.lines.iter().flat_map(|(_, points)| points.iter().copied());
        let first = points().map(|p| p.0).reduce(f64::min)?;
        let last = points().map(|p| p.0).reduce(f64::max)?;
        if first >= last {
            return None;
        }
        let ticks =
            ticks(points().map(|p| p.1).reduce(f64::min)?, points().map(|p| p.1).reduce(f64::max)?);
        let layout = |narrow| self.layout(narrow, (first, last), &ticks);
        let mut data = vec![vec!["series".to_owned(), self.axis.clone(), "value".to_owned()]];
        for (name, points) in &self.lines {
            data.extend(
                points.iter().map(|(x, y)| vec![name.clone(), x.to_string(), y.to_string()]),
            );
        }
        Some(Figure::new(&self.name, &self.title, [layout(false)?, layout(true)?], data))
    }

    fn layout(&self, narrow: bool, (first, last): (f64, f64), ticks: &[f64]) -> Option<Canvas> {
        let (low, high) = (*ticks.first()?, *ticks.last()?);
        let widest = self.lines.iter().map(|(name, _)| width_of(name)).fold(0.0, f64::max);
        let names = widest.min(if narrow { 90.0 } else { 220.0 });
        let plot = if narrow { NARROW - LEFT - names - 30.0 } else { 440.0 };
        let at = |(x, y): (f64, f64)| {
            let (x, y) = ((x - first) / (last - first), (high - y) / (high - low));
            (LEFT + 14.0 + x * (plot - 28.0), TOP + y * HEIGHT)
        };
        let mut canvas = Canvas::default();
        for tick in ticks {
            let (_, y) = at((first, *tick));
            canvas.line(Colour::Rule, 1.0, (LEFT, y), (LEFT + plot, y));
            canvas.text((LEFT - 8.0, y + 4.0), Text::new(tick_label(ticks, *tick)).soft().end());
        }
        let mut settings: Vec<f64> =
            self.lines.iter().flat_map(|(_, points)| points.iter().map(|p| p.0)).collect();
        settings.sort_by(f64::total_cmp);
        settings.dedup();
        // Where many lie close together, as layers do on a phone, only some have room for their number.
        let mut free = f64::NEG_INFINITY;
        for setting in &settings {
            let ((x, _), label) = (at((*setting, low)), setting.to_string());
            let half = width_of(&label) / 2.0;
            if x - half >= free {
                canvas.text((x, TOP + HEIGHT + 20.0), Text::new(label).soft().middle());
                free = x + half + 5.0;
            }
        }
        canvas
            .text((LEFT + plot / 2.0, TOP + HEIGHT + 40.0), Text::new(&self.axis).soft().middle());
        let mut ends = Vec::new();
        for (series, (name, points)) in self.lines.iter().enumerate() {
            let places: Vec<(f64, f64)> = points.iter().map(|p| at(*p)).collect();
            let Some(end) = places.last() else { continue };
            ends.push((end.1, series, name.as_str()));
            canvas.path(series, &places);
            let best = points.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a });
            for (point, place) in points.iter().zip(&places) {
                canvas.point(series, *place, &format!("{name}, {}: {}", point.0, number(point.1)));
                if Some(*point) == best {
                    canvas.ring(*place);
                }
            }
        }
        spread(&mut ends);
        let x = LEFT + plot + 10.0;
        let mut lowest = TOP + HEIGHT;
        for (y, series, name) in &ends {
            canvas.point(*series, (x + 5.0, *y), name);
            canvas
                .text((x + 14.0, y + 4.5), Text::new(shortened(name, names.max(30.0))).size(12.0));
            lowest = lowest.max(*y);
        }
        Some(canvas.sized(x + 20.0 + names, (TOP + HEIGHT + 48.0).max(lowest + 10.0)))
    }
}

/// Moves names apart that would overlap, keeping their order.
fn spread(ends: &mut [(f64, usize, &str)]) {
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut above = TOP - NAME / 2.0;
    for end in ends.iter_mut() {
        end.0 = end.0.max(above + NAME);
        above = end.0;
    }
    // What was pushed below the plot goes up again, as far as there is room.
    let mut below = (TOP + HEIGHT + NAME / 2.0).max(TOP + NAME * ends.len() as f64);
    for end in ends.iter_mut().rev() {
        end.0 = end.0.min(below);
        below = end.0 - NAME;
    }
}
