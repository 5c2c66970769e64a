//! The table of human scores.

use crate::{
    Error, Result,
    judgement::{Cleanup, Judgement, Judging, Outputs},
    wmt::{appraise, mqm},
};
use ko_eval_core::Error as CoreError;
use ko_eval_io::read::Lines;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// What stands for a score that was not given.
const MISSING: [&str; 4] = ["", "-", "NA", "None"];

/// What people said, as the table has it.
pub(super) struct HumanScores {
    path: PathBuf,
    pub(super) criteria: Vec<String>,
    judgements: Vec<Judgement>,
    has_judges: bool,
    /// Items for quality control, by judge.
    checks: BTreeMap<String, usize>,
}

impl HumanScores {
    /// Reads a table, or MQM annotations, or with `documents` an export of Appraise.
    pub(super) fn read(path: &Path, documents: Option<&Path>) -> Result<Self> {
        if let Some(documents) = documents {
            let appraised = appraise::read(path, &appraise::read_documents(documents)?)?;
            return Ok(Self {
                path: path.to_owned(),
                criteria: vec!["score".to_owned()],
                judgements: appraised.judgements,
                has_judges: true,
                checks: appraised.checks,
            });
        }
        let mut lines = Lines::open(path)?;
        let heading = lines.next().transpose()?.unwrap_or_default();
        if mqm::is_heading(&heading) {
            return Ok(Self {
                path: path.to_owned(),
                criteria: vec!["MQM".to_owned()],
                judgements: mqm::judgements(path)?,
                has_judges: true,
                checks: BTreeMap::new(),
            });
        }
        Ok(Self::table(path, lines, &heading)?)
    }

    fn table(path: &Path, mut lines: Lines, heading: &str) -> Result<Self, CoreError> {
        let columns: Vec<&str> = heading.split('\t').collect();
        let ["system", "segment", rest @ ..] = columns.as_slice() else {
            let reason = "the heading must be `system`, `segment`, perhaps `judge`, then criteria";
            return Err(lines.error(reason));
        };
        let (has_judges, criteria) = match rest {
            ["judge", criteria @ ..] => (true, criteria),
            criteria => (false, criteria),
        };
        let criteria: Vec<String> = criteria.iter().map(|name| (*name).to_owned()).collect();
        let mut judgements = Vec::new();
        while let Some(line) = lines.next().transpose()? {
            let fields: Vec<&str> = line.split('\t').collect();
            let [system, segment, rest @ ..] = fields.as_slice() else {
                return Err(lines.error("a line needs a system, a segment and scores"));
            };
            let (judge, scores) = match (has_judges, rest) {
                (true, [judge, scores @ ..]) => (*judge, scores),
                (true, []) => return Err(lines.error("a line needs a judge")),
                (false, scores) => ("", scores),
            };
            if has_judges && judge.is_empty() {
                return Err(lines.error("the judge has no name"));
            }
            if scores.len() != criteria.len() {
                let (found, wanted) = (scores.len(), criteria.len());
                return Err(lines.error(format!("{found} scores where {wanted} are announced")));
            }
            let number = segment.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let number = number
                .ok_or_else(|| lines.error(format!("`{segment}` is no segment number from 1")))?;
            let score = |text: &&str| match text.trim() {
                text if MISSING.contains(&text) => Ok(None),
                text => match text.parse::<f64>().ok().filter(|score| score.is_finite()) {
                    Some(score) => Ok(Some(score)),
                    None => Err(lines.error(format!("`{text}` is not a finite number"))),
                },
            };
            let scores = scores.iter().map(score).collect::<Result<_, CoreError>>()?;
            let (system, judge) = ((*system).to_owned(), judge.to_owned());
            judgements.push(Judgement { system, segment: number, judge, scores });
        }
        let checks = BTreeMap::new();
        Ok(Self { path: path.to_owned(), criteria, judgements, has_judges, checks })
    }

    /// One score per output and criterion, and what became of the ratings on the way.
    pub(super) fn judged(&self, cleanup: Option<Cleanup>) -> Result<(Judging, Outputs)> {
        if let Some(cleanup) = cleanup.filter(|cleanup| cleanup.needs_judges() && !self.has_judges)
        {
            let expected = format!("a column `judge` in {}", self.path.display());
            return Err(Error::invalid("cleanup", cleanup, expected));
        }
        let (mut judging, outputs) = Judging::of(&self.criteria, &self.judgements, cleanup)?;
        for (judge, count) in &self.checks {
            judging.drop_checks(judge, *count);
        }
        Ok((judging, outputs))
    }

    /// Refuses a system that nobody judged, whose name may be misspelt, and scores of segments that a system does not have.
    /// Systems that only the table knows are somebody else's.
    pub(super) fn check(&self, system: &str, segments: usize) -> Result<()> {
        let mut of =
            self.judgements.iter().filter(|judgement| judgement.system == system).peekable();
        if of.peek().is_none() {
            let names: BTreeSet<&str> = self.judgements.iter().map(|j| j.system.as_str()).collect();
            let names: Vec<&str> = names.into_iter().collect();
            let path = self.path.display();
            let expected = format!("a system that {path} judges: {}", names.join(", "));
            return Err(Error::invalid("system", system, expected));
        }
        match of.find(|judgement| judgement.segment >= segments) {
            None => Ok(()),
            Some(judgement) => {
                let value = format!("{system}, segment {}", judgement.segment + 1);
                let what = format!("{}: output", self.path.display());
                Err(Error::invalid(what, value, format!("a segment from 1 to {segments}")))
            }
        }
    }
}
