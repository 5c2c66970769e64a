//! Words (eojeols): what stands between white space.
//!
//! The unit that people count, and the coarsest: one wrong particle makes the whole word wrong.
//!
//! ```
//! use ko_eval_core::Tokenizer;
//! use ko_tokenize::Word;
//!
//! let units = Word::new().tokenize("나는 밥을\u{3000}먹었다.")?;
//! assert_eq!(units.iter().map(|u| u.as_str()).collect::<Vec<_>>(), ["나는", "밥을", "먹었다."]);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{Normalization, normalize};
use ko_eval_core::{Result, Signature, Signed, Token, Tokenizer, TokenizerEntry};
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: TokenizerEntry = TokenizerEntry {
    name: "word",
    summary: "words between Unicode white space",
    argument: None,
    params: &[normalize::NORM],
    build: |params| Ok(Arc::new(Word { norm: Normalization::from_params("word", params)? })),
};

/// Cuts at Unicode white space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Word {
    norm: Normalization,
}

impl Word {
    /// Words of the text in NFC.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with another normalisation.
    #[must_use]
    pub fn normalization(self, norm: Normalization) -> Self {
        Self { norm }
    }
}

impl Signed for Word {
    fn signature(&self) -> Signature {
        self.norm.sign(Signature::new("word"))
    }
}

impl Tokenizer for Word {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        self.norm.cut(text, |text| Ok(split(text)))
    }
}

/// The pieces between white space, with their places.
pub(crate) fn split(text: &str) -> Vec<Token<'_>> {
    let mut words = Vec::with_capacity(text.len() / 8);
    let mut push = |start: usize, end: usize| {
        if let Some(word) = text.get(start..end).filter(|word| !word.is_empty()) {
            words.push(Token::new(word, start..end));
        }
    };
    let (mut start, mut at) = (0, 0);
    while let Some(&lead) = text.as_bytes().get(at) {
        // Most of a Korean text is told by its leading bytes: no white space lies in U+A000 to U+DFFF.
        let (length, is_space) = match lead {
            b' ' | b'\t'..=b'\r' => (1, true),
            0x00..=0x7f => (1, false),
            0xea..=0xed => (3, false),
            _ => {
                let c = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
                (c.len_utf8(), c.is_whitespace())
            }
        };
        if is_space {
            push(start, at);
            start = at + length;
        }
        at += length;
    }
    push(start, text.len());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn splits_at_all_white_space(text in any::<String>(), spaced in "[가힣a\u{0}-\u{20}\u{85}\u{a0}\u{1680}\u{2000}-\u{200b}\u{2028}\u{202f}\u{205f}\u{3000}😀]{0,30}") {
            for text in [text, spaced] {
                let words = split(&text);
                let expected: Vec<&str> = text.split_whitespace().collect();
                prop_assert_eq!(words.iter().map(Token::as_str).collect::<Vec<_>>(), expected);
                for word in &words {
                    prop_assert_eq!(&text[word.span()], word.as_str());
                }
            }
        }
    }
}
