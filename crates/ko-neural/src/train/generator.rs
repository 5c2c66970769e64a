//! Training of a [`TextGenerator`](crate::TextGenerator): the mean negative log-likelihood of the target's tokens, each given the
//! source and the tokens before it (Korean CommonGen, Eq. 3).
//!
//! What a decoder with an encoder is asked for is the target and the mark at its end, after the mark that starts every text. A model
//! without an encoder continues: source and target are one text, and only the target's tokens count.

use super::{
    options::TrainingSettings,
    trainer::{self, Objective, TrainingReport},
};
use crate::{
    LongText,
    error::{Error, Result},
    files::generation::{Marks, needs_end, read},
    model::{
        block::Mode,
        config::Settings,
        generator::single,
        head::copy_companions,
        place::Place,
        tokenizer::{TextTokenizer, TokenIds},
        weights::{Tensors, save},
        writer::Writer,
    },
};
use ko_eval_core::{Fingerprint, files::write_atomically};
use serde_json::json;
use std::path::{Path, PathBuf};
use tch::{Kind, Reduction, Tensor};

/// A text and what is to be written for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPair<'a> {
    /// What is read.
    pub source: &'a str,
    /// What is to be written.
    pub target: &'a str,
}

/// Where a training starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// A folder with weights.
    Pretrained(PathBuf),
    /// A folder with `config.json` and a tokenizer; the weights are random.
    Configuration(PathBuf),
    /// A folder with one of the encoders, below a new decoder of so many layers whose weights are random.
    Encoder {
        /// The encoder's folder.
        folder: PathBuf,
        /// The decoder's layers, at least 1.
        layers: usize,
    },
}

/// What a generator's training has beside the settings of every one.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneratorSettings {
    /// The most tokens of a source; the rest is cut off. Without an encoder, of source and target together: the block.
    pub longest_source: usize,
    /// The most tokens of a target.
    pub longest_target: usize,
    /// What is put before every source: T5's task. It is saved with the model.
    pub prefix: String,
    /// Whether examples are seen in the order given, epoch after epoch: a curriculum.
    pub in_order: bool,
}

impl Default for GeneratorSettings {
    /// Korean CommonGen's: 64 and 256 tokens, in order.
    fn default() -> Self {
        Self { longest_source: 64, longest_target: 256, prefix: String::new(), in_order: true }
    }
}

/// Trains a generator and writes a folder that [`TextGenerator`](crate::TextGenerator) and transformers read; the weights under which
/// `dev` is likeliest are kept.
///
/// # Errors
/// What is wrong with the folder, the settings or a text, a loss that is not a number, or a file that cannot be written.
pub fn train_generator(
    start: &Start,
    train: &[TextPair<'_>],
    dev: &[TextPair<'_>],
    output: impl AsRef<Path>,
    settings: &GeneratorSettings,
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    let learner = WriterLearner::open(start, settings, training)?;
    let encode = |pairs: &[TextPair<'_>]| -> Result<Vec<Example>> {
        pairs.iter().map(|pair| learner.example(pair)).collect()
    };
    let objective = Likelihood { train: encode(train)?, dev: encode(dev)?, learner: &learner };
    let report = trainer::train(&objective, training)?;
    learner.save(output.as_ref())?;
    Ok(report)
}

/// A model in training, with the folder it came from.
struct WriterLearner {
    source: PathBuf,
    /// The whole `config.json` that is written.
    config: Settings,
    writer: Writer,
    tokenizer: TextTokenizer,
    marks: Marks,
    settings: GeneratorSettings,
}

/// A source, and a target with its end.
struct Example {
    source: TokenIds,
    target: Vec<u32>,
}

impl WriterLearner {
    fn open(
        start: &Start,
        settings: &GeneratorSettings,
        training: &TrainingSettings,
    ) -> Result<Self> {
        let (seed, place) = (training.seed, single(training.device, training.precision)?);
        for (name, value) in [
            ("the longest source", settings.longest_source),
            ("the longest target", settings.longest_target),
        ] {
            if value < 2 {
                return Err(Error::setting(name, value, "at least 2"));
            }
        }
        let (folder, config, writer) = match start {
            Start::Pretrained(folder) => {
                let config = Settings::open(folder, "config.json")?;
                (folder, config, Writer::open(folder, place)?)
            }
            Start::Configuration(folder) => {
                let config = Settings::open(folder, "config.json")?;
                let writer = Writer::random(&config, seed, place)?;
                (folder, config, writer)
            }
            Start::Encoder { folder, layers } => {
                let config = below_decoder(folder, *layers)?;
                let weights = Tensors::open(folder)?.at(place).renamed("encoder.");
                let writer = Writer::over_encoder(&config, weights, seed)?;
                (folder, config, writer)
            }
        };
        let (read_limit, written) = writer.longest();
        let limit = read_limit.min(settings.longest_source);
        let tokenizer = TextTokenizer::open(folder, writer.read_vocabulary(), limit)?;
        let marks = match start {
            Start::Encoder { .. } => encoder_marks(&tokenizer, folder)?,
            _ => read(folder, usize::from(writer.reads()))?.0,
        };
        needs_end(folder, &marks)?;
        if writer.reads() && settings.longest_target > written {
            let expected = "at most the model's own length";
            return Err(Error::setting("the longest target", settings.longest_target, expected));
        }
        let settings = settings.clone();
        Ok(Self { source: folder.clone(), config, writer, tokenizer, marks, settings })
    }

    fn example(&self, pair: &TextPair<'_>) -> Result<Example> {
        let text = format!("{}{}", self.settings.prefix, pair.source);
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
            let block = self.settings.longest_source;
            let ids: Vec<u32> = ids.into_iter().take(block - 1).collect();
            target.truncate((block - ids.len()).saturating_sub(1));
            let (types, special) = (vec![0; ids.len()], vec![false; ids.len()]);
            TokenIds { ids, types, special }
        };
        target.extend(end);
        Ok(Example { source, target })
    }

    /// The sum of the targets' negative log-likelihoods, and how many tokens they have.
    fn loss(&self, examples: &[&Example], mode: Mode) -> Result<(Tensor, i64)> {
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
        let asked: Vec<i64> =
            examples.iter().flat_map(|e| e.target.iter().map(|&id| i64::from(id))).collect();
        let ids = self.writer.rows(&ids, [rows.len() as i64, longest as i64])?;
        let mut cache = self.writer.cache(memory)?;
        let states = self.writer.states(&ids, None, &mut cache, mode)?;
        let width = states.size3()?.2;
        // Only what is asked for goes through the widest product.
        let places = Place::of(&states).tensor(&places)?;
        let states = states.f_reshape([-1, width])?.f_index_select(0, &places)?;
        let logits = self.writer.logits(&states)?;
        let target = Place::of(&logits).tensor(&asked)?;
        let none = None::<&Tensor>;
        let loss = logits.f_cross_entropy_loss(&target, none, Reduction::Sum, -100, 0.0)?;
        Ok((loss, asked.len() as i64))
    }

    fn save(&self, folder: &Path) -> Result<()> {
        copy_companions(&self.source, folder)?;
        let mut config = self.config.json().clone();
        if let Some(settings) = config.as_object_mut().filter(|_| !self.settings.prefix.is_empty())
        {
            settings.insert("prefix".into(), json!(self.settings.prefix));
        }
        write_atomically(&folder.join("config.json"), format!("{config:#}\n").as_bytes())?;
        let tensors = self.writer.parameters().iter().map(|(name, tensor)| (name.clone(), tensor));
        save(&folder.join("model.safetensors"), tensors)
    }
}

/// The configuration of an encoder below a new decoder of its own width and vocabulary.
fn below_decoder(folder: &Path, layers: usize) -> Result<Settings> {
    if layers == 0 {
        return Err(Error::setting("decoder layers", layers, "at least 1"));
    }
    let encoder = Settings::open(folder, "config.json")?;
    let size = |keys: &[&str]| encoder.size(keys, None);
    let hidden = size(&["hidden_size", "d_model"])?;
    let tokens = size(&["vocab_size"])?;
    let tokenizer = TextTokenizer::open(folder, usize::try_from(tokens).unwrap_or(0), 512)?;
    let marks = encoder_marks(&tokenizer, folder)?;
    let decoder = json!({
        "model_type": "bert",
        "is_decoder": true,
        "add_cross_attention": true,
        "vocab_size": tokens,
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": size(&["num_attention_heads", "encoder_attention_heads"])?,
        "intermediate_size": 4 * hidden,
        "hidden_act": "gelu",
        "max_position_embeddings": 512,
        "type_vocab_size": 1,
        "layer_norm_eps": 1e-12,
        "hidden_dropout_prob": 0.1,
        "attention_probs_dropout_prob": 0.1,
    });
    let config = json!({
        "model_type": "encoder-decoder",
        "architectures": ["EncoderDecoderModel"],
        "is_encoder_decoder": true,
        "tie_word_embeddings": false,
        "decoder_start_token_id": marks.start,
        "eos_token_id": marks.end.first(),
        "pad_token_id": marks.padding,
        "encoder": encoder.json(),
        "decoder": decoder,
    });
    Settings::parse(folder.join("config.json"), config.to_string().as_bytes())
}

/// The marks around an encoder's texts are those of what is written below it.
fn encoder_marks(tokenizer: &TextTokenizer, folder: &Path) -> Result<Marks> {
    let first_of = |names: &[&str]| names.iter().find_map(|name| tokenizer.id(name));
    let end =
        first_of(&["[SEP]", "</s>"]).ok_or_else(|| Error::NoEndToken { folder: folder.into() })?;
    Ok(Marks {
        end: vec![end],
        start: first_of(&["[CLS]", "<s>"]),
        padding: first_of(&["[PAD]", "<pad>"]),
        ..Marks::default()
    })
}

/// The objective.
struct Likelihood<'l> {
    learner: &'l WriterLearner,
    train: Vec<Example>,
    dev: Vec<Example>,
}

impl Objective for Likelihood<'_> {
    fn parameters(&self) -> Vec<(String, Tensor)> {
        self.learner.writer.trained()
    }

    fn lengths(&self) -> Vec<usize> {
        self.train.iter().map(|example| example.source.len() + example.target.len()).collect()
    }

    fn examples(&self) -> String {
        let settings = format!("{:?}", self.learner.settings);
        let sets = [("train", &self.train), ("dev", &self.dev)];
        let all = sets.iter().fold(Fingerprint::new().text(&settings), |all, (name, set)| {
            set.iter().fold(all.text(name), |all, example| {
                all.text(&format!("{:?}", (&example.source.ids, &example.target)))
            })
        });
        all.hex()
    }

    fn keeps_order(&self) -> bool {
        self.learner.settings.in_order
    }

    fn loss(&self, examples: &[usize]) -> Result<Tensor> {
        let examples: Vec<&Example> = examples.iter().filter_map(|&i| self.train.get(i)).collect();
        let (sum, tokens) = self.learner.loss(&examples, Mode::Train)?;
        Ok(sum.f_div_scalar(tokens.max(1) as f64)?)
    }

    /// The mean log-likelihood of the development set's tokens.
    fn evaluate(&self) -> Result<Option<f64>> {
        if self.dev.is_empty() {
            return Ok(None);
        }
        let (mut sum, mut tokens) = (0.0, 0);
        for some in self.dev.chunks(32) {
            let examples: Vec<&Example> = some.iter().collect();
            let (loss, count) = self.learner.loss(&examples, Mode::Infer)?;
            sum += loss.f_to_kind(Kind::Double)?.f_double_value(&[])?;
            tokens += count;
        }
        Ok(Some(-sum / tokens.max(1) as f64))
    }
}
