//! The figures of an experiment's findings.

use super::{
    Bars, Figure, HeatCell, HeatMap, Intervals, Language, Lines, bars::duration, segments, slug,
};
use crate::{
    Correlation,
    experiment::{Findings, Level, NO_UNIT, TOTAL, Value},
};

/// Metric × unit: the coefficients of all cells at a level; the best unit of each metric is ringed.
pub(super) fn heat_map(
    findings: &Findings,
    level: Level,
    correlation: Correlation,
    language: Language,
) -> Option<Figure> {
    let units = findings.columns();
    let title = format!("{}, {}", correlation.title(), in_words(level, language));
    let columns = units.iter().map(|unit| unit.unwrap_or(NO_UNIT));
    let name = format!("{}-{correlation}", kebab(level));
    let mut map = HeatMap::new(name, title, &findings.metrics, columns);
    for (row, metric) in findings.metrics.iter().enumerate() {
        let value =
            |unit: &Option<&str>| findings.cell(metric, *unit)?.value(level, TOTAL, correlation);
        let found = units.iter().filter_map(|unit| value(unit)?.get());
        let best = found.fold(f64::NEG_INFINITY, f64::max);
        for (column, unit) in units.iter().enumerate() {
            let Some(found @ Value::Defined { value, .. }) = value(unit) else { continue };
            let mut cell = HeatCell::new(*value).interval(ends(found));
            cell = cell.best(*value == best && units.len() > 1 && unit.is_some());
            let is_here =
                |c: &crate::experiment::Cell| c.metric == *metric && c.unit.as_deref() == *unit;
            if let Some(place) = findings.cells.iter().position(is_here) {
                cell = cell.link(segments::address(place, level));
            }
            map.cell(row, column, cell);
        }
    }
    map.draw()
}

/// Segment-level coefficients of every metric, a dot per unit, with 95 % intervals.
pub(super) fn intervals(
    findings: &Findings,
    correlation: Correlation,
    language: Language,
) -> Option<Figure> {
    let with = language.say(
        "with people, segment level, 95 % intervals",
        "사람 평가와의 상관, 문장 수준, 95 % 신뢰 구간",
    );
    let title = format!("{} {with}", correlation.title());
    let units = findings.columns();
    let series = units.iter().map(|unit| unit.unwrap_or(NO_UNIT));
    let mut figure = Intervals::new(format!("intervals-{correlation}"), title, series);
    for metric in &findings.metrics {
        for (series, unit) in units.iter().enumerate() {
            let cell = findings.cell(metric, *unit);
            let value = cell.and_then(|cell| cell.value(Level::Segment, TOTAL, correlation));
            if let Some(found @ Value::Defined { value, .. }) = value {
                figure.dot(metric, series, *value, ends(found));
            }
        }
    }
    figure.draw()
}

/// A family's coefficients by order, a line per unit; the best order of each is ringed.
pub(super) fn orders(
    findings: &Findings,
    family: &str,
    correlation: Correlation,
    language: Language,
) -> Option<Figure> {
    let by = language.say("by n-gram order, segment level", "n-그램 차수별, 문장 수준");
    let title = format!("{family}: {} {by}", correlation.title());
    let name = format!("orders-{}-{correlation}", slug(family));
    let mut lines = Lines::new(name, title, language.say("longest n-gram", "가장 긴 n-그램"));
    for unit in &findings.units {
        let orders = findings.orders(family, &unit.name, Level::Segment, correlation);
        lines.line(&unit.name, orders.into_iter().map(|(order, value)| (order as f64, value)));
    }
    lines.draw()
}

/// Units per word and the time to cut 1,000 texts, side by side.
pub(super) fn units(findings: &Findings, language: Language) -> Option<Figure> {
    let title = language.say("What a unit is and costs", "단위의 크기와 비용");
    let units = || findings.units.iter();
    let mut bars = Bars::new("units", title, units().map(|unit| &unit.name));
    let ratios = units().map(|unit| unit.cost.tokens_per_word());
    bars.panel(language.say("units per word", "어절당 단위 수"), ratios, |v| {
        format!("{v:.2}")
    });
    bars.logarithmic(
        language.say("time to cut 1,000 texts (logarithmic)", "1,000문장을 자르는 시간(로그)"),
        units().map(|unit| unit.cost.seconds_per_thousand()),
        duration,
    );
    bars.draw()
}

/// Metric × criterion, where people judged by several: the coefficients at segment level; the best metric of each
/// criterion is ringed.
pub(super) fn criteria(
    findings: &Findings,
    correlation: Correlation,
    language: Language,
) -> Option<Figure> {
    if findings.targets.len() < 3 {
        return None;
    }
    let with = language.say("with each criterion, segment level", "기준별 상관, 문장 수준");
    let title = format!("{} {with}", correlation.title());
    let rows = findings.cells.iter().map(|cell| cell.title());
    let columns = findings.targets.iter().map(|target| target_in(target, language));
    let mut map = HeatMap::new(format!("criteria-{correlation}"), title, rows, columns);
    for (column, target) in findings.targets.iter().enumerate() {
        let values: Vec<Option<&Value>> = findings
            .cells
            .iter()
            .map(|cell| cell.value(Level::Segment, target, correlation))
            .collect();
        let found = values.iter().filter_map(|value| (*value)?.get());
        let best = found.fold(f64::NEG_INFINITY, f64::max);
        for (row, value) in values.iter().enumerate() {
            if let Some(Value::Defined { value, p_value, .. }) = value {
                map.cell(row, column, HeatCell::new(*value).p_value(*p_value).best(*value == best));
            }
        }
    }
    map.draw()
}

/// A level's name in a title.
fn in_words(level: Level, language: Language) -> &'static str {
    match level {
        Level::Segment => language.say("segment level", "문장 수준"),
        Level::SegmentPerSystem => language.say("within systems", "시스템 안에서"),
        Level::System => language.say("system level", "시스템 수준"),
    }
}

/// A level's name in a heading.
pub(super) fn level_in(level: Level, language: Language) -> &'static str {
    match language {
        Language::English => level.title(),
        Language::Korean => match level {
            Level::Segment => "문장",
            Level::SegmentPerSystem => "문장, 시스템별",
            Level::System => "시스템",
        },
    }
}

/// A criterion as it was named; the total in the report's language.
pub(super) fn target_in(target: &str, language: Language) -> String {
    if target == TOTAL { language.say(TOTAL, "합계").to_owned() } else { target.to_owned() }
}

fn kebab(level: Level) -> &'static str {
    match level {
        Level::Segment => "segment",
        Level::SegmentPerSystem => "segment-per-system",
        Level::System => "system",
    }
}

/// The ends of a value's interval, if it has one.
fn ends(value: &Value) -> Option<(f64, f64)> {
    value.interval().map(|interval| (interval.low, interval.high))
}
