//! Sheets on which people rate sentences.

use super::{Table, choose, csv_of, form};
use crate::{
    Error as OwnError, Item, Pairs,
    human::{BEST, Criterion, HumanScores, Ratings},
    study::{TestSet, ratings_folder},
};
use ko_eval_core::{Error, Result};
use ko_eval_io::files::write_atomically;
use ko_meta_eval::report::Language;
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

const COLUMNS: [&str; 8] =
    ["rater", "id", "concepts", "sentence", "grammar", "commonsense", "factuality", "fluency"];
const KEY: [&str; 5] = ["id", "system", "segment", "concepts", "sentence"];

/// Sentences to rate, in an order by chance, and whose they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatingSheet {
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    system: String,
    /// From 1.
    segment: usize,
    concepts: String,
    sentence: String,
}

impl RatingSheet {
    /// A sheet of every sentence of some systems.
    ///
    /// # Errors
    /// No sentence.
    pub fn new<'p, N: Into<String>>(
        systems: impl IntoIterator<Item = (N, &'p Pairs)>,
        seed: u64,
    ) -> Result<Self> {
        let mut rows = Vec::new();
        for (system, pairs) in systems {
            let system = system.into();
            let sentences = pairs.items().iter().map(Item::concept_set).zip(pairs.hypotheses());
            rows.extend(sentences.enumerate().map(|(number, (concepts, sentence))| Row {
                system: system.clone(),
                segment: number + 1,
                concepts,
                sentence: sentence.clone(),
            }));
        }
        if rows.is_empty() {
            return Err(Error::EmptyCorpus);
        }
        rows.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        Ok(Self { rows })
    }

    /// How many sentences there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The sheet for raters.
    ///
    /// # Errors
    /// None in practice: writing to memory.
    pub fn csv(&self) -> Result<String> {
        let rows = self.rows.iter().zip(1usize..).map(|(row, id)| {
            let texts = ["".into(), id.to_string(), row.concepts.clone(), row.sentence.clone()];
            texts.into_iter().chain(std::iter::repeat_n(String::new(), 4)).collect()
        });
        csv_of(std::iter::once(COLUMNS.map(str::to_owned).to_vec()).chain(rows))
    }

    /// Whose sentence is which.
    ///
    /// # Errors
    /// None in practice: writing to memory.
    pub fn key(&self) -> Result<String> {
        let rows = self.rows.iter().zip(1usize..).map(|(row, id)| {
            let Row { system, segment, concepts, sentence } = row.clone();
            vec![id.to_string(), system, segment.to_string(), concepts, sentence]
        });
        csv_of(std::iter::once(KEY.map(str::to_owned).to_vec()).chain(rows))
    }

    /// The sheet as a form in one file, which writes the filled sheet.
    ///
    /// # Errors
    /// None in practice: writing to memory.
    pub fn html(&self, language: Language) -> Result<String> {
        let rows = self.rows.iter().map(|row| (row.concepts.as_str(), Some(row.sentence.as_str())));
        form::html(rows, &COLUMNS, form::Kind::Rate, language)
    }

    /// Writes `sheet.csv`, `sheet.html` and `key.csv` into a folder.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, folder: &Path, language: Language) -> Result<()> {
        write_atomically(&folder.join("sheet.csv"), self.csv()?.as_bytes())?;
        write_atomically(&folder.join("sheet.html"), self.html(language)?.as_bytes())?;
        write_atomically(&folder.join("key.csv"), self.key()?.as_bytes())
    }

    /// The sheet that a key belongs to.
    ///
    /// # Errors
    /// A line that is none of a key.
    pub fn read_key(path: &Path) -> Result<Self> {
        let table = Table::read(path, &KEY)?;
        let mut rows = Vec::new();
        for (line, row) in &table.rows {
            let id = rows.len() + 1;
            if table.cell(row, 0) != id.to_string() {
                return Err(
                    table.error(*line, format!("`{}` is not the id {id}", table.cell(row, 0)))
                );
            }
            let segment = table.cell(row, 2);
            let segment = segment.parse().ok().filter(|segment| *segment > 0).ok_or_else(|| {
                table.error(*line, format!("`{segment}` is no segment: expected a number from 1"))
            })?;
            let [system, concepts, sentence] =
                [1, 3, 4].map(|column| table.cell(row, column).to_owned());
            if system.is_empty() {
                return Err(table.error(*line, "the system has no name"));
            }
            rows.push(Row { system, segment, concepts, sentence });
        }
        match rows.is_empty() {
            true => Err(table.error(1, "the key has no lines")),
            false => Ok(Self { rows }),
        }
    }

    /// Reads filled sheets, each by one rater or by several.
    ///
    /// # Errors
    /// A line that is none of this sheet, holds something else than 0, 1 or 2 or only half an answer, or rates a sentence that the same
    /// rater has rated before: the error names file and line.
    pub fn read(&self, files: &[PathBuf]) -> Result<FilledRatings> {
        let mut answers: Vec<Vec<Answer>> = vec![Vec::new(); self.rows.len()];
        let mut seen = BTreeSet::new();
        for file in files {
            let table = Table::read(file, &COLUMNS)?;
            for (line, row) in &table.rows {
                let place = self.place(&table, *line, row)?;
                let Some(ratings) = ratings(&table, *line, row)? else { continue };
                let rater = table.person(table.cell(row, 0));
                if !seen.insert((place, rater.clone())) {
                    let id = place + 1;
                    return Err(
                        table.error(*line, format!("{rater} has rated the sentence {id} before"))
                    );
                }
                if let Some(of_sentence) = answers.get_mut(place) {
                    of_sentence.push(Answer { rater, ratings });
                }
            }
        }
        Ok(FilledRatings { sheet: self.clone(), answers })
    }

    /// Which sentence a line rates.
    fn place(&self, table: &Table, line: usize, row: &csv::StringRecord) -> Result<usize> {
        let id = table.cell(row, 1);
        let known = id.parse::<usize>().ok().and_then(|id| id.checked_sub(1));
        let known = known.and_then(|place| Some((place, self.rows.get(place)?)));
        let Some((place, own)) = known else {
            return Err(table.error(
                line,
                format!("`{id}` is no id of this sheet: expected 1 to {}", self.rows.len()),
            ));
        };
        if table.cell(row, 3) != own.sentence.trim() {
            return Err(table.error(
                line,
                format!(
                    "the sentence {id} is `{}` here, but `{}` in the key",
                    table.cell(row, 3),
                    own.sentence
                ),
            ));
        }
        Ok(place)
    }
}

/// The four ratings of a line; none where nothing is filled in.
fn ratings(table: &Table, line: usize, row: &csv::StringRecord) -> Result<Option<[u8; 4]>> {
    let cells = [4, 5, 6, 7].map(|column| table.cell(row, column));
    if cells.iter().all(|cell| cell.is_empty()) {
        return Ok(None);
    }
    let mut ratings = [0; 4];
    for ((rating, cell), criterion) in ratings.iter_mut().zip(cells).zip(Criterion::ALL) {
        let bad = || OwnError::BadRating { text: cell.to_owned(), max: BEST };
        let value = cell.parse().ok().filter(|rating| *rating <= BEST);
        *rating = value.ok_or_else(|| table.error(line, format!("{criterion}: {}", bad())))?;
    }
    Ok(Some(ratings))
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Answer {
    rater: String,
    /// In the order of [`Criterion::ALL`].
    ratings: [u8; 4],
}

/// Filled sheets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilledRatings {
    sheet: RatingSheet,
    /// By sentence.
    answers: Vec<Vec<Answer>>,
}

impl FilledRatings {
    /// How many sentences each rater rated.
    pub fn raters(&self) -> BTreeMap<&str, usize> {
        let mut raters = BTreeMap::new();
        for answer in self.answers.iter().flatten() {
            *raters.entry(answer.rater.as_str()).or_default() += 1;
        }
        raters
    }

    /// The ratings of each system, of as many raters per sentence as are wanted, by chance among those who rated it.
    ///
    /// # Errors
    /// A sentence that fewer people rated, or a system that lacks one.
    pub fn choose(&self, raters: usize, seed: u64) -> Result<BTreeMap<String, HumanScores>> {
        let mut systems = BTreeMap::<&str, BTreeMap<usize, Vec<Answer>>>::new();
        for ((place, row), answers) in (1u64..).zip(&self.sheet.rows).zip(&self.answers) {
            if answers.len() < raters {
                return Err(Error::other(OwnError::TooFewRaters {
                    id: place.to_string(),
                    raters: answers.len(),
                    wanted: raters,
                }));
            }
            let chosen = choose(answers, raters, seed, place);
            systems.entry(&row.system).or_default().insert(row.segment, chosen);
        }
        let mut scores = BTreeMap::new();
        for (system, segments) in systems {
            let criteria = Criterion::ALL.iter().enumerate().map(|(number, criterion)| {
                let of = |answer: &Answer| answer.ratings.get(number).copied().unwrap_or_default();
                let all = segments.values().flatten().map(of).collect();
                Ok((*criterion, Ratings::new(raters, BEST, all)?))
            });
            let criteria = criteria.collect::<Result<Vec<_>, OwnError>>()?;
            scores.insert(system.to_owned(), HumanScores::new(criteria)?);
        }
        Ok(scores)
    }
}

/// Writes ratings as they are published, so that a [`Study`](crate::Study) of the folder reads them.
///
/// # Errors
/// A file that cannot be written.
pub fn write_ratings(
    scores: &BTreeMap<String, HumanScores>,
    set: TestSet,
    folder: &Path,
) -> Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    for (system, scores) in scores {
        let name = system.to_lowercase();
        for criterion in Criterion::ALL {
            let Some(ratings) = scores.ratings(*criterion) else { continue };
            let text: String = ratings.all().iter().map(|rating| format!("{rating}\n")).collect();
            let path = ratings_folder(folder, system).join(format!("{name}_{criterion}_{set}.txt"));
            write_atomically(&path, text.as_bytes())?;
            written.push(path);
        }
    }
    Ok(written)
}
