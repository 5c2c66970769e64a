//! A unit of your own, with any metric.

use ko_eval::{Result, Segment, Signature, Signed, Spec, Token, Tokenizer};
use std::sync::Arc;

/// Cuts after full stops and commas.
#[derive(Debug)]
struct Clauses;

impl Signed for Clauses {
    fn signature(&self) -> Signature {
        Signature::new("clauses")
    }
}

impl Tokenizer for Clauses {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        let mut at = 0;
        let pieces = text.split_inclusive([',', '.']).map(|piece| {
            at += piece.len();
            Token::new(piece.trim(), at - piece.len()..at)
        });
        Ok(pieces.collect())
    }
}

fn main() -> Result<()> {
    let spec: Spec = "bleu:order=1".parse()?;
    let bleu = ko_eval::MetricEntry::build_from(ko_eval::METRICS, &spec, Arc::new(Clauses))?;
    let segment = Segment::new("비가 와서, 집에 있었다.", ["비가 와서, 나가지 않았다."])?;
    println!("{:.2}  {}", bleu.segment_score(&segment)?.value, bleu.signature());
    Ok(())
}
