//! The same sentence by several units.

use super::say;
use crate::output;
use anyhow::Result;
use ko_eval::{
    Tokenizer,
    tokenize::subword::{Algorithm, VocabularyTraining},
};
use std::sync::Arc;

const SENTENCE: &str = "할머니께서 진지를 드시고 주무셨습니다.";

pub(super) fn show() -> Result<()> {
    let mut units: Vec<(&str, Arc<dyn Tokenizer>)> =
        vec![("word", ko_eval::unit("word")?), ("mecab", ko_eval::unit("mecab")?)];
    // Of all samples; a real vocabulary is learned from many more texts.
    let texts: Vec<&str> = super::SAMPLES
        .iter()
        .filter(|(name, _)| name.ends_with(".txt"))
        .flat_map(|(_, text)| text.lines())
        .collect();
    let subword = VocabularyTraining::new(Algorithm::Bpe, 250).learn(&texts)?;
    units.push(("subword", Arc::new(subword)));
    for name in ["char", "jamo"] {
        units.push((name, ko_eval::unit(name)?));
    }
    let mut text = format!("{SENTENCE}\n");
    for (name, unit) in &units {
        let tokens = unit.tokenize(SENTENCE)?;
        let pieces: Vec<_> = tokens.iter().map(|token| token.as_str()).collect();
        output::hanging(&mut text, &format!("  {name:<8} "), &pieces.join(" · "), output::width());
    }
    say(&text)
}
