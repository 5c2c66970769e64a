//! The published files: a set of concepts, and sentences that use them.
//!
//! Two forms are published, and both are read and written here to the byte:
//!
//! | form | one line |
//! |---|---|
//! | JSONL, one reference | `{"concept-set": "공#선수", "scene": "선수가 공을 찬다."}` |
//! | JSONL, several | `{"concept-set": "공#선수", "scene": ["선수가 공을 찬다.", "공은 선수의 것이다."]}` |
//! | text | `[SOS] 공#선수 = 선수가 공을 찬다. = 공은 선수의 것이다. [EOS]` |
//!
//! ```
//! use ko_commongen::Item;
//!
//! let item: Item = "[SOS] 공#선수 = 선수가 공을 찬다. [EOS]".parse()?;
//! assert_eq!(item.concepts(), ["공", "선수"]);
//! assert_eq!(item.to_json(), r#"{"concept-set": "공#선수", "scene": "선수가 공을 찬다."}"#);
//! assert_eq!(item.to_json().parse::<Item>()?, item);
//! # Ok::<(), ko_commongen::Error>(())
//! ```

use crate::Error;
use ko_eval_core::{Error as CoreError, Result};
use ko_eval_io::{files::write_atomically, read::Lines};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{
    path::{Path, PathBuf},
    str::FromStr,
};

/// What stands between two concepts.
const MARK: char = '#';
const BEGIN: &str = "[SOS] ";
const BETWEEN: &str = " = ";
const END: &str = " [EOS]";

/// A concept set with the sentences that were written for it. Never empty on either side.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Item {
    concepts: Vec<String>,
    references: Vec<String>,
}

impl Item {
    /// An item.
    ///
    /// # Errors
    /// When there is no concept or no reference, or one of them cannot stand in a line.
    pub fn new<C: Into<String>, R: Into<String>>(
        concepts: impl IntoIterator<Item = C>,
        references: impl IntoIterator<Item = R>,
    ) -> Result<Self, Error> {
        let concepts: Vec<String> = concepts.into_iter().map(Into::into).collect();
        let references: Vec<String> = references.into_iter().map(Into::into).collect();
        if concepts.is_empty() {
            return Err(Error::EmptyConceptSet);
        }
        if references.is_empty() {
            return Err(Error::NoReference);
        }
        let broken = |text: &str| text.trim().is_empty() || text.contains(['\n', '\r']);
        if let Some(bad) = concepts.iter().find(|c| broken(c) || c.contains(MARK)) {
            return Err(Error::BadConcept(bad.clone()));
        }
        if let Some(bad) = references.iter().find(|r| broken(r)) {
            return Err(Error::BadReference(bad.clone()));
        }
        Ok(Self { concepts, references })
    }

    /// The concepts, in the order of the file.
    pub fn concepts(&self) -> &[String] {
        &self.concepts
    }

    /// The sentences.
    pub fn references(&self) -> &[String] {
        &self.references
    }

    /// The concepts as the files write them: `공#선수`.
    pub fn concept_set(&self) -> String {
        self.concepts.join("#")
    }

    /// The same sentences for other concepts.
    ///
    /// # Errors
    /// As [`Item::new`].
    pub fn with_concepts(&self, concepts: Vec<String>) -> Result<Self, Error> {
        Self::new(concepts, self.references.iter().cloned())
    }

    /// The line of the published JSONL form.
    pub fn to_json(&self) -> String {
        let quote = |text: &str| serde_json::Value::from(text).to_string();
        let scene = match self.references.as_slice() {
            [one] => quote(one),
            many => format!("[{}]", many.iter().map(|r| quote(r)).collect::<Vec<_>>().join(", ")),
        };
        format!("{{\"concept-set\": {}, \"scene\": {scene}}}", quote(&self.concept_set()))
    }

    /// The line of the published text form.
    ///
    /// # Errors
    /// [`Error::NotWritable`] if the line would not read back to this item.
    pub fn to_text(&self) -> Result<String, Error> {
        let mut line = format!("{BEGIN}{}", self.concept_set());
        for reference in &self.references {
            line.push_str(BETWEEN);
            line.push_str(reference);
        }
        line.push_str(END);
        match line.parse::<Self>() {
            Ok(read) if read == *self => Ok(line),
            _ => Err(Error::NotWritable(line)),
        }
    }

    fn from_parts<R: Into<String>>(
        set: &str,
        references: impl IntoIterator<Item = R>,
    ) -> Result<Self, Error> {
        if set.trim().is_empty() {
            return Err(Error::EmptyConceptSet);
        }
        Self::new(set.split(MARK), references)
    }
}

/// The JSON form.
#[derive(Deserialize)]
struct JsonLine {
    #[serde(rename = "concept-set")]
    concept_set: String,
    scene: Scene,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "`scene` must be a sentence or a list of sentences")]
enum Scene {
    One(String),
    Many(Vec<String>),
}

impl FromStr for Item {
    type Err = Error;

    /// Reads a line of either form; the first character tells which.
    fn from_str(line: &str) -> Result<Self, Error> {
        if line.trim_start().starts_with('{') {
            let json: JsonLine =
                serde_json::from_str(line).map_err(|e| Error::BadForm(e.to_string()))?;
            return match json.scene {
                Scene::One(text) => Self::from_parts(&json.concept_set, [text]),
                Scene::Many(list) => Self::from_parts(&json.concept_set, list),
            };
        }
        let inner = line.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END));
        let inner = inner.ok_or_else(|| {
            let start: String = line.chars().take(20).collect();
            Error::BadForm(format!("`{start}` begins neither `{{` nor `[SOS] … [EOS]`"))
        })?;
        let mut parts = inner.split(BETWEEN);
        Self::from_parts(parts.next().unwrap_or_default(), parts)
    }
}

impl Serialize for Item {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("concept-set", &self.concept_set())?;
        match self.references.as_slice() {
            [one] => map.serialize_entry("scene", one)?,
            many => map.serialize_entry("scene", many)?,
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let line = JsonLine::deserialize(deserializer)?;
        match line.scene {
            Scene::One(text) => Self::from_parts(&line.concept_set, [text]),
            Scene::Many(list) => Self::from_parts(&line.concept_set, list),
        }
        .map_err(serde::de::Error::custom)
    }
}

/// A published form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ItemForm {
    /// An object per line.
    #[default]
    Jsonl,
    /// `[SOS] … [EOS]` per line.
    Text,
}

/// What to do with a line that cannot be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum BadLines {
    /// Stop with an error that names it.
    #[default]
    Refuse,
    /// Leave it out and report it.
    Skip,
}

/// What was read, with the lines it stood on, and what was left out.
#[derive(Debug)]
pub struct Reading<T> {
    /// The values, each with its line number from 1.
    pub rows: Vec<(usize, T)>,
    /// How many lines the file has.
    pub lines: usize,
    /// One error per line left out; empty unless [`BadLines::Skip`].
    pub skipped: Vec<CoreError>,
}

impl<T> Reading<T> {
    /// The values alone.
    pub fn into_values(self) -> Vec<T> {
        self.rows.into_iter().map(|(_, value)| value).collect()
    }
}

/// Reads a file of items, in either form; `-` is standard input.
///
/// # Errors
/// When the file cannot be read, or a line is broken and `bad_lines` refuses it.
pub fn read_items(path: impl Into<PathBuf>, bad_lines: BadLines) -> Result<Reading<Item>> {
    read_rows(path, bad_lines, |line| line.parse::<Item>().map_err(|e| e.to_string()))
}

/// Reads the concept sets of a file: those of items in either form, whose sentences are passed over, or lists of concepts alone, as
/// `["공", "선수"]` per line; `-` is standard input.
///
/// # Errors
/// As [`read_items`].
pub fn read_concept_sets(
    path: impl Into<PathBuf>,
    bad_lines: BadLines,
) -> Result<Reading<Vec<String>>> {
    read_rows(path, bad_lines, |line| {
        if !line.trim_start().starts_with('[') || line.starts_with(BEGIN) {
            return line.parse::<Item>().map(|item| item.concepts).map_err(|e| e.to_string());
        }
        let concepts: Vec<String> = serde_json::from_str(line).map_err(|e| e.to_string())?;
        // A sentence of no weight: the concepts have to be such as an item can hold.
        Item::new(concepts, ["-"]).map(|item| item.concepts).map_err(|e| e.to_string())
    })
}

/// Reads a value per line.
pub(crate) fn read_rows<T>(
    path: impl Into<PathBuf>,
    bad_lines: BadLines,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Reading<T>> {
    let mut lines = Lines::open(path)?;
    let mut reading = Reading { rows: Vec::new(), lines: 0, skipped: Vec::new() };
    while let Some(line) = lines.next() {
        reading.lines = lines.number();
        let parsed = match line {
            Err(error @ CoreError::Io { .. }) => return Err(error),
            Err(error) => Err(error),
            Ok(line) if line.trim().is_empty() => Err(lines.error("the line is blank")),
            Ok(line) => parse(&line).map_err(|reason| lines.error(reason)),
        };
        match parsed {
            Ok(value) => reading.rows.push((lines.number(), value)),
            Err(error) if bad_lines == BadLines::Skip => reading.skipped.push(error),
            Err(error) => return Err(error),
        }
    }
    Ok(reading)
}

/// Writes items, a line each. The file appears whole or not at all.
///
/// # Errors
/// When the file cannot be written, or an item does not fit the text form.
pub fn write_items<'i>(
    path: &Path,
    form: ItemForm,
    items: impl IntoIterator<Item = &'i Item>,
) -> Result<()> {
    let mut lines = String::new();
    for item in items {
        lines += &match form {
            ItemForm::Jsonl => item.to_json(),
            ItemForm::Text => item.to_text()?,
        };
        lines.push('\n');
    }
    write_atomically(path, lines.as_bytes())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A file of this text.
    pub(crate) fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn concept_sets_are_read_with_and_without_sentences() {
        let text = "[\"비\",\"핫 도그\"]\n[SOS] 공#선수 = 선수가 공을 찬다. [EOS]\n\
                    {\"concept-set\": \"눈#길\", \"scene\": \"눈길이다.\"}\n";
        let sets = read_concept_sets(file(text).path(), BadLines::Refuse).unwrap().into_values();
        assert_eq!(sets, [["비", "핫 도그"], ["공", "선수"], ["눈", "길"]]);
        for (text, part) in [("[\"비#눈\"]\n", "비#눈"), ("[]\n", ":1:"), ("[1]\n", ":1:")] {
            let error = read_concept_sets(file(text).path(), BadLines::Refuse).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    proptest! {
        #[test]
        fn both_forms_read_back(
            concepts in proptest::collection::vec("[가-힣a ]{0,3}[가-힣]", 1..5),
            references in proptest::collection::vec("[가-힣=\\[\\]SOE\" \\\\]{0,8}[가-힣.]", 1..4),
        ) {
            let item = Item::new(concepts, references).unwrap();
            prop_assert_eq!(&item.to_json().parse::<Item>().unwrap(), &item);
            let value = serde_json::to_string(&item).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Item>(&value).unwrap(), &item);
            match item.to_text() {
                Ok(line) => prop_assert_eq!(&line.parse::<Item>().unwrap(), &item),
                Err(_) => prop_assert!(item.references().iter().any(|r| r.contains('='))),
            }
        }
    }

    #[test]
    fn what_reads_as_a_separator_is_not_written() {
        let item = Item::new(["값"], ["값 = 하나다."]).unwrap();
        assert!(matches!(item.to_text(), Err(Error::NotWritable(_))));
        assert_eq!(item.to_json().parse::<Item>().unwrap(), item);
    }

    #[test]
    fn spaces_at_the_ends_of_a_sentence_stay() {
        let item = Item::new(["비"], ["비가 온다. ", " 비다."]).unwrap();
        assert_eq!(item.to_text().unwrap().parse::<Item>().unwrap(), item);
    }

    #[test]
    fn a_broken_line_is_named_or_skipped() {
        let text = "{\"concept-set\": \"비\", \"scene\": \"비다.\"}\n{\"concept-set\": \"\", \"scene\": \"비다.\"}\n[SOS] 눈 = 눈이다. [EOS]\n{\"concept-set\": \"비\", \"scene\": []}\n";
        let broken = file(text);
        let error = read_items(broken.path(), BadLines::Refuse).unwrap_err();
        assert!(matches!(error, CoreError::BadLine { line: 2, .. }), "{error}");
        assert!(error.to_string().contains("concept set is empty"), "{error}");
        let reading = read_items(broken.path(), BadLines::Skip).unwrap();
        assert_eq!(reading.rows.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 3]);
        assert_eq!((reading.lines, reading.skipped.len()), (4, 2));
        assert!(reading.skipped[1].to_string().contains("no reference"), "{:?}", reading.skipped);
    }
}
