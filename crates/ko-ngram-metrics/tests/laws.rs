//! What must hold for every row of the table, whatever the texts.

use ko_eval_core::{Direction, OwnedSegment, Scorer, Segment, Shard};
use ko_ngram_metrics::{METRICS, by_name};
use proptest::{collection::vec, prelude::*, sample::select};

const UNITS: &[&str] = &["word", "char", "jamo"];

/// Any metric over any unit.
fn metrics() -> impl Strategy<Value = Box<dyn Scorer>> {
    let rows: Vec<_> = METRICS.iter().map(|row| row.name).collect();
    (select(rows), select(UNITS))
        .prop_map(|(row, unit)| by_name(row, ko_tokenize::by_name(unit).unwrap()).unwrap())
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
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn merged_shards_are_the_whole(
        metric in metrics(),
        corpus in vec(segments(), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let segments = borrowed(&corpus);
        let whole = metric.corpus_score(&segments).unwrap();
        let (left, right) = segments.split_at(cut.index(segments.len()));
        let shards = [metric.shard(right).unwrap(), metric.shard(left).unwrap()];
        prop_assert_eq!(&metric.merge_shards(&shards).unwrap(), &whole);
        // Written and read, in the other order.
        let read = |shard: &Shard| -> Shard {
            serde_json::from_str(&serde_json::to_string(shard).unwrap()).unwrap()
        };
        let written: Vec<Shard> = shards.iter().rev().map(read).collect();
        prop_assert_eq!(&metric.merge_shards(&written).unwrap(), &whole);
    }

    #[test]
    fn the_order_of_segments_changes_nothing(
        metric in metrics(),
        (corpus, shuffled) in vec(segments(), 1..8)
            .prop_flat_map(|corpus| (Just(corpus.clone()), Just(corpus).prop_shuffle())),
    ) {
        let there = metric.corpus_score(&borrowed(&corpus)).unwrap();
        prop_assert_eq!(metric.corpus_score(&borrowed(&shuffled)).unwrap(), there);
    }

    #[test]
    fn scores_are_finite_and_in_range(metric in metrics(), segment in segments()) {
        let score = metric.segment_score(&segment.as_segment()).unwrap();
        prop_assert!(score.value.is_finite() && score.value >= 0.0, "{}", score.value);
        prop_assert!(score.details.iter().all(|detail| detail.value.is_finite()));
        let most = match metric.signature().name() {
            "BLEU" | "NLTK-BLEU" | "chrF" => 100.0 + 1e-9,
            // As many edits as there are, or as much information as there is.
            "TER" | "NIST" => f64::INFINITY,
            _ => 1.0 + 1e-9,
        };
        prop_assert!(score.value <= most, "{}", score.value);
    }

    #[test]
    fn identical_texts_have_the_best_value(
        metric in metrics(),
        reference in vec(select(&["비가", "온다", "눈이", "밥을", "먹었다"][..]), 5..9),
        // At least as long: NIST may prefer a shorter text that keeps what is rare.
        hypothesis in vec(select(&["비가", "온다", "눈이", "밥을", "먹는다"][..]), 9..12),
    ) {
        // RIBES cannot tell apart what a text repeats, not even in the same text.
        prop_assume!(metric.signature().name() != "RIBES");
        let (reference, hypothesis) = (reference.join(" "), hypothesis.join(" "));
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
            assert!(error.contains(param.name) && error.contains('?'), "{error}");
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
