//! From the command's words to the library's trainings.

use super::{Command, Common, Settings, WithDev};
use crate::{
    output::{Cell, Report},
    progress::Shown,
};
use anyhow::{Result, bail};
use ko_eval::{
    files,
    neural::{
        self,
        read::{Tone, nli_tsv, sts_tsv, summaries_jsonl, tone_pairs_tsv, tones_tsv},
        train::{
            SummaryItem, TonePair, TrainingBuilder, TrainingReport, TrainingSettings, train_csl,
            train_fic, train_rdass, train_sbert_nli, train_sbert_sts, train_sts,
        },
    },
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

pub(crate) fn train(command: &Command) -> Result<()> {
    match command {
        Command::Sts(WithDev { common, dev }) => {
            let (train, dev) = (sts_tsv(&common.train)?, watched(dev, sts_tsv)?);
            run(common, |out, training| train_sts(&common.backbone, &train, &dev, out, training))
        }
        Command::SbertSts(WithDev { common, dev }) => {
            let (train, dev) = (sts_tsv(&common.train)?, watched(dev, sts_tsv)?);
            let backbone = &common.backbone;
            run(common, |out, training| train_sbert_sts(backbone, &train, &dev, out, training))
        }
        Command::Fic(WithDev { common, dev }) => {
            let (train, dev) = (tones_tsv(&common.train)?, watched(dev, tones_tsv)?);
            let (train, dev) = (toned(&train), toned(&dev));
            run(common, |out, training| train_fic(&common.backbone, &train, &dev, out, training))
        }
        Command::Csl(super::Csl { watched: WithDev { common, dev }, margin }) => {
            let (train, dev) = (tone_pairs_tsv(&common.train)?, watched(dev, tone_pairs_tsv)?);
            let (train, dev) = (tone_pairs(&train), tone_pairs(&dev));
            let backbone = &common.backbone;
            run(common, |out, training| train_csl(backbone, &train, &dev, *margin, out, training))
        }
        Command::SbertNli(common) => {
            let train = nli_tsv(&common.train)?;
            run(common, |out, training| train_sbert_nli(&common.backbone, &train, out, training))
        }
        Command::Rdass(super::Rdass { common, margin }) => {
            let lines = summaries_jsonl(&common.train)?;
            let items: Vec<SummaryItem<'_>> = lines
                .iter()
                .flat_map(|line| {
                    line.references.iter().map(|reference| SummaryItem {
                        summary: &line.summary,
                        reference,
                        document: &line.document,
                    })
                })
                .collect();
            let backbone = &common.backbone;
            run(common, |out, training| train_rdass(backbone, &items, *margin, out, training))
        }
    }
}

/// The development set, if there is one.
fn watched<T>(
    path: &Option<PathBuf>,
    read: fn(PathBuf) -> ko_eval::Result<Vec<T>>,
) -> Result<Vec<T>> {
    Ok(path.clone().map(read).transpose()?.unwrap_or_default())
}

fn toned(texts: &[(String, Tone)]) -> Vec<(&str, Tone)> {
    texts.iter().map(|(text, tone)| (text.as_str(), *tone)).collect()
}

fn tone_pairs(pairs: &[(String, String, bool)]) -> Vec<TonePair<'_>> {
    pairs.iter().map(|(a, b, same)| (a.as_str(), b.as_str(), *same)).collect()
}

fn run(
    common: &Common,
    train: impl Fn(&Path, &TrainingSettings) -> neural::Result<TrainingReport>,
) -> Result<()> {
    let output = &common.output;
    let done = output.join("training.json");
    let _held = files::FolderLock::take(output)?;
    if done.exists() {
        bail!("{} is there: the folder holds a finished training", done.display());
    }
    let checkpoint = common.settings.checkpoint.clone().unwrap_or_else(|| beside(output));
    let log = common.settings.log.clone().unwrap_or_else(|| output.join("log.jsonl"));
    let training = settings(&common.settings)
        .log(log)
        .checkpoint(&checkpoint, common.settings.checkpoint_every)
        .progress(Arc::new(Shown::new()))
        .build()?;
    let report = train(output, &training)?;
    files::write_atomically(&done, &serde_json::to_vec_pretty(&report)?)?;
    // The model is there; a state that stays behind costs only room.
    let _ = fs::remove_dir_all(checkpoint);
    let row = vec![
        Cell::Number(report.steps as f64),
        report.final_loss.into(),
        report.best_score.map_or(Cell::Empty, Cell::from),
        report.seconds.into(),
        output.display().to_string().into(),
    ];
    let columns = ["steps", "final loss", "best score", "seconds", "model"];
    Report {
        columns: columns.map(str::to_owned).to_vec(),
        rows: vec![row],
        json: serde_json::to_value(&report)?,
    }
    .write(common.format, None)
}

/// `model` has its state in `model.checkpoint`.
fn beside(output: &Path) -> PathBuf {
    let mut path = output.components().as_path().as_os_str().to_owned();
    path.push(".checkpoint");
    path.into()
}

fn settings(given: &Settings) -> TrainingBuilder {
    /// Sets what is given.
    macro_rules! given {
        ($builder:expr, $($name:ident),*) => {{
            let mut builder = $builder;
            $(if let Some(value) = given.$name {
                builder = builder.$name(value);
            })*
            builder
        }};
    }
    given!(
        TrainingSettings::builder(),
        epochs,
        batch,
        accumulate,
        learning_rate,
        warm_up,
        weight_decay,
        clip,
        seed,
        longest,
        threads,
        evaluations,
        patience
    )
}
