//! What stands on an encoder: one linear layer, saved beside the encoder's own files.

use super::{
    block::Linear,
    config::Settings,
    place::Place,
    weights::{Tensors, save},
};
use crate::{
    error::{Error, Result},
    pooling::Pooling,
};
use ko_eval_io::files::write_atomically;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use tch::Tensor;

/// A linear layer over pooled vectors.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) task: Task,
    pub(crate) pooling: Pooling,
    weight: Tensor,
    bias: Tensor,
    linear: Linear,
}

/// What a saved model was trained for; its head is of no use for anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    /// Similarity of a pair, 0 to 1 after the logistic function.
    Sts,
    /// The probability that a text is formal, after the logistic function.
    Fic,
    /// Entailment, neutral, contradiction over (u, v, |u − v|).
    Nli,
}

impl Task {
    const ALL: [(Self, &str); 3] = [(Self::Sts, "sts"), (Self::Fic, "fic"), (Self::Nli, "nli")];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(task, _)| *task == self).map_or("", |(_, name)| name)
    }

    /// The head's sizes over vectors of `width`.
    fn sizes(self, width: i64) -> (i64, i64) {
        match self {
            Self::Sts | Self::Fic => (width, 1),
            Self::Nli => (3 * width, 3),
        }
    }
}

impl Head {
    /// Small random weights, the same for the same seed.
    pub(crate) fn new(
        task: Task,
        pooling: Pooling,
        width: i64,
        seed: u64,
        place: Place,
    ) -> Result<Self> {
        let (from, to) = task.sizes(width);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // Uniform with standard deviation 0.02, the spread that transformers begin with.
        let spread = 0.02 * 3f32.sqrt();
        let unit = |rng: &mut ChaCha8Rng| (rng.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0;
        let numbers: Vec<f32> = (0..from * to).map(|_| spread * unit(&mut rng)).collect();
        let weight = place.tensor(&numbers)?.f_view([to, from])?;
        let bias = place.tensor(&vec![0f32; to as usize])?;
        Ok(Self::over(task, pooling, weight, bias))
    }

    fn over(task: Task, pooling: Pooling, weight: Tensor, bias: Tensor) -> Self {
        let linear = Linear::new(weight.shallow_clone(), bias.shallow_clone());
        Self { task, pooling, weight, bias, linear }
    }

    pub(crate) fn twin(&self) -> Self {
        let (weight, bias) = (self.weight.shallow_clone(), self.bias.shallow_clone());
        Self::over(self.task, self.pooling, weight, bias)
    }

    pub(crate) fn forward(&self, pooled: &Tensor) -> Result<Tensor> {
        self.linear.forward(pooled)
    }

    pub(crate) fn parameters(&self) -> [(&'static str, &Tensor); 2] {
        [("weight", &self.weight), ("bias", &self.bias)]
    }

    /// Reads `head.json`, which says what the head is for.
    pub(crate) fn stated(folder: &Path, task: Task) -> Result<Settings> {
        let file = Settings::open(folder, "head.json")?;
        let stated = file.text(&["task"]).unwrap_or_default();
        if stated != task.name() {
            let reason = format!("the head is for `{stated}`, not for `{}`", task.name());
            return Err(Error::bad(file.path(), reason));
        }
        Ok(file)
    }

    /// Reads `head.json` and `head.safetensors`.
    pub(crate) fn open(folder: &Path, task: Task, width: i64, place: Place) -> Result<Self> {
        let file = Self::stated(folder, task)?;
        let pooling =
            file.text(&["pooling"]).and_then(|name| name.parse().ok()).ok_or_else(|| {
                file.bad(&["pooling"], "expected cls, mean, max, last or mean-of-last-K")
            })?;
        let mut weights = Tensors::read(folder.join("head.safetensors"))?.at(place);
        let (from, to) = task.sizes(width);
        let weight = weights.take("weight", &[to, from])?;
        let bias = weights.take("bias", &[to])?;
        Ok(Self::over(task, pooling, weight, bias))
    }

    /// Writes `head.json` and `head.safetensors`.
    pub(crate) fn save(&self, folder: &Path) -> Result<()> {
        let json = serde_json::json!({
            "task": self.task.name(),
            "pooling": self.pooling.to_string(),
        });
        write_atomically(&folder.join("head.json"), format!("{json:#}\n").as_bytes())?;
        let named = self.parameters().map(|(name, tensor)| (name.to_owned(), tensor));
        save(&folder.join("head.safetensors"), named)
    }
}

/// The files beside the weights that make a folder load again.
pub(crate) fn copy_companions(from: &Path, to: &Path) -> Result<()> {
    const NAMES: [&str; 7] = [
        "config.json",
        "generation_config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "special_tokens_map.json",
        "vocab.txt",
        "LICENSE",
    ];
    std::fs::create_dir_all(to).map_err(|e| Error::io(to, e))?;
    let files = std::fs::read_dir(from).map_err(|e| Error::io(from, e))?;
    for source in files.filter_map(|file| Some(file.ok()?.path())) {
        let Some(name) = source.file_name() else { continue };
        let wanted = NAMES.iter().any(|wanted| name == *wanted)
            // SentencePiece's models, whose names differ.
            || source.extension().is_some_and(|extension| extension == "model");
        if wanted && source.is_file() && from != to {
            std::fs::copy(&source, to.join(name)).map_err(|e| Error::io(&source, e))?;
        }
    }
    Ok(())
}
