//! The experiment and its report from end to end, with real tokenizers and a small metric.

use crate::overlap::Overlap;
use ko_eval_core::{
    Direction, MeanStats, Metric, Needs, OwnedSegment, Result, Score, Scorer, Segment, Signature,
    Signed, significance::Bootstrap,
};
use ko_eval_io::Progress;
use ko_meta_eval::{
    AgreementReport, Correlation, Error, Experiment, Findings, Judged, MetricRow, Unit,
    experiment::{Level, TOTAL, Value},
    selection::rank,
};
use std::{path::Path, sync::Mutex};

fn row(order: usize) -> MetricRow {
    let build = move |units| -> Result<Box<dyn ko_eval_core::Scorer>> {
        Ok(Box::new(Overlap { units, order, direction: Direction::HigherIsBetter }))
    };
    MetricRow::new(format!("겹침-{order}"), build).order("겹침", order)
}

fn lack() -> MetricRow {
    MetricRow::new("<결핍> & \"비율\"", |units| {
        Ok(Box::new(Overlap { units, order: 1, direction: Direction::LowerIsBetter }))
    })
}

fn judged() -> Judged {
    let references = [
        "아이가 공원에서 자전거를 탄다.",
        "할머니가 시장에서 사과를 산다.",
        "학생들이 도서관에서 책을 읽는다.",
        "강아지가 마당에서 공을 쫓는다.",
        "어머니가 부엌에서 국을 끓인다.",
    ];
    let outputs = [
        (
            "좋음",
            [
                "아이가 공원에서 자전거를 탄다.",
                "할머니가 시장에서 사과를 산다.",
                "학생들이 도서관에서 책을 본다.",
                "강아지가 마당에서 공을 쫓는다.",
                "어머니가 부엌에서 국을 끓였다.",
            ],
            [2.0, 2.0, 1.7, 2.0, 1.3],
            [2.0, 2.0, 2.0, 1.7, 2.0],
        ),
        (
            "보통",
            [
                "아이는 공원에 자전거 탄다.",
                "할머니가 사과를 시장에 산다.",
                "학생이 책을 도서관에 읽는다.",
                "강아지는 공을 쫓아 마당.",
                "부엌에서 국이 끓는다.",
            ],
            [1.0, 1.3, 1.0, 0.7, 2.0],
            [1.7, 1.0, 1.3, 1.3, 1.0],
        ),
        (
            "나쁨",
            ["공원 아이.", "사과가 할머니를 산다.", "책 책 책.", "", "국이 부엌을 끓인다."],
            [0.3, 1.3, 0.0, 0.0, 1.0],
            [0.3, 0.0, 0.0, 0.0, 0.0],
        ),
    ];
    let mut judged = Judged::new(["문법", "상식"]).unwrap();
    for (name, texts, grammar, sense) in outputs {
        let segments: Vec<_> = texts
            .iter()
            .zip(references)
            .map(|(t, r)| OwnedSegment::new(*t, [r]).unwrap())
            .collect();
        judged.push(name, segments, vec![grammar.to_vec(), sense.to_vec()]).unwrap();
    }
    judged
}

fn units() -> Vec<Unit> {
    ["word", "char", "jamo"].map(|name| Unit::by_name(name, ko_tokenize::by_name).unwrap()).to_vec()
}

fn experiment(judged: &Judged) -> Experiment<'_> {
    Experiment::new(judged)
        .metrics([row(1), row(2), row(3), lack().skip("jamo")])
        .units(units())
        .bootstrap(Bootstrap::new(200, 1).unwrap())
}

/// Keeps what it is told: how many steps there are, how many were taken, and which of them took work.
#[derive(Default)]
struct Log(Mutex<(u64, u64, Vec<String>)>);

impl Progress for Log {
    fn begin(&self, _: &str, steps: Option<u64>) {
        self.0.lock().unwrap().0 = steps.unwrap();
    }

    fn advance(&self, by: u64) {
        self.0.lock().unwrap().1 += by;
    }

    fn note(&self, what: &str) {
        self.0.lock().unwrap().2.push(what.to_owned());
    }
}

/// Without what no two runs share.
fn timeless(mut findings: Findings) -> Findings {
    findings.units.iter_mut().for_each(|unit| unit.cost.seconds = 0.0);
    findings.cells.iter_mut().for_each(|cell| {
        (cell.scores.seconds, cell.scores.timed_seconds) = (0.0, 0.0);
    });
    findings
}

#[test]
fn every_cell_is_found_and_agrees() {
    let judged = judged();
    let findings = experiment(&judged).run().unwrap();
    assert_eq!(findings.cells.len(), 3 * 4 - 1);
    assert_eq!(findings.targets, [TOTAL, "문법", "상식"]);
    assert!(findings.cell("<결핍> & \"비율\"", "jamo").is_none(), "skipped");
    let r = |metric: &str, level| {
        let cell = findings.cell(metric, "char").unwrap();
        cell.value(level, TOTAL, Correlation::Pearson).unwrap().get().unwrap()
    };
    // 100·(1 − share) of an error rate, negated, is as good as the share itself.
    assert!((r("겹침-1", Level::Segment) - r("<결핍> & \"비율\"", Level::Segment)).abs() < 1e-12);
    assert!(r("겹침-2", Level::Segment) > 0.7 && r("겹침-2", Level::System) > 0.9);
    // By hand: the pooled coefficient of the raw scores with the sums of the criteria.
    let cell = findings.cell("겹침-2", "word").unwrap();
    let human: Vec<f64> = judged.scores(TOTAL).concat().into_iter().flatten().collect();
    let direct = Correlation::Spearman.of(&human, &cell.scores.segments.concat()).unwrap();
    let Some(Value::Defined { value, p_value, interval: Some(interval) }) =
        cell.value(Level::Segment, TOTAL, Correlation::Spearman)
    else {
        panic!("{cell:?}")
    };
    assert_eq!((*value, *p_value), (direct.value, Some(direct.p_value)));
    assert!(interval.low < *value && *value < interval.high);
    let best = findings.best_orders(Level::Segment, Correlation::Pearson);
    assert_eq!(best.len(), 3);
    let jamo = findings.units.last().unwrap();
    assert!(jamo.cost.tokens_per_word() > 4.0 && findings.units[0].cost.tokens_per_word() == 1.0);
}

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    let judged = judged();
    let folder = tempfile::tempdir().unwrap();
    let whole = timeless(experiment(&judged).run().unwrap());
    // The first run gets no further than a metric that fails.
    let broken = MetricRow::new("broken", |_| Err(ko_eval_core::Error::EmptyCorpus));
    let stopped = experiment(&judged).metric(broken).folder(folder.path()).run();
    assert!(
        matches!(stopped, Err(Error::Cell { metric, unit, .. }) if metric == "broken" && unit.as_deref() == Some("word"))
    );
    let log = Log::default();
    let resumed = experiment(&judged).folder(folder.path()).progress(&log).run().unwrap();
    let (steps, taken, worked_on) = log.0.into_inner().unwrap();
    // Every unit looks at every distinct text, every cell at every output.
    let all = (3 * judged.texts().len() + 11 * 15) as u64;
    assert_eq!((steps, taken), (all, all));
    // One unit and its four metrics lay there finished.
    assert_eq!(worked_on.len(), 3 + 11 - (1 + 4), "{worked_on:?}");
    assert!(worked_on.iter().any(|what| what == "cutting by jamo"));
    assert!(worked_on.iter().all(|what| !what.ends_with("on word")), "{worked_on:?}");
    assert_eq!(timeless(resumed), whole);
    // A torn file is as good as none.
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&file, "{\"format\":1,").unwrap();
    assert_eq!(timeless(experiment(&judged).folder(folder.path()).run().unwrap()), whole);
    // Other texts are other work.
    let mut fewer = Judged::new(["문법"]).unwrap();
    fewer.push("하나", [OwnedSegment::new("가", ["가"]).unwrap()], vec![vec![1.0]]).unwrap();
    let log = Log::default();
    let one = experiment(&fewer).folder(folder.path()).progress(&log).run().unwrap();
    assert_eq!(log.0.into_inner().unwrap().2.len(), 3 + 11, "all of it is new");
    let value = one.cells[0].value(Level::Segment, TOTAL, Correlation::Pearson).unwrap();
    assert!(matches!(value, Value::Undefined { .. }), "one segment correlates with nothing");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let judged = judged();
    assert!(Experiment::new(&judged).units(units()).run().is_err(), "no metric");
    assert!(Experiment::new(&judged).metric(row(1)).run().is_err(), "no unit");
    assert!(experiment(&judged).metric(row(1)).run().is_err(), "a name twice");
    assert!(experiment(&judged).correlations([]).run().is_err(), "no coefficient");
    assert!(Judged::new(["문법", "문법"]).is_err() && Judged::new([TOTAL]).is_err());
    let mut judged = Judged::new(["문법"]).unwrap();
    let segment = || [OwnedSegment::new("가", ["가"]).unwrap()];
    assert!(judged.push("갑", segment(), vec![vec![f64::NAN]]).is_err());
    assert!(judged.push("갑", segment(), vec![vec![1.0, 2.0]]).is_err());
    assert!(judged.push("갑", segment(), Vec::<Vec<f64>>::new()).is_err());
    assert!(experiment(&judged).run().is_err(), "no system");
}

#[test]
fn the_report_is_whole_and_safe() {
    let judged = judged();
    let findings = experiment(&judged).run().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let report = AgreementReport::new(&findings).title("<script>alert(1)</script>");
    let files = report.write(&folder.path().join("보고서")).unwrap();
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let html = read(&files[0]);
    assert_eq!(html.matches("<script").count(), 1, "only our own");
    assert!(html.contains("&lt;결핍&gt; &amp; &quot;비율&quot;") && !html.contains("<결핍>"));
    for elsewhere in ["src=", "@import", "url("] {
        assert!(!html.contains(elsewhere), "{elsewhere}");
    }
    // Every cell leads to the segments behind it, every figure to its files; nothing leads elsewhere.
    let links: Vec<&str> = html.split("href=\"").skip(1).collect();
    let behind = links.iter().filter(|link| link.starts_with("segments.html#cell=")).count();
    assert!(behind >= 2 * findings.cells.len(), "{behind} links");
    for link in &links {
        let link = link.split(['"', '#']).next().unwrap();
        assert!(link.is_empty() || folder.path().join("보고서").join(link).exists(), "{link}");
    }
    let page = |files: &[std::path::PathBuf]| {
        read(files.iter().find(|path| path.ends_with("segments.html")).unwrap())
    };
    assert!(page(&files).contains("\"texts\":null"));
    let texts = report.clone().judged(&judged).write(&folder.path().join("글")).unwrap();
    let behind = page(&texts);
    assert!(behind.contains(judged.texts()[0]) && behind.matches("<script").count() == 2);
    for path in &files {
        let text = read(path);
        assert!(!text.contains("NaN") && !text.contains("inf,"), "{}", path.display());
        if path.extension().is_some_and(|e| e == "svg") {
            assert!(text.starts_with("<svg xmlns=") && text.ends_with("</svg>\n"));
            assert!(!text.contains("var(--") && !text.contains("class="), "{}", path.display());
            assert!(read(&path.with_extension("csv")).lines().count() > 1, "{}", path.display());
        }
    }
    let names: Vec<_> = files.iter().map(|f| f.file_name().unwrap().to_str().unwrap()).collect();
    for name in [
        "segment-pearson.svg",
        "system-kendall-tau-b.svg",
        "intervals-pearson.svg",
        "criteria-spearman.svg",
        "orders-겹침-pearson.svg",
        "units.svg",
    ] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    let back: Findings = serde_json::from_slice(&report.json().unwrap()).unwrap();
    assert_eq!(back, findings);
    let segments = String::from_utf8(report.segments_csv().unwrap()).unwrap();
    assert_eq!(segments.lines().count(), 1 + 15);
    let rows = String::from_utf8(report.agreement_csv().unwrap()).unwrap().lines().count();
    assert_eq!(rows, 1 + 11 * 3 * 3 * 3);
}

/// How much of the source's length an output has.
#[derive(Debug)]
struct Shortening;

impl Signed for Shortening {
    fn signature(&self) -> Signature {
        Signature::new("shortening")
    }
}

impl Metric for Shortening {
    type Stats = MeanStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn needs(&self) -> Needs {
        Needs { references: false, source: true }
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<MeanStats> {
        let length = |text: &str| text.chars().count() as f64;
        MeanStats::of(length(segment.hypothesis()) / segment.source().map_or(1.0, length).max(1.0))
    }

    fn score(&self, stats: &MeanStats) -> Score {
        stats.score()
    }
}

/// The same data with sources.
fn with_sources() -> Judged {
    let judged = judged();
    let mut sourced = Judged::new(judged.criteria().to_vec()).unwrap();
    for system in judged.systems() {
        let source = |segment: &OwnedSegment| {
            let reference = segment.as_segment().references()[0].repeat(3);
            segment.clone().with_source(reference)
        };
        let segments: Vec<_> = system.segments.iter().map(source).collect();
        sourced.push(&system.name, segments, system.human.clone()).unwrap();
    }
    sourced
}

#[test]
fn a_metric_that_stands_alone_is_run_once() {
    let alone = || MetricRow::alone("길이", || Ok(Box::new(Shortening)));
    // What it needs is looked for before anything is cut.
    let (bare, log) = (judged(), Log::default());
    let error = experiment(&bare).metric(alone()).progress(&log).run().unwrap_err();
    assert_eq!(error.to_string(), "길이: shortening needs a source, and segment 1 has none");
    assert!(log.0.into_inner().unwrap().2.is_empty(), "nothing was begun");

    let judged = with_sources();
    assert_ne!(judged.checksum(), bare.checksum(), "sources are texts, too");
    let findings = experiment(&judged).metric(alone()).run().unwrap();
    assert_eq!(findings.cells.len(), 3 * 4 - 1 + 1);
    assert_eq!(findings.columns(), [Some("word"), Some("char"), Some("jamo"), None]);
    let cell = findings.cell("길이", None).unwrap();
    assert_eq!((cell.title().as_str(), cell.unit_name()), ("길이", "–"));
    assert!(cell.value(Level::Segment, TOTAL, Correlation::Pearson).unwrap().get().is_some());
    let report = AgreementReport::new(&findings);
    let csv = String::from_utf8(report.agreement_csv().unwrap()).unwrap();
    assert_eq!(csv.lines().filter(|line| line.starts_with("길이,–,")).count(), 3 * 3 * 3);
    let segments = String::from_utf8(report.segments_csv().unwrap()).unwrap();
    assert!(segments.lines().next().unwrap().ends_with(",길이"), "a column without a unit");
    assert!(report.markdown().contains("| 길이 | – |"), "{}", report.markdown());
    assert!(report.html().contains("4 metrics × 3 units, 1 metrics without units"));
    let back: Findings = serde_json::from_slice(&report.json().unwrap()).unwrap();
    assert_eq!(back, findings);

    // Alone it needs no unit at all.
    let only = Experiment::new(&judged).metric(alone()).run().unwrap();
    assert_eq!((only.cells.len(), only.units.len()), (1, 0));
    let folder = tempfile::tempdir().unwrap();
    let names = AgreementReport::new(&only).write(folder.path()).unwrap();
    assert!(names.iter().any(|path| path.ends_with("segment-pearson.svg")));
    assert!(!names.iter().any(|path| path.ends_with("units.svg")));
}

#[test]
fn the_scorer_that_people_agree_with_comes_first() {
    let judged = judged();
    let system = &judged.systems()[1];
    let segments: Vec<Segment<'_>> = system.segments.iter().map(|s| s.as_segment()).collect();
    let scorer = |unit: &str| -> Result<Box<dyn Scorer>> {
        let units = ko_tokenize::by_name(unit)?;
        Ok(Box::new(Overlap { units, order: 2, direction: Direction::HigherIsBetter }))
    };
    let candidates = || ["word", "char", "jamo"].map(|unit| (unit, scorer(unit)));
    // People who think as the metric does over characters.
    let scores = scorer("char").unwrap().segment_scores(&segments).unwrap();
    let human: Vec<f64> = scores.iter().map(|score| 2.0 * score.value + 1.0).collect();
    let ranked = rank(candidates(), &segments, &human).unwrap();
    assert_eq!(ranked[0].candidate, "char");
    assert!((ranked[0].pearson.unwrap() - 1.0).abs() < 1e-12);
    // A straight line is one in every resample; other units scatter around it.
    let spread = |place: usize| ranked[place].interval.clone().unwrap().interval;
    assert!((spread(0).low - 1.0).abs() < 1e-12 && (spread(0).high - 1.0).abs() < 1e-12);
    let (jamo, r) = (spread(1), ranked[1].pearson.unwrap());
    assert!(jamo.low < r && r < 1.0 && (jamo.score - r).abs() < 1e-12, "{jamo:?}");
    // No bigram of words is held: nothing varies, and that comes last.
    assert_eq!((ranked[2].candidate, ranked[2].pearson), ("word", None));
    assert_eq!(ranked[2].interval, None);
    assert!(rank(candidates(), &segments, &human[1..]).is_err());
}
