//! Choosing among several sentences that a model offers for one concept set.
//!
//! The one that covers most of the concepts wins, as published (Coverage on morphemes); of equal
//! ones the one with the best model score, then the first.

use crate::{
    Error, Item,
    item::{BadLines, Reading, read_rows},
    kernel,
};
use ko_eval_core::{Result, Signature, Signed, par_map};
use ko_eval_io::Progress;
use ko_eval_model::Candidate;
use ko_tokenize::MorphemeAnalyzer;
use serde::{Deserialize, Serialize};
use std::{path::Path, sync::Arc};

/// The candidates of one concept set: `{"concept-set": "a#b", "candidates": ["…", {"text": "…", "score": -1.5}]}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidates {
    /// The concepts, joined by `#`.
    #[serde(rename = "concept-set")]
    pub concept_set: String,
    /// What the model offers, five sentences or more as a rule.
    pub candidates: Vec<Candidate>,
}

/// What was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Choice {
    /// Which candidate, from 0.
    pub index: usize,
    /// The sentence.
    pub text: String,
    /// The share of the concepts that it covers, 0 to 1.
    pub coverage: f64,
}

/// Chooses by coverage.
#[derive(Debug, Clone)]
pub struct Reranker {
    analyzer: Arc<dyn MorphemeAnalyzer>,
}

impl Reranker {
    /// Over an analyzer, MeCab-ko with its left-space penalty as published.
    pub fn new(analyzer: Arc<dyn MorphemeAnalyzer>) -> Self {
        Self { analyzer }
    }

    /// The best candidate.
    ///
    /// # Errors
    /// When there is no candidate or no concept, or a text cannot be analysed.
    pub fn choose(&self, offered: &Candidates) -> Result<Choice> {
        let surfaces = |text: &str| -> Result<Vec<String>> {
            Ok(self.analyzer.analyze(text)?.into_iter().map(|m| m.form.into_owned()).collect())
        };
        // An item checks the concepts.
        Item::new(offered.concept_set.split('#'), ["."])?;
        let concepts = surfaces(&offered.concept_set)?;
        let mut best: Option<(Choice, f64)> = None;
        for (index, candidate) in offered.candidates.iter().enumerate() {
            let coverage = kernel::coverage(&concepts, &surfaces(&candidate.text)?);
            let score = candidate.score.filter(|s| s.is_finite()).unwrap_or(f64::NEG_INFINITY);
            let better = best
                .as_ref()
                .is_none_or(|(choice, of_best)| (coverage, score) > (choice.coverage, *of_best));
            if better {
                best = Some((Choice { index, text: candidate.text.clone(), coverage }, score));
            }
        }
        let none = || Error::NoCandidates(offered.concept_set.clone()).into();
        best.map(|(choice, _)| choice).ok_or_else(none)
    }

    /// The best candidate of every line of a file.
    ///
    /// # Errors
    /// A broken line if `bad_lines` refuses it, else as [`Reranker::choose`].
    pub fn choose_all(
        &self,
        path: &Path,
        bad_lines: BadLines,
        progress: &dyn Progress,
    ) -> Result<Reading<Choice>> {
        let read = read_rows(path, bad_lines, |line| {
            let offered: Candidates = serde_json::from_str(line).map_err(|e| e.to_string())?;
            if offered.candidates.is_empty() {
                return Err(Error::NoCandidates(offered.concept_set).to_string());
            }
            Item::new(offered.concept_set.split('#'), ["."]).map_err(|e| e.to_string())?;
            Ok(offered)
        })?;
        let mut rows = Vec::with_capacity(read.rows.len());
        progress.begin("rerank", Some(read.rows.len() as u64));
        for chunk in read.rows.chunks(512) {
            rows.extend(par_map(chunk, |(line, offered)| Ok((*line, self.choose(offered)?)))?);
            progress.advance(chunk.len() as u64);
        }
        Ok(Reading { rows, lines: read.lines, skipped: read.skipped })
    }
}

impl Signed for Reranker {
    fn signature(&self) -> Signature {
        Signature::new("coverage-rerank").with_nested("tok", &self.analyzer.signature())
    }
}
