//! The layers of a head: from an encoder's vectors to a number for every label.

use super::form::{Form, Function};
use crate::{
    error::Result,
    model::{
        answers,
        batch::Batch,
        block::{Bias, Linear, Mode, Norm},
        network::Network,
        place::Place,
        pooled::pooled,
        tokenizer::Placed,
        weights::Tensors,
    },
};
use std::{collections::BTreeMap, ops::Range};
use tch::Tensor;

/// A head with its numbers.
#[derive(Debug)]
pub(crate) struct ClassificationHead {
    form: Form,
    hidden: i64,
    count: i64,
    place: Place,
    between: Option<(Linear, Option<Norm>)>,
    labels: Linear,
    parameters: BTreeMap<String, Tensor>,
}

/// A head whose labels are not counted yet.
pub(crate) struct HeadParts {
    pub(super) form: Form,
    pub(super) hidden: i64,
    pub(super) weights: Tensors,
}

impl HeadParts {
    /// The head of so many labels.
    pub(crate) fn with_labels(self, count: usize) -> Result<ClassificationHead> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        ClassificationHead::build(self.form, self.hidden, count, self.weights)
    }
}

impl ClassificationHead {
    /// Takes its tensors by their own names, without any prefix.
    fn build(form: Form, hidden: i64, count: i64, mut weights: Tensors) -> Result<Self> {
        let between = match &form.between {
            None => None,
            Some(layer) => {
                let bias = Bias::if_true(layer.has_bias);
                let dense = Linear::load_with(&mut weights, layer.name, hidden, hidden, bias)?;
                let norm = layer.norm.as_ref().map(|norm| {
                    let bias = Bias::if_true(norm.has_bias);
                    Norm::load_with(&mut weights, norm.name, hidden, norm.epsilon, bias)
                });
                Some((dense, norm.transpose()?))
            }
        };
        let labels = Linear::load(&mut weights, form.labels, hidden, count)?;
        let place = weights.place();
        let parameters = weights.into_parameters();
        Ok(Self { form, hidden, count, place, between, labels, parameters })
    }

    /// The same head over the same numbers, for another thread.
    pub(crate) fn twin(&self) -> Result<Self> {
        let weights = Tensors::shared(&self.parameters, self.place);
        Self::build(self.form.clone(), self.hidden, self.count, weights)
    }

    pub(crate) fn form(&self) -> &Form {
        &self.form
    }

    /// Every tensor by its own name.
    pub(crate) fn parameters(&self) -> &BTreeMap<String, Tensor> {
        &self.parameters
    }

    /// A number per label: a row for each text in the order given, or for each token as they lie in the batch.
    pub(crate) fn forward(&self, network: &Network, batch: &Batch, mode: Mode) -> Result<Tensor> {
        let mut x = match self.form.pooling {
            Some(pooling) => pooled(network, batch, pooling, mode)?,
            None => {
                let depth = network.depth();
                let states = network.states(batch, depth..=depth, mode)?.pop();
                states.ok_or_else(|| crate::Error::Operation("no state".into()))?
            }
        };
        let drop = |x: &Tensor, share: f64| x.f_dropout(share, mode == Mode::Train);
        if let (Some(layer), Some((dense, norm))) = (&self.form.between, &self.between) {
            x = dense.forward(&drop(&x, layer.dropout)?)?;
            x = match layer.function {
                Function::Tanh => x.f_tanh()?,
                Function::Gelu => x.f_gelu("none")?,
                Function::Relu => x.f_relu()?,
                Function::Silu => x.f_silu()?,
            };
            if let Some(norm) = norm {
                x = norm.forward(&x)?;
            }
        }
        self.labels.forward(&drop(&x, self.form.dropout)?)
    }

    /// The numbers of every text, without gradients: one row of labels, or one for each of its tokens.
    pub(crate) fn numbers(&self, network: &Network, batch: &Batch) -> Result<Vec<Vec<f32>>> {
        let numbers = answers(&self.forward(network, batch, Mode::Infer)?)?;
        let width = usize::try_from(self.count).unwrap_or(1).max(1);
        Ok(match self.form.pooling {
            Some(_) => numbers.chunks_exact(width).map(<[f32]>::to_vec).collect(),
            None => batch.by_text(&numbers, width),
        })
    }
}

/// The tokens of a text that stand for some of it, and each one's numbers, so many per token.
pub(super) fn token_rows<'r>(
    run: &'r Placed,
    numbers: &'r [f32],
    labels: usize,
) -> impl Iterator<Item = (&'r Range<usize>, &'r [f32])> {
    let tokens = run.places.iter().zip(&run.tokens.special);
    let rows = numbers.chunks_exact(labels.max(1));
    let own = tokens.zip(rows).filter(|((place, special), _)| !**special && !place.is_empty());
    own.map(|((place, _), row)| (place, row))
}

/// Probabilities of labels of which exactly one is right.
pub(crate) fn softmax(numbers: &[f32]) -> Vec<f64> {
    let most = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f64> = numbers.iter().map(|&n| f64::from(n - most).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// The place of the greatest; of equal ones the first.
pub(crate) fn greatest<N: PartialOrd + Copy>(numbers: &[N]) -> usize {
    let mut best = 0;
    for (place, number) in numbers.iter().enumerate() {
        if numbers.get(best).is_some_and(|most| number > most) {
            best = place;
        }
    }
    best
}
