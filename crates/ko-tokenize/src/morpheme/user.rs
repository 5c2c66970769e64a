//! Words of the user's own, beside the dictionary's.

use super::dictionary::{Dictionary, DictionaryError, Word};
use crate::{Normalization, Tag};
use ko_eval_core::Fingerprint;
use ko_eval_core::{Error, Result};
use std::{collections::BTreeMap, fs, path::Path};

/// A word, its tag, and its cost: the lower the cost, the more readily the word is chosen.
///
/// Costs are on the dictionary's own scale, where common nouns cost about 1000 to 4000; a word at -1000 nearly always wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserWord {
    /// As written in texts.
    pub surface: String,
    /// Its part of speech; it connects as the dictionary's words of that tag do.
    pub tag: Tag,
    /// Its cost.
    pub cost: i16,
}

/// The user's words.
///
/// ```
/// use ko_tokenize::{Tag, morpheme::user::UserDictionary};
///
/// let words = UserDictionary::new().with("딥러닝", Tag::Nng, 0);
/// assert_eq!(words.words().len(), 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserDictionary {
    words: Vec<UserWord>,
}

impl UserDictionary {
    /// No words.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more word.
    #[must_use]
    pub fn with(mut self, surface: impl Into<String>, tag: Tag, cost: i16) -> Self {
        self.words.push(UserWord { surface: surface.into(), tag, cost });
        self
    }

    /// The words, in order.
    pub fn words(&self) -> &[UserWord] {
        &self.words
    }

    /// Reads a file of lines `surface,tag,cost`: `딥러닝,NNG,0`. Blank lines are skipped.
    ///
    /// # Errors
    /// A file that cannot be read, or a line that is not of this form.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|source| Error::io(path, source))?;
        let words = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let words = words.map(|(index, line)| {
            parse(line).map_err(|reason| Error::BadLine {
                path: path.to_owned(),
                line: index + 1,
                reason,
            })
        });
        Ok(Self { words: words.collect::<Result<_>>()? })
    }

    /// Eight hexadecimal digits that stand for the words, for a signature.
    pub fn checksum(&self) -> String {
        let add = |all: Fingerprint, UserWord { surface, tag, cost }: &UserWord| {
            all.bytes(format!("{surface},{tag},{cost}\n").as_bytes())
        };
        self.words.iter().fold(Fingerprint::new(), add).digits(8)
    }
}

fn parse(line: &str) -> Result<UserWord, String> {
    // From the right: a surface may hold commas.
    let mut fields = line.rsplitn(3, ',').map(str::trim);
    let (Some(cost), Some(tag), Some(surface)) = (fields.next(), fields.next(), fields.next())
    else {
        return Err(format!("`{line}` is not `surface,tag,cost`"));
    };
    Ok(UserWord {
        surface: surface.to_owned(),
        tag: tag.parse().map_err(|error: crate::tag::UnknownTag| error.to_string())?,
        cost: cost.parse().map_err(|_| format!("cost `{cost}` is not between -32768 and 32767"))?,
    })
}

/// The user's words, ready for the lattice.
pub(super) struct UserWords {
    words: Vec<UserWord>,
    /// As the lattice takes them.
    packed: Vec<Word>,
    /// A tree of surfaces: from a place in it (0 at first), by a code point, to the next.
    steps: BTreeMap<(u32, char), u32>,
    /// The numbers of the words that end at each place.
    ends: Vec<Vec<u32>>,
}

impl std::fmt::Debug for UserWords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("UserWords").field(&self.words).finish()
    }
}

impl UserWords {
    pub(super) fn new(
        words: &UserDictionary,
        dictionary: &Dictionary,
        norm: Normalization,
    ) -> crate::error::Result<Self> {
        let (packed, steps, ends) = (Vec::new(), BTreeMap::new(), vec![Vec::new()]);
        let mut all = Self { words: words.words.clone(), packed, steps, ends };
        for word in &words.words {
            let bad =
                |reason: String| DictionaryError::BadWord { surface: word.surface.clone(), reason };
            let surface = norm.apply(&word.surface);
            if surface.trim().is_empty() || surface.contains('\0') {
                let reason = "it is blank, or holds a character that no word can";
                return Err(bad(reason.into()).into());
            }
            let kind = dictionary.kind_like(word.tag.as_str(), &surface).ok_or_else(|| {
                bad(format!("the dictionary has no word of tag {} to connect like", word.tag))
            })?;
            all.add(&surface, Word { kind, cost: word.cost, more: false });
        }
        Ok(all)
    }

    fn add(&mut self, surface: &str, word: Word) {
        let mut at = 0;
        for c in surface.chars() {
            let new = self.ends.len() as u32;
            at = *self.steps.entry((at, c)).or_insert(new);
            if at == new {
                self.ends.push(Vec::new());
            }
        }
        if let Some(end) = self.ends.get_mut(at as usize) {
            end.push(self.packed.len() as u32);
        }
        self.packed.push(word);
    }

    /// The words that the text begins with, short ones first, and their lengths in code points.
    pub(super) fn starting<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (u32, u32)> {
        let places = text.chars().scan(0, |at, c| {
            *at = *self.steps.get(&(*at, c))?;
            Some(*at)
        });
        places.zip(1..).flat_map(|(at, length)| {
            let words = self.ends.get(at as usize).map_or(&[][..], Vec::as_slice);
            words.iter().map(move |word| (*word, length))
        })
    }

    /// A word by its number.
    pub(super) fn word(&self, number: u32) -> Option<Word> {
        self.packed.get(number as usize).copied()
    }

    pub(super) fn tag(&self, number: u32) -> Option<Tag> {
        self.words.get(number as usize).map(|word| word.tag)
    }
}
