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

use crate::{Build, Normalization, UnitEntry, code_point, normalize};
use ko_eval_core::{Param, Pieces, Result, Signature, Signed, Token, Tokenizer};
use std::{ops::Range, sync::Arc};
use unicode_segmentation::UnicodeSegmentation;

/// The registry row.
pub(crate) const ENTRY: UnitEntry = UnitEntry {
    name: "char",
    summary: "characters: code points, or extended grapheme clusters",
    argument: None,
    params: &[
        Param { name: "by", default: "code-point", help: "code-point or grapheme" },
        Param { name: "space", default: "drop", help: "white space: drop, or keep as units" },
        normalize::NORM,
        normalize::WHITE_SPACE,
    ],
    build: Build::Tokenizer(|params| {
        let by = [("code-point", By::CodePoint), ("grapheme", By::GraphemeCluster)];
        let space = [("drop", Space::Drop), ("keep", Space::Keep)];
        Ok(Arc::new(Character {
            by: params.choose("char", "by", By::CodePoint, &by)?,
            space: params.choose("char", "space", Space::Drop, &space)?,
            norm: Normalization::from_params("char", params)?,
        }))
    }),
    not_compared: None,
};

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
            By::GraphemeCluster => signature.with("by", "grapheme"),
        };
        let signature = match self.space {
            Space::Drop => signature,
            Space::Keep => signature.with("space", "keep"),
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
