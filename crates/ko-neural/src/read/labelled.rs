//! Texts with labels, from any table.

use ko_eval_core::Result;
use ko_eval_io::read::table_rows;
use ko_eval_model::LabelSet;
use std::{collections::BTreeSet, path::PathBuf};

/// A text with a label of each set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledText {
    /// The text.
    pub text: String,
    /// A label per set, in the sets' order.
    pub labels: Vec<String>,
}

/// Texts from a tab-separated table: a column of texts, and one of labels for each set.
///
/// # Errors
/// A file that cannot be read, a missing column, or a text without a label, with file and line.
pub fn labelled_tsv(
    path: impl Into<PathBuf>,
    text: &str,
    sets: &[&str],
) -> Result<Vec<LabelledText>> {
    let columns: Vec<&str> = std::iter::once(text).chain(sets.iter().copied()).collect();
    table_rows(path, &columns, |cells| {
        let (text, labels) = cells.split_first().ok_or("no columns")?;
        if let Some((_, set)) = labels.iter().zip(sets).find(|(label, _)| label.trim().is_empty()) {
            return Err(format!("no label in `{set}`"));
        }
        let labels = labels.iter().map(|label| label.trim().to_owned()).collect();
        Ok(LabelledText { text: (*text).to_owned(), labels })
    })
}

/// The sets that texts have labels of, each sorted; the only one needs no name.
///
/// ```
/// use ko_neural::read::{LabelledText, label_sets};
///
/// let text = |text: &str, bias: &str, hate: &str| LabelledText {
///     text: text.into(),
///     labels: vec![bias.into(), hate.into()],
/// };
/// let texts = [text("좋은 글이네요", "none", "none"), text("다 그 모양", "others", "offensive")];
/// let sets = label_sets(&["bias", "hate"], &texts);
/// assert_eq!(sets[1].labels, ["none", "offensive"]);
/// ```
pub fn label_sets(names: &[&str], texts: &[LabelledText]) -> Vec<LabelSet> {
    let set = |(place, name): (usize, &&str)| {
        let labels: BTreeSet<&String> =
            texts.iter().filter_map(|text| text.labels.get(place)).collect();
        LabelSet {
            name: if names.len() > 1 { (*name).to_owned() } else { String::new() },
            labels: labels.into_iter().cloned().collect(),
        }
    };
    names.iter().enumerate().map(set).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "hate\tcomments\tbias\nnone\t글\t none \n").unwrap();
        let texts = labelled_tsv(file.path(), "comments", &["bias", "hate"]).unwrap();
        assert_eq!((texts[0].text.as_str(), texts[0].labels[0].as_str()), ("글", "none"));
        assert_eq!(label_sets(&["hate"], &texts)[0].name, "");
        std::fs::write(file.path(), "comments\thate\n글\t\n").unwrap();
        let error = labelled_tsv(file.path(), "comments", &["hate"]).unwrap_err().to_string();
        assert!(error.contains(":2: no label in `hate`"), "{error}");
        let error = labelled_tsv(file.path(), "text", &["hate"]).unwrap_err().to_string();
        assert!(error.contains("no column `text`"), "{error}");
    }
}
