//! A stack of blocks over token vectors: every family's decoder, and T5's encoder.

use super::{
    attention::{Attention, Pair, View},
    layout::{BlockNames, StackLayout},
    parts::{Product, StackNorm, activate, drop_out},
    relative::RelativeBias,
};
use crate::{
    error::{Error, Result},
    model::{block::Mode, config::Activation, layout::Order, place::Place, weights::Tensors},
};
use tch::{Kind, Tensor};

/// Less than any score, but finite: where everything is hidden, nothing becomes NaN.
const HIDDEN: f64 = f32::MIN as f64;

/// A stack.
#[derive(Debug)]
pub(crate) struct Stack {
    words: Tensor,
    scale: f64,
    positions: Option<(Tensor, i64)>,
    types: Option<Tensor>,
    embedding_norm: Option<StackNorm>,
    blocks: Vec<StackBlock>,
    last_norm: Option<StackNorm>,
    relative: Option<RelativeBias>,
    dropout: f64,
    causal: bool,
}

/// What an encoder read, for a decoder to look at.
#[derive(Debug)]
pub(crate) struct Memory {
    /// `[texts, places, width]`.
    pub(crate) states: Tensor,
    /// Added to the scores of places, `[texts, 1, 1, places]`; nothing where no text is padded.
    pub(crate) mask: Option<Tensor>,
}

/// What a stack has computed of the tokens so far.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    own: Vec<Option<Pair>>,
    memory: Vec<Pair>,
    memory_mask: Option<Tensor>,
    /// How many places there are, padding included.
    length: i64,
    /// What hides padding before the first tokens, `[rows, 1, 1, places]`, and how many places of each row are padding, `[rows, 1]`.
    padding: Option<(Tensor, Tensor)>,
}

impl Cache {
    /// Keeps some rows, in this order; a row may be kept several times.
    pub(crate) fn select(&mut self, rows: &Tensor) -> Result<()> {
        for pair in self.own.iter_mut().flatten() {
            pair.select(rows)?;
        }
        if let Some((mask, pads)) = &mut self.padding {
            *mask = mask.f_index_select(0, rows)?;
            *pads = pads.f_index_select(0, rows)?;
        }
        Ok(())
    }

    /// Keeps what belongs to some texts.
    pub(crate) fn select_texts(&mut self, texts: &Tensor) -> Result<()> {
        for pair in &mut self.memory {
            pair.select(texts)?;
        }
        if let Some(mask) = &mut self.memory_mask {
            *mask = mask.f_index_select(0, texts)?;
        }
        Ok(())
    }
}

impl Stack {
    pub(crate) fn load(
        weights: &mut Tensors,
        layout: &StackLayout,
        words: &Tensor,
        causal: bool,
    ) -> Result<Self> {
        let hidden = layout.hidden;
        let positions = layout.positions.as_ref().map(|names| {
            let table = weights.take(&format!("{}.weight", names.name), &[names.rows, hidden])?;
            Ok::<_, Error>((table, names.offset))
        });
        let positions = positions.transpose()?;
        let types = layout.types.as_ref();
        let types =
            types.map(|(name, rows)| weights.take(&format!("{name}.weight"), &[*rows, hidden]));
        let types = types.transpose()?;
        let mut norm = |name: &Option<String>| {
            name.as_ref()
                .map(|name| StackNorm::load(weights, name, hidden, layout.norm))
                .transpose()
        };
        let embedding_norm = norm(&layout.embedding_norm)?;
        let last_norm = norm(&layout.last_norm)?;
        let relative = layout.relative.as_ref();
        let relative = relative
            .map(|(name, buckets)| RelativeBias::load(weights, name, layout.heads, *buckets))
            .transpose()?;
        let block = |name: &String| StackBlock::load(weights, layout, name);
        Ok(Self {
            words: words.shallow_clone(),
            scale: layout.embedding_scale,
            positions,
            types,
            embedding_norm,
            blocks: layout.layers.iter().map(block).collect::<Result<_>>()?,
            last_norm,
            relative,
            dropout: layout.dropout,
            causal,
        })
    }

    /// A cache that has seen nothing but a memory.
    pub(crate) fn cache(&self, memory: Option<Memory>) -> Result<Cache> {
        let mut cache = Cache::default();
        cache.own.resize_with(self.blocks.len(), || None);
        if let Some(memory) = memory {
            let pair = |block: &StackBlock| block.memory(&memory.states);
            cache.memory = self.blocks.iter().map(pair).collect::<Result<_>>()?;
            cache.memory_mask = memory.mask;
        }
        Ok(cache)
    }

    /// The last vectors, `[rows, places, width]`, of tokens `[rows, places]` that follow what the cache holds. `pads` are how many of each
    /// row's first places are padding; only the first tokens of a cache can have any.
    pub(crate) fn forward(
        &self,
        ids: &Tensor,
        pads: Option<&[i64]>,
        cache: &mut Cache,
        mode: Mode,
    ) -> Result<Tensor> {
        let (rows, places) = ids.size2()?;
        if let Some(pads) = pads.filter(|pads| pads.iter().any(|&pad| pad > 0)) {
            cache.padding = Some(self.padding(pads, places)?);
        } else if let Some((mask, _)) = &mut cache.padding {
            let seen = Tensor::f_zeros([rows, 1, 1, places], (Kind::Float, mask.device()))?;
            *mask = Tensor::f_cat(&[&*mask, &seen], 3)?;
        }
        let mut x = self.embed(ids, cache, mode)?;
        cache.length += places;
        let mask = self.mask(places, cache)?;
        let view = match &mask {
            Some(mask) => View::Masked(mask),
            None if self.causal && places > 1 => View::Before,
            None => View::All,
        };
        let memory_view = cache.memory_mask.as_ref().map_or(View::All, View::Masked);
        let mut memories = cache.memory.iter();
        for (block, past) in self.blocks.iter().zip(&mut cache.own) {
            let memory = memories.next().map(|pair| (pair, memory_view));
            x = block.forward(&x, past, view, memory, mode)?;
        }
        let x = match &self.last_norm {
            Some(norm) => norm.forward(&x)?,
            None => x,
        };
        // T5 drops once more at the end.
        let last = if self.relative.is_some() { self.dropout } else { 0.0 };
        drop_out(x, last, mode)
    }

    fn padding(&self, pads: &[i64], places: i64) -> Result<(Tensor, Tensor)> {
        let hidden = pads.iter().flat_map(|&pad| {
            (0..places).map(move |place| if place < pad { HIDDEN as f32 } else { 0.0 })
        });
        let place = Place::of(&self.words);
        let mask = place.tensor(&hidden.collect::<Vec<f32>>())?;
        let mask = mask.f_view([pads.len() as i64, 1, 1, places])?;
        let pads = place.tensor(pads)?.f_unsqueeze(1)?;
        Ok((mask, pads))
    }

    /// What is added to the scores of the last `queries` places, unless nothing or the plain causal view would do.
    fn mask(&self, queries: i64, cache: &Cache) -> Result<Option<Tensor>> {
        let keys = cache.length;
        let mut mask = match &self.relative {
            Some(relative) => Some(relative.forward(queries, keys)?),
            None => None,
        };
        let mut add = |part: Tensor| -> Result<()> {
            mask = Some(match mask.take() {
                Some(mask) => mask.f_add(&part)?,
                None => part,
            });
            Ok(())
        };
        if let Some((padding, _)) = &cache.padding {
            add(padding.shallow_clone())?;
        }
        // Without anything else the causal view needs no mask, but only where there was nothing before.
        let plain = cache.padding.is_none() && self.relative.is_none() && queries == keys;
        if self.causal && queries > 1 && !plain {
            let after =
                Tensor::f_full([queries, keys], HIDDEN, (Kind::Float, self.words.device()))?;
            add(after.f_triu(keys - queries + 1)?.f_view([1, 1, queries, keys])?)?;
        }
        Ok(mask)
    }

    fn embed(&self, ids: &Tensor, cache: &Cache, mode: Mode) -> Result<Tensor> {
        let look =
            |table: &Tensor, rows: &Tensor| Tensor::f_embedding(table, rows, -1, false, false);
        let mut x = look(&self.words, ids)?;
        if self.scale != 1.0 {
            x = x.f_mul_scalar(self.scale)?;
        }
        let (_, places) = ids.size2()?;
        if let Some((table, offset)) = &self.positions {
            let first = cache.length;
            let here = Tensor::f_arange_start(first, first + places, (Kind::Int64, ids.device()))?;
            let here = match &cache.padding {
                Some((_, pads)) => here.f_sub(pads)?.f_clamp_min(0)?,
                None => here.f_unsqueeze(0)?,
            };
            x = x.f_add(&look(table, &here.f_add_scalar(*offset)?)?)?;
        }
        if let Some(types) = &self.types {
            x = x.f_add(&types.f_get(0)?)?;
        }
        if let Some(norm) = &self.embedding_norm {
            x = norm.forward(&x)?;
        }
        drop_out(x, self.dropout, mode)
    }
}

/// One block: attention to itself, to a memory, and the products with a function between.
#[derive(Debug)]
struct StackBlock {
    order: Order,
    own: (Attention, StackNorm),
    cross: Option<(Attention, StackNorm)>,
    gate: Option<Product>,
    up: Product,
    down: Product,
    norm: StackNorm,
    activation: Activation,
    dropout: f64,
    /// T5 drops the widened vectors, too.
    wide_dropout: f64,
}

impl StackBlock {
    fn load(weights: &mut Tensors, layout: &StackLayout, name: &str) -> Result<Self> {
        let names: &BlockNames = &layout.block;
        let (hidden, wide) = (layout.hidden, layout.intermediate);
        let norm = |weights: &mut Tensors, inner: &str| {
            StackNorm::load(weights, &format!("{name}.{inner}"), hidden, layout.norm)
        };
        let own = Attention::load(weights, layout, name, &names.own)?;
        let own = (own, norm(weights, names.own.norm)?);
        let cross = names.cross.as_ref().map(|names| {
            let attention = Attention::load(weights, layout, name, names)?;
            Ok::<_, Error>((attention, norm(weights, names.norm)?))
        });
        let cross = cross.transpose()?;
        let mut product = |inner: &str, sizes| {
            Product::load(weights, &format!("{name}.{inner}"), sizes, layout.products)
        };
        let gate = names.gate.map(|gate| product(gate, (hidden, wide))).transpose()?;
        let (up, down) = (product(names.up, (hidden, wide))?, product(names.down, (wide, hidden))?);
        let norm = norm(weights, names.norm)?;
        Ok(Self {
            order: layout.order,
            own,
            cross,
            gate,
            up,
            down,
            norm,
            activation: layout.activation,
            dropout: layout.dropout,
            wide_dropout: if layout.relative.is_some() { layout.dropout } else { 0.0 },
        })
    }

    fn memory(&self, states: &Tensor) -> Result<Pair> {
        match &self.cross {
            Some((attention, _)) => attention.memory(states),
            None => Err(Error::Operation("this stack has no memory".into())),
        }
    }

    fn forward(
        &self,
        x: &Tensor,
        past: &mut Option<Pair>,
        view: View<'_>,
        memory: Option<(&Pair, View<'_>)>,
        mode: Mode,
    ) -> Result<Tensor> {
        let (attention, norm) = &self.own;
        let mut x = self.around(x, norm, |x| attention.own(x, past, view, mode))?;
        if let (Some((attention, norm)), Some((memory, view))) = (&self.cross, memory) {
            x = self.around(&x, norm, |x| attention.cross(x, memory, view, mode))?;
        }
        self.around(&x, &self.norm, |x| self.widen(x, mode))
    }

    /// A part of the block with its norm, added to what it was given.
    fn around(
        &self,
        x: &Tensor,
        norm: &StackNorm,
        part: impl FnOnce(&Tensor) -> Result<Tensor>,
    ) -> Result<Tensor> {
        match self.order {
            Order::PostNorm => norm.forward(&part(x)?.f_add(x)?),
            Order::PreNorm => Ok(part(&norm.forward(x)?)?.f_add(x)?),
        }
    }

    fn widen(&self, x: &Tensor, mode: Mode) -> Result<Tensor> {
        let wide = match &self.gate {
            Some(gate) => {
                activate(&gate.forward(x)?, self.activation)?.f_mul(&self.up.forward(x)?)?
            }
            None => activate(&self.up.forward(x)?, self.activation)?,
        };
        let wide = drop_out(wide, self.wide_dropout, mode)?;
        drop_out(self.down.forward(&wide)?, self.dropout, mode)
    }
}
