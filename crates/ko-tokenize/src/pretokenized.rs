//! Text that is already cut, its units joined by white space.
//!
//! For output of a tokenizer of your own: nothing is normalised, and nothing is cut but at white space.
//!
//! ```
//! use ko_eval_core::Tokenizer;
//! use ko_tokenize::Pretokenized;
//!
//! let units = Pretokenized::new().tokenize("나 는 밥 을 먹 었 다 .")?;
//! assert_eq!(units.len(), 8);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{Build, Normalization, UnitEntry, Word};
use ko_eval_core::{Pieces, Result, Signature, Signed, Token, Tokenizer, Vocabulary};
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: UnitEntry = UnitEntry {
    name: "none",
    summary: "text that is already cut, units joined by white space; nothing is changed",
    argument: None,
    params: &[],
    build: Build::Tokenizer(|_| Ok(Arc::new(Pretokenized::new()))),
    not_compared: Some("it takes text that is already cut; plain text becomes words"),
};

/// Takes the units as they come.
///
/// ```
/// use ko_tokenize::prelude::*;
///
/// let units = Pretokenized::new().tokenize("밥 을 먹 자 .")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["밥", "을", "먹", "자", "."]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pretokenized {
    _private: (),
}

impl Pretokenized {
    /// Units between white space.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Signed for Pretokenized {
    fn signature(&self) -> Signature {
        Signature::new("none")
    }
}

/// Words of the text as it is.
fn words() -> Word {
    Word::new().normalization(Normalization::NONE)
}

impl Tokenizer for Pretokenized {
    fn is_cheap(&self) -> bool {
        true
    }

    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        words().tokenize(text)
    }

    fn cut(&self, text: &str, pieces: &mut Pieces) -> Result<()> {
        words().cut(text, pieces)
    }

    fn number(&self, text: &str, vocabulary: &mut Vocabulary) -> Result<()> {
        words().number(text, vocabulary)
    }
}
