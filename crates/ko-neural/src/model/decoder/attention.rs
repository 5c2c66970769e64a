//! Attention of the decoders: to what was written before, and to what an encoder read.

use super::{
    layout::{AttentionNames, Queries, StackLayout},
    parts::{Product, drop_out},
};
use crate::{
    error::{Error, Result},
    model::{block::Mode, weights::Tensors},
};
use tch::Tensor;

/// Keys and values, `[rows, heads, places, width of a head]`.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) keys: Tensor,
    pub(crate) values: Tensor,
}

impl Pair {
    /// The pair of some rows.
    pub(crate) fn select(&mut self, rows: &Tensor) -> Result<()> {
        self.keys = self.keys.f_index_select(0, rows)?;
        self.values = self.values.f_index_select(0, rows)?;
        Ok(())
    }

    fn append(self, new: Self) -> Result<Self> {
        Ok(Self {
            keys: Tensor::f_cat(&[self.keys, new.keys], 2)?,
            values: Tensor::f_cat(&[self.values, new.values], 2)?,
        })
    }
}

/// What may be looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) enum View<'m> {
    /// Everything.
    All,
    /// From each place what stands there and before.
    Before,
    /// What this is added to the scores for.
    Masked(&'m Tensor),
}

/// One attention.
#[derive(Debug)]
pub(crate) struct Attention {
    heads: i64,
    inputs: Inputs,
    output: Product,
    /// What scores are multiplied by; the root of the width of a head unless set.
    scale: Option<f64>,
    dropout: f64,
    residual_dropout: f64,
}

#[derive(Debug)]
enum Inputs {
    Apart { query: Product, key: Product, value: Product },
    Fused(Product),
}

impl Attention {
    pub(crate) fn load(
        weights: &mut Tensors,
        layout: &StackLayout,
        prefix: &str,
        names: &AttentionNames,
    ) -> Result<Self> {
        let (hidden, inner) = (layout.hidden, layout.heads * layout.head_width);
        let mut product = |name: &str, sizes| {
            Product::load(weights, &format!("{prefix}.{name}"), sizes, layout.products)
        };
        let inputs = match names.queries {
            Queries::Apart { query, key, value } => Inputs::Apart {
                query: product(query, (hidden, inner))?,
                key: product(key, (hidden, inner))?,
                value: product(value, (hidden, inner))?,
            },
            Queries::Fused(name) => Inputs::Fused(product(name, (hidden, 3 * inner))?),
        };
        let output = product(names.output, (inner, hidden))?;
        Ok(Self {
            heads: layout.heads,
            inputs,
            output,
            scale: layout.attention_scale,
            dropout: layout.attention_dropout,
            residual_dropout: layout.dropout,
        })
    }

    /// Attention to what stands in the same rows, after what `past` holds already.
    pub(crate) fn own(
        &self,
        x: &Tensor,
        past: &mut Option<Pair>,
        view: View<'_>,
        mode: Mode,
    ) -> Result<Tensor> {
        let [query, key, value] = match &self.inputs {
            Inputs::Apart { query, key, value } => {
                [query.forward(x)?, key.forward(x)?, value.forward(x)?]
            }
            Inputs::Fused(all) => {
                let parts = all.forward(x)?.f_chunk(3, -1)?;
                parts
                    .try_into()
                    .map_err(|_| Error::Operation("a product has not three parts".into()))?
            }
        };
        let new = Pair { keys: self.by_head(&key)?, values: self.by_head(&value)? };
        let pair = match past.take() {
            Some(before) => before.append(new)?,
            None => new,
        };
        let mixed = self.mix(&self.by_head(&query)?, &pair, view, mode)?;
        *past = Some(pair);
        self.finish(&mixed, x, mode)
    }

    /// What an encoder read, as keys and values.
    pub(crate) fn memory(&self, states: &Tensor) -> Result<Pair> {
        let Inputs::Apart { key, value, .. } = &self.inputs else {
            return Err(Error::Operation("this attention has no memory".into()));
        };
        Ok(Pair {
            keys: self.by_head(&key.forward(states)?)?,
            values: self.by_head(&value.forward(states)?)?,
        })
    }

    /// Attention to a memory. Rows of `x` that follow each other may share one row of it: beams look at the same text, whose keys
    /// and values are there once.
    pub(crate) fn cross(
        &self,
        x: &Tensor,
        memory: &Pair,
        view: View<'_>,
        mode: Mode,
    ) -> Result<Tensor> {
        let Inputs::Apart { query, .. } = &self.inputs else {
            return Err(Error::Operation("this attention has no memory".into()));
        };
        let (rows, width) = (memory.keys.size4()?.0, x.size3()?.2);
        let together = x.f_reshape([rows, -1, width])?;
        let mixed = self.mix(&self.by_head(&query.forward(&together)?)?, memory, view, mode)?;
        self.finish(&mixed, x, mode)
    }

    /// `[rows, places, heads · width]` to `[rows, heads, places, width]`.
    fn by_head(&self, x: &Tensor) -> Result<Tensor> {
        let (rows, places, width) = x.size3()?;
        Ok(x.f_reshape([rows, places, self.heads, width / self.heads])?.f_transpose(1, 2)?)
    }

    fn mix(&self, query: &Tensor, pair: &Pair, view: View<'_>, mode: Mode) -> Result<Tensor> {
        let dropout = if mode == Mode::Train { self.dropout } else { 0.0 };
        let (mask, causal) = match view {
            View::All => (None, false),
            View::Before => (None, true),
            View::Masked(mask) => (Some(mask), false),
        };
        Ok(Tensor::f_scaled_dot_product_attention(
            query,
            &pair.keys,
            &pair.values,
            mask,
            dropout,
            causal,
            self.scale,
            false,
        )?)
    }

    /// The heads' answers in the shape of `x`.
    fn finish(&self, mixed: &Tensor, x: &Tensor, mode: Mode) -> Result<Tensor> {
        let (rows, places, _) = x.size3()?;
        let flat = mixed.f_transpose(1, 2)?.f_reshape([rows, places, -1])?;
        drop_out(self.output.forward(&flat)?, self.residual_dropout, mode)
    }
}
