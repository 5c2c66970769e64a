//! Metrics compared as WMT does: standings, p-values, averages.

use super::{Document, Entry, HeatCell, HeatMap, Language, Section, Table, slug};
use crate::wmt::{Averages, SIGNIFICANT, Standing};

/// A report of standings, and of their averages where there are several.
pub fn standings(
    title: impl Into<String>,
    standings: &[Standing],
    averages: Option<&Averages>,
    notes: &[String],
    language: Language,
) -> Document {
    let mut document = Document::new(title, language);
    if let Some(best) = averages.and_then(|averages| averages.metrics.first()) {
        let words = language.say("Best on average", "평균으로 가장 좋은 척도");
        document = document.lead(format!("{words}: {} ({:.3})", best.metric, best.value));
    }
    for note in notes {
        document = document.remark(note);
    }
    if let Some(averages) = averages {
        document = document.section(averaged(averages, language));
    }
    standings.iter().fold(document, |document, standing| document.section(one(standing, language)))
}

fn one(standing: &Standing, language: Language) -> Section {
    let heading = standing.task.clone();
    let text = match &standing.test {
        Some(test) => format!(
            "{} {} {}",
            language.say(
                "Metrics of one rank cannot be told apart; p-values are those of",
                "순위가 같은 척도는 통계적으로 구별되지 않는다. p값의 순열 수:",
            ),
            test.draws,
            language.say("permutations at most.", "이하."),
        ),
        None => language.say("Not tested.", "검정하지 않았다.").to_owned(),
    };
    let columns = match language {
        Language::English => ["rank", "metric", "value", "groups", "tie threshold"],
        Language::Korean => ["순위", "척도", "값", "묶음 수", "동점 문턱"],
    };
    let name = slug(&format!("standing-{}", standing.task));
    let mut table = Table::new(name, &heading, columns);
    for metric in &standing.metrics {
        table.row([
            Entry::count(metric.rank),
            Entry::text(&metric.metric),
            Entry::number(metric.value, 4),
            Entry::count(metric.groups),
            metric.epsilon.map_or_else(Entry::empty, |epsilon| Entry::number(epsilon, 4)),
        ]);
    }
    let names: Vec<&str> = standing.metrics.iter().map(|metric| metric.metric.as_str()).collect();
    let figure = p_values(&standing.task, &names, &standing.p_values, language);
    Section::new(&heading).text(text).table(table).figures(figure)
}

fn averaged(averages: &Averages, language: Language) -> Section {
    let heading = language.say("Over all tasks", "모든 과제의 평균");
    let text = language.say(
        "Means of all tasks, each brought to the range from 0 to 1; only metrics that take part in all of them.",
        "과제마다 값을 0에서 1 사이로 옮겨 평균했다. 모든 과제에 있는 척도만 견준다.",
    );
    let columns = match language {
        Language::English => ["rank", "metric", "mean", "mean rank"],
        Language::Korean => ["순위", "척도", "평균", "평균 순위"],
    };
    let mut table = Table::new("averages", heading, columns);
    for metric in &averages.metrics {
        table.row([
            Entry::count(metric.rank),
            Entry::text(&metric.metric),
            Entry::number(metric.value, 4),
            Entry::number(metric.mean_rank, 2),
        ]);
    }
    let names: Vec<&str> = averages.metrics.iter().map(|metric| metric.metric.as_str()).collect();
    let figure = p_values("averages", &names, &averages.p_values, language);
    Section::new(heading).text(text).table(table).figures(figure)
}

/// p-values of every better metric (row) against every worse one (column); a ring marks what is significant.
fn p_values(
    key: &str,
    names: &[&str],
    p_values: &[Vec<f64>],
    language: Language,
) -> Option<super::Figure> {
    let title = language.say(
        "p-values: is the row really better than the column?",
        "p값: 행의 척도가 열의 척도보다 정말 나은가?",
    );
    let name = slug(&format!("p-values-{key}"));
    let mut map = HeatMap::new(name, title, names.iter().copied(), names.iter().copied());
    let mut any = false;
    for (row, values) in p_values.iter().enumerate() {
        for (between, p) in values.iter().enumerate() {
            any = true;
            map.cell(row, row + 1 + between, HeatCell::new(*p).best(*p <= SIGNIFICANT));
        }
    }
    any.then(|| map.draw()).flatten()
}
