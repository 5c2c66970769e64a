//! A model folder as a [`Generator`].

mod writing;

use super::{
    config::Settings,
    generation::{Required, Written},
    identity::Identity,
    inference::Inference,
    place::Place,
    replicas::Replicas,
    tokenizer::{TextTokenizer, TokenIds},
    writer::Writer,
};
use crate::{
    Device, LongText, Precision,
    error::{Error, Result},
    files::generation::{Marks, needs_end, read},
};
use ko_eval_core::{Candidate, Decoding, Generator, Prompt, Signature, Signed, Unmeetable};
use std::path::Path;

/// A model that writes.
///
/// Reads a local Hugging Face folder: `config.json`, `generation_config.json` if there is one, weights and tokenizer as
/// [`Transformer`](super::Transformer) does. Families: GPT-2, BART, mBART, T5, mT5, and `encoder-decoder` (any of the encoders below
/// BERT's blocks).
///
/// ```no_run
/// use ko_eval_core::{Decoding, Generator, Prompt};
/// use ko_neural::{Inference, TextGenerator};
///
/// let model = TextGenerator::open("kobart-commongen", &Inference::new())?;
/// let answers = model.generate(&[Prompt::new("야구 선수#공#쳤")], &Decoding::commongen())?;
/// for candidate in &answers[0] {
///     println!("{:?} {}", candidate.score, candidate.text);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TextGenerator {
    identity: Identity,
    replicas: Replicas<Writer>,
    tokenizer: TextTokenizer,
    inference: Inference,
    marks: Marks,
    reads: bool,
    /// The most tokens read and written; without an encoder of both together.
    longest: (usize, usize),
    /// How many tokens may stand in a prompt.
    read_vocabulary: usize,
    decoding: Decoding,
    prefix: String,
}

/// What a model wrote, as token numbers.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tokens {
    /// New tokens, the mark at the end among them.
    pub ids: Vec<u32>,
    /// The score.
    pub score: f64,
}

impl TextGenerator {
    /// Loads a model folder.
    ///
    /// # Errors
    /// What is wrong with the folder: the file, the tensor and its expected shape; an encoder alone; no token that ends a text.
    pub fn open(folder: impl AsRef<Path>, inference: &Inference) -> Result<Self> {
        let _ = inference.place()?;
        let place = single(inference.device, inference.precision)?;
        let folder = folder.as_ref();
        let writer = Writer::open(folder, place)?;
        let (reads, longest) = (writer.reads(), writer.longest());
        let read_vocabulary = writer.read_vocabulary();
        let tokenizer = TextTokenizer::open(folder, read_vocabulary, longest.0)?;
        // Where an encoder reads, what starts a text was written there.
        let (mut marks, decoding) = read(folder, usize::from(reads))?;
        if marks.end.is_empty() {
            let config = Settings::open_or_empty(folder, "tokenizer_config.json")?;
            marks.end.extend(config.text(&["eos_token"]).and_then(|token| tokenizer.id(token)));
        }
        needs_end(folder, &marks)?;
        let vocabulary = writer.vocabulary();
        let beyond = marks.end.iter().chain(&marks.start).chain(&marks.forced_first);
        if let Some(&id) = beyond.chain(&marks.forced_last).find(|id| **id as usize >= vocabulary) {
            let (path, token) = (folder.join("generation_config.json"), "a mark".into());
            return Err(Error::VocabularyMismatch { path, token, id, rows: vocabulary });
        }
        if reads && marks.start.is_none() {
            let config = Settings::open(folder, "config.json")?;
            return Err(config.bad(&["decoder_start_token_id"], "expected a token's number"));
        }
        let config = Settings::open(folder, "config.json")?;
        let prefix = config.text(&["prefix"]).unwrap_or_default().to_owned();
        Ok(Self {
            identity: Identity::of(folder, &[])?,
            replicas: Replicas::new(writer, place, inference.threads, Writer::twin)?,
            tokenizer,
            inference: inference.clone(),
            marks,
            reads,
            longest,
            read_vocabulary,
            decoding,
            prefix,
        })
    }

    /// How the folder's `generation_config.json` says that the model writes. A length there that counts the prompt (`max_length` of a model
    /// without an encoder) is taken for one of the new tokens.
    pub fn decoding(&self) -> &Decoding {
        &self.decoding
    }

    /// What is put before every prompt: T5's `prefix`.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The tokens of a text as the model reads it.
    ///
    /// # Errors
    /// When the text is longer than the model reads and the policy refuses it, or cannot be cut.
    pub fn tokens(&self, text: &str) -> ko_eval_core::Result<Vec<u32>> {
        Ok(self.encode(text)?.ids)
    }

    /// The text that tokens stand for.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn text(&self, ids: &[u32]) -> ko_eval_core::Result<String> {
        self.tokenizer.decode(ids)
    }

    /// The same as [`Generator::generate`], from tokens to tokens.
    ///
    /// # Errors
    /// As there; a token beyond the vocabulary.
    pub fn generate_tokens(
        &self,
        prompts: &[Vec<u32>],
        decoding: &Decoding,
    ) -> ko_eval_core::Result<Vec<Vec<Tokens>>> {
        let rows = self.read_vocabulary;
        for ids in prompts {
            if let Some(id) = ids.iter().find(|id| **id as usize >= rows) {
                return Err(Error::UnknownToken { token: id.to_string() }.into());
            }
        }
        let prompts: Vec<TokenIds> = prompts.iter().map(|ids| bare(ids.clone())).collect();
        let free = vec![(Required::new(), Unmeetable::Error); prompts.len()];
        let written = self.write(&prompts, &free, decoding)?;
        let tokens = |one: Written| Tokens { ids: one.tokens, score: one.score };
        Ok(written.into_iter().map(|all| all.into_iter().map(tokens).collect()).collect())
    }

    fn encode(&self, text: &str) -> ko_eval_core::Result<TokenIds> {
        let text = format!("{}{text}", self.prefix);
        if !self.reads {
            // What is continued has no mark after it.
            let ids = self.tokenizer.bare(&text)?;
            let limit = self.longest.0.saturating_sub(1);
            return match (ids.len() > limit, self.inference.long_text) {
                (false, _) => Ok(bare(ids)),
                (true, LongText::Truncate) => Ok(bare(ids.into_iter().take(limit).collect())),
                (true, _) => Err(too_long(ids.len(), limit)),
            };
        }
        let policy = match self.inference.long_text {
            // Pieces of a text cannot be read together.
            LongText::Chunk => LongText::Error,
            policy => policy,
        };
        let mut runs = self.tokenizer.encode(&text, policy)?;
        runs.pop().ok_or_else(|| Error::Operation("a text without a run".into()).into())
    }
}

/// Where a model that writes runs: anywhere, but in single precision.
fn single(device: Device, precision: Precision) -> Result<Place> {
    match precision {
        Precision::F32 => Place::open(device, precision),
        _ => Err(Error::setting(
            "precision",
            precision,
            "f32: what is written needs single precision",
        )),
    }
}

/// Tokens of one text.
fn bare(ids: Vec<u32>) -> TokenIds {
    let (types, special) = (vec![0; ids.len()], vec![false; ids.len()]);
    TokenIds { ids, types, special }
}

fn too_long(len: usize, limit: usize) -> ko_eval_core::Error {
    ko_eval_core::Error::TooLong { what: "the model".into(), len, unit: "tokens", limit }
}

impl Signed for TextGenerator {
    fn signature(&self) -> Signature {
        let signature = self.inference.sign(self.identity.signature());
        match self.prefix.as_str() {
            "" => signature,
            prefix => signature.with("prefix", prefix),
        }
    }
}

impl Generator for TextGenerator {
    fn generate(
        &self,
        prompts: &[Prompt<'_>],
        decoding: &Decoding,
    ) -> ko_eval_core::Result<Vec<Vec<Candidate>>> {
        let texts = ko_eval_core::par_map(prompts, |prompt| self.encode(&prompt.text))?;
        let words = |prompt: &Prompt<'_>| -> ko_eval_core::Result<(Required, Unmeetable)> {
            let words = prompt.required.iter().map(|forms| self.forms(forms));
            Ok((words.collect::<ko_eval_core::Result<_>>()?, prompt.unmeetable))
        };
        let required: Vec<_> = prompts.iter().map(words).collect::<ko_eval_core::Result<_>>()?;
        let written = self.write(&texts, &required, decoding)?;
        let candidate = |one: &Written| {
            let text = self.tokenizer.decode(&one.tokens)?.trim().to_owned();
            Ok(Candidate { text, score: Some(one.score) })
        };
        written.iter().map(|all| all.iter().map(candidate).collect()).collect()
    }

    fn count_tokens(&self, text: &str) -> ko_eval_core::Result<usize> {
        Ok(self.tokenizer.bare(text)?.len())
    }
}
