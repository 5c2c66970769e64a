//! Characters: code points, or what a reader would call a character.
//!
//! ```
//! use ko_eval_core::Tokenizer;
//! use ko_tokenize::{Character, character::By};
//!
//! let units = Character::new().tokenize("밥을 먹자")?;
//! assert_eq!(units.iter().map(|u| u.as_str()).collect::<Vec<_>>(), ["밥", "을", "먹", "자"]);
//! // A family is five code points and one character.
//! let clusters = Character::new().by(By::GraphemeCluster).tokenize("👨‍👩‍👧")?;
//! assert_eq!(clusters.len(), 1);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{Build, Normalization, UnitEntry, normalize, word::code_point};
use ko_eval_core::{Pieces, Result, Signature, Signed, Token, Tokenizer, setting::Choice};
use std::{ops::Range, sync::Arc};
use unicode_segmentation::UnicodeSegmentation;

/// The registry row.
pub(crate) const ENTRY: UnitEntry = UnitEntry {
    name: "char",
    summary: "characters: code points, or extended grapheme clusters",
    argument: None,
    params: &[BY.param(), SPACE.param(), normalize::NORM.param(), normalize::WHITE_SPACE.param()],
    build: Build::Tokenizer(|params| {
        Ok(Arc::new(Character {
            by: params.read(&BY)?,
            space: params.read(&SPACE)?,
            norm: Normalization::read(params)?,
        }))
    }),
    not_compared: None,
};

const BY: Choice<By> = Choice::new(
    "by",
    &[("code-point", By::CodePoint), ("grapheme", By::GraphemeCluster)],
    "what counts as one character",
);
const SPACE: Choice<Space> = Choice::new(
    "space",
    &[("drop", Space::Drop), ("keep", Space::Keep)],
    "white space: drop it, or keep it as units",
);

/// What counts as one character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum By {
    /// A Unicode scalar value.
    #[default]
    CodePoint,
    /// An extended grapheme cluster (UAX #29): old Hangul syllables and emoji sequences stay whole.
    GraphemeCluster,
}

/// What happens to white space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Space {
    /// It is no unit.
    #[default]
    Drop,
    /// It is a unit like any other.
    Keep,
}

/// Cuts into characters.
///
/// ```
/// use ko_tokenize::prelude::*;
///
/// let units = Character::new().tokenize("밥을 먹자.")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["밥", "을", "먹", "자", "."]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Character {
    by: By,
    space: Space,
    norm: Normalization,
}

impl Character {
    /// Code points of the text in NFC, without white space.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with another idea of a character.
    #[must_use]
    pub fn by(self, by: By) -> Self {
        Self { by, ..self }
    }

    /// The same with white space dropped or kept.
    #[must_use]
    pub fn space(self, space: Space) -> Self {
        Self { space, ..self }
    }

    /// The same with another normalisation.
    #[must_use]
    pub fn normalization(self, norm: Normalization) -> Self {
        Self { norm, ..self }
    }
}

impl Signed for Character {
    fn signature(&self) -> Signature {
        let signature = Signature::new("char");
        let signature = match self.by {
            By::CodePoint => signature,
            other => signature.with("by", BY.word(&other)),
        };
        let signature = match self.space {
            Space::Drop => signature,
            other => signature.with("space", SPACE.word(&other)),
        };
        self.norm.sign(signature)
    }
}

impl Character {
    /// Hands over the places of the characters of a normalised text.
    #[inline]
    fn each_character(&self, text: &str, mut each: impl FnMut(Range<usize>)) {
        let drop = self.space == Space::Drop;
        match self.by {
            By::CodePoint => {
                let mut at = 0;
                while let Some((length, is_space)) = code_point::look(text, at) {
                    if !(drop && is_space) {
                        each(at..at + length);
                    }
                    at += length;
                }
            }
            By::GraphemeCluster => {
                let is_space = |unit: &str| unit.chars().all(char::is_whitespace);
                let clusters = text.grapheme_indices(true);
                clusters
                    .filter(|(_, unit)| !(drop && is_space(unit)))
                    .for_each(|(at, unit)| each(at..at + unit.len()));
            }
        }
    }
}

impl Tokenizer for Character {
    fn is_cheap(&self) -> bool {
        true
    }

    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        self.norm.cut(text, |text| {
            let mut tokens = Vec::with_capacity(text.len() / 2);
            self.each_character(text, |span| {
                tokens.push(Token::new(text.get(span.clone()).unwrap_or_default(), span));
            });
            Ok(tokens)
        })
    }

    fn cut(&self, text: &str, pieces: &mut Pieces) -> Result<()> {
        let text = self.norm.checked(text)?;
        match self.by {
            By::CodePoint => {
                let drop = self.space == Space::Drop;
                pieces.write(text.len(), |to| {
                    let mut written = 0;
                    for c in text.chars() {
                        let Some(next) = to.get_mut(written) else { break };
                        *next = c;
                        // What is dropped is written over.
                        written += usize::from(!(drop && c.is_whitespace()));
                    }
                    written
                });
            }
            By::GraphemeCluster => {
                let begin = pieces.append(&text);
                self.each_character(&text, |span| {
                    pieces.mark(begin + span.start..begin + span.end);
                });
            }
        }
        Ok(())
    }
}
