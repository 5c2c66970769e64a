//! The metrics over a small encoder of our own: what they must do whatever the model.

use ko_eval_core::{Error, Flag, Result, Scorer, Segment, Signature, Signed};
use ko_eval_model::{Embeddings, Encoder, Encoding, PairScorer, SentenceEmbedder};
use ko_neural::{
    BertScore, Kosmic, Rdass,
    bertscore::{Idf, Match},
    kosmic::{Csl, KosmicWeights},
};
use std::sync::Arc;

/// A vector per letter, from its place among the syllables and from the letter before it.
#[derive(Debug)]
struct Letters {
    context: f32,
}

impl Signed for Letters {
    fn signature(&self) -> Signature {
        Signature::new("letters").with("context", self.context)
    }
}

impl Letters {
    fn vector(&self, letter: char, before: char) -> [f32; 4] {
        let spread = |c: char| {
            let c = c as u32;
            [1.0 + (c % 7) as f32, (c % 11) as f32, (c % 5) as f32, (c % 3) as f32]
        };
        let (own, other) = (spread(letter), spread(before));
        std::array::from_fn(|i| own[i] + self.context * other[i])
    }
}

impl Encoder for Letters {
    fn encode(&self, texts: &[&str]) -> Result<Vec<Encoding>> {
        let encode = |text: &&str| {
            let letters: Vec<char> = std::iter::once('^').chain(text.chars()).collect();
            let mut before = '^';
            let mut data = Vec::new();
            for &letter in &letters {
                data.extend(self.vector(letter, before));
                before = letter;
            }
            let tokens = letters.iter().map(char::to_string).collect();
            let special = letters.iter().enumerate().map(|(place, _)| place == 0).collect();
            Encoding::new(tokens, special, Embeddings::from_rows(4, data)?)
        };
        texts.iter().map(encode).collect()
    }
}

impl SentenceEmbedder for Letters {
    fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
        let pooled = |e: &Encoding| ko_neural::Pooling::Mean.pool(&e.vectors).unwrap_or_default();
        Embeddings::from_rows(4, self.encode(texts)?.iter().flat_map(pooled).collect())
    }
}

fn letters() -> Arc<Letters> {
    Arc::new(Letters { context: 0.5 })
}

fn score(metric: &BertScore, hypothesis: &str, references: &[&str]) -> ko_eval_core::Score {
    metric.segment_score(&Segment::new(hypothesis, references.iter().copied()).unwrap()).unwrap()
}

#[test]
fn equal_texts_match_and_others_less() {
    let metric = BertScore::new(letters());
    let equal = score(&metric, "밥을 먹었다", &["밥을 먹었다"]);
    assert!((equal.value - 1.0).abs() < 1e-6);
    let other = score(&metric, "밥을 먹었다", &["비가 온다"]);
    assert!(other.value < equal.value);
    // Precision of the one is recall of the other.
    let turned = score(&metric, "비가 온다", &["밥을 먹었다"]);
    assert!((other.detail("precision").unwrap() - turned.detail("recall").unwrap()).abs() < 1e-9);
    let best = score(&metric, "밥을 먹었다", &["비가 온다", "밥을 먹었다"]);
    assert!((best.value - equal.value).abs() < 1e-9);
}

#[test]
fn texts_without_tokens_score_zero_and_say_so() {
    let metric = BertScore::new(letters());
    let empty = score(&metric, "", &["밥"]);
    assert_eq!((empty.value, empty.flags.as_slice()), (0.0, &[Flag::EmptyHypothesis][..]));
    let empty = score(&metric, "밥", &[""]);
    assert_eq!((empty.value, empty.flags.as_slice()), (0.0, &[Flag::EmptyReference][..]));
    // One reference: every token is in all documents, all weights are 0.
    let idf = Idf::from_references(&*letters(), &["밥"]).unwrap();
    let none = score(&BertScore::new(letters()).idf(idf), "밥", &["밥"]);
    assert_eq!((none.value, none.flags.as_slice()), (0.0, &[Flag::Undefined][..]));
}

#[test]
fn baselines_come_from_random_pairs() {
    let texts = ["밥을 먹었다", "비가 온다", "눈이 내린다", "학교에 간다", "책을 읽는다"];
    let metric = BertScore::new(letters());
    let baseline = metric.random_baseline(&texts, 20, 1).unwrap();
    assert_eq!(baseline, metric.random_baseline(&texts, 20, 1).unwrap());
    assert!(baseline.f1 > 0.0 && baseline.f1 < 1.0);
    let rescaled = metric.clone().baseline(baseline).unwrap();
    let (raw, new) =
        (score(&metric, texts[0], &texts[1..2]), score(&rescaled, texts[0], &texts[1..2]));
    assert!((new.value - (raw.value - baseline.f1) / (1.0 - baseline.f1)).abs() < 1e-12);
    // A text that is blank or was there before is none more.
    let repeated: Vec<&str> = ["", " "].into_iter().chain(texts).chain(texts).collect();
    assert_eq!(baseline, metric.random_baseline(&repeated, 20, 1).unwrap());
    for alone in [&texts[..1], &[texts[0], texts[0], ""]] {
        assert!(metric.random_baseline(alone, 20, 1).is_err());
    }
    assert!(metric.baseline(Match { f1: 1.0, ..Match::default() }).is_err());
}

#[test]
fn rdass_is_the_mean_of_two_angles() {
    let rdass = Rdass::new(letters());
    let (document, reference) = ("정부는 오늘 새 정책을 발표했다.", "새 정책 발표");
    let segments = [
        Segment::new(reference, [reference]).unwrap().with_source(document),
        Segment::new(document, ["비가 온다", document]).unwrap().with_source(document),
    ];
    let measured = rdass.measure(&segments).unwrap();
    let scores = measured.segment_scores().unwrap();
    let half = |score: &ko_eval_core::Score, name| score.detail(name).unwrap();
    assert!((half(&scores[0], "reference") - 1.0).abs() < 1e-6);
    assert!((scores[0].value - (1.0 + half(&scores[0], "document")) / 2.0).abs() < 1e-6);
    assert!((scores[1].value - 1.0).abs() < 1e-6, "the nearest reference counts");
    let mean = (scores[0].value + scores[1].value) / 2.0;
    assert!((measured.corpus_score().unwrap().score.value - mean).abs() < 1e-12);
    assert_eq!(rdass.signature().to_string(), "RDASS|embedder:letters(context=0.5)|version:0.1.0");
    // What it needs is looked at before anything is embedded.
    let without = Segment::new(reference, [reference]).unwrap();
    let error = rdass.measure(&[segments[0].clone(), without]).unwrap_err();
    assert!(matches!(error, Error::Needs { what: "a source", segment: 2, .. }), "{error}");
}

/// Answers with what it was given, whatever it was asked.
#[derive(Debug, Clone)]
struct Stubborn {
    rows: usize,
    number: f32,
}

impl Signed for Stubborn {
    fn signature(&self) -> Signature {
        Signature::new("stubborn")
    }
}

impl SentenceEmbedder for Stubborn {
    fn embed(&self, _: &[&str]) -> Result<Embeddings> {
        Embeddings::from_rows(2, vec![self.number; 2 * self.rows])
    }
}

impl Encoder for Stubborn {
    fn encode(&self, _: &[&str]) -> Result<Vec<Encoding>> {
        // Of every text one number more than of the one before.
        let encoding = |row: usize| {
            let width = if self.number > 1.0 { row + 1 } else { 2 };
            let vectors = Embeddings::from_rows(width, vec![self.number; width])?;
            Encoding::new(vec!["가".into()], vec![false], vectors)
        };
        (0..self.rows).map(encoding).collect()
    }
}

#[test]
fn vectors_that_are_none_are_refused() {
    let segment = Segment::new("비가 온다", ["눈이 온다"]).unwrap();
    let errors = |stubborn: Stubborn| {
        let stubborn = Arc::new(stubborn);
        let rdass = Rdass::new(stubborn.clone());
        let with_source = segment.clone().with_source("비");
        let csl = Csl::new(stubborn.clone()).score_pairs(&[("비", "눈")]);
        let bertscore = BertScore::new(stubborn);
        [
            rdass.segment_score(&with_source).unwrap_err(),
            csl.unwrap_err(),
            bertscore.segment_score(&segment).unwrap_err(),
            bertscore.explain(&segment).unwrap_err(),
        ]
        .map(|error| error.to_string())
    };
    for error in errors(Stubborn { rows: 9, number: 1.0 }) {
        assert!(error.contains("the list of texts has"), "{error}");
    }
    let [rdass, csl, ..] = errors(Stubborn { rows: 1, number: 1.0 });
    assert!(rdass.contains("has 3 segments") && csl.contains("has 2 segments"), "{rdass}; {csl}");
    let sound = |rows| Stubborn { rows, number: f32::NAN };
    let error = Csl::new(Arc::new(sound(2))).score_pairs(&[("비", "눈")]).unwrap_err().to_string();
    assert!(error.contains("a vector of \"비\"") && error.contains("NaN"), "{error}");
    let error = BertScore::new(Arc::new(sound(2))).segment_score(&segment).unwrap_err().to_string();
    assert!(error.contains("a vector of \"비가 온다\""), "{error}");
    let uneven = BertScore::new(Arc::new(Stubborn { rows: 2, number: 2.0 }));
    let error = uneven.segment_score(&segment).unwrap_err().to_string();
    assert!(error.contains("\"눈이 온다\"") && error.contains('2'), "{error}");
}

/// A share of common letters, 0 to 5.
#[derive(Debug)]
struct Overlap;

impl Signed for Overlap {
    fn signature(&self) -> Signature {
        Signature::new("overlap")
    }
}

impl PairScorer for Overlap {
    fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
        let share = |a: &str, b: &str| {
            let common = a.chars().filter(|&c| b.contains(c)).count();
            5.0 * common as f64 / a.chars().count().max(1) as f64
        };
        Ok(pairs.iter().map(|&(a, b)| share(a, b)).collect())
    }
}

#[test]
fn kosmic_reports_its_parts() {
    let csl = Csl::new(letters());
    let pairs = [("밥 먹었어?", "진지 드셨어요?"), ("비가 온다", "비가 온다")];
    let tone = csl.score_pairs(&pairs).unwrap();
    assert!((tone[1] - 5.0).abs() < 1e-5 && tone[0] < tone[1]);
    let weights = KosmicWeights::new(0.5, 0.25, 0.25).unwrap();
    let kosmic = Kosmic::new(Arc::new(Overlap), Arc::new(Overlap), Arc::new(csl), weights);
    let scores = kosmic.score(&pairs).unwrap();
    for (score, tone) in scores.iter().zip(&tone) {
        let parts = score.parts;
        assert_eq!(parts.csl, *tone);
        assert_eq!(score.value, 0.5 * parts.sts + 0.25 * parts.fic + 0.25 * parts.csl);
    }
    let values: Vec<f64> = scores.iter().map(|score| score.value).collect();
    assert_eq!(kosmic.score_pairs(&pairs).unwrap(), values);
}
