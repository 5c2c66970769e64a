//! Values of the reference implementations, as data: `golden/*.toml`, written by `golden/make.py` and `golden/authors.py`.

use ko_eval_core::{Flag, OwnedSegment, Score, Segment};
use serde::Deserialize;
use std::{fs, path::Path};

/// A file of values. `nan` stands where the reference has none.
#[derive(Deserialize)]
struct File {
    /// The implementation and its version.
    #[serde(default)]
    source: String,
    /// Relative.
    #[serde(default = "nine_digits")]
    tolerance: f64,
    /// The pairs that the values belong to; those of `pairs.toml` if there are none.
    #[serde(default)]
    pair: Vec<OwnedSegment>,
    #[serde(default)]
    expected: Vec<Expected>,
}

fn nine_digits() -> f64 {
    1e-9
}

#[derive(Deserialize)]
struct Expected {
    metric: String,
    unit: String,
    corpus: f64,
    segments: Vec<f64>,
}

fn read(path: &Path) -> File {
    let text = fs::read_to_string(path).unwrap();
    toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn check(found: &Score, expected: f64, tolerance: f64, place: &str) {
    assert!(found.value.is_finite(), "{place}");
    if expected.is_nan() {
        assert!(found.flags.contains(&Flag::Undefined), "{place}: the reference has no value");
        return;
    }
    let difference = (found.value - expected).abs();
    let allowed = tolerance * expected.abs().max(found.value.abs());
    assert!(difference <= allowed, "{place}: {} instead of {expected}", found.value);
}

#[test]
fn equals_the_references() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let shared = read(&folder.join("pairs.toml")).pair;
    let mut checked = Vec::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let file = read(&path);
        let pairs = if file.pair.is_empty() { &shared } else { &file.pair };
        let segments: Vec<Segment<'_>> = pairs.iter().map(OwnedSegment::as_segment).collect();
        for expected in &file.expected {
            let unit = ko_tokenize::by_name(&expected.unit).unwrap();
            let metric = ko_ngram_metrics::by_name(&expected.metric, unit).unwrap();
            let found = metric.evaluate(&segments).unwrap();
            let place = format!("{} {}/{}", file.source, expected.unit, expected.metric);
            // A reference may leave a segment that it has no value for out of the corpus; the flag stays.
            check(&found.corpus.score, expected.corpus, file.tolerance, &place);
            assert_eq!(found.segments.len(), expected.segments.len(), "{place}");
            for (number, (score, &value)) in
                found.segments.iter().zip(&expected.segments).enumerate()
            {
                let place = format!("{place}, segment {number}");
                check(score, value, file.tolerance, &place);
                let undefined = score.flags.contains(&Flag::Undefined);
                assert_eq!(undefined, value.is_nan(), "{place}: {value} in the reference");
            }
            checked.push(expected.metric.clone());
        }
    }
    for row in ko_ngram_metrics::METRICS {
        let is_checked = checked.iter().any(|m| m.split(':').next() == Some(row.name));
        assert!(is_checked, "no golden values for {}", row.name);
    }
}
