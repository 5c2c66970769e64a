//! A segment's units as small integers: cut once, hashed once, compared cheaply ever after.

use ko_eval_core::{Result, Segment, Token, Tokenizer};
use rustc_hash::FxHashMap;

/// The units of a hypothesis and its references; equal texts have equal numbers, counted from 0 in
/// order of appearance.
#[derive(Debug)]
pub(crate) struct Units {
    pub(crate) hypothesis: Vec<u32>,
    pub(crate) references: Vec<Vec<u32>>,
}

impl Units {
    /// Cuts and numbers a segment's texts.
    pub(crate) fn of(tokenizer: &dyn Tokenizer, segment: &Segment<'_>) -> Result<Self> {
        let hypothesis = tokenizer.tokenize(segment.hypothesis())?;
        let references: Vec<Vec<Token<'_>>> = segment
            .references()
            .iter()
            .map(|text| tokenizer.tokenize(text))
            .collect::<Result<_>>()?;
        let mut numbers = FxHashMap::default();
        let mut number = |tokens: &[Token<'_>]| -> Vec<u32> {
            tokens
                .iter()
                .map(|token| {
                    let next = numbers.len() as u32;
                    *numbers.entry(token.as_str().to_owned()).or_insert(next)
                })
                .collect()
        };
        Ok(Self {
            hypothesis: number(&hypothesis),
            references: references.iter().map(|tokens| number(tokens)).collect(),
        })
    }
}
