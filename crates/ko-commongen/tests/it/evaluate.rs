//! A system scored, and candidates re-ranked, against values worked out by hand.

use crate::recorded;
use ko_commongen::{
    BadLines, Candidate, Candidates, Columns, Evaluator, Item, Pairs, Protocol, Reranker,
    SystemScores,
};
use ko_eval_core::{Scorer, Segment, Signature, Signed};
use ko_eval_io::Progress;
use ko_eval_model::{Embeddings, Encoder, Encoding};
use std::sync::{Arc, Mutex};

const SET: [&str; 5] = ["아이", "공원", "빨간", "공", "찬다"];
const WHOLE: &str = "아이가 공원에서 빨간 공을 찬다.";
const SHORT: &str = "아이가 공을 찬다.";

fn pairs(references: &[&str]) -> Pairs {
    let item = Item::new(SET, references.iter().copied()).unwrap();
    let system = ["아이가 빨간 공을 던진다.", WHOLE].map(String::from);
    Pairs::new(vec![item.clone(), item], system.to_vec()).unwrap()
}

fn scores(references: &[&str], protocol: Protocol) -> SystemScores {
    let evaluator = Evaluator::new(recorded::analyzer(), protocol);
    evaluator.evaluate(&pairs(references), &()).unwrap()
}

fn near(found: Columns, expected: [f64; 6]) {
    for ((name, a), b) in Columns::NAMES.iter().zip(found.values()).zip(expected) {
        assert!((a - b).abs() < 1e-3, "{name}: {a} instead of {b}");
    }
}

#[test]
fn columns_by_hand() {
    let first = [20.0, 0.0, 41.7808, 78.0051, 52.15, 60.0];
    let second = [100.0, 100.0, 100.0, 100.0, 99.6, 100.0];
    let released = scores(&[WHOLE, SHORT], Protocol::Released);
    near(released.by_segment[0], first);
    near(released.by_segment[1], second);
    near(released.columns, std::array::from_fn(|i| (first[i] + second[i]) / 2.0));
    // The paper's tables lose the last segment of three columns.
    let paper = scores(&[WHOLE, SHORT], Protocol::Paper);
    near(paper.columns, [20.0, 0.0, 70.8904, 89.0025, 52.15, 80.0]);
    // One reference: precisions of the corpus, 8 of 12 trigrams and 6 of 10 runs of four.
    let single = scores(&[WHOLE], Protocol::Paper);
    near(single.columns, [66.6667, 60.0, 70.8904, 86.6734, 75.875, 80.0]);
}

#[test]
fn real_metrics_stand_beside() {
    let found = scores(&[WHOLE], Protocol::Released);
    let names: Vec<_> = found.standard.keys().map(String::as_str).collect();
    assert_eq!(names, ["bleu3", "bleu4", "rouge2", "rougeL"]);
    assert!((found.standard["bleu3"].score.value - found.columns.p3).abs() > 1.0);
    let json = serde_json::to_value(&found).unwrap();
    assert_eq!(json["rougeL"], found.columns.rouge_l);
    assert_eq!(json["protocol"], "released");
    assert_eq!(serde_json::from_value::<SystemScores>(json).unwrap(), found);
    assert!(found.to_string().contains("p3 (\"BLEU 3\")    60.00"), "{found}");
    assert!(found.signature.to_string().contains("protocol:released|tok:recorded-mecab-ko@2.1.1"));
}

/// Every stage: its name, its steps, and how many of them were taken.
#[derive(Default)]
struct Log(Mutex<Vec<(String, Option<u64>, u64)>>);

impl Progress for Log {
    fn begin(&self, what: &str, steps: Option<u64>) {
        self.0.lock().unwrap().push((what.to_owned(), steps, 0));
    }

    fn advance(&self, by: u64) {
        self.0.lock().unwrap().last_mut().unwrap().2 += by;
    }
}

#[test]
fn any_metric_can_be_added_and_progress_is_told() {
    let word: Arc<dyn Scorer> =
        Arc::new(ko_ngram_metrics::Chrf::new(Arc::new(ko_tokenize::Word::new())));
    let evaluator = Evaluator::new(recorded::analyzer(), Protocol::Paper).also("chrf", word);
    let log = Log::default();
    let found = evaluator.evaluate(&pairs(&[WHOLE]), &log).unwrap();
    assert!(found.standard["chrf"].score.value > 50.0);
    let stages = log.0.into_inner().unwrap();
    assert!(stages.contains(&("score".to_owned(), Some(2), 2)), "{stages:?}");
    // The standard metrics, and the one that was added.
    assert!(stages.contains(&("metrics beside them".to_owned(), Some(5), 5)), "{stages:?}");
    assert!(stages.iter().all(|(_, steps, done)| *steps == Some(*done)), "{stages:?}");
}

/// A vector per syllable: enough for a neural metric, without a model.
#[derive(Debug)]
struct Syllables;

impl Signed for Syllables {
    fn signature(&self) -> Signature {
        Signature::new("syllables")
    }
}

impl Encoder for Syllables {
    fn encode(&self, texts: &[&str]) -> ko_eval_core::Result<Vec<Encoding>> {
        let encode = |text: &&str| {
            let tokens: Vec<String> = text.chars().map(String::from).collect();
            let data = text.chars().flat_map(|c| [7, 11, 13].map(|m| (c as u32 % m) as f32 - 4.5));
            let special = vec![false; tokens.len()];
            Encoding::new(tokens, special, Embeddings::from_rows(3, data.collect())?)
        };
        texts.iter().map(encode).collect()
    }
}

#[test]
fn bertscore_can_be_added() {
    let metric = ko_neural::BertScore::new(Arc::new(Syllables));
    let evaluator = Evaluator::new(recorded::analyzer(), Protocol::Released)
        .also("bertscore", Arc::new(metric.clone()));
    let pairs = pairs(&[WHOLE]);
    let found = evaluator.evaluate(&pairs, &()).unwrap();
    let beside = &found.standard["bertscore"];
    assert!(beside.signature.to_string().starts_with("BERTScore|encoder:syllables"));
    // The second sentence is its reference; the first shares most of its syllables with it.
    let first = Segment::new("아이가 빨간 공을 던진다.", [WHOLE]).unwrap();
    let expected = (metric.segment_score(&first).unwrap().value + 1.0) / 2.0;
    assert!((beside.score.value - expected).abs() < 1e-6, "{}", beside.score.value);
    assert!(expected > 0.9 && expected < 1.0, "{expected}");
}

#[test]
fn a_text_that_cannot_be_analysed_is_an_error() {
    let item = Item::new(SET, [WHOLE]).unwrap();
    let pairs = Pairs::new(vec![item], vec!["모르는 문장이다.".into()]).unwrap();
    let result = Evaluator::new(recorded::analyzer(), Protocol::Paper).evaluate(&pairs, &());
    assert!(result.unwrap_err().to_string().contains("모르는"));
}

#[test]
fn coverage_chooses_then_the_score_then_the_order() {
    let reranker = Reranker::new(recorded::analyzer());
    let choose = |candidates: &[(&str, Option<f64>)]| {
        let candidates = candidates
            .iter()
            .map(|(text, score)| Candidate { text: (*text).into(), score: *score });
        let offered = Candidates { concept_set: SET.join("#"), candidates: candidates.collect() };
        reranker.choose(&offered).map(|choice| choice.index)
    };
    let (weak, strong) = (SHORT, WHOLE);
    assert_eq!(choose(&[(weak, Some(9.0)), (strong, Some(-9.0))]).unwrap(), 1);
    assert_eq!(choose(&[(strong, None), (strong, Some(-2.0)), (strong, Some(-1.0))]).unwrap(), 2);
    assert_eq!(choose(&[(weak, None), (strong, None), (strong, Some(f64::NAN))]).unwrap(), 1);
    assert!(choose(&[]).is_err());
}

#[test]
fn a_file_of_candidates() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let line = format!(
        r#"{{"concept-set": "{}", "candidates": ["{SHORT}", {{"text": "{WHOLE}", "score": -1.5}}]}}"#,
        SET.join("#")
    );
    std::fs::write(
        file.path(),
        format!("{line}\n{{\"concept-set\": \"공\", \"candidates\": []}}\n"),
    )
    .unwrap();
    let reranker = Reranker::new(recorded::analyzer());
    let error = reranker.choose_all(file.path(), BadLines::Refuse, &()).unwrap_err().to_string();
    assert!(error.contains(":2:") && error.contains("no candidates"), "{error}");
    let chosen = reranker.choose_all(file.path(), BadLines::Skip, &()).unwrap();
    assert_eq!((chosen.rows[0].1.text.as_str(), chosen.skipped.len()), (WHOLE, 1));
}
