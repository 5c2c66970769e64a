//! `ko-eval train sbert`: stage after stage, each from the model that the one before wrote.

use super::{
    super::{Sbert, Settings},
    beside, settings, watched, written_texts,
};
use crate::{
    output::{Cell, Report},
    progress::Shown,
};
use anyhow::{Context, Result, bail, ensure};
use ko_eval::{
    Spec, files,
    neural::{
        read::{NliPair, RankedText, ScoredPair, nli, ranked, sts},
        train::{Stage, StageRecord, TrainingBuilder, TrainingReport, train_sbert},
    },
};
use serde::de::DeserializeOwned;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

/// What a stage can change of the settings of all.
const OWN: [&str; 4] = ["epochs", "batch", "learning-rate", "dropout"];

pub(super) fn train(args: &Sbert) -> Result<()> {
    let start = Instant::now();
    // Everything is read and checked before anything is written.
    let dev = watched(&args.dev, sts)?;
    let mut plan = Vec::new();
    for (number, spec) in (1..).zip(&args.stages) {
        let examples = Examples::read(spec)?;
        let builder = own(spec, settings(&args.base.settings))?;
        builder.clone().build()?;
        plan.push((number, spec, examples, builder));
    }
    let output = &args.base.output;
    let done = output.join("training.json");
    let _held = files::FolderLock::take(output)?;
    if done.exists() {
        bail!("{} is there: the folder holds a finished training", done.display());
    }
    let mut backbone = args.base.backbone.clone();
    let mut reports = Vec::new();
    for (number, spec, examples, mut builder) in plan {
        let last = number == args.stages.len();
        if let Some(limit) = args.base.settings.time_limit {
            builder = builder.time_limit(limit.saturating_sub(start.elapsed()));
        }
        let folder = if last {
            output.clone()
        } else {
            output.join("stages").join(format!("{number}-{}", spec.name()))
        };
        let report = one(&args.base.settings, builder, &examples, &dev, &backbone, &folder, last)?;
        reports.push((spec, report, folder.clone()));
        backbone = folder;
    }
    report(&reports, args)
}

/// What a finished stage was trained by.
const RECORD: &str = "stage.json";

/// One stage; what an earlier run finished is not done again, but it has to be the same training. Others build on all but the last one, so of
/// those a time limit leaves none half done: the next run goes on with it.
fn one(
    given: &Settings,
    builder: TrainingBuilder,
    examples: &Examples,
    dev: &[ScoredPair],
    backbone: &Path,
    folder: &Path,
    is_last: bool,
) -> Result<TrainingReport> {
    let done = folder.join("training.json");
    let stage = examples.stage();
    let record = StageRecord::of(backbone, &stage, dev, &builder.clone().build()?)?;
    if done.exists() {
        is_the_same(&record, folder)?;
        return read(&done);
    }
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    // Every stage has a state of its own.
    let own = |all: &PathBuf| all.join(folder.file_name().unwrap_or_default());
    let checkpoint = given.checkpoint.as_ref().map_or_else(|| beside(folder), own);
    let training = builder
        .log(given.log.clone().unwrap_or_else(|| folder.join("log.jsonl")))
        .checkpoint(&checkpoint, given.checkpoint_every)
        .progress(Arc::new(Shown::of("preparing the examples", None)))
        .build()?;
    let report = train_sbert(backbone, &stage, dev, folder, &training)?;
    ensure!(
        is_last || !report.cut,
        "the time was over after {} steps of a stage on which others build; start the command again to go on from there",
        report.steps
    );
    // Before what tells that all is done: a finished stage always has its record.
    files::write_atomically(&folder.join(RECORD), &serde_json::to_vec_pretty(&record)?)?;
    files::write_atomically(&done, &serde_json::to_vec_pretty(&report)?)?;
    // The model is there; a state that stays behind costs only room.
    let _ = fs::remove_dir_all(checkpoint);
    Ok(report)
}

/// Refuses to go on from a stage that was trained by something else.
fn is_the_same(record: &StageRecord, folder: &Path) -> Result<()> {
    let path = folder.join(RECORD);
    let place = folder.display();
    ensure!(
        path.exists(),
        "{place}: a finished stage without {RECORD}, so nobody knows what it learned from; remove the folder to train it again"
    );
    let differences = record.differences(&read(&path)?).join(", ");
    ensure!(
        differences.is_empty(),
        "{place}: this stage was finished by another training ({differences}); remove the folder to train it again"
    );
    Ok(())
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let name = || path.display().to_string();
    serde_json::from_slice(&fs::read(path).with_context(name)?).with_context(name)
}

/// What a stage learns from.
enum Examples {
    Softmax(Vec<NliPair>),
    Ranking(Vec<RankedText>),
    SimCse(Vec<String>),
    Cosine(Vec<ScoredPair>),
    CoSent(Vec<ScoredPair>),
}

impl Examples {
    fn read(spec: &Spec) -> Result<Self> {
        let form = || format!("`{spec}`: a stage is LOSS:FILE, as in cosent:sts.tsv");
        let argument = spec.params.argument().with_context(form)?;
        let examples = match spec.name() {
            "softmax" => Self::Softmax(all(argument, |path| Ok(nli(path)?))?),
            "ranking" => Self::Ranking(all(argument, |path| Ok(ranked(path)?))?),
            "cosine" => Self::Cosine(all(argument, |path| Ok(sts(path)?))?),
            "cosent" => Self::CoSent(all(argument, |path| Ok(sts(path)?))?),
            "simcse" => Self::SimCse(all(argument, written_texts)?),
            other => {
                bail!("no loss `{other}`; known: ranking, softmax, cosent, cosine, simcse")
            }
        };
        ensure!(examples.len() > 0, "{argument}: nothing to learn from by {}", spec.name());
        Ok(examples)
    }

    fn len(&self) -> usize {
        match self {
            Self::Softmax(pairs) => pairs.len(),
            Self::Ranking(texts) => texts.len(),
            Self::SimCse(texts) => texts.len(),
            Self::Cosine(pairs) | Self::CoSent(pairs) => pairs.len(),
        }
    }

    fn stage(&self) -> Stage<'_> {
        match self {
            Self::Softmax(pairs) => Stage::Softmax(pairs),
            Self::Ranking(texts) => Stage::Ranking(texts),
            Self::SimCse(texts) => Stage::SimCse(texts),
            Self::Cosine(pairs) => Stage::Cosine(pairs),
            Self::CoSent(pairs) => Stage::CoSent(pairs),
        }
    }
}

/// One file, or several as in `one.tsv+other.json`, one after the other. A plus may also be a part of a file's name.
fn all<T>(argument: &str, read: impl Fn(&Path) -> Result<Vec<T>>) -> Result<Vec<T>> {
    if Path::new(argument).exists() {
        return read(Path::new(argument));
    }
    let mut examples = Vec::new();
    for path in argument.split('+') {
        examples.extend(read(Path::new(path))?);
    }
    Ok(examples)
}

/// The settings with those of the stage.
fn own(spec: &Spec, mut builder: TrainingBuilder) -> Result<TrainingBuilder> {
    if let Some(unknown) = spec.params.names().find(|name| !OWN.contains(name)) {
        bail!("`{spec}`: no setting `{unknown}` of a stage; known: {}", OWN.join(", "));
    }
    let get = |name: &str| spec.params.get(name);
    let whole = |name: &str| {
        let parse = |text: &str| {
            text.parse().with_context(|| format!("`{spec}`: {name} `{text}` is no whole number"))
        };
        get(name).map(parse).transpose()
    };
    if let Some(epochs) = whole("epochs")? {
        builder = builder.epochs(epochs);
    }
    if let Some(batch) = whole("batch")? {
        builder = builder.batch(batch);
    }
    let number = |name: &str| {
        let parse = |text: &str| {
            text.parse().with_context(|| format!("`{spec}`: {name} `{text}` is no number"))
        };
        get(name).map(parse).transpose()
    };
    if let Some(rate) = number("learning-rate")? {
        builder = builder.learning_rate(rate);
    }
    if let Some(share) = number("dropout")? {
        builder = builder.dropout(share);
    }
    Ok(builder)
}

fn report(reports: &[(&Spec, TrainingReport, PathBuf)], args: &Sbert) -> Result<()> {
    let row = |(spec, report, folder): &(&Spec, TrainingReport, PathBuf)| {
        vec![
            spec.name().into(),
            Cell::Number(report.steps as f64),
            report.final_loss.into(),
            report.best_score.map_or(Cell::Empty, Cell::from),
            report.seconds.into(),
            folder.display().to_string().into(),
        ]
    };
    let value = |(spec, report, folder): &(&Spec, TrainingReport, PathBuf)| -> Result<_> {
        let mut value = serde_json::to_value(report)?;
        value["stage"] = spec.to_string().into();
        value["model"] = folder.display().to_string().into();
        Ok(value)
    };
    let values: Vec<_> = reports.iter().map(value).collect::<Result<_>>()?;
    let columns = ["stage", "steps", "final loss", "best score", "seconds", "model"];
    Report {
        columns: columns.map(str::to_owned).to_vec(),
        rows: reports.iter().map(row).collect(),
        json: serde_json::json!({ "stages": values }),
    }
    .write(args.base.format, None)
}
