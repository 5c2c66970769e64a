//! What a campaign is asked beyond coefficients: the judges, the order of the systems, the best settings, families of units.

use super::{
    Entry, Figure, HeatCell, HeatMap, Language, Lines, Section, Table,
    canvas::number,
    slug,
    tables::{metric_and_unit, names},
    views::level_in,
};
use crate::{
    Correlation,
    experiment::{Findings, Level, Sweep},
    judgement::{Judging, RatedSystem, Reason},
};

/// What judges gave, what fell out and why; the order of the systems.
pub(super) fn people(findings: &Findings, language: Language) -> Section {
    let heading = language.say("The order of the systems", "시스템의 순위");
    let text = language.say(
        "Ranks by people and by every metric; a swap is a pair that the metric orders against people.",
        "사람과 각 척도가 매긴 순위이다. 뒤바뀐 쌍은 척도가 사람과 반대로 줄 세운 두 시스템이다.",
    );
    let mut section = Section::new(heading).text(text);
    if let Some(judging) = &findings.judging {
        section = section.table(judges(findings, judging, language));
        if judging.cleanup.is_some() || !judging.dropped.is_empty() {
            section = section.table(dropped(judging, language));
        }
    }
    section.table(rankings(findings, language))
}

/// Every setting that was tried with several values.
pub(super) fn settings(findings: &Findings, language: Language) -> Section {
    let heading = language.say("Which settings?", "어떤 설정이 좋은가?");
    let text = language.say(
        "Every declared parameter that was tried with several values, all others as they are said to be.",
        "여러 값을 시도한 모든 매개변수이다. 다른 매개변수는 적힌 값 그대로이다.",
    );
    let sweeps = findings.sweeps();
    // Longest n-grams have a section of their own.
    let others = sweeps.iter().filter(|sweep| sweep.parameter != "order");
    let kinds = || findings.correlations.iter();
    let figures = others
        .flat_map(|sweep| kinds().filter_map(move |kind| line(findings, sweep, *kind, language)));
    Section::new(heading).text(text).figures(figures).table(best_settings(findings, language))
}

/// Units seen as families.
pub(super) fn families(findings: &Findings, language: Language) -> Section {
    let heading = language.say("Families of units", "단위의 갈래");
    let text = language.say(
        "The mean over the units of each family: of all analyzers of morphemes, say.",
        "갈래마다 단위들의 평균이다. 이를테면 형태소는 모든 분석기의 평균이다.",
    );
    if findings.unit_families().len() == findings.units.len() {
        // Every unit is a family of its own: the heat maps show them already.
        return Section::new(heading);
    }
    let figures =
        findings.correlations.iter().filter_map(|kind| family_map(findings, *kind, language));
    Section::new(heading).text(text).figures(figures).table(family_means(findings, language))
}

/// Raw means, mean z-scores and ranks.
fn judges(findings: &Findings, judging: &Judging, language: Language) -> Table {
    let mut columns: Vec<String> = match language {
        Language::English => ["system", "rank", "ratings", "outputs", "raw mean", "mean z"],
        Language::Korean => ["시스템", "순위", "평가 수", "출력 수", "원점수 평균", "z 점수 평균"],
    }
    .map(String::from)
    .to_vec();
    let several = judging.criteria.len() > 1;
    if several {
        let raw = language.say("raw", "원점수");
        columns.extend(
            judging
                .criteria
                .iter()
                .flat_map(|name| [format!("{name}, {raw}"), format!("{name}, z")]),
        );
    }
    let heading = language.say("What judges gave the systems", "평가자가 준 점수");
    let mut table = Table::new("judges", heading, columns);
    for (system, rank) in findings.systems.iter().zip(findings.ranks_by_people()) {
        let Some(rated) = judging.systems.iter().find(|rated| rated.name == system.name) else {
            continue;
        };
        let mut row = vec![
            Entry::text(&system.name),
            rank.map_or_else(Entry::empty, Entry::count),
            Entry::count(rated.ratings),
            Entry::count(rated.outputs),
            Entry::coefficient(RatedSystem::total(&rated.raw)),
            Entry::coefficient(RatedSystem::total(&rated.z)),
        ];
        if several {
            let both = rated.raw.iter().zip(&rated.z);
            row.extend(both.flat_map(|(raw, z)| [*raw, *z].map(Entry::coefficient)));
        }
        table.row(row);
    }
    table
}

/// How many ratings fell out, and why.
fn dropped(judging: &Judging, language: Language) -> Table {
    let columns = match language {
        Language::English => ["criterion", "judge", "why", "ratings"],
        Language::Korean => ["기준", "평가자", "까닭", "평가 수"],
    };
    let heading = language.say("Ratings that were dropped", "버린 평가");
    let how = judging.cleanup.map_or_else(String::new, |cleanup| cleanup.to_string());
    let counts: Vec<String> = Reason::ALL
        .into_iter()
        .map(|reason| format!("{}: {}", reason_in(reason, language), judging.count(reason)))
        .collect();
    let all = language.say("ratings in all", "모든 평가");
    let note = format!("{how}. {}; {all}: {}", counts.join("; "), judging.ratings);
    let mut table = Table::new("dropped", heading, columns).note(note);
    for dropped in &judging.dropped {
        table.row([
            Entry::text(&dropped.criterion),
            Entry::text(&dropped.judge),
            Entry::text(reason_in(dropped.reason, language)),
            Entry::count(dropped.count),
        ]);
    }
    table
}

fn reason_in(reason: Reason, language: Language) -> &'static str {
    let korean = match reason {
        Reason::WarmUp => "평가자의 처음 몇 개",
        Reason::NoSpread => "평가자의 점수가 모두 같음",
        Reason::Outlier => "이상치",
        Reason::Check => "품질 점검 문항",
    };
    language.say(reason.title(), korean)
}

/// Ranks by people and by every metric, with the systems that it swaps.
fn rankings(findings: &Findings, language: Language) -> Table {
    let mut columns = metric_and_unit(language);
    columns.extend(findings.systems.iter().map(|system| system.name.clone()));
    let swaps =
        language.say("swaps (people prefer the first)", "뒤바뀐 쌍(사람은 앞의 것을 낫게 봄)");
    columns.push(swaps.to_owned());
    let heading = language.say("Ranks by people and by metrics", "사람과 척도가 매긴 순위");
    let mut table = Table::new("rankings", heading, columns);
    let by_people = findings.ranks_by_people().into_iter();
    let by_people = by_people.map(|rank| rank.map_or_else(Entry::empty, Entry::count));
    let people = [Entry::text(language.say("people", "사람")), Entry::empty()];
    table.row(people.into_iter().chain(by_people).chain([Entry::empty()]));
    for (ranking, cell) in findings.rankings().into_iter().zip(&findings.cells) {
        let pairs = ranking.swaps.iter().map(|swap| format!("{} ↔ {}", swap.people, swap.metric));
        let pairs = Entry::prose(pairs.collect::<Vec<_>>().join(", "));
        let ranks = ranking.ranks.into_iter().map(Entry::count);
        table.row(names(cell).into_iter().chain(ranks).chain([pairs]));
    }
    table
}

fn best_settings(findings: &Findings, language: Language) -> Table {
    let columns = match language {
        Language::English => {
            ["metric", "unit", "level", "coefficient", "parameter", "best value", "with", "value"]
        }
        Language::Korean => {
            ["척도", "단위", "수준", "계수", "매개변수", "가장 좋은 값", "다른 설정", "값"]
        }
    };
    let heading = language.say("The settings that agree best", "사람과 가장 잘 일치하는 설정");
    let mut table = Table::new("settings", heading, columns);
    for level in [Level::Segment, Level::System] {
        for kind in &findings.correlations {
            for best in findings.best_settings(level, *kind) {
                table.row([
                    Entry::text(best.sweep.metric),
                    best.unit.map_or_else(Entry::empty, Entry::text),
                    Entry::text(level_in(level, language)),
                    Entry::text(kind.title()),
                    Entry::text(best.sweep.parameter),
                    match best.value.parse::<f64>() {
                        Ok(value) => Entry::shown_as(value, best.value),
                        Err(_) => Entry::text(best.value),
                    },
                    Entry::text(best.sweep.fixed),
                    Entry::coefficient(Some(best.coefficient)),
                ]);
            }
        }
    }
    table
}

/// A setting's coefficients, a line per unit; none of settings that are no numbers.
fn line(
    findings: &Findings,
    sweep: &Sweep,
    correlation: Correlation,
    language: Language,
) -> Option<Figure> {
    let fixed = if sweep.fixed.is_empty() { String::new() } else { format!(" ({})", sweep.fixed) };
    let by = language.say("segment level", "문장 수준");
    let title = format!("{}{fixed}: {}, {by}", sweep.metric, correlation.title());
    let what = slug(&format!("{}-{}{fixed}", sweep.metric, sweep.parameter));
    let mut lines = Lines::new(format!("settings-{what}-{correlation}"), title, &sweep.parameter);
    for unit in findings.columns() {
        let tried = findings.swept(sweep, unit, Level::Segment, correlation);
        let points = tried.into_iter().filter_map(|(value, y)| Some((value.parse().ok()?, y)));
        lines.line(unit.unwrap_or_default(), points);
    }
    lines.draw()
}

/// Metric × family at segment level.
fn family_map(findings: &Findings, kind: Correlation, language: Language) -> Option<Figure> {
    let means = findings.by_family(Level::Segment, kind);
    let rows: Vec<&str> = findings
        .metrics
        .iter()
        .filter(|metric| means.iter().any(|mean| mean.metric == **metric))
        .map(String::as_str)
        .collect();
    let families = findings.unit_families();
    let of = language.say("means of families, segment level", "갈래의 평균, 문장 수준");
    let title = format!("{}, {of}", kind.title());
    let mut map = HeatMap::new(
        format!("families-{kind}"),
        title,
        rows.iter().copied(),
        families.iter().copied(),
    );
    for (row, metric) in rows.iter().enumerate() {
        let own = || means.iter().filter(|mean| mean.metric == *metric);
        let best = own().map(|mean| mean.value).fold(f64::NEG_INFINITY, f64::max);
        for mean in own() {
            if let Some(column) = families.iter().position(|family| *family == mean.family) {
                map.cell(row, column, HeatCell::new(mean.value).best(mean.value == best));
            }
        }
    }
    map.draw()
}

/// The mean over the units of each family, at every level.
fn family_means(findings: &Findings, language: Language) -> Table {
    let families = findings.unit_families();
    let mut columns: Vec<String> = match language {
        Language::English => ["metric", "level", "coefficient"],
        Language::Korean => ["척도", "수준", "계수"],
    }
    .map(String::from)
    .to_vec();
    columns.extend(families.iter().map(|family| (*family).to_owned()));
    let heading = language.say("Means of families of units", "갈래별 평균");
    let mut table = Table::new("families", heading, columns);
    for level in Level::ALL {
        for kind in &findings.correlations {
            let means = findings.by_family(level, *kind);
            for metric in &findings.metrics {
                let of = |family: &&str| {
                    means.iter().find(|mean| mean.metric == *metric && mean.family == **family)
                };
                if families.iter().all(|family| of(family).is_none()) {
                    continue;
                }
                let values = families.iter().map(|family| {
                    of(family).map_or_else(Entry::empty, |mean| {
                        let several = (mean.units > 1).then(|| format!(" ({})", mean.units));
                        let shown = number(mean.value) + &several.unwrap_or_default();
                        Entry::shown_as(mean.value, shown)
                    })
                });
                let head = [
                    Entry::text(metric),
                    Entry::text(level_in(level, language)),
                    Entry::text(kind.title()),
                ];
                table.row(head.into_iter().chain(values));
            }
        }
    }
    table
}
