//! A model that writes, in training.

use super::{
    GeneratorSettings, TextPair,
    start::{Begun, Start},
};
use crate::{
    LongText,
    error::{Error, Result},
    files::generation::Marks,
    model::{
        block::Mode,
        config::Settings,
        head::copy_companions,
        place::Place,
        tokenizer::{TextTokenizer, TokenIds},
        weights::save,
        writer::Writer,
    },
    train::options::TrainingSettings,
};
use ko_eval_core::files::write_atomically;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tch::{Reduction, Tensor};

/// A model in training, with the folder it came from.
pub(in crate::train) struct WriterLearner {
    source: PathBuf,
    /// The whole `config.json` that is written.
    config: Settings,
    writer: Writer,
    tokenizer: TextTokenizer,
    marks: Marks,
    pub(super) settings: GeneratorSettings,
    prefix: String,
    /// How its folder says that it writes, where the start had no word of it.
    generation: Option<Value>,
}

/// A source, and a target with its end.
pub(in crate::train) struct Example {
    pub(in crate::train) source: TokenIds,
    pub(in crate::train) target: Vec<u32>,
}

impl Example {
    /// How many tokens are read and asked for.
    pub(in crate::train) fn tokens(&self) -> usize {
        self.source.len() + self.target.len()
    }
}

impl WriterLearner {
    pub(in crate::train) fn open(
        start: &Start,
        settings: &GeneratorSettings,
        training: &TrainingSettings,
    ) -> Result<Self> {
        let place = Place::open(training.device, training.precision)?.for_training();
        for (name, value) in [
            ("the longest source", settings.longest_source),
            ("the longest target", settings.longest_target),
            ("the longest block", settings.longest_block),
        ] {
            if value < 2 {
                return Err(Error::setting(name, value, "at least 2"));
            }
        }
        if let Some(share) = training.dropout {
            let expected = "unset: a model that writes drops what its own configuration says";
            return Err(Error::setting("dropout", share, expected));
        }
        let begun = Begun::open(start, training.seed, place)?;
        let (read_limit, written) = begun.writer.longest();
        let mut settings = settings.clone();
        settings.longest_block = settings.longest_block.min(written);
        let limit = match begun.writer.reads() {
            true => read_limit.min(settings.longest_source),
            false => settings.longest_block,
        };
        let rows = begun.writer.read_vocabulary();
        let tokenizer = TextTokenizer::open(&begun.folder, rows, limit)?;
        let marks = begun.marks(start, &tokenizer)?;
        let Begun { folder, config, writer } = begun;
        if writer.reads() && settings.longest_target > written {
            let expected = "at most the model's own length";
            return Err(Error::setting("the longest target", settings.longest_target, expected));
        }
        let own = config.text(&["prefix"]).unwrap_or_default();
        let prefix = settings.prefix.clone().unwrap_or_else(|| own.to_owned());
        // A decoder that is new would stop where transformers stop by default.
        let is_new = matches!(start, Start::Encoder { .. });
        let generation = is_new.then(|| marks.generation(settings.longest_target));
        let source = folder;
        Ok(Self { source, config, writer, tokenizer, marks, settings, prefix, generation })
    }

    pub(in crate::train) fn example(&self, pair: &TextPair<'_>) -> Result<Example> {
        let text = format!("{}{}", self.prefix, pair.source);
        let end = self.marks.end.first().copied();
        let first = self.marks.forced_first.filter(|_| self.writer.reads());
        let mut target: Vec<u32> = first.into_iter().collect();
        target.extend(self.tokenizer.bare(pair.target)?);
        let source = if self.writer.reads() {
            let mut runs = self.tokenizer.encode(&text, LongText::Truncate)?;
            target.truncate(self.settings.longest_target - 1);
            runs.pop().ok_or_else(|| Error::Operation("a text without a run".into()))?
        } else {
            let ids = self.tokenizer.bare(&text)?;
            // The source stays whole as long as there is room for one token of the target.
            let block = self.settings.longest_block;
            let ids: Vec<u32> = ids.into_iter().take(block.saturating_sub(1)).collect();
            target.truncate(block.saturating_sub(ids.len() + 1));
            let (types, special) = (vec![0; ids.len()], vec![false; ids.len()]);
            TokenIds { ids, types, special }
        };
        target.extend(end);
        Ok(Example { source, target })
    }

    /// The sum of the targets' negative log-likelihoods, and how many tokens they have.
    pub(in crate::train) fn loss(
        &self,
        examples: &[&Example],
        mode: Mode,
    ) -> Result<(Tensor, i64)> {
        likelihood(&self.logits(examples, mode)?, examples)
    }

    /// The numbers of every token at each place of the targets, one target after the other.
    pub(in crate::train) fn logits(&self, examples: &[&Example], mode: Mode) -> Result<Tensor> {
        let sources: Vec<&TokenIds> = examples.iter().map(|example| &example.source).collect();
        let memory = self.writer.read(&sources, mode)?;
        let start = self.marks.start.filter(|_| self.writer.reads());
        // What stands before the first token that is asked for.
        let before = |example: &Example| match start {
            Some(start) => vec![start],
            None => example.source.ids.clone(),
        };
        let rows: Vec<(Vec<u32>, usize)> = examples
            .iter()
            .map(|example| {
                let (mut ids, asked) = (before(example), example.target.len());
                ids.extend(example.target.iter().take(asked.saturating_sub(1)));
                (ids, asked)
            })
            .collect();
        let longest = rows.iter().map(|(ids, _)| ids.len()).max().unwrap_or(0);
        let (mut ids, mut places) = (Vec::new(), Vec::new());
        for (row, (tokens, asked)) in rows.iter().enumerate() {
            ids.extend(tokens.iter().map(|&id| i64::from(id)));
            ids.resize((row + 1) * longest, 0);
            places.extend((tokens.len() - asked..tokens.len()).map(|p| (row * longest + p) as i64));
        }
        let ids = self.writer.rows(&ids, [rows.len() as i64, longest as i64])?;
        let mut cache = self.writer.cache(memory)?;
        let states = self.writer.states(&ids, None, &mut cache, mode)?;
        let width = states.size3()?.2;
        // Only what is asked for goes through the widest product.
        let places = Place::of(&states).tensor(&places)?;
        let states = states.f_reshape([-1, width])?.f_index_select(0, &places)?;
        self.writer.logits(&states)
    }

    /// Every tensor that moves, by name.
    pub(in crate::train) fn parameters(&self) -> Vec<(String, Tensor)> {
        self.writer.trained()
    }

    /// Every token that is read and written, by its number.
    pub(in crate::train) fn tokens(&self) -> Vec<String> {
        let all = u32::try_from(self.writer.vocabulary()).unwrap_or(u32::MAX);
        self.tokenizer.text(&(0..all).collect::<Vec<_>>())
    }

    /// Tokens at the beginning of every target that stand for no text.
    pub(in crate::train) fn forced(&self) -> usize {
        usize::from(self.writer.reads() && self.marks.forced_first.is_some())
    }

    pub(in crate::train) fn save(&self, folder: &Path) -> Result<()> {
        copy_companions(&self.source, folder)?;
        let mut config = self.config.json().clone();
        if let Some(settings) = config.as_object_mut() {
            match self.prefix.as_str() {
                "" => settings.remove("prefix"),
                prefix => settings.insert("prefix".into(), json!(prefix)),
            };
        }
        let files =
            [("config.json", Some(&config)), ("generation_config.json", self.generation.as_ref())];
        for (name, json) in files.into_iter().filter_map(|(name, json)| Some((name, json?))) {
            write_atomically(&folder.join(name), format!("{json:#}\n").as_bytes())?;
        }
        let tensors = self.writer.parameters().iter().map(|(name, tensor)| (name.clone(), tensor));
        save(&folder.join("model.safetensors"), tensors)
    }
}

/// The sum of the negative log-likelihoods of the targets' tokens by these numbers, and how many there are.
pub(in crate::train) fn likelihood(
    logits: &Tensor,
    examples: &[&Example],
) -> Result<(Tensor, i64)> {
    let asked = examples.iter().flat_map(|example| example.target.iter().map(|&id| i64::from(id)));
    let asked: Vec<i64> = asked.collect();
    let target = Place::of(logits).tensor(&asked)?;
    let none = None::<&Tensor>;
    let loss = logits.f_cross_entropy_loss(&target, none, Reduction::Sum, -100, 0.0)?;
    Ok((loss, asked.len() as i64))
}
