//! DeBERTa-v2 and v3 (mDeBERTa, KF-DeBERTa): a score between two tokens also asks how far apart they are.
//!
//! With a token's query q and key k, and with K and Q of the row that their distance has in a table:
//! `(q·k + q·K(i−j) + k·Q(i−j)) / √(3·width)`; a configuration may leave either of the last two out. Near distances have a row each; far ones
//! share rows by their logarithm. A model with a convolution adds it, over the embeddings, to the first layer's answer.

use super::{
    batch::{Batch, Group},
    bert,
    block::{Linear, Mode, Norm, activate},
    config::{self, Activation, Config, Disentangled, RelativePositions},
    layout::{BlockNames, Body, Layout, Projection},
    place::Place,
    weights::Tensors,
};
use crate::error::Result;
use tch::{Kind, Tensor};

const BLOCK: BlockNames = BlockNames {
    query: "attention.self.query_proj",
    key: "attention.self.key_proj",
    value: "attention.self.value_proj",
    output: "attention.output.dense",
    attention_norm: "attention.output.LayerNorm",
    up: "intermediate.dense",
    down: "output.dense",
    output_norm: "output.LayerNorm",
};

pub(crate) fn layout(config: &Config) -> Layout {
    let mut layout = bert::layout(config);
    layout.prefixes = &["deberta."];
    layout.body = Body::Shared(BLOCK);
    let names = &mut layout.embeddings;
    if config.disentangled.as_ref().is_some_and(|own| !own.absolute) {
        names.positions = None;
    }
    if config.types == 0 {
        names.types = None;
    }
    if config.embedding != config.hidden {
        names.projection = Some(Projection::BeforeNorm("embeddings.embed_proj"));
    }
    layout
}

/// What distances add to the scores of one block's attention.
#[derive(Debug)]
pub(crate) struct Relative {
    positions: RelativePositions,
    heads: i64,
    dropout: f64,
    scale: f64,
    table: Tensor,
    norm: Option<Norm>,
    /// The distances' own projections.
    key: Option<Linear>,
    query: Option<Linear>,
}

/// The projected rows of the table that a batch needs.
pub(crate) struct Distances {
    keys: Option<Tensor>,
    queries: Option<Tensor>,
    /// How many rows stand to either side of distance 0.
    reach: i64,
}

impl Relative {
    pub(crate) fn load(
        weights: &mut Tensors,
        config: &Config,
        own: &Disentangled,
        prefix: &str,
    ) -> Result<Option<Self>> {
        let Some(positions) = own.relative else { return Ok(None) };
        let hidden = config.hidden;
        let table = weights.take("encoder.rel_embeddings.weight", &[2 * positions.span, hidden])?;
        let norm = positions
            .normed
            .then(|| Norm::load(weights, "encoder.LayerNorm", hidden, config.epsilon))
            .transpose()?;
        let mut linear = |name: &str, asked: bool| {
            let name = format!("{prefix}.attention.self.{name}");
            let own = asked && !positions.shared;
            own.then(|| Linear::load(weights, &name, hidden, hidden)).transpose()
        };
        Ok(Some(Self {
            heads: config.heads,
            dropout: config.dropout,
            scale: scale(config, own),
            table,
            norm,
            key: linear("pos_key_proj", positions.content_to_position)?,
            query: linear("pos_query_proj", positions.position_to_content)?,
            positions,
        }))
    }

    /// The table by this block's projections, as far as the longest text of a batch reaches.
    pub(crate) fn distances(
        &self,
        (query, key): (&Linear, &Linear),
        longest: i64,
        mode: Mode,
    ) -> Result<Distances> {
        let RelativePositions { span, content_to_position, position_to_content, .. } =
            self.positions;
        let reach = self.bucket((longest - 1).max(0)).min(span);
        // The row of `span` would be one behind the last.
        let rows = (2 * reach + 1).min(span + reach);
        let table = self.table.f_narrow(0, span - reach, rows)?;
        let table = match &self.norm {
            Some(norm) => norm.forward(&table)?,
            None => table,
        };
        let table = table.f_dropout(self.dropout, mode == Mode::Train)?;
        let project = |asked: bool, own: &Option<Linear>, shared: &Linear| {
            asked.then(|| own.as_ref().unwrap_or(shared).forward(&table)).transpose()
        };
        Ok(Distances {
            keys: project(content_to_position, &self.key, key)?,
            queries: project(position_to_content, &self.query, query)?,
            reach,
        })
    }

    /// What is added to the scaled scores of a group, `[texts, heads, length, length]`; nothing where no distance is asked for.
    pub(crate) fn bias(
        &self,
        distances: &Distances,
        group: Group,
        (query, key): (&Tensor, &Tensor),
    ) -> Result<Option<Tensor>> {
        let Group { texts, length } = group;
        let index = self.index(distances.reach, length, Place::of(query))?;
        let scores = |tokens: &Tensor, rows: &Tensor, index: &Tensor| -> Result<Tensor> {
            let (count, width) = rows.size2()?;
            let rows = rows.f_view([count, self.heads, width / self.heads])?;
            // [heads, width of a head, rows]
            let scores = tokens.f_matmul(&rows.f_permute([1i64, 2, 0].as_slice())?)?;
            let index = index.f_expand([texts, self.heads, length, length], false)?;
            Ok(scores.f_gather(-1, &index, false)?)
        };
        let by_content =
            distances.keys.as_ref().map(|keys| scores(query, keys, &index)).transpose()?;
        let by_position = distances.queries.as_ref().map(|queries| -> Result<Tensor> {
            let scores = scores(key, queries, &index.f_transpose(0, 1)?)?;
            Ok(scores.f_transpose(2, 3)?)
        });
        let sum = match (by_content, by_position.transpose()?) {
            (Some(a), Some(b)) => Some(a.f_add(&b)?),
            (a, b) => a.or(b),
        };
        Ok(sum.map(|sum| sum.f_mul_scalar(self.scale)).transpose()?)
    }

    /// The row of the distance between every two tokens, `[length, length]`.
    fn index(&self, reach: i64, length: i64, place: Place) -> Result<Tensor> {
        let last = (2 * reach).min(self.positions.span + reach - 1);
        let row = |apart: i64| (self.bucket(apart) + reach).clamp(0, last);
        // By i − j, from the farthest before to the farthest behind.
        let rows: Vec<i64> = (1 - length..length).map(row).collect();
        let windows = rows.windows(usize::try_from(length).unwrap_or(1).max(1));
        let index: Vec<i64> = windows.flat_map(|window| window.iter().rev().copied()).collect();
        Ok(place.tensor(&index)?.f_view([length, length])?)
    }

    /// The bucket of a distance, of its sign.
    fn bucket(&self, apart: i64) -> i64 {
        match self.positions.buckets {
            None => apart,
            Some(buckets) => log_bucket(apart, buckets, self.positions.farthest),
        }
    }
}

/// Half of the buckets hold one distance each, the other half ever more. In single precision, as transformers computes it.
fn log_bucket(apart: i64, buckets: i64, farthest: i64) -> i64 {
    let (middle, distance) = (buckets / 2, apart.abs());
    if distance <= middle {
        return apart;
    }
    let share = |distance: i64| (distance as f32 / middle as f32).ln();
    let place = share(distance) / share(farthest - 1) * (middle - 1) as f32;
    apart.signum() * (place.ceil() as i64 + middle)
}

/// One over the root of the width of a head, times the kinds of score.
pub(crate) fn scale(config: &Config, own: &Disentangled) -> f64 {
    1.0 / ((config.hidden / config.heads * own.kinds) as f64).sqrt()
}

/// The convolution beside the first layer.
#[derive(Debug)]
pub(crate) struct Convolution {
    weight: Tensor,
    bias: Tensor,
    norm: Norm,
    padding: i64,
    groups: i64,
    activation: Option<Activation>,
    dropout: f64,
    products: Kind,
}

impl Convolution {
    pub(crate) fn load(
        weights: &mut Tensors,
        config: &Config,
        own: config::Convolution,
    ) -> Result<Self> {
        let hidden = config.hidden;
        let shape = [hidden, hidden / own.groups, own.width];
        Ok(Self {
            weight: weights.take_factor("encoder.conv.conv.weight", &shape)?,
            bias: weights.take_factor("encoder.conv.conv.bias", &[hidden])?,
            norm: Norm::load(weights, "encoder.conv.LayerNorm", hidden, config.epsilon)?,
            padding: (own.width - 1) / 2,
            groups: own.groups,
            activation: own.activation,
            dropout: config.dropout,
            products: weights.place().products(),
        })
    }

    /// What the first layer answered to `x`, with the neighbours of every token.
    pub(crate) fn forward(
        &self,
        x: &Tensor,
        answer: &Tensor,
        batch: &Batch,
        mode: Mode,
    ) -> Result<Tensor> {
        let width = x.size2()?.1;
        let [weight, bias, x] = [&self.weight, &self.bias, x].map(|t| t.f_to_kind(self.products));
        let (weight, bias) = (weight?, bias?);
        let near = batch.by_group([&x?], |Group { texts, length }, [rows]| {
            let rows = rows.f_view([texts, length, width])?.f_transpose(1, 2)?;
            let (padding, groups) = (self.padding, self.groups);
            let near = rows.f_conv1d(&weight, Some(&bias), 1, padding, 1, groups)?;
            Ok(near.f_transpose(1, 2)?.f_reshape([texts * length, width])?)
        })?;
        let near = near.f_dropout(self.dropout, mode == Mode::Train)?;
        let near = match self.activation {
            Some(function) => activate(function, near, mode)?,
            None => near.f_tanh()?,
        };
        self.norm.forward(&answer.f_add(&near)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `make_log_bucket_position` of transformers 5.22.2 answers.
    #[test]
    fn far_distances_share_buckets() {
        let buckets = |apart: &[i64]| -> Vec<i64> {
            apart.iter().map(|&apart| log_bucket(apart, 256, 512)).collect()
        };
        assert_eq!(buckets(&[0, 1, -1, 127, -128, 128]), [0, 1, -1, 127, -128, 128]);
        assert_eq!(
            buckets(&[129, 130, 131, 200, -200, 511, 600]),
            [129, 130, 131, 169, -169, 255, 270]
        );
    }
}
