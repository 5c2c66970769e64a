//! Trains the neural models on real data and measures them: the neural half of `cargo xtask reproduce`.
//!
//! `KO_EVAL_DATA` names the folder of the data, `KO_EVAL_HOME` where the Korean ALBERT lies. What is trained goes to
//! `neural` under `KO_EVAL_HOME` and is never part of the repository. A training that was interrupted goes on where it
//! was; one that ended is not done again. A rehearsal (`--every`) learns from a few examples only, into `neural-rehearsal`.

mod bertscore;
mod commongen;
mod entities;
mod ethics;
mod fic;
mod fwa;
mod kosmic;
mod losses;
mod probe;
mod rdass;
mod report;
mod sbert;
mod sts;
mod tones;

use anyhow::{Context as _, Result, bail};
use clap::Parser;
use ko_eval_core::{Periodic, Progress};
use ko_neural::{
    Inference, LongText, Precision,
    train::{TrainingBuilder, TrainingReport, TrainingSettings},
};
use report::Check;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{env, num::NonZeroUsize, path::PathBuf, sync::Arc, thread, time::Duration};

/// The most that the training of a tagger or a classifier may take on two cores, that of SBERT, and that of a model that writes.
const MINUTES: f64 = 40.0;
const MINUTES_OF_SBERT: f64 = 60.0;
const MINUTES_OF_WRITERS: f64 = 45.0;

/// How long a training is silent.
const SILENCE: Duration = Duration::from_secs(30);

#[derive(Parser)]
enum Task {
    /// Train what is missing, then measure
    Reproduce {
        /// Only these: sts, fic, kosmic, sbert, losses, bertscore, rdass, probe, entities, ethics, fwa, commongen, commongen-albert, commongen-deletion; all without a name
        only: Vec<String>,
        /// Threads of trainings and of measuring [default: all cores]
        #[arg(long, value_name = "N")]
        threads: Option<usize>,
        /// The numbers that products are made in: f32, or bf16, which is faster where the processor has it
        #[arg(long, value_name = "KIND", default_value_t)]
        precision: Precision,
        /// Only every N-th example of KorSTS, of CommonGen and of what SBERT, FWA and probes learn from: a rehearsal
        #[arg(long, value_name = "N", default_value = "1")]
        every: NonZeroUsize,
    },
}

/// One proof: trains what it needs, and says what it measured.
type Proof = fn(&Context) -> Result<Vec<Check>>;

/// Every proof by its name, in an order in which each finds what it builds on.
const PROOFS: &[(&str, Proof)] = &[
    ("sts", sts::prove),
    ("fic", fic::prove),
    ("kosmic", kosmic::prove),
    ("sbert", sbert::prove),
    ("losses", losses::prove),
    ("bertscore", bertscore::prove),
    ("rdass", rdass::prove),
    ("probe", probe::prove),
    ("entities", entities::prove),
    ("ethics", ethics::prove),
    ("fwa", fwa::prove),
    ("commongen", commongen::prove),
    ("commongen-albert", commongen::prove_albert),
    ("commongen-deletion", commongen::prove_deletion),
];

fn main() -> Result<()> {
    let Task::Reproduce { only, threads, precision, every } = Task::parse();
    if let Some(unknown) = only.iter().find(|name| !PROOFS.iter().any(|(known, _)| known == *name))
    {
        let known: Vec<_> = PROOFS.iter().map(|(name, _)| *name).collect();
        bail!("no proof `{unknown}`; known: {}", known.join(", "));
    }
    let context = Context::from_environment(threads, precision, every)?;
    let mut failed = false;
    for (name, prove) in PROOFS {
        if only.is_empty() || only.iter().any(|wanted| wanted == name) {
            for check in prove(&context).with_context(|| format!("proof `{name}`"))? {
                println!("{name}: {check}");
                failed |= !check.holds();
            }
        }
    }
    if failed { bail!("a figure is out of its bound") } else { Ok(()) }
}

/// Where everything lies, and how models run.
struct Context {
    data: PathBuf,
    models: PathBuf,
    backbone: PathBuf,
    threads: usize,
    precision: Precision,
    every: NonZeroUsize,
}

/// What a training came to, by which settings, and how many threads it had.
#[derive(Serialize, Deserialize)]
struct Trained {
    #[serde(flatten)]
    report: TrainingReport,
    threads: usize,
    settings: Value,
}

/// All that tells one recipe from another: in which numbers products were made is told apart.
fn recipe(training: &TrainingSettings) -> Result<Value> {
    let mut settings = serde_json::to_value(training)?;
    settings.as_object_mut().and_then(|settings| settings.remove("precision"));
    Ok(settings)
}

/// The file of a model's folder that says that it is trained.
const TRAINED: &str = "training.json";

/// Who hears how far long work is.
fn progress() -> Arc<dyn Progress + Send> {
    Arc::new(Periodic::new(SILENCE, |line: &str| eprintln!("{line}")))
}

impl Context {
    fn from_environment(
        threads: Option<usize>,
        precision: Precision,
        every: NonZeroUsize,
    ) -> Result<Self> {
        let home = ko_eval_core::home();
        let backbone = home.join("albert-kor-base");
        if !backbone.is_dir() {
            bail!("{} is missing: cargo xtask setup albert", backbone.display());
        }
        let data = env::var_os("KO_EVAL_DATA").map_or("../shared/data".into(), PathBuf::from);
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or_else(cores);
        let models = home.join(if every.get() == 1 { "neural" } else { "neural-rehearsal" });
        Ok(Self { data, models, backbone, threads, precision, every })
    }

    /// All examples, or those of a rehearsal.
    fn some<T>(&self, examples: impl IntoIterator<Item = T>) -> Vec<T> {
        examples.into_iter().step_by(self.every.get()).collect()
    }

    fn inference(&self) -> Inference {
        let inference = Inference::new().threads(self.threads).precision(self.precision);
        inference.long_text(LongText::Truncate)
    }

    /// How long a model's training took, all of its runs together, in minutes of two cores: half of what one thread took.
    fn minutes(&self, name: &str) -> Result<f64> {
        #[derive(Deserialize)]
        struct Line {
            seconds: f64,
        }
        let folder = self.models.join(name);
        let trained: Trained = serde_json::from_slice(&std::fs::read(folder.join(TRAINED))?)?;
        let log = std::fs::read_to_string(folder.join("log.jsonl"))?;
        let (mut done, mut last) = (0.0, 0.0);
        // A line that a killed run left half written says nothing.
        for Line { seconds } in log.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            // Every run counts from 0.
            done += if seconds < last { last } else { 0.0 };
            last = seconds;
        }
        Ok((done + last) / 60.0 * trained.threads as f64 / 2.0)
    }

    /// Whether the trainings of some models took no longer together than they may.
    fn timely(&self, names: &[&str], most: f64) -> Result<Check> {
        let minutes = names.iter().map(|name| self.minutes(name)).sum::<Result<f64>>()?;
        Ok(Check::below("minutes of training, on two cores", minutes, most))
    }

    /// The folder of a trained model; trains it first if it is not there. One that was trained by other settings is not taken for it.
    fn trained(
        &self,
        name: &str,
        settings: impl Fn(TrainingBuilder) -> TrainingBuilder,
        train: impl Fn(&PathBuf, &TrainingSettings) -> ko_neural::Result<TrainingReport>,
    ) -> Result<PathBuf> {
        let folder = self.models.join(name);
        let done = folder.join(TRAINED);
        let builder = TrainingSettings::builder().threads(self.threads).precision(self.precision);
        let training = settings(builder)
            .progress(progress())
            .log(folder.join("log.jsonl"))
            .checkpoint(folder.join("checkpoint"), 100)
            .build()?;
        let settings = recipe(&training)?;
        if done.is_file() {
            let trained: Trained = serde_json::from_slice(&std::fs::read(&done)?)
                .with_context(|| done.display().to_string())?;
            if trained.settings != settings {
                bail!("{} was trained by another recipe: remove it first", folder.display());
            }
            return Ok(folder);
        }
        std::fs::create_dir_all(&folder)?;
        let report = train(&folder, &training)?;
        println!(
            "{name}: {} steps in {:.0} s, loss {:.4}, best on the development set {:?}",
            report.steps, report.seconds, report.final_loss, report.best_score
        );
        let trained = Trained { report, threads: self.threads, settings };
        std::fs::write(done, serde_json::to_string_pretty(&trained)?)?;
        std::fs::remove_dir_all(folder.join("checkpoint"))?;
        Ok(folder)
    }
}
