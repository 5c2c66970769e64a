//! An experiment's data, as files: what is written down once and run again years later.
//!
//! A plan is any serde format; in TOML:
//!
//! ```toml
//! title = "Which unit for chat?"
//! references = ["reference.txt", "reference2.txt"]   # one segment per line
//! source = "document.txt"                            # only for metrics that need it, such as RDASS
//! human = "human.tsv"
//! metrics = ["bleu:order=1", "bleu:order=2", "chrf", "ter"]
//! units = ["word", "char", "jamo"]
//!
//! [[systems]]
//! name = "good"
//! output = "good.txt"
//! ```
//!
//! Human scores are a TSV with a heading: `system`, `segment` (counted from 1), then a column per
//! criterion. Several rows for one output are several judges; their mean is taken.
//!
//! ```text
//! system  segment  grammar  fluency
//! good    1        2        1
//! ```

use crate::{Error, Judged, Result};
use ko_eval_core::{
    Error as CoreError, Library, OwnedSegment,
    read::{Lines, Parallel},
    registry::check_path,
};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

/// What is compared with what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The report's title.
    #[serde(default)]
    pub title: Option<String>,
    /// Files of references, one segment per line; none where no metric needs one.
    pub references: Vec<PathBuf>,
    /// The file of sources, one per line, for metrics that need them.
    #[serde(default)]
    pub source: Option<PathBuf>,
    /// The TSV of human scores.
    pub human: PathBuf,
    /// The systems.
    pub systems: Vec<PlannedSystem>,
    /// Metrics as written on the command line; empty means the caller's choice.
    #[serde(default)]
    pub metrics: Vec<String>,
    /// Units as written on the command line; empty means the caller's choice.
    #[serde(default)]
    pub units: Vec<String>,
}

/// A system and the file of its outputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedSystem {
    /// The name that the human scores use.
    pub name: String,
    /// Its outputs, one per line.
    pub output: PathBuf,
}

impl Plan {
    /// Takes all paths as seen from this folder: that of the file the plan was read from.
    #[must_use]
    pub fn relative_to(mut self, folder: &Path) -> Self {
        let outputs = self.systems.iter_mut().map(|system| &mut system.output);
        let others = self.references.iter_mut().chain(&mut self.source).chain([&mut self.human]);
        for path in outputs.chain(others) {
            *path = folder.join(&*path);
        }
        self
    }

    /// Refuses a plan, as it was read from a file in `folder`, whose metrics or units would run code that they name, or that
    /// reads files outside of the folder.
    ///
    /// # Errors
    /// [`CoreError::Untrusted`], which names what it would do.
    pub fn check_trusted(&self, library: &Library, folder: &Path) -> Result<()> {
        for spec in self.metrics.iter().chain(&self.units).filter(|spec| *spec != "all") {
            library.check_trusted(spec, folder)?;
        }
        let outputs = self.systems.iter().map(|system| &system.output);
        let others = self.references.iter().chain(&self.source).chain([&self.human]);
        for path in outputs.chain(others) {
            check_path(&folder.join(path), folder)?;
        }
        Ok(())
    }

    /// Reads outputs, references, sources and human scores.
    ///
    /// # Errors
    /// A file that cannot be read, files of unequal length, a broken line (file and line are named), or an output
    /// that nobody judged.
    pub fn judged(&self) -> Result<Judged> {
        let human = HumanScores::read(&self.human)?;
        let mut judged = Judged::new(human.criteria.iter().cloned())?;
        for system in &self.systems {
            let files = Parallel::new(&system.output).references(&self.references);
            let segments: Vec<OwnedSegment> =
                files.source(self.source.as_ref()).open()?.collect::<Result<_, _>>()?;
            let scores = human.of(&system.name, segments.len())?;
            judged.push(&system.name, segments, scores)?;
        }
        Ok(judged)
    }
}

struct HumanScores {
    path: PathBuf,
    criteria: Vec<String>,
    /// Per output: the sum of each criterion, and how many judges gave one.
    sums: HashMap<(String, usize), (Vec<f64>, usize)>,
}

impl HumanScores {
    fn read(path: &Path) -> Result<Self, CoreError> {
        let mut lines = Lines::open(path)?;
        let heading = lines.next().transpose()?.unwrap_or_default();
        let mut columns = heading.split('\t');
        if (columns.next(), columns.next()) != (Some("system"), Some("segment")) {
            return Err(lines.error("the heading must be `system`, `segment`, then criteria"));
        }
        let criteria: Vec<String> = columns.map(str::to_owned).collect();
        let mut sums = HashMap::new();
        while let Some(line) = lines.next().transpose()? {
            let fields: Vec<&str> = line.split('\t').collect();
            let [system, segment, scores @ ..] = fields.as_slice() else {
                return Err(lines.error("a line needs a system, a segment and scores"));
            };
            if scores.len() != criteria.len() {
                let (found, wanted) = (scores.len(), criteria.len());
                return Err(lines.error(format!("{found} scores where {wanted} are announced")));
            }
            let number = segment.parse::<usize>().ok().filter(|n| *n > 0);
            let number = number
                .ok_or_else(|| lines.error(format!("`{segment}` is no segment number from 1")))?;
            let (sum, judges) = sums
                .entry(((*system).to_owned(), number))
                .or_insert_with(|| (vec![0.0; criteria.len()], 0));
            for (sum, score) in sum.iter_mut().zip(scores) {
                let score = score.parse::<f64>().ok().filter(|score| score.is_finite());
                *sum += score.ok_or_else(|| lines.error("a score is not a finite number"))?;
            }
            *judges += 1;
        }
        Ok(Self { path: path.to_owned(), criteria, sums })
    }

    /// The mean scores of a system's outputs: a list per criterion.
    fn of(&self, system: &str, segments: usize) -> Result<Vec<Vec<f64>>> {
        let mut scores = vec![Vec::with_capacity(segments); self.criteria.len()];
        for number in 1..=segments {
            let Some((sums, judges)) = self.sums.get(&(system.to_owned(), number)) else {
                let value = format!("{system}, segment {number}");
                let expected = format!("a score in {}", self.path.display());
                return Err(Error::invalid("output", value, expected));
            };
            for (list, sum) in scores.iter_mut().zip(sums) {
                list.push(sum / *judges as f64);
            }
        }
        Ok(scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const PLAN: &str = "
        references = ['ref.txt']
        human = 'human.tsv'
        metrics = ['bleu']
        [[systems]]
        name = '갑'
        output = 'a.txt'
    ";

    fn folder(human: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("ref.txt"), "비가 온다\n눈이 온다\n").unwrap();
        fs::write(folder.path().join("a.txt"), "비 온다\n눈 온다\n").unwrap();
        fs::write(folder.path().join("human.tsv"), human).unwrap();
        folder
    }

    fn read(human: &str) -> Result<Judged> {
        let folder = folder(human);
        toml::from_str::<Plan>(PLAN).unwrap().relative_to(folder.path()).judged()
    }

    #[test]
    fn judges_are_averaged() {
        let judged = read("system\tsegment\t문법\n갑\t2\t1\n갑\t1\t2\n갑\t2\t2\n").unwrap();
        assert_eq!(judged.systems()[0].human, [[2.0, 1.5]]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (human, words) in [
            ("system\tsegment\t문법\n갑\t1\t2\n", "갑, segment 2"),
            ("system\tsegment\t문법\n갑\t0\t2\n", "human.tsv:2: "),
            ("system\tsegment\t문법\n갑\t1\tx\n", "human.tsv:2: "),
            ("system\tsegment\t문법\n갑\t1\n", "0 scores where 1"),
            ("갑\t1\t2\n", "the heading"),
        ] {
            let error = read(human).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        assert!(toml::from_str::<Plan>(&PLAN.replace("metrics", "metric")).is_err());
    }
}
