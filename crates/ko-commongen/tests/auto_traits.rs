//! Public types can be shared between threads.

use ko_commongen::*;

fn shared<T: Send + Sync>() {}

#[test]
fn all_are_send_and_sync() {
    shared::<BioTagger>();
    shared::<Candidates>();
    shared::<Clean>();
    shared::<Concepts>();
    shared::<Decoding>();
    shared::<Draft>();
    shared::<Error>();
    shared::<Evaluator>();
    shared::<Item>();
    shared::<NgramFlagger>();
    shared::<Pairs>();
    shared::<Pipeline>();
    shared::<Reranker>();
    shared::<SystemScores>();
    shared::<TokenOverlap>();
    shared::<human::HumanScores>();
}
