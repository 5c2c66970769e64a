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
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace()
        .map(|word| Token::new(word, place(word)..place(word) + word.len()))
        .collect()
}
