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
    files::generation::{self as settings, Marks},
};
use ko_eval_core::{Signature, Signed};
use ko_eval_model::{Candidate, Decoding, Generator, Prompt, Unmeetable};
use std::path::Path;

/// A model that writes.
///
/// Reads a local Hugging Face folder: `config.json`, `generation_config.json` if there is one, weights and tokenizer as
/// [`Transformer`](super::Transformer) does. Families: GPT-2, BART, mBART, T5, mT5, and `encoder-decoder` (any of the encoders but
/// Qwen3 below BERT's blocks).
///
/// ```no_run
/// use ko_eval_model::{Decoding, Generator, Prompt};
/// use ko_neural::{Inference, TextGenerator};
///
/// let model = TextGenerator::open("kobart-commongen", &Inference::new())?;
/// let answers = model.generate(&[Prompt::new("야구 선수#공#쳤")], &Decoding::beam(10, 30))?;
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
        let (marks, decoding) = settings::of_model(folder, &tokenizer, reads, writer.vocabulary())?;
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

    /// The tokens of a text as the model reads it; without an encoder, where one token is to be written.
    ///
    /// # Errors
    /// When the text is longer than the model reads and the policy refuses it, or cannot be cut.
    pub fn tokens(&self, text: &str) -> ko_eval_core::Result<Vec<u32>> {
        Ok(self.encode(text, 1)?.ids)
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
    /// As there, whatever the policy for long texts; a token beyond the vocabulary.
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

    /// The tokens of a prompt after which so many are to be written.
    fn encode(&self, text: &str, new: usize) -> ko_eval_core::Result<TokenIds> {
        let text = format!("{}{text}", self.prefix);
        if !self.reads {
            // What is continued has no mark after it.
            let mut ids = self.tokenizer.bare(&text)?;
            match (self.inference.long_text, self.room(new)) {
                (LongText::Truncate, room @ 1..) => ids.truncate(room),
                (_, room) if ids.len() > room => return Err(no_room(ids.len(), room, new)),
                _ => {}
            }
            return Ok(bare(ids));
        }
        let policy = match self.inference.long_text {
            // Pieces of a text cannot be read together.
            LongText::Chunk => LongText::Error,
            policy => policy,
        };
        let mut runs = self.tokenizer.encode(&text, policy)?;
        runs.pop().ok_or_else(|| Error::Operation("a text without a run".into()).into())
    }

    /// The most tokens of a prompt that is continued by so many; the last of them is not read again.
    fn room(&self, new: usize) -> usize {
        (self.longest.1 + 1).saturating_sub(new)
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

/// A prompt that leaves a model without an encoder no room for what is to be written.
fn no_room(len: usize, limit: usize, new: usize) -> ko_eval_core::Error {
    let what = format!("the model, where {new} tokens are to be written");
    ko_eval_core::Error::TooLong { what, len, unit: "tokens", limit }
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
        let new = decoding.max_tokens;
        let texts = ko_eval_core::par_map(prompts, |prompt| self.encode(&prompt.text, new))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn open(family: &str, policy: LongText) -> TextGenerator {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/generators");
        let inference = Inference::new().threads(1).long_text(policy);
        TextGenerator::open(models.join(family), &inference).unwrap()
    }

    /// The tiny GPT-2 has 64 places, and the last new token takes none.
    #[test]
    fn what_is_continued_is_cut_to_what_leaves_room() {
        let text = "야구 선수 공 ".repeat(40);
        let (prompts, nine) = ([Prompt::new(text.as_str())], Decoding::greedy(9));
        let model = open("gpt2", LongText::Truncate);
        let ids = model.tokenizer.bare(&text).unwrap();
        let written = model.generate(&prompts, &nine).unwrap();
        let begun = model.generate_tokens(&[ids[..56].to_vec()], &nine).unwrap();
        assert_eq!(written[0][0].score, Some(begun[0][0].score));
        assert_eq!(model.tokens(&text).unwrap(), ids[..64]);
        let refused = |model: &TextGenerator, decoding: &Decoding| match model
            .generate(&prompts, decoding)
            .unwrap_err()
        {
            ko_eval_core::Error::TooLong { what, len, limit, .. } => (what, len, limit),
            other => panic!("{other}"),
        };
        assert_eq!(refused(&model, &Decoding::greedy(65)).2, 0, "no prompt leaves that room");
        let (what, len, limit) = refused(&open("gpt2", LongText::Error), &nine);
        assert_eq!((len, limit), (ids.len(), 56));
        assert!(what.contains("9 tokens are to be written"), "{what}");
        let error = model.generate_tokens(&[ids[..57].to_vec()], &nine).unwrap_err();
        assert!(
            matches!(error, ko_eval_core::Error::TooLong { len: 57, limit: 56, .. }),
            "{error}"
        );
    }

    #[test]
    fn tokens_that_an_encoder_cannot_read_are_too_long() {
        for family in ["bart", "mbart", "encoder-decoder"] {
            let model = open(family, LongText::Truncate);
            let (limit, three) = (model.longest.0, Decoding::greedy(3));
            model.generate_tokens(&[vec![5; limit]], &three).unwrap();
            let error = model.generate_tokens(&[vec![5; limit + 1]], &three).unwrap_err();
            let said =
                matches!(error, ko_eval_core::Error::TooLong { limit: of, .. } if of == limit);
            assert!(said, "{family}: {error}");
        }
    }
}
