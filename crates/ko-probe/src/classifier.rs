//! The probe itself: a small classifier over frozen vectors, as SentEval trains it.
//!
//! Logistic regression, or one hidden layer of sigmoids with dropout before them; cross-entropy, Adam (learning
//! rate 0.001, β 0.9 and 0.999) over batches of 64, the L2 penalty added to the gradient of every weight. After every
//! four epochs the dev set is scored; the best weights are kept, and training ends when the dev accuracy
//! has not risen for longer than the tenacity, or after 200 epochs. The penalty is the one of 1e-5 … 1e-2 that does best on
//! the dev set. This is SentEval's `classifier.py` (2018) with PyTorch's initialisation and optimiser; the draws come from
//! ChaCha8, so figures agree with SentEval in distribution, and with themselves to the bit: same seed,
//! same numbers with any number of threads (on the same kind of processor: matrix products use what it offers).
//!
//! Cost: O(epochs · n · d · h) per penalty; penalties run in parallel.
//!
//! ```
//! use ko_probe::Classifier;
//! use ndarray::array;
//!
//! let vectors = array![[2.0, 0.1], [1.8, 0.0], [0.1, 1.9], [0.0, 2.1]];
//! let classes = [0, 0, 1, 1];
//! let probe = Classifier::new().fit((vectors.view(), &classes), (vectors.view(), &classes), 2)?;
//! assert_eq!(probe.predict(&vectors.view())?, classes);
//! # Ok::<(), ko_probe::Error>(())
//! ```

mod adam;
mod probe;

pub use probe::Probe;

use crate::error::Result;
use adam::Adam;
use ko_eval_core::par_map;
use ndarray::{ArrayView2, Axis};
use probe::Layer;
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// How probes are trained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Classifier {
    hidden: usize,
    dropout: f32,
    batch: usize,
    tenacity: usize,
    epochs_per_check: usize,
    max_epochs: usize,
    penalties: Vec<f32>,
    seed: u64,
}

impl Default for Classifier {
    fn default() -> Self {
        Self {
            hidden: 50,
            dropout: 0.1,
            batch: 64,
            tenacity: 5,
            epochs_per_check: 4,
            max_epochs: 200,
            penalties: vec![1e-5, 1e-4, 1e-3, 1e-2],
            seed: 12345,
        }
    }
}

impl Classifier {
    /// 50 hidden sigmoids, dropout 0.1, batches of 64, tenacity 5, penalties 1e-5 … 1e-2.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same without a hidden layer: logistic regression.
    #[must_use]
    pub fn linear(self) -> Self {
        Self { hidden: 0, ..self }
    }

    /// The same with so many hidden sigmoids; 0 is logistic regression.
    #[must_use]
    pub fn hidden(self, hidden: usize) -> Self {
        Self { hidden, ..self }
    }

    /// The same from another seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same with at most so many epochs.
    #[must_use]
    pub fn max_epochs(self, max_epochs: usize) -> Self {
        Self { max_epochs: max_epochs.max(1), ..self }
    }

    /// The same with another share of hidden inputs silenced while learning.
    ///
    /// # Errors
    /// A share below 0, or of 1 and more.
    pub fn dropout(self, dropout: f32) -> Result<Self> {
        if !(0.0..1.0).contains(&dropout) {
            let wanted = "a share from 0 up to, but not including, 1";
            return Err(
                ko_eval_core::Error::invalid("classifier", "dropout", dropout, wanted).into()
            );
        }
        Ok(Self { dropout, ..self })
    }

    /// The same choosing among other L2 penalties.
    ///
    /// # Errors
    /// No penalty, or one that is negative or not finite.
    pub fn penalties(self, penalties: &[f32]) -> Result<Self> {
        let sound = |penalty: &f32| penalty.is_finite() && *penalty >= 0.0;
        if penalties.is_empty() || !penalties.iter().all(sound) {
            let (value, wanted) = (format!("{penalties:?}"), "at least one number, none below 0");
            return Err(
                ko_eval_core::Error::invalid("classifier", "penalties", value, wanted).into()
            );
        }
        Ok(Self { penalties: penalties.to_vec(), ..self })
    }

    /// What chance starts from.
    pub fn seed_value(&self) -> u64 {
        self.seed
    }

    /// Trains a probe on the first vectors and classes, chooses its penalty and its last epoch on the
    /// second. Classes are numbers below `classes`.
    ///
    /// # Errors
    /// Not one class per vector, a class that is too high, or vectors of two lengths.
    pub fn fit(
        &self,
        train: LabelledVectors<'_>,
        dev: LabelledVectors<'_>,
        classes: usize,
    ) -> Result<Probe> {
        self.fit_for(Aim::Accuracy, train, dev, classes)
    }

    /// The same, judged on the dev set by what is aimed at.
    pub(crate) fn fit_for(
        &self,
        aim: Aim,
        train: LabelledVectors<'_>,
        dev: LabelledVectors<'_>,
        classes: usize,
    ) -> Result<Probe> {
        for (part, (vectors, labels)) in [("train", train), ("dev", dev)] {
            same(
                format!("{part} vectors"),
                vectors.nrows(),
                format!("{part} classes"),
                labels.len(),
            )?;
            if let Some(class) = labels.iter().find(|class| **class >= classes) {
                let wanted = format!("a number below {classes}");
                return Err(
                    ko_eval_core::Error::invalid("classifier", "class", class, wanted).into()
                );
            }
        }
        same("a train vector".into(), train.0.ncols(), "a dev vector".into(), dev.0.ncols())?;
        let trained = par_map(&self.penalties, |penalty| {
            Ok(self.fit_with(*penalty, aim, train, dev, classes))
        })?;
        // The first of equals: the weakest penalty, as SentEval.
        let best = trained.into_iter().reduce(|a, b| if b.merit > a.merit { b } else { a });
        Ok(best.unwrap_or_else(|| self.untrained(train.0.ncols(), classes, 0.0)))
    }

    fn untrained(&self, dim: usize, classes: usize, penalty: f32) -> Probe {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let layers = match self.hidden {
            0 => vec![Layer::new(dim, classes, &mut rng)],
            hidden => {
                vec![Layer::new(dim, hidden, &mut rng), Layer::new(hidden, classes, &mut rng)]
            }
        };
        Probe {
            layers,
            penalty,
            merit: f64::NEG_INFINITY,
            dev_accuracy: f64::NEG_INFINITY,
            epochs: 0,
        }
    }

    fn fit_with(
        &self,
        penalty: f32,
        aim: Aim,
        train: LabelledVectors<'_>,
        dev: LabelledVectors<'_>,
        classes: usize,
    ) -> Probe {
        let (vectors, labels) = train;
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        // Chance of training must not depend on how many numbers the initialisation drew.
        rng.set_stream(1);
        let mut probe = self.untrained(vectors.ncols(), classes, penalty);
        let mut best = probe.clone();
        let mut adam: Vec<Adam> = probe.layers.iter().map(Adam::new).collect();
        let mut order: Vec<usize> = (0..labels.len().min(vectors.nrows())).collect();
        let mut patience = self.tenacity;
        let mut step = 0;
        for epoch in 1..=self.max_epochs {
            order.shuffle(&mut rng);
            for batch in order.chunks(self.batch.max(1)) {
                step += 1;
                let x = vectors.select(Axis(0), batch);
                let y = batch.iter().map(|row| labels.get(*row).copied().unwrap_or(0));
                let gradients = probe.gradients(&x, y, self.dropout, &mut rng);
                let weights = probe.layers.iter_mut().zip(&mut adam);
                for ((layer, adam), gradient) in weights.zip(gradients) {
                    adam.update(layer, &gradient, penalty, step);
                }
            }
            if epoch % self.epochs_per_check.max(1) != 0 && epoch != self.max_epochs {
                continue;
            }
            probe.epochs = epoch;
            probe.dev_accuracy = accuracy(&probe.classes_of(&dev.0), dev.1);
            probe.merit = match aim {
                Aim::Accuracy => probe.dev_accuracy,
                Aim::ShortCode => -probe.bits_of(dev),
            };
            if probe.merit > best.merit {
                best = probe.clone();
                patience = self.tenacity;
            } else if patience == 0 {
                break;
            } else {
                patience -= 1;
            }
        }
        best
    }
}

fn same(left: String, left_len: usize, right: String, right_len: usize) -> Result<()> {
    match left_len == right_len {
        true => Ok(()),
        false => {
            Err(ko_eval_core::Error::LengthMismatch { left, left_len, right, right_len }.into())
        }
    }
}

/// What a probe is to be best at on the dev set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// The most right answers, as SentEval.
    Accuracy,
    /// The fewest bits: the least cross-entropy.
    ShortCode,
}

/// Vectors, a row each, and their classes.
pub type LabelledVectors<'a> = (ArrayView2<'a, f32>, &'a [usize]);

/// The share of equal pairs.
fn accuracy(predicted: &[usize], truth: &[usize]) -> f64 {
    let right = predicted.iter().zip(truth).filter(|(p, t)| p == t).count();
    right as f64 / truth.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::{probe::sigmoid, *};
    use ndarray::{Array1, Array2};
    use rand::RngExt;

    /// Points on two rings: only a hidden layer can tell them apart.
    fn rings(n: usize) -> (Array2<f32>, Vec<usize>) {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let labels: Vec<usize> = (0..n).map(|i| i % 2).collect();
        let points = labels.iter().flat_map(|label| {
            let angle = rng.random::<f32>() * std::f32::consts::TAU;
            let radius = 1.0 + 2.0 * *label as f32;
            [radius * angle.cos(), radius * angle.sin()]
        });
        (Array2::from_shape_vec((n, 2), points.collect()).unwrap(), labels)
    }

    #[test]
    fn a_hidden_layer_learns_what_a_line_cannot() {
        let (points, labels) = rings(400);
        let data = (points.view(), labels.as_slice());
        let classifier = Classifier::new().penalties(&[1e-5]).unwrap();
        let mlp = classifier.fit(data, data, 2).unwrap();
        let line = classifier.linear().fit(data, data, 2).unwrap();
        assert!(mlp.dev_accuracy() > 0.95, "{}", mlp.dev_accuracy());
        assert!(line.dev_accuracy() < 0.7, "{}", line.dev_accuracy());
    }

    #[test]
    fn a_seed_gives_the_same_probe_on_any_number_of_threads() {
        let (points, labels) = rings(100);
        let data = (points.view(), labels.as_slice());
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Classifier::new().max_epochs(12).fit(data, data, 2).unwrap())
        };
        let (one, three) = (run(1), run(3));
        assert_eq!(one.layers[0].weights, three.layers[0].weights);
        let other = Classifier::new().seed(1).max_epochs(12).fit(data, data, 2).unwrap();
        assert_ne!(one.layers[0].weights, other.layers[0].weights);
    }

    #[test]
    fn gradients_equal_finite_differences() {
        let (points, labels) = rings(8);
        let probe = Classifier::new().hidden(3).untrained(2, 2, 0.0);
        let loss = |probe: &Probe| {
            let mut hidden = probe.layers[0].apply(&points.view());
            hidden.mapv_inplace(sigmoid);
            let scores = probe.layers[1].apply(&hidden.view());
            let terms = scores
                .rows()
                .into_iter()
                .zip(&labels)
                .map(|(row, y)| row.mapv(f32::exp).sum().ln() - row[*y]);
            terms.sum::<f32>() / labels.len() as f32
        };
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let gradients = probe.gradients(&points, labels.iter().copied(), 0.0, &mut rng);
        for (layer, gradient) in gradients.iter().enumerate() {
            for ((i, j), found) in gradient.weights.indexed_iter() {
                let (mut up, mut down) = (probe.clone(), probe.clone());
                up.layers[layer].weights[[i, j]] += 1e-2;
                down.layers[layer].weights[[i, j]] -= 1e-2;
                let expected = (loss(&up) - loss(&down)) / 2e-2;
                assert!((found - expected).abs() < 1e-3, "{layer} {i} {j}: {found} {expected}");
            }
        }
    }

    #[test]
    fn bits_are_the_cross_entropy() {
        let probe = Classifier::new().linear().untrained(2, 3, 0.0);
        let points = ndarray::array![[0.5_f32, -1.0], [2.0, 0.25]];
        let bits = probe.bits((points.view(), &[2, 0])).unwrap();
        let scores = probe.layers[0].apply(&points.view());
        let of = |row: usize, class: usize| {
            let all: f64 = scores.row(row).iter().map(|s| f64::from(*s).exp()).sum();
            -(f64::from(scores[[row, class]]).exp() / all).log2()
        };
        assert!((bits - of(0, 2) - of(1, 0)).abs() < 1e-12, "{bits}");
        assert!(probe.bits((points.view(), &[0])).is_err());
        let equal = Probe {
            layers: vec![Layer { weights: Array2::zeros((2, 4)), biases: Array1::zeros(4) }],
            ..probe
        };
        assert_eq!(equal.bits((points.view(), &[3, 1])).unwrap(), 4.0, "two bits for one of four");
    }

    #[test]
    fn odd_input_is_survived() {
        let empty = Array2::<f32>::zeros((0, 4));
        let none = (empty.view(), &[][..]);
        let probe = Classifier::new().fit(none, none, 3).unwrap();
        assert_eq!(probe.predict(&empty.view()).unwrap(), Vec::<usize>::new());
        let other = Array2::<f32>::zeros((1, 5));
        assert!(probe.predict(&other.view()).is_err());
        for (labels, classes) in [(&[0, 1][..], 2), (&[2][..], 2)] {
            let train = (other.view(), labels);
            assert!(Classifier::new().fit(train, train, classes).is_err());
        }
        assert!(Classifier::new().fit((other.view(), &[0]), none, 2).is_err());
        assert!(Classifier::new().dropout(1.0).is_err());
        assert!(Classifier::new().penalties(&[]).is_err());
        assert!(Classifier::new().penalties(&[f32::NAN]).is_err());
    }
}
