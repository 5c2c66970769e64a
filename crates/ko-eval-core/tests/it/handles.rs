//! What callers hold and hand over: pointers to metrics, corpora, streams, and metrics that divide by zero.

use ko_eval_core::{
    significance::{Bootstrap, Interval, PairedTest},
    *,
};
use std::sync::Arc;

/// The number that a hypothesis states; `0/0` states none.
#[derive(Debug)]
struct Stated;

#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
struct Sum(f64);

impl Stats for Sum {
    fn merge(&mut self, other: &Self) {
        self.0 += other.0;
    }
}

impl Signed for Stated {
    fn signature(&self) -> Signature {
        Signature::new("Stated")
    }
}

impl Metric for Stated {
    type Stats = Sum;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<Sum> {
        Ok(Sum(segment.hypothesis().parse().unwrap_or(f64::NAN)))
    }

    fn score(&self, stats: &Sum) -> Score {
        Score::new(stats.0)
    }
}

fn segment(number: usize) -> OwnedSegment {
    OwnedSegment::new(number.to_string(), ["영"]).unwrap()
}

/// The numbers below `count`.
fn corpus(count: usize) -> Corpus {
    (0..count).map(segment).collect()
}

#[allow(clippy::needless_pass_by_value, reason = "pointers are handed over as callers do")]
fn score(scorer: impl Scorer) -> f64 {
    assert_eq!(scorer.signature().name(), "Stated");
    scorer.corpus_score(&corpus(4)).unwrap().score.value
}

#[test]
fn pointers_to_metrics_score() {
    let boxed: Box<dyn Scorer> = Box::new(Stated);
    let shared: Arc<dyn Scorer> = Arc::new(Stated);
    assert_eq!(score(&*boxed), 6.0);
    assert_eq!(score(boxed), 6.0);
    assert_eq!(score(shared), 6.0);
    assert_eq!((score(&Stated), score(Box::new(Stated)), score(Arc::new(Stated))), (6.0, 6.0, 6.0));
}

/// A metric that knows more of its statistics than they do themselves.
#[derive(Debug)]
struct UpTo(f64);

impl Signed for UpTo {
    fn signature(&self) -> Signature {
        Signature::new("UpTo").with("most", self.0)
    }
}

impl Metric for UpTo {
    type Stats = Sum;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn check(&self, stats: &Sum, segments: usize) -> Result<(), String> {
        match stats.0 <= self.0 * segments as f64 {
            true => stats.check(),
            false => Err(format!("{} in {segments} segments", stats.0)),
        }
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<Sum> {
        Stated.segment_stats(segment)
    }

    fn score(&self, stats: &Sum) -> Score {
        Score::new(stats.0)
    }
}

#[test]
fn pointers_to_metrics_refuse_the_same_statistics() {
    let honest = UpTo(3.0).shard(&corpus(4)).unwrap();
    let mut changed = honest.clone();
    changed.stats = serde_json::json!(13.0);
    let changed = [changed.sealed()];
    for metric in
        [&UpTo(3.0) as &dyn Scorer, &&UpTo(3.0), &Box::new(UpTo(3.0)), &Arc::new(UpTo(3.0))]
    {
        let score = metric.merge_shards(std::slice::from_ref(&honest)).unwrap().score.value;
        assert_eq!(score, 6.0);
        let refused = metric.merge_shards(&changed).unwrap_err().to_string();
        assert!(refused.contains("13 in 4 segments"), "{refused}");
    }
}

#[test]
fn a_corpus_is_its_segments() {
    let corpus = corpus(10);
    let segments = corpus.segments();
    let whole = Stated.corpus_score(&corpus).unwrap();
    assert_eq!(whole, Stated.corpus_score(&segments).unwrap());
    assert_eq!(whole, Stated.corpus_score(&segments.as_slice()).unwrap());
    let json = serde_json::to_string(&corpus).unwrap();
    assert_eq!(serde_json::from_str::<Corpus>(&json).unwrap(), corpus);
}

#[test]
fn a_stream_has_the_scores_of_the_whole_in_order() {
    let corpus = corpus(10_000);
    let whole = Stated.evaluate(&corpus).unwrap();
    assert_eq!(stream::score(&Stated, corpus.clone()).unwrap(), whole.corpus);
    let scores: Result<Vec<Score>> = stream::segment_scores(&Stated, corpus).collect();
    assert_eq!(scores.unwrap(), whole.segments);
    assert_eq!(stream::segment_scores(&Stated, Corpus::default()).count(), 0);
}

#[test]
fn a_stream_ends_with_its_first_error() {
    let broken =
        (0..6000).map(|n| if n == 5000 { Err(Error::NoReference) } else { Ok(segment(n)) });
    let mut scores = stream::segment_scores(&Stated, broken);
    assert_eq!(scores.by_ref().take_while(|score| score.is_ok()).count(), 5000);
    assert!(scores.next().is_none());

    let lacking = (0..6000).map(|n| if n == 5000 { OwnedSegment::alone("7") } else { segment(n) });
    let last = stream::segment_scores(&Stated, lacking).last();
    assert!(matches!(last, Some(Err(Error::Needs { segment: 5001, .. }))), "{last:?}");
}

#[test]
fn what_is_not_a_number_is_an_error() {
    let nan = |result: Result<f64>| matches!(result, Err(Error::NotFinite { .. }));
    let one = Segment::new("0/0", ["영"]).unwrap();
    assert!(nan(Stated.segment_score(&one).map(|score| score.value)));
    let mut corpus = corpus(5);
    corpus.push(OwnedSegment::new("0/0", ["영"]).unwrap());
    assert!(nan(Stated.corpus_score(&corpus).map(|score| score.score.value)));
    assert!(nan(Stated.segment_scores(&corpus).map(|scores| scores[0].value)));
    assert!(nan(Stated.confidence(&corpus, &Bootstrap::default()).map(|ci| ci.low)));
    let test = PairedTest::bootstrap(10, 1).unwrap();
    assert!(nan(Stated.compare(&corpus, &corpus, &test).map(|result| result.p_value)));
    assert!(nan(Interval::from_resamples(1.0, vec![1.0, f64::NAN]).map(|ci| ci.low)));
    assert!(nan(Bootstrap::default().interval_of(3, |_| f64::NAN).map(|ci| ci.low)));
}

/// A metric whose score is a number, but not always that of a resample.
#[derive(Debug)]
struct Share;

impl Signed for Share {
    fn signature(&self) -> Signature {
        Signature::new("Share")
    }
}

impl Metric for Share {
    type Stats = Sum;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<Sum> {
        Stated.segment_stats(segment)
    }

    fn score(&self, stats: &Sum) -> Score {
        Score::new(stats.0.powi(2) / stats.0).with("half", stats.0 / 2.0)
    }
}

#[test]
fn a_resample_that_is_not_a_number_is_an_error() {
    let corpus: Corpus = [1, 0, 0].into_iter().map(segment).collect();
    let other: Corpus = [0, 1, 0].into_iter().map(segment).collect();
    assert_eq!(Share.corpus_score(&corpus).unwrap().score.value, 1.0);
    let error = Share.confidence(&corpus, &Bootstrap::new(100, 1).unwrap()).unwrap_err();
    assert!(matches!(error, Error::NotFinite { .. }), "{error}");
    let tests = [PairedTest::bootstrap(100, 1), PairedTest::randomization(100, 1)];
    for test in tests {
        let result = Share.compare(&corpus, &other, &test.unwrap());
        assert!(matches!(result, Err(Error::NotFinite { .. })), "{result:?}");
    }
}

#[test]
fn a_detail_that_is_not_a_number_is_an_error() {
    #[derive(Debug)]
    struct Detailed;
    impl Signed for Detailed {
        fn signature(&self) -> Signature {
            Signature::new("Detailed")
        }
    }
    impl Metric for Detailed {
        type Stats = Sum;
        fn direction(&self) -> Direction {
            Direction::LowerIsBetter
        }
        fn segment_stats(&self, _: &Segment<'_>) -> Result<Sum> {
            Ok(Sum(0.0))
        }
        fn score(&self, stats: &Sum) -> Score {
            Score::new(0.0).with("ratio", stats.0 / 0.0)
        }
    }
    let error = Detailed.corpus_score(&corpus(1)).unwrap_err().to_string();
    assert_eq!(error, "`ratio` of Detailed is NaN, which is not a number");
}
