//! `spm`: SentencePiece's pieces, split again where a piece holds white space.

use super::{is_python_space, push_split};
use crate::{Error, sentencepiece::SentencePiece};
use ko_eval_core::{Result, Signature, Signed, Token, Tokenizer};
use std::path::Path;

/// sacreBLEU's `spm` over a model file; `flores101` and `flores200` are such files.
///
/// ```no_run
/// use ko_tokenize::{prelude::*, sacrebleu::SacreBleuSpm, sentencepiece::SentencePiece};
///
/// let spm = SacreBleuSpm::from(SentencePiece::from_file("flores200.model")?);
/// assert_eq!(spm.tokenize("나는 밥을 먹었다")?[0], "▁나는"); // it depends on the model
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SacreBleuSpm(SentencePiece);

impl SacreBleuSpm {
    /// Reads a model file.
    ///
    /// # Errors
    /// As [`SentencePiece::from_file`].
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        SentencePiece::from_file(path).map(Self)
    }
}

impl From<SentencePiece> for SacreBleuSpm {
    fn from(model: SentencePiece) -> Self {
        Self(model)
    }
}

impl Signed for SacreBleuSpm {
    fn signature(&self) -> Signature {
        let inner = self.0.signature();
        let name = inner.name().replacen("subword", super::SPM.name, 1);
        inner
            .fields()
            .fold(Signature::new(name), |signature, (key, value)| signature.with(key, value))
    }
}

impl Tokenizer for SacreBleuSpm {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        let mut units = Vec::new();
        for unit in self.0.tokenize(text.trim_end_matches(is_python_space))? {
            push_split(unit, &mut units);
        }
        Ok(units)
    }
}
