//! All schemes side by side, and what they do to a score.

use anyhow::Result;
use ko_eval::{Corpus, METRICS, MetricEntry, Tokenizer};
use ko_tokenize::subword::{Algorithm, VocabularyTraining};
use std::sync::Arc;

/// A machine's sentences, and how a person would say it.
const PAIRS: &[(&str, &str)] = &[
    ("저는 어제 시장에서 국밥을 먹었어요.", "저는 어제 시장에서 국밥을 먹었습니다."),
    ("비가 와서 사람들이 카페로 뛰었다.", "비가 오자 사람들이 카페로 뛰어 들어갔다."),
    ("선생님이 보고서를 다 읽으셨다.", "선생님께서 보고서를 모두 읽으셨다."),
];

/// Texts to learn the subword vocabulary from; a real one is learned from many more.
const TEXTS: &[&str] = &[
    "저는 오늘 시장에서 국수를 먹었습니다.",
    "우리는 어제 카페에서 커피를 마셨습니다.",
    "사람들이 시장으로 뛰어 들어갔다.",
    "선생님께서 학생들의 보고서를 모두 읽으셨습니다.",
    "비가 와서 모두 집으로 들어갔다.",
];

pub(crate) fn run() -> Result<()> {
    let mut units: Vec<(&str, Arc<dyn Tokenizer>)> = Vec::new();
    for name in ["word", "mecab", "char", "jamo"] {
        units.push((name, ko_eval::unit(name)?));
    }
    units.insert(
        2,
        ("subword", Arc::new(VocabularyTraining::new(Algorithm::Bpe, 90).learn(TEXTS)?)),
    );

    for (hypothesis, _) in PAIRS {
        println!("{hypothesis}");
        for (name, unit) in &units {
            let tokens = unit.tokenize(hypothesis)?;
            let pieces: Vec<_> = tokens.iter().map(|token| token.as_str()).collect();
            println!("  {name:<8} {}", pieces.join(" · "));
        }
        println!();
    }

    let corpus =
        Corpus::from_columns(PAIRS.iter().map(|(h, _)| *h), [PAIRS.iter().map(|(_, r)| *r)])?;
    let segments = corpus.segments();
    println!("The same {} sentences against their references, by unit:", PAIRS.len());
    println!("  {:<8} {:>8} {:>8} {:>8}", "", "BLEU-2", "chrF", "ROUGE-L");
    for (name, unit) in &units {
        print!("  {name:<8}");
        for metric in ["bleu:order=2", "chrf", "rouge-l"] {
            let scorer = MetricEntry::build_from(METRICS, &metric.parse()?, Arc::clone(unit))?;
            print!(" {:>8.2}", scorer.corpus_score(&segments)?.score.value);
        }
        println!();
    }
    Ok(())
}
