//! Synonyms out of a file, for [METEOR](crate::Meteor).
//!
//! | form | a word and its synonyms |
//! |---|---|
//! | JSON | `{"가게": ["매점", "상점"], …}` |
//! | TSV | `가게` tab `매점` tab `상점`, a line per word; blank lines are passed over |
//!
//! A file that begins with `{` is JSON. A word has the synonyms that are listed with it: a file that wants 가게 for 상점 as well says so, as WordNets do.
//! Words are compared as METEOR compares them, by stem if there is a stemmer.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_ngram_metrics::{Meteor, SynonymTable};
//! use ko_tokenize::Word;
//! use std::sync::Arc;
//!
//! let synonyms = SynonymTable::from_text("words.tsv", "가게\t매점\t상점\n")?;
//! let meteor = Meteor::builder().synonyms(Arc::new(synonyms)).build(Arc::new(Word::new()))?;
//! let segment = Segment::new("새 가게", ["새 상점"])?;
//! assert!(meteor.segment_score(&segment)?.value > 0.9);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::meteor::Synonyms;
use ko_eval_core::{Error, Fingerprint, Result, Signature, Signed};
use ko_eval_io::read::Lines;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use std::{
    collections::HashMap,
    fmt, fs,
    path::{Path, PathBuf},
};

/// Words and their synonyms.
#[derive(Clone, PartialEq, Eq)]
pub struct SynonymTable {
    words: HashMap<String, Vec<String>>,
    fingerprint: String,
}

impl SynonymTable {
    /// Reads a file of either form.
    ///
    /// # Errors
    /// A file that cannot be read, is of neither form, or has a word twice or without synonyms; the error names file and line.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|error| Error::io(path, error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid =
                error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
            let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
            bad(path, line, "not UTF-8")
        })?;
        Self::from_text(path, &text)
    }

    /// The same from the text of a file; errors call it by `name`.
    ///
    /// # Errors
    /// As [`SynonymTable::read`].
    pub fn from_text(name: impl Into<PathBuf>, text: &str) -> Result<Self> {
        let path = name.into();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let words = match text.trim_start().starts_with('{') {
            true => json(&path, text),
            false => tsv(&path, text),
        }?;
        if words.is_empty() {
            return Err(bad(&path, 1, "no word with synonyms"));
        }
        let fingerprint = Fingerprint::new().bytes(text.as_bytes()).short();
        Ok(Self { words, fingerprint })
    }

    /// How many words have synonyms.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether none has, which a table that was read never is.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

fn bad(path: &Path, line: usize, reason: impl Into<String>) -> Error {
    Error::BadLine { path: path.to_owned(), line, reason: reason.into() }
}

fn json(path: &Path, text: &str) -> Result<HashMap<String, Vec<String>>> {
    let Entries(entries) =
        serde_json::from_str(text).map_err(|error| bad(path, error.line(), error.to_string()))?;
    // JSON tells no places of what it has read: a word is looked for where it stands first.
    let line = |word: &str| {
        let quoted = serde_json::to_string(word).unwrap_or_default();
        let before = text.split(&quoted).next().unwrap_or_default();
        1 + before.matches('\n').count()
    };
    let mut words = HashMap::with_capacity(entries.len());
    for (word, synonyms) in entries {
        add(&mut words, word, synonyms).map_err(|(word, reason)| bad(path, line(&word), reason))?;
    }
    Ok(words)
}

fn tsv(path: &Path, text: &str) -> Result<HashMap<String, Vec<String>>> {
    let mut words = HashMap::new();
    let mut lines = Lines::from_reader(path, std::io::Cursor::new(text.to_owned()));
    while let Some(line) = lines.next().transpose()? {
        if line.trim().is_empty() {
            continue;
        }
        let mut cells = line.split('\t').map(|cell| cell.trim().to_owned());
        let word = cells.next().unwrap_or_default();
        let synonyms = cells.filter(|cell| !cell.is_empty()).collect();
        add(&mut words, word, synonyms).map_err(|(_, reason)| lines.error(reason))?;
    }
    Ok(words)
}

/// Adds a word, or gives it back with what is wrong with it.
fn add(
    words: &mut HashMap<String, Vec<String>>,
    word: String,
    synonyms: Vec<String>,
) -> Result<(), (String, String)> {
    if word.is_empty() {
        return Err((word, "a line without a word".into()));
    }
    if synonyms.is_empty() {
        let reason =
            format!("`{word}` has no synonym; expected a word, and its synonyms behind it");
        return Err((word, reason));
    }
    match words.insert(word.clone(), synonyms) {
        Some(_) => Err((word.clone(), format!("`{word}` stands there twice"))),
        None => Ok(()),
    }
}

/// An object's entries as they stand: a map would keep the last of two equal ones without a word.
struct Entries(Vec<(String, Vec<String>)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of words, each with a list of synonyms")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}

impl fmt::Debug for SynonymTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SynonymTable").field("words", &self.words.len()).finish_non_exhaustive()
    }
}

impl Signed for SynonymTable {
    fn signature(&self) -> Signature {
        Signature::new("file").with("sha256", &self.fingerprint).with("words", self.words.len())
    }
}

impl Synonyms for SynonymTable {
    fn synonyms(&self, word: &str) -> Vec<String> {
        self.words.get(word).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_say_the_same() {
        let json = SynonymTable::from_text("a", r#"{"가게": ["매점", "상점"], "값": ["가격"]}"#);
        let tsv = SynonymTable::from_text("b", "\u{feff}가게\t매점\t상점\r\n\n값\t가격\t\n");
        let (json, tsv) = (json.unwrap(), tsv.unwrap());
        assert_eq!(json.words, tsv.words);
        assert_eq!(json.len(), 2);
        assert_eq!(json.synonyms("가게"), ["매점", "상점"]);
        assert!(json.synonyms("상점").is_empty(), "only as it is listed");
        assert_ne!(json.signature(), tsv.signature(), "the file signs");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let cases = [
            ("", "words:1: no word with synonyms"),
            ("{}", "words:1: no word with synonyms"),
            ("가게\t매점\n값\n", "words:2: `값` has no synonym"),
            ("가게\t매점\n가게\t상점\n", "words:2: `가게` stands there twice"),
            ("\t매점\n", "words:1: a line without a word"),
            ("{\n\"가게\": [\"매점\"],\n\"값\": []}", "words:3: `값` has no synonym"),
            ("{\"가게\": [\"매점\"],\n\"가게\": [\"상점\"]}", "words:1: `가게` stands there twice"),
            ("{\n\"가게\": \"매점\"}", "words:2: invalid type: string"),
            ("{\"가게\": [\"매점\"", "words:1: EOF"),
        ];
        for (text, expected) in cases {
            let error = SynonymTable::from_text("words", text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
        let missing = SynonymTable::read("no/such/file").unwrap_err().to_string();
        assert!(missing.contains("no/such/file"), "{missing}");
    }
}
