//! From many ratings to one score per output, with an account of what was dropped on the way.

use super::{Cleanup, Outliers, Rating, Reason, Scale};
use crate::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// One judge's ratings of one output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Whose output.
    pub system: String,
    /// Of which source segment, counted from 0.
    pub segment: usize,
    /// Who judged; empty where that is not known.
    pub judge: String,
    /// A score per criterion; none where the judge gave none.
    pub scores: Vec<Option<f64>>,
}

/// What became of the ratings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Judging {
    /// By what people judged.
    pub criteria: Vec<String>,
    /// How many ratings there were: one per judge, output and criterion.
    pub ratings: usize,
    /// How many judges; none where their names are not known.
    pub judges: Option<usize>,
    /// How they were cleaned, if they were.
    pub cleanup: Option<Cleanup>,
    /// What was dropped, by criterion, judge and reason.
    pub dropped: Vec<DroppedRatings>,
    /// The systems in the eyes of people, in order of appearance.
    pub systems: Vec<RatedSystem>,
}

/// Ratings of one judge by one criterion that were dropped for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedRatings {
    /// The criterion.
    pub criterion: String,
    /// The judge.
    pub judge: String,
    /// Why.
    pub reason: Reason,
    /// How many.
    pub count: usize,
}

/// A system's ratings that were kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RatedSystem {
    /// Its name.
    pub name: String,
    /// How many ratings of it were kept.
    pub ratings: usize,
    /// How many of its outputs have a score by every criterion.
    pub outputs: usize,
    /// The mean of its outputs' raw scores, by criterion; none where no rating is left.
    pub raw: Vec<Option<f64>>,
    /// The same of z-scores per judge; none where the judges are not known or do not vary.
    pub z: Vec<Option<f64>>,
}

impl RatedSystem {
    /// The sum over criteria, as correlations with the total see it.
    pub fn total(means: &[Option<f64>]) -> Option<f64> {
        means.iter().copied().sum()
    }
}

/// Scores of outputs by criterion; outputs without any rating are not there.
pub(crate) type Outputs = BTreeMap<(String, usize), Vec<Option<f64>>>;

impl Judging {
    /// Cleans judgements, given in the order in which each judge made them, and takes the mean of what is left of each
    /// output by each criterion.
    ///
    /// # Errors
    /// A score that is not finite.
    pub(crate) fn of(
        criteria: &[String],
        judgements: &[Judgement],
        cleanup: Option<Cleanup>,
    ) -> Result<(Self, Outputs)> {
        let mut outputs: Vec<[Means; 3]> = Vec::new();
        let (mut dropped, mut ratings_in_all) = (Vec::new(), 0);
        let mut kept_of = BTreeMap::<&str, usize>::new();
        let known = judgements.iter().any(|judgement| !judgement.judge.is_empty());
        for (number, criterion) in criteria.iter().enumerate() {
            let given: Vec<(&Judgement, Rating)> = judgements
                .iter()
                .filter_map(|judgement| {
                    let score = judgement.scores.get(number).copied().flatten()?;
                    let item = format!("{}\t{}", judgement.system, judgement.segment);
                    Some((judgement, Rating::new(judgement.judge.clone(), item, score)))
                })
                .collect();
            let ratings: Vec<Rating> = given.iter().map(|(_, rating)| rating.clone()).collect();
            let as_given = Cleanup::new().scale(Scale::Raw).outliers(Outliers::Keep);
            let states = cleanup.unwrap_or(as_given).states(&ratings)?;
            let drop_first = cleanup.map_or(0, |cleanup| cleanup.drop_first);
            let standard = Cleanup::new().drop_first(drop_first).outliers(Outliers::Keep);
            let standard = if known { standard.states(&ratings)? } else { Vec::new() };
            let (mut scores, mut raw, mut z) = <(Means, Means, Means)>::default();
            let mut counts = BTreeMap::<(&str, Reason), usize>::new();
            for (place, (judgement, rating)) in given.iter().enumerate() {
                match states.get(place) {
                    Some(Ok(score)) => {
                        let key = (judgement.system.clone(), judgement.segment);
                        *kept_of.entry(&judgement.system).or_default() += 1;
                        scores.add(&key, *score);
                        raw.add(&key, rating.score);
                        if let Some(Ok(score)) = standard.get(place) {
                            z.add(&key, *score);
                        }
                    }
                    Some(Err(reason)) => {
                        *counts.entry((&judgement.judge, *reason)).or_default() += 1;
                    }
                    None => {}
                }
            }
            ratings_in_all += ratings.len();
            dropped.extend(counts.into_iter().map(|((judge, reason), count)| DroppedRatings {
                criterion: criterion.clone(),
                judge: judge.to_owned(),
                reason,
                count,
            }));
            outputs.push([scores, raw, z]);
        }
        let mut all = Outputs::new();
        let keys: BTreeSet<_> = outputs.iter().flat_map(|[scores, ..]| scores.0.keys()).collect();
        for key in keys {
            let scores = outputs.iter().map(|[scores, ..]| scores.get(key)).collect();
            all.insert(key.clone(), scores);
        }
        let names: BTreeSet<&str> = judgements.iter().map(|j| j.judge.as_str()).collect();
        let systems = in_order(judgements).into_iter().map(|name| RatedSystem {
            name: name.to_owned(),
            ratings: kept_of.get(name).copied().unwrap_or(0),
            outputs: all
                .iter()
                .filter(|((system, _), scores)| {
                    system == name && scores.iter().all(Option::is_some)
                })
                .count(),
            raw: outputs.iter().map(|[_, raw, _]| raw.of_system(name)).collect(),
            z: outputs.iter().map(|[_, _, z]| z.of_system(name)).collect(),
        });
        let judging = Self {
            criteria: criteria.to_vec(),
            ratings: ratings_in_all,
            judges: known.then_some(names.len()),
            cleanup,
            dropped,
            systems: systems.collect(),
        };
        Ok((judging, all))
    }

    /// Counts ratings that were none of outputs.
    pub(crate) fn drop_checks(&mut self, judge: &str, count: usize) {
        let criterion = self.criteria.first().cloned().unwrap_or_default();
        let (judge, reason) = (judge.to_owned(), Reason::Check);
        self.ratings += count;
        self.dropped.push(DroppedRatings { criterion, judge, reason, count });
    }

    /// How many ratings were dropped for this reason.
    pub fn count(&self, reason: Reason) -> usize {
        self.dropped.iter().filter(|d| d.reason == reason).map(|d| d.count).sum()
    }
}

fn in_order(judgements: &[Judgement]) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let names = judgements.iter().map(|judgement| judgement.system.as_str());
    names.filter(|name| seen.insert(*name)).collect()
}

/// Ratings of outputs.
#[derive(Debug, Default)]
struct Means(BTreeMap<(String, usize), Vec<f64>>);

impl Means {
    fn add(&mut self, output: &(String, usize), score: f64) {
        self.0.entry(output.clone()).or_default().push(score);
    }

    fn get(&self, output: &(String, usize)) -> Option<f64> {
        self.0.get(output).map(|scores| mean(scores))
    }

    /// The mean of a system's outputs.
    fn of_system(&self, system: &str) -> Option<f64> {
        let of = self.0.iter().filter(|((name, _), _)| name == system);
        let means: Vec<f64> = of.map(|(_, scores)| mean(scores)).collect();
        (!means.is_empty()).then(|| mean(&means))
    }
}

/// Divided first: a sum of huge scores would overflow.
fn mean(scores: &[f64]) -> f64 {
    scores.iter().map(|score| score / scores.len() as f64).sum()
}
