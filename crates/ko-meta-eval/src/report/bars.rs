//! Bars: coefficients with their intervals, and what units cost.

use super::{
    canvas::{Canvas, Figure, number, ticks, width_of},
    theme::SERIES,
};
use crate::{
    Correlation,
    experiment::{Findings, Level, NO_UNIT, TOTAL, title as title_of},
};

const BAR: f64 = 11.0;
const PLOT: f64 = 520.0;

/// Segment-level coefficients of every metric, a bar per unit, with 95 % intervals.
pub(super) fn agreement(findings: &Findings, correlation: Correlation) -> Option<Figure> {
    let value = |metric: &str, unit: Option<&str>| {
        let value = findings.cell(metric, unit)?.value(Level::Segment, TOTAL, correlation)?;
        Some((value.get()?, value.interval()))
    };
    let ends: Vec<f64> = findings
        .cells
        .iter()
        .filter_map(|cell| value(&cell.metric, cell.unit.as_deref()))
        .flat_map(|(value, interval)| {
            [Some(value), interval.map(|i| i.low), interval.map(|i| i.high)]
        })
        .flatten()
        .collect();
    let ticks = ticks(
        ends.iter().copied().reduce(f64::min)?.min(0.0),
        ends.iter().copied().reduce(f64::max)?.max(0.05),
    );
    let axis = Axis::new(left_of(findings.metrics.iter().map(String::as_str)), PLOT, &ticks)?;
    let mut canvas = Canvas::default();
    let title = format!("{} with people, segment level, 95 % intervals", correlation.title());
    canvas.text("head", (0.0, 18.0), &title);
    let units = findings.columns();
    let names: Vec<&str> = units.iter().map(|unit| unit.unwrap_or(NO_UNIT)).collect();
    legend(&mut canvas, &names, (axis.left, 34.0));
    let top = 62.0;
    let group = units.len() as f64 * BAR + 12.0;
    let bottom = top + findings.metrics.len() as f64 * group;
    axis.grid(&mut canvas, &ticks, (top, bottom));
    for (row, metric) in findings.metrics.iter().enumerate() {
        let y = top + row as f64 * group + 6.0;
        let middle = y + units.len() as f64 * BAR / 2.0;
        canvas.text("end", (axis.left - 10.0, middle + 4.5), metric);
        for (series, unit) in units.iter().enumerate() {
            let Some((value, interval)) = value(metric, *unit) else { continue };
            let y = y + series as f64 * BAR;
            let (from, to) = (axis.at(value.min(0.0)), axis.at(value.max(0.0)));
            let mut tip = format!("{}: {}", title_of(metric, *unit), number(value));
            if let Some(i) = interval {
                tip += &format!(" [{}, {}]", number(i.low), number(i.high));
            }
            let colour = format!("s{}", series % SERIES);
            canvas.block(&colour, (from, y + 0.5), (to - from, BAR - 1.5), &tip);
            if let Some(i) = interval {
                let (low, high, y) = (axis.at(i.low), axis.at(i.high), y + BAR / 2.0 - 0.25);
                canvas.line("whisker", (low, y), (high, y));
                for end in [low, high] {
                    canvas.line("whisker", (end, y - 2.5), (end, y + 2.5));
                }
            }
        }
    }
    let name = format!("bars-{correlation}");
    Some(canvas.finish(name, title, (axis.left + PLOT + 24.0, bottom + 28.0)))
}

/// Units per word and the time to cut 1,000 texts, side by side.
pub(super) fn units(findings: &Findings) -> Option<Figure> {
    findings.units.first()?;
    let names: Vec<&str> = findings.units.iter().map(|unit| unit.name.as_str()).collect();
    let mut canvas = Canvas::default();
    canvas.text("head", (0.0, 18.0), "What a unit is and costs");
    let panel = 300.0;
    let left = left_of(names.iter().copied());
    let ratios: Vec<f64> = findings.units.iter().map(|u| u.cost.tokens_per_word()).collect();
    let seconds: Vec<f64> = findings.units.iter().map(|u| u.cost.seconds_per_thousand()).collect();
    let per_word = names.iter().zip(shares(&ratios)).zip(&ratios);
    let per_word = per_word.map(|((name, share), v)| Bar { name, share, text: format!("{v:.2}") });
    panel_of(&mut canvas, left, panel, "units per word", &per_word.collect::<Vec<_>>());
    let second = left + panel + 90.0;
    let times = shares(&orders_of_magnitude(&seconds)).into_iter().zip(&seconds);
    let times = times.map(|(share, v)| Bar { name: "", share, text: duration(*v) });
    let heading = "time to cut 1,000 texts (logarithmic)";
    panel_of(&mut canvas, second, panel, heading, &times.collect::<Vec<_>>());
    let height = 62.0 + names.len() as f64 * 26.0 + 12.0;
    Some(canvas.finish("units", "What a unit is and costs", (second + panel + 70.0, height)))
}

/// Each value as a share of the greatest.
fn shares(values: &[f64]) -> Vec<f64> {
    let greatest = values.iter().copied().fold(1e-9, f64::max);
    values.iter().map(|value| value / greatest).collect()
}

/// By how many powers of ten each value lies above the one below the least: the slowest unit takes a million times as
/// long as the fastest.
fn orders_of_magnitude(values: &[f64]) -> Vec<f64> {
    let logarithms = values.iter().map(|value| value.max(1e-9).log10());
    let least = logarithms.clone().fold(f64::INFINITY, f64::min).floor() - 1.0;
    logarithms.map(|logarithm| logarithm - least).collect()
}

/// Bars; `shares` of the width are their lengths.
fn panel_of(canvas: &mut Canvas, left: f64, width: f64, heading: &str, bars: &[Bar<'_>]) {
    canvas.text("soft", (left, 46.0), heading);
    for (row, bar) in bars.iter().enumerate() {
        let (y, length) = (58.0 + row as f64 * 26.0, bar.share * width);
        canvas.text("end", (left - 10.0, y + 14.0), bar.name);
        let colour = format!("s{}", row % SERIES);
        canvas.block(&colour, (left, y), (length.max(1.0), 18.0), &bar.text);
        canvas.text("", (left + length + 7.0, y + 14.0), &bar.text);
    }
    canvas.line("axis", (left, 52.0), (left, 58.0 + bars.len() as f64 * 26.0));
}

/// A bar with its name before it and its value behind it.
struct Bar<'n> {
    name: &'n str,
    share: f64,
    text: String,
}

/// Seconds in the unit that reads best.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// The names of the series with their colours.
pub(super) fn legend(canvas: &mut Canvas, names: &[&str], at: (f64, f64)) {
    let mut x = at.0;
    for (series, name) in names.iter().enumerate() {
        canvas.block(&format!("s{}", series % SERIES), (x, at.1), (12.0, 12.0), name);
        canvas.text("", (x + 18.0, at.1 + 11.0), name);
        x += width_of(name) + 40.0;
    }
}

fn left_of<'n>(names: impl Iterator<Item = &'n str>) -> f64 {
    names.map(width_of).fold(40.0, f64::max) + 14.0
}

/// A horizontal axis.
struct Axis {
    left: f64,
    width: f64,
    low: f64,
    high: f64,
}

impl Axis {
    fn new(left: f64, width: f64, ticks: &[f64]) -> Option<Self> {
        Some(Self { left, width, low: *ticks.first()?, high: *ticks.last()? })
    }

    fn at(&self, value: f64) -> f64 {
        self.left + self.width * (value - self.low) / (self.high - self.low)
    }

    fn grid(&self, canvas: &mut Canvas, ticks: &[f64], (top, bottom): (f64, f64)) {
        for tick in ticks {
            let x = self.at(*tick);
            let class = if tick.abs() < 1e-9 { "axis" } else { "rule" };
            canvas.line(class, (x, top), (x, bottom));
            canvas.text("soft mid", (x, bottom + 18.0), format!("{tick:.2}").replace('-', "−"));
        }
    }
}
