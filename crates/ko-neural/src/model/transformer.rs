//! A model folder as an [`Encoder`]: a vector per token, from any layer.

use super::{
    answers,
    block::Mode,
    identity::Identity,
    inference::Inference,
    network::Network,
    replicas::Replicas,
    runner,
    tokenizer::{TextTokenizer, TokenIds},
};
use crate::error::{Error, Result};
use ko_eval_core::{Signature, Signed};
use ko_eval_model::{Embeddings, Encoder, Encoding};
use std::path::Path;

/// A transformer that gives every token a vector.
///
/// Reads a local Hugging Face folder: `config.json`; `model.safetensors` or `pytorch_model.bin` (as data only);
/// `tokenizer.json`, `vocab.txt`, `spiece.model`, `spm.model` or `sentencepiece.bpe.model`. Families: BERT, RoBERTa, XLM-R,
/// ELECTRA, ALBERT, ModernBERT, DeBERTa-v2 and v3, Qwen3-Embedding, and the encoders of BART and mBART.
///
/// ```no_run
/// use ko_eval_core::{Scorer, Segment};
/// use ko_neural::{BertScore, Inference, Transformer};
/// use std::sync::Arc;
///
/// let model = Transformer::open("klue-bert-base", &Inference::new())?;
/// let metric = BertScore::new(Arc::new(model.at_layer(9)?));
/// let segment = Segment::new("나는 밥을 먹었다.", ["저는 밥을 먹었어요."])?;
/// println!("{:.3}", metric.segment_score(&segment)?.value);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Transformer {
    identity: Identity,
    replicas: Replicas<Network>,
    tokenizer: TextTokenizer,
    inference: Inference,
    layers: usize,
    layer: usize,
    width: usize,
}

impl Transformer {
    /// Loads a model folder; vectors come from the last layer.
    ///
    /// # Errors
    /// What is wrong with the folder: the file, the tensor and its expected shape.
    pub fn open(folder: impl AsRef<Path>, inference: &Inference) -> Result<Self> {
        let (folder, place) = (folder.as_ref(), inference.place()?);
        let network = Network::open(folder, place)?;
        let config = network.config();
        let (rows, layers) = (config.vocabulary, network.depth());
        let width = usize::try_from(config.hidden).unwrap_or(1);
        let rows = usize::try_from(rows).unwrap_or(0);
        let tokenizer = TextTokenizer::open(folder, rows, network.longest())?;
        Ok(Self {
            identity: Identity::of(folder, &[])?,
            replicas: Replicas::new(network, place, inference.threads, Network::twin)?,
            tokenizer,
            inference: inference.clone(),
            layers,
            layer: layers,
            width,
        })
    }

    /// The same model and the same numbers in memory, but vectors from another layer; 0 is the embeddings.
    ///
    /// # Errors
    /// [`Error::Setting`] beyond the last layer.
    pub fn at_layer(&self, layer: usize) -> Result<Self> {
        if layer > self.layers {
            return Err(Error::setting("layer", layer, "at most the model's number of layers"));
        }
        Ok(Self {
            identity: self.identity.clone(),
            replicas: self.replicas.twins(Network::twin)?,
            tokenizer: self.tokenizer.clone(),
            inference: self.inference.clone(),
            layer,
            ..*self
        })
    }

    /// How many layers there are.
    pub fn layers(&self) -> usize {
        self.layers
    }

    /// The most tokens of one text, special ones included.
    pub fn longest(&self) -> usize {
        self.tokenizer.limit()
    }

    /// Every layer's vectors of each text, the embeddings first.
    ///
    /// # Errors
    /// When the model fails, or a text is longer than the policy allows.
    pub fn hidden_states(&self, texts: &[&str]) -> ko_eval_core::Result<Vec<Vec<Embeddings>>> {
        let runs = self.runs(texts)?;
        let states = self.states(&runs.concat())?;
        let mut states = states.into_iter();
        let join = |runs: &Vec<TokenIds>| {
            let mut layers = vec![Vec::new(); self.layers + 1];
            for state in states.by_ref().take(runs.len()) {
                layers.iter_mut().zip(state).for_each(|(all, run)| all.extend(run));
            }
            layers.into_iter().map(|data| Embeddings::from_rows(self.width, data)).collect()
        };
        runs.iter().map(join).collect()
    }

    /// Every layer's vectors of each pair, read as a cross-encoder reads it.
    ///
    /// # Errors
    /// When the model fails, or a pair is longer than the policy allows.
    pub fn pair_states(
        &self,
        pairs: &[(&str, &str)],
    ) -> ko_eval_core::Result<Vec<Vec<Embeddings>>> {
        let encode =
            |&pair: &(&str, &str)| self.tokenizer.encode_pair(pair, self.inference.long_text);
        let pieces: Vec<TokenIds> = pairs.iter().map(encode).collect::<Result<_, _>>()?;
        let states = self.states(&pieces)?.into_iter();
        let rows = |state: Vec<Vec<f32>>| {
            state.into_iter().map(|data| Embeddings::from_rows(self.width, data)).collect()
        };
        states.map(rows).collect()
    }

    fn runs(&self, texts: &[&str]) -> ko_eval_core::Result<Vec<Vec<TokenIds>>> {
        ko_eval_core::par_map(texts, |text| self.tokenizer.encode(text, self.inference.long_text))
    }

    fn texts(&self, runs: &[TokenIds]) -> Vec<String> {
        runs.iter().flat_map(|run| self.tokenizer.text(&run.ids)).collect()
    }

    /// Per run of tokens, the numbers of every layer.
    fn states(&self, runs: &[TokenIds]) -> Result<Vec<Vec<Vec<f32>>>> {
        runner::run(&self.replicas, self.inference.batch_tokens, runs, |network, batch| {
            let mut texts = vec![Vec::new(); batch.texts()];
            for state in &network.states(batch, 0..=self.layers, Mode::Infer)? {
                let rows = batch.by_text(&answers(state)?, self.width);
                texts.iter_mut().zip(rows).for_each(|(layers, row)| layers.push(row));
            }
            Ok(texts)
        })
    }
}

impl Signed for Transformer {
    fn signature(&self) -> Signature {
        self.inference.sign(self.identity.signature().with("layer", self.layer))
    }
}

impl Encoder for Transformer {
    fn encode(&self, texts: &[&str]) -> ko_eval_core::Result<Vec<Encoding>> {
        let runs = self.runs(texts)?;
        let mut vectors = runner::run(
            &self.replicas,
            self.inference.batch_tokens,
            &runs.concat(),
            |network, batch| {
                let states = network.states(batch, self.layer..=self.layer, Mode::Infer)?;
                let state = states.last().ok_or_else(|| Error::Operation("no state".into()))?;
                Ok(batch.by_text(&answers(state)?, self.width))
            },
        )?
        .into_iter();
        let encoding = |runs: &Vec<TokenIds>| {
            let mut data = vectors.next().unwrap_or_default();
            data.extend(vectors.by_ref().take(runs.len().saturating_sub(1)).flatten());
            let special = runs.iter().flat_map(|run| run.special.clone()).collect();
            Encoding::new(self.texts(runs), special, Embeddings::from_rows(self.width, data)?)
        };
        runs.iter().map(encoding).collect()
    }

    fn tokens(&self, texts: &[&str]) -> ko_eval_core::Result<Vec<Vec<String>>> {
        Ok(self.runs(texts)?.iter().map(|runs| self.texts(runs)).collect())
    }
}
