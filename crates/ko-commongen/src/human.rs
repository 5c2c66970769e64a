//! What people said of systems' sentences, and whether the metrics agree with them.
//!
//! A published file holds one rating per line, 0, 1 or 2, and the three raters of a sentence on
//! consecutive lines; there is a file per system and criterion. A criterion's printed value is the
//! mean of all its ratings, its printed κ the mean of the systems' Fleiss' κ, and the human total of
//! a sentence the sum of the four criteria's means.
//!
//! ```
//! use ko_commongen::human::{Criterion, HumanScores, Ratings};
//!
//! let grammar = Ratings::new(3, 2, vec![2, 2, 1, 0, 0, 0])?; // two sentences, three raters
//! assert_eq!(grammar.by_sentence(), [5.0 / 3.0, 0.0]);
//! let scores = HumanScores::new([(Criterion::Grammar, grammar)])?;
//! assert_eq!(scores.totals(), [5.0 / 3.0, 0.0]);
//! # Ok::<(), ko_commongen::Error>(())
//! ```

use crate::{BadLines, Columns, Error, item::read_rows, words::words_enum};
use ko_eval_core::{Error as CoreError, Result};
use ko_meta_eval::{
    Correlation, Estimate,
    agreement::{KappaBySystem, fleiss_kappa_by_system},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path};

/// Raters of each sentence, as published.
pub const RATERS: usize = 3;
/// The best rating, as published.
pub const BEST: u8 = 2;

words_enum! {
    /// What people were asked.
    pub enum Criterion ("criterion") {
        /// Is it grammatical?
        Grammar "grammar",
        /// Does it make sense?
        Commonsense "commonsense",
        /// Are the concepts used, and rightly?
        Factuality "factuality",
        /// Does it read well?
        Fluency "fluency",
    }
}

/// The ratings of one system by one criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ratings {
    raters: usize,
    ratings: Vec<u8>,
}

impl Ratings {
    /// Ratings, those of a sentence together.
    ///
    /// # Errors
    /// When one is above `best`, or they are no whole number of sentences, at least one.
    pub fn new(raters: usize, best: u8, ratings: Vec<u8>) -> Result<Self, Error> {
        if let Some(bad) = ratings.iter().find(|rating| **rating > best) {
            return Err(Error::BadRating { text: bad.to_string(), max: best });
        }
        if raters == 0 || ratings.is_empty() || !ratings.len().is_multiple_of(raters) {
            return Err(Error::UnevenRatings { ratings: ratings.len(), raters });
        }
        Ok(Self { raters, ratings })
    }

    /// Reads a published file.
    ///
    /// # Errors
    /// A line that is no rating, or a number of lines that is no whole number of sentences.
    pub fn read(path: &Path) -> Result<Self> {
        let rows = read_rows(path, BadLines::Refuse, |line| {
            let rating = line.trim().parse().ok().filter(|rating| *rating <= BEST);
            rating.ok_or_else(|| Error::BadRating { text: line.to_owned(), max: BEST }.to_string())
        })?;
        Self::new(RATERS, BEST, rows.into_values())
            .map_err(|e| CoreError::source(path.display().to_string(), e))
    }

    /// All of them, those of a sentence together.
    pub fn all(&self) -> &[u8] {
        &self.ratings
    }

    /// The mean of all.
    pub fn mean(&self) -> f64 {
        let sum: u64 = self.ratings.iter().map(|r| u64::from(*r)).sum();
        sum as f64 / self.ratings.len() as f64
    }

    /// The mean of each sentence.
    pub fn by_sentence(&self) -> Vec<f64> {
        let mean = |ratings: &[u8]| {
            ratings.iter().map(|r| f64::from(*r)).sum::<f64>() / ratings.len() as f64
        };
        self.ratings.chunks(self.raters).map(mean).collect()
    }
}

/// What people said of one system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HumanScores {
    criteria: BTreeMap<Criterion, Ratings>,
    sentences: usize,
}

impl HumanScores {
    /// Ratings by criterion, of the same sentences.
    ///
    /// # Errors
    /// [`Error::UnevenRatings`] if there are none, or not as many of each.
    pub fn new(criteria: impl IntoIterator<Item = (Criterion, Ratings)>) -> Result<Self, Error> {
        let criteria: BTreeMap<_, _> = criteria.into_iter().collect();
        let count = |ratings: &Ratings| ratings.ratings.len() / ratings.raters;
        let sentences = criteria.values().next().map_or(0, count);
        match criteria.values().find(|ratings| count(ratings) != sentences || sentences == 0) {
            None if sentences > 0 => Ok(Self { criteria, sentences }),
            odd => Err(Error::UnevenRatings {
                ratings: odd.map_or(0, |ratings| ratings.ratings.len()),
                raters: odd.map_or(RATERS, |ratings| ratings.raters),
            }),
        }
    }

    /// Reads a system's folder: for each criterion the one file whose name holds `_CRITERION_` and
    /// ends in `set` (`korean_commongen` or `reform`, as published).
    ///
    /// # Errors
    /// When a file is missing or broken.
    pub fn read(folder: &Path, set: &str) -> Result<Self> {
        let entries = std::fs::read_dir(folder).map_err(|e| CoreError::io(folder, e))?;
        let mut names: Vec<String> =
            entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        let read = |criterion: &Criterion| {
            let ending = format!("_{criterion}_{set}.txt");
            let name = names.iter().find(|name| name.ends_with(&ending));
            let name = name.ok_or_else(|| CoreError::Missing {
                what: format!("a file `…{ending}`"),
                how_to_get_it: format!("put it into {}", folder.display()),
            })?;
            Ok((*criterion, Ratings::read(&folder.join(name))?))
        };
        let criteria: Vec<_> = Criterion::ALL.iter().map(read).collect::<Result<_>>()?;
        Self::new(criteria).map_err(|e| CoreError::source(folder.display().to_string(), e))
    }

    /// One criterion's ratings.
    pub fn ratings(&self, criterion: Criterion) -> Option<&Ratings> {
        self.criteria.get(&criterion)
    }

    /// The mean of each criterion.
    pub fn means(&self) -> BTreeMap<Criterion, f64> {
        self.criteria.iter().map(|(criterion, ratings)| (*criterion, ratings.mean())).collect()
    }

    /// For each sentence the sum of its criteria's means.
    pub fn totals(&self) -> Vec<f64> {
        let mut totals = vec![0.0; self.sentences];
        for ratings in self.criteria.values() {
            totals.iter_mut().zip(ratings.by_sentence()).for_each(|(sum, mean)| *sum += mean);
        }
        totals
    }
}

/// How well the raters of several systems agree, by a criterion.
///
/// # Errors
/// When a system lacks the criterion, or κ is not defined.
pub fn agreement(systems: &[HumanScores], criterion: Criterion) -> Result<KappaBySystem> {
    let items = systems.iter().map(|system| {
        let ratings = system.ratings(criterion).ok_or_else(|| CoreError::Missing {
            what: format!("ratings of {criterion}"),
            how_to_get_it: "read all four criteria of every system".into(),
        })?;
        Ok(ratings.ratings.chunks(ratings.raters).map(<[u8]>::to_vec).collect())
    });
    let items: Vec<Vec<Vec<u8>>> = items.collect::<Result<_>>()?;
    fleiss_kappa_by_system(&items)
        .map_err(|e| CoreError::source(format!("the agreement on {criterion}"), e))
}

/// A metric's correlations with people.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WithPeople {
    /// Of the values.
    pub pearson: Estimate,
    /// Of the ranks.
    pub spearman: Estimate,
    /// Of the order of pairs, τ-b.
    pub kendall: Estimate,
}

/// Each published column against people, segment by segment; systems are pooled by putting them
/// one after the other on both sides.
///
/// # Errors
/// Unequal lengths, fewer than two segments, or a column that never varies.
pub fn correlations(
    segments: &[Columns],
    people: &[f64],
) -> Result<BTreeMap<&'static str, WithPeople>> {
    let column = |(number, name): (usize, &'static str)| {
        let values: Vec<f64> =
            segments.iter().filter_map(|s| s.values().get(number).copied()).collect();
        let of = |correlation: Correlation| {
            correlation
                .of(&values, people)
                .map_err(|e| CoreError::source(format!("{name} against people"), e))
        };
        Ok((
            name,
            WithPeople {
                pearson: of(Correlation::Pearson)?,
                spearman: of(Correlation::Spearman)?,
                kendall: of(Correlation::KendallTauB)?,
            },
        ))
    };
    Columns::NAMES.into_iter().enumerate().map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    #[test]
    fn a_bad_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x_grammar_korean_commongen.txt");
        for (text, word) in [
            ("2\n1\n3\n", ":3:"),
            ("2\n1\n0\n1\n", "4 ratings"),
            ("", "0 ratings"),
            ("2\n\n", ":2:"),
        ] {
            std::fs::write(&file, text).unwrap();
            let error = Ratings::read(&file).unwrap_err();
            assert!(error.to_string().contains("x_grammar"), "{error}");
            let why = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            assert!(why.contains(word), "{why}");
        }
        std::fs::write(&file, "2\n1\n0\n").unwrap();
        assert!(Ratings::read(&file).is_ok());
        let error = HumanScores::read(folder.path(), "korean_commongen").unwrap_err().to_string();
        assert!(error.contains("_commonsense_korean_commongen.txt"), "{error}");
    }

    #[test]
    fn kappa_is_the_mean_of_the_systems() {
        let system = |ratings: &[u8]| {
            let ratings = Ratings::new(3, 2, ratings.to_vec()).unwrap();
            HumanScores::new([(Criterion::Fluency, ratings)]).unwrap()
        };
        let systems = [system(&[2, 2, 2, 0, 0, 0]), system(&[2, 2, 1, 1, 0, 1, 2, 2, 2])];
        let kappa = agreement(&systems, Criterion::Fluency).unwrap();
        assert_eq!(kappa.systems[0].value, 1.0);
        assert_eq!(kappa.mean, (1.0 + kappa.systems[1].value) / 2.0);
        assert!(agreement(&systems, Criterion::Grammar).is_err());
    }

    #[test]
    fn columns_are_compared_one_by_one() {
        let segments = [1.0, 2.0, 3.0, 5.0].map(|x| Columns {
            p3: x,
            p4: -x,
            rouge2: x * x,
            rouge_l: x,
            meteor: x,
            coverage: x,
        });
        let found = correlations(&segments, &[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!(found["p4"].spearman.value, -1.0);
        assert!(found["rouge2"].pearson.value < found["p3"].pearson.value);
        assert!(correlations(&segments, &[1.0, 2.0]).is_err());
    }
}
