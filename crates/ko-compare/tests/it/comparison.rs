//! Systems side by side: what fits together, who wins where, and what is kept of it.

use ko_compare::{
    ComparisonPage, Error, Findings, Grouping, Lineup, Speech, Trial,
    history::{Date, History, Run, RunName, Trends, chart, page},
};
use ko_eval_core::{
    BuildMetric, Error as CoreError, Keep, Library, Measurement, MetricEntry, OwnedSegment, Panel,
};
use ko_ngram_metrics::{Chrf, METRICS};
use ko_register::RegisterAnalyzer;
use ko_tokenize::Character;
use std::{fs, sync::Arc};

const REFERENCE: &str = "선생님께서 어제 학교에 오셨습니다.";
const LIBRARY: Library =
    Library { metrics: METRICS, unit: ko_tokenize::by_name, unit_row: ko_tokenize::declared };

/// Segments whose outputs are the reference, but for every n-th.
fn outputs(segments: usize, wrong: usize, text: &str) -> Vec<OwnedSegment> {
    let output = |n: usize| {
        if (n + 1).is_multiple_of(wrong) { text.to_owned() } else { format!("{n} {REFERENCE}") }
    };
    (0..segments)
        .map(|n| OwnedSegment::new(output(n), [format!("{n} {REFERENCE}")]).unwrap())
        .collect()
}

fn panel() -> Panel {
    let mut panel = Panel::default();
    panel.push("chrf", Some("char"), Box::new(Chrf::new(Arc::new(Character::new()))));
    panel
}

fn measure<'p>(
    panel: &'p Panel,
    systems: &[(&str, Vec<OwnedSegment>)],
) -> Vec<Vec<Box<dyn Measurement + 'p>>> {
    let of = |(_, segments): &(&str, Vec<OwnedSegment>)| {
        let segments: Vec<_> = segments.iter().map(OwnedSegment::as_segment).collect();
        panel.measure(&segments, Keep::Segments).unwrap()
    };
    systems.iter().map(of).collect()
}

#[test]
fn what_does_not_fit_together_is_said() {
    let good = || outputs(4, 2, "비");
    let message =
        |systems: Vec<(&str, Vec<OwnedSegment>)>| Lineup::new(systems).unwrap_err().to_string();
    assert!(message(vec![]).starts_with("0 systems"));
    assert!(message((0..11).map(|_| ("하나", good())).collect()).starts_with("11 systems"));
    assert!(message(vec![("하나", good()), ("하나", good())]).contains("`하나` is given twice"));
    assert!(message(vec![("하나", good()), (" ", good())]).contains("system 2 has no name"));
    assert!(message(vec![("하나", good()), ("둘", vec![])]).contains("`둘` has no segments"));
    let short = outputs(3, 2, "비");
    let said = message(vec![("하나", good()), ("둘", short)]);
    assert_eq!(said, "`하나` has 4 segments, but `둘` has 3");
    let mut other = good();
    other[2] = OwnedSegment::new("비", ["다른 참조"]).unwrap();
    assert!(message(vec![("하나", good()), ("둘", other)]).contains("segment 3 of `둘`"));

    let alone = Lineup::new([("하나", good())]).unwrap();
    let panel = panel();
    let measured = measure(&panel, &[("하나", good())]);
    let trial = Trial::bootstrap(10, 1).unwrap();
    let findings = Findings::against_baseline(panel.rows(), &measured, &trial).unwrap();
    assert!(matches!(ComparisonPage::new(&alone, &findings), Err(Error::Systems { count: 1, .. })));
    let many: Vec<String> = (0..50).map(|n| n.to_string()).collect();
    assert!(
        Grouping::by_column("수", &many).unwrap_err().to_string().contains("50 different values")
    );
}

#[test]
fn buckets_are_compared_by_themselves() {
    // Equal but for the second half, where the second system is always wrong.
    let second: Vec<OwnedSegment> = (0..60)
        .map(|n| {
            let text = format!("{n} {REFERENCE}");
            let output = if n < 30 { text.clone() } else { "학교에 갔어.".to_owned() };
            OwnedSegment::new(output, [text]).unwrap()
        })
        .collect();
    let systems = [("하나", outputs(60, 1000, "비")), ("둘", second)];
    let panel = panel();
    let measured = measure(&panel, &systems);
    let lineup = Lineup::new(systems.clone()).unwrap();
    let halves: Vec<String> =
        (0..60).map(|n| (if n < 30 { "앞" } else { "뒤" }).to_owned()).collect();
    let speech = Speech::analyze(&lineup, &RegisterAnalyzer::without_dictionary()).unwrap();
    let groupings = [
        Grouping::by_column("반", &halves).unwrap(),
        Grouping::by_numbers(&lineup),
        Grouping::by_length(&lineup),
        Grouping::by_register(&speech),
    ];
    for trial in [Trial::bootstrap(200, 1).unwrap(), Trial::randomization(200, 1).unwrap()] {
        let findings = Findings::new(panel.rows(), &measured, &groupings, &trial).unwrap();
        let [back, front] = &findings.groupings[0].buckets[..] else { panic!("two halves") };
        assert_eq!((back.label.as_str(), front.label.as_str()), ("뒤", "앞"));
        assert_eq!(back.metrics[0].best, 0);
        assert!(back.metrics[0].over_next.unwrap().p_value < 0.05);
        assert_eq!(front.metrics[0].over_next.unwrap().p_value, 1.0);
        // A bucket's score is that of its segments alone.
        let own: Vec<_> = systems[1].1[30..].iter().map(OwnedSegment::as_segment).collect();
        let expected = panel.measure(&own, Keep::Total).unwrap()[0].corpus_score().unwrap();
        assert_eq!(back.metrics[0].scores[1].score, expected.score.value);
        for grouping in &findings.groupings {
            let all: usize = grouping.buckets.iter().map(|bucket| bucket.segments).sum();
            assert_eq!(all, 60, "{}", grouping.name);
        }
        assert_eq!(findings.metrics[0].segments[1].len(), 60);
    }
    // 께서 is gone and 습니다 is 어: the second half slips.
    assert_eq!(speech.slips()[1][0], 0.0);
    assert!(speech.slips()[1][40] > 50.0);
}

/// A run of one system of which every `wrong`-th output is wrong.
fn keep(folder: &std::path::Path, name: &str, date: &str, segments: usize, wrong: usize) {
    let systems = [("하나", outputs(segments, wrong, "전혀 다른 말"))];
    let panel = panel();
    let measured = measure(&panel, &systems);
    let lineup = Lineup::new(systems).unwrap();
    let trial = Trial::bootstrap(200, 1).unwrap();
    let findings = Findings::against_baseline(panel.rows(), &measured, &trial).unwrap();
    let (name, date): (RunName, Date) = (name.parse().unwrap(), date.parse().unwrap());
    let run = Run::new(name, date, &lineup, &findings, &measured).unwrap();
    History::save(folder, &run).unwrap();
}

fn trends<'t>(against: Option<&'t str>) -> Trends<'t> {
    Trends { library: LIBRARY, metric: None, system: None, against, samples: 200, seed: 1 }
}

#[test]
fn a_drop_is_noticed_and_a_wobble_is_not() {
    let folder = tempfile::tempdir().unwrap();
    // In another order than their dates.
    keep(folder.path(), "다", "2026-03-01", 80, 8);
    keep(folder.path(), "가", "2026-01-01", 80, 8);
    keep(folder.path(), "나", "2026-02-01", 80, 9);
    let history = History::open(folder.path()).unwrap();
    let names: Vec<String> = history.runs().iter().map(|run| run.name.to_string()).collect();
    assert_eq!(names, ["가", "나", "다"]);
    let found = trends(None).of(&history).unwrap();
    let change = found[0].change.as_ref().unwrap();
    assert!(change.paired && change.worse && !change.is_drop(0.05), "{change:?}");
    let same = trends(Some("가")).of(&history).unwrap();
    assert_eq!(same[0].change.as_ref().unwrap().p_value, 1.0, "the first run was as good");

    keep(folder.path(), "라", "2026-04-01", 80, 2);
    let history = History::open(folder.path()).unwrap();
    let found = trends(None).of(&history).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].points.len(), 4);
    let change = found[0].change.as_ref().unwrap();
    assert!(change.paired && change.is_drop(0.05) && change.difference < 0.0, "{change:?}");

    // Another test set: other segments are no pairs, and so great a drop is seen all the same.
    keep(folder.path(), "마", "2026-05-01", 60, 1);
    let history = History::open(folder.path()).unwrap();
    let found = trends(Some("가")).of(&history).unwrap();
    let change = found[0].change.as_ref().unwrap();
    assert!(!change.paired && change.is_drop(0.05), "{change:?}");
    let said = trends(Some("바")).of(&history).unwrap_err().to_string();
    assert!(said.contains("`바`") && said.contains("가, 나, 다, 라, 마"), "{said}");

    let drawn = chart(&found.iter().collect::<Vec<_>>());
    assert!(
        drawn.starts_with("<svg")
            && drawn.matches("<circle").count() == 6
            && !drawn.contains("var("),
        "{drawn}"
    );
    assert!(
        page("<b>", &found, 0.05).contains("class=\"n drop\"")
            && !page("<b>", &found, 0.05).contains("<b>")
    );
}

#[test]
fn a_run_is_kept_once_and_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    keep(folder.path(), "v1", "2026-01-01", 20, 4);
    let name: RunName = "v1".parse().unwrap();
    assert!(matches!(History::check_new(folder.path(), &name), Err(Error::RunExists { .. })));
    let path = folder.path().join("v1.run.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    assert!(!whole.contains("학교"), "no text is kept");

    let refused = |text: &str, word: &str| {
        fs::write(&path, text).unwrap();
        let said = History::open(folder.path()).unwrap_err().to_string();
        assert!(said.contains("v1.run.jsonl") && said.contains(word), "{said}");
    };
    refused(&whole.replacen("2026-01-01", "2026-01-02", 1), "checksum");
    refused(&whole[..whole.len() / 2], "checksum");
    refused("", "no run");
    refused("{}\n{}", "no run");
    refused(&whole.replacen("\"ko-eval-run\":1", "\"ko-eval-run\":9", 1), "version 9");
    fs::rename(&path, folder.path().join("v2.run.jsonl")).unwrap();
    fs::write(folder.path().join("v2.run.jsonl"), &whole).unwrap();
    let said = History::open(folder.path()).unwrap_err().to_string();
    assert!(said.contains("holds the run `v1`"), "{said}");
}

#[test]
fn scores_that_came_about_differently_are_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    for (name, form) in [
        ("a", ko_tokenize::character::By::CodePoint),
        ("b", ko_tokenize::character::By::GraphemeCluster),
    ] {
        let systems = [("하나", outputs(10, 3, "비"))];
        let mut panel = Panel::default();
        let units = Arc::new(Character::new().by(form));
        panel.push("chrf", Some("char"), Box::new(Chrf::new(units)));
        let measured = measure(&panel, &systems);
        let lineup = Lineup::new(systems).unwrap();
        let trial = Trial::bootstrap(10, 1).unwrap();
        let findings = Findings::against_baseline(panel.rows(), &measured, &trial).unwrap();
        let date = format!("2026-01-0{}", if name == "a" { 1 } else { 2 }).parse().unwrap();
        let run = Run::new(name.parse().unwrap(), date, &lineup, &findings, &measured).unwrap();
        History::save(folder.path(), &run).unwrap();
    }
    let history = History::open(folder.path()).unwrap();
    let said = trends(None).of(&history).unwrap_err().to_string();
    assert!(
        said.contains("chrf on char") && said.contains("`a` and `b`") && said.contains("`tok` is"),
        "{said}"
    );
}

#[test]
fn a_run_starts_and_opens_nothing_that_it_names() {
    /// A table whose metrics can be rebuilt, but whose units must never be asked for.
    const SEALED: Library = Library {
        metrics: METRICS,
        unit: |name| {
            Err(CoreError::Missing { what: name.to_owned(), how_to_get_it: "never".into() })
        },
        unit_row: |_| None,
    };
    assert!(METRICS.iter().any(|row: &MetricEntry| matches!(row.build, BuildMetric::OverUnits(_))));
    let folder = tempfile::tempdir().unwrap();
    keep(folder.path(), "a", "2026-01-01", 20, 4);
    keep(folder.path(), "b", "2026-01-02", 20, 3);
    let history = History::open(folder.path()).unwrap();
    let sealed = Trends { library: SEALED, ..trends(None) };
    assert!(sealed.of(&history).unwrap()[0].change.is_some());
}
