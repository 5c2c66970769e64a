//! Sheets for crowd work: rating sentences and writing references, as the paper's Figure 6 shows them.
//!
//! | what | written | read back |
//! |---|---|---|
//! | [`RatingSheet`] | `sheet.csv` (or `sheet.html`, a form in one file), and `key.csv`, which stays at home: whose sentence is which | [`RatingSheet::read`]: means, Fleiss' κ, the published files |
//! | [`WritingSheet`] | `sheet.csv`, `sheet.html` | [`WritingSheet::read`]: items |
//!
//! Raters do not see whose sentence they rate, and the order is by chance. A filled sheet is a CSV with the same columns; the form writes one. The column `rater` (`writer`) says
//! who; where it is empty, the file's name does. A line without any answer was not reached; half an answer is an error.
//! Where more people answered than are wanted, chance chooses among them, for each sentence anew, always the same by a seed.
//!
//! ```
//! use ko_commongen::{Item, Pairs, sheet::RatingSheet};
//!
//! let item = Item::new(["공", "차"], ["선수가 공을 찬다."])?;
//! let pairs = Pairs::new(vec![item], vec!["공을 차는 선수가 있다.".into()])?;
//! let sheet = RatingSheet::new([("내-시스템", &pairs)], 42)?;
//! assert_eq!(sheet.csv()?, "rater,id,concepts,sentence,grammar,commonsense,factuality,fluency\n,1,공#차,공을 차는 선수가 있다.,,,,\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod form;
mod rating;
mod writing;

pub use rating::{FilledRatings, RatingSheet, write_ratings};
pub use writing::{FilledReferences, WritingSheet};

use ko_eval_core::{Error, Result};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};

/// A table with named columns, a line at a time.
struct Table {
    path: PathBuf,
    /// The place of each column that was asked for.
    places: Vec<usize>,
    rows: Vec<(usize, csv::StringRecord)>,
}

impl Table {
    /// Reads a table that has these columns, in any order, and maybe others.
    ///
    /// # Errors
    /// A file that cannot be opened; a line that is no CSV in UTF-8, or has another number of cells than the first; a column that is missing or there twice.
    fn read(path: &Path, columns: &[&str]) -> Result<Self> {
        let bad = |line: u64, reason: String| Error::BadLine {
            path: path.into(),
            line: usize::try_from(line).unwrap_or(usize::MAX).max(1),
            reason,
        };
        let file = ko_eval_io::read::open(path)?;
        let mut reader = csv::Reader::from_reader(file);
        let broken = |error: csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            match error.into_kind() {
                csv::ErrorKind::Io(error) => Error::io(path, error),
                csv::ErrorKind::Utf8 { err, .. } => bad(line, format!("not UTF-8: {err}")),
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    bad(line, format!("{len} cells, but the first line has {expected_len}"))
                }
                kind => bad(line, format!("{kind:?}")),
            }
        };
        let head = reader.headers().map_err(broken)?.clone();
        let mut places = Vec::new();
        for column in columns {
            let mut found = head.iter().enumerate().filter(|(_, name)| name.trim() == *column);
            match (found.next(), found.next()) {
                (Some((place, _)), None) => places.push(place),
                (Some(_), Some(_)) => {
                    return Err(bad(1, format!("the column `{column}` is there twice")));
                }
                _ => {
                    let expected = columns.join(", ");
                    return Err(bad(1, format!("no column `{column}`; expected {expected}")));
                }
            }
        }
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(broken)?;
            let line = record.position().map_or(1, csv::Position::line);
            rows.push((usize::try_from(line).unwrap_or(usize::MAX), record));
        }
        Ok(Self { path: path.into(), places, rows })
    }

    /// The cell of a row in one of the columns that were asked for, by its place among them.
    fn cell<'r>(&self, row: &'r csv::StringRecord, column: usize) -> &'r str {
        self.places.get(column).and_then(|place| row.get(*place)).unwrap_or_default().trim()
    }

    fn error(&self, line: usize, reason: impl Into<String>) -> Error {
        Error::BadLine { path: self.path.clone(), line, reason: reason.into() }
    }

    /// Who filled a line: the cell, or the file's name.
    fn person(&self, cell: &str) -> String {
        match cell {
            "" => self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            name => name.to_owned(),
        }
    }
}

/// Rows as CSV.
fn csv_of<R: IntoIterator<Item = C>, C: AsRef<[u8]>>(
    rows: impl IntoIterator<Item = R>,
) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(|error| Error::source("writing a sheet", error))?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| Error::source("writing a sheet", error.into_error()))?;
    String::from_utf8(bytes).map_err(|error| Error::source("writing a sheet", error))
}

/// Some of the answers, by chance: `place` tells one sentence from the other, so that not always the same people are chosen.
fn choose<T: Clone>(answers: &[T], wanted: usize, seed: u64, place: u64) -> Vec<T> {
    let mut order: Vec<usize> = (0..answers.len()).collect();
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    chance.set_stream(place);
    order.shuffle(&mut chance);
    order.truncate(wanted);
    // In the order of the files, whoever was chosen.
    order.sort_unstable();
    order.iter().filter_map(|place| answers.get(*place).cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_chooses_anew_for_each_sentence_and_the_same_again() {
        let people = ["가", "나", "다", "라", "마"];
        let chosen =
            |seed| (0..200).map(|place| choose(&people, 3, seed, place)).collect::<Vec<_>>();
        assert_eq!(chosen(1), chosen(1));
        assert_ne!(chosen(1), chosen(2));
        for person in people {
            let times = chosen(1).iter().filter(|three| three.contains(&person)).count();
            assert!((90..150).contains(&times), "{person} {times} times of 200");
        }
        assert!(chosen(3).iter().all(|three| three.len() == 3 && three.is_sorted()));
    }
}
