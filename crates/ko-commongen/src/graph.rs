//! A graph of concepts and how strongly they belong together, and the test set that is made by it.
//!
//! The paper's second test has other concepts than its pictures and dialogues: concepts that a graph of common sense relates, each with its 20 strongest
//! neighbours; sentences that people wrote about them; and concept sets that are taken from those sentences in reverse, by the rule of the
//! first test. [`ConceptGraph::proposals`] is what people write about (`ko-eval commongen sheet write`), [`Reformulation`] makes the items.
//!
//! ```
//! use ko_commongen::ConceptGraph;
//!
//! let mut graph = ConceptGraph::default();
//! for (a, b, weight) in [("개", "공", 2.0), ("개", "산책", 3.5), ("공", "선수", 1.0)] {
//!     graph.add(a, b, weight);
//! }
//! assert_eq!(graph.related("개", 20), ["산책", "공"]);
//! assert_eq!(graph.related("선수", 20), ["공"]);
//! ```

use crate::{Error, Extractor, Item};
use ko_eval_core::{Error as CoreError, Result, par_map};
use ko_eval_io::{Progress, read::Lines};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
    path::Path,
};

/// Sentences that are in memory at once.
const CHUNK: usize = 4096;

/// Concepts, and how strongly each belongs to others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConceptGraph {
    edges: BTreeMap<String, BTreeMap<String, f64>>,
}

impl ConceptGraph {
    /// Reads a graph, line by line either
    ///
    /// - an assertion of ConceptNet: its address, the relation, `/c/ko/개`, `/c/ko/공/n`, and JSON with a `weight` (1 without one), separated by tabs;
    ///   edges that leave Korean are passed over; or
    /// - `concept TAB concept [TAB weight]`.
    ///
    /// # Errors
    /// When the file cannot be read, or a line is neither, with file and line.
    pub fn read(path: &Path) -> Result<Self> {
        let mut graph = Self::default();
        let mut lines = Lines::open(path)?;
        while let Some(line) = lines.next().transpose()? {
            let cells: Vec<&str> = line.split('\t').collect();
            let edge = match cells.as_slice() {
                [""] => None,
                [_, _, start, end, json] if start.starts_with("/c/") => {
                    let weight = weight(json).map_err(|reason| lines.error(reason))?;
                    korean(start).zip(korean(end)).map(|(a, b)| (a, b, weight))
                }
                [a, b] => Some(((*a).to_owned(), (*b).to_owned(), 1.0)),
                [a, b, weight] => {
                    let weight = number(weight).map_err(|reason| lines.error(reason))?;
                    Some(((*a).to_owned(), (*b).to_owned(), weight))
                }
                _ => {
                    return Err(lines.error(
                        "expected an assertion of ConceptNet, or two concepts and a weight",
                    ));
                }
            };
            if let Some((a, b, weight)) = edge {
                graph.add(&a, &b, weight);
            }
        }
        Ok(graph)
    }

    /// Adds an edge in both directions; of two between the same concepts the stronger counts. A concept has none to itself.
    pub fn add(&mut self, a: &str, b: &str, weight: f64) {
        let (a, b) = (a.trim(), b.trim());
        if a == b || a.is_empty() || b.is_empty() {
            return;
        }
        for (from, to) in [(a, b), (b, a)] {
            let edges = self.edges.entry(from.to_owned()).or_default();
            let known = edges.entry(to.to_owned()).or_insert(weight);
            *known = known.max(weight);
        }
    }

    /// How many concepts there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The concepts that belong most strongly to one, at most so many; of equal ones the alphabet decides.
    pub fn related(&self, concept: &str, most: usize) -> Vec<&str> {
        let mut found: Vec<(&String, &f64)> =
            self.edges.get(concept).into_iter().flatten().collect();
        found.sort_by(|a, b| b.1.total_cmp(a.1).then(a.0.cmp(b.0)));
        found.into_iter().take(most).map(|(concept, _)| concept.as_str()).collect()
    }

    /// Whether one of two concepts is among the strongest of the other.
    pub fn are_related(&self, a: &str, b: &str, most: usize) -> bool {
        self.related(a, most).contains(&b) || self.related(b, most).contains(&a)
    }

    /// What people may write about ([`WritingSheet::of_sets`](crate::sheet::WritingSheet::of_sets)): every concept of these with its strongest; concepts
    /// that the graph does not know are left out.
    pub fn proposals<'c>(
        &self,
        concepts: impl IntoIterator<Item = &'c str>,
        most: usize,
    ) -> Vec<Vec<String>> {
        let known: BTreeSet<&str> = concepts.into_iter().collect();
        let set = |concept: &&str| {
            let related = self.related(concept, most);
            let all = std::iter::once(*concept).chain(related).map(str::to_owned);
            Some(all.collect::<Vec<_>>()).filter(|set| set.len() > 1)
        };
        known.iter().filter_map(set).collect()
    }
}

/// `/c/ko/핫_도그/n` is 핫 도그; a concept of another language is none.
fn korean(address: &str) -> Option<String> {
    let rest = address.strip_prefix("/c/ko/")?;
    let word = rest.split('/').next()?.replace('_', " ");
    Some(word).filter(|word| !word.trim().is_empty())
}

fn weight(json: &str) -> Result<f64, String> {
    let value: serde_json::Value = serde_json::from_str(json).map_err(|e| e.to_string())?;
    match value.get("weight") {
        None => Ok(1.0),
        Some(weight) => weight
            .as_f64()
            .filter(|weight| weight.is_finite())
            .ok_or_else(|| format!("`{weight}` is no weight")),
    }
}

fn number(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("`{text}` is no weight"))
}

/// How sentences become the items of a test whose concepts a graph relates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reformulation {
    /// How many neighbours of a concept count.
    pub most: usize,
    /// The sizes of concept sets.
    pub sizes: RangeInclusive<usize>,
}

impl Default for Reformulation {
    /// The published numbers: 20 neighbours; sets of three concepts or more.
    fn default() -> Self {
        Self { most: 20, sizes: 3..=usize::MAX }
    }
}

/// What became of the sentences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReformulationReport {
    /// Sentences that came in.
    pub sentences: usize,
    /// Left out: too few concepts, or too many.
    pub other_size: usize,
    /// Left out: no two of their concepts are related.
    pub unrelated: usize,
    /// Left out: the concept set was there before, or is one that is known already.
    pub known: usize,
    /// Items made.
    pub items: usize,
}

impl Reformulation {
    /// Takes the concept sets of sentences in reverse: an item for each sentence with two related concepts, whose set is neither among `known` nor was
    /// there before.
    ///
    /// # Errors
    /// When a sentence cannot be analysed, or is no line.
    pub fn items(
        &self,
        graph: &ConceptGraph,
        extractor: &Extractor,
        sentences: &[String],
        known: &[Item],
        progress: &dyn Progress,
    ) -> Result<(Vec<Item>, ReformulationReport)> {
        let sorted =
            |concepts: &[String]| -> BTreeSet<String> { concepts.iter().cloned().collect() };
        let mut seen: BTreeSet<BTreeSet<String>> =
            known.iter().map(|item| sorted(item.concepts())).collect();
        let mut report = ReformulationReport { sentences: sentences.len(), ..Default::default() };
        let mut items = Vec::new();
        progress.begin("reformulate", Some(sentences.len() as u64));
        for chunk in sentences.chunks(CHUNK) {
            let found = par_map(chunk, |text| {
                let concepts = extractor.concepts(text)?;
                let is_related = self.has_related(graph, &concepts);
                Ok((concepts, is_related))
            })?;
            for (text, (concepts, is_related)) in chunk.iter().zip(found) {
                if !self.sizes.contains(&concepts.len()) {
                    report.other_size += 1;
                } else if !is_related {
                    report.unrelated += 1;
                } else if !seen.insert(sorted(&concepts)) {
                    report.known += 1;
                } else {
                    let item = Item::new(concepts, [text.as_str()]);
                    items.push(item.map_err(|e: Error| CoreError::source(text.clone(), e))?);
                }
            }
            progress.advance(chunk.len() as u64);
        }
        report.items = items.len();
        Ok((items, report))
    }

    fn has_related(&self, graph: &ConceptGraph, concepts: &[String]) -> bool {
        let mut pairs = concepts.iter().enumerate().flat_map(|(place, a)| {
            concepts.iter().skip(place + 1).map(move |b| (a.as_str(), b.as_str()))
        });
        pairs.any(|(a, b)| graph.are_related(a, b, self.most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_forms() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let lines = "/a/1\t/r/AtLocation\t/c/ko/개/n\t/c/ko/핫_도그\t{\"weight\": 2.0, \"dataset\": \"x\"}\n\
                     /a/2\t/r/Synonym\t/c/ko/개\t/c/en/dog\t{\"weight\": 9.0}\n\
                     \n개\t공\t3\n개\t개\n공\t선수\n";
        std::fs::write(file.path(), lines).unwrap();
        let graph = ConceptGraph::read(file.path()).unwrap();
        assert_eq!(graph.related("개", 20), ["공", "핫 도그"]);
        assert_eq!(graph.related("개", 1), ["공"]);
        assert_eq!((graph.len(), graph.related("dog", 20).len()), (4, 0));
        assert!(graph.are_related("선수", "공", 1) && !graph.are_related("선수", "개", 20));
        for (line, part) in [
            ("개\t공\t무거움\n", ":1: `무거움` is no weight"),
            ("개\n", ":1: expected"),
            ("/a\t/r\t/c/ko/개\t/c/ko/공\t{\"weight\": \"x\"}\n", "is no weight"),
        ] {
            std::fs::write(file.path(), line).unwrap();
            let error = ConceptGraph::read(file.path()).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn the_strongest_come_first_and_names_break_ties() {
        let mut graph = ConceptGraph::default();
        for number in 0..30 {
            graph.add("개", &format!("것{number:02}"), f64::from(number / 10));
        }
        let related = graph.related("개", 20);
        assert_eq!((related.len(), related[0], related[10]), (20, "것20", "것10"));
        let proposals = graph.proposals(["개", "없는 것"], 20);
        assert_eq!((proposals.len(), proposals[0].len()), (1, 21));
    }
}
