//! What was trained: layers, their answers and their gradients.

use super::{LabelledVectors, same};
use crate::error::Result;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Zip};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A trained classifier.
#[derive(Debug, Clone)]
pub struct Probe {
    pub(super) layers: Vec<Layer>,
    pub(super) penalty: f32,
    /// How good it is on the dev set, by what was aimed at.
    pub(super) merit: f64,
    pub(super) dev_accuracy: f64,
    pub(super) epochs: usize,
}

impl Probe {
    /// The class of every vector.
    ///
    /// # Errors
    /// Vectors of another length than those learnt from.
    pub fn predict(&self, vectors: &ArrayView2<'_, f32>) -> Result<Vec<usize>> {
        self.check_length(vectors)?;
        Ok(self.classes_of(vectors))
    }

    /// How many bits it takes to tell the classes of vectors to somebody who has the vectors and the probe:
    /// −Σ log₂ *p*(class | vector).
    ///
    /// # Errors
    /// Vectors of another length than those learnt from, or not one class per vector.
    pub fn bits(&self, (vectors, classes): LabelledVectors<'_>) -> Result<f64> {
        self.check_length(&vectors)?;
        same("vectors".into(), vectors.nrows(), "classes".into(), classes.len())?;
        Ok(self.bits_of((vectors, classes)))
    }

    fn check_length(&self, vectors: &ArrayView2<'_, f32>) -> Result<()> {
        let wanted = self.layers.first().map_or(0, |layer| layer.weights.nrows());
        same("a vector".into(), vectors.ncols(), "a vector learnt from".into(), wanted)
    }

    pub(super) fn bits_of(&self, (vectors, classes): LabelledVectors<'_>) -> f64 {
        let scores = self.scores(&vectors);
        let bits = scores.rows().into_iter().zip(classes).map(|(row, class)| {
            let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let above = |score: f32| f64::from(score) - f64::from(top);
            let sum: f64 = row.iter().map(|score| above(*score).exp()).sum();
            // A class that the probe has no output for can never be told.
            let own = row.get(*class).map_or(f64::NEG_INFINITY, |score| above(*score));
            (sum.ln() - own) / std::f64::consts::LN_2
        });
        bits.sum()
    }

    pub(super) fn classes_of(&self, vectors: &ArrayView2<'_, f32>) -> Vec<usize> {
        self.scores(vectors).rows().into_iter().map(|row| greatest(&row)).collect()
    }

    /// The output before it becomes probabilities, a row per vector.
    fn scores(&self, vectors: &ArrayView2<'_, f32>) -> Array2<f32> {
        let mut values = vectors.to_owned();
        for (number, layer) in self.layers.iter().enumerate() {
            if number > 0 {
                values.mapv_inplace(sigmoid);
            }
            values = layer.apply(&values.view());
        }
        values
    }

    /// The L2 penalty that was chosen.
    pub fn penalty(&self) -> f32 {
        self.penalty
    }

    /// The share of the dev set that is right.
    pub fn dev_accuracy(&self) -> f64 {
        self.dev_accuracy
    }

    /// After how many epochs the weights were taken.
    pub fn epochs(&self) -> usize {
        self.epochs
    }

    /// The gradients of the mean cross-entropy, layer by layer.
    pub(super) fn gradients(
        &self,
        x: &Array2<f32>,
        y: impl Iterator<Item = usize>,
        dropout: f32,
        rng: &mut ChaCha8Rng,
    ) -> Vec<Layer> {
        let rows = x.nrows().max(1) as f32;
        match self.layers.as_slice() {
            [only] => {
                let errors = softmax_errors(only.apply(&x.view()), y, rows);
                vec![Layer::gradient(&x.view(), &errors)]
            }
            [first, second] => {
                let mut hidden = first.apply(&x.view());
                // Inverted dropout stands before the sigmoid, as in SentEval.
                let keep = 1.0 - dropout;
                let mask = (dropout > 0.0).then(|| {
                    Array2::from_shape_simple_fn(hidden.dim(), || {
                        match rng.random::<f32>() < keep {
                            true => 1.0 / keep,
                            false => 0.0,
                        }
                    })
                });
                if let Some(mask) = &mask {
                    hidden *= mask;
                }
                hidden.mapv_inplace(sigmoid);
                let errors = softmax_errors(second.apply(&hidden.view()), y, rows);
                let mut back = errors.dot(&second.weights.t());
                Zip::from(&mut back).and(&hidden).for_each(|b, h| *b *= h * (1.0 - h));
                if let Some(mask) = &mask {
                    back *= mask;
                }
                let outer = Layer::gradient(&hidden.view(), &errors);
                vec![Layer::gradient(&x.view(), &back), outer]
            }
            _ => Vec::new(),
        }
    }
}

/// Weights (inputs × outputs) and biases; also the shape of a gradient.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    pub(super) weights: Array2<f32>,
    pub(super) biases: Array1<f32>,
}

impl Layer {
    /// Uniform within ±1/√inputs, as PyTorch's `Linear`.
    pub(super) fn new(inputs: usize, outputs: usize, rng: &mut ChaCha8Rng) -> Self {
        let bound = 1.0 / (inputs.max(1) as f32).sqrt();
        let mut draw = || (rng.random::<f32>() * 2.0 - 1.0) * bound;
        let weights = Array2::from_shape_simple_fn((inputs, outputs), &mut draw);
        Self { weights, biases: Array1::from_shape_simple_fn(outputs, draw) }
    }

    pub(super) fn apply(&self, x: &ArrayView2<'_, f32>) -> Array2<f32> {
        x.dot(&self.weights) + &self.biases
    }

    fn gradient(inputs: &ArrayView2<'_, f32>, errors: &Array2<f32>) -> Self {
        Self { weights: inputs.t().dot(errors), biases: errors.sum_axis(Axis(0)) }
    }
}

pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Scores become (softmax − truth) / rows: the gradient of the mean cross-entropy.
fn softmax_errors(
    mut scores: Array2<f32>,
    y: impl Iterator<Item = usize>,
    rows: f32,
) -> Array2<f32> {
    for (mut row, class) in scores.rows_mut().into_iter().zip(y) {
        let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        row.mapv_inplace(|score| (score - top).exp());
        let sum = row.sum();
        row.mapv_inplace(|score| score / sum / rows);
        if let Some(truth) = row.get_mut(class) {
            *truth -= 1.0 / rows;
        }
    }
    scores
}

/// The place of the greatest number, the first of equals.
fn greatest(row: &ArrayView1<'_, f32>) -> usize {
    let better = |best: (usize, f32), (at, value): (usize, &f32)| match *value > best.1 {
        true => (at, *value),
        false => best,
    };
    row.iter().enumerate().fold((0, f32::NEG_INFINITY), better).0
}
