//! Bars from zero, for what is counted or timed; panels beside each other.

use super::{
    canvas::{Canvas, Text, shortened, width_of},
    figure::{Figure, NARROW},
    theme::Colour,
};

const LINE: f64 = 26.0;

/// Panels of bars that share their names.
///
/// ```
/// use ko_meta_eval::report::Bars;
///
/// let mut figure = Bars::new("units", "단위의 크기", ["어절", "자모"]);
/// figure.panel("어절당 단위", [1.0, 6.92], |value| format!("{value:.2}"));
/// figure.logarithmic("1,000문장을 자르는 시간", [0.004, 0.007], |value| format!("{value} s"));
/// assert!(figure.draw().is_some());
/// ```
#[derive(Debug, Clone)]
pub struct Bars {
    name: String,
    title: String,
    names: Vec<String>,
    panels: Vec<Panel>,
}

#[derive(Debug, Clone)]
struct Panel {
    heading: String,
    /// A value, the share of the width that it takes, and how it is written.
    bars: Vec<(f64, f64, String)>,
}

impl Bars {
    /// No panels yet: the file's name, the title, and the names of the bars.
    pub fn new(
        name: impl Into<String>,
        title: impl Into<String>,
        names: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self { name: name.into(), title: title.into(), names, panels: Vec::new() }
    }

    /// One more panel; bars are as long as their values.
    pub fn panel(
        &mut self,
        heading: &str,
        values: impl IntoIterator<Item = f64>,
        write: impl Fn(f64) -> String,
    ) {
        let values: Vec<f64> = values.into_iter().collect();
        self.push(heading, &values, values.clone(), write);
    }

    /// One more panel; bars are as long as their values' orders of magnitude.
    pub fn logarithmic(
        &mut self,
        heading: &str,
        values: impl IntoIterator<Item = f64>,
        write: impl Fn(f64) -> String,
    ) {
        let values: Vec<f64> = values.into_iter().collect();
        self.push(heading, &values, orders_of_magnitude(&values), write);
    }

    fn push(
        &mut self,
        heading: &str,
        values: &[f64],
        lengths: Vec<f64>,
        write: impl Fn(f64) -> String,
    ) {
        let greatest = lengths.iter().copied().filter(|l| l.is_finite()).fold(1e-9, f64::max);
        let bars = values.iter().zip(lengths).map(|(value, length)| {
            let share = length / greatest;
            (*value, if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }, write(*value))
        });
        self.panels.push(Panel { heading: heading.to_owned(), bars: bars.collect() });
    }

    /// The figure; none of no bars.
    pub fn draw(&self) -> Option<Figure> {
        if self.names.is_empty() || self.panels.is_empty() {
            return None;
        }
        let mut data = vec![["panel", "name", "value"].map(str::to_owned).to_vec()];
        for panel in &self.panels {
            let rows = self.names.iter().zip(&panel.bars);
            data.extend(rows.map(|(name, (value, ..))| {
                vec![panel.heading.clone(), name.clone(), value.to_string()]
            }));
        }
        Some(Figure::new(&self.name, &self.title, [self.layout(false), self.layout(true)], data))
    }

    fn layout(&self, narrow: bool) -> Canvas {
        let widest = self.names.iter().map(|name| width_of(name)).fold(40.0, f64::max);
        let left = widest.min(if narrow { 110.0 } else { 240.0 }) + 14.0;
        let values = self
            .panels
            .iter()
            .flat_map(|panel| &panel.bars)
            .map(|bar| width_of(&bar.2))
            .fold(30.0, f64::max)
            + 12.0;
        let length = if narrow { NARROW - left - values } else { 200.0 };
        let height = 34.0 + self.names.len() as f64 * LINE + 10.0;
        let mut canvas = Canvas::default();
        let mut at = (left, 0.0);
        let mut size = (0.0f64, 0.0f64);
        for (number, panel) in self.panels.iter().enumerate() {
            canvas.text(
                (at.0, at.1 + 16.0),
                Text::new(shortened(&panel.heading, length + values)).soft(),
            );
            for (row, (name, (_, share, text))) in self.names.iter().zip(&panel.bars).enumerate() {
                let y = at.1 + 28.0 + row as f64 * LINE;
                // Beside each other, panels share the names at their left.
                if narrow || number == 0 {
                    canvas.text(
                        (at.0 - 10.0, y + 14.0),
                        Text::new(shortened(name, left - 14.0)).end(),
                    );
                }
                canvas.block(
                    Colour::Series(row),
                    (at.0, y),
                    ((share * length).max(1.0), 18.0),
                    &format!("{name}: {text}"),
                );
                canvas.text((at.0 + share * length + 7.0, y + 14.0), Text::new(text));
            }
            canvas.line(Colour::Soft, 1.0, (at.0, at.1 + 22.0), (at.0, at.1 + height - 12.0));
            size = (size.0.max(at.0 + length + values), size.1.max(at.1 + height));
            at = if narrow { (left, at.1 + height) } else { (at.0 + length + values + 24.0, at.1) };
        }
        canvas.sized(size.0, size.1)
    }
}

/// By how many powers of ten each value lies above the one below the least: the slowest unit takes a million times as
/// long as the fastest.
fn orders_of_magnitude(values: &[f64]) -> Vec<f64> {
    let logarithms = values.iter().map(|value| value.max(1e-9).log10());
    let least = logarithms.clone().fold(f64::INFINITY, f64::min).floor() - 1.0;
    logarithms.map(|logarithm| logarithm - least).collect()
}

/// Seconds in the unit that reads best.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
