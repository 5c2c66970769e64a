//! SentType from labelled dialogue: a label and an utterance per line, separated by a tab, and a map from labels to classes.
//!
//! Treebanks hold few questions and hardly an order. Corpora of intentions have both, under names of their own; a [`LabelMap`] says what they
//! mean here, and utterances under a label that it does not name are left out and counted. Their length is not limited. All that stands behind
//! the first tab is the utterance; a tab within it becomes a space, because SentEval's format has none.
//!
//! ```
//! use ko_probe::utterances::{LabelMap, read};
//!
//! let map: LabelMap = "1=other,2=interrogative,3=imperative".parse()?;
//! let lines = "2\t지금 몇 시야\n3\t불 좀 꺼 줘\n1\t비가 온다\n0\t김밥\n";
//! let data = read("말.tsv", lines.as_bytes(), &map)?;
//! assert_eq!(data.classes, ["interrogative", "imperative", "other"]);
//! assert_eq!(data.counts(None), [1, 1, 1]);
//! assert_eq!(data.dropped["label `0`"], 1);
//! # Ok::<(), ko_probe::Error>(())
//! ```

use crate::{
    dataset::Dataset,
    error::Result,
    sentence::{Origin, on_one_line},
    tasks::sent_type,
};
use ko_eval_core::Error;
use ko_eval_io::read::Lines;
use std::{
    io::BufRead,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};

/// Which class of SentType each label of a corpus is; written `LABEL=CLASS,…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelMap(Vec<(String, &'static str)>);

impl LabelMap {
    fn class(&self, label: &str) -> Option<&'static str> {
        self.0.iter().find(|(known, _)| known == label).map(|(_, class)| *class)
    }
}

impl Default for LabelMap {
    /// The classes under their own names.
    fn default() -> Self {
        Self(sent_type::CLASSES.map(|class| (class.to_owned(), class)).to_vec())
    }
}

impl FromStr for LabelMap {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut map = Self(Vec::new());
        for pair in text.split(',') {
            let bad = |wanted: String| Error::invalid("SentType", "map", pair, wanted);
            let classes = sent_type::CLASSES.join(", ");
            let (label, class) = pair
                .split_once('=')
                .map(|(label, class)| (label.trim(), class.trim()))
                .filter(|(label, _)| !label.is_empty())
                .ok_or_else(|| bad(format!("LABEL=CLASS with a class of {classes}")))?;
            let known = sent_type::CLASSES.into_iter().find(|known| *known == class);
            let class = known.ok_or_else(|| bad(format!("a class of {classes}")))?;
            if map.class(label).is_some() {
                return Err(bad(format!("the label `{label}` only once")));
            }
            map.0.push((label.to_owned(), class));
        }
        Ok(map)
    }
}

/// Reads utterances; errors call the input by `name`. They are still to be dealt out by a [`Split`](crate::Split).
///
/// # Errors
/// A line without a tab, or without an utterance behind it, with its number.
pub fn read(
    name: impl Into<PathBuf>,
    reader: impl BufRead + Send + 'static,
    map: &LabelMap,
) -> Result<Dataset> {
    from_lines(Lines::from_reader(name, reader), map)
}

/// Reads the utterances of a file.
///
/// # Errors
/// A file that cannot be opened, and as [`read`].
pub fn open(path: impl AsRef<Path>, map: &LabelMap) -> Result<Dataset> {
    from_lines(Lines::open(path.as_ref())?, map)
}

fn from_lines(mut lines: Lines, map: &LabelMap) -> Result<Dataset> {
    let mut data = Dataset::new(sent_type::TASK.name);
    data.classes = sent_type::CLASSES.map(str::to_owned).to_vec();
    let path: Arc<Path> = Arc::from(lines.path());
    while let Some(line) = lines.next().transpose()? {
        if line.trim().is_empty() {
            continue;
        }
        let (label, text) = line
            .split_once('\t')
            .map(|(label, text)| (label.trim(), text.trim()))
            .filter(|(_, text)| !text.is_empty())
            .ok_or_else(|| lines.error("expected a label and an utterance, separated by a tab"))?;
        match map.class(label) {
            Some(class) => {
                let (path, line) = (path.clone(), lines.number());
                data.push(class, on_one_line(text), Origin { path, line, id: line.to_string() });
            }
            None => data.drop(format!("label `{label}`")),
        }
    }
    Ok(data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::senteval;

    #[test]
    fn maps_are_checked() {
        for (text, wanted) in [
            ("", "LABEL=CLASS"),
            ("2", "LABEL=CLASS"),
            ("=other", "LABEL=CLASS"),
            ("2=question", "a class of interrogative, imperative, other"),
            ("2=other,2=imperative", "the label `2` only once"),
        ] {
            let error = text.parse::<LabelMap>().unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
        let map: LabelMap = " 의문 = interrogative,평서=other".parse().unwrap();
        assert_eq!((map.class("의문"), map.class("명령")), (Some("interrogative"), None));
        assert_eq!(LabelMap::default().class("imperative"), Some("imperative"));
    }

    #[test]
    fn lines_are_labelled_dropped_or_refused() {
        let read = |text: &'static str| read("말.tsv", text.as_bytes(), &LabelMap::default());
        let data =
            read("\u{feff}other\t비가\t\t온다 \r\n\n소리\t아이고\nimperative\t가라\n").unwrap();
        let found: Vec<_> = data.examples.iter().map(|e| (e.text.as_str(), e.class)).collect();
        assert_eq!(found, [("비가 온다", 2), ("가라", 1)]);
        senteval::write(&data, Vec::new()).unwrap();
        assert_eq!(data.examples[1].origin.line, 4);
        assert_eq!(data.dropped["label `소리`"], 1);
        for text in ["other\t가\n둘", "other\t가\nother\t \n"] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with("말.tsv:2: expected a label"), "{error}");
        }
    }
}
