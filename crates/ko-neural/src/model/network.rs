//! A whole encoder: embeddings, then the blocks of its layout.

use super::{
    batch::Batch,
    block::{Bias, Block, Linear, Mode, Norm},
    config::Config,
    deberta::Convolution,
    layout::{Body, EmbeddingNames, FAMILIES, Layout, Projection},
    modernbert::{ModernBlock, Rotations},
    place::Place,
    qwen3::Qwen3Block,
    rotation::Rotation,
    weights::Tensors,
};
use crate::error::{Error, Result};
use std::{
    collections::{BTreeMap, HashMap},
    ops::RangeInclusive,
    path::Path,
};
use tch::Tensor;

/// An encoder that turns token numbers into vectors, with every layer's at hand.
#[derive(Debug)]
pub(crate) struct Network {
    place: Place,
    config: Config,
    layout: Layout,
    words: Tensor,
    positions: Option<Tensor>,
    types: Option<Tensor>,
    norm: Option<Norm>,
    projection: Option<Linear>,
    /// Distinct blocks, and which of them each layer is.
    blocks: Vec<AnyBlock>,
    layers: Vec<usize>,
    /// Beside the first layer.
    convolution: Option<Convolution>,
    last_norm: Option<Norm>,
    parameters: BTreeMap<String, Tensor>,
}

/// A block of any family.
#[derive(Debug)]
enum AnyBlock {
    Shared(Box<Block>),
    Modern(Box<ModernBlock>),
    Qwen3(Box<Qwen3Block>),
}

impl AnyBlock {
    fn forward(&self, x: &Tensor, batch: &Batch, mode: Mode) -> Result<Tensor> {
        match self {
            Self::Shared(block) => block.forward(x, batch, mode),
            Self::Modern(block) => block.forward(x, batch, mode),
            Self::Qwen3(block) => block.forward(x, batch, mode),
        }
    }
}

impl Network {
    /// Loads `config.json` and the weights of a folder to a place.
    pub(crate) fn open(folder: &Path, place: Place) -> Result<Self> {
        let (config, layout, weights) = Self::parts(folder, place)?;
        Self::build(config, layout, weights)
    }

    /// What a folder's encoder is [built](Self::build) of; its weights may hold a head besides.
    pub(crate) fn parts(folder: &Path, place: Place) -> Result<(Config, Layout, Tensors)> {
        let config = Config::open(folder)?;
        let layout = layout(folder, &config)?;
        let probe = format!("{}.weight", layout.embeddings.words);
        let weights = Tensors::open(folder)?.at(place).under(layout.prefixes, &probe);
        Ok((config, layout, weights))
    }

    /// The encoder of a larger model, from what that model's file holds of it; `path` is the configuration's.
    pub(crate) fn over(path: &Path, config: Config, weights: Tensors) -> Result<Self> {
        let layout = layout(path.parent().unwrap_or(path), &config)?;
        Self::build(config, layout, weights)
    }

    /// The same network over the same numbers, for another thread.
    pub(crate) fn twin(&self) -> Result<Self> {
        let weights = Tensors::shared(&self.parameters, self.place);
        Self::build(self.config.clone(), self.layout.clone(), weights)
    }

    pub(crate) fn build(config: Config, layout: Layout, mut weights: Tensors) -> Result<Self> {
        let (names, place) = (&layout.embeddings, weights.place());
        let mut table = |name: &str, rows: i64| {
            weights.take(&format!("{name}.weight"), &[rows, config.embedding])
        };
        let words = table(names.words, config.vocabulary)?;
        let rows = config.positions + names.extra_positions;
        let positions = names.positions.map(|name| table(name, rows)).transpose()?;
        let types = names.types.map(|name| table(name, config.types)).transpose()?;
        let bias = Bias::if_true(config.modern.as_ref().is_none_or(|modern| modern.norm_bias));
        let (normed, projected) = match names.projection {
            Some(Projection::AfterNorm(name)) => (config.embedding, Some((name, Bias::With))),
            Some(Projection::BeforeNorm(name)) => (config.hidden, Some((name, Bias::Without))),
            None => (config.embedding, None),
        };
        let norm = names
            .norm
            .map(|name| Norm::load_with(&mut weights, name, normed, layout.epsilon, bias))
            .transpose()?;
        let (narrow, wide) = (config.embedding, config.hidden);
        let projection = projected
            .map(|(name, bias)| Linear::load_single(&mut weights, name, narrow, wide, bias))
            .transpose()?;
        let modern = config.modern.as_ref();
        let modern = modern.map(|own| Ok::<_, Error>((own, Rotations::new(&config, own, place)?)));
        let modern = modern.transpose()?;
        let qwen3 = config.qwen3.as_ref().map(|own| {
            let rotation = Rotation::new(own.theta, own.head, config.positions, place)?;
            Ok::<_, Error>((own, rotation))
        });
        let qwen3 = qwen3.transpose()?;
        let (mut blocks, mut known) = (Vec::new(), HashMap::new());
        let mut layers = Vec::with_capacity(layout.layers.len());
        for name in &layout.layers {
            if !known.contains_key(name) {
                known.insert(name, blocks.len());
                let block = match (&layout.body, &modern, &qwen3) {
                    (Body::Shared(names), ..) => {
                        let block = Block::load(&mut weights, &config, &layout, names, name)?;
                        AnyBlock::Shared(Box::new(block))
                    }
                    (Body::Modern, Some((own, rotations)), _) => {
                        let layer = (layers.len(), name.as_str());
                        let block =
                            ModernBlock::load(&mut weights, &config, own, rotations, layer)?;
                        AnyBlock::Modern(Box::new(block))
                    }
                    (Body::Qwen3, _, Some((own, rotation))) => {
                        let block = Qwen3Block::load(&mut weights, &config, own, rotation, name)?;
                        AnyBlock::Qwen3(Box::new(block))
                    }
                    (Body::Modern | Body::Qwen3, ..) => {
                        return Err(Error::Operation("a layout without its settings".into()));
                    }
                };
                blocks.push(block);
            }
            layers.extend(known.get(name));
        }
        let convolution = config.disentangled.as_ref().and_then(|own| own.convolution);
        let convolution =
            convolution.map(|own| Convolution::load(&mut weights, &config, own)).transpose()?;
        let last_norm = layout
            .last_norm
            .map(|name| match layout.body {
                Body::Qwen3 => {
                    Norm::load_root_mean_square(&mut weights, name, config.hidden, layout.epsilon)
                }
                Body::Shared(_) | Body::Modern => {
                    Norm::load_with(&mut weights, name, config.hidden, layout.epsilon, bias)
                }
            })
            .transpose()?;
        let parameters = weights.into_parameters();
        Ok(Self {
            place,
            config,
            layout,
            words,
            positions,
            types,
            norm,
            projection,
            blocks,
            layers,
            convolution,
            last_norm,
            parameters,
        })
    }

    /// Where it runs.
    pub(crate) fn place(&self) -> Place {
        self.place
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Every tensor by its name in the file.
    pub(crate) fn parameters(&self) -> &BTreeMap<String, Tensor> {
        &self.parameters
    }

    /// A vector for every token of the vocabulary.
    pub(crate) fn words(&self) -> &Tensor {
        &self.words
    }

    /// How many layers there are.
    pub(crate) fn depth(&self) -> usize {
        self.layers.len()
    }

    /// The most tokens of one text, special tokens included.
    pub(crate) fn longest(&self) -> usize {
        let names: &EmbeddingNames = &self.layout.embeddings;
        let rows = self.config.positions + names.extra_positions - names.position_offset;
        usize::try_from(rows).unwrap_or(0)
    }

    /// The vectors after some of the layers, `[tokens, width]`, in order; 0 is the embeddings. Layers before the first asked for are
    /// forgotten on the way, layers after the last are not run.
    pub(crate) fn states(
        &self,
        batch: &Batch,
        layers: RangeInclusive<usize>,
        mode: Mode,
    ) -> Result<Vec<Tensor>> {
        let mut states = Vec::new();
        let mut x = self.embed(batch, mode)?;
        let blocks = self.layers.iter().take(*layers.end()).filter_map(|&b| self.blocks.get(b));
        for (layer, block) in blocks.enumerate() {
            let mut next = block.forward(&x, batch, mode)?;
            if let (0, Some(convolution)) = (layer, &self.convolution) {
                next = convolution.forward(&x, &next, batch, mode)?;
            }
            let before = std::mem::replace(&mut x, next);
            if layers.contains(&layer) {
                states.push(before);
            }
        }
        if let (Some(norm), true) = (&self.last_norm, *layers.end() >= self.depth()) {
            x = norm.forward(&x)?;
        }
        states.push(x);
        Ok(states)
    }

    fn embed(&self, batch: &Batch, mode: Mode) -> Result<Tensor> {
        let names = &self.layout.embeddings;
        let look =
            |table: &Tensor, rows: &Tensor| Tensor::f_embedding(table, rows, -1, false, false);
        let mut x = batch.words(&self.words)?;
        if names.scale != 1.0 {
            x = x.f_mul_scalar(names.scale)?;
        }
        if let Some(positions) = &self.positions {
            let places = batch.positions().f_add_scalar(names.position_offset)?;
            x = x.f_add(&look(positions, &places)?)?;
        }
        if let Some(types) = &self.types {
            // A family with one type (RoBERTa) has it for the second text, too.
            x = x.f_add(&look(types, &batch.types().f_clamp_max(self.config.types - 1)?)?)?;
        }
        let project = |x: &Tensor| match &self.projection {
            Some(projection) => projection.forward(x),
            None => Ok(x.shallow_clone()),
        };
        let norm = |x: &Tensor| -> Result<Tensor> {
            let x = match &self.norm {
                Some(norm) => norm.forward(x)?,
                None => x.shallow_clone(),
            };
            Ok(x.f_dropout(self.config.dropout, mode == Mode::Train)?)
        };
        match names.projection {
            Some(Projection::BeforeNorm(_)) => norm(&project(&x)?),
            Some(Projection::AfterNorm(_)) | None => project(&norm(&x)?),
        }
    }
}

fn layout(folder: &Path, config: &Config) -> Result<Layout> {
    match FAMILIES.iter().find(|(name, _)| *name == config.family) {
        Some((_, layout)) => Ok(layout(config)),
        None => Err(Error::UnknownArchitecture {
            path: folder.join("config.json"),
            name: config.family.clone(),
            known: FAMILIES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
        }),
    }
}
