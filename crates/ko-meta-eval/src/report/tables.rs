//! The tables of an experiment's findings.

use super::{
    Entry, Language, Table,
    canvas::number,
    views::{level_in, target_in},
};
use crate::experiment::{Cell, Findings, LeftOut, Level, TOTAL};

/// Every cell's coefficients with the total.
pub(super) fn agreement(findings: &Findings, language: Language) -> Table {
    let mut columns = metric_and_unit(language);
    for level in Level::ALL {
        for kind in &findings.correlations {
            columns.push(format!("{} · {}", kind.title(), level_in(level, language)));
        }
    }
    columns.extend([
        language.say("95 % interval", "95 % 신뢰 구간").into(),
        language.say("pairwise accuracy", "쌍별 정확도").into(),
        language.say("τ-like (WMT14)", "τ 유사(WMT14)").into(),
        language.say("time per 100 outputs", "출력 100개당 시간").into(),
    ]);
    let heading = language.say("Agreement with people", "사람 평가와의 일치");
    let mut table = Table::new("agreement", heading, columns);
    let lead = findings.correlations.first().copied();
    for cell in &findings.cells {
        let mut row = names(cell);
        for level in Level::ALL {
            for kind in &findings.correlations {
                let value = cell.value(level, TOTAL, *kind).and_then(|v| v.get());
                row.push(Entry::coefficient(value));
            }
        }
        let interval = lead.and_then(|kind| cell.value(Level::Segment, TOTAL, kind)?.interval());
        row.push(interval.map_or_else(Entry::empty, |i| {
            Entry::shown_as(i.low, format!("{} – {}", number(i.low), number(i.high)))
        }));
        let pairwise = cell.pairwise.as_ref();
        row.push(Entry::coefficient(pairwise.map(|p| p.accuracy.accuracy)));
        row.push(Entry::coefficient(pairwise.and_then(|p| p.tau_like_wmt14)));
        row.push(Entry::duration(cell.scores.seconds_per_hundred()));
        table.row(row);
    }
    table
}

pub(super) fn best_orders(findings: &Findings, language: Language) -> Table {
    let columns = match language {
        Language::English => ["family", "unit", "level", "coefficient", "best order", "value"],
        Language::Korean => ["계열", "단위", "수준", "계수", "가장 좋은 차수", "값"],
    };
    let heading =
        language.say("The n-gram order that agrees best", "사람과 가장 잘 일치하는 n-그램 차수");
    let mut table = Table::new("best-orders", heading, columns);
    for level in [Level::Segment, Level::System] {
        for kind in &findings.correlations {
            for best in findings.best_orders(level, *kind) {
                table.row([
                    Entry::text(best.family),
                    Entry::text(best.unit),
                    Entry::text(level_in(level, language)),
                    Entry::text(kind.title()),
                    Entry::count(best.order),
                    Entry::coefficient(Some(best.value)),
                ]);
            }
        }
    }
    table
}

pub(super) fn units(findings: &Findings, language: Language) -> Table {
    let columns = match language {
        Language::English => [
            "unit",
            "family",
            "units per word, references",
            "units per word, outputs",
            "units",
            "time per 1,000 texts",
            "signature",
        ],
        Language::Korean => [
            "단위",
            "갈래",
            "어절당 단위 수, 참조",
            "어절당 단위 수, 출력",
            "단위 수",
            "1,000문장당 시간",
            "서명",
        ],
    };
    let mut table = Table::new("units", language.say("Units", "단위"), columns);
    for unit in &findings.units {
        table.row([
            Entry::text(&unit.name),
            Entry::text(&unit.family),
            Entry::number(unit.cost.tokens_per_word(), 3),
            Entry::number(unit.cost.output_tokens_per_word(), 3),
            Entry::count(unit.cost.tokens),
            Entry::duration(unit.cost.seconds_per_thousand()),
            Entry::text(unit.signature.to_string()),
        ]);
    }
    table
}

/// Units that were wanted and could not be had.
pub(super) fn left_out(left_out: &[LeftOut], language: Language) -> Table {
    let columns = [language.say("unit", "단위"), language.say("why", "까닭")];
    let heading = language.say("Units that were left out", "제외된 단위");
    let mut table = Table::new("left-out", heading, columns);
    for unit in left_out {
        table.row([Entry::text(&unit.name), Entry::prose(&unit.reason)]);
    }
    table
}

pub(super) fn people(findings: &Findings, language: Language) -> Table {
    let targets = findings.targets.iter().map(|target| target_in(target, language));
    let columns = std::iter::once(language.say("system", "시스템").to_owned()).chain(targets);
    let heading = language.say("What people think of the systems", "사람이 본 시스템");
    let mut table = Table::new("people", heading, columns);
    for system in &findings.systems {
        let means = system.human.iter().map(|mean| Entry::coefficient(*mean));
        table.row(std::iter::once(Entry::text(&system.name)).chain(means));
    }
    table
}

/// Corpus scores as the metrics gave them.
pub(super) fn scores(findings: &Findings, language: Language) -> Table {
    let mut columns = metric_and_unit(language);
    columns.extend(findings.systems.iter().map(|system| system.name.clone()));
    columns.push(language.say("signature", "서명").into());
    let heading = language.say("Corpus scores", "전체 점수");
    let mut table = Table::new("scores", heading, columns);
    for cell in &findings.cells {
        let scores = cell.scores.systems.iter().map(|score| Entry::number(*score, 4));
        let signature = Entry::text(cell.signature.to_string());
        table.row(names(cell).into_iter().chain(scores).chain([signature]));
    }
    table
}

pub(super) fn metric_and_unit(language: Language) -> Vec<String> {
    vec![language.say("metric", "척도").into(), language.say("unit", "단위").into()]
}

pub(super) fn names(cell: &Cell) -> Vec<Entry> {
    vec![Entry::text(&cell.metric), cell.unit.as_deref().map_or_else(Entry::empty, Entry::text)]
}
