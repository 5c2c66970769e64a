//! Qwen3 as an encoder (Qwen3-Embedding): every token sees itself and what is before it, so the last one has read the whole text.
//!
//! Norms are of the root of the mean square, before what is added, and on the queries and keys of each head; several heads of
//! queries share one of keys and values; positions are rotations.

use super::{
    batch::{Batch, Group},
    block::{Bias, Linear, Mode, Norm, add},
    config::{Activation, Config, Qwen3},
    layout::{Body, EmbeddingNames, Layout, Order, numbered},
    rotation::Rotation,
    weights::Tensors,
};
use crate::error::Result;
use tch::{Kind, Tensor};

pub(crate) fn layout(config: &Config) -> Layout {
    Layout {
        prefixes: &["model."],
        embeddings: EmbeddingNames {
            words: "embed_tokens",
            positions: None,
            position_offset: 0,
            extra_positions: 0,
            types: None,
            norm: None,
            projection: None,
            scale: 1.0,
        },
        layers: numbered(config, "layers"),
        body: Body::Qwen3,
        order: Order::PreNorm,
        last_norm: Some("norm"),
        epsilon: config.epsilon,
    }
}

/// One block.
#[derive(Debug)]
pub(crate) struct Qwen3Block {
    heads: i64,
    key_heads: i64,
    /// The width of one head.
    head: i64,
    activation: Activation,
    /// None unless a training asks for it.
    dropout: f64,
    attention_dropout: f64,
    rotation: Rotation,
    attention_norm: Norm,
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    query_norm: Norm,
    key_norm: Norm,
    output_norm: Norm,
    gate: Linear,
    up: Linear,
    down: Linear,
}

impl Qwen3Block {
    pub(crate) fn load(
        weights: &mut Tensors,
        config: &Config,
        own: &Qwen3,
        rotation: &Rotation,
        name: &str,
    ) -> Result<Self> {
        let (hidden, wide, head) = (config.hidden, config.intermediate, own.head);
        let (queries, keys) = (config.heads * head, own.key_heads * head);
        let mut norm = |part: &str, width| {
            Norm::load_root_mean_square(weights, &format!("{name}.{part}"), width, config.epsilon)
        };
        let attention_norm = norm("input_layernorm", hidden)?;
        let output_norm = norm("post_attention_layernorm", hidden)?;
        let query_norm = norm("self_attn.q_norm", head)?;
        let key_norm = norm("self_attn.k_norm", head)?;
        let mut linear = |part: &str, from, to, bias| {
            Linear::load_with(weights, &format!("{name}.{part}"), from, to, bias)
        };
        let bias = Bias::if_true(own.attention_bias);
        Ok(Self {
            heads: config.heads,
            key_heads: own.key_heads,
            head,
            activation: config.activation,
            dropout: config.dropout,
            attention_dropout: config.attention_dropout,
            rotation: rotation.share(),
            attention_norm,
            query: linear("self_attn.q_proj", hidden, queries, bias)?,
            key: linear("self_attn.k_proj", hidden, keys, bias)?,
            value: linear("self_attn.v_proj", hidden, keys, bias)?,
            output: linear("self_attn.o_proj", queries, hidden, bias)?,
            query_norm,
            key_norm,
            output_norm,
            gate: linear("mlp.gate_proj", hidden, wide, Bias::Without)?,
            up: linear("mlp.up_proj", hidden, wide, Bias::Without)?,
            down: linear("mlp.down_proj", wide, hidden, Bias::Without)?,
        })
    }

    /// `[tokens, width]` to the same.
    pub(crate) fn forward(&self, x: &Tensor, batch: &Batch, mode: Mode) -> Result<Tensor> {
        let x = add(self.attend(&self.attention_norm.forward(x)?, batch, mode)?, x, mode)?;
        add(self.widen(&self.output_norm.forward(&x)?, mode)?, &x, mode)
    }

    fn attend(&self, x: &Tensor, batch: &Batch, mode: Mode) -> Result<Tensor> {
        let rows = |linear: &Linear| linear.forward(x);
        let (query, key, value) = (rows(&self.query)?, rows(&self.key)?, rows(&self.value)?);
        let dropout = if mode == Mode::Train { self.attention_dropout } else { 0.0 };
        let mixed = batch.by_group([&query, &key, &value], |group, [query, key, value]| {
            let Group { texts, length } = group;
            // [texts, heads, length, width of a head]
            let by_head = |rows: &Tensor, heads| -> Result<Tensor> {
                Ok(rows.f_view([texts, length, heads, self.head])?.f_transpose(1, 2)?)
            };
            let turned = |rows: &Tensor, heads, norm: &Norm| -> Result<Tensor> {
                let normed = norm.forward(&by_head(&rows.f_to_kind(Kind::Float)?, heads)?)?;
                Ok(self.rotation.turn(&normed)?.f_to_kind(rows.kind())?)
            };
            let mixed = Tensor::f_scaled_dot_product_attention(
                &turned(query, self.heads, &self.query_norm)?,
                &turned(key, self.key_heads, &self.key_norm)?,
                &by_head(value, self.key_heads)?,
                None::<&Tensor>,
                dropout,
                true,
                None,
                self.key_heads != self.heads,
            )?;
            Ok(mixed.f_transpose(1, 2)?.f_reshape([texts * length, self.heads * self.head])?)
        })?;
        let output = self.output.forward(&mixed)?;
        Ok(output.f_dropout(self.dropout, mode == Mode::Train)?)
    }

    fn widen(&self, x: &Tensor, mode: Mode) -> Result<Tensor> {
        let gate = self.gate.forward_then(self.activation, x, mode)?;
        let gated = gate.f_mul(&self.up.forward(x)?)?;
        let output = self.down.forward(&gated)?;
        Ok(output.f_dropout(self.dropout, mode == Mode::Train)?)
    }
}
