//! Shards merged in any order are the whole, to the bit.
#![no_main]

use ko_eval_core::Segment;
use ko_eval_fuzz::Any;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Any, Vec<(&str, &str)>, usize)| {
    let (any, pairs, cut) = input;
    let metric = any.metric();
    let segments: Vec<_> =
        pairs.iter().map(|(hyp, r)| Segment::new(hyp, [*r]).expect("a reference")).collect();
    let Ok(whole) = metric.corpus_score(&segments) else { return };
    let (left, right) = segments.split_at(cut % segments.len());
    let shards = [right, left].map(|part| metric.shard(part).expect("scored before"));
    assert_eq!(metric.merge_shards(&shards).expect("shards of one metric"), whole);
});
