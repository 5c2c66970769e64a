//! What every metric gets from its statistics: corpus scores, streams, shards, intervals, tests.

use ko_eval_core::{
    significance::{Bootstrap, PairedTest},
    *,
};

/// The share of the hypothesis's words that stand in the first reference.
#[derive(Debug)]
struct WordOverlap;

#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
struct Overlap {
    found: u64,
    words: u64,
}

impl Stats for Overlap {
    fn merge(&mut self, other: &Self) {
        self.found += other.found;
        self.words += other.words;
    }
}

impl Signed for WordOverlap {
    fn signature(&self) -> Signature {
        Signature::new("Overlap")
    }
}

impl Metric for WordOverlap {
    type Stats = Overlap;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<Overlap> {
        let reference: Vec<&str> = segment.references()[0].split_whitespace().collect();
        let words = segment.hypothesis().split_whitespace();
        let (found, all) =
            words.fold((0, 0), |(f, n), w| (f + u64::from(reference.contains(&w)), n + 1));
        Ok(Overlap { found, words: all })
    }

    fn score(&self, stats: &Overlap) -> Score {
        Score::new(if stats.words == 0 { 0.0 } else { stats.found as f64 / stats.words as f64 })
    }
}

/// Sentences whose n-th hypothesis shares `share(n)` of four words with its reference.
fn corpus(segments: usize, share: impl Fn(usize) -> usize) -> Corpus {
    let reference = ["비가", "오는", "날에는", "걷는다"];
    let hypotheses = (0..segments).map(|n| {
        let same = reference.iter().take(share(n)).copied();
        same.chain(["눈이"; 4]).take(4).collect::<Vec<_>>().join(" ")
    });
    Corpus::from_columns(hypotheses, [vec![reference.join(" "); segments]]).unwrap()
}

#[test]
fn a_corpus_score_comes_from_merged_statistics() {
    let corpus =
        Corpus::from_columns(["비가", "눈이 오는 날"], [["비가", "비가 오는 밤"]]).unwrap();
    let evaluation = WordOverlap.evaluate(&corpus.segments()).unwrap();
    assert_eq!(evaluation.corpus.score.value, 0.5); // 2 of 4 words; the mean of segments is 2/3
    assert_eq!(evaluation.segments[0].value, 1.0);
    assert_eq!(evaluation.corpus.signature.to_string(), "Overlap|nrefs:1");
}

#[test]
fn streams_and_shards_are_the_whole() {
    let corpus = corpus(5000, |n| n % 5);
    let whole = WordOverlap.corpus_score(&corpus.segments()).unwrap();

    let mut stream = corpus.clone().into_iter().map(Ok);
    assert_eq!(WordOverlap.stream_score(&mut stream).unwrap(), whole);

    let mut shards: Vec<Shard> = corpus
        .shards(7)
        .map(|segments| {
            let json = serde_json::to_string(&WordOverlap.shard(&segments).unwrap()).unwrap();
            serde_json::from_str(&json).unwrap()
        })
        .collect();
    assert_eq!(shards.len(), 7);
    shards.reverse();
    assert_eq!(WordOverlap.merge_shards(&shards).unwrap(), whole);
}

#[test]
fn a_foreign_shard_is_refused() {
    let mut shard = WordOverlap.shard(&corpus(3, |_| 1).segments()).unwrap();
    shard.signature = Signature::new("BLEU");
    assert!(matches!(WordOverlap.merge_shards(&[shard]), Err(Error::BadShard { .. })));
}

#[test]
fn nothing_has_no_score() {
    assert!(matches!(WordOverlap.corpus_score(&[]), Err(Error::EmptyCorpus)));
    let bootstrap = Bootstrap::default();
    assert!(matches!(WordOverlap.confidence(&[], &bootstrap), Err(Error::EmptyCorpus)));
}

#[test]
fn an_interval_holds_the_score_and_follows_the_seed() {
    let corpus = corpus(200, |n| n % 5);
    let segments = corpus.segments();
    let first = WordOverlap.confidence(&segments, &Bootstrap::new(500, 1).unwrap()).unwrap();
    assert!(first.low < first.score && first.score < first.high, "{first:?}");
    // The standard error of the mean of 0, ¼, ½, ¾, 1 over 200 segments is 0.025.
    assert!((first.high - first.low - 2.0 * 1.96 * 0.025).abs() < 0.02, "{first:?}");
    let again = WordOverlap.confidence(&segments, &Bootstrap::new(500, 1).unwrap()).unwrap();
    let other = WordOverlap.confidence(&segments, &Bootstrap::new(500, 2).unwrap()).unwrap();
    assert_eq!(first, again);
    assert_ne!(first, other);
}

#[test]
fn paired_tests_tell_a_real_difference_from_chance() {
    let (weak, strong) = (corpus(100, |n| n % 3), corpus(100, |n| n % 3 + 1));
    let mixed = corpus(100, |n| (n + 1) % 3);
    let tests =
        [PairedTest::bootstrap(999, 7).unwrap(), PairedTest::randomization(999, 7).unwrap()];
    for test in &tests {
        let compare = |a: &Corpus, b: &Corpus| {
            WordOverlap.compare(&a.segments(), &b.segments(), test).unwrap().p_value
        };
        assert!(compare(&weak, &strong) < 0.01, "{test:?}");
        assert!(compare(&weak, &mixed) > 0.2, "{test:?}");
        assert_eq!(compare(&weak, &weak), 1.0, "{test:?}");
    }
    let (short, long) = (corpus(2, |_| 1), corpus(3, |_| 1));
    let unequal = WordOverlap.compare(&short.segments(), &long.segments(), &tests[0]);
    assert!(matches!(unequal, Err(Error::LengthMismatch { left_len: 2, right_len: 3, .. })));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let corpus = corpus(300, |n| n % 4);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let segments = corpus.segments();
            let interval = WordOverlap.confidence(&segments, &Bootstrap::default()).unwrap();
            (WordOverlap.evaluate(&segments).unwrap(), interval)
        })
    };
    assert_eq!(run(1), run(4));
}

/// The hypothesis itself is the score.
#[derive(Debug)]
struct Stated;

impl Signed for Stated {
    fn signature(&self) -> Signature {
        Signature::new("Stated")
    }
}

impl Metric for Stated {
    type Stats = MeanStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<MeanStats> {
        MeanStats::of(segment.hypothesis().parse().unwrap())
    }

    fn score(&self, stats: &MeanStats) -> Score {
        stats.score()
    }
}

#[test]
fn swapping_what_is_equal_is_no_greater_difference() {
    // Only one segment differs, so every way to swap sides has the very difference that was observed.
    let corpus = |last: f64| {
        let values = (1..40).map(|n| 0.1 * f64::from(n) / 3.0).chain([last]);
        let texts: Vec<String> = values.map(|value| value.to_string()).collect();
        Corpus::from_columns(texts.clone(), [texts]).unwrap()
    };
    let (one, other) = (corpus(0.2), corpus(0.7));
    let test = PairedTest::randomization(999, 1).unwrap();
    let found = Stated.compare(&one.segments(), &other.segments(), &test).unwrap();
    assert_eq!(found.p_value, 1.0 / 1000.0);
}

#[test]
fn more_than_can_be_counted_is_refused() {
    let shard = |json: &str| {
        let text = format!(
            r#"{{"signature":"Stated","segments":1,"references":{{"least":1,"most":1}},"stats":{json}}}"#
        );
        serde_json::from_str::<Shard>(&text).unwrap()
    };
    let most = u64::MAX;
    let stats = format!(
        r#"{{"sum":[0.5],"segments":{most},"empty_hypotheses":0,"empty_references":0,"undefined":{most}}}"#
    );
    assert!(matches!(Stated.merge_shards(&[shard(&stats)]), Err(Error::BadShard { .. })));
    let sound =
        r#"{"sum":[0.5],"segments":1,"empty_hypotheses":0,"empty_references":0,"undefined":0}"#;
    let mut large = shard(sound);
    large.segments = usize::MAX;
    assert!(matches!(Stated.merge_shards(&[large.clone(), large]), Err(Error::BadShard { .. })));
    assert_eq!(Stated.merge_shards(&[shard(sound)]).unwrap().score.value, 0.5);
}

#[test]
fn resampled_once_gives_the_same_intervals_and_tests() {
    let corpora = [corpus(60, |n| n % 5), corpus(60, |n| (n % 5).max(2)), corpus(60, |_| 4)];
    let measured: Vec<_> =
        corpora.iter().map(|corpus| WordOverlap.measure(&corpus.segments()).unwrap()).collect();
    let all: Vec<&dyn Measurement> = measured.iter().map(|m| &**m).collect();
    let (bootstrap, test) = (Bootstrap::default(), PairedTest::bootstrap(1000, 12345).unwrap());
    let resampled = bootstrap.resampled(&all).unwrap();
    let intervals = bootstrap.intervals(&all).unwrap();
    for (number, interval) in intervals.iter().enumerate() {
        assert_eq!(resampled.interval(number).as_ref(), Some(interval));
        for other in 0..all.len() {
            let expected = test.compare(&[(all[other], all[number])]).unwrap();
            assert_eq!(resampled.compare(other, number).unwrap(), expected[0]);
        }
    }
    assert!(resampled.compare(0, 3).is_err() && resampled.interval(3).is_none());

    // Drawn independently, a clear difference stays clear, and a system does not differ from itself.
    let elsewhere = Bootstrap::new(1000, 1).unwrap().resampled(&all).unwrap();
    assert!(resampled.compare_unpaired(2, &elsewhere, 0).unwrap().p_value < 0.01);
    assert_eq!(resampled.compare_unpaired(1, &elsewhere, 1).unwrap().p_value, 1.0);
}

#[test]
fn kept_statistics_and_chosen_segments_need_no_texts() {
    let (bootstrap, corpus) = (Bootstrap::default(), corpus(40, |n| n % 5));
    let whole = WordOverlap.measure(&corpus.segments()).unwrap();
    let kept = serde_json::to_string(&whole.statistics().unwrap()).unwrap();
    let restored = WordOverlap.restore(&serde_json::from_str(&kept).unwrap()).unwrap();
    assert_eq!(restored.evaluation().unwrap(), whole.evaluation().unwrap());
    assert_eq!(restored.interval(&bootstrap).unwrap(), whole.interval(&bootstrap).unwrap());

    let numbers: Vec<usize> = (0..40).filter(|n| n % 3 == 0).collect();
    let segments: Vec<_> = numbers.iter().map(|n| corpus.segments()[*n].clone()).collect();
    let again = WordOverlap.measure(&segments).unwrap();
    let part = restored.select(&numbers).unwrap();
    assert_eq!(part.evaluation().unwrap(), again.evaluation().unwrap());
    assert_eq!(part.interval(&bootstrap).unwrap(), again.interval(&bootstrap).unwrap());
    assert!(matches!(part.select(&[]).unwrap().corpus_score(), Err(Error::EmptyCorpus)));

    let mut foreign = whole.statistics().unwrap();
    foreign.signature = Signature::new("Other");
    assert!(matches!(WordOverlap.restore(&foreign), Err(Error::BadShard { .. })));
    let total = WordOverlap.begin(Keep::Total);
    assert!(matches!(total.statistics(), Err(Error::NotKept)));
}
