//! Metric × unit as coloured cells: where does agreement lie?

use super::{
    canvas::{Canvas, Figure, number, width_of},
    segments,
    theme::{STEPS, Scale, on},
};
use crate::{
    Correlation,
    experiment::{Findings, Level, NO_UNIT, TOTAL, Value, title as title_of},
};

const CELL: (f64, f64) = (70.0, 27.0);
const TOP: f64 = 62.0;

/// The coefficients of all cells at a level; the best unit of each metric is ringed.
pub(super) fn draw(findings: &Findings, level: Level, correlation: Correlation) -> Option<Figure> {
    let value = |metric: &str, unit: Option<&str>| {
        findings.cell(metric, unit)?.value(level, TOTAL, correlation)
    };
    let units = findings.columns();
    let values: Vec<f64> = findings
        .cells
        .iter()
        .filter_map(|cell| cell.value(level, TOTAL, correlation)?.get())
        .collect();
    let colours = Colours::of(&values)?;
    let mut canvas = Canvas::default();
    let title = format!("{}, {}", correlation.title(), in_words(level));
    let widest = findings.metrics.iter().map(|m| width_of(m)).fold(60.0, f64::max);
    let left = widest + 14.0;
    let names = units.iter().map(|unit| unit.unwrap_or(NO_UNIT));
    let cell_width = names.clone().map(|name| width_of(name) + 12.0).fold(CELL.0, f64::max);
    canvas.text("head", (0.0, 18.0), &title);
    for (column, name) in names.enumerate() {
        let x = left + (column as f64 + 0.5) * cell_width;
        canvas.text("mid soft", (x, TOP - 9.0), name);
    }
    for (row, metric) in findings.metrics.iter().enumerate() {
        let y = TOP + row as f64 * CELL.1;
        canvas.text("end", (left - 10.0, y + 18.0), metric);
        let found = units.iter().filter_map(|unit| value(metric, *unit)?.get());
        let best = found.fold(f64::NEG_INFINITY, f64::max);
        for (column, unit) in units.iter().enumerate() {
            let at = (left + column as f64 * cell_width + 1.0, y + 1.0);
            let size = (cell_width - 2.0, CELL.1 - 2.0);
            let middle = (at.0 + size.0 / 2.0, y + 18.0);
            match value(metric, *unit) {
                Some(found @ Value::Defined { value, .. }) => {
                    let step = colours.step(*value);
                    let tip = tip(&title_of(metric, *unit), found);
                    let place = findings
                        .cells
                        .iter()
                        .position(|cell| cell.metric == *metric && cell.unit.as_deref() == *unit);
                    canvas.link(place.map(|place| segments::address(place, level)).as_deref());
                    canvas.block(&format!("{}{step}", colours.scale.letter()), at, size, &tip);
                    let winner = *value == best && units.len() > 1 && unit.is_some();
                    if winner {
                        canvas.frame(
                            "ring",
                            (at.0 + 1.0, at.1 + 1.0),
                            (size.0 - 2.0, size.1 - 2.0),
                        );
                    }
                    let weight = if winner { " bold" } else { "" };
                    let class = format!("mid {}{weight}", on(colours.scale, step));
                    canvas.text(&class, middle, number(*value));
                    canvas.end_link(place.is_some());
                }
                _ => {
                    canvas.frame("none", at, size);
                    canvas.text("mid soft", middle, "–");
                }
            }
        }
    }
    let bottom = TOP + findings.metrics.len() as f64 * CELL.1 + 16.0;
    let width = (left + units.len() as f64 * cell_width).max(width_of(&title) * 1.2);
    colours.legend(&mut canvas, (left.min(width - 230.0).max(0.0), bottom));
    let name = format!("{}-{correlation}", kebab(level));
    Some(canvas.finish(name, title, (width.max(240.0) + 4.0, bottom + 36.0)))
}

fn in_words(level: Level) -> &'static str {
    match level {
        Level::Segment => "segment level",
        Level::SegmentPerSystem => "within systems",
        Level::System => "system level",
    }
}

fn kebab(level: Level) -> &'static str {
    match level {
        Level::Segment => "segment",
        Level::SegmentPerSystem => "segment-per-system",
        Level::System => "system",
    }
}

fn tip(cell: &str, value: &Value) -> String {
    let Value::Defined { value, p_value, interval } = value else { return String::new() };
    let mut tip = format!("{cell}: {}", number(*value));
    if let Some(i) = interval {
        tip += &format!(", 95 % interval {} to {}", number(i.low), number(i.high));
    }
    if let Some(p) = p_value {
        tip += &format!(", p = {p:.2e}");
    }
    tip
}

/// Values as steps of a scale: over their range where all have one sign, else symmetric around 0.
struct Colours {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Colours {
    fn of(values: &[f64]) -> Option<Self> {
        let low = values.iter().copied().reduce(f64::min)?;
        let high = values.iter().copied().reduce(f64::max)?;
        if low < 0.0 {
            let far = (low.abs().max(high.abs()) * 10.0).ceil() / 10.0;
            return Some(Self { scale: Scale::Diverging, low: -far, high: far });
        }
        // Outwards to the next .05, so that the legend reads well.
        let (low, high) = ((low * 20.0).floor() / 20.0, (high * 20.0).ceil() / 20.0);
        Some(Self { scale: Scale::Sequential, low, high: high.max(low + 0.05) })
    }

    fn step(&self, value: f64) -> usize {
        let share = (value - self.low) / (self.high - self.low);
        ((share * STEPS as f64) as usize).min(STEPS - 1)
    }

    fn legend(&self, canvas: &mut Canvas, at: (f64, f64)) {
        let width = 24.0;
        for step in 0..STEPS {
            let x = at.0 + step as f64 * width;
            let fill = format!("{}{step}", self.scale.letter());
            canvas.block(&fill, (x, at.1), (width, 10.0), "");
        }
        let end = at.0 + width * STEPS as f64;
        canvas.text("soft", (at.0, at.1 + 25.0), format!("{:.2}", self.low).replace('-', "−"));
        if self.scale == Scale::Diverging {
            canvas.text("soft mid", ((at.0 + end) / 2.0, at.1 + 25.0), "0");
        }
        canvas.text("soft end", (end, at.1 + 25.0), format!("{:.2}", self.high));
    }
}
