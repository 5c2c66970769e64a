//! The units of sacreBLEU 2.6.0, for whoever has a number in hand that was published with it.
//!
//! | row | sacreBLEU's `tok` | units |
//! |---|---|---|
//! | `13a` | `13a`, its default | words; ASCII punctuation apart, as NIST's mteval-v13a did |
//! | `intl` | `intl` | words; punctuation and symbols of all scripts apart, as mteval-v14 did |
//! | `zh` | `zh` | the same as `13a`, and each Chinese character apart |
//! | `sacrebleu-char` | `char` | characters |
//! | `sacrebleu-none` | `none`; also what chrF and TER start from | words |
//! | `ko-mecab` | `ko-mecab` | surfaces of MeCab-ko on its older dictionary; feature `morpheme` |
//! | `spm:FILE.model` | `spm`, `flores101`, `flores200` | pieces of a SentencePiece model; feature `sentencepiece` |
//!
//! A unit is what sacreBLEU's BLEU counts: `BLEU(tokenize=…)._preprocess_segment(text).split()`. So white space at the end
//! of the text goes first (it decides where `intl` cuts), white space is Python's (U+001C to U+001F count), and nothing
//! is normalised: decomposed Hangul stays decomposed, as it does there. The rows take no parameters for that reason.
//!
//! sacreBLEU rewrites the whole line once per rule. Here one walk decides from a character's neighbours, in linear time; spans
//! point into the text as it was given, also where `13a` undoes `&quot;`.
//!
//! ```
//! let units = ko_tokenize::by_name("13a")?;
//! let units = units.tokenize("&quot;1,000원&quot;이에요, 정말요?")?;
//! let texts: Vec<_> = units.iter().map(|u| u.as_str()).collect();
//! assert_eq!(texts, ["\"", "1,000원", "\"", "이에요", ",", "정말요", "?"]);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

mod categories;
mod category_ranges;
mod international;
#[cfg(feature = "morpheme")]
mod ko_mecab;
mod replaced;
#[cfg(feature = "sentencepiece")]
mod spm;
mod western;

#[cfg(feature = "morpheme")]
pub use ko_mecab::SacreBleuKoMecab;
#[cfg(feature = "sentencepiece")]
pub use spm::SacreBleuSpm;

use crate::{Build, UnitEntry, entry::BuildTokenizer, normalize};
use ko_eval_core::{
    Mark, Params, Pieces, Result, Signature, Signed, Token, Tokenizer, registry::Argument,
};
use std::{ops::Range, sync::Arc};

/// sacreBLEU's tokenizers that need nothing but the text.
///
/// ```
/// use ko_tokenize::prelude::*;
///
/// let units = SacreBleu::V13a.tokenize("1,000원이에요, 정말요?")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["1,000원이에요", ",", "정말요", "?"]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SacreBleu {
    /// `13a`.
    V13a,
    /// `intl`. Which characters are numbers, punctuation and symbols is as in the Python package `regex` 2026.11.9.
    International,
    /// `zh`.
    Chinese,
    /// `char`.
    Character,
    /// `none`.
    None,
}

const fn row(name: &'static str, summary: &'static str, build: BuildTokenizer) -> UnitEntry {
    let (build, not_compared) = (Build::Tokenizer(build), Some(NOT_COMPARED));
    UnitEntry { name, summary, argument: None, params: &[], build, not_compared }
}

const NOT_COMPARED: &str =
    "it is for comparing with numbers that sacreBLEU gave; name it to have it";

/// The registry row of `13a`.
pub(crate) const V13A: UnitEntry =
    row("13a", "words and ASCII punctuation, as sacreBLEU cuts by default", |_| {
        Ok(Arc::new(SacreBleu::V13a))
    });
/// The registry row of `intl`.
pub(crate) const INTERNATIONAL: UnitEntry =
    row("intl", "words, punctuation and symbols of all scripts, as sacreBLEU's intl", |_| {
        Ok(Arc::new(SacreBleu::International))
    });
/// The registry row of `zh`.
pub(crate) const CHINESE: UnitEntry =
    row("zh", "as 13a, and each Chinese character apart, as sacreBLEU's zh", |_| {
        Ok(Arc::new(SacreBleu::Chinese))
    });
/// The registry row of `char`.
pub(crate) const CHARACTER: UnitEntry =
    row("sacrebleu-char", "characters, not normalised, as sacreBLEU's char", |_| {
        Ok(Arc::new(SacreBleu::Character))
    });
/// The registry row of `none`.
pub(crate) const NONE: UnitEntry = row(
    "sacrebleu-none",
    "words between Python's white space, not normalised, as sacreBLEU's none",
    |_| Ok(Arc::new(SacreBleu::None)),
);
/// The registry row of `ko-mecab`.
pub(crate) const KO_MECAB: UnitEntry =
    row("ko-mecab", "morphemes on the older dictionary, as sacreBLEU's ko-mecab", build_ko_mecab);
/// The registry row of `spm`.
pub(crate) const SPM: UnitEntry = UnitEntry {
    argument: Some(Argument::path("FILE")),
    ..row("spm", "SentencePiece's pieces, as sacreBLEU's spm, flores101 and flores200", build_spm)
};

#[cfg(feature = "morpheme")]
fn build_ko_mecab(_: &Params) -> Result<Arc<dyn Tokenizer>> {
    Ok(Arc::new(SacreBleuKoMecab::new()?))
}

#[cfg(not(feature = "morpheme"))]
fn build_ko_mecab(_: &Params) -> Result<Arc<dyn Tokenizer>> {
    crate::entry::lacking("sacreBLEU's ko-mecab", "morpheme")
}

#[cfg(feature = "sentencepiece")]
fn build_spm(params: &Params) -> Result<Arc<dyn Tokenizer>> {
    if params.raw().is_empty() {
        let expected = "a SentencePiece model, as in spm:FILE.model";
        return Err(ko_eval_core::Error::invalid("spm", "FILE", "", expected));
    }
    Ok(Arc::new(SacreBleuSpm::from_file(params.raw())?))
}

#[cfg(not(feature = "sentencepiece"))]
fn build_spm(_: &Params) -> Result<Arc<dyn Tokenizer>> {
    crate::entry::lacking("sacreBLEU's spm", "sentencepiece")
}

impl SacreBleu {
    /// Hands over where the units stand, in order. The text holds nothing that `13a` replaces.
    #[inline]
    fn each_unit(self, text: &str, mut each: impl FnMut(Range<usize>)) {
        let text = text.trim_end_matches(is_python_space);
        match self {
            Self::V13a => western::each_unit::<false>(text, western::Edges::Spaces, each),
            Self::International => international::each_unit(text, each),
            Self::Chinese => {
                let stripped = text.trim_start_matches(is_python_space);
                let before = text.len() - stripped.len();
                western::each_unit::<true>(stripped, western::Edges::Nothing, |span| {
                    each(before + span.start..before + span.end);
                });
            }
            Self::None => {
                let mut at = 0;
                for part in text.split_inclusive(is_python_space) {
                    let word = part.trim_end_matches(is_python_space);
                    if !word.is_empty() {
                        each(at..at + word.len());
                    }
                    at += part.len();
                }
            }
            Self::Character => text
                .char_indices()
                .filter(|(_, c)| !is_python_space(*c))
                .for_each(|(at, c)| each(at..at + c.len_utf8())),
        }
    }

    /// The text with what `13a` replaces replaced; nothing if there is nothing to replace.
    fn replaced(self, text: &str) -> Option<replaced::Replaced> {
        (self == Self::V13a).then(|| replaced::replace(text.trim_end_matches(is_python_space)))?
    }
}

impl Signed for SacreBleu {
    fn signature(&self) -> Signature {
        Signature::new(match self {
            Self::V13a => V13A.name,
            Self::International => INTERNATIONAL.name,
            Self::Chinese => CHINESE.name,
            Self::Character => CHARACTER.name,
            Self::None => NONE.name,
        })
    }
}

impl Tokenizer for SacreBleu {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        normalize::check_length(text)?;
        let mut units = Vec::with_capacity(text.len() / 4);
        match self.replaced(text) {
            None => self.each_unit(text, |span| {
                units.push(Token::new(text.get(span.clone()).unwrap_or_default(), span));
            }),
            Some(replaced) => self.each_unit(replaced.text(), |span| {
                let unit = replaced.text().get(span.clone()).unwrap_or_default();
                units.push(Token::new(unit.to_owned(), replaced.original(span)));
            }),
        }
        Ok(units)
    }

    fn cut(&self, text: &str, pieces: &mut Pieces) -> Result<()> {
        normalize::check_length(text)?;
        let replaced = self.replaced(text);
        let text = replaced.as_ref().map_or(text, |replaced| replaced.text());
        let begin = pieces.append(text);
        pieces.mark_all(text.len(), |marks| {
            let mut free = marks.iter_mut();
            let mut marked = 0;
            self.each_unit(text, |span| {
                if let Some(mark) = free.next() {
                    *mark = Mark::new(begin + span.start, span.len());
                    marked += 1;
                }
            });
            marked
        });
        Ok(())
    }
}

/// What Python's `str.split` and `str.strip` take for white space.
#[inline]
fn is_python_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// The units between Python's white space in a unit that may hold some, with the same span: `str.split` of the line that
/// sacreBLEU joined them into.
#[cfg(any(feature = "morpheme", feature = "sentencepiece"))]
fn push_split<'t>(unit: Token<'t>, units: &mut Vec<Token<'t>>) {
    if !unit.as_str().chars().any(is_python_space) {
        units.push(unit);
        return;
    }
    let parts = unit.as_str().split(is_python_space).filter(|part| !part.is_empty());
    units.extend(parts.map(|part| Token::new(part.to_owned(), unit.span())));
}
