//! A whole model that writes: what reads, what writes, and the product that turns vectors into numbers per token.

use super::{
    batch::Batch,
    block::Mode,
    config::Settings,
    decoder::{
        encoder_decoder::ENCODER,
        family::{self, EncoderLayout, WriterLayout},
        parts::{Product, Products, StackNorm, Storage, activate},
        stack::{Cache, Memory, Stack},
    },
    network::Network,
    place::Place,
    tokenizer::TokenIds,
    weights::Tensors,
};
use crate::{
    error::{Error, Result},
    model::config::Activation,
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use tch::Tensor;

/// A model that writes.
#[derive(Debug)]
pub(crate) struct Writer {
    /// The configuration's file, for errors.
    path: PathBuf,
    layout: WriterLayout,
    words: Tensor,
    reader: Option<Reader>,
    decoder: Stack,
    head: Head,
    parameters: BTreeMap<String, Tensor>,
}

#[derive(Debug)]
enum Reader {
    Network(Box<Network>, Option<Product>),
    Stack(Stack),
}

#[derive(Debug)]
struct Head {
    transform: Option<(Product, Activation, StackNorm)>,
    matrix: Tensor,
    bias: Option<Tensor>,
    scale: f64,
}

const PLAIN: Products = Products { storage: Storage::RowPerOutput, bias: true };

impl Writer {
    /// Loads `config.json` and the weights of a folder to a place.
    pub(crate) fn open(folder: &Path, place: Place) -> Result<Self> {
        let config = Settings::open(folder, "config.json")?;
        let family = family::of(&config)?;
        let weights = Tensors::open(folder)?.at(place);
        let held = |base: &&&str| weights.holds(&format!("{base}{}", family.probe));
        let Some(base) = family.bases.iter().find(held) else {
            let (path, name) = (config.path().to_owned(), family.name.to_owned());
            return Err(Error::EncoderOnly { path, name });
        };
        Self::build(config.path(), (family.layout)(&config, base)?, weights)
    }

    /// The model that a configuration describes, with random weights.
    pub(crate) fn random(config: &Settings, seed: u64, place: Place) -> Result<Self> {
        let family = family::of(config)?;
        let base = family.bases.first().copied().unwrap_or_default();
        Self::build(config.path(), (family.layout)(config, base)?, Tensors::random(seed).at(place))
    }

    /// A model over an encoder's tensors, all of which are there; everything else is random but the vectors of the words that are written,
    /// which are those of the words that are read, as the published summariser has it.
    pub(crate) fn over_encoder(config: &Settings, encoder: Tensors, seed: u64) -> Result<Self> {
        let family = family::of(config)?;
        let weights = encoder.renamed(ENCODER).or_random_beside(seed, ENCODER);
        let writer = Self::build(config.path(), (family.layout)(config, "")?, weights)?;
        if let Some(Reader::Network(network, _)) = &writer.reader {
            let read = of_width(network.words(), writer.layout.decoder.hidden, seed)?;
            tch::no_grad(|| writer.words.shallow_clone().f_copy_(&read))?;
        }
        Ok(writer)
    }

    /// The same model over the same numbers, for another thread.
    pub(crate) fn twin(&self) -> Result<Self> {
        let weights = Tensors::shared(&self.parameters, self.place());
        Self::build(&self.path, self.layout.clone(), weights)
    }

    fn build(path: &Path, layout: WriterLayout, mut weights: Tensors) -> Result<Self> {
        let hidden = layout.decoder.hidden;
        let written = layout.words.first().cloned().unwrap_or_default();
        let found = layout.words.iter().find(|name| weights.holds(name)).unwrap_or(&written);
        let words = weights.take(found, &[layout.vocabulary, hidden])?;
        let mut parameters = BTreeMap::new();
        let reader = match &layout.encoder {
            Some(EncoderLayout::Network { config, prefix, shares, project }) => {
                let mut part = weights.part(prefix);
                if let Some(name) = shares {
                    part.lend(name, &words);
                }
                let network = Network::over(path, (**config).clone(), part)?;
                for (name, tensor) in network.parameters() {
                    if *shares != Some(name.as_str()) {
                        parameters.insert(format!("{prefix}{name}"), tensor.shallow_clone());
                    }
                }
                let project = project.as_ref().map(|(name, width)| {
                    Product::load(&mut weights, name, (*width, hidden), PLAIN)
                });
                Some(Reader::Network(Box::new(network), project.transpose()?))
            }
            Some(EncoderLayout::Stack(stack)) => {
                Some(Reader::Stack(Stack::load(&mut weights, stack, &words, false)?))
            }
            None => None,
        };
        let decoder = Stack::load(&mut weights, &layout.decoder, &words, true)?;
        let head = Head::load(&mut weights, &layout, &words)?;
        let mut taken = weights.into_parameters();
        taken.remove(found);
        parameters.extend(taken);
        parameters.insert(written, words.shallow_clone());
        Ok(Self { path: path.to_owned(), layout, words, reader, decoder, head, parameters })
    }

    /// Every tensor by its name in the file.
    pub(crate) fn parameters(&self) -> &BTreeMap<String, Tensor> {
        &self.parameters
    }

    /// Those that training moves.
    pub(crate) fn trained(&self) -> Vec<(String, Tensor)> {
        let fixed = self.layout.head.bias.as_ref().filter(|bias| !bias.trained);
        let fixed = fixed.map(|bias| bias.name.as_str());
        let moves = self.parameters.iter().filter(|(name, _)| Some(name.as_str()) != fixed);
        moves.map(|(name, tensor)| (name.clone(), tensor.shallow_clone())).collect()
    }

    pub(crate) fn vocabulary(&self) -> usize {
        usize::try_from(self.layout.vocabulary).unwrap_or(0)
    }

    /// How many tokens what reads has vectors for.
    pub(crate) fn read_vocabulary(&self) -> usize {
        match &self.reader {
            Some(Reader::Network(network, _)) => {
                usize::try_from(network.config().vocabulary).unwrap_or(0)
            }
            _ => self.vocabulary(),
        }
    }

    /// Whether texts are read by an encoder, and not continued.
    pub(crate) fn reads(&self) -> bool {
        self.reader.is_some()
    }

    /// The most tokens that are read, and that are written; without an encoder, of both together.
    pub(crate) fn longest(&self) -> (usize, usize) {
        let (read, written) = self.layout.longest;
        match &self.reader {
            Some(Reader::Network(network, _)) => (network.longest(), written),
            _ => (read, written),
        }
    }

    /// Token numbers where the model's own are.
    pub(crate) fn rows(&self, ids: &[i64], shape: [i64; 2]) -> Result<Tensor> {
        Ok(self.place().tensor(ids)?.f_view(shape)?)
    }

    /// Where it runs.
    pub(crate) fn place(&self) -> Place {
        Place::of(&self.words)
    }

    /// What a decoder looks at; nothing without an encoder.
    pub(crate) fn read(&self, texts: &[&TokenIds], mode: Mode) -> Result<Option<Memory>> {
        let (states, mask) = match &self.reader {
            None => return Ok(None),
            Some(Reader::Network(network, project)) => {
                let batch = Batch::new(texts, network.place())?;
                let states = network.states(&batch, network.depth()..=network.depth(), mode)?;
                let last = states.last().ok_or_else(|| Error::Operation("no state".into()))?;
                let (padded, lengths) = batch.padded(last)?;
                let padded = match project {
                    Some(project) => project.forward(&padded)?,
                    None => padded,
                };
                let places = padded.size3()?.1;
                let hides = |&length: &i64| (0..places).map(move |place| place >= length);
                (padded, lengths.iter().flat_map(hides).collect::<Vec<bool>>())
            }
            Some(Reader::Stack(stack)) => {
                let (ids, pads) = left_padded(texts);
                let places = ids.len().checked_div(texts.len()).unwrap_or(0) as i64;
                let ids = self.rows(&ids, [texts.len() as i64, places])?;
                let mut cache = stack.cache(None)?;
                let states = stack.forward(&ids, Some(&pads), &mut cache, mode)?;
                let hides = |&pad: &i64| (0..places).map(move |place| place < pad);
                (states, pads.iter().flat_map(hides).collect())
            }
        };
        if !mask.contains(&true) {
            return Ok(Some(Memory { states, mask: None }));
        }
        let hidden: Vec<f32> =
            mask.iter().map(|&hidden| if hidden { f32::MIN } else { 0.0 }).collect();
        let mask = self.place().tensor(&hidden)?.f_view([texts.len() as i64, 1, 1, -1])?;
        Ok(Some(Memory { states, mask: Some(mask) }))
    }

    pub(crate) fn cache(&self, memory: Option<Memory>) -> Result<Cache> {
        self.decoder.cache(memory)
    }

    /// The last vectors of tokens `[rows, places]` after what the cache holds.
    pub(crate) fn states(
        &self,
        ids: &Tensor,
        pads: Option<&[i64]>,
        cache: &mut Cache,
        mode: Mode,
    ) -> Result<Tensor> {
        self.decoder.forward(ids, pads, cache, mode)
    }

    /// A number per token, from the last vectors.
    pub(crate) fn logits(&self, states: &Tensor) -> Result<Tensor> {
        self.head.forward(states)
    }
}

/// Vectors as they are, or projected at random to another width, which nearly keeps their products.
fn of_width(vectors: &Tensor, width: i64, seed: u64) -> Result<Tensor> {
    let own = vectors.size2()?.1;
    if own == width {
        return Ok(vectors.shallow_clone());
    }
    let at = Place::of(vectors);
    let projection = Tensors::random(seed).at(at).take("projection.weight", &[own, width])?;
    let length = projection.f_norm()?.f_double_value(&[])? / (own as f64).sqrt();
    Ok(vectors.f_matmul(&projection)?.f_div_scalar(length)?)
}

impl Head {
    fn load(weights: &mut Tensors, layout: &WriterLayout, words: &Tensor) -> Result<Self> {
        let (hidden, tokens) = (layout.decoder.hidden, layout.vocabulary);
        let names = &layout.head;
        let transform = names.transform.as_ref().map(|(dense, norm)| {
            let dense = Product::load(weights, dense, (hidden, hidden), PLAIN)?;
            let norm = StackNorm::load(weights, norm, hidden, layout.decoder.norm)?;
            Ok::<_, Error>((dense, layout.decoder.activation, norm))
        });
        let transform = transform.transpose()?;
        let is_own = |name: &&String| weights.holds(name) || names.untied && weights.invents(name);
        let matrix = match names.own.as_ref().filter(is_own) {
            Some(name) => weights.take(name, &[tokens, hidden])?,
            None => words.shallow_clone(),
        };
        let bias = names.bias.as_ref().filter(|bias| !bias.optional || weights.holds(&bias.name));
        let bias = bias.map(|bias| match bias.as_row {
            true => weights.take(&bias.name, &[1, tokens]),
            false => weights.take(&bias.name, &[tokens]),
        });
        Ok(Self { transform, matrix, bias: bias.transpose()?, scale: names.scale })
    }

    fn forward(&self, states: &Tensor) -> Result<Tensor> {
        let mut x = states.shallow_clone();
        if let Some((dense, activation, norm)) = &self.transform {
            x = norm.forward(&activate(&dense.forward(&x)?, *activation)?)?;
        }
        if self.scale != 1.0 {
            x = x.f_mul_scalar(self.scale)?;
        }
        let logits = x.f_linear(&self.matrix, None::<&Tensor>)?;
        Ok(match &self.bias {
            Some(bias) => logits.f_add(bias)?,
            None => logits,
        })
    }
}

/// Texts as rows of one length, what is missing filled up at the left, and how much of each row that is.
pub(crate) fn left_padded(texts: &[&TokenIds]) -> (Vec<i64>, Vec<i64>) {
    let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
    let pads: Vec<i64> = texts.iter().map(|text| (longest - text.len()) as i64).collect();
    let rows = texts.iter().flat_map(|text| {
        let pad = longest - text.len();
        std::iter::repeat_n(0, pad).chain(text.ids.iter().map(|&id| i64::from(id)))
    });
    (rows.collect(), pads)
}
