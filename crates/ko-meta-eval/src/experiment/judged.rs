//! What an experiment is about: systems' outputs with references, sources where there are any, and human scores.

use super::quotes::Quotes;
use crate::{
    Error, Result,
    error::{all_finite, at_least, same_length},
    judgement::Judging,
};
use ko_eval_core::{Fingerprint, OwnedSegment};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The name of the sum of all criteria.
pub const TOTAL: &str = "total";

/// Several systems' outputs for the same source segments, each judged by one criterion or more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    criteria: Vec<String>,
    systems: Vec<JudgedSystem>,
    judging: Option<Judging>,
    quotes: Quotes,
}

/// One system's outputs and what people think of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgedSystem {
    /// The system's name.
    pub name: String,
    /// Its outputs with their references and, where there are any, their sources, in the order of the source segments.
    pub segments: Vec<OwnedSegment>,
    /// `human[criterion][segment]`; none where nobody judged the output.
    pub human: Vec<Vec<Option<f64>>>,
}

impl Judged {
    /// Judged by these criteria; no system yet.
    ///
    /// # Errors
    /// No criterion, one twice, or one called [`TOTAL`], which is the name of the sum.
    pub fn new<S: Into<String>>(criteria: impl IntoIterator<Item = S>) -> Result<Self> {
        let criteria: Vec<String> = criteria.into_iter().map(Into::into).collect();
        at_least("criteria", criteria.len(), 1)?;
        let mut seen = HashSet::from([TOTAL]);
        if let Some(twice) = criteria.iter().find(|c| !seen.insert(c)) {
            return Err(Error::invalid("criterion", twice, "a name of its own"));
        }
        Ok(Self { criteria, systems: Vec::new(), judging: None, quotes: Quotes::default() })
    }

    /// The same with an account of the ratings that the scores come from.
    #[must_use]
    pub fn with_judging(self, judging: Judging) -> Self {
        Self { judging: Some(judging), ..self }
    }

    /// The same with this form of quotation marks in all texts, those that are added later included; signatures say so.
    #[must_use]
    pub fn with_quotes(mut self, quotes: Quotes) -> Self {
        self.quotes = quotes;
        for segment in self.systems.iter_mut().flat_map(|system| &mut system.segments) {
            *segment = quotes.segment(segment);
        }
        self
    }

    /// Adds a system: its outputs in the order of the source segments, and a list of as many human
    /// scores per criterion: numbers, or `None` where nobody judged. Higher is better; scores of several judges are
    /// averaged beforehand.
    ///
    /// # Errors
    /// A name twice, lists of unequal length, or scores that are not finite.
    pub fn push<S: Into<Option<f64>>>(
        &mut self,
        name: impl Into<String>,
        segments: impl IntoIterator<Item = OwnedSegment>,
        human: Vec<Vec<S>>,
    ) -> Result<()> {
        let name = name.into();
        let list = |scores: Vec<S>| scores.into_iter().map(Into::into).collect();
        let human: Vec<Vec<Option<f64>>> = human.into_iter().map(list).collect();
        let segments: Vec<_> =
            segments.into_iter().map(|segment| self.quotes.segment(&segment)).collect();
        if self.systems.iter().any(|system| system.name == name) {
            return Err(Error::invalid("system", name, "a name of its own"));
        }
        at_least("segments of a system", segments.len(), 1)?;
        if let Some(first) = self.systems.first() {
            same_length((&first.name, first.segments.len()), (&name, segments.len()))?;
        }
        same_length(("the list of criteria", self.criteria.len()), (&name, human.len()))?;
        for (criterion, scores) in self.criteria.iter().zip(&human) {
            let what = format!("{name}, {criterion}");
            same_length((&name, segments.len()), (&what, scores.len()))?;
            let given: Vec<f64> = scores.iter().flatten().copied().collect();
            all_finite(&what, &given)?;
        }
        self.systems.push(JudgedSystem { name, segments, human });
        Ok(())
    }

    /// What became of the ratings, where they are known one by one.
    pub fn judging(&self) -> Option<&Judging> {
        self.judging.as_ref()
    }

    /// The form of quotation marks.
    pub fn quotes(&self) -> Quotes {
        self.quotes
    }

    /// By what the systems were judged.
    pub fn criteria(&self) -> &[String] {
        &self.criteria
    }

    /// The systems in the order added.
    pub fn systems(&self) -> &[JudgedSystem] {
        &self.systems
    }

    /// How many source segments there are.
    pub fn len(&self) -> usize {
        self.systems.first().map_or(0, |system| system.segments.len())
    }

    /// Whether there is no system.
    pub fn is_empty(&self) -> bool {
        self.systems.is_empty()
    }

    /// The names of what metrics are compared with: the total, and the criteria where there are several.
    pub fn targets(&self) -> Vec<&str> {
        let single = self.criteria.len() == 1;
        let criteria = self.criteria.iter().filter(|_| !single).map(String::as_str);
        std::iter::once(TOTAL).chain(criteria).collect()
    }

    /// Scores per system and segment for a criterion, or for [`TOTAL`] the sum of all; an output that lacks the score of a
    /// criterion has no total.
    pub fn scores(&self, target: &str) -> Vec<Vec<Option<f64>>> {
        let chosen = |number: usize| {
            target == TOTAL || self.criteria.get(number).is_some_and(|name| name == target)
        };
        let of = |system: &JudgedSystem| {
            let mut sums = vec![Some(0.0); system.segments.len()];
            for (_, scores) in system.human.iter().enumerate().filter(|(c, _)| chosen(*c)) {
                let both = sums.iter_mut().zip(scores);
                both.for_each(|(sum, score)| {
                    *sum = sum.zip(*score).map(|(sum, score)| sum + score);
                });
            }
            sums
        };
        self.systems.iter().map(of).collect()
    }

    /// Every distinct text, outputs and references, in order of appearance.
    pub fn texts(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let mut texts = Vec::new();
        for segment in self.systems.iter().flat_map(|system| &system.segments) {
            let segment = segment.as_segment();
            for text in std::iter::once(segment.hypothesis()).chain(segment.references().to_vec()) {
                if seen.insert(text) {
                    texts.push(text);
                }
            }
        }
        texts
    }

    /// Every distinct reference.
    pub(super) fn references(&self) -> HashSet<&str> {
        let segments = self.systems.iter().flat_map(|system| &system.segments);
        segments.flat_map(|segment| segment.as_segment().references().to_vec()).collect()
    }

    /// Every distinct output.
    pub(super) fn outputs(&self) -> HashSet<&str> {
        let segments = self.systems.iter().flat_map(|system| &system.segments);
        segments.map(|segment| segment.as_segment().hypothesis()).collect()
    }

    /// A checksum of all texts and of the division into systems; human scores have no part in it,
    /// because metrics do not see them.
    pub fn checksum(&self) -> String {
        let mut all = Fingerprint::new();
        for system in &self.systems {
            all = all.text(&system.name);
            for segment in &system.segments {
                let segment = segment.as_segment();
                // A count keeps references from being taken for the next hypothesis.
                let count = segment.references().len().to_string();
                all = all.text(segment.hypothesis()).text(&count);
                all = segment.references().iter().fold(all, |all, text| all.text(text));
                all = match segment.source() {
                    Some(source) => all.text("1").text(source),
                    None => all.text("0"),
                };
            }
        }
        all.hex()
    }
}
