//! What must hold for every row of the table with every declared word, at both ends of every range and in every variant,
//! whatever the texts.

use ko_eval_core::significance::Bootstrap;
use ko_eval_core::{
    Direction, Error, Library, MetricEntry, OwnedSegment, Scorer, Segment, Shard, Spec,
    setting::Values,
};
use ko_eval_testing::cases;
use ko_ngram_metrics::{METRICS, by_name};
use proptest::{collection::vec, prelude::*, sample::select};
use std::ops::RangeInclusive;

const UNITS: &[&str] = &["word", "char", "jamo"];

/// Every metric over every unit.
fn rows() -> impl Iterator<Item = (&'static MetricEntry, &'static str)> {
    METRICS.iter().flat_map(|row| UNITS.iter().map(move |unit| (row, *unit)))
}

fn build(spec: &str, unit: &str) -> Box<dyn Scorer> {
    by_name(spec, ko_tokenize::by_name(unit).unwrap()).unwrap()
}

/// Every metric over every unit, each in any of its variants, with the scores that it can have.
fn variants() -> impl Strategy<Value = Vec<(RangeInclusive<f64>, Box<dyn Scorer>)>> {
    let variant = |(row, unit): (&'static MetricEntry, &'static str)| {
        select(row.specs()).prop_map(move |spec| {
            let range = row.range_under(&spec.parse::<Spec>().unwrap().params);
            (range, build(&spec, unit))
        })
    };
    rows().map(variant).collect::<Vec<_>>()
}

/// Those whose statistics merge in any order.
fn metrics() -> impl Strategy<Value = Vec<Box<dyn Scorer>>> {
    let in_any_order =
        |metric: &dyn Scorer| !matches!(metric.shard(&[]), Err(Error::InOrder { .. }));
    variants().prop_map(move |all| {
        all.into_iter().map(|(_, metric)| metric).filter(|metric| in_any_order(metric)).collect()
    })
}

/// Korean of few words, so that texts share something; or anything at all.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => vec(select(&["비가", "온다", "눈이", "밥을", "먹었다.", "나는", "A"][..]), 0..12)
            .prop_map(|words| words.join(" ")),
        1 => "[가-힣ㄱ-ㅣ a.\n]{0,30}",
        1 => any::<String>(),
    ]
}

fn segments() -> impl Strategy<Value = OwnedSegment> {
    (texts(), vec(texts(), 1..4)).prop_map(|(hyp, refs)| OwnedSegment::new(hyp, refs).unwrap())
}

fn borrowed(segments: &[OwnedSegment]) -> Vec<Segment<'_>> {
    segments.iter().map(OwnedSegment::as_segment).collect()
}

proptest! {
    // Every case tries every metric over every unit.
    #![proptest_config(ProptestConfig::with_cases(cases(8, 256)))]

    #[test]
    fn merged_shards_are_the_whole(
        metrics in metrics(),
        corpus in vec(segments(), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let segments = borrowed(&corpus);
        let (left, right) = segments.split_at(cut.index(segments.len()));
        for metric in metrics {
            let whole = metric.corpus_score(&segments).unwrap();
            let shards = [metric.shard(&right).unwrap(), metric.shard(&left).unwrap()];
            prop_assert_eq!(&metric.merge_shards(&shards).unwrap(), &whole);
            // Written and read, in the other order.
            let read = |shard: &Shard| -> Shard {
                serde_json::from_str(&serde_json::to_string(shard).unwrap()).unwrap()
            };
            let written: Vec<Shard> = shards.iter().rev().map(read).collect();
            prop_assert_eq!(&metric.merge_shards(&written).unwrap(), &whole);
        }
    }

    #[test]
    fn the_order_of_segments_changes_nothing(
        metrics in metrics(),
        (corpus, shuffled) in vec(segments(), 1..8)
            .prop_flat_map(|corpus| (Just(corpus.clone()), Just(corpus).prop_shuffle())),
    ) {
        for metric in metrics {
            let there = metric.corpus_score(&borrowed(&corpus)).unwrap();
            prop_assert_eq!(metric.corpus_score(&borrowed(&shuffled)).unwrap(), there);
        }
    }

    #[test]
    fn scores_are_finite_and_in_range(variants in variants(), segment in segments()) {
        for (range, metric) in variants {
            let score = metric.segment_score(&segment.as_segment()).unwrap();
            prop_assert!(score.value.is_finite(), "{}", score.value);
            prop_assert!(score.details.iter().all(|detail| detail.value.is_finite()));
            let (least, most) = range.into_inner();
            prop_assert!((least..=most + 1e-9).contains(&score.value), "{}", score.value);
        }
    }

    #[test]
    fn numbers_are_the_statistics(metrics in metrics(), segment in segments(), times in 1..8usize) {
        // Resampling adds up numbers where statistics have them. Of one segment repeated, every resample is the corpus.
        let corpus = vec![segment; times];
        for metric in metrics {
            let measured = metric.measure(&borrowed(&corpus)).unwrap();
            let interval = measured.interval(&Bootstrap::new(3, 1).unwrap()).unwrap();
            let score = measured.corpus_score().unwrap().score.value;
            for end in [interval.low, interval.high] {
                let same = (end - score).abs() <= 1e-9 * score.abs().max(1.0);
                prop_assert!(same, "{end} is not {score}: {}", metric.signature());
            }
        }
    }

    #[test]
    fn identical_texts_have_the_best_value(
        reference in vec(select(&["비가", "온다", "눈이", "밥을", "먹었다"][..]), 5..9),
        // At least as long: NIST may prefer a shorter text that keeps what is rare.
        hypothesis in vec(select(&["비가", "온다", "눈이", "밥을", "먹는다"][..]), 9..12),
    ) {
        let (reference, hypothesis) = (reference.join(" "), hypothesis.join(" "));
        // RIBES cannot tell apart what a text repeats, not even in the same text; NLTK's smoothing may prefer a text that
        // is longer than its own reference. Of odd costs (deletions for nothing) no text need be its own best match.
        for (row, unit) in rows().filter(|(row, _)| !["ribes", "nltk-bleu"].contains(&row.name)) {
            let metric = build(row.name, unit);
            let value = |hyp: &str| {
                metric.segment_score(&Segment::new(hyp, [&reference]).unwrap()).unwrap().value
            };
            let (best, other) = (value(&reference), value(&hypothesis));
            match metric.direction() {
                Direction::HigherIsBetter => prop_assert!(best >= other - 1e-9, "{best} < {other}"),
                Direction::LowerIsBetter => prop_assert!(best <= other + 1e-9, "{best} > {other}"),
            }
        }
    }
}

#[test]
fn a_metric_that_looks_at_places_does_not_merge() {
    let metric =
        by_name("nltk-bleu:smooth=method5", ko_tokenize::by_name("word").unwrap()).unwrap();
    let segments = [Segment::new("비가 온다", ["비가 왔다"]).unwrap()];
    assert!(metric.corpus_score(&segments).unwrap().score.value > 0.0);
    assert!(matches!(metric.shard(&segments), Err(Error::InOrder { .. })));
    let interval = metric.confidence(&segments, &Bootstrap::default());
    assert!(matches!(interval, Err(Error::InOrder { .. })));
}

/// Smoothing takes the references' scores beyond a hundred, too.
#[test]
fn what_goes_beyond_its_range_by_a_setting_merges() {
    let library =
        Library { metrics: METRICS, unit: ko_tokenize::by_name, unit_row: ko_tokenize::declared };
    for (spec, reference) in [
        ("nltk-bleu:smooth=method5,context=corpus,order=2", "비가 온다"),
        ("nltk-bleu:smooth=method7,context=corpus,order=2", "비가 온다"),
        ("nltk-bleu:smooth=method5,context=corpus,weights=1000/1000", "비가 온다"),
        ("bleu:smooth=floor,smooth-value=9,order=2", "비가 왔다"),
    ] {
        let metric = library.metric(spec, "word").unwrap();
        let shard = metric.shard(&[Segment::new("비가 온다", [reference]).unwrap()]).unwrap();
        let merged = library.merge(spec, &[shard.clone(), shard]).unwrap();
        assert!(merged.score.value > 100.0, "{spec}: {}", merged.score.value);
    }
}

/// Whatever a precision above 1 is taken to by its weight, the brevity penalty of 0 makes it 0.
#[test]
fn no_weight_outweighs_a_brevity_penalty() {
    let spec = "nltk-bleu:smooth=method5,context=corpus,weights=1000/1000";
    let metric = by_name(spec, ko_tokenize::by_name("word").unwrap()).unwrap();
    let reference = "비가 온다 ".repeat(1000);
    let segment = Segment::new("비가 온다", [&reference]).unwrap();
    assert_eq!(metric.segment_score(&segment).unwrap().value, 0.0);
}

#[test]
fn texts_without_units_are_flagged() {
    for row in METRICS {
        let metric = by_name(row.name, ko_tokenize::by_name("word").unwrap()).unwrap();
        for (hypothesis, reference) in [("", "비가 온다"), ("비가 온다", " "), (" ", "")] {
            let segment = Segment::new(hypothesis, [reference]).unwrap();
            let score = metric.segment_score(&segment).unwrap();
            assert!(!score.flags.is_empty(), "{}: {hypothesis:?} {reference:?}", row.name);
        }
    }
}

#[test]
fn every_parameter_is_known_to_its_row() {
    for row in METRICS {
        for param in row.params {
            let tokenizer = ko_tokenize::by_name("word").unwrap();
            let spec = format!("{}:{}=?", row.name, param.name);
            let error = by_name(&spec, tokenizer).expect_err(&spec).to_string();
            assert!(error.contains('?'), "{error}");
            // What names a file or an analyzer says what is wrong with that.
            let is_opened = matches!(param.values, Values::Text("FILE" | "UNIT"));
            assert!(is_opened || error.contains(param.name), "{error}");
            assert!(is_opened || error.contains(&param.expected()), "{error}");
        }
        let stray =
            by_name(&format!("{}:stray=1", row.name), ko_tokenize::by_name("word").unwrap());
        assert!(stray.unwrap_err().to_string().contains("stray"));
    }
}

#[test]
fn senseless_parameters_are_refused() {
    let senseless = [
        "bleu:order=0",
        "bleu:order=1001",
        "bleu:smooth=floor,smooth-value=-1",
        "bleu:smooth=floor,smooth-value=nan",
        "bleu:smooth-value=1",
        "nltk-bleu:weights=0.5/-0.5",
        "nltk-bleu:weights=0.5/0.5,order=3",
        "nltk-bleu:weights=0.5/0.5,smooth=method6",
        "nltk-bleu:smooth=method3,smooth-value=1",
        "gleu:min-order=5",
        "nist:order=0",
        "chrf:beta=-1",
        "chrf:char-order=0",
        "meteor:alpha=1.5",
        "ter:case=upper",
        "eed:alpha=-1",
        "eed:rho=nan",
        "ribes:alpha=inf",
        "ribes:rule=wmt",
    ];
    for spec in senseless {
        let error = by_name(spec, ko_tokenize::by_name("word").unwrap());
        assert!(matches!(error, Err(ko_eval_core::Error::InvalidParameter { .. })), "{spec}");
    }
}

#[test]
fn a_long_line_does_not_hang() {
    let hypothesis: String = ('가'..='힣').cycle().take(100_000).collect();
    let reference: String = hypothesis.chars().rev().collect();
    let segment = Segment::new(&hypothesis, [&reference]).unwrap();
    for row in METRICS {
        let metric = by_name(row.name, ko_tokenize::by_name("char").unwrap()).unwrap();
        match metric.segment_score(&segment) {
            Ok(score) => assert!(score.value.is_finite(), "{}", row.name),
            // What takes quadratic time has a limit, and says so.
            Err(refused) => {
                assert!(matches!(refused, ko_eval_core::Error::TooLong { .. }), "{refused}");
                assert!(["character", "eed"].contains(&row.name), "{}: {refused}", row.name);
            }
        }
    }
}
