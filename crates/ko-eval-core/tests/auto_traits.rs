//! Every public type may cross threads.

use ko_eval_core::{read::Lines, significance::*, *};

#[test]
fn types_are_send_and_sync() {
    fn check<T: Send + Sync + ?Sized>() {}
    check::<Corpus>();
    check::<CorpusScore>();
    check::<Detail>();
    check::<Direction>();
    check::<Embeddings>();
    check::<Encoding>();
    check::<Error>();
    check::<Evaluation>();
    check::<ExactSum>();
    check::<Flag>();
    check::<MeanStats>();
    check::<MetricEntry>();
    check::<OwnedSegment>();
    check::<Param>();
    check::<Params>();
    check::<Score>();
    check::<Segment<'_>>();
    check::<Shard>();
    check::<Signature>();
    check::<Spec>();
    check::<Token<'_>>();
    check::<TokenizerEntry>();
    check::<Bootstrap>();
    check::<Comparison>();
    check::<Interval>();
    check::<PairedTest>();
    check::<dyn Tokenizer>();
    check::<dyn Scorer>();
    check::<dyn Encoder>();
    check::<dyn SentenceEmbedder>();
    check::<dyn PairScorer>();
    // A reader moves between threads; it is not shared.
    fn moves<T: Send>() {}
    moves::<Lines>();
}
