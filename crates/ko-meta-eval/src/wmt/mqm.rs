//! MQM: errors that experts marked, weighed and added up.
//!
//! Each error has a severity and a category; a segment's score by one rater is minus the sum of its errors' weights, and the mean over raters is
//! the segment's. The weights are those of Freitag et al., *Experts, Errors, and Context* (TACL 2021), and of WMT since:
//!
//! | error | weight |
//! |---|---|
//! | major | 5 |
//! | major, non-translation | 25 |
//! | minor | 1 |
//! | minor, fluency/punctuation | 0.1 |
//! | neutral, none | 0 |
//!
//! ```
//! use ko_meta_eval::wmt::mqm::Weights;
//!
//! let weights = Weights::default();
//! assert_eq!(weights.of("Minor", "Fluency/Punctuation"), 0.1);
//! assert_eq!(weights.of("minor", "Accuracy/Mistranslation"), 1.0);
//! assert_eq!(weights.of("Major", "Non-translation!"), 25.0);
//! let strict: Weights = "Major:10 Minor:1".parse()?;
//! assert_eq!(strict.of("Major", "Style/Awkward"), 10.0);
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```
//!
//! Equal to `score_mqm.py` of mt-metrics-eval on its golden table.

use super::test_set::BySystem;
use crate::{Error, Result, judgement::Judgement};
use ko_eval_io::read::Lines;
use serde::Deserialize;
use std::{collections::BTreeMap, path::Path, str::FromStr};

/// What errors cost, by severity and perhaps category; the most specific entry counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights(BTreeMap<String, f64>);

impl Default for Weights {
    fn default() -> Self {
        let listed = [
            ("major", 5.0),
            ("minor", 1.0),
            ("neutral", 0.0),
            ("major/non-translation!", 25.0),
            ("minor/fluency/punctuation", 0.1),
        ];
        Self(listed.into_iter().map(|(name, weight)| (name.to_owned(), weight)).collect())
    }
}

impl FromStr for Weights {
    type Err = Error;

    /// From `Major:5 Minor:1 Minor/Fluency/Punctuation:0.1`.
    fn from_str(text: &str) -> Result<Self> {
        let mut weights = BTreeMap::new();
        for entry in text.split_whitespace() {
            let parts = entry.rsplit_once(':');
            let weight = parts.and_then(|(_, weight)| weight.parse::<f64>().ok());
            let (Some((name, _)), Some(weight)) = (parts, weight.filter(|w| w.is_finite())) else {
                return Err(Error::invalid("weight", entry, "SEVERITY[/CATEGORY]:NUMBER"));
            };
            weights.insert(name.to_lowercase(), weight);
        }
        Ok(Self(weights))
    }
}

impl Weights {
    /// What an error costs; 0 of a severity that has no weight.
    pub fn of(&self, severity: &str, category: &str) -> f64 {
        let whole = format!("{severity}/{category}").to_lowercase();
        let mut name = whole.as_str();
        loop {
            if let Some(weight) = self.0.get(name) {
                return *weight;
            }
            let Some((shorter, _)) = name.rsplit_once('/') else { return 0.0 };
            name = shorter;
        }
    }
}

/// What a rater's errors in an output cost: a line per error becomes a rating per output.
#[derive(Debug, Clone, PartialEq)]
pub struct MqmRating {
    /// Whose output.
    pub system: String,
    /// Its document; empty where the table has none.
    pub document: String,
    /// Its number, from 1: in its document, or where the table has no documents in all.
    pub segment: usize,
    /// Its number in the whole test set from 1, where the table tells it.
    pub overall: Option<usize>,
    /// Who rated.
    pub rater: String,
    /// Minus the sum of the weights.
    pub score: f64,
}

/// The columns that a table may have, by their names.
struct Columns {
    system: usize,
    rater: usize,
    category: usize,
    severity: usize,
    document: Option<usize>,
    in_document: Option<usize>,
    overall: Option<usize>,
}

impl Columns {
    fn of(heading: &str) -> Result<Self, String> {
        let names: Vec<&str> = heading.split('\t').map(str::trim).collect();
        let find = |wanted: &[&str]| names.iter().position(|name| wanted.contains(name));
        let need = |name: &str| find(&[name]).ok_or(format!("MQM needs a column `{name}`"));
        let columns = Self {
            system: need("system")?,
            rater: need("rater")?,
            category: need("category")?,
            severity: need("severity")?,
            document: find(&["doc"]),
            in_document: find(&["doc_id", "docSegId"]),
            overall: find(&["seg_id", "globalSegId", "segment"]),
        };
        match (columns.in_document, columns.overall) {
            (None, None) => Err("MQM needs a column `doc_id` or `seg_id`".to_owned()),
            _ => Ok(columns),
        }
    }
}

/// Whether a heading is that of MQM annotations.
pub(crate) fn is_heading(heading: &str) -> bool {
    let has = |wanted: &str| heading.split('\t').any(|name| name.trim() == wanted);
    has("severity") && has("category")
}

/// Ratings from annotations as WMT publishes them: tab-separated, a line per error (or one that says that there is none), with the columns
/// `system`, `doc`, `doc_id` or `seg_id`, `rater`, `category`, `severity`, and any others.
///
/// # Errors
/// A file that cannot be read, a column that is missing, or a broken line.
pub fn read_annotations(path: &Path, weights: &Weights) -> Result<Vec<MqmRating>> {
    let mut lines = Lines::open(path)?;
    let heading = lines.next().transpose()?.unwrap_or_default();
    let columns = Columns::of(&heading).map_err(|reason| lines.error(reason))?;
    let mut places = BTreeMap::new();
    let mut ratings: Vec<MqmRating> = Vec::new();
    while let Some(line) = lines.next().transpose()? {
        if line.trim().is_empty() {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |at: usize| fields.get(at).copied().map(str::trim);
        let text = |at: usize| field(at).ok_or_else(|| lines.error("a line has too few columns"));
        let number = |at: Option<usize>| -> Result<Option<usize>> {
            let Some(at) = at else { return Ok(None) };
            let written = text(at)?;
            let number = written.parse::<usize>().ok().filter(|number| *number > 0);
            let wrong = || lines.error(format!("`{written}` is no segment number from 1"));
            Ok(Some(number.ok_or_else(wrong)?))
        };
        let overall = number(columns.overall)?;
        let in_document = number(columns.in_document)?;
        let (system, rater) = (text(columns.system)?, text(columns.rater)?);
        let document = columns.document.map(text).transpose()?.unwrap_or_default();
        let segment = in_document.or(overall).unwrap_or_default();
        let cost = weights.of(text(columns.severity)?, text(columns.category)?);
        let key = (system.to_owned(), document.to_owned(), segment, rater.to_owned());
        let place = *places.entry(key).or_insert_with(|| {
            ratings.push(MqmRating {
                system: system.to_owned(),
                document: document.to_owned(),
                segment,
                overall,
                rater: rater.to_owned(),
                score: 0.0,
            });
            ratings.len() - 1
        });
        if let Some(rating) = ratings.get_mut(place) {
            rating.score -= cost;
        }
    }
    Ok(ratings)
}

/// The mean over raters of every output, by system, document and segment.
pub fn means(ratings: &[MqmRating]) -> BTreeMap<(&str, &str, usize), f64> {
    let mut scores = BTreeMap::<_, Vec<f64>>::new();
    for rating in ratings {
        let key = (rating.system.as_str(), rating.document.as_str(), rating.segment);
        scores.entry(key).or_default().push(rating.score);
    }
    let mean = |scores: Vec<f64>| scores.iter().sum::<f64>() / scores.len() as f64;
    scores.into_iter().map(|(key, scores)| (key, mean(scores))).collect()
}

/// Ratings as judgements, where the table numbers the segments of the whole test set.
pub(crate) fn judgements(path: &Path) -> Result<Vec<Judgement>> {
    let ratings = read_annotations(path, &Weights::default())?;
    let of = |rating: MqmRating| {
        let segment = match (rating.overall, rating.document.is_empty()) {
            (Some(overall), _) => overall,
            (None, true) => rating.segment,
            (None, false) => {
                let value = format!("{}, {}", rating.document, rating.segment);
                let expected = "a column `seg_id` that numbers the segments of all documents";
                return Err(Error::invalid(path.display().to_string(), value, expected));
            }
        };
        Ok(Judgement {
            system: rating.system,
            segment: segment - 1,
            judge: rating.rater,
            scores: vec![Some(rating.score)],
        })
    };
    ratings.into_iter().map(of).collect()
}

/// An error in a `.seg.rating` file.
#[derive(Deserialize)]
struct Marked {
    #[serde(default)]
    category: Option<String>,
    #[serde(default)]
    severity: Option<String>,
}

#[derive(Deserialize)]
struct Rating {
    errors: Vec<Marked>,
}

/// Scores from a `.seg.rating` file of mt-metrics-eval: system, a JSON object of errors or `None`, perhaps a rater, between tabs.
pub(super) fn read_ratings(path: &Path, weights: &Weights) -> Result<BySystem> {
    let mut lines = Lines::open(path)?;
    let mut all = BySystem::new();
    while let Some(line) = lines.next().transpose()? {
        let fields: Vec<&str> = line.split('\t').collect();
        let ([system, rating] | [system, rating, _]) = fields.as_slice() else {
            return Err(lines.error("expected a system, a rating and perhaps a rater").into());
        };
        let score = if *rating == "None" {
            None
        } else {
            let rating: Rating =
                serde_json::from_str(rating).map_err(|error| lines.error(error.to_string()))?;
            let cost = |error: &Marked| {
                let text = |text: &Option<String>| text.clone().unwrap_or_default();
                weights.of(&text(&error.severity), &text(&error.category))
            };
            Some(-rating.errors.iter().map(cost).sum::<f64>())
        };
        all.entry((*system).to_owned()).or_default().push(score);
    }
    Ok(all)
}
