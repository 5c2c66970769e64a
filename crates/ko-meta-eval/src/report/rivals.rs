//! Is one metric's agreement with people really higher than another's? Williams' test of every pair, criterion by criterion.

use super::{Entry, Figure, HeatCell, HeatMap, Intervals, Language, Table, slug, views::target_in};
use crate::{
    Correlation, Williams,
    experiment::{Cell, Findings, Level, TOTAL},
    williams,
};

/// The most metrics that are compared with each other: those that agree best with the total.
const MOST: usize = 12;

/// The most metrics that stand beside each other by criterion.
const BESIDE: usize = 8;

/// Two metrics by a criterion.
pub(super) struct Rivals<'f> {
    target: &'f str,
    /// The better one first.
    cells: [&'f Cell; 2],
    test: Williams,
}

/// Every pair of the metrics that agree best, by every criterion; none where a test is not defined.
pub(super) fn all(findings: &Findings) -> Vec<Rivals<'_>> {
    let cells = leading(findings, MOST);
    let mut rivals = Vec::new();
    for (number, target) in findings.targets.iter().enumerate() {
        let people = people(findings, number);
        let judged: Vec<f64> = people.iter().copied().flatten().collect();
        let scores: Vec<Vec<f64>> = cells.iter().map(|cell| judged_scores(cell, &people)).collect();
        for (place, (first, x)) in cells.iter().zip(&scores).enumerate() {
            for (second, y) in cells.iter().zip(&scores).skip(place + 1) {
                let Ok(test) = williams(&judged, x, y) else { continue };
                // The better one first, and the test turned with it.
                let (cells, test) = match test.t >= 0.0 {
                    true => ([*first, *second], Ok(test)),
                    false => ([*second, *first], williams(&judged, y, x)),
                };
                if let Ok(test) = test {
                    rivals.push(Rivals { target, cells, test });
                }
            }
        }
    }
    rivals
}

/// The cells that agree best with the total at segment level, in the experiment's order.
fn leading(findings: &Findings, most: usize) -> Vec<&Cell> {
    let value = |cell: &Cell| cell.value(Level::Segment, TOTAL, Correlation::Pearson)?.get();
    let mut cells: Vec<(usize, &Cell, f64)> = findings
        .cells
        .iter()
        .enumerate()
        .filter_map(|(place, cell)| Some((place, cell, value(cell)?)))
        .collect();
    cells.sort_by(|a, b| b.2.total_cmp(&a.2));
    cells.truncate(most);
    cells.sort_by_key(|(place, ..)| *place);
    cells.into_iter().map(|(_, cell, _)| cell).collect()
}

/// The human scores of every output by a target; none where nobody judged it.
fn people(findings: &Findings, target: usize) -> Vec<Option<f64>> {
    let scores = findings.systems.iter().filter_map(|system| system.segments.get(target));
    scores.flatten().copied().collect()
}

/// A metric's scores of the judged outputs, as they are correlated.
fn judged_scores(cell: &Cell, people: &[Option<f64>]) -> Vec<f64> {
    let sign = if cell.negated { -1.0 } else { 1.0 };
    let scores = cell.scores.segments.iter().flatten().zip(people);
    let judged = scores.filter(|(_, human)| human.is_some());
    judged.map(|(score, _)| sign * cell.cap.map_or(*score, |cap| score.min(cap))).collect()
}

/// Row better than column: the difference of their coefficients, and how probable it is by chance. A map per criterion.
pub(super) fn maps(findings: &Findings, rivals: &[Rivals<'_>], language: Language) -> Vec<Figure> {
    let cells = leading(findings, MOST);
    let map = |target: &String| {
        let what = language
            .say("difference of Pearson r, Williams' test", "피어슨 r의 차이, 윌리엄스 검정");
        let title = format!("{}: {what}", target_in(target, language));
        let titles = || cells.iter().map(|cell| cell.title());
        let mut map = HeatMap::new(format!("williams-{}", slug(target)), title, titles(), titles());
        let place = |wanted: &Cell| cells.iter().position(|cell| std::ptr::eq(*cell, wanted));
        for found in rivals.iter().filter(|found| found.target == *target) {
            let [Some(better), Some(worse)] = found.cells.map(place) else { continue };
            let difference = found.test.first - found.test.second;
            map.cell(better, worse, HeatCell::new(difference).p_value(found.test.p_greater));
        }
        map.draw()
    };
    findings.targets.iter().filter_map(map).collect()
}

/// Every pair of a criterion with its test.
pub(super) fn table(rivals: &[Rivals<'_>], language: Language) -> Table {
    let columns = match language {
        Language::English => [
            "criterion",
            "better",
            "worse",
            "r",
            "r of the worse",
            "r between them",
            "t",
            "p, one-sided",
            "p, two-sided",
        ],
        Language::Korean => [
            "기준",
            "나은 척도",
            "못한 척도",
            "r",
            "못한 척도의 r",
            "척도 사이의 r",
            "t",
            "p(단측)",
            "p(양측)",
        ],
    };
    let heading = language.say("Williams' test of every pair", "모든 쌍의 윌리엄스 검정");
    let mut table = Table::new("williams", heading, columns);
    for Rivals { target, cells: [better, worse], test } in rivals {
        table.row([
            Entry::text(target_in(target, language)),
            Entry::text(better.title()),
            Entry::text(worse.title()),
            Entry::coefficient(Some(test.first)),
            Entry::coefficient(Some(test.second)),
            Entry::coefficient(Some(test.between)),
            Entry::number(test.t, 2),
            Entry::probability(test.p_greater),
            Entry::probability(test.p_value),
        ]);
    }
    table
}

/// A few metrics beside each other, criterion by criterion; none of many.
pub(super) fn beside(
    findings: &Findings,
    correlation: Correlation,
    language: Language,
) -> Option<Figure> {
    if findings.cells.len() > BESIDE || findings.targets.len() < 3 {
        return None;
    }
    let with = language.say("with each criterion, side by side", "기준별 비교");
    let title = format!("{} {with}", correlation.title());
    let series = findings.cells.iter().map(Cell::title);
    let mut figure = Intervals::new(format!("beside-{correlation}"), title, series);
    for target in &findings.targets {
        for (series, cell) in findings.cells.iter().enumerate() {
            let value = cell.value(Level::Segment, target, correlation);
            if let Some(value) = value.and_then(|value| value.get()) {
                figure.dot(&target_in(target, language), series, value, None);
            }
        }
    }
    figure.draw()
}
