//! What probes found.

use crate::{
    classifier::Classifier,
    online_code::OnlineCode,
    task::{Property, Task},
};
use ko_eval_core::{Signature, significance::Interval};
use serde::{Deserialize, Serialize};

/// What a probe found; where it was trained by several seeds, what all of them did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// The subject, with its layer.
    pub subject: String,
    /// The subject without its layer.
    #[serde(default)]
    pub encoder: String,
    /// The layer that its vectors come from, if one was chosen.
    #[serde(default)]
    pub layer: Option<usize>,
    /// How its vectors came about.
    pub signature: Signature,
    /// The task.
    pub task: String,
    /// The score: mean recall of the classes, the mean of all seeds, with its 95 % interval over the sentences.
    pub balanced_accuracy: Interval,
    /// The score of each seed, in order.
    #[serde(default)]
    pub by_seed: Vec<f64>,
    /// The share of right answers.
    pub accuracy: f64,
    /// The balanced accuracy of always giving the same class: 1 / classes.
    pub chance: f64,
    /// The accuracy of always giving the class that is most frequent in training.
    pub majority_accuracy: f64,
    /// The balanced accuracy of the same probe on random labels, if the control ran.
    pub control: Option<f64>,
    /// The labels' online code of each seed, if it was asked for.
    #[serde(default)]
    pub codes: Vec<OnlineCode>,
    /// The classes with their recalls.
    pub classes: Vec<ClassRecall>,
    /// `confusion[truth][prediction]`, in the order of `classes`, the seeds' answers added up.
    pub confusion: Vec<Vec<u64>>,
    /// The L2 penalty that the first seed chose.
    pub penalty: f32,
    /// The epochs that it trained.
    pub epochs: usize,
    /// The sizes of the three parts.
    pub sizes: [usize; 3],
}

impl Finding {
    /// How much better the probe does than on random labels, if the control ran.
    pub fn selectivity(&self) -> Option<f64> {
        self.control.map(|control| self.balanced_accuracy.score - control)
    }

    /// The standard deviation of the seeds' scores (n − 1), if there are several.
    pub fn deviation(&self) -> Option<f64> {
        deviation(&self.by_seed)
    }

    /// How many bits the labels cost, the mean of all seeds, if that was asked for.
    pub fn bits(&self) -> Option<f64> {
        mean(self.codes.iter().map(OnlineCode::bits))
    }

    /// The standard deviation of the seeds' bits (n − 1), if there are several.
    pub fn bits_deviation(&self) -> Option<f64> {
        deviation(&self.codes.iter().map(OnlineCode::bits).collect::<Vec<_>>())
    }

    /// How many times fewer they are than those of a uniform code.
    pub fn compression(&self) -> Option<f64> {
        let uniform = self.codes.first()?.uniform_bits();
        self.bits().map(|bits| if bits == 0.0 { 1.0 } else { uniform / bits })
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
    /// The subjects in order, each layer by itself, the random baseline last.
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

    /// The mean balanced accuracy of a subject: over all tasks, or over those of one property.
    pub fn mean(&self, subject: &str, property: Option<Property>) -> Option<f64> {
        let own = |finding: &&Finding| finding.subject == subject;
        let findings = self.findings.iter().filter(own);
        let asked = findings.filter(|f| property.is_none() || property_of(&f.task) == property);
        mean(asked.map(|finding| finding.balanced_accuracy.score))
    }

    /// The mean balanced accuracy on a task of all subjects but random vectors.
    pub fn mean_of_subjects(&self, task: &str) -> Option<f64> {
        let asked = self.findings.iter().filter(|f| f.task == task && !f.is_random());
        mean(asked.map(|finding| finding.balanced_accuracy.score))
    }

    /// The properties that the tasks ask for, in order.
    pub fn properties(&self) -> Vec<Property> {
        let asked = |property: &Property| {
            self.tasks.iter().any(|task| property_of(task) == Some(*property))
        };
        Property::ALL.iter().copied().filter(asked).collect()
    }

    /// The encoders of which several layers were looked into, each with its layers in order and what they are called.
    pub fn layered(&self) -> Vec<(&str, Vec<(usize, &str)>)> {
        let mut encoders: Vec<(&str, Vec<(usize, &str)>)> = Vec::new();
        for finding in &self.findings {
            let Some(layer) = finding.layer else { continue };
            let row = (layer, finding.subject.as_str());
            match encoders.iter_mut().find(|(name, _)| *name == finding.encoder) {
                Some((_, layers)) if layers.contains(&row) => {}
                Some((_, layers)) => layers.push(row),
                None => encoders.push((&finding.encoder, vec![row])),
            }
        }
        encoders.retain(|(_, layers)| layers.len() > 1);
        encoders.iter_mut().for_each(|(_, layers)| layers.sort_unstable());
        encoders
    }

    /// What would make the figures doubtful: random vectors or random labels that do better than
    /// guessing, by more than `margin` above and beyond the interval's lower end. Empty is good.
    pub fn doubts(&self, margin: f64) -> Vec<String> {
        let mut doubts = Vec::new();
        for finding in &self.findings {
            let Finding { subject, task, chance, .. } = finding;
            let low = finding.balanced_accuracy.low;
            if finding.is_random() && low > chance + margin {
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

impl Finding {
    fn is_random(&self) -> bool {
        self.signature.name() == "random"
    }
}

/// What kind of knowledge a task asks for; none for a data set of one's own.
pub(crate) fn property_of(task: &str) -> Option<Property> {
    Task::by_name(task).ok().map(|task| task.property)
}

/// The mean; none of nothing.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

fn deviation(values: &[f64]) -> Option<f64> {
    let centre = mean(values.iter().copied())?;
    let squares: f64 = values.iter().map(|value| (value - centre).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}
