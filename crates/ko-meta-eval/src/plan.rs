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
//! Human scores are a TSV with a heading: `system`, `segment` (counted from 1), perhaps `judge`, then a column per
//! criterion. Several rows for one output are several judges; their mean is taken. A score that was not given is empty (or `-`,
//! `NA`, `None`); an output that nobody judged takes no part in what it has no score for.
//!
//! ```text
//! system  segment  judge  grammar  fluency
//! good    1        민수   2        1
//! good    1        영희   1
//! ```
//!
//! MQM annotations as WMT publishes them are human scores as well ([`mqm`](crate::wmt::mqm): a heading with `severity` and `category`, segments
//! numbered by `seg_id`), and so is an export of Appraise, ESA or DA, if `documents` names the file of domains and documents
//! ([`appraise`](crate::wmt::appraise)).
//!
//! With judges, their ratings can be made comparable ([`Cleanup`]; the report says what fell out and why):
//!
//! ```toml
//! quotes = "straight"                                # quotation marks and backticks in one form; signatures say so
//! cleanup = { drop-first = 10, scale = "per-judge", outliers = "of-all" }
//! ```

mod human;

use crate::{Judged, Result, experiment::Quotes, judgement::Cleanup};
use human::HumanScores;
use ko_eval_core::{Library, OwnedSegment, registry::check_path};
use ko_eval_io::read::Parallel;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

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
    /// Domain and document of each segment, one per line, where the human scores are an export of Appraise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documents: Option<PathBuf>,
    /// How ratings are made comparable; as they are, unless it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleanup: Option<Cleanup>,
    /// What becomes of quotation marks.
    #[serde(default)]
    pub quotes: Quotes,
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
        let others = self.references.iter_mut().chain(&mut self.source).chain(&mut self.documents);
        let others = others.chain([&mut self.human]);
        for path in outputs.chain(others) {
            *path = folder.join(&*path);
        }
        self
    }

    /// Refuses a plan, as it was read from a file in `folder`, whose metrics or units would run code that they name, or that
    /// reads files outside of the folder.
    ///
    /// # Errors
    /// [`ko_eval_core::Error::Untrusted`], which names what it would do.
    pub fn check_trusted(&self, library: &Library, folder: &Path) -> Result<()> {
        for spec in self.metrics.iter().chain(&self.units).filter(|spec| *spec != "all") {
            library.check_trusted(spec, folder)?;
        }
        let outputs = self.systems.iter().map(|system| &system.output);
        let others = self.references.iter().chain(&self.source).chain(&self.documents);
        let others = others.chain([&self.human]);
        for path in outputs.chain(others) {
            check_path(&folder.join(path), folder)?;
        }
        Ok(())
    }

    /// Reads outputs, references, sources and human scores.
    ///
    /// # Errors
    /// A file that cannot be read, files of unequal length, a broken line (file and line are named), a score of an output that
    /// is not there, or a clean-up that needs to know who judged.
    pub fn judged(&self) -> Result<Judged> {
        let human = HumanScores::read(&self.human, self.documents.as_deref())?;
        let (judging, scores) = human.judged(self.cleanup)?;
        let mut judged = Judged::new(human.criteria.iter().cloned())?.with_quotes(self.quotes);
        for system in &self.systems {
            let files = Parallel::new(&system.output).references(&self.references);
            let segments: Vec<OwnedSegment> =
                files.source(self.source.as_ref()).open()?.collect::<Result<_, _>>()?;
            human.check(&system.name, segments.len())?;
            let score = |criterion: usize, segment: usize| -> Option<f64> {
                *scores.get(&(system.name.clone(), segment))?.get(criterion)?
            };
            let of = |criterion: usize| -> Vec<Option<f64>> {
                (0..segments.len()).map(|segment| score(criterion, segment)).collect()
            };
            let human = (0..human.criteria.len()).map(of).collect();
            judged.push(&system.name, segments, human)?;
        }
        Ok(judged.with_judging(judging))
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
        assert_eq!(judged.systems()[0].human, [[Some(2.0), Some(1.5)]]);
    }

    #[test]
    fn what_was_not_judged_has_no_score() {
        let human = "system\tsegment\tjudge\t문법\t상식\n갑\t2\t민수\t1\t\n갑\t2\t영희\t4\tNA\n";
        let judged = read(human).unwrap();
        assert_eq!(judged.systems()[0].human, [[None, Some(2.5)], [None, None]]);
        assert_eq!(judged.scores(crate::experiment::TOTAL), [[None, None]]);
        let judging = judged.judging().unwrap();
        assert_eq!((judging.ratings, judging.judges), (2, Some(2)));
        assert_eq!(judging.systems[0].raw, [Some(2.5), None]);
    }

    #[test]
    fn ratings_are_cleaned_as_the_plan_says() {
        let folder = folder(
            "system\tsegment\tjudge\t문법\n갑\t1\t민수\t90\n갑\t1\t민수\t10\n갑\t2\t민수\t20\n\
             갑\t1\t영희\t0\n갑\t1\t영희\t50\n갑\t2\t영희\t70\n",
        );
        let text = format!("cleanup = {{ drop-first = 1 }}\nquotes = 'straight'\n{PLAN}");
        let plan: Plan = toml::from_str(&text).unwrap();
        let judged = plan.relative_to(folder.path()).judged().unwrap();
        let z = 0.5f64.sqrt();
        let scores = &judged.systems()[0].human[0];
        assert!((scores[0].unwrap() + z).abs() < 1e-12 && (scores[1].unwrap() - z).abs() < 1e-12);
        let judging = judged.judging().unwrap();
        assert_eq!(judging.count(crate::judgement::Reason::WarmUp), 2);
        assert_eq!(judging.systems[0].raw, [Some((30.0 + 45.0) / 2.0)]);
        assert!(judging.systems[0].z[0].unwrap().abs() < 1e-12);
        let plan: Plan = toml::from_str(&text).unwrap();
        std::fs::write(folder.path().join("human.tsv"), "system\tsegment\t문법\n갑\t1\t2\n")
            .unwrap();
        let error = plan.relative_to(folder.path()).judged().unwrap_err().to_string();
        assert!(error.contains("a column `judge`"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (human, words) in [
            ("system\tsegment\t문법\n갑\t3\t2\n", "a segment from 1 to 2"),
            ("system\tsegment\t문법\n을\t1\t2\n", "human.tsv judges: 을"),
            ("system\tsegment\tjudge\t문법\n갑\t1\t\t2\n", "the judge has no name"),
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
