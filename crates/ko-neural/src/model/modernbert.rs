//! ModernBERT: no table of positions but rotations, norms before what is added, gated products, and in most layers attention to
//! neighbours only, so that texts of thousands of tokens are read as a whole.

use super::{
    batch::{Batch, Group},
    block::{Bias, Linear, Mode, Norm, activate, add},
    config::{Activation, Config, Modern},
    layout::{Body, EmbeddingNames, Layout, Order, numbered},
    place::Place,
    rotation::Rotation,
    weights::Tensors,
};
use crate::error::Result;
use tch::Tensor;

pub(crate) fn layout(config: &Config) -> Layout {
    Layout {
        prefixes: &["model."],
        embeddings: EmbeddingNames {
            words: "embeddings.tok_embeddings",
            positions: None,
            position_offset: 0,
            extra_positions: 0,
            types: None,
            norm: Some("embeddings.norm"),
            projection: None,
            scale: 1.0,
        },
        layers: numbered(config, "layers"),
        body: Body::Modern,
        order: Order::PreNorm,
        last_norm: Some("final_norm"),
        epsilon: config.epsilon,
    }
}

/// The cosines and sines of every position, of both kinds of layer.
#[derive(Debug)]
pub(crate) struct Rotations {
    full: Rotation,
    sliding: Rotation,
}

impl Rotations {
    pub(crate) fn new(config: &Config, modern: &Modern, place: Place) -> Result<Self> {
        let width = config.hidden / config.heads;
        let table = |theta| Rotation::new(theta, width, config.positions, place);
        Ok(Self { full: table(modern.full_theta)?, sliding: table(modern.sliding_theta)? })
    }
}

/// One block.
#[derive(Debug)]
pub(crate) struct ModernBlock {
    heads: i64,
    activation: Activation,
    dropout: f64,
    attention_dropout: f64,
    rotation: Rotation,
    /// How far the neighbours are that a token sees; `None` if it sees all.
    window: Option<i64>,
    /// The first block's input has its norm already.
    attention_norm: Option<Norm>,
    together: Linear,
    output: Linear,
    output_norm: Norm,
    gated: Linear,
    down: Linear,
}

impl ModernBlock {
    pub(crate) fn load(
        weights: &mut Tensors,
        config: &Config,
        modern: &Modern,
        rotations: &Rotations,
        (layer, name): (usize, &str),
    ) -> Result<Self> {
        let (hidden, wide) = (config.hidden, config.intermediate);
        let sliding = modern.sliding.get(layer).copied().unwrap_or(false);
        let rotation = if sliding { &rotations.sliding } else { &rotations.full };
        let mut linear = |part: &str, from, to, bias| {
            Linear::load_with(weights, &format!("{name}.{part}"), from, to, Bias::if_true(bias))
        };
        let together = linear("attn.Wqkv", hidden, 3 * hidden, modern.attention_bias)?;
        let output = linear("attn.Wo", hidden, hidden, modern.attention_bias)?;
        let gated = linear("mlp.Wi", hidden, 2 * wide, modern.mlp_bias)?;
        let down = linear("mlp.Wo", wide, hidden, modern.mlp_bias)?;
        let mut norm = |part: &str| {
            let bias = Bias::if_true(modern.norm_bias);
            Norm::load_with(weights, &format!("{name}.{part}"), hidden, config.epsilon, bias)
        };
        Ok(Self {
            heads: config.heads,
            activation: config.activation,
            dropout: config.dropout,
            attention_dropout: config.attention_dropout,
            rotation: rotation.share(),
            window: sliding.then_some(modern.window),
            attention_norm: (layer > 0).then(|| norm("attn_norm")).transpose()?,
            together,
            output,
            output_norm: norm("mlp_norm")?,
            gated,
            down,
        })
    }

    /// `[tokens, width]` to the same.
    pub(crate) fn forward(&self, x: &Tensor, batch: &Batch, mode: Mode) -> Result<Tensor> {
        let attended = match &self.attention_norm {
            Some(norm) => self.attend(&norm.forward(x)?, batch, mode)?,
            None => self.attend(x, batch, mode)?,
        };
        let x = add(attended, x, mode)?;
        add(self.widen(&self.output_norm.forward(&x)?, mode)?, &x, mode)
    }

    fn attend(&self, x: &Tensor, batch: &Batch, mode: Mode) -> Result<Tensor> {
        let width = x.size2()?.1;
        let dropout = if mode == Mode::Train { self.attention_dropout } else { 0.0 };
        let together = self.together.forward(x)?;
        let mixed = batch.by_group([&together], |Group { texts, length }, [rows]| {
            let parts = rows.f_view([texts, length, 3, self.heads, width / self.heads])?;
            // [3, texts, heads, length, width of a head]
            let parts = parts.f_permute([2i64, 0, 3, 1, 4].as_slice())?;
            let (query, key) = (parts.f_select(0, 0)?, parts.f_select(0, 1)?);
            let (query, key) = (self.rotation.turn(&query)?, self.rotation.turn(&key)?);
            let mixed = Tensor::f_scaled_dot_product_attention(
                &query,
                &key,
                &parts.f_select(0, 2)?,
                self.neighbours(length, rows)?.as_ref(),
                dropout,
                false,
                None,
                false,
            )?;
            Ok(mixed.f_transpose(1, 2)?.f_reshape([texts * length, width])?)
        })?;
        let output = self.output.forward(&mixed)?;
        Ok(output.f_dropout(self.attention_dropout, mode == Mode::Train)?)
    }

    /// Which tokens see each other, `[length, length]`; `None` where all do.
    fn neighbours(&self, length: i64, near: &Tensor) -> Result<Option<Tensor>> {
        let Some(window) = self.window.filter(|window| length > window + 1) else {
            return Ok(None);
        };
        let places = Place::of(near).tensor(&(0..length).collect::<Vec<i64>>())?;
        let apart = places.f_unsqueeze(1)?.f_sub(&places.f_unsqueeze(0)?)?.f_abs()?;
        Ok(Some(apart.f_le(window)?))
    }

    fn widen(&self, x: &Tensor, mode: Mode) -> Result<Tensor> {
        let both = self.gated.forward(x)?;
        let wide = both.size2()?.1 / 2;
        // A copy of the half, because the function may work in place.
        let half = both.f_narrow(1, 0, wide)?.f_contiguous()?;
        let gated = activate(self.activation, half, mode)?.f_mul(&both.f_narrow(1, wide, wide)?)?;
        let gated = gated.f_dropout(self.dropout, mode == Mode::Train)?;
        self.down.forward(&gated)
    }
}
