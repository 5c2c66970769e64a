//! `ko-eval units --tags`: the tag sets of all analyzers, side by side.

use crate::{
    cli::Format,
    output::{Cell, Report},
};
use anyhow::Result;
use ko_eval::tokenize::{Tag, TagSet, tag_set};
use serde_json::{Value, json};

pub(crate) fn run(format: Format) -> Result<()> {
    // Sejong's own is the first column; MeCab-ko writes it.
    let sets = tag_set::ALL.iter().filter(|set| **set != tag_set::SEJONG);
    let sets: Vec<&TagSet> = sets.collect();
    let mut columns = vec!["Sejong, MeCab-ko".to_owned(), "what it is".to_owned()];
    columns.extend(sets.iter().map(|set| set.name.to_owned()));
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for &tag in Tag::ALL {
        let written: Vec<Vec<&str>> = sets.iter().map(|set| behind(set, tag)).collect();
        let mut row: Vec<Cell> = vec![tag.as_str().into(), tag.meaning().into()];
        row.extend(written.iter().map(|tags| Cell::from(tags.join(" "))));
        rows.push(row);
        let by_set = sets.iter().zip(written);
        let by_set: serde_json::Map<String, Value> =
            by_set.map(|(set, tags)| (set.name.to_owned(), tags.into())).collect();
        values.push(json!({ "tag": tag.as_str(), "meaning": tag.meaning(), "sets": by_set }));
    }
    Report { columns, rows, json: json!({ "tags": values }) }.write(format, None)
}

/// The tags of a set that are this one in Sejong's.
fn behind(set: &TagSet, tag: Tag) -> Vec<&'static str> {
    set.tags.split_whitespace().filter(|written| set.sejong(written) == Some(tag)).collect()
}
