//! Encoders × layers × tasks: what does each vector know?
//!
//! For every task, a probe is trained on every encoder's vectors; its score is the balanced accuracy on the test
//! part with a bootstrap interval, beside what guessing gives. A probe of random vectors stands under every
//! table, and a control with random labels (Hewitt and Liang 2019) tells how much a probe learns by
//! itself: *selectivity* is the score minus the control's.
//!
//! ```
//! use ko_probe::{Experiment, Subject, embedders, senteval};
//!
//! let lines: String = (0..60).map(|i| {
//!     let (label, end) = if i % 2 == 0 { ("past", "왔다") } else { ("non-past", "온다") };
//!     format!("{}\t{label}\t비가 {i}번 {end}.\n", ["tr", "tr", "tr", "tr", "va", "te"][i / 2 % 6])
//! }).collect();
//! let data = senteval::read("Tense", "tense.txt", std::io::Cursor::new(lines))?;
//! let subject = Subject::new("jamo", embedders::by_name("jamo")?);
//! let findings = Experiment::new().run(&[subject], &[data], &())?;
//! assert!(findings.get("jamo", "Tense").unwrap().balanced_accuracy.score > 0.9);
//! # Ok::<(), ko_probe::Error>(())
//! ```

use crate::{
    classifier::Classifier,
    dataset::{Dataset, Example, Part},
    embedders::RandomVectors,
    error::{Error, Result},
    task::{Hidden, Task},
    vectors::Vectors,
};
use ko_eval_core::{
    Progress, SentenceEmbedder, Signature,
    files::FolderLock,
    significance::{Bootstrap, Interval},
};
use ko_meta_eval::classification::Confusion;
use ndarray::Array2;
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, sync::Arc};

/// An encoder to look into, or one layer of it.
#[derive(Debug, Clone)]
pub struct Subject {
    /// What tables call it.
    pub name: String,
    /// The layer that its vectors come from, if one was chosen.
    pub layer: Option<usize>,
    /// Gives the vectors.
    pub embedder: Arc<dyn SentenceEmbedder>,
}

impl Subject {
    /// An encoder's sentence vectors.
    pub fn new(name: impl Into<String>, embedder: Arc<dyn SentenceEmbedder>) -> Self {
        Self { name: name.into(), layer: None, embedder }
    }

    /// The same, said to come from this layer.
    #[must_use]
    pub fn layer(self, layer: usize) -> Self {
        Self { layer: Some(layer), ..self }
    }

    /// The name with the layer: `KoBERT/12`.
    pub fn title(&self) -> String {
        match self.layer {
            Some(layer) => format!("{}/{layer}", self.name),
            None => self.name.clone(),
        }
    }
}

/// Whether a control with random labels runs beside every probe.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Control {
    /// No control.
    #[default]
    None,
    /// The same probe on shuffled labels.
    RandomLabels,
}

/// How an experiment is run.
#[derive(Debug, Clone, Default)]
pub struct Experiment {
    classifier: Classifier,
    bootstrap: Bootstrap,
    control: Control,
    cache: Option<PathBuf>,
}

/// What a probe found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// The subject, with its layer.
    pub subject: String,
    /// How its vectors came about.
    pub signature: Signature,
    /// The task.
    pub task: String,
    /// The score: mean recall of the classes, with its 95 % interval.
    pub balanced_accuracy: Interval,
    /// The share of right answers.
    pub accuracy: f64,
    /// The balanced accuracy of always giving the same class: 1 / classes.
    pub chance: f64,
    /// The accuracy of always giving the class that is most frequent in training.
    pub majority_accuracy: f64,
    /// The balanced accuracy of the same probe on random labels, if the control ran.
    pub control: Option<f64>,
    /// The classes with their recalls.
    pub classes: Vec<ClassRecall>,
    /// `confusion[truth][prediction]`, in the order of `classes`.
    pub confusion: Vec<Vec<u64>>,
    /// The L2 penalty chosen.
    pub penalty: f32,
    /// The epochs trained.
    pub epochs: usize,
    /// The sizes of the three parts.
    pub sizes: [usize; 3],
}

impl Finding {
    /// How much better the probe does than on random labels, if the control ran.
    pub fn selectivity(&self) -> Option<f64> {
        self.control.map(|control| self.balanced_accuracy.score - control)
    }
}

/// A class in the test part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ClassRecall {
    /// Its name.
    pub class: String,
    /// How many of it were found.
    pub recall: f64,
    /// How many there are.
    pub examples: u64,
}

/// All findings of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Findings {
    /// The subjects in order, the random baseline last.
    pub subjects: Vec<String>,
    /// The tasks in order.
    pub tasks: Vec<String>,
    /// Subject by subject, task by task.
    pub findings: Vec<Finding>,
    /// How probes were trained.
    pub classifier: Classifier,
}

impl Findings {
    /// One probe's finding.
    pub fn get(&self, subject: &str, task: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.subject == subject && finding.task == task)
    }

    /// What would make the figures doubtful: random vectors or random labels that do better than
    /// guessing, by more than `margin` above and beyond the interval's lower end. Empty is good.
    pub fn doubts(&self, margin: f64) -> Vec<String> {
        let mut doubts = Vec::new();
        for finding in &self.findings {
            let Finding { subject, task, chance, .. } = finding;
            let random = finding.signature.name() == "random";
            let low = finding.balanced_accuracy.low;
            if random && low > chance + margin {
                doubts.push(format!(
                    "{task}: random vectors score {low:.3} at least, chance is {chance:.3}"
                ));
            }
            if let Some(control) =
                finding.control.filter(|control| *control > chance + 2.0 * margin)
            {
                doubts.push(format!(
                    "{task}, {subject}: random labels score {control:.3}, chance is {chance:.3}"
                ));
            }
        }
        doubts
    }
}

impl Experiment {
    /// The default classifier, 1,000 resamples, no control, vectors in memory only.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with another classifier.
    #[must_use]
    pub fn classifier(self, classifier: Classifier) -> Self {
        Self { classifier, ..self }
    }

    /// The same with other resampling.
    #[must_use]
    pub fn bootstrap(self, bootstrap: Bootstrap) -> Self {
        Self { bootstrap, ..self }
    }

    /// The same with or without a control.
    #[must_use]
    pub fn control(self, control: Control) -> Self {
        Self { control, ..self }
    }

    /// The same with vectors kept in a folder, so that a second run does not compute them again.
    #[must_use]
    pub fn cache(self, folder: impl Into<PathBuf>) -> Self {
        Self { cache: Some(folder.into()), ..self }
    }

    /// Probes every subject on every data set; random vectors join in if they are not there.
    ///
    /// # Errors
    /// A data set that cannot be learnt from, an embedder that fails or gives broken vectors, a cache
    /// that cannot be written.
    pub fn run(
        &self,
        subjects: &[Subject],
        data: &[Dataset],
        progress: &dyn Progress,
    ) -> Result<Findings> {
        data.iter().try_for_each(Dataset::check)?;
        let _held = self.cache.as_deref().map(FolderLock::take).transpose()?;
        let mut subjects = subjects.to_vec();
        let is_random = |subject: &Subject| subject.embedder.signature().name() == "random";
        let mut baseline = !subjects.iter().any(is_random);
        let mut titles = Vec::new();
        let mut findings = Vec::new();
        let of = (subjects.len() + usize::from(baseline)) * data.len();
        progress.begin("probing", Some(of as u64));
        let mut next = 0;
        while let Some(subject) = subjects.get(next) {
            let title = subject.title();
            let embedder = subject.embedder.as_ref();
            let mut vectors = match &self.cache {
                Some(folder) => Vectors::open(folder, embedder)?,
                None => Vectors::in_memory(),
            };
            let examples = data.iter().flat_map(|data| &data.examples);
            vectors.fill(examples, embedder, |done, of| {
                progress.note(&format!("vectors of {title}, {done} of {of}"));
            })?;
            for data in data {
                progress.note(&format!("{} by {title}", data.task));
                findings.push(self.probe(&title, embedder.signature(), &vectors, data)?);
                progress.advance(1);
            }
            titles.push(title);
            next += 1;
            if baseline && next == subjects.len() {
                baseline = false;
                let random =
                    RandomVectors::new(vectors.dim().max(1), self.classifier.seed_value())?;
                subjects.push(Subject::new("random", Arc::new(random)));
            }
        }
        let tasks = data.iter().map(|data| data.task.clone()).collect();
        Ok(Findings { subjects: titles, tasks, findings, classifier: self.classifier.clone() })
    }

    fn probe(
        &self,
        subject: &str,
        signature: Signature,
        vectors: &Vectors,
        data: &Dataset,
    ) -> Result<Finding> {
        let linear = Task::by_name(&data.task).is_ok_and(|task| task.hidden == Hidden::Never);
        let classifier = match linear {
            true => self.classifier.clone().linear(),
            false => self.classifier.clone(),
        };
        let judged = judge(&classifier, vectors, data)?;
        let Judged { truth, predicted, .. } = &judged;
        let classes = data.classes.len();
        let of_rows = |rows: &mut dyn Iterator<Item = usize>| {
            let pick = |row| Some((*truth.get(row)?, *predicted.get(row)?));
            let (truth, predicted): (Vec<_>, Vec<_>) = rows.filter_map(pick).unzip();
            Confusion::of(&truth, &predicted, classes).map_or(0.0, |c| c.balanced_accuracy())
        };
        let interval = self.bootstrap.interval_of(truth.len(), of_rows)?;
        let confusion = Confusion::of(truth, predicted, classes).map_err(core)?;
        let control = match self.control {
            Control::None => None,
            Control::RandomLabels => {
                let control = data.with_random_labels(self.classifier.seed_value());
                let judged = judge(&classifier, vectors, &control)?;
                let confusion = Confusion::of(&judged.truth, &judged.predicted, classes);
                Some(confusion.map_err(core)?.balanced_accuracy())
            }
        };
        let test = data.counts(Some(Part::Test));
        let occurring = test.iter().filter(|n| **n > 0).count().max(1);
        let learnt = data.counts(Some(Part::Train));
        let majority = learnt.iter().zip(&test).max_by_key(|(learnt, _)| **learnt);
        let recalls =
            data.classes.iter().zip(&test).enumerate().map(|(class, (name, examples))| {
                ClassRecall {
                    class: name.clone(),
                    recall: confusion.recall(class),
                    examples: *examples as u64,
                }
            });
        Ok(Finding {
            subject: subject.to_owned(),
            signature,
            task: data.task.clone(),
            accuracy: confusion.accuracy(),
            chance: 1.0 / occurring as f64,
            majority_accuracy: majority.map_or(0.0, |(_, n)| *n as f64 / truth.len() as f64),
            control,
            classes: recalls.collect(),
            confusion: confusion.rows().to_vec(),
            balanced_accuracy: interval,
            penalty: judged.penalty,
            epochs: judged.epochs,
            sizes: [Part::Train, Part::Dev, Part::Test].map(|part| data.part(part).count()),
        })
    }
}

/// A probe's answers on the test part.
struct Judged {
    truth: Vec<usize>,
    predicted: Vec<usize>,
    penalty: f32,
    epochs: usize,
}

fn judge(classifier: &Classifier, vectors: &Vectors, data: &Dataset) -> Result<Judged> {
    let (train, train_y) = matrix(data.part(Part::Train), vectors)?;
    let (dev, dev_y) = matrix(data.part(Part::Dev), vectors)?;
    let (test, truth) = matrix(data.part(Part::Test), vectors)?;
    let probe =
        classifier.fit((train.view(), &train_y), (dev.view(), &dev_y), data.classes.len())?;
    let predicted = probe.predict(&test.view())?;
    Ok(Judged { truth, predicted, penalty: probe.penalty(), epochs: probe.epochs() })
}

/// The vectors of examples, a row each, and their classes.
fn matrix<'e>(
    examples: impl Iterator<Item = &'e Example>,
    vectors: &Vectors,
) -> Result<(Array2<f32>, Vec<usize>)> {
    let mut numbers = Vec::new();
    let mut classes = Vec::new();
    for example in examples {
        // Every text was embedded before; the fall-back keeps rows and classes parallel.
        let Some(row) = vectors.get(&example.text) else { continue };
        numbers.extend_from_slice(row);
        classes.push(example.class);
    }
    let shape = (classes.len(), vectors.dim());
    let matrix = Array2::from_shape_vec(shape, numbers);
    Ok((matrix.map_err(|error| core(ko_eval_core::Error::source("vectors", error)))?, classes))
}

fn core(error: impl Into<ko_eval_core::BoxError>) -> Error {
    ko_eval_core::Error::source("scoring a probe", error).into()
}
