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
use ko_eval_io::files::write_atomically;
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
    /// How its folder says that it writes, where that is not what the start's folder says.
    generation: Option<Value>,
}

/// The file that says how a model writes.
const GENERATION: &str = "generation_config.json";

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
        if settings.longest_block < 3 {
            let expected = "at least 3: a token of the source, one of the target and the end";
            return Err(Error::setting("the longest block", settings.longest_block, expected));
        }
        let limit = match begun.writer.reads() {
            true => read_limit.min(settings.longest_source),
            false => settings.longest_block,
        };
        let rows = begun.writer.read_vocabulary();
        let tokenizer = TextTokenizer::open(&begun.folder, rows, limit)?;
        let marks = begun.marks(start, &tokenizer, settings.first_token.as_deref())?;
        let Begun { folder, config, writer } = begun;
        if writer.reads() && settings.longest_target > written {
            let expected = "at most the model's own length";
            return Err(Error::setting("the longest target", settings.longest_target, expected));
        }
        let own = config.text(&["prefix"]).unwrap_or_default();
        let prefix = settings.prefix.clone().unwrap_or_else(|| own.to_owned());
        // A decoder that is new would stop where transformers stop by default.
        let is_new = matches!(start, Start::Encoder { .. });
        let generation = match &settings.first_token {
            _ if is_new => Some(marks.generation(settings.longest_target)),
            Some(_) => {
                let own = Settings::open_or_empty(&folder, GENERATION)?;
                Some(own.json().clone()).filter(|json| !json.is_null())
            }
            None => None,
        };
        let source = folder;
        Ok(Self { source, config, writer, tokenizer, marks, settings, prefix, generation })
    }

    /// A pair as the model learns it; `set` and `number` are for errors.
    pub(in crate::train) fn example(
        &self,
        pair: &TextPair<'_>,
        (set, number): (&'static str, usize),
    ) -> Result<Example> {
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
            let mut ids = self.tokenizer.bare(&text)?;
            if ids.is_empty() {
                let reason =
                    "a model without an encoder continues its source, and this one is empty";
                return Err(Error::BadExample { set, number, reason });
            }
            // The source stays whole as long as there is room for one token of the target and the end.
            let block = self.settings.longest_block;
            ids.truncate(block - 1 - target.len().min(1));
            target.truncate(block - 1 - ids.len());
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
        let mut generation = self.generation.clone();
        if self.settings.first_token.is_some() {
            // Without a file of its own, how a model writes stands in its configuration.
            if let Some(settings) = generation.as_mut().unwrap_or(&mut config).as_object_mut() {
                settings.insert("forced_bos_token_id".into(), json!(self.marks.forced_first));
                // Transformers would read the configuration instead.
                settings.remove("_from_model_config");
            }
        }
        let files = [("config.json", Some(&config)), (GENERATION, generation.as_ref())];
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Inference, TextGenerator, train::generator::Likelihood};
    use ko_eval_model::Decoding;
    use serde_json::Map;
    use tempfile::TempDir;

    fn model(family: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/generators").join(family)
    }

    /// A copy of a tiny model, its settings changed in both files.
    fn changed(family: &str, change: impl Fn(&mut Map<String, Value>)) -> TempDir {
        let (from, copy) = (model(family), tempfile::tempdir().unwrap());
        copy_companions(&from, copy.path()).unwrap();
        let weights = "model.safetensors";
        std::fs::copy(from.join(weights), copy.path().join(weights)).unwrap();
        for name in ["config.json", GENERATION] {
            let mut json = json(copy.path(), name);
            change(json.as_object_mut().unwrap());
            std::fs::write(copy.path().join(name), json.to_string()).unwrap();
        }
        copy
    }

    fn json(folder: &Path, name: &str) -> Value {
        Settings::open(folder, name).unwrap().json().clone()
    }

    fn learner(folder: &Path, settings: &GeneratorSettings) -> Result<WriterLearner> {
        let training = TrainingSettings::builder().threads(1).build().unwrap();
        WriterLearner::open(&Start::Pretrained(folder.into()), settings, &training)
    }

    /// Short enough for the tiny models.
    fn lengths() -> GeneratorSettings {
        GeneratorSettings { longest_target: 20, ..GeneratorSettings::default() }
    }

    fn writer(folder: &Path) -> Result<TextGenerator> {
        TextGenerator::open(folder, &Inference::new().threads(1))
    }

    #[test]
    fn without_an_encoder_an_empty_source_is_refused_by_its_number() {
        let pair = |source| TextPair { source, target: "비가 온다" };
        let (full, empty) = ([pair("비"), pair("밥")], [pair("비"), pair("")]);
        let gpt2 = learner(&model("gpt2"), &lengths()).unwrap();
        let error = Likelihood::new(&gpt2, &empty, &full).err().unwrap();
        assert!(matches!(error, Error::BadExample { set: "training", number: 2, .. }), "{error}");
        let error = Likelihood::new(&gpt2, &full, &empty).err().unwrap();
        let said =
            "example 2 of the development data: a model without an encoder continues its source";
        assert!(error.to_string().starts_with(said), "{error}");
        let bart = learner(&model("bart"), &lengths()).unwrap();
        assert!(Likelihood::new(&bart, &empty, &empty).is_ok(), "an encoder reads its marks");
    }

    #[test]
    fn a_source_that_fills_the_block_leaves_room_for_the_target() {
        let example = |block: usize, target: &str| {
            let settings = GeneratorSettings { longest_block: block, ..lengths() };
            let learner = learner(&model("gpt2"), &settings)?;
            let source = "야구 선수 공 ".repeat(20);
            let bare = learner.tokenizer.bare(target)?;
            let example =
                learner.example(&TextPair { source: &source, target }, ("training", 1))?;
            assert_eq!(example.tokens(), block);
            assert_eq!(example.target.last(), learner.marks.end.first());
            Ok::<_, Error>((example.target, bare))
        };
        for block in [3, 8] {
            let (target, bare) = example(block, "비가 온다").unwrap();
            assert_eq!((target.len(), target.first()), (2, bare.first()));
        }
        assert_eq!(example(3, "").unwrap().0.len(), 1, "the end alone");
        let error = example(2, "비").unwrap_err();
        assert!(matches!(error, Error::Setting { name: "the longest block", .. }), "{error}");
    }

    #[test]
    fn a_training_refuses_the_marks_that_writing_refuses() {
        let no_start = changed("bart", |settings| {
            settings.retain(|key, _| {
                !matches!(key.as_str(), "decoder_start_token_id" | "bos_token_id")
            });
        });
        let beyond = changed("bart", |settings| {
            settings.insert("eos_token_id".into(), json!(73));
        });
        for (folder, said) in [(no_start, "decoder_start_token_id"), (beyond, "the number 73")] {
            let refused = learner(folder.path(), &lengths()).err().unwrap().to_string();
            assert!(refused.contains(said), "{refused}");
            assert_eq!(refused, writer(folder.path()).unwrap_err().to_string());
        }
    }

    #[test]
    fn the_tokenizer_may_name_the_end() {
        let folder = changed("gpt2", |settings| drop(settings.remove("eos_token_id")));
        let error = learner(folder.path(), &lengths()).err().unwrap();
        assert!(matches!(error, Error::NoEndToken { .. }), "{error}");
        let named = r#"{"eos_token": "[EOS]"}"#;
        std::fs::write(folder.path().join("tokenizer_config.json"), named).unwrap();
        let learner = learner(folder.path(), &lengths()).unwrap();
        assert_eq!(learner.marks.end, [learner.tokenizer.id("[EOS]").unwrap()]);
    }

    #[test]
    fn the_first_token_is_learned_saved_and_written() {
        let first =
            |token: &str| GeneratorSettings { first_token: Some(token.into()), ..lengths() };
        let check = |from: &Path, file: &str| {
            let learner = learner(from, &first("##을")).unwrap();
            let id = learner.tokenizer.id("##을").unwrap();
            let pair = TextPair { source: "비", target: "비가 온다" };
            assert_eq!(learner.example(&pair, ("training", 1)).unwrap().target.first(), Some(&id));
            let out = tempfile::tempdir().unwrap();
            learner.save(out.path()).unwrap();
            assert_eq!(json(out.path(), file)["forced_bos_token_id"], id);
            let model = writer(out.path()).unwrap();
            let written = model.generate_tokens(&[vec![5, 6, 2]], &Decoding::greedy(4)).unwrap();
            assert_eq!(written[0][0].ids.first(), Some(&id));
            // The rest of the file is the folder's.
            assert_eq!(json(out.path(), file)["eos_token_id"], 2);
        };
        check(&model("mbart"), GENERATION);
        let alone = changed("mbart", |_| ());
        std::fs::remove_file(alone.path().join(GENERATION)).unwrap();
        check(alone.path(), "config.json");

        let error = learner(&model("mbart"), &first("ko_KR")).err().unwrap();
        assert!(matches!(&error, Error::UnknownToken { token } if token == "ko_KR"), "{error}");
        let error = learner(&model("gpt2"), &first("##을")).err().unwrap();
        assert!(matches!(error, Error::Setting { name: "the first token", .. }), "{error}");
    }
}
