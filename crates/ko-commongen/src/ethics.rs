//! Sentences that should not be taught: a flagger, and people who look at what it flagged.
//!
//! [`Flagger`] is the seam; [`NgramFlagger`] is a flagger of our own: logistic regression on character
//! n-grams, learnt from comments that people labelled. It errs, so what it flags goes to a
//! [review file](write_review) where people decide, as the paper had it.

use ko_eval_core::{Error as CoreError, Result, Signed, files::write_atomically, read::Lines};
use std::{fmt::Debug, path::Path};

mod ngram;

pub use ngram::{Comment, NgramFlagger, Outcome, read_comments};

use crate::words::words_enum;

/// Says how likely a text is to be offensive.
pub trait Flagger: Signed + Debug + Send + Sync {
    /// The probability, 0 to 1.
    ///
    /// # Errors
    /// When the flagger fails on this text.
    fn probability(&self, text: &str) -> Result<f64>;

    /// From which probability on a text is flagged.
    fn threshold(&self) -> f64;
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
    /// How likely the flagger found it to be offensive.
    pub probability: f64,
    /// The sentence.
    pub text: String,
}

/// Writes a review file: decision, probability and sentence per line, for people to edit the
/// first column.
///
/// # Errors
/// When the file cannot be written.
pub fn write_review(path: &Path, flagged: &[Flagged]) -> Result<()> {
    let line = |row: &Flagged| format!("{}\t{:.4}\t{}\n", row.decision, row.probability, row.text);
    write_atomically(path, flagged.iter().map(line).collect::<String>().as_bytes())
}

/// Reads a review file back.
///
/// # Errors
/// When the file cannot be read or a line is not of three columns.
pub fn read_review(path: &Path) -> Result<Vec<Flagged>> {
    let mut lines = Lines::open(path)?;
    let mut rows = Vec::new();
    while let Some(line) = lines.next() {
        let line = line?;
        let mut columns = line.splitn(3, '\t');
        let row = (columns.next(), columns.next(), columns.next());
        let (Some(decision), Some(probability), Some(text)) = row else {
            return Err(lines.error("expected a decision, a probability and a sentence"));
        };
        rows.push(Flagged {
            decision: decision.parse().map_err(|e: CoreError| lines.error(e.to_string()))?,
            probability: probability
                .parse()
                .map_err(|_| lines.error(format!("`{probability}` is not a number")))?,
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
        let row =
            |text: &str| Flagged { decision: Decision::Open, probability: 0.75, text: text.into() };
        write_review(file.path(), &[row("바보라고 놀린다."), row("바보 상자를 본다.")]).unwrap();
        let edited = std::fs::read_to_string(file.path()).unwrap().replacen("open", "drop", 1);
        std::fs::write(file.path(), edited).unwrap();
        let read = read_review(file.path()).unwrap();
        assert_eq!(read[0], Flagged { decision: Decision::Drop, ..row("바보라고 놀린다.") });
        assert_eq!(read[1], row("바보 상자를 본다."));
        std::fs::write(file.path(), "maybe\t0.5\t비다.\n").unwrap();
        assert!(read_review(file.path()).unwrap_err().to_string().contains("open, keep, drop"));
    }
}
