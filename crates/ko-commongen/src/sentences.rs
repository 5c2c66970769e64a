//! Reading the sentences to build from: text, tables or JSONL.

use crate::{BadLines, Source};
use ko_eval_core::{Error, Result};
use ko_eval_io::read::Lines;
use std::path::{Path, PathBuf};

/// Where in a line the sentence stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineForm {
    /// The line is the sentence.
    Text,
    /// A column of a tab-separated line, from 1.
    Tsv(usize),
    /// A field of a JSON object; a field that is a list gives several sentences.
    Jsonl(String),
}

impl LineForm {
    /// By the file's ending: `.tsv` is a table with the sentence first, `.jsonl` and `.json` have it in `scene`
    /// as the published files do, all else is text.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("tsv") => Self::Tsv(1),
            Some("jsonl" | "json") => Self::Jsonl("scene".into()),
            _ => Self::Text,
        }
    }

    fn sentences(&self, line: String) -> Result<Vec<String>, String> {
        match self {
            Self::Text => Ok(vec![line]),
            Self::Tsv(column) => {
                let cell = column.checked_sub(1).and_then(|c| line.split('\t').nth(c));
                let cell = cell.ok_or_else(|| format!("there is no column {column}"))?;
                Ok(vec![cell.to_owned()])
            }
            Self::Jsonl(field) => {
                let object: serde_json::Value =
                    serde_json::from_str(&line).map_err(|e| e.to_string())?;
                let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
                let sentences = match object.get(field) {
                    Some(serde_json::Value::Array(list)) => list.iter().map(text).collect(),
                    Some(value) => text(value).map(|one| vec![one]),
                    None => None,
                };
                sentences.ok_or_else(|| {
                    format!("`{field}` is neither a sentence nor a list of sentences")
                })
            }
        }
    }
}

/// A file of sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The file; `-` is standard input.
    pub path: PathBuf,
    /// Where its sentences come from.
    pub source: Source,
    /// Where in a line they stand.
    pub form: LineForm,
}

impl Input {
    /// A file whose form follows from its ending.
    pub fn new(path: impl Into<PathBuf>, source: Source) -> Self {
        let path = path.into();
        let form = LineForm::of(&path);
        Self { path, source, form }
    }

    /// The sentences, as they pass by. With [`BadLines::Skip`] `on_bad` gets what is left out.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be opened; items name file and line.
    pub fn sentences<'i>(
        &'i self,
        bad_lines: BadLines,
        mut on_bad: impl FnMut(Error) + 'i,
    ) -> Result<impl Iterator<Item = Result<(Source, String)>> + 'i> {
        let mut lines = Lines::open(&self.path)?;
        let mut pending = Vec::new().into_iter();
        Ok(std::iter::from_fn(move || {
            loop {
                if let Some(sentence) = pending.next() {
                    return Some(Ok((self.source, sentence)));
                }
                let line = lines.next()?;
                let sentences =
                    line.and_then(|line| self.form.sentences(line).map_err(|e| lines.error(e)));
                match sentences {
                    Ok(sentences) => pending = sentences.into_iter(),
                    Err(error @ Error::BadLine { .. }) if bad_lines == BadLines::Skip => {
                        on_bad(error);
                    }
                    Err(error) => return Some(Err(error)),
                }
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_forms() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str, text: &str, bad| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            let input = Input::new(path, Source::Caption);
            let mut skipped = Vec::new();
            let sentences: Result<Vec<_>> =
                input.sentences(bad, |e| skipped.push(e.to_string())).unwrap().collect();
            (
                sentences
                    .map(|list| list.into_iter().map(|(_, s)| s).collect::<Vec<_>>().join("|")),
                skipped,
            )
        };
        let refuse = BadLines::Refuse;
        assert_eq!(read("a.txt", "비다.\n눈이다.", refuse).0.unwrap(), "비다.|눈이다.");
        assert_eq!(read("a.tsv", "비다.\tx\n눈이다.\n", refuse).0.unwrap(), "비다.|눈이다.");
        let json =
            "{\"scene\": \"비다.\"}\n{\"scene\": [\"눈이다.\", \"해다.\"]}\n{\"scene\": 3}\n";
        assert!(read("a.jsonl", json, refuse).0.unwrap_err().to_string().contains("a.jsonl:3:"));
        let (kept, skipped) = read("a.jsonl", json, BadLines::Skip);
        assert_eq!((kept.unwrap().as_str(), skipped.len()), ("비다.|눈이다.|해다.", 1));
    }
}
