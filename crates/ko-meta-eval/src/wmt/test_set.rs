//! A test set in the folders of mt-metrics-eval.
//!
//! | file | what |
//! |---|---|
//! | `sources/LP.txt` or `.jsonl` | a source per line (`source` in JSON) |
//! | `documents/LP.docs` | domain and document of each segment |
//! | `references/LP.NAME.txt` or `.jsonl` | references (`target`) |
//! | `system-outputs/LP/NAME.txt` or `.jsonl` | outputs (`hypothesis`), those of people among them under the names of references |
//! | `human-scores/LP.NAME.LEVEL.score` | system and score per line, `None` where there is none |
//! | `metric-scores/LP/NAME-REF.LEVEL.score` | the same of metrics; REF is `src`, `all`, or names of references with dots between |
//!
//! So whoever has downloaded its data points at the folder of a test set, `mt-metrics-eval-v2/wmt25`, and at `en-ko_KR`.

mod files;
mod known;

use super::ScoreTable;
use crate::{Error, Judged, Result};
use files::Folder;
use ko_eval_core::OwnedSegment;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

pub use known::Standards;

/// What a score is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// A segment.
    Segment,
    /// A whole system.
    System,
}

impl Scope {
    /// As files are named: `seg`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Segment => "seg",
            Self::System => "sys",
        }
    }
}

/// Scores of each system, as many as there are segments, or one.
pub(super) type BySystem = BTreeMap<String, Vec<Option<f64>>>;

/// A language pair of a test set, read.
#[derive(Debug, Clone)]
pub struct TestSet {
    name: String,
    pair: String,
    sources: Vec<String>,
    /// The domain of each segment, where documents are described.
    domains: Vec<String>,
    references: BTreeMap<String, Vec<String>>,
    outputs: BTreeMap<String, Vec<String>>,
    human: BTreeMap<(String, Scope), BySystem>,
    metrics: BTreeMap<(String, Scope), BySystem>,
    /// Systems that lack all scores of a metric, which then count as 0.
    repaired: Vec<String>,
    /// Metrics that were added by hand.
    added: BTreeSet<String>,
}

/// Which scores are compared.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Human scores: `mqm`, `esa`.
    pub gold: String,
    /// Metrics may use only these references; outputs of the same names take no part.
    pub references: BTreeSet<String>,
    /// Whether outputs of people take part.
    pub human_outputs: bool,
    /// Systems that take no part.
    pub outliers: BTreeSet<String>,
    /// Only metrics of these base names (`BLEU`); all where it is empty.
    pub metrics: BTreeSet<String>,
    /// Only segments of this domain.
    pub domain: Option<String>,
}

impl TestSet {
    /// Reads a language pair of a test set: the folder that holds `sources`, `references` and the others.
    ///
    /// # Errors
    /// A file that is missing or broken (file and line are named), files of unequal length, or scores of systems that are not
    /// there.
    pub fn read(folder: &Path, pair: &str) -> Result<Self> {
        let folder = Folder::new(folder, pair)?;
        let sources = folder.sources()?;
        let references = folder.references()?;
        let outputs = folder.outputs()?;
        let texts = references.iter().chain(&outputs);
        for (name, texts) in texts {
            folder.check_length(name, texts.len(), sources.len())?;
        }
        let domains = folder.domains(sources.len())?;
        let names: BTreeSet<&str> = outputs.keys().map(String::as_str).collect();
        let human = folder.human_scores(&names, sources.len())?;
        let mut metrics = folder.metric_scores(&names, sources.len())?;
        let mut repaired = Vec::new();
        for ((metric, scope), scores) in &mut metrics {
            let used = references_of(metric, &references);
            for system in outputs.keys().filter(|system| !used.contains(*system)) {
                if !scores.contains_key(system) {
                    let length = if *scope == Scope::System { 1 } else { sources.len() };
                    scores.insert(system.clone(), vec![Some(0.0); length]);
                    repaired.push(format!("{metric}, {}: {system}", scope.code()));
                }
            }
        }
        let (name, pair, added) = (folder.name(), pair.to_owned(), BTreeSet::new());
        Ok(Self {
            name,
            pair,
            sources,
            domains,
            references,
            outputs,
            human,
            metrics,
            repaired,
            added,
        })
    }

    /// Adds another metric's scores of segments: a file with system and score per line, all segments of a system in order. A system's own score is
    /// their mean.
    ///
    /// # Errors
    /// As [`Self::read`], or a metric of this name that is there already.
    pub fn add_scores(&mut self, name: &str, path: &Path) -> Result<()> {
        let names: BTreeSet<&str> = self.outputs.keys().map(String::as_str).collect();
        let scores = files::added(path, &names, self.sources.len())?;
        let mean = |scores: &Vec<Option<f64>>| {
            let given: Vec<f64> = scores.iter().flatten().copied().collect();
            vec![Some(given.iter().sum::<f64>() / given.len().max(1) as f64)]
        };
        let systems =
            scores.iter().map(|(system, scores)| (system.clone(), mean(scores))).collect();
        // Nobody knows which references it has used: it is compared with any.
        let key = |scope| (format!("{name}-src"), scope);
        if self.metrics.contains_key(&key(Scope::Segment)) {
            return Err(Error::invalid("metric", name, "a name of its own"));
        }
        self.metrics.insert(key(Scope::Segment), scores);
        self.metrics.insert(key(Scope::System), systems);
        self.added.insert(name.to_owned());
        Ok(())
    }

    /// The language pairs that a folder has.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn pairs(folder: &Path) -> Result<Vec<String>> {
        Folder::pairs(folder)
    }

    /// The test set's name: that of its folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The language pair.
    pub fn pair(&self) -> &str {
        &self.pair
    }

    /// How many segments it has.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// The names of the references.
    pub fn references(&self) -> impl Iterator<Item = &str> {
        self.references.keys().map(String::as_str)
    }

    /// The names of the systems, people's outputs included.
    pub fn systems(&self) -> impl Iterator<Item = &str> {
        self.outputs.keys().map(String::as_str)
    }

    /// The names of human scores at a scope.
    pub fn human_scores(&self, scope: Scope) -> impl Iterator<Item = &str> {
        let own = self.human.keys().filter(move |(_, own)| *own == scope);
        own.map(|(name, _)| name.as_str())
    }

    /// Metrics and systems without any score of theirs, which count as 0, as in mt-metrics-eval.
    pub fn repaired(&self) -> &[String] {
        &self.repaired
    }

    /// What is standard for this test set and pair: reference, human scores, outliers.
    pub fn standards(&self) -> Standards {
        let gold = self.human_scores(Scope::Segment).map(str::to_owned).collect();
        let references: Vec<String> = self.references.keys().cloned().collect();
        Standards::of(&self.name, &self.pair, &references, &gold)
    }

    /// The systems that are compared: those that people judged, without references and outliers.
    ///
    /// # Errors
    /// Human scores or a domain that are not there.
    pub fn compared(&self, scope: Scope, chosen: &Selection) -> Result<Vec<&str>> {
        let gold = self.gold(scope, chosen)?;
        let judged = |system: &&String| {
            let places = self.places(scope, chosen);
            let scores = gold.get(*system);
            scores.is_some_and(|scores| {
                places.iter().any(|at| matches!(scores.get(*at), Some(Some(_))))
            })
        };
        Ok(self
            .outputs
            .keys()
            .filter(|system| !chosen.references.contains(*system))
            .filter(|system| chosen.human_outputs || !self.references.contains_key(*system))
            .filter(|system| !chosen.outliers.contains(*system))
            .filter(judged)
            .map(String::as_str)
            .collect())
    }

    fn gold(&self, scope: Scope, chosen: &Selection) -> Result<&BySystem> {
        if let Some(domain) = &chosen.domain
            && !self.domains.contains(domain)
        {
            let known: BTreeSet<&str> = self.domains.iter().map(String::as_str).collect();
            let known = known.into_iter().collect::<Vec<_>>().join(", ");
            return Err(Error::invalid("domain", domain, format!("one of {known}")));
        }
        self.human.get(&(chosen.gold.clone(), scope)).ok_or_else(|| {
            let known: Vec<&str> = self.human_scores(scope).collect();
            let known =
                if known.is_empty() { "none is there".to_owned() } else { known.join(", ") };
            let what = format!("human scores of {} ({})", self.pair, scope.code());
            Error::invalid(what, &chosen.gold, format!("one of: {known}"))
        })
    }

    /// Which scores of a list count.
    fn places(&self, scope: Scope, chosen: &Selection) -> Vec<usize> {
        match (scope, &chosen.domain) {
            (Scope::System, _) => vec![0],
            (Scope::Segment, None) => (0..self.sources.len()).collect(),
            (Scope::Segment, Some(domain)) => {
                (0..self.sources.len()).filter(|at| self.domains.get(*at) == Some(domain)).collect()
            }
        }
    }

    /// Human scores, and those of the stored metrics that use no other references. Names are as mt-metrics-eval shows them: with
    /// `[noref]` where no reference was used.
    ///
    /// # Errors
    /// As [`Self::compared`]; fewer than two systems.
    pub fn table(&self, scope: Scope, chosen: &Selection) -> Result<ScoreTable> {
        let systems = self.compared(scope, chosen)?;
        let (gold, places) = (self.gold(scope, chosen)?, self.places(scope, chosen));
        let of = |scores: &BySystem| -> Vec<Option<f64>> {
            let lists = systems.iter().filter_map(|system| scores.get(*system));
            lists
                .flat_map(|list| places.iter().map(|at| list.get(*at).copied().flatten()))
                .collect()
        };
        let mut table = ScoreTable::new(systems.len(), of(gold))?;
        for ((metric, own), scores) in &self.metrics {
            let (base, _) = base_and_references(metric);
            let used = references_of(metric, &self.references);
            let by_hand = self.added.contains(base);
            let wanted = by_hand || chosen.metrics.is_empty() || chosen.metrics.contains(base);
            if *own != scope || !wanted || !used.iter().all(|name| chosen.references.contains(name))
            {
                continue;
            }
            let shown = if used.is_empty() && !by_hand {
                format!("{base}[noref]")
            } else {
                base.to_owned()
            };
            let scores: Vec<f64> = of(scores).into_iter().flatten().collect();
            if by_hand && scores.len() != systems.len() * places.len() {
                let expected = "scores of every system that is compared";
                return Err(Error::invalid("metric", base, expected));
            }
            table = table.metric(shown, scores)?;
        }
        Ok(table)
    }

    /// The outputs of these systems with one reference and the source, and human scores by segment, for metrics that are yet to be run.
    ///
    /// # Errors
    /// An unknown reference or system.
    pub fn judged(&self, systems: &[&str], reference: &str, chosen: &Selection) -> Result<Judged> {
        let known = || self.references.keys().cloned().collect::<Vec<_>>().join(", ");
        let references = self
            .references
            .get(reference)
            .ok_or_else(|| Error::invalid("reference", reference, format!("one of {}", known())))?;
        let gold = self.human.get(&(chosen.gold.clone(), Scope::Segment));
        let mut judged = Judged::new([chosen.gold.clone()])?;
        for system in systems {
            let outputs = self.outputs.get(*system).ok_or_else(|| {
                let known: Vec<&str> = self.systems().collect();
                Error::invalid("system", system, format!("one of {}", known.join(", ")))
            })?;
            let texts = outputs.iter().zip(references).zip(&self.sources);
            let segments = texts
                .map(|((output, reference), source)| {
                    Ok(OwnedSegment::new(output, [reference])?.with_source(source))
                })
                .collect::<Result<Vec<_>>>()?;
            let none = vec![None; segments.len()];
            let scores = gold.and_then(|gold| gold.get(*system)).cloned().unwrap_or(none);
            judged.push(*system, segments, vec![scores])?;
        }
        Ok(judged)
    }

    /// The places of the segments that are compared.
    pub fn segments(&self, chosen: &Selection) -> Vec<usize> {
        self.places(Scope::Segment, chosen)
    }
}

/// `BLEU` and `refA` of `BLEU-refA`.
fn base_and_references(metric: &str) -> (&str, &str) {
    metric.rsplit_once('-').unwrap_or((metric, "src"))
}

/// The references that a metric has used.
fn references_of(metric: &str, known: &BTreeMap<String, Vec<String>>) -> BTreeSet<String> {
    match base_and_references(metric).1 {
        "src" => BTreeSet::new(),
        "all" => known.keys().cloned().collect(),
        names => names.split('.').map(str::to_owned).collect(),
    }
}
