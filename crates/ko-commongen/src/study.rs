//! Korean CommonGen's evaluation, whole: the tables and figures of the paper from a folder as it was published.
//!
//! | in the folder | what |
//! |---|---|
//! | `dataset/test.jsonl` | concept sets with their references |
//! | `systems/NAME.txt` | what a system wrote, a sentence per line; `systems/NAME/SEED.txt` where it was trained with several seeds |
//! | `human/NAME/…_CRITERION_korean_commongen.txt` | its ratings; the name in lower case, with `-` for `_`; may be missing |
//! | `dataset/reformulated_test.jsonl`, `systems_reformulated/`, `…_reform.txt` | the same of the reformulated test; may be missing |
//! | `dataset/*train*.jsonl` | what the test is compared with; may be missing |
//!
//! | in the paper | here |
//! |---|---|
//! | Table 1 | [`DataStatistics`] of every file of `dataset/` |
//! | Tables 2 and 7 | [`SetStudy::systems`], with every [added](crate::Evaluator::also) metric and [people](SetStudy::people): each reference against the others |
//! | Tables 5 and 8 | [`SystemStudy::human`], [`SetStudy::agreement`] (Fleiss' κ) |
//! | Table 6 | [`SystemStudy::spread`]: mean and sample standard deviation over seeds |
//! | Figures 3 and 4 | [`SetStudy::between_metrics`], [`SetStudy::with_people`] |
//! | Figure 5 | [`Cases`] of every set |
//!
//! ```no_run
//! use ko_commongen::{Evaluator, Protocol, Study, ko_tokenize};
//! use ko_meta_eval::report::Language;
//!
//! let evaluator = Evaluator::new(ko_tokenize::analyzer_by_name("mecab")?, Protocol::Released);
//! let study = Study::of("Korean-CommonGen".as_ref(), &evaluator, &())?;
//! for system in &study.sets[0].systems {
//!     println!("{}: {:.2}", system.name, system.scores[3]); // ROUGE-L
//! }
//! study.report(Language::Korean).write("보고서".as_ref())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cases;
mod layout;
mod maps;
mod report;

pub use cases::{Cases, JudgedOutput};
pub(crate) use layout::{SystemFiles, ratings, ratings_folder, systems};
pub use maps::CorrelationMap;

use crate::{
    BadLines, Columns, Evaluator, Item, Pairs, Statistics, SystemScores, Unseen,
    human::{Criterion, HumanScores, agreement},
    read_items,
    stats::{Morphemes, Origins},
    words::words_enum,
};
use ko_eval_core::{Direction, Error, Result, Signature, Signed, significance::Bootstrap};
use ko_eval_io::Progress;
use ko_meta_eval::{
    Correlation,
    agreement::KappaBySystem,
    correlation::{Draw, interval},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path};

/// How many cases of each kind are shown.
const CASES: usize = 3;

/// The coefficients of the maps.
const MAPS: [Correlation; 3] =
    [Correlation::Pearson, Correlation::Spearman, Correlation::KendallTauB];

words_enum! {
    /// Which of the two published tests.
    pub enum TestSet ("test set") {
        /// Up to three references of each concept set.
        Original "korean_commongen",
        /// One reference of each, of free morphemes.
        Reformulated "reform",
    }
}

impl TestSet {
    fn items(self) -> &'static str {
        match self {
            Self::Original => "dataset/test.jsonl",
            Self::Reformulated => "dataset/reformulated_test.jsonl",
        }
    }

    fn systems(self) -> &'static str {
        match self {
            Self::Original => "systems",
            Self::Reformulated => "systems_reformulated",
        }
    }
}

/// Everything that was found in a folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Study {
    /// The paper's Table 1, a row per file.
    pub data: Vec<DataStatistics>,
    /// The tests that there are.
    pub sets: Vec<SetStudy>,
    /// How the published columns came about.
    pub signature: Signature,
}

/// A file of the data set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DataStatistics {
    /// The file, without its ending.
    pub name: String,
    /// Sets, sizes, sentences, words, combinations.
    pub statistics: Statistics,
    /// In morphemes.
    pub morphemes: Morphemes,
    /// Captions and dialogue summaries.
    pub origins: Origins,
    /// What the training files do not have; none of a training file, or where there is none.
    pub unseen: Option<Unseen>,
}

/// A column of scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MetricColumn {
    /// Its name.
    pub name: String,
    /// Whether higher is better; if not, scores are negated before they are correlated.
    pub higher_is_better: bool,
    /// How its scores came about.
    pub signature: Signature,
}

/// One test, all systems.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SetStudy {
    /// Which.
    pub set: TestSet,
    /// Concept sets.
    pub items: usize,
    /// The columns: those published, what their names commonly mean, what was added.
    pub metrics: Vec<MetricColumn>,
    /// The systems, in the order of their names.
    pub systems: Vec<SystemStudy>,
    /// Each reference as if it were a system's, against the others of its concept set: a value per column. None where no
    /// concept set has two.
    pub people: Option<PeopleRow>,
    /// How far the raters agree, by criterion; none where nobody rated.
    pub agreement: BTreeMap<Criterion, KappaBySystem>,
    /// Metrics with each other, over the outputs of all rated systems.
    pub between_metrics: Vec<CorrelationMap>,
    /// Metrics with each criterion and with the total of all.
    pub with_people: Vec<CorrelationMap>,
    /// 95 % intervals of Pearson's coefficient with the total, by bootstrap over concept sets: a pair per column.
    pub intervals: Vec<Option<(f64, f64)>>,
    /// Outputs worth reading.
    pub cases: Cases,
}

/// A system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SystemStudy {
    /// Its name.
    pub name: String,
    /// How many seeds.
    pub runs: usize,
    /// A value per column; of several seeds the mean.
    pub scores: Vec<f64>,
    /// The sample standard deviation (n − 1) over seeds, per column; none of a single one.
    pub spread: Option<Vec<f64>>,
    /// The mean rating of each criterion; none where nobody rated it. Ratings are of one output: a system of several
    /// seeds has none.
    pub human: Option<BTreeMap<Criterion, f64>>,
}

/// What people would score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PeopleRow {
    /// A value per column.
    pub scores: Vec<f64>,
    /// How many references were scored.
    pub references: usize,
}

impl Study {
    /// Evaluates a folder.
    ///
    /// # Errors
    /// A folder without the original test or without systems; a file that is broken or of another length than the test;
    /// a text that cannot be analysed; an added metric that fails.
    pub fn of(folder: &Path, evaluator: &Evaluator, progress: &dyn Progress) -> Result<Self> {
        let mut sets = vec![SetStudy::of(folder, TestSet::Original, evaluator, progress)?];
        let other = TestSet::Reformulated;
        if folder.join(other.items()).exists() && folder.join(other.systems()).exists() {
            sets.push(SetStudy::of(folder, other, evaluator, progress)?);
        }
        let data = data_statistics(folder, evaluator, progress)?;
        Ok(Self { data, sets, signature: evaluator.signature() })
    }
}

fn data_statistics(
    folder: &Path,
    evaluator: &Evaluator,
    progress: &dyn Progress,
) -> Result<Vec<DataStatistics>> {
    let files = layout::data(folder)?;
    let origins = layout::origins(folder)?;
    let training: Vec<Item> = files
        .iter()
        .filter(|file| file.is_training())
        .flat_map(|file| file.items.clone())
        .collect();
    progress.begin("data set", Some(files.len() as u64));
    let mut rows = Vec::new();
    for file in &files {
        progress.note(&file.name);
        let unseen = !file.is_training() && !training.is_empty();
        rows.push(DataStatistics {
            name: file.name.clone(),
            statistics: Statistics::of(&file.items),
            morphemes: Morphemes::of(&file.items, &**evaluator.analyzer())?,
            origins: Origins::of(&file.items, |text| {
                file.source.or_else(|| origins.get(text).copied())
            }),
            unseen: unseen.then(|| Unseen::of(&file.items, &training)),
        });
        progress.advance(1);
    }
    Ok(rows)
}

impl SetStudy {
    fn of(
        folder: &Path,
        set: TestSet,
        evaluator: &Evaluator,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let test = folder.join(set.items());
        let (mut systems, mut rated, mut metrics) = (Vec::new(), Vec::new(), Vec::new());
        for files in layout::systems(&folder.join(set.systems()))? {
            let mut runs = Vec::new();
            let mut last = None;
            for path in &files.runs {
                let pairs = Pairs::read(&test, path, BadLines::Refuse)?;
                runs.push(evaluator.evaluate(&pairs, progress)?);
                last = Some(pairs);
            }
            let human = match files.runs.as_slice() {
                [_] => layout::ratings(folder, &files.name, set)?,
                _ => None,
            };
            if let (Some(first), true) = (runs.first(), metrics.is_empty()) {
                metrics = columns(evaluator, first);
            }
            systems.push(SystemStudy::of(&files.name, &runs, human.as_ref()));
            if let (Some(pairs), Some(human), Some(scores)) = (last, human, runs.pop()) {
                rated.push(RatedSystem { name: files.name, pairs, human, scores });
            }
        }
        let items = read_items(&test, BadLines::Refuse)?.into_values();
        let people = people(&items, evaluator, progress)?;
        let mut study = Self {
            set,
            items: items.len(),
            metrics,
            systems,
            people,
            agreement: BTreeMap::new(),
            between_metrics: Vec::new(),
            with_people: Vec::new(),
            intervals: Vec::new(),
            cases: Cases::default(),
        };
        if !rated.is_empty() {
            study.meet_people(&rated, progress)?;
        }
        Ok(study)
    }

    /// What needs ratings.
    fn meet_people(&mut self, rated: &[RatedSystem], progress: &dyn Progress) -> Result<()> {
        for system in rated {
            let (rated, outputs) = (system.human.totals().len(), system.pairs.items().len());
            if rated != outputs {
                return Err(Error::LengthMismatch {
                    left: format!("what {} wrote", system.name),
                    left_len: outputs,
                    right: "what people said of it".into(),
                    right_len: rated,
                });
            }
        }
        let people: Vec<HumanScores> = rated.iter().map(|system| system.human.clone()).collect();
        for criterion in Criterion::ALL {
            // Raters who only ever chose one category have no κ.
            if let Ok(kappa) = agreement(&people, *criterion) {
                self.agreement.insert(*criterion, kappa);
            }
        }
        let metrics: Vec<Vec<f64>> = self.pooled(rated);
        let named: Vec<maps::Named<'_>> = self
            .metrics
            .iter()
            .map(|m| m.name.as_str())
            .zip(metrics.iter().map(Vec::as_slice))
            .collect();
        let mut targets: Vec<(&str, Vec<f64>)> = Vec::new();
        for criterion in Criterion::ALL {
            let ratings = people.iter().filter_map(|human| human.ratings(*criterion));
            let values: Vec<f64> = ratings.flat_map(|ratings| ratings.by_sentence()).collect();
            targets.push((criterion.as_str(), values));
        }
        let totals: Vec<f64> = people.iter().flat_map(HumanScores::totals).collect();
        targets.push(("total", totals.clone()));
        let targets: Vec<maps::Named<'_>> =
            targets.iter().map(|(name, values)| (*name, values.as_slice())).collect();
        progress.begin("metrics and people", Some(MAPS.len() as u64 + named.len() as u64));
        for kind in MAPS {
            self.between_metrics.push(CorrelationMap::of(kind, &named, &named));
            self.with_people.push(CorrelationMap::of(kind, &named, &targets));
            progress.advance(1);
        }
        let sources: Vec<usize> = rated.iter().flat_map(|_| 0..self.items).collect();
        for (_, values) in &named {
            let (kind, draw) = (Correlation::Pearson, Draw::Clusters(&sources));
            let found = interval(kind, &totals, values, draw, &Bootstrap::default()).ok();
            self.intervals.push(found.map(|found| (found.interval.low, found.interval.high)));
            progress.advance(1);
        }
        self.cases = Cases::of(&self.outputs(rated, &metrics, &totals), CASES);
        Ok(())
    }

    /// Every column's segment scores, the rated systems one after the other; higher is better.
    fn pooled(&self, rated: &[RatedSystem]) -> Vec<Vec<f64>> {
        let column = |(number, metric): (usize, &MetricColumn)| {
            let scores = rated.iter().flat_map(|system| by_segment(&system.scores, number));
            let sign = if metric.higher_is_better { 1.0 } else { -1.0 };
            scores.map(|score| sign * score).collect()
        };
        self.metrics.iter().enumerate().map(column).collect()
    }

    /// Every output of the rated systems with all that is said of it.
    fn outputs(
        &self,
        rated: &[RatedSystem],
        metrics: &[Vec<f64>],
        totals: &[f64],
    ) -> Vec<JudgedOutput> {
        let ranks: Vec<Vec<f64>> = metrics.iter().map(|values| cases::ranks(values)).collect();
        let signs = self.metrics.iter().map(|m| if m.higher_is_better { 1.0 } else { -1.0 });
        let signed = |row: usize| {
            let values = metrics.iter().zip(signs.clone());
            values.filter_map(|(values, sign)| Some(sign * values.get(row)?)).collect()
        };
        let mut outputs = Vec::with_capacity(totals.len());
        for system in rated {
            let pairs = system.pairs.items().iter().zip(system.pairs.hypotheses());
            for (segment, (item, output)) in pairs.enumerate() {
                let row = outputs.len();
                outputs.push(JudgedOutput {
                    system: system.name.clone(),
                    segment: segment + 1,
                    concepts: item.concepts().to_vec(),
                    output: output.clone(),
                    references: item.references().to_vec(),
                    total: totals.get(row).copied().unwrap_or_default(),
                    scores: signed(row),
                    ranks: ranks.iter().filter_map(|ranks| ranks.get(row).copied()).collect(),
                });
            }
        }
        outputs
    }
}

/// A system that people rated.
struct RatedSystem {
    name: String,
    pairs: Pairs,
    human: HumanScores,
    scores: SystemScores,
}

impl SystemStudy {
    fn of(name: &str, runs: &[SystemScores], human: Option<&HumanScores>) -> Self {
        let values: Vec<Vec<f64>> = runs.iter().map(corpus).collect();
        let columns = values.first().map_or(0, Vec::len);
        let column = |number: usize| values.iter().filter_map(move |run| run.get(number).copied());
        let count = runs.len() as f64;
        let scores: Vec<f64> =
            (0..columns).map(|number| column(number).sum::<f64>() / count).collect();
        let spread = (runs.len() > 1).then(|| {
            let deviation = |(number, mean): (usize, &f64)| {
                let squares: f64 = column(number).map(|value| (value - mean).powi(2)).sum();
                (squares / (count - 1.0)).sqrt()
            };
            scores.iter().enumerate().map(deviation).collect()
        });
        let human = human.map(HumanScores::means);
        Self { name: name.to_owned(), runs: runs.len(), scores, spread, human }
    }
}

/// What the columns are called in the paper, or commonly mean.
const TITLES: [(&str, &str); 10] = [
    ("p3", "p3 (“BLEU 3”)"),
    ("p4", "p4 (“BLEU 4”)"),
    ("rouge2", "ROUGE-2"),
    ("rougeL", "ROUGE-L"),
    ("meteor", "METEOR"),
    ("coverage", "Coverage"),
    ("bleu3", "BLEU-3 (sacreBLEU)"),
    ("bleu4", "BLEU-4 (sacreBLEU)"),
    ("rouge2", "ROUGE-2 (rouge-score)"),
    ("rougeL", "ROUGE-L (rouge-score)"),
];

fn columns(evaluator: &Evaluator, scores: &SystemScores) -> Vec<MetricColumn> {
    let title = |name: &str, published: bool| {
        let mut titles = TITLES.iter().enumerate();
        let found = titles.find(|(place, (key, _))| *key == name && (*place < 6) == published);
        found.map_or(name, |(_, (_, title))| title).to_owned()
    };
    let published = Columns::NAMES.iter().map(|name| MetricColumn {
        name: title(name, true),
        higher_is_better: true,
        signature: scores.signature.clone(),
    });
    let beside = scores.standard.iter().map(|(name, score)| {
        let added = evaluator.added().find(|(added, _)| added == name);
        MetricColumn {
            name: title(name, false),
            higher_is_better: added
                .is_none_or(|(_, scorer)| scorer.direction() == Direction::HigherIsBetter),
            signature: score.signature.clone(),
        }
    });
    published.chain(beside).collect()
}

/// A value per column.
fn corpus(scores: &SystemScores) -> Vec<f64> {
    let beside = scores.standard.values().map(|score| score.score.value);
    scores.columns.values().into_iter().chain(beside).collect()
}

/// A column's value of every segment.
fn by_segment(scores: &SystemScores, column: usize) -> Vec<f64> {
    match column.checked_sub(Columns::NAMES.len()) {
        None => scores.by_segment.iter().filter_map(|c| c.values().get(column).copied()).collect(),
        Some(beside) => {
            scores.standard_by_segment.values().nth(beside).cloned().unwrap_or_default()
        }
    }
}

/// Each reference against the others of its concept set.
fn people(
    items: &[Item],
    evaluator: &Evaluator,
    progress: &dyn Progress,
) -> Result<Option<PeopleRow>> {
    let (mut asked, mut written) = (Vec::new(), Vec::new());
    for item in items.iter().filter(|item| item.references().len() > 1) {
        for (number, reference) in item.references().iter().enumerate() {
            let others = item.references().iter().enumerate().filter(|(other, _)| *other != number);
            let others = others.map(|(_, text)| text.clone());
            asked.push(Item::new(item.concepts().to_vec(), others)?);
            written.push(reference.clone());
        }
    }
    if asked.is_empty() {
        return Ok(None);
    }
    let references = asked.len();
    let scores = evaluator.evaluate(&Pairs::new(asked, written)?, progress)?;
    Ok(Some(PeopleRow { scores: corpus(&scores), references }))
}
