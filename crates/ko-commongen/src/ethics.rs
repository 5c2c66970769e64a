//! Sentences that should not be taught: a flagger, and people who look at what it flagged.
//!
//! [`Flagger`] is the seam; [`NgramFlagger`] is a flagger of our own: logistic regression on character n-grams, learnt from comments that people labelled;
//! [`ModelFlagger`] asks any classifier, for bias and hate apart. Flaggers err, so what they flag goes to a [review file](write_review) where people decide,
//! as the paper had it.

use ko_eval_core::{Error as CoreError, Result, Signed};
use ko_eval_io::{files::write_atomically, read::Lines};
use std::{fmt::Debug, path::Path};

mod model;
mod ngram;

pub use model::ModelFlagger;
pub use ngram::{Comment, NgramFlagger, Outcome, read_comments};

use crate::{Error, words::words_enum};

/// Says how likely a text is to be offensive.
pub trait Flagger: Signed + Debug + Send + Sync {
    /// What a text can be flagged for: `hate`, or `bias` and `hate`.
    fn labels(&self) -> Vec<String>;

    /// For every text the probability of each label, 0 to 1.
    ///
    /// # Errors
    /// When the flagger fails on one of the texts.
    fn probabilities(&self, texts: &[&str]) -> Result<Vec<Vec<f64>>>;

    /// From which probability of a label on a text is flagged.
    fn threshold(&self) -> f64;

    /// The probability of the likeliest label.
    ///
    /// # Errors
    /// When the flagger fails on this text.
    fn probability(&self, text: &str) -> Result<f64> {
        let found = self.probabilities(&[text])?;
        Ok(found.into_iter().flatten().fold(0.0, f64::max))
    }
}

/// A probability.
fn checked_threshold(threshold: f64) -> Result<f64, Error> {
    match (0.0..=1.0).contains(&threshold) {
        true => Ok(threshold),
        false => {
            let value = threshold.to_string();
            Err(Error::BadSetting { name: "threshold", value, expected: "0 to 1" })
        }
    }
}

words_enum! {
    /// What becomes of a flagged sentence.
    pub enum Decision ("decision") {
        /// Nobody has looked yet: it stays out.
        Open "open",
        /// Somebody found it harmless.
        Keep "keep",
        /// Somebody found it harmful.
        Drop "drop",
    }
}

/// A flagged sentence in the review file.
#[derive(Debug, Clone, PartialEq)]
pub struct Flagged {
    /// What people decided.
    pub decision: Decision,
    /// How likely the flagger found the likeliest of its labels.
    pub probability: f64,
    /// What it was flagged for; empty in a file of three columns.
    pub labels: Vec<String>,
    /// The sentence.
    pub text: String,
}

/// Writes a review file: decision, probability, labels and sentence per line, for people to edit the
/// first column.
///
/// # Errors
/// When the file cannot be written.
pub fn write_review(path: &Path, flagged: &[Flagged]) -> Result<()> {
    let line = |row: &Flagged| {
        format!(
            "{}\t{:.4}\t{}\t{}\n",
            row.decision,
            row.probability,
            row.labels.join("+"),
            row.text
        )
    };
    write_atomically(path, flagged.iter().map(line).collect::<String>().as_bytes())
}

/// Reads a review file back; the labels may be missing.
///
/// # Errors
/// When the file cannot be read or a line is not of three or four columns.
pub fn read_review(path: &Path) -> Result<Vec<Flagged>> {
    let mut lines = Lines::open(path)?;
    let mut rows = Vec::new();
    while let Some(line) = lines.next() {
        let line = line?;
        let columns: Vec<&str> = line.split('\t').collect();
        let (decision, probability, labels, text) = match columns.as_slice() {
            [decision, probability, text] => (*decision, *probability, "", *text),
            [decision, probability, labels, text] => (*decision, *probability, *labels, *text),
            _ => {
                return Err(
                    lines.error("expected a decision, a probability, labels and a sentence")
                );
            }
        };
        rows.push(Flagged {
            decision: decision.parse().map_err(|e: CoreError| lines.error(e.to_string()))?,
            probability: probability
                .parse()
                .map_err(|_| lines.error(format!("`{probability}` is not a number")))?,
            labels: labels.split('+').filter(|l| !l.is_empty()).map(str::to_owned).collect(),
            text: text.to_owned(),
        });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_have_the_last_word() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let row = |text: &str| Flagged {
            decision: Decision::Open,
            probability: 0.75,
            labels: vec!["bias".into(), "hate".into()],
            text: text.into(),
        };
        write_review(file.path(), &[row("바보라고 놀린다."), row("바보 상자를 본다.")]).unwrap();
        let edited = std::fs::read_to_string(file.path()).unwrap().replacen("open", "drop", 1);
        std::fs::write(file.path(), edited).unwrap();
        let read = read_review(file.path()).unwrap();
        assert_eq!(read[0], Flagged { decision: Decision::Drop, ..row("바보라고 놀린다.") });
        assert_eq!(read[1], row("바보 상자를 본다."));
        std::fs::write(file.path(), "keep\t0.5\t비다.\n").unwrap();
        assert_eq!(read_review(file.path()).unwrap()[0].labels, [""; 0], "as it once was");
        std::fs::write(file.path(), "maybe\t0.5\t비다.\n").unwrap();
        assert!(read_review(file.path()).unwrap_err().to_string().contains("open, keep, drop"));
    }
}
