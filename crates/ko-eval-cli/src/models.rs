//! Models from folders. Without the feature `torch` none can be opened, and the error says how to get it.

#[cfg(not(feature = "torch"))]
mod absent;
#[cfg(feature = "torch")]
mod torch;

#[cfg(not(feature = "torch"))]
pub(crate) use absent::{
    classifier, devices, embedder, fic, generator, layer_embedder, layers, sts, tagger, train,
};
#[cfg(feature = "torch")]
pub(crate) use torch::{
    classifier, devices, embedder, fic, generator, layer_embedder, layers, sts, tagger, train,
};

use crate::{commands::unused::unused, handover::PROGRAM, names, progress::Shown};
use anyhow::{Result, ensure};
use clap::{
    ValueEnum,
    builder::{PathBufValueParser, TypedValueParser},
};
use ko_eval::{
    Encoder, METRICS, Progress, Spec, model_folder,
    neural::{Device, Precision, Prompt},
};
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// What a command without models says, where there is no [`crate::handover`] either.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NoModels;

impl fmt::Display for NoModels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "models need the program `{PROGRAM}`, which is not installed; `ko-eval setup libtorch` gets libtorch, and the line \
             that it prints builds the program with it (docs/LIBTORCH.md)"
        )
    }
}

impl std::error::Error for NoModels {}

/// What stands before every text that is embedded.
#[derive(Debug, clap::Args)]
pub(crate) struct PromptArgs {
    /// Put the prompt of this name in the folder's config_sentence_transformers.json before every text [default: the one that the
    /// folder calls the default one, if any]
    #[arg(long, value_name = "NAME", conflicts_with = "prefix")]
    prompt: Option<String>,
    /// Put this text and a space before every text, for example `query:` for E5
    #[arg(long, value_name = "TEXT")]
    prefix: Option<String>,
}

impl PromptArgs {
    pub(crate) fn prompt(&self) -> Prompt {
        match (&self.prompt, &self.prefix) {
            (Some(name), _) => Prompt::Named(name.clone()),
            (None, Some(text)) => Prompt::Text(format!("{text} ")),
            (None, None) => Prompt::AsTheFolderSays,
        }
    }
}

/// How models run.
#[derive(Debug, clap::Args)]
pub(crate) struct ModelArgs {
    /// What happens to a text longer than the model reads
    #[arg(long, value_enum, default_value_t)]
    long: Long,
    /// Where models run: auto, cpu, cuda, cuda:N or mps
    #[arg(long, value_name = "DEVICE", default_value_t)]
    device: Device,
    /// Precision of matrix products: f32, bf16 or f16
    #[arg(long, value_name = "KIND", default_value_t)]
    precision: Precision,
    /// Batches at a time, a core each [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The most tokens of a batch; a longer text is a batch of its own [default: 512]
    #[arg(long, value_name = "N")]
    batch_tokens: Option<usize>,
}

/// The policies of the library.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Long {
    /// It is an error
    #[default]
    Error,
    /// Its end is cut off
    Truncate,
    /// It is read in pieces of the model's length
    Chunk,
}

/// How models that write run: over whole texts, in single precision. A program in their place, `--program`, has settings of its own.
#[derive(Debug, clap::Args)]
#[group(conflicts_with = "program")]
pub(crate) struct WritingModelArgs {
    /// What happens to a text longer than the model reads, or one that leaves no room for what is to be written
    #[arg(long, value_enum, default_value_t)]
    long: LongPrompt,
    /// Where the model runs: auto, cpu, cuda, cuda:N or mps
    #[arg(long, value_name = "DEVICE", default_value_t)]
    device: Device,
    /// Batches at a time, a core each [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The most tokens of a batch; a longer text is a batch of its own [default: 512]
    #[arg(long, value_name = "N")]
    batch_tokens: Option<usize>,
}

/// The policies for texts that cannot be read in pieces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LongPrompt {
    /// It is an error
    #[default]
    Error,
    /// Its end is cut off
    Truncate,
}

/// A model's encoders, one per layer.
pub(crate) trait Layers {
    /// How many layers there are.
    fn depth(&self) -> usize;
    /// Vectors from this layer; 0 is the embeddings.
    fn at(&self, layer: usize) -> ko_eval::Result<Arc<dyn Encoder>>;
}

/// What a model is called: its folder's name.
pub(crate) fn name(folder: &Path) -> String {
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
    folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// A metric's model that cannot be a folder: a layer, or a name on the Hub.
pub(crate) fn check_argument(metric: &str) -> Result<()> {
    let spec: Spec = metric.parse()?;
    let takes_model = METRICS.iter().any(|row| row.name == spec.name() && row.argument.is_some());
    let Some(argument) = spec.params.argument().filter(|_| takes_model) else { return Ok(()) };
    ensure!(
        argument.parse::<usize>().is_err() || Path::new(argument).exists(),
        "`{metric}`: `{argument}` is no model; a layer is written `{}:MODEL,layer={argument}`",
        spec.name()
    );
    check_folder(Path::new(argument))
}

/// How metrics over models run.
#[derive(Debug, clap::Args)]
pub(crate) struct MetricModelArgs {
    /// Device of metrics over models that name none: auto, cpu, cuda, cuda:N or mps [default: auto]
    #[arg(long, value_name = "DEVICE")]
    device: Option<Device>,
    /// Precision of matrix products in metrics over models that name none: f32, bf16 or f16 [default: f32]
    #[arg(long, value_name = "KIND")]
    precision: Option<Precision>,
}

impl MetricModelArgs {
    /// The metric with these settings, if it runs a model of ours; what it says itself counts. Signatures name the precision, which
    /// decides digits, but not the device.
    pub(crate) fn of(&self, metric: &str) -> String {
        let Some(spec) = metric.parse().ok().filter(runs_a_model) else { return metric.to_owned() };
        let device = self.device.map(|device| (Device::SETTING.param().name, device.to_string()));
        let precision =
            self.precision.map(|kind| (Precision::SETTING.param().name, kind.to_string()));
        let given = [device, precision].into_iter().flatten();
        given
            .filter(|(name, _)| spec.params.get(name).is_none())
            .fold(metric.to_owned(), |all, (name, value)| {
                names::joined(&all, &format!("{name}={value}"))
            })
    }

    /// Refuses settings that none of the metrics takes.
    pub(crate) fn check<'m>(&self, mut metrics: impl Iterator<Item = &'m str>) -> Result<()> {
        if metrics.any(|metric| metric.parse().is_ok_and(|spec| runs_a_model(&spec))) {
            return Ok(());
        }
        unused(
            "no metric that is asked for runs a model",
            &[("--device", self.device.is_some()), ("--precision", self.precision.is_some())],
        )
    }
}

/// Vectors of another runtime are made where it makes them, and grammar needs none.
fn runs_a_model(spec: &Spec) -> bool {
    let row = METRICS.iter().find(|row| row.name == spec.name());
    let name = Device::SETTING.param().name;
    let takes = row.is_some_and(|row| row.params.iter().any(|param| param.name == name));
    let is_given = |name: &&str| spec.params.get(name).is_some();
    let is_grammar = |part: &&str| {
        let value = spec.params.get(part).unwrap_or_default();
        value.split('@').next() == Some("grammar")
    };
    takes && !["vectors", "program"].iter().any(is_given) && !["fic", "csl"].iter().any(is_grammar)
}

/// The value of every option that names a model: its folder, or its name where set-up installs models.
pub(crate) fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|written| {
        check_folder(&written)?;
        anyhow::Ok(model_folder(written))
    })
}

/// A model that is named as on the Hugging Face Hub, and no folder.
pub(crate) fn check_folder(folder: &Path) -> Result<()> {
    let text = folder.to_string_lossy();
    let is_name = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    match text.split_once('/') {
        Some((owner, name)) if is_name(name) && is_name(owner) && !owner.starts_with('.') => {
            ensure!(
                model_folder(folder).exists() || Path::new(owner).exists(),
                "`{text}` is no folder here. If it is a model's name on the Hugging Face Hub: nothing is downloaded by itself; \
             `hf download {text} --local-dir {name}` gets it, and then `{name}` is the model"
            );
        }
        _ => {}
    }
    Ok(())
}

/// Texts between two steps of the progress bar.
const STEP: usize = 1024;

/// What a model says of every text, with a bar.
pub(crate) fn in_steps<T>(
    texts: &[&str],
    of_some: impl Fn(&[&str]) -> ko_eval::Result<Vec<T>>,
) -> Result<Vec<T>> {
    let shown = Shown::of("texts", Some(texts.len()));
    let mut all = Vec::with_capacity(texts.len());
    for some in texts.chunks(STEP) {
        all.extend(of_some(some).map_err(explained(texts.iter().map(|text| [*text])))?);
        shown.advance(some.len() as u64);
    }
    Ok(all)
}

/// A text that is too long is sought in its lines, each of them several texts, and names the way out.
pub(crate) fn explained<'t, L: IntoIterator<Item = &'t str>>(
    lines: impl IntoIterator<Item = L>,
) -> impl FnOnce(ko_eval::Error) -> anyhow::Error {
    explained_by(lines, "--long truncate or --long chunk reads it all the same")
}

/// The same with another way out.
pub(crate) fn explained_by<'t, L: IntoIterator<Item = &'t str>>(
    lines: impl IntoIterator<Item = L>,
    way_out: &'static str,
) -> impl FnOnce(ko_eval::Error) -> anyhow::Error {
    move |error| match error {
        ko_eval::Error::TooLong { .. } => {
            let letters =
                |line: L| line.into_iter().map(|text| text.chars().count()).max().unwrap_or(0);
            let longest = lines.into_iter().map(letters).zip(1..).max().map_or(1, |(_, line)| line);
            anyhow::anyhow!("line {longest} has the longest text: {error}; {way_out}")
        }
        error => error.into(),
    }
}
