//! The transformer block that every family shares: attention, then two products with a function between.

use super::{
    batch::{Batch, Group},
    config::{Activation, Config},
    layout::{Layout, Order},
    weights::Tensors,
};
use crate::error::Result;
use tch::Tensor;

/// Whether dropout is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Train,
    Infer,
}

/// x·Wᵀ + b.
#[derive(Debug)]
pub(crate) struct Linear {
    weight: Tensor,
    bias: Tensor,
}

impl Linear {
    pub(crate) fn load(weights: &mut Tensors, name: &str, from: i64, to: i64) -> Result<Self> {
        Ok(Self {
            weight: weights.take(&format!("{name}.weight"), &[to, from])?,
            bias: weights.take(&format!("{name}.bias"), &[to])?,
        })
    }

    pub(crate) fn new(weight: Tensor, bias: Tensor) -> Self {
        Self { weight, bias }
    }

    /// The same over the same numbers, for another thread.
    pub(crate) fn twin(&self) -> Self {
        Self::new(self.weight.shallow_clone(), self.bias.shallow_clone())
    }

    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.f_linear(&self.weight, Some(&self.bias))?)
    }

    /// Many rows at once. Without gradients by oneDNN: on a Zen 4 core the products of a base model's block took a tenth
    /// less time than MKL's, its own layout of the rows included. Other processors were not measured.
    pub(crate) fn forward_rows(&self, rows: &Tensor, mode: Mode) -> Result<Tensor> {
        if mode == Mode::Train || !tch::utils::has_mkldnn() {
            return self.forward(rows);
        }
        let product = rows.f_to_mkldnn(None)?.f_linear(&self.weight, Some(&self.bias))?;
        Ok(product.f_to_dense(None, false)?)
    }
}

/// Layer normalisation.
#[derive(Debug)]
pub(crate) struct Norm {
    weight: Tensor,
    bias: Tensor,
    epsilon: f64,
}

impl Norm {
    pub(crate) fn load(
        weights: &mut Tensors,
        name: &str,
        width: i64,
        epsilon: f64,
    ) -> Result<Self> {
        Ok(Self {
            weight: weights.take(&format!("{name}.weight"), &[width])?,
            bias: weights.take(&format!("{name}.bias"), &[width])?,
            epsilon,
        })
    }

    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let width = self.weight.size();
        Ok(x.f_layer_norm(width, Some(&self.weight), Some(&self.bias), self.epsilon, false)?)
    }
}

/// One block.
#[derive(Debug)]
pub(crate) struct Block {
    heads: i64,
    activation: Activation,
    order: Order,
    dropout: f64,
    attention_dropout: f64,
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    attention_norm: Norm,
    up: Linear,
    down: Linear,
    output_norm: Norm,
}

impl Block {
    pub(crate) fn load(
        weights: &mut Tensors,
        config: &Config,
        layout: &Layout,
        prefix: &str,
    ) -> Result<Self> {
        let names = &layout.block;
        let (hidden, wide) = (config.hidden, config.intermediate);
        let mut linear =
            |name: &str, from, to| Linear::load(weights, &format!("{prefix}.{name}"), from, to);
        let query = linear(names.query, hidden, hidden)?;
        let key = linear(names.key, hidden, hidden)?;
        let value = linear(names.value, hidden, hidden)?;
        let output = linear(names.output, hidden, hidden)?;
        let up = linear(names.up, hidden, wide)?;
        let down = linear(names.down, wide, hidden)?;
        let mut norm =
            |name: &str| Norm::load(weights, &format!("{prefix}.{name}"), hidden, layout.epsilon);
        let attention_norm = norm(names.attention_norm)?;
        let output_norm = norm(names.output_norm)?;
        Ok(Self {
            heads: config.heads,
            activation: config.activation,
            order: layout.order,
            dropout: config.dropout,
            attention_dropout: config.attention_dropout,
            query,
            key,
            value,
            output,
            attention_norm,
            up,
            down,
            output_norm,
        })
    }

    /// `[tokens, width]` to the same.
    pub(crate) fn forward(&self, x: &Tensor, batch: &Batch, mode: Mode) -> Result<Tensor> {
        match self.order {
            Order::PostNorm => {
                let x =
                    self.attention_norm.forward(&add(self.attend(x, batch, mode)?, x, mode)?)?;
                self.output_norm.forward(&add(self.widen(&x, mode)?, &x, mode)?)
            }
            Order::PreNorm => {
                let attended = self.attend(&self.attention_norm.forward(x)?, batch, mode)?;
                let x = add(attended, x, mode)?;
                add(self.widen(&self.output_norm.forward(&x)?, mode)?, &x, mode)
            }
        }
    }

    fn attend(&self, x: &Tensor, batch: &Batch, mode: Mode) -> Result<Tensor> {
        let rows = |linear: &Linear| linear.forward_rows(x, mode);
        let (query, key, value) = (rows(&self.query)?, rows(&self.key)?, rows(&self.value)?);
        let width = x.size2()?.1;
        let dropout = if mode == Mode::Train { self.attention_dropout } else { 0.0 };
        let mixed = batch.by_group([&query, &key, &value], |Group { texts, length }, rows| {
            let [query, key, value] = rows.map(|rows| -> Result<Tensor> {
                let heads = rows.f_view([texts, length, self.heads, width / self.heads])?;
                Ok(heads.f_transpose(1, 2)?)
            });
            let no_mask = None::<&Tensor>;
            let mixed = Tensor::f_scaled_dot_product_attention(
                &query?, &key?, &value?, no_mask, dropout, false, None, false,
            )?;
            Ok(mixed.f_transpose(1, 2)?.f_reshape([texts * length, width])?)
        })?;
        let output = self.output.forward_rows(&mixed, mode)?;
        Ok(output.f_dropout(self.dropout, mode == Mode::Train)?)
    }

    fn widen(&self, x: &Tensor, mode: Mode) -> Result<Tensor> {
        let wide = self.up.forward_rows(x, mode)?;
        let wide = self.activate(wide, mode)?;
        let output = self.down.forward_rows(&wide, mode)?;
        Ok(output.f_dropout(self.dropout, mode == Mode::Train)?)
    }

    /// In place unless gradients need what was there.
    fn activate(&self, mut x: Tensor, mode: Mode) -> Result<Tensor> {
        Ok(match (self.activation, mode) {
            (Activation::Gelu, Mode::Train) => x.f_gelu("none")?,
            (Activation::Gelu, Mode::Infer) => x.f_gelu_("none")?,
            (Activation::GeluTanh, Mode::Train) => x.f_gelu("tanh")?,
            (Activation::GeluTanh, Mode::Infer) => x.f_gelu_("tanh")?,
            (Activation::Relu, Mode::Train) => x.f_relu()?,
            (Activation::Relu, Mode::Infer) => x.f_relu_()?,
        })
    }
}

/// The sum, in the first one's memory unless gradients need it.
fn add(mut to: Tensor, x: &Tensor, mode: Mode) -> Result<Tensor> {
    Ok(match mode {
        Mode::Train => to.f_add(x)?,
        Mode::Infer => to.f_add_(x)?,
    })
}
