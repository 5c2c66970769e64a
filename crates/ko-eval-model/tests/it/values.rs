//! What models give is looked at before it is believed.

use ko_eval_core::{Error, Result, Scorer, Segment, Signature, Signed};
use ko_eval_model::{Embeddings, Encoding, PairMetric, PairScorer};
use std::sync::Arc;

#[test]
fn a_pair_that_is_not_a_number_is_not_hidden_by_a_better_one() {
    #[derive(Debug)]
    struct Half;
    impl Signed for Half {
        fn signature(&self) -> Signature {
            Signature::new("Half")
        }
    }
    impl PairScorer for Half {
        fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
            Ok(pairs.iter().map(|(_, b)| if b.is_empty() { -f64::NAN } else { 0.5 }).collect())
        }
    }
    let metric = PairMetric::new(Arc::new(Half));
    let segment = Segment::new("가", ["나", ""]).unwrap();
    assert!(matches!(metric.segment_score(&segment), Err(Error::NotFinite { .. })));
}

#[test]
fn an_encoding_has_a_vector_and_a_mark_per_token() {
    let vectors = || Embeddings::from_rows(1, vec![1.0, 2.0]).unwrap();
    let tokens = || vec!["가".to_owned(), "나".to_owned()];
    assert!(Encoding::new(tokens(), vec![false; 2], vectors()).is_ok());
    assert!(Encoding::new(tokens(), vec![false], vectors()).is_err());
    assert!(Encoding::new(vec![], vec![], vectors()).is_err());
}
