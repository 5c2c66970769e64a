//! Learning the weights.

use super::{BioTagger, features::features, labels::Labels, viterbi::viterbi};
use crate::{Error, entity::LabelledSentence};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

/// How a tagger is trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaggerTraining {
    /// How often it sees every sentence.
    pub epochs: usize,
    /// Decides the order of the sentences.
    pub seed: u64,
}

impl Default for TaggerTraining {
    fn default() -> Self {
        Self { epochs: 8, seed: 42 }
    }
}

impl BioTagger {
    /// Learns from labelled sentences.
    ///
    /// # Errors
    /// [`Error::NoTrainingData`] if no sentence has an entity.
    pub fn train(sentences: &[LabelledSentence], training: &TaggerTraining) -> Result<Self, Error> {
        Self::train_with(sentences, training, |_| {})
    }

    /// The same, telling after each epoch how many are done.
    ///
    /// # Errors
    /// As [`BioTagger::train`].
    pub fn train_with(
        sentences: &[LabelledSentence],
        training: &TaggerTraining,
        mut after_epoch: impl FnMut(usize),
    ) -> Result<Self, Error> {
        let mut kinds: Vec<String> =
            sentences.iter().flat_map(LabelledSentence::entities).map(|e| e.kind.clone()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() {
            return Err(Error::NoTrainingData("no sentence has an entity"));
        }
        let labels = Labels { kinds };
        let mut rows = FxHashMap::default();
        let examples: Vec<Example> = sentences
            .iter()
            .map(|sentence| {
                let mut row = |key: u64| {
                    let next = rows.len() as u32;
                    *rows.entry(key).or_insert(next)
                };
                let features = features(sentence.text())
                    .into_iter()
                    .map(|keys| keys.into_iter().map(&mut row).collect())
                    .collect();
                Example { features, labels: labels.of(sentence) }
            })
            .collect();
        let mut learner = Learner::new(&labels, rows.len());
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(training.seed);
        for epoch in 0..training.epochs {
            order.shuffle(&mut rng);
            for example in order.iter().filter_map(|&i| examples.get(i)) {
                learner.learn(&labels, example);
            }
            after_epoch(epoch + 1);
        }
        let (weights, transitions) = learner.average();
        Ok(Self { labels, rows, weights, transitions }.without_idle_rows())
    }

    /// Drops features that ended up saying nothing.
    #[allow(
        clippy::indexing_slicing,
        reason = "rows are numbered by the learner, and its weights hold one of `width` for each"
    )]
    fn without_idle_rows(mut self) -> Self {
        let width = self.labels.len();
        let mut weights = Vec::new();
        self.rows.retain(|_, row| {
            let old = &self.weights[*row as usize * width..][..width];
            let keep = old.iter().any(|w| *w != 0.0);
            if keep {
                *row = (weights.len() / width) as u32;
                weights.extend_from_slice(old);
            }
            keep
        });
        self.weights = weights;
        self
    }
}

/// A sentence in numbers.
struct Example {
    /// Rows of weights, per character.
    features: Vec<Vec<u32>>,
    labels: Vec<usize>,
}

/// Weights while they are learnt; `…_total` sums each change times the step it was made at.
struct Learner {
    width: usize,
    step: f32,
    weights: Vec<f32>,
    weights_total: Vec<f32>,
    transitions: Vec<f32>,
    transitions_total: Vec<f32>,
}

impl Learner {
    fn new(labels: &Labels, rows: usize) -> Self {
        let width = labels.len();
        let (cells, pairs) = (rows * width, (width + 1) * width);
        Self {
            width,
            step: 1.0,
            weights: vec![0.0; cells],
            weights_total: vec![0.0; cells],
            transitions: vec![0.0; pairs],
            transitions_total: vec![0.0; pairs],
        }
    }

    fn learn(&mut self, labels: &Labels, example: &Example) {
        let guess = viterbi(labels, &example.features, &self.weights, &self.transitions);
        let (mut right_before, mut guess_before) = (self.width, self.width);
        for ((rows, &right), &guess) in example.features.iter().zip(&example.labels).zip(&guess) {
            if right != guess {
                for &row in rows {
                    self.change(row as usize * self.width + right, 1.0);
                    self.change(row as usize * self.width + guess, -1.0);
                }
            }
            if right != guess || right_before != guess_before {
                self.change_transition(right_before * self.width + right, 1.0);
                self.change_transition(guess_before * self.width + guess, -1.0);
            }
            (right_before, guess_before) = (right, guess);
        }
        self.step += 1.0;
    }

    #[allow(
        clippy::indexing_slicing,
        reason = "a row's number times `width` plus a label is a cell"
    )]
    fn change(&mut self, cell: usize, by: f32) {
        self.weights[cell] += by;
        self.weights_total[cell] += by * self.step;
    }

    #[allow(clippy::indexing_slicing, reason = "there is a cell for every pair of labels")]
    fn change_transition(&mut self, cell: usize, by: f32) {
        self.transitions[cell] += by;
        self.transitions_total[cell] += by * self.step;
    }

    /// The mean of the weights over all steps.
    fn average(self) -> (Vec<f32>, Vec<f32>) {
        let steps = self.step;
        let mean = |now: Vec<f32>, total: Vec<f32>| {
            now.into_iter().zip(total).map(|(now, total)| now - total / steps).collect()
        };
        (mean(self.weights, self.weights_total), mean(self.transitions, self.transitions_total))
    }
}
