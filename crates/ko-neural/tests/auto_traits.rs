//! Every public type may go to another thread.

use ko_neural::{BertScore, Error, Kosmic, Pooling, Rdass, bertscore::Idf, kosmic::Csl};

fn send_and_sync<T: Send + Sync>() {}

#[test]
fn types_without_torch() {
    send_and_sync::<(BertScore, Idf, Kosmic, Csl, Rdass, Pooling, Error)>();
}

#[cfg(feature = "torch")]
#[test]
fn types_with_torch() {
    use ko_neural::{Embedder, Fic, Inference, Sts, Transformer, train::Training};
    send_and_sync::<(Transformer, Embedder, Sts, Fic, Inference, Training)>();
}
