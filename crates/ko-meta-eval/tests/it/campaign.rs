//! Judges, missing judgements, ranks and swaps, from a plan's files to the report.

use crate::overlap::Overlap;
use ko_eval_core::Direction;
use ko_meta_eval::{
    AgreementReport, Correlation, Experiment, Findings, MetricRow, Plan, Unit,
    experiment::{Level, Swap, TOTAL},
    judgement::Reason,
};
use std::fs;

const PLAN: &str = "
    references = ['ref.txt']
    human = 'human.tsv'
    quotes = 'straight'
    cleanup = { drop-first = 1, scale = 'per-judge', outliers = 'keep' }
    systems = [{ name = '갑', output = 'a.txt' }, { name = '을', output = 'b.txt' }, { name = '병', output = 'c.txt' }]
";

/// 민수 is strict and 영희 is not; both begin with a rating that means nothing; 철수 always says 3. The last segment of 을 was judged by
/// nobody who counts.
const HUMAN: &str = "system\tsegment\tjudge\t품질\n\
    갑\t1\t민수\t99\n갑\t1\t민수\t40\n갑\t2\t민수\t30\n갑\t3\t민수\t40\n을\t1\t민수\t20\n을\t2\t민수\t20\n병\t1\t민수\t10\n\
    갑\t1\t영희\t0\n갑\t1\t영희\t100\n을\t1\t영희\t90\n병\t1\t영희\t70\n병\t2\t영희\t60\n병\t3\t영희\t60\n\
    갑\t1\t철수\t3\n을\t3\t철수\t3\n병\t3\t철수\t3\n";

fn findings() -> Findings {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("ref.txt", "“비가” 온다\n눈이 온다\n해가 뜬다\n");
    write("a.txt", "\"비가\" 온다\n눈은 온다\n해가 뜬다\n");
    write("b.txt", "비가 간다\n눈이 간다\n해가 뜬다\n");
    write("c.txt", "바람이 분다\n눈이 온다\n해가 뜬다\n");
    write("human.tsv", HUMAN);
    let judged = toml::from_str::<Plan>(PLAN).unwrap().relative_to(folder.path()).judged().unwrap();
    let unit = |name: &str| Unit::by_name(name, ko_tokenize::by_name).unwrap();
    Experiment::new(&judged)
        .metric(MetricRow::new("겹침", |units| {
            Ok(Box::new(Overlap { units, order: 1, direction: Direction::HigherIsBetter }))
        }))
        .units([unit("word"), unit("char").family("글자"), unit("jamo").family("글자")])
        .run()
        .unwrap()
}

#[test]
fn ratings_become_scores_and_nothing_vanishes() {
    let findings = findings();
    let judging = findings.judging.as_ref().unwrap();
    assert_eq!((judging.ratings, judging.judges), (16, Some(3)));
    // The first of each judge, and the other two of the one who says the same each time.
    assert_eq!(
        [Reason::WarmUp, Reason::NoSpread, Reason::Outlier].map(|r| judging.count(r)),
        [3, 2, 0]
    );
    assert_eq!(judging.systems[1].raw, [Some((55.0 + 20.0) / 2.0)]);
    assert!(judging.systems[0].z[0] > judging.systems[1].z[0]);
    assert_eq!(findings.systems[1].segments[0][2], None, "nobody who counts judged it");
    assert_eq!(findings.ranks_by_people(), [Some(1), Some(2), Some(3)]);

    let cell = findings.cell("겹침", "word").unwrap();
    assert_eq!(cell.signature.get("quotes"), Some("straight"));
    assert_eq!(cell.scores.segments[0][0], 1.0, "quotation marks are alike");
    // Eight outputs have a score; the metric scored all nine.
    let human: Vec<f64> =
        findings.systems.iter().flat_map(|s| s.segments[0].clone()).flatten().collect();
    let metric: Vec<f64> =
        (0..9).filter(|i| *i != 5).map(|i| cell.scores.segments[i / 3][i % 3]).collect();
    let direct = Correlation::Pearson.of(&human, &metric).unwrap();
    let found = cell.value(Level::Segment, TOTAL, Correlation::Pearson).unwrap();
    assert_eq!(found.get(), Some(direct.value));
}

#[test]
fn swaps_and_families_are_named() {
    let findings = findings();
    let ranking = &findings.rankings()[0];
    assert_eq!((ranking.metric.as_str(), ranking.unit.as_deref()), ("겹침", Some("word")));
    assert_eq!(ranking.ranks, [1, 3, 2]);
    assert_eq!(ranking.swaps, [Swap { people: "을".into(), metric: "병".into() }]);

    let means = findings.by_family(Level::Segment, Correlation::Pearson);
    assert_eq!(
        means.iter().map(|m| (m.family.as_str(), m.units)).collect::<Vec<_>>(),
        [("word", 1), ("글자", 2)]
    );
    let of = |unit: &str| {
        let cell = findings.cell("겹침", unit).unwrap();
        cell.value(Level::Segment, TOTAL, Correlation::Pearson).unwrap().get().unwrap()
    };
    assert!((means[1].value - f64::midpoint(of("char"), of("jamo"))).abs() < 1e-12);

    let report = AgreementReport::new(&findings);
    let text = report.markdown();
    for words in [
        "What judges gave the systems",
        "Ratings that were dropped",
        "Ranks by people and by metrics",
        "mean z",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(text.contains("8 judged outputs: 3 systems × 3 segments"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let written = report.write(folder.path()).unwrap();
    for name in ["tables/rankings.csv", "tables/families.csv", "tables/dropped.csv"] {
        assert!(written.iter().any(|path| path.ends_with(name)), "{name}");
    }
    let dropped = fs::read_to_string(folder.path().join("tables/dropped.csv")).unwrap();
    assert!(dropped.contains("품질,철수,the judge's ratings do not vary,2"), "{dropped}");
    let unit = &findings.units[2].cost;
    assert!(
        unit.output_tokens > 0 && unit.timed == unit.texts && unit.seconds_per_thousand() > 0.0
    );
    assert!(findings.cells.iter().all(|cell| cell.scores.timed == 9));
}
