//! Where a training of a generator starts.

use super::{
    GeneratorSettings, TextPair,
    vocabulary::{self, Shape},
};
use crate::{
    error::{Error, Result},
    files::generation::{self, Marks},
    model::{
        config::Settings, network::Network, place::Place, tokenizer::TextTokenizer, writer::Writer,
    },
};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Where a training starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// A folder with weights.
    Pretrained(PathBuf),
    /// A folder with `config.json` and a tokenizer; the weights are random.
    Configuration(PathBuf),
    /// A folder with one of the encoders but Qwen3, whose vocabulary has no marks around a text, below a new decoder of so many layers whose weights are
    /// random, but for its words' vectors: it begins with the encoder's.
    Encoder {
        /// The encoder's folder.
        folder: PathBuf,
        /// The decoder's layers, at least 1.
        layers: usize,
        /// The length of the decoder's vectors, a multiple of 64, which is what each of its heads has; the encoder's length and heads unless
        /// given.
        width: Option<usize>,
    },
    /// A new model: random weights, and a vocabulary that is learned from the training texts.
    New {
        /// What the model looks like.
        shape: Shape,
        /// The most pieces of its vocabulary, marks included.
        vocabulary: usize,
    },
}

impl Start {
    /// The same as a start from a folder: what a new model needs is learned and put into `output`.
    pub(super) fn prepared(
        &self,
        train: &[TextPair<'_>],
        output: &Path,
        settings: &GeneratorSettings,
    ) -> Result<Self> {
        match self {
            Self::New { shape, vocabulary } => {
                let texts = train.iter().flat_map(|pair| [pair.source, pair.target]);
                let longest = settings.longest_target;
                vocabulary::prepare(shape, *vocabulary, longest, texts, output)?;
                Ok(Self::Configuration(output.to_owned()))
            }
            other => Ok(other.clone()),
        }
    }
}

/// A model to begin with.
pub(super) struct Begun {
    pub(super) folder: PathBuf,
    /// The whole `config.json` that is written.
    pub(super) config: Settings,
    pub(super) writer: Writer,
}

impl Begun {
    pub(super) fn open(start: &Start, seed: u64, place: Place) -> Result<Self> {
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
            Start::Encoder { folder, layers, width } => {
                let config = below_decoder(folder, *layers, *width)?;
                // Its family knows where the encoder stands in its file.
                let (_, _, weights) = Network::parts(folder, place)?;
                let writer = Writer::over_encoder(&config, weights, seed)?;
                (folder, config, writer)
            }
            Start::New { .. } => {
                return Err(Error::Operation("a new model without its vocabulary".into()));
            }
        };
        Ok(Self { folder: folder.clone(), config, writer })
    }

    /// The marks of what is written; its first token may be another than the folder says.
    pub(super) fn marks(
        &self,
        start: &Start,
        tokenizer: &TextTokenizer,
        first_token: Option<&str>,
    ) -> Result<Marks> {
        let (reads, vocabulary) = (self.writer.reads(), self.writer.vocabulary());
        let mut marks = match start {
            Start::Encoder { .. } => encoder_marks(tokenizer, &self.folder)?,
            _ => generation::of_model(&self.folder, tokenizer, reads, vocabulary)?.0,
        };
        if let Some(token) = first_token {
            if !reads {
                let expected = "unset: a model without an encoder goes on from its source";
                return Err(Error::setting("the first token", token, expected));
            }
            let id = tokenizer.id(token);
            marks.forced_first =
                Some(id.ok_or_else(|| Error::UnknownToken { token: token.into() })?);
        }
        marks.check(&self.folder, reads, vocabulary)?;
        Ok(marks)
    }
}

/// What each head of a decoder of another width than its encoder has.
const HEAD_WIDTH: usize = 64;

/// The configuration of an encoder below a new decoder of its own vocabulary.
fn below_decoder(folder: &Path, layers: usize, width: Option<usize>) -> Result<Settings> {
    if layers == 0 {
        return Err(Error::setting("decoder layers", layers, "at least 1"));
    }
    let encoder = Settings::open(folder, "config.json")?;
    let size = |keys: &[&str]| encoder.size(keys, None);
    let heads_of = |width: usize| match width % HEAD_WIDTH {
        0 if width > 0 => Ok((width as i64, (width / HEAD_WIDTH) as i64)),
        _ => Err(Error::setting("decoder width", width, "a multiple of 64")),
    };
    let own = || -> Result<(i64, i64)> {
        let heads = size(&["num_attention_heads", "encoder_attention_heads"])?;
        Ok((size(&["hidden_size", "d_model"])?, heads))
    };
    let (hidden, heads) = width.map_or_else(own, heads_of)?;
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
        "num_attention_heads": heads,
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
    let missing = |missing| Error::NoFrame { folder: folder.into(), missing };
    let (end, start) = match (first_of(&["[SEP]", "</s>"]), first_of(&["[CLS]", "<s>"])) {
        (Some(end), Some(start)) => (end, start),
        (Some(_), None) => return Err(missing("neither of the first two")),
        (None, Some(_)) => return Err(missing("neither of the last two")),
        (None, None) => return Err(missing("none of them")),
    };
    Ok(Marks {
        end: vec![end],
        start: Some(start),
        padding: first_of(&["[PAD]", "<pad>"]),
        ..Marks::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        batch::Batch,
        block::Mode,
        head::copy_companions,
        numbers,
        weights::{Tensors, save},
    };

    const FOLDERS: [&str; 10] = [
        "albert",
        "bart",
        "bert",
        "deberta-v2",
        "deberta-v3",
        "electra",
        "mbart",
        "modernbert",
        "roberta",
        "xlm-roberta",
    ];

    fn begun(folder: &Path) -> Result<Begun> {
        let start = Start::Encoder { folder: folder.into(), layers: 1, width: None };
        Begun::open(&start, 1, Place::default())
    }

    /// Every family that may stand below a decoder gives a folder that writes; of the others the error says what they lack.
    #[test]
    fn every_encoder_with_marks_may_stand_below_a_decoder() {
        use crate::{Inference, TextGenerator, train::TrainingSettings};
        use ko_eval_model::{Decoding, Generator, Prompt};
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
        let settings = GeneratorSettings {
            longest_source: 20,
            longest_target: 20,
            ..GeneratorSettings::default()
        };
        let training = TrainingSettings::builder().threads(1).build().unwrap();
        for name in FOLDERS {
            let start = Start::Encoder { folder: models.join(name), layers: 1, width: None };
            let learner = super::super::WriterLearner::open(&start, &settings, &training).unwrap();
            let out = tempfile::tempdir().unwrap();
            learner.save(out.path()).unwrap();
            let model = TextGenerator::open(out.path(), &Inference::new().threads(1)).unwrap();
            model.generate(&[Prompt::new("비가 온다")], &Decoding::greedy(3)).unwrap();
        }
        let error = begun(&models.join("qwen3")).err().unwrap();
        let said = matches!(error, Error::NoFrame { missing: "none of them", .. });
        assert!(said, "{error}");
    }

    /// What is written has the vectors of what is read; in another width, nearly their products.
    #[test]
    fn the_decoder_begins_with_the_encoders_words() {
        let name = "decoder.bert.embeddings.word_embeddings.weight";
        for (folder, width) in [("bert", None), ("albert", Some(256))] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(folder);
            let own = Network::open(&folder, Place::default()).unwrap();
            let start = Start::Encoder { folder, layers: 1, width };
            let begun = Begun::open(&start, 1, Place::default()).unwrap();
            let words = begun.writer.parameters()[name].detach();
            let read = own.words().detach();
            if width.is_none() {
                assert_eq!(numbers(&words).unwrap(), numbers(&read).unwrap());
            }
            let lengths = |of: &tch::Tensor| numbers(&of.square().sum(tch::Kind::Float)).unwrap();
            let ratio = lengths(&words)[0] / lengths(&read)[0];
            assert!((0.8..1.25).contains(&ratio), "{ratio}");
        }
    }

    /// Of every family: what a new summariser reads by is the folder's encoder, and never random.
    #[test]
    fn the_encoder_is_the_folders_own() {
        for name in FOLDERS {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name);
            let own = Network::open(&folder, Place::default()).unwrap();
            let rows = usize::try_from(own.config().vocabulary).unwrap();
            let tokenizer = TextTokenizer::open(&folder, rows, own.longest()).unwrap();
            let mut text = tokenizer.encode("나는 밥을 먹었다.", crate::LongText::Error).unwrap();
            let text = text.remove(0);
            let batch = Batch::new(&[&text], Place::default()).unwrap();
            let depth = own.depth();
            let states = own.states(&batch, depth..=depth, Mode::Infer).unwrap();
            let read = begun(&folder).unwrap().writer.read(&[&text], Mode::Infer).unwrap();
            let (ours, theirs) = (&states[0], read.unwrap().states);
            assert_eq!(numbers(ours).unwrap(), numbers(&theirs).unwrap(), "{name}");

            // The same file without any one tensor of the encoder.
            let copy = tempfile::tempdir().unwrap();
            copy_companions(&folder, copy.path()).unwrap();
            let file = copy.path().join("model.safetensors");
            let parameters = own.parameters();
            for missing in [parameters.keys().next(), parameters.keys().last()] {
                let missing = missing.unwrap();
                let kept = parameters.iter().filter(|(name, _)| *name != missing);
                save(&file, kept.map(|(name, tensor)| (name.clone(), tensor))).unwrap();
                assert!(!Tensors::read(file.clone()).unwrap().holds(missing));
                let error = begun(copy.path()).err().unwrap();
                let said = matches!(&error, Error::MissingTensor { tensor, .. } if tensor.ends_with(missing.as_str()));
                assert!(said, "{name}: {error}");
            }
        }
    }
}
