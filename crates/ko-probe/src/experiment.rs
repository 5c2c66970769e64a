//! Encoders × layers × tasks: what does each vector know?
//!
//! For every task, a probe is trained on every encoder's vectors; its score is the balanced accuracy on the test
//! part with a bootstrap interval, beside what guessing gives. A probe of random vectors stands under every
//! table, and a control with random labels (Hewitt and Liang 2019) tells how much a probe learns by
//! itself: *selectivity* is the score minus the control's. On request the labels' minimum description length stands beside
//! them ([`OnlineCode`]), and every probe is trained by several seeds: its score is their mean, with their standard deviation.
//!
//! The layers of one encoder are read at once and probed one after the other. Memory: their vectors. With a
//! [cache](Experiment::cache), a run that was interrupted goes on where it was.
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
    findings::{ClassRecall, Finding, Findings, mean},
    kept::Kept,
    online_code::OnlineCode,
    subject::{Row, Subject},
    task::{Hidden, Task},
    vectors::Vectors,
};
use ko_eval_core::{Fingerprint, significance::Bootstrap};
use ko_eval_io::{Progress, files::FolderLock};
use ko_meta_eval::classification::Confusion;
use ndarray::Array2;
use rustc_hash::FxHashSet;
use std::{path::PathBuf, sync::Arc};

/// Whether a control with random labels runs beside every probe.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Control {
    /// No control.
    #[default]
    None,
    /// The same probe on shuffled labels.
    RandomLabels,
}

/// Whether the labels' minimum description length is measured beside accuracy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DescriptionLength {
    /// It is not.
    #[default]
    None,
    /// By an [`OnlineCode`].
    OnlineCode,
}

/// How an experiment is run.
#[derive(Debug, Clone, Default)]
pub struct Experiment {
    classifier: Classifier,
    bootstrap: Bootstrap,
    control: Control,
    description_length: DescriptionLength,
    /// Seeds beside the classifier's own.
    more_seeds: u64,
    cache: Option<PathBuf>,
}

impl Experiment {
    /// The default classifier, 1,000 resamples, one seed, no control, no description length, vectors in memory only.
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

    /// The same with or without the labels' description length.
    #[must_use]
    pub fn description_length(self, description_length: DescriptionLength) -> Self {
        Self { description_length, ..self }
    }

    /// The same with every probe trained so many times: by the classifier's seed and by those that follow it. A seed decides the
    /// first weights, the order of sentences, dropout, the control's labels and the order of an online code; what is learnt from
    /// and judged on stays the same.
    ///
    /// # Errors
    /// No seed at all.
    pub fn seeds(self, seeds: usize) -> Result<Self> {
        match seeds.checked_sub(1) {
            Some(more) => Ok(Self { more_seeds: more as u64, ..self }),
            None => Err(ko_eval_core::Error::invalid("probe", "seeds", seeds, "at least 1").into()),
        }
    }

    /// The same with vectors and findings kept in a folder, so that a second run computes neither again.
    #[must_use]
    pub fn cache(self, folder: impl Into<PathBuf>) -> Self {
        Self { cache: Some(folder.into()), ..self }
    }

    /// Probes every subject on every data set; random vectors join in if they are not there.
    ///
    /// # Errors
    /// A data set that cannot be learnt from, two subjects of one name, an embedder that fails or gives broken vectors, a
    /// cache that cannot be written.
    pub fn run(
        &self,
        subjects: &[Subject],
        data: &[Dataset],
        progress: &dyn Progress,
    ) -> Result<Findings> {
        data.iter().try_for_each(Dataset::check)?;
        let _held = self.cache.as_deref().map(FolderLock::take).transpose()?;
        let mut subjects = subjects.to_vec();
        let is_random = |row: &Row| row.signature.name() == "random";
        let rows = || subjects.iter().flat_map(Subject::rows);
        let mut baseline = !rows().any(|row| is_random(&row));
        let named = rows().map(|row| row.title());
        check_names(named.chain(baseline.then(|| RANDOM.to_owned())))?;
        let mut titles = Vec::new();
        let mut findings = Vec::new();
        let of = (rows().count() + usize::from(baseline)) * data.len();
        progress.begin("probing", Some(of as u64));
        let mut next = 0;
        while let Some(subject) = subjects.get(next) {
            let name = subject.name.clone();
            let examples = data.iter().flat_map(|data| &data.examples);
            let stores = subject.vectors(self.cache.as_deref(), examples, |done, of| {
                progress.note(&format!("vectors of {name}, {done} of {of}"));
            })?;
            let mut dim = 1;
            for (row, vectors) in subject.rows().into_iter().zip(stores) {
                let title = row.title();
                for data in data {
                    progress.note(&format!("{} by {title}", data.task));
                    findings.push(self.probe_once(&row, &vectors, data)?);
                    progress.advance(1);
                }
                titles.push(title);
                dim = vectors.dim().max(1);
            }
            next += 1;
            if baseline && next == subjects.len() {
                baseline = false;
                let random = RandomVectors::new(dim, self.classifier.seed_value())?;
                subjects.push(Subject::new(RANDOM, Arc::new(random)));
            }
        }
        let tasks = data.iter().map(|data| data.task.clone()).collect();
        Ok(Findings { subjects: titles, tasks, findings, classifier: self.classifier.clone() })
    }

    /// The classifier under each seed, as the task wants it.
    fn classifiers(&self, data: &Dataset) -> Vec<Classifier> {
        let linear = Task::by_name(&data.task).is_ok_and(|task| task.hidden == Hidden::Never);
        let of_seed = |more: u64| {
            let seed = self.classifier.seed_value().wrapping_add(more);
            let classifier = self.classifier.clone().seed(seed);
            if linear { classifier.linear() } else { classifier }
        };
        (0..=self.more_seeds).map(of_seed).collect()
    }

    /// What was found by an earlier run, or is now.
    fn probe_once(&self, row: &Row, vectors: &Vectors, data: &Dataset) -> Result<Finding> {
        let Some(folder) = &self.cache else { return self.probe(row, vectors, data) };
        let key = self.fingerprint(row, vectors, data).digits(32);
        let kept = Kept::new(folder.join(format!("{key}.finding")));
        if let Some(finding) = kept.read() {
            return Ok(finding);
        }
        let finding = self.probe(row, vectors, data)?;
        kept.write(&finding)?;
        Ok(finding)
    }

    /// Of all that a finding depends on.
    fn fingerprint(&self, row: &Row, vectors: &Vectors, data: &Dataset) -> Fingerprint {
        let Self { classifier, bootstrap, control, description_length, more_seeds, cache: _ } =
            self;
        let settings = (classifier, bootstrap, control, description_length, more_seeds);
        let start = Fingerprint::new()
            .text(env!("CARGO_PKG_VERSION"))
            .text(&format!("{settings:?} {row:?} {} {:?}", data.task, data.classes));
        data.examples.iter().fold(start, |sum, example| {
            let vector: &[f32] = vectors.get(&example.text).unwrap_or_default();
            let numbers: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
            sum.text(example.part.code()).bytes(&example.class.to_le_bytes()).bytes(&numbers)
        })
    }

    fn probe(&self, row: &Row, vectors: &Vectors, data: &Dataset) -> Result<Finding> {
        let classes = data.classes.len();
        let classifiers = self.classifiers(data);
        let judged =
            classifiers.iter().map(|c| judge(c, vectors, data)).collect::<Result<Vec<_>>>()?;
        let truth = judged.first().map_or(&[][..], |judged| &judged.truth);
        let of_rows = |rows: &mut dyn Iterator<Item = usize>| {
            let rows: Vec<usize> = rows.collect();
            let of_seed = |judged: &Judged| {
                let pick = |row: &usize| Some((*truth.get(*row)?, *judged.predicted.get(*row)?));
                let (truth, predicted): (Vec<_>, Vec<_>) = rows.iter().filter_map(pick).unzip();
                Confusion::of(&truth, &predicted, classes).map_or(0.0, |c| c.balanced_accuracy())
            };
            mean(judged.iter().map(of_seed)).unwrap_or(0.0)
        };
        let interval = self.bootstrap.interval_of(truth.len(), of_rows)?;
        let scores = |judged: &[Judged]| {
            judged
                .iter()
                .map(|j| Ok(j.confusion(classes)?.balanced_accuracy()))
                .collect::<Result<Vec<_>>>()
        };
        let by_seed = scores(&judged)?;
        let control = match self.control {
            Control::None => None,
            Control::RandomLabels => {
                let shuffled = classifiers.iter().map(|classifier| {
                    judge(classifier, vectors, &data.with_random_labels(classifier.seed_value()))
                });
                mean(scores(&shuffled.collect::<Result<Vec<_>>>()?)?.into_iter())
            }
        };
        let codes = match self.description_length {
            DescriptionLength::None => Vec::new(),
            DescriptionLength::OnlineCode => {
                let (train, train_y) = matrix(data.part(Part::Train), vectors)?;
                let (dev, dev_y) = matrix(data.part(Part::Dev), vectors)?;
                let (train, dev) =
                    ((train.view(), train_y.as_slice()), (dev.view(), dev_y.as_slice()));
                let code =
                    |classifier: &Classifier| OnlineCode::of(classifier, train, dev, classes);
                classifiers.iter().map(code).collect::<Result<_>>()?
            }
        };
        // All seeds' answers as one: its shares are the means of theirs.
        let all_truth: Vec<usize> = judged.iter().flat_map(|j| j.truth.clone()).collect();
        let answers: Vec<usize> = judged.iter().flat_map(|j| j.predicted.clone()).collect();
        let confusion = Confusion::of(&all_truth, &answers, classes).map_err(core)?;
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
        let first = judged.first();
        Ok(Finding {
            subject: row.title(),
            encoder: row.encoder.clone(),
            layer: row.layer,
            signature: row.signature.clone(),
            task: data.task.clone(),
            accuracy: confusion.accuracy(),
            chance: 1.0 / occurring as f64,
            majority_accuracy: majority.map_or(0.0, |(_, n)| *n as f64 / truth.len() as f64),
            control,
            codes,
            classes: recalls.collect(),
            confusion: confusion.rows().to_vec(),
            balanced_accuracy: interval,
            by_seed,
            penalty: first.map_or(0.0, |judged| judged.penalty),
            epochs: first.map_or(0, |judged| judged.epochs),
            sizes: [Part::Train, Part::Dev, Part::Test].map(|part| data.part(part).count()),
        })
    }
}

/// What the baseline is called.
const RANDOM: &str = "random";

/// Findings are looked up by name.
fn check_names(names: impl Iterator<Item = String>) -> Result<()> {
    let mut seen = FxHashSet::default();
    for name in names {
        if !seen.insert(name.clone()) {
            return Err(Error::SameName { name });
        }
    }
    Ok(())
}

/// A probe's answers on the test part.
struct Judged {
    truth: Vec<usize>,
    predicted: Vec<usize>,
    penalty: f32,
    epochs: usize,
}

impl Judged {
    fn confusion(&self, classes: usize) -> Result<Confusion> {
        Confusion::of(&self.truth, &self.predicted, classes).map_err(core)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{embedders, senteval};
    use std::{fs, path::Path};

    fn data() -> Dataset {
        let line = |i: usize| {
            let (label, end) =
                if i.is_multiple_of(2) { ("past", "왔다") } else { ("non-past", "온다") };
            let part = ["tr", "tr", "tr", "tr", "va", "te"][i / 2 % 6];
            format!("{part}\t{label}\t비가 {i}번 {end}.\n")
        };
        let lines: String = (0..60).map(line).collect();
        senteval::read("Tense", "tense.txt", std::io::Cursor::new(lines)).unwrap()
    }

    fn run(experiment: &Experiment, folder: &Path, data: &Dataset) -> Findings {
        let subject = Subject::new("jamo", embedders::by_name("jamo").unwrap());
        let experiment = experiment.clone().cache(folder);
        experiment.run(&[subject], std::slice::from_ref(data), &()).unwrap()
    }

    fn kept(folder: &Path) -> Vec<PathBuf> {
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|end| end == "finding")).collect()
    }

    #[test]
    fn two_subjects_of_one_name_are_refused() {
        let (data, jamo) = (data(), embedders::by_name("jamo").unwrap());
        let named = |name: &str| Subject::new(name, jamo.clone());
        for (subjects, name) in [
            ([named("albert"), named("albert")], "albert"),
            ([named("albert").layer(1), named("albert").layer(1)], "albert/1"),
            ([named("albert").layer(1), named("albert/1")], "albert/1"),
            // The baseline joins in under this name.
            ([named("albert"), named("random")], "random"),
        ] {
            let error = Experiment::new().run(&subjects, std::slice::from_ref(&data), &());
            let Err(Error::SameName { name: told }) = error else { panic!("{name}") };
            assert_eq!(told, name);
        }
        let layers = [named("albert").layer(1), named("albert").layer(2)];
        let experiment = Experiment::new().classifier(Classifier::new().max_epochs(1));
        assert!(experiment.run(&layers, &[data], &()).is_ok());
    }

    #[test]
    fn what_was_found_is_kept_as_long_as_nothing_differs() {
        let (folder, data) = (tempfile::tempdir().unwrap(), data());
        let experiment = Experiment::new().classifier(Classifier::new().max_epochs(8));
        let first = run(&experiment, folder.path(), &data);
        assert_eq!(kept(folder.path()).len(), 2, "jamo and random vectors");
        // What is read is what was kept: another score comes back.
        let jamo = kept(folder.path()).into_iter().map(Kept::new);
        let [file] =
            &jamo.filter(|file| file.read().unwrap().subject == "jamo").collect::<Vec<_>>()[..]
        else {
            panic!("one of jamo")
        };
        let mut other = first.findings[0].clone();
        other.accuracy = 0.125;
        file.write(&other).unwrap();
        assert_eq!(run(&experiment, folder.path(), &data).findings[0], other);
        // Another seed, other labels: found anew.
        run(&experiment.clone().seeds(2).unwrap(), folder.path(), &data);
        assert_eq!(kept(folder.path()).len(), 4);
        run(&experiment, folder.path(), &data.with_random_labels(1));
        assert_eq!(kept(folder.path()).len(), 6);
    }

    #[test]
    fn no_changed_byte_changes_a_finding() {
        let (folder, data) = (tempfile::tempdir().unwrap(), data());
        let experiment = Experiment::new().classifier(Classifier::new().max_epochs(8));
        let first = run(&experiment, folder.path(), &data);
        for path in kept(folder.path()) {
            let bytes = fs::read(&path).unwrap();
            for place in 0..bytes.len() {
                let mut changed = bytes.clone();
                changed[place] ^= 0x01;
                fs::write(&path, &changed).unwrap();
                assert!(Kept::new(path.clone()).read().is_none(), "byte {place}");
            }
            fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        }
        assert_eq!(run(&experiment, folder.path(), &data), first, "found anew");
    }
}
