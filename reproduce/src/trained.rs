//! The checks that train models on real data and measure them.
//!
//! A training that was interrupted goes on where it was; one that ended is not done again. A
//! rehearsal (`--every`) learns from a few examples only, into a folder of its own.

mod labels;
mod probe;
mod sentences;
mod tones;
mod writers;

use crate::{Check, prelude::*};
use anyhow::Result;
use clap::Args;
use ko_eval::{
    PairScorer as _, Progress, SentenceEmbedder,
    files::write_atomically,
    neural::{kosmic::*, read::*, train::*, vector::cosine, *},
};
use std::{num::NonZeroUsize, thread};

/// In an order in which each finds what it builds on.
pub(crate) const CHECKS: &[Check] = &[
    ("sts", sentences::sts),
    ("fic", tones::fic),
    ("kosmic", tones::kosmic),
    ("sbert", sentences::sbert),
    ("losses", sentences::losses),
    ("bertscore", sentences::bertscore),
    ("rdass", sentences::rdass),
    ("probe-albert", probe::albert),
    ("entities", labels::entities),
    ("ethics", labels::ethics),
    ("fwa", writers::fwa),
    ("commongen-bart", writers::bart),
    ("commongen-albert", writers::albert),
    ("commongen-deletion", writers::deletion),
];

/// How models are trained and run.
#[derive(Args)]
pub(crate) struct Models {
    /// Threads of trainings and of measuring models [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The numbers that models multiply in: f32, or bf16, which is faster where the processor has
    /// it
    #[arg(long, value_name = "KIND", default_value_t)]
    precision: Precision,
    /// Rehearse: only every N-th example of what models learn from and are judged on
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
}

/// The file of a model's folder that says that it is trained.
const TRAINED: &str = "training.json";

/// Writes how far long work is.
fn progress() -> Arc<dyn Progress + Send> {
    Arc::new(Periodic::new(Duration::from_secs(30), |line: &str| eprintln!("{line}")))
}

impl Context {
    /// The folder of a trained model.
    fn folder(&self, name: &str) -> PathBuf {
        let whole = self.models.every.get() == 1;
        home().join(if whole { "neural" } else { "neural-rehearsal" }).join(name)
    }

    /// The pretrained encoder that all start from.
    fn backbone(&self) -> Result<PathBuf> {
        let backbone = home().join("albert-kor-base");
        ensure!(backbone.is_dir(), "{} is missing: cargo xtask setup albert", backbone.display());
        Ok(backbone)
    }

    fn threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        self.models.threads.unwrap_or_else(cores).max(1)
    }

    /// All examples, or those of a rehearsal.
    fn some<T>(&self, examples: impl IntoIterator<Item = T>) -> Vec<T> {
        examples.into_iter().step_by(self.models.every.get()).collect()
    }

    fn inference(&self) -> Inference {
        let inference = Inference::new().threads(self.threads()).precision(self.models.precision);
        inference.long_text(LongText::Truncate)
    }

    fn embedder(&self, folder: &Path) -> Result<Embedder> {
        Ok(Embedder::open(folder, &self.inference())?)
    }

    /// Reports how long the trainings of some models took together, all of their runs, in minutes
    /// of two cores: half of what one thread took.
    fn time(&self, report: &mut Report<'_>, names: &[impl AsRef<str>]) -> Result<()> {
        let mut minutes = 0.0;
        for folder in names.iter().map(|name| self.folder(name.as_ref())) {
            let trained: Value = serde_json::from_str(&read(&folder.join(TRAINED))?)?;
            let threads = trained["threads"].as_f64().context("training.json without threads")?;
            let log = read(&folder.join("log.jsonl"))?;
            // A line that a killed run left half written says nothing.
            let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let (mut done, mut last) = (0.0, 0.0);
            for seconds in lines.filter_map(|line| line["seconds"].as_f64()) {
                // Every run counts from 0.
                done += if seconds < last { last } else { 0.0 };
                last = seconds;
            }
            minutes += (done + last) / 60.0 * threads / 2.0;
        }
        report.figure("minutes of training, on two cores", minutes)
    }

    /// Returns the folder of a trained model; trains it first if it is not there. One that was
    /// trained by other settings is not taken for it, but for the numbers that it multiplies in.
    fn trained(
        &self,
        name: &str,
        settings: impl Fn(TrainingBuilder) -> TrainingBuilder,
        train: impl Fn(&PathBuf, &TrainingSettings) -> ko_eval::neural::Result<TrainingReport>,
    ) -> Result<PathBuf> {
        let (folder, threads) = (self.folder(name), self.threads());
        let builder = TrainingSettings::builder().threads(threads).precision(self.models.precision);
        let builder = settings(builder).progress(progress()).log(folder.join("log.jsonl"));
        let training = builder.checkpoint(folder.join("checkpoint"), 100).build()?;
        let (mut recipe, done) = (serde_json::to_value(&training)?, folder.join(TRAINED));
        recipe.as_object_mut().and_then(|recipe| recipe.remove("precision"));
        if done.is_file() {
            let trained: Value = serde_json::from_str(&read(&done)?)?;
            let same = trained["settings"] == recipe;
            ensure!(same, "{} was trained by another recipe: remove it first", folder.display());
            return Ok(folder);
        }
        fs::create_dir_all(&folder)?;
        let report = train(&folder, &training)?;
        println!(
            "{name}: {} steps in {:.0} s, loss {:.4}, best on the development set {:?}",
            report.steps, report.seconds, report.final_loss, report.best_score
        );
        let mut trained = serde_json::to_value(&report)?;
        (trained["threads"], trained["settings"]) = (threads.into(), recipe);
        fs::write(done, serde_json::to_string_pretty(&trained)?)?;
        fs::remove_dir_all(folder.join("checkpoint"))?;
        Ok(folder)
    }
}

/// Returns the chance that one of these numbers is greater than one of those; ties count half.
fn separation(greater: &[f64], smaller: &[f64]) -> f64 {
    let smaller = smaller.iter().map(|value| (*value, false));
    auc(greater.iter().map(|value| (*value, true)).chain(smaller))
}

/// Reports the mean of one figure under several seeds, and its standard deviation (n − 1).
fn spread(report: &mut Report<'_>, table: &str, column: &str, values: &[f64]) -> Result<()> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    report.value(table, "mean of the seeds", column, mean)?;
    let deviation = (squares / (values.len() as f64 - 1.0)).sqrt();
    report.value(table, "standard deviation (n − 1)", column, deviation)
}
