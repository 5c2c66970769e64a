//! Training of a summariser as BERTSUMABS (Liu and Lapata 2019): a pretrained encoder below a decoder that begins at random, but with the
//! encoder's vectors of words.
//!
//! What is pretrained and what is not must not learn at one speed: each half has an optimiser of its own, the encoder's slower and with a longer
//! warm-up, so that it moves only when the decoder's gradients make sense.

use super::{
    generator::{GeneratorSettings, Likelihood, Start, TextPair, WriterLearner},
    options::TrainingSettings,
    schedule::{Optimizers, Pace},
    trainer::{self, TrainingReport},
};
use crate::error::Result;
use std::path::Path;

/// What a summariser's training has beside the settings of every one, whose learning rate and warm-up it does not use.
#[derive(Debug, Clone, PartialEq)]
pub struct SummarizerSettings {
    /// The decoder's layers, at least 1.
    pub layers: usize,
    /// The length of its vectors, a multiple of 64; the encoder's unless given.
    pub width: Option<usize>,
    /// How fast the encoder learns.
    pub encoder: Pace,
    /// How fast the decoder learns.
    pub decoder: Pace,
    /// The most tokens of a document; the rest is cut off.
    pub longest_document: usize,
    /// The most tokens of a summary.
    pub longest_summary: usize,
}

impl Default for SummarizerSettings {
    /// The published ones: 6 layers, 2e-3 with 20,000 steps of warm-up and 0.1 with 10,000; 512 and 150 tokens.
    fn default() -> Self {
        Self {
            layers: 6,
            width: None,
            encoder: Pace { learning_rate: 2e-3, warm_up_steps: 20_000 },
            decoder: Pace { learning_rate: 0.1, warm_up_steps: 10_000 },
            longest_document: 512,
            longest_summary: 150,
        }
    }
}

/// Trains a summariser over any of the encoders but Qwen3 ([`Error::NoFrame`](crate::Error::NoFrame)), on documents as sources and summaries as targets, and writes a folder that
/// [`TextGenerator`](crate::TextGenerator) and transformers read; the weights under which `dev` is likeliest are kept.
///
/// ```no_run
/// use ko_neural::train::{SummarizerSettings, TextPair, TrainingSettings, train_summarizer};
///
/// let pairs = [TextPair { source: "정부는 오늘 새 정책을 발표했다. 시민들은 환영했다.", target: "새 정책이 발표됐다." }];
/// let settings = SummarizerSettings::default();
/// train_summarizer("albert-kor-base", &pairs, &[], "summarizer", &settings, &TrainingSettings::new())?;
/// # Ok::<(), ko_neural::Error>(())
/// ```
///
/// # Errors
/// What is wrong with the folder, the settings or a text, a loss that is not a number, or a file that cannot be written.
pub fn train_summarizer(
    encoder: impl AsRef<Path>,
    train: &[TextPair<'_>],
    dev: &[TextPair<'_>],
    output: impl AsRef<Path>,
    settings: &SummarizerSettings,
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    let paces = vec![settings.encoder, settings.decoder];
    paces.iter().try_for_each(|pace| pace.check())?;
    let folder = encoder.as_ref().to_owned();
    let start = Start::Encoder { folder, layers: settings.layers, width: settings.width };
    let lengths = GeneratorSettings {
        longest_source: settings.longest_document,
        longest_target: settings.longest_summary,
        in_order: false,
        ..GeneratorSettings::default()
    };
    let learner = WriterLearner::open(&start, &lengths, training)?;
    let group = |name: &str| usize::from(!name.starts_with("encoder."));
    let objective = Likelihood::new(&learner, train, dev)?.by(Optimizers { group, paces });
    let report = trainer::train(&objective, training)?;
    learner.save(output.as_ref())?;
    Ok(report)
}
