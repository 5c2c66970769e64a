//! An encoder with a head of labels in training: its tokenizer, and the folder it came from.

use super::{learner::EVALUATION_TOKENS, losses, options::TrainingSettings, supervised::Trained};
use crate::{
    error::Result,
    files::labels::joined,
    model::{
        batch::Batch,
        block::Mode,
        classification::{ClassificationHead, Level, open_for_training, save},
        network::Network,
        place::Place,
        replicas::Replicas,
        runner,
        tokenizer::{TextTokenizer, TokenIds},
    },
};
use ko_eval_model::LabelSet;
use std::path::{Path, PathBuf};
use tch::Tensor;

pub(super) struct Labeller {
    source: PathBuf,
    network: Network,
    head: ClassificationHead,
    sets: Vec<LabelSet>,
    pub(super) tokenizer: TextTokenizer,
}

impl Labeller {
    /// Loads a backbone and puts a new head on it, for the labels that are found once texts can be cut into tokens.
    pub(super) fn open(
        backbone: &Path,
        level: Level,
        training: &TrainingSettings,
        sets: impl FnOnce(&TextTokenizer) -> Result<Vec<LabelSet>>,
    ) -> Result<Self> {
        let place = Place::open(training.device, training.precision)?.for_training();
        let (network, head) =
            open_for_training(backbone, level, place, training.seed, training.dropout)?;
        let rows = usize::try_from(network.config().vocabulary).unwrap_or(0);
        let limit = network.longest().min(training.longest);
        let tokenizer = TextTokenizer::open(backbone, rows, limit)?;
        let sets = sets(&tokenizer)?;
        let head = head.with_labels(sets.iter().map(|set| set.labels.len()).sum())?;
        Ok(Self { source: backbone.into(), network, head, sets, tokenizer })
    }

    pub(super) fn batch(&self, texts: &[&TokenIds]) -> Result<Batch> {
        Batch::new(texts, self.network.place())
    }

    /// The loss by the [right labels](losses::labels), with gradients. A row is a text, or a token as they lie in the batch.
    pub(super) fn loss(&self, batch: &Batch, right: &[Vec<i64>]) -> Result<Tensor> {
        let numbers = self.head.forward(&self.network, batch, Mode::Train)?;
        let counts: Vec<i64> = self.sets.iter().map(|set| set.labels.len() as i64).collect();
        losses::labels(&numbers, &counts, right)
    }

    /// The numbers of many texts, without gradients.
    pub(super) fn numbers(&self, texts: &[TokenIds]) -> Result<Vec<Vec<f32>>> {
        let threads = usize::try_from(tch::get_num_threads()).unwrap_or(1);
        let twin = || Ok((self.network.twin()?, self.head.twin()?));
        let replicas = Replicas::new(twin()?, self.network.place(), threads, |_| twin())?;
        runner::run(&replicas, EVALUATION_TOKENS, texts, |(network, head), batch| {
            head.numbers(network, batch)
        })
    }

    /// Writes an ordinary model folder.
    pub(super) fn save(&self, folder: &Path) -> Result<()> {
        save(folder, &self.source, &self.network, &self.head, &joined(&self.sets))
    }
}

impl Trained for Labeller {
    fn parameters(&self) -> Vec<(String, Tensor)> {
        let named = |part: &'static str| {
            move |(name, tensor): (&String, &Tensor)| {
                (format!("{part}.{name}"), tensor.shallow_clone())
            }
        };
        let encoder = self.network.parameters().iter().map(named("encoder"));
        encoder.chain(self.head.parameters().iter().map(named("head"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LongText;

    /// A layer that stands in an ALBERT several times has the gradient of all its places: the loss rises along it as fast as it is long.
    #[test]
    fn shared_layers_have_their_gradients() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/labels/albert-token");
        let folder = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir(source).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
        }
        // Without dropout a loss is the same every time, whatever other tests draw meanwhile.
        let config = folder.path().join("config.json");
        let text = std::fs::read_to_string(&config).unwrap();
        let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
        for key in
            ["hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout_prob"]
        {
            json[key] = 0.0.into();
        }
        std::fs::write(&config, json.to_string()).unwrap();
        let training = TrainingSettings::builder().threads(1).build().unwrap();
        let labels = ["O", "B-PS", "I-PS"].map(str::to_owned).to_vec();
        let set = LabelSet { name: String::new(), labels };
        let labeller =
            Labeller::open(folder.path(), Level::Token, &training, |_| Ok(vec![set])).unwrap();
        let runs = labeller.tokenizer.encode("우리는 밥을 먹었다.", LongText::Error).unwrap();
        let batch = labeller.batch(&[&runs[0]]).unwrap();
        let right: Vec<i64> = (0..runs[0].len() as i64).map(|place| place % 3).collect();
        let loss = || labeller.loss(&batch, std::slice::from_ref(&right)).unwrap();
        let parameters = labeller.parameters();
        for (_, tensor) in &parameters {
            let _ = tensor.set_requires_grad(true);
        }
        loss().backward();
        let mut shared = 0;
        for (name, tensor) in &parameters {
            let gradient = tensor.grad();
            let length = if gradient.defined() { gradient.norm().double_value(&[]) } else { 0.0 };
            if length < 0.02 {
                continue;
            }
            let _frozen = tch::no_grad_guard();
            let (kept, step) = (tensor.copy(), gradient * (0.01 / length));
            let at = |numbers: Tensor| {
                tensor.shallow_clone().copy_(&numbers);
                loss().double_value(&[])
            };
            let rise = (at(&kept + &step) - at(&kept - &step)) / 0.02;
            at(kept);
            assert!((rise / length - 1.0).abs() < 0.05, "{name}: {rise}, not {length}");
            shared += usize::from(name.contains("albert_layer_groups"));
        }
        assert!(shared > 4, "only {shared} tensors of the shared layer moved");
    }
}
