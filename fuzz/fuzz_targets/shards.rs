//! Shards merged in any order are the whole, to the bit.
#![no_main]

use ko_eval_core::{Error, Segment};
use ko_eval_fuzz::{Any, bounded};
use libfuzzer_sys::fuzz_target;

/// As many as show what is wrong with an order.
const MOST_SEGMENTS: usize = 8;

fuzz_target!(|input: (&'static Any, Vec<(&str, &str)>, usize)| {
    let (any, pairs, cut) = input;
    let metric = &any.metric;
    let pairs = pairs.into_iter().take(MOST_SEGMENTS);
    let segments: Vec<_> = pairs
        .map(|(hyp, r)| Segment::new(bounded(hyp), [bounded(r)]).expect("a reference"))
        .collect();
    // Variants that look at the order of segments have no shards, and say so.
    if segments.is_empty() || matches!(metric.shard(&[]), Err(Error::InOrder { .. })) {
        return;
    }
    let whole = metric.corpus_score(&segments).expect("texts within all limits");
    let (left, right) = segments.split_at(cut % segments.len());
    let shards = [right, left].map(|part| metric.shard(&part).expect("scored before"));
    assert_eq!(metric.merge_shards(&shards).expect("shards of one metric"), whole);
});
