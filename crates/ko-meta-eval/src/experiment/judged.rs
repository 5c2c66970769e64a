//! What an experiment is about: systems' outputs with references, sources where there are any, and human scores.

use crate::{
    Error, Result,
    error::{all_finite, at_least, same_length},
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
}

/// One system's outputs and what people think of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgedSystem {
    /// The system's name.
    pub name: String,
    /// Its outputs with their references and, where there are any, their sources, in the order of the source segments.
    pub segments: Vec<OwnedSegment>,
    /// `human[criterion][segment]`.
    pub human: Vec<Vec<f64>>,
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
        Ok(Self { criteria, systems: Vec::new() })
    }

    /// Adds a system: its outputs in the order of the source segments, and a list of as many human
    /// scores per criterion. Higher is better; scores of several judges are averaged beforehand.
    ///
    /// # Errors
    /// A name twice, lists of unequal length, or scores that are not finite.
    pub fn push(
        &mut self,
        name: impl Into<String>,
        segments: impl IntoIterator<Item = OwnedSegment>,
        human: Vec<Vec<f64>>,
    ) -> Result<()> {
        let name = name.into();
        let segments: Vec<_> = segments.into_iter().collect();
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
            all_finite(&what, scores)?;
        }
        self.systems.push(JudgedSystem { name, segments, human });
        Ok(())
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

    /// Scores per system and segment for a criterion, or for [`TOTAL`] the sum of all.
    pub fn scores(&self, target: &str) -> Vec<Vec<f64>> {
        let chosen = |number: usize| {
            target == TOTAL || self.criteria.get(number).is_some_and(|name| name == target)
        };
        let of = |system: &JudgedSystem| {
            let mut sums = vec![0.0; system.segments.len()];
            for (_, scores) in system.human.iter().enumerate().filter(|(c, _)| chosen(*c)) {
                sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score);
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
