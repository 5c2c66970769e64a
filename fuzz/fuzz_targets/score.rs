//! Any two texts, any metric, any unit: the score is finite and in its range, an empty text never goes
//! unnoticed, the same text twice gives the same score, and no text is better than the reference itself.
#![no_main]

use ko_eval_core::{Direction, Flag, Segment};
use ko_eval_fuzz::{Any, bounded};
use libfuzzer_sys::fuzz_target;

/// As many as make sense.
const MOST_REFERENCES: usize = 4;
/// What rounding may do.
const SLACK: f64 = 1e-9;

fuzz_target!(|input: (&'static Any, &str, Vec<&str>)| {
    let (any, hypothesis, references) = input;
    let hypothesis = bounded(hypothesis);
    let references = references.into_iter().take(MOST_REFERENCES).map(bounded);
    let Ok(segment) = Segment::new(hypothesis, references) else { return };
    let metric = &any.metric;
    let score = metric.segment_score(&segment).expect("texts within all limits");
    assert!(score.details.iter().all(|detail| detail.value.is_finite()));
    let (name, (least, most)) = (any.row.name, any.range.clone().into_inner());
    assert!((least..=most + SLACK).contains(&score.value), "{}: {}", metric.signature(), score.value);
    assert_eq!(metric.segment_score(&segment).expect("scored before"), score);
    if any.units(hypothesis).is_empty() {
        assert!(score.flags.contains(&Flag::EmptyHypothesis));
    }
    // Of odd costs (deletions for nothing) a text need not be its own best match.
    if !any.is_default {
        return;
    }
    // RIBES cannot tell apart what a text repeats, NIST may prefer a text that keeps only what is rare, and
    // NLTK's smoothing may prefer a text that is longer than its own reference.
    if ["ribes", "nist", "nltk-bleu"].contains(&name) {
        return;
    }
    for &reference in segment.references() {
        let value = |text| {
            let segment = Segment::new(text, [reference]).expect("a reference");
            metric.segment_score(&segment).expect("texts within all limits").value
        };
        let (best, other) = (value(reference), value(hypothesis));
        match metric.direction() {
            Direction::HigherIsBetter => assert!(best >= other - SLACK, "{name}: {best} < {other}"),
            Direction::LowerIsBetter => assert!(best <= other + SLACK, "{name}: {best} > {other}"),
        }
    }
});
