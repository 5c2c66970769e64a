//! Runs that were kept, damaged: an error that names the file. With a checksum that fits what was changed: an error, or trends whose
//! figures are numbers; nothing that a run names is opened.
#![no_main]

use ko_compare::history::{History, Run, SavedScore, SavedSystem, Trends};
use ko_eval_core::{Fingerprint, Scorer, Segment, significance::Bootstrap};
use ko_eval_fuzz::{Folder, damaged};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);

fn score(spec: &str, segments: &[Segment<'_>]) -> SavedScore {
    let metric = ko_eval::metric(spec, "char").expect("a row of the table");
    let measured = metric.measure(&segments).expect("short texts");
    let bootstrap = Bootstrap::new(10, 1).expect("enough resamples");
    SavedScore {
        metric: spec.to_owned(),
        unit: Some("char".into()),
        direction: metric.direction(),
        signature: measured.corpus_score().expect("some segments").signature,
        interval: measured.interval(&bootstrap).expect("some segments"),
        statistics: measured.statistics().expect("a metric that merges"),
    }
}

/// Two runs; the later one is what gets damaged.
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let run = |name: &str, date: &str, hypotheses: [&str; 3]| {
        let references = ["비가 온다", "눈이 온다", "바람이 분다"];
        let pairs = hypotheses.into_iter().zip(references);
        let segments: Vec<_> =
            pairs.map(|(hyp, one)| Segment::new(hyp, [one]).expect("a reference")).collect();
        let scores = ["bleu", "chrf", "ter"].map(|spec| score(spec, &segments)).to_vec();
        Run {
            name: name.parse().expect("a name"),
            date: date.parse().expect("a day"),
            segments: references.map(str::to_owned).to_vec(),
            systems: vec![SavedSystem { name: "갑".into(), scores }],
        }
    };
    let first = run("하나", "2026-11-16", ["비가 온다", "눈 온다", "바람"]);
    History::save(FOLDER.path(), &first).expect("a folder of our own");
    let second = run("둘", "2026-11-17", ["비 온다", "눈이 온다", "바람이 불었다"]);
    vec![serde_json::to_vec(&second).expect("a run")]
});

fuzz_target!(|data: &[u8]| {
    let Some((choice, data)) = data.split_first() else { return };
    let seeds = &*SEEDS;
    let body = damaged(data, seeds);
    // The checksum of the run as it was, or as it is.
    let sealed = if choice.is_multiple_of(4) { &seeds[0] } else { &body };
    let sha256 = Fingerprint::new().bytes(sealed).hex();
    let head = format!("{{\"ko-eval-run\":1,\"sha256\":\"{sha256}\"}}\n");
    FOLDER.write("둘.run.jsonl", &[head.as_bytes(), &body, b"\n"].concat());
    let history = match History::open(FOLDER.path()) {
        Ok(history) => history,
        Err(error) => return assert!(error.to_string().contains("둘.run.jsonl"), "{error}"),
    };
    assert!(*sealed == body || body == seeds[0], "a change that the checksum does not see");
    let trends = Trends {
        library: ko_eval::LIBRARY,
        metric: None,
        system: None,
        against: None,
        samples: 10,
        seed: 1,
    };
    for change in trends.of(&history).iter().flatten().filter_map(|trend| trend.change.as_ref()) {
        assert!(change.difference.is_finite() && (0.0..=1.0).contains(&change.p_value));
    }
});
