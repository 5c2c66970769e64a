//! Named entities: who finds them, how tags say them, and how well they are found.

use ko_eval_core::{Result, Signed, par_map};
use serde::{Deserialize, Serialize};
use std::{collections::HashSet, fmt::Debug, ops::Range};

/// A named entity in a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Entity {
    /// What it is: `PS`, `LC`, `OG` …
    pub kind: String,
    /// Its bytes in the text.
    pub span: Range<usize>,
}

/// Finds named entities.
pub trait EntityTagger: Signed + Debug + Send + Sync {
    /// The entities of the text, in order, not overlapping.
    ///
    /// # Errors
    /// When the tagger fails on this text.
    fn entities(&self, text: &str) -> Result<Vec<Entity>>;

    /// The kinds of entities that it can find, if it knows.
    fn known_kinds(&self) -> Option<Vec<String>> {
        None
    }

    /// The entities of several texts. A tagger that reads many at once faster than one after the other says so here.
    ///
    /// # Errors
    /// As [`EntityTagger::entities`].
    fn entities_of(&self, texts: &[&str]) -> Result<Vec<Vec<Entity>>> {
        par_map(texts, |text| self.entities(text))
    }
}

/// What a sequence of tags such as `B-PS`, `I-PS`, `O` says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum TagScheme {
    /// As CoNLL's `conlleval` reads it, which is seqeval's default: `I-` begins an entity where none of its kind goes on, and `E-` and `S-` end one;
    /// any other mark is read as `I-`.
    #[default]
    Conll,
    /// As seqeval reads it with `mode="strict", scheme=IOB2`: only `B-` begins an entity, and an `I-` that continues none says nothing.
    Iob2,
}

impl TagScheme {
    /// The kinds that these tags name, each once.
    ///
    /// ```
    /// # use ko_eval_model::TagScheme;
    /// assert_eq!(TagScheme::kinds(&["O", "B-PS", "I-PS", "B-LC"]), ["PS", "LC"]);
    /// ```
    pub fn kinds<T: AsRef<str>>(tags: &[T]) -> Vec<String> {
        let mut kinds: Vec<String> = Vec::new();
        for (mark, kind) in tags.iter().map(|tag| parts(tag.as_ref())) {
            if mark != 'O' && !kinds.iter().any(|known| known == kind) {
                kinds.push(kind.to_owned());
            }
        }
        kinds
    }

    /// The entities that tags say, where each tag has a place in a text.
    ///
    /// ```
    /// use ko_eval_model::TagScheme;
    ///
    /// let tags = ["B-PS", "I-PS", "O", "I-LC"];
    /// let places = [0..3, 3..6, 6..7, 7..13]; // 민, 수, a space, 부산
    /// let found = TagScheme::Conll.entities(&tags, &places);
    /// assert_eq!((found[0].span.clone(), found[1].kind.as_str()), (0..6, "LC"));
    /// assert_eq!(TagScheme::Iob2.entities(&tags, &places).len(), 1);
    /// ```
    pub fn entities<T: AsRef<str>>(self, tags: &[T], places: &[Range<usize>]) -> Vec<Entity> {
        let mut entities: Vec<Entity> = Vec::new();
        let mut before = ('O', "_");
        let mut is_open = false;
        for (tag, place) in tags.iter().zip(places) {
            let (mark, kind) = parts(tag.as_ref());
            let goes_on = match self {
                Self::Conll => {
                    is_open
                        && !matches!(mark, 'B' | 'S' | 'O')
                        && !matches!(before.0, 'E' | 'S')
                        && before.1 == kind
                }
                Self::Iob2 => is_open && mark == 'I' && before.1 == kind,
            };
            let begins = match self {
                Self::Conll => mark != 'O',
                Self::Iob2 => mark == 'B',
            };
            match entities.last_mut() {
                Some(entity) if goes_on => entity.span.end = place.end,
                _ if begins => {
                    entities.push(Entity { kind: kind.to_owned(), span: place.clone() });
                }
                _ => {}
            }
            is_open = goes_on || begins;
            before = (mark, kind);
        }
        entities
    }
}

/// A tag's mark and kind; a tag without a kind has the kind `_`, as in seqeval.
fn parts(tag: &str) -> (char, &str) {
    let mut rest = tag.chars();
    let mark = rest.next().unwrap_or('O');
    // A dot is nothing, as in the files of CoNLL.
    let mark = if mark == '.' { 'O' } else { mark };
    let rest = rest.as_str();
    let kind = rest.split_once('-').map_or(rest, |(_, kind)| kind);
    (mark, if kind.is_empty() { "_" } else { kind })
}

/// How well entities are found: one counts as found if kind and place are right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityCounts {
    /// Found and right.
    pub right: usize,
    /// Found.
    pub found: usize,
    /// There.
    pub there: usize,
}

impl EntityCounts {
    /// Compares a tagger with texts whose entities are known.
    ///
    /// # Errors
    /// When the tagger fails.
    pub fn of<'t>(
        tagger: &dyn EntityTagger,
        texts: impl IntoIterator<Item = (&'t str, &'t [Entity])>,
    ) -> Result<Self> {
        let (texts, there): (Vec<&str>, Vec<&[Entity]>) = texts.into_iter().unzip();
        let mut counts = Self::default();
        for (found, there) in tagger.entities_of(&texts)?.iter().zip(there) {
            counts.add(found, there);
        }
        Ok(counts)
    }

    /// Counts one more text. What is found twice is right once, as in seqeval.
    pub fn add(&mut self, found: &[Entity], there: &[Entity]) {
        let distinct: HashSet<&Entity> = found.iter().collect();
        let known: HashSet<&Entity> = there.iter().collect();
        self.right += distinct.intersection(&known).count();
        self.found += found.len();
        self.there += there.len();
    }

    /// Which share of what was found is right; 0 where nothing was found.
    pub fn precision(&self) -> f64 {
        self.right as f64 / self.found.max(1) as f64
    }

    /// Which share of what is there was found; 0 where nothing is there.
    pub fn recall(&self) -> f64 {
        self.right as f64 / self.there.max(1) as f64
    }

    /// The harmonic mean of precision and recall over all entities, which is seqeval's micro average; 0 where nothing is right.
    pub fn f1(&self) -> f64 {
        2.0 * self.right as f64 / (self.found + self.there).max(1) as f64
    }
}
