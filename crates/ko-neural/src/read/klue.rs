//! KLUE's own files: inference and similarity as JSON, named entities as characters with tags.

use super::{NliLabel, NliPair, ScoredPair, nli_label, nli_tsv, number, sts_tsv};
use ko_eval_core::{Error, Result};
use ko_eval_io::read::{Lines, open};
use ko_eval_model::{Entity, TagScheme};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _},
};
use std::{
    io::Read,
    path::{Path, PathBuf},
};

#[derive(Deserialize)]
struct NliItem {
    premise: String,
    hypothesis: String,
    #[serde(deserialize_with = "label")]
    gold_label: NliLabel,
}

/// What is wrong with a value is told while the file is read, where its line is known.
fn label<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NliLabel, D::Error> {
    nli_label(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

#[derive(Deserialize)]
struct StsItem {
    sentence1: String,
    sentence2: String,
    #[serde(rename = "labels", deserialize_with = "score")]
    score: f64,
}

#[derive(Deserialize)]
struct StsLabels {
    #[serde(rename = "real-label")]
    real: Option<f64>,
    label: f64,
}

fn score<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let labels = StsLabels::deserialize(deserializer)?;
    let score = labels.real.unwrap_or(labels.label);
    number(&score.to_string(), 0.0..=5.0).map_err(D::Error::custom)
}

/// A whole file of JSON; errors name the line.
fn json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
    serde_json::from_slice(&bytes).map_err(|e| Error::BadLine {
        path: path.into(),
        line: e.line(),
        reason: e.to_string(),
    })
}

/// Pairs with inference labels in KLUE-NLI's form: a list of `{"premise", "hypothesis", "gold_label"}`; other keys are passed over.
///
/// # Errors
/// A file that cannot be read or is no such list, or an unknown label, with file and line.
pub fn nli_json(path: impl Into<PathBuf>) -> Result<Vec<NliPair>> {
    let items: Vec<NliItem> = json(&path.into())?;
    let pair = |item: NliItem| NliPair {
        premise: item.premise,
        hypothesis: item.hypothesis,
        label: item.gold_label,
    };
    Ok(items.into_iter().map(pair).collect())
}

/// Scored pairs in KLUE-STS's form: a list of `{"sentence1", "sentence2", "labels": {"label", "real-label"}}`, where the mean of the judges
/// before rounding (`real-label`) counts if it is there; other keys are passed over.
///
/// # Errors
/// A file that cannot be read or is no such list, or a score outside 0 to 5, with file and line.
pub fn sts_json(path: impl Into<PathBuf>) -> Result<Vec<ScoredPair>> {
    let items: Vec<StsItem> = json(&path.into())?;
    let pair = |item: StsItem| ScoredPair {
        first: item.sentence1,
        second: item.sentence2,
        score: item.score,
    };
    Ok(items.into_iter().map(pair).collect())
}

pub(super) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
}

/// [`nli_json`] of a file that ends in `.json`, [`nli_tsv`] of any other.
///
/// # Errors
/// As those.
pub fn nli(path: impl Into<PathBuf>) -> Result<Vec<NliPair>> {
    let path = path.into();
    if is_json(&path) { nli_json(path) } else { nli_tsv(path) }
}

/// [`sts_json`] of a file that ends in `.json`, [`sts_tsv`] of any other.
///
/// # Errors
/// As those.
pub fn sts(path: impl Into<PathBuf>) -> Result<Vec<ScoredPair>> {
    let path = path.into();
    if is_json(&path) { sts_json(path) } else { sts_tsv(path) }
}

/// A text whose characters have tags: `B-PS`, `I-PS`, `O`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaggedText {
    /// The text.
    pub text: String,
    /// A tag per character.
    pub tags: Vec<String>,
}

impl TaggedText {
    /// The entities that the tags say.
    ///
    /// ```
    /// use ko_eval_model::TagScheme;
    /// use ko_neural::read::TaggedText;
    ///
    /// let tags = ["B-PS", "I-PS", "O", "O"].map(str::to_owned).to_vec();
    /// let text = TaggedText { text: "민수가 ".into(), tags };
    /// let found = text.entities(TagScheme::default());
    /// assert_eq!((found[0].kind.as_str(), &text.text[found[0].span.clone()]), ("PS", "민수"));
    /// ```
    pub fn entities(&self, scheme: TagScheme) -> Vec<Entity> {
        let characters = self.text.char_indices();
        let places: Vec<_> = characters.map(|(at, c)| at..at + c.len_utf8()).collect();
        scheme.entities(&self.tags, &places)
    }
}

/// Texts in KLUE-NER's form: a character, a tab and its tag per line, a blank line after each text; lines that begin with `##` are remarks.
///
/// # Errors
/// A file that cannot be read, or a line that is not one character and one tag of `O`, `B-…`, `I-…`, with file and line.
pub fn ner_tsv(path: impl Into<PathBuf>) -> Result<Vec<TaggedText>> {
    let mut lines = Lines::open(path)?;
    let (mut all, mut text) = (Vec::new(), TaggedText::default());
    while let Some(line) = lines.next().transpose()? {
        // `##` is a remark only where no tag follows a single character.
        let (character, tag) = match line.split_once('\t') {
            Some((character, tag)) if !character.starts_with("##") => (character, tag.trim()),
            _ if line.starts_with("##") => continue,
            _ if line.trim().is_empty() => {
                all.extend(Some(std::mem::take(&mut text)).filter(|text| !text.tags.is_empty()));
                continue;
            }
            _ => return Err(lines.error(format!("`{line}` is not a character, a tab and a tag"))),
        };
        let one = character.chars().count() == 1;
        let known = tag == "O" || tag.strip_prefix("B-").or(tag.strip_prefix("I-")).is_some();
        if !(one && known) {
            let reason = format!("`{line}`: expected a character, a tab and O, B-… or I-…");
            return Err(lines.error(reason));
        }
        text.text.push_str(character);
        text.tags.push(tag.to_owned());
    }
    all.extend(Some(text).filter(|text| !text.tags.is_empty()));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(end: &str, text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::Builder::new().suffix(end).tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn reads_inference_and_similarity_by_the_ending() {
        let json = file(
            ".json",
            r#"[{"guid": "1", "premise": "비가 온다", "hypothesis": "맑다", "gold_label": "contradiction"}]"#,
        );
        assert_eq!(nli(json.path()).unwrap()[0].label, NliLabel::Contradiction);
        let table = file(".tsv", "sentence1\tsentence2\tgold_label\n가\t나\tneutral\n");
        assert_eq!(nli(table.path()).unwrap()[0].label, NliLabel::Neutral);
        let json = file(
            ".json",
            r#"[{"sentence1": "가", "sentence2": "나", "labels": {"label": 3.7, "real-label": 3.714, "binary-label": 1}},
                {"sentence1": "가", "sentence2": "나", "labels": {"label": 2}}]"#,
        );
        let scores: Vec<f64> = sts(json.path()).unwrap().iter().map(|pair| pair.score).collect();
        assert_eq!(scores, [3.714, 2.0]);
    }

    #[test]
    fn says_which_line_is_wrong() {
        let json = file(".json", "[\n{\"premise\": \"가\", \"hypothesis\": \"나\"}\n]");
        let error = nli(json.path()).unwrap_err().to_string();
        assert!(error.contains(":2: missing field `gold_label`"), "{error}");
        let json = file(
            ".json",
            "[\n{\"premise\": \"가\", \"hypothesis\": \"나\",\n\"gold_label\": \"perhaps\"}]",
        );
        let error = nli(json.path()).unwrap_err().to_string();
        assert!(error.contains(".json:3: `perhaps` is no label of inference"), "{error}");
        let json = file(
            ".json",
            "[\n{\"sentence1\": \"가\", \"sentence2\": \"나\", \"labels\": {\"label\": 7}}\n]",
        );
        let error = sts(json.path()).unwrap_err().to_string();
        assert!(error.contains(".json:2: `7` is not a number from 0 to 5"), "{error}");
    }

    #[test]
    fn reads_characters_with_tags() {
        let text = "## 주석 : ##\n## 1\t<김:PS> #\n김\tB-PS\n \tO\n#\tO\n\n\n비\tO\n";
        let found = ner_tsv(file(".tsv", text).path()).unwrap();
        assert_eq!((found.len(), found[0].text.as_str()), (2, "김 #"));
        assert_eq!(found[0].tags, ["B-PS", "O", "O"]);
        for (text, part) in
            [("김씨\tO\n", ":1: `김씨"), ("김\tX-PS\n", "expected"), ("김\n", ":1:")]
        {
            let error = ner_tsv(file(".tsv", text).path()).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
