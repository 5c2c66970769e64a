//! Sheets on which people write sentences for concept sets.

use super::{Table, choose, csv_of, form};
use crate::{Error as OwnError, Item};
use ko_eval_core::{Error, Result};
use ko_eval_io::files::write_atomically;
use ko_meta_eval::report::Language;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

const COLUMNS: [&str; 4] = ["writer", "id", "concepts", "sentence"];

/// Concept sets that want sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WritingSheet {
    sets: Vec<String>,
}

impl WritingSheet {
    /// A sheet of the concept sets of some items, in their order; their sentences stay at home.
    ///
    /// # Errors
    /// No item.
    pub fn new(items: &[Item]) -> Result<Self> {
        Self::of_sets(items.iter().map(Item::concepts))
    }

    /// A sheet of concept sets, in their order: what [`ConceptGraph::proposals`](crate::ConceptGraph::proposals) gives, for example.
    ///
    /// # Errors
    /// No concept set.
    pub fn of_sets<S: AsRef<[String]>>(sets: impl IntoIterator<Item = S>) -> Result<Self> {
        let sets: Vec<String> = sets.into_iter().map(|set| set.as_ref().join("#")).collect();
        if sets.is_empty() { Err(Error::EmptyCorpus) } else { Ok(Self { sets }) }
    }

    /// The sheet for writers.
    ///
    /// # Errors
    /// None in practice: writing to memory.
    pub fn csv(&self) -> Result<String> {
        let rows = self
            .sets
            .iter()
            .zip(1usize..)
            .map(|(set, id)| vec![String::new(), id.to_string(), set.clone(), String::new()]);
        csv_of(std::iter::once(COLUMNS.map(str::to_owned).to_vec()).chain(rows))
    }

    /// The sheet as a form in one file, which writes the filled sheet.
    ///
    /// # Errors
    /// None in practice: writing to memory.
    pub fn html(&self, language: Language) -> Result<String> {
        let rows = self.sets.iter().map(|set| (set.as_str(), None));
        form::html(rows, &COLUMNS, form::Kind::Write, language)
    }

    /// Writes `sheet.csv` and `sheet.html` into a folder.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, folder: &Path, language: Language) -> Result<()> {
        write_atomically(&folder.join("sheet.csv"), self.csv()?.as_bytes())?;
        write_atomically(&folder.join("sheet.html"), self.html(language)?.as_bytes())
    }

    /// Reads filled sheets, each by one writer or by several.
    ///
    /// # Errors
    /// A line that is none of this sheet, a sentence that no item can hold, or a second one of the same writer: the error names file and line.
    pub fn read(&self, files: &[PathBuf]) -> Result<FilledReferences> {
        let mut sentences = vec![Vec::new(); self.sets.len()];
        let mut seen = BTreeSet::new();
        for file in files {
            let table = Table::read(file, &COLUMNS)?;
            for (line, row) in &table.rows {
                let [writer, id, concepts, sentence] =
                    [0, 1, 2, 3].map(|column| table.cell(row, column));
                let place = id.parse::<usize>().ok().and_then(|id| id.checked_sub(1));
                let own = place.and_then(|place| {
                    Some((place, self.sets.get(place)?, sentences.get_mut(place)?))
                });
                let Some((place, set, written)) = own else {
                    return Err(table.error(
                        *line,
                        format!("`{id}` is no id of this sheet: expected 1 to {}", self.sets.len()),
                    ));
                };
                if concepts != set {
                    return Err(table.error(
                        *line,
                        format!(
                            "the concept set {id} is `{concepts}` here, but `{set}` in the test set"
                        ),
                    ));
                }
                if sentence.is_empty() {
                    continue;
                }
                if let Err(error) = Item::new(["-"], [sentence]) {
                    return Err(table.error(*line, error.to_string()));
                }
                let writer = table.person(writer);
                if !seen.insert((place, writer.clone())) {
                    return Err(table.error(
                        *line,
                        format!("{writer} has written a sentence for the set {id} before"),
                    ));
                }
                written.push(sentence.to_owned());
            }
        }
        Ok(FilledReferences { sets: self.sets.clone(), sentences })
    }
}

/// Filled sheets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilledReferences {
    sets: Vec<String>,
    /// By concept set.
    sentences: Vec<Vec<String>>,
}

impl FilledReferences {
    /// Items of as many sentences as are wanted, by chance among those that were written; equal ones count once.
    ///
    /// # Errors
    /// A concept set for which fewer were written.
    pub fn choose(&self, references: usize, seed: u64) -> Result<Vec<Item>> {
        let item = |((place, set), sentences): ((u64, &String), &Vec<String>)| {
            let mut different: Vec<String> = Vec::new();
            for sentence in sentences.iter().filter(|sentence| !sentence.is_empty()) {
                if !different.contains(sentence) {
                    different.push(sentence.clone());
                }
            }
            if different.len() < references {
                return Err(OwnError::TooFewRaters {
                    id: place.to_string(),
                    raters: different.len(),
                    wanted: references,
                });
            }
            Item::new(set.split('#'), choose(&different, references, seed, place))
        };
        let items = (1u64..).zip(&self.sets).zip(&self.sentences).map(item);
        Ok(items.collect::<Result<Vec<_>, OwnError>>()?)
    }
}
