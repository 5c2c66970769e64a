//! Every public type may cross threads.

use ko_probe::*;

#[test]
fn types_are_send_and_sync() {
    fn shared<T: Send + Sync>() {}
    shared::<Annotated>();
    shared::<Classifier>();
    shared::<Dataset>();
    shared::<Error>();
    shared::<Example>();
    shared::<Experiment>();
    shared::<Finding>();
    shared::<Findings>();
    shared::<Options>();
    shared::<Origin>();
    shared::<Probe>();
    shared::<Report<'_>>();
    shared::<Sentence>();
    shared::<Split>();
    shared::<Subject>();
    shared::<Task>();
    shared::<Treebank>();
    shared::<Vectors>();
    shared::<Word>();
    shared::<WordLimits>();
    shared::<embedders::BagOfJamo>();
    shared::<embedders::HashedNgrams>();
    shared::<embedders::Precomputed>();
    shared::<embedders::RandomVectors>();
    shared::<grammar::Grammar>();
    shared::<tone::ToneCheck>();
}
