//! Any two texts, any metric, any unit: the score is finite, and an empty text never goes unnoticed.
#![no_main]

use ko_eval_core::{Flag, Segment};
use ko_eval_fuzz::{Any, units};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Any, &str, Vec<&str>)| {
    let (any, hypothesis, references) = input;
    let Ok(segment) = Segment::new(hypothesis, references.iter().copied()) else { return };
    let score = match any.metric().segment_score(&segment) {
        Ok(score) => score,
        // A documented limit.
        Err(ko_eval_core::Error::TooLong { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    assert!(score.value.is_finite());
    assert!(score.details.iter().all(|detail| detail.value.is_finite()));
    if units(any, hypothesis).is_empty() {
        assert!(score.flags.contains(&Flag::EmptyHypothesis));
    }
});
