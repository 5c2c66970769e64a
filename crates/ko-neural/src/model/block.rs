//! The transformer block that every family shares: attention, then two products with a function between.

use super::{
    config::{Activation, Config},
    layout::{Layout, Order},
    weights::Weights,
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
    pub(crate) fn load(weights: &mut Weights, name: &str, from: i64, to: i64) -> Result<Self> {
        Ok(Self {
            weight: weights.take(&format!("{name}.weight"), &[to, from])?,
            bias: weights.take(&format!("{name}.bias"), &[to])?,
        })
    }

    pub(crate) fn new(weight: Tensor, bias: Tensor) -> Self {
        Self { weight, bias }
    }

    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.f_linear(&self.weight, Some(&self.bias))?)
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
        weights: &mut Weights,
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
        weights: &mut Weights,
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

    /// `[texts, tokens, width]` to the same; `mask` is true where a token is, `[texts, 1, 1, tokens]`.
    pub(crate) fn forward(&self, x: &Tensor, mask: Option<&Tensor>, mode: Mode) -> Result<Tensor> {
        match self.order {
            Order::PostNorm => {
                let x = self.attention_norm.forward(&x.f_add(&self.attend(x, mask, mode)?)?)?;
                self.output_norm.forward(&x.f_add(&self.widen(&x, mode)?)?)
            }
            Order::PreNorm => {
                let attended = self.attend(&self.attention_norm.forward(x)?, mask, mode)?;
                let x = x.f_add(&attended)?;
                Ok(x.f_add(&self.widen(&self.output_norm.forward(&x)?, mode)?)?)
            }
        }
    }

    fn attend(&self, x: &Tensor, mask: Option<&Tensor>, mode: Mode) -> Result<Tensor> {
        let (texts, tokens, width) = x.size3()?;
        let split = |linear: &Linear| -> Result<Tensor> {
            let heads =
                linear.forward(x)?.f_view([texts, tokens, self.heads, width / self.heads])?;
            Ok(heads.f_transpose(1, 2)?)
        };
        let (query, key, value) = (split(&self.query)?, split(&self.key)?, split(&self.value)?);
        let dropout = if mode == Mode::Train { self.attention_dropout } else { 0.0 };
        let mixed = Tensor::f_scaled_dot_product_attention(
            &query, &key, &value, mask, dropout, false, None, false,
        )?;
        let joined = mixed.f_transpose(1, 2)?.f_reshape([texts, tokens, width])?;
        Ok(self.output.forward(&joined)?.f_dropout(self.dropout, mode == Mode::Train)?)
    }

    fn widen(&self, x: &Tensor, mode: Mode) -> Result<Tensor> {
        let wide = self.up.forward(x)?;
        let wide = match self.activation {
            Activation::Gelu => wide.f_gelu("none")?,
            Activation::GeluTanh => wide.f_gelu("tanh")?,
            Activation::Relu => wide.f_relu()?,
        };
        Ok(self.down.forward(&wide)?.f_dropout(self.dropout, mode == Mode::Train)?)
    }
}
