//! From the command's words to the library's trainings.

mod pairs;
mod sbert;

use super::{Base, Command, Common, Settings, WithDev};
use crate::{
    cli::Format,
    commands::unused::unused,
    output::{Cell, Report},
    progress::Shown,
};
use anyhow::{Context, Result, bail, ensure};
use ko_eval::{
    LabelSet, files,
    neural::{
        self, Inference, Sts,
        read::{
            LabelledText, Tone, label_sets, labelled_tsv, ner_tsv, nli, sts, summaries_jsonl,
            tone_pairs_tsv, tones_tsv,
        },
        train::{
            FwaSettings, GeneratorSettings, Pace, Shape, Start, SummarizerSettings, SummaryItem,
            ThresholdBy, TonePair, TrainingBuilder, TrainingReport, TrainingSettings,
            choose_threshold, train_classifier, train_csl, train_fic, train_fwa, train_generator,
            train_rdass, train_sbert_nli, train_sbert_sts, train_sts, train_summarizer,
            train_tagger,
        },
    },
};
use pairs::{PLAIN, Pairs, Written, located};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

pub(crate) fn train(command: &Command) -> Result<()> {
    check_evaluations(command)?;
    match command {
        Command::Sts(WithDev { common, dev }) => {
            let (train, dev) = (sts(&common.train)?, watched(dev, sts)?);
            let Common { base, .. } = common;
            run(base, |out, training| train_sts(&base.backbone, &train, &dev, out, training))
        }
        Command::SbertSts(WithDev { common, dev }) => {
            let (train, dev) = (sts(&common.train)?, watched(dev, sts)?);
            let Common { base, .. } = common;
            run(base, |out, training| train_sbert_sts(&base.backbone, &train, &dev, out, training))
        }
        Command::Join(super::Join { output, names }) => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Ok(Sts::join(output, &names)?)
        }
        Command::Fic(WithDev { common, dev }) => {
            let (train, dev) = (tones_tsv(&common.train)?, watched(dev, tones_tsv)?);
            let (train, dev) = (toned(&train), toned(&dev));
            let Common { base, .. } = common;
            run(base, |out, training| train_fic(&base.backbone, &train, &dev, out, training))
        }
        Command::Csl(super::Csl { watched: WithDev { common, dev }, margin }) => {
            let (train, dev) = (tone_pairs_tsv(&common.train)?, watched(dev, tone_pairs_tsv)?);
            let (train, dev) = (tone_pairs(&train), tone_pairs(&dev));
            let backbone = &common.base.backbone;
            run(&common.base, |out, training| {
                train_csl(backbone, &train, &dev, *margin, out, training)
            })
        }
        Command::SbertNli(common) => {
            let train = nli(&common.train)?;
            let Common { base, .. } = common;
            run(base, |out, training| train_sbert_nli(&base.backbone, &train, out, training))
        }
        Command::Sbert(args) => sbert::train(args),
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
            let backbone = &common.base.backbone;
            run(&common.base, |out, training| train_rdass(backbone, &items, *margin, out, training))
        }
        Command::Tagger(WithDev { common, dev }) => {
            let (train, dev) = (ner_tsv(&common.train)?, watched(dev, ner_tsv)?);
            let Common { base, .. } = common;
            run(base, |out, training| train_tagger(&base.backbone, &train, &dev, out, training))
        }
        Command::Classifier(args) => classifier(args),
        Command::Generator(args) => generator(args),
        Command::Summarizer(args) => {
            let Common { base, train } = &args.watched.common;
            unused(
                "each half has a rate of its own: --encoder-learning-rate, --encoder-warm-up-steps, --decoder-learning-rate, \
                 --decoder-warm-up-steps; lengths are --longest-document and --longest-summary",
                &[
                    ("--learning-rate", base.settings.learning_rate.is_some()),
                    ("--warm-up", base.settings.warm_up.is_some()),
                    ("--longest", base.settings.longest.is_some()),
                ],
            )?;
            let (train, dev) =
                (Pairs::read([train], PLAIN)?, Pairs::read(&args.watched.dev, PLAIN)?);
            let (pairs, watched) = (train.as_pairs(), dev.as_pairs());
            let settings = SummarizerSettings {
                layers: args.decoder_layers,
                width: args.decoder_width,
                encoder: Pace {
                    learning_rate: args.encoder_learning_rate,
                    warm_up_steps: args.encoder_warm_up_steps,
                },
                decoder: Pace {
                    learning_rate: args.decoder_learning_rate,
                    warm_up_steps: args.decoder_warm_up_steps,
                },
                longest_document: args.lengths.longest_document,
                longest_summary: args.lengths.longest_summary,
            };
            run(base, |out, training| {
                let report =
                    train_summarizer(&base.backbone, &pairs, &watched, out, &settings, training);
                report.map_err(|error| located(error, &train, &dev))
            })
        }
        Command::Fwa(args) => {
            let Common { base, train } = &args.common;
            let train = Pairs::read([train], PLAIN)?;
            let items = train.as_pairs();
            let settings = FwaSettings {
                margin: args.margin,
                longest_document: args.lengths.longest_document,
                longest_summary: args.lengths.longest_summary,
            };
            run(base, |out, training| {
                let report =
                    train_fwa(&base.backbone, &args.embedder, &items, out, &settings, training);
                report.map_err(|error| located(error, &train, &Pairs::default()))
            })
        }
    }
}

/// Evaluations are made on development data.
fn check_evaluations(command: &Command) -> Result<()> {
    const NONE: &str = "this training has no development data to be evaluated on";
    const NEEDED: &str = "evaluations need development data, which --dev names";
    let of = |watched: &WithDev| (watched.dev.is_some(), NEEDED);
    let (settings, (is_watched, instead)) = match command {
        Command::Join(_) => return Ok(()),
        Command::Sts(args)
        | Command::SbertSts(args)
        | Command::Fic(args)
        | Command::Tagger(args) => (&args.common.base.settings, of(args)),
        Command::Csl(args) => (&args.watched.common.base.settings, of(&args.watched)),
        Command::Classifier(args) => (&args.watched.common.base.settings, of(&args.watched)),
        Command::Summarizer(args) => (&args.watched.common.base.settings, of(&args.watched)),
        Command::Sbert(args) => (&args.base.settings, (args.dev.is_some(), NEEDED)),
        Command::Generator(args) => (&args.settings, (args.dev.is_some(), NEEDED)),
        Command::SbertNli(args) => (&args.base.settings, (false, NONE)),
        Command::Rdass(args) => (&args.common.base.settings, (false, NONE)),
        Command::Fwa(args) => (&args.common.base.settings, (false, NONE)),
    };
    let given = [
        ("--evaluations", settings.evaluations.is_some()),
        ("--patience", settings.patience.is_some()),
    ];
    if is_watched { Ok(()) } else { unused(instead, &given) }
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

/// What to do about a set of labels without the harmless one.
const HARMLESS: &str = "--harmless says which is the harmless one";

fn classifier(args: &super::Classifier) -> Result<()> {
    let WithDev { common, dev } = &args.watched;
    let columns: Vec<&str> = args.labels.iter().map(String::as_str).collect();
    let read = |path: &PathBuf| labelled_tsv(path, &args.text, &columns);
    let mut train = read(&common.train)?;
    let dev = dev.as_ref().map(read).transpose()?.unwrap_or_default();
    let sets = label_sets(&columns, &train);
    let Base { backbone, settings, .. } = &common.base;
    let harmless = args.harmless.as_str();
    // Sets are told apart by their columns: the only one has no name of its own.
    let has = |set: &LabelSet| set.labels.iter().any(|label| label == harmless);
    let named = |column: &str| {
        let mut sets = columns.iter().zip(&sets);
        let found = sets.find(|(name, set)| **name == column && has(set));
        found.map(|(_, set)| set.name.as_str()).with_context(|| {
            format!("--threshold-by: no `--label {column}` has the label `{harmless}`; {HARMLESS}")
        })
    };
    let by = |column: &str| -> Result<ThresholdBy<'_>> {
        let by = ThresholdBy { set: named(column)?, harmless };
        // What these texts cannot tell is said before hours of training, not after.
        by.check(&sets, &dev)
            .with_context(|| format!("--threshold-by {column}, by the texts of --dev"))?;
        Ok(by)
    };
    let decided_by = args.threshold_by.as_deref().map(by).transpose()?;
    let lacking = columns.iter().zip(&sets).find(|(_, set)| !has(set));
    for path in &args.harmless_text {
        if let Some((column, _)) = lacking {
            bail!(
                "{}: `--label {column}` has no label `{harmless}` for these texts; {HARMLESS}",
                path.display()
            );
        }
        train.extend(all_labelled(path, harmless, sets.len())?);
    }
    run(&common.base, |out, training| {
        let report = train_classifier(backbone, &sets, &train, &dev, out, training)?;
        if let Some(by) = decided_by {
            let mut inference = Inference::new().device(settings.device.unwrap_or_default());
            if let Some(threads) = settings.threads {
                inference = inference.threads(threads);
            }
            choose_threshold(out, by, &dev, &inference)?;
        }
        Ok(report)
    })
}

/// Plain texts, one per line, which have the same label in every set.
fn all_labelled(path: &Path, label: &str, sets: usize) -> Result<Vec<LabelledText>> {
    let texts = written_texts(path)?;
    ensure!(!texts.is_empty(), "{}: no text to learn from", path.display());
    let labelled = |text| LabelledText { text, labels: vec![label.to_owned(); sets] };
    Ok(texts.into_iter().map(labelled).collect())
}

/// Texts, one per line, without the lines that hold none.
fn written_texts(path: &Path) -> Result<Vec<String>> {
    let mut texts = crate::corpus::texts(path)?;
    texts.retain(|text| !text.trim().is_empty());
    Ok(texts)
}

fn generator(args: &super::Generator) -> Result<()> {
    ensure!(
        args.template.contains("{}"),
        "--template: `{}` has no {{}} where the source stands",
        args.template
    );
    unused(
        "the warm-up is --warm-up-steps, and lengths are --longest-source, --longest-target and --longest-block",
        &[
            ("--warm-up", args.settings.warm_up.is_some()),
            ("--longest", args.settings.longest.is_some()),
        ],
    )?;
    let written = Written { template: &args.template, between: &args.between };
    let (mut train, mut dev) =
        (Pairs::read(&args.train, written)?, Pairs::read(&args.dev, written)?);
    if args.restoring {
        let seed = args.settings.seed.unwrap_or(1);
        train.restore(written, seed);
        dev.restore(written, seed);
    }
    let start = match (&args.new, args.backbone.clone(), args.decoder_layers) {
        (Some(shape), ..) => Start::New { shape: Shape::named(shape), vocabulary: args.vocabulary },
        (None, Some(folder), Some(layers)) => {
            Start::Encoder { folder, layers, width: args.decoder_width }
        }
        (None, Some(folder), None) if args.from_configuration => Start::Configuration(folder),
        (None, Some(folder), None) => Start::Pretrained(folder),
        (None, None, _) => bail!("--backbone or --new says what to start from"),
    };
    let settings = GeneratorSettings {
        longest_source: args.longest_source,
        longest_target: args.longest_target,
        longest_block: args.longest_block,
        prefix: args.prefix.clone(),
        first_token: args.first_token.clone(),
        in_order: !args.shuffled,
    };
    let (pairs, watched) = (train.as_pairs(), dev.as_pairs());
    let builder = over(GeneratorSettings::published_training(), &args.settings)
        .warm_up_steps(args.warm_up_steps);
    run_in(&args.output, &args.settings, builder, args.format, |out, training| {
        let report = train_generator(&start, &pairs, &watched, out, &settings, training);
        report.map_err(|error| located(error, &train, &dev))
    })
}

fn run(
    base: &Base,
    train: impl Fn(&Path, &TrainingSettings) -> neural::Result<TrainingReport>,
) -> Result<()> {
    let builder = settings(&base.settings);
    run_in(&base.output, &base.settings, builder, base.format, train)
}

fn run_in(
    output: &Path,
    given: &Settings,
    builder: TrainingBuilder,
    format: Format,
    train: impl Fn(&Path, &TrainingSettings) -> neural::Result<TrainingReport>,
) -> Result<()> {
    let done = output.join("training.json");
    let _held = files::FolderLock::take(output)?;
    if done.exists() {
        bail!("{} is there: the folder holds a finished training", done.display());
    }
    let checkpoint = given.checkpoint.clone().unwrap_or_else(|| beside(output));
    let log = given.log.clone().unwrap_or_else(|| output.join("log.jsonl"));
    let training = builder
        .log(log)
        .checkpoint(&checkpoint, given.checkpoint_every)
        .progress(Arc::new(Shown::of("preparing the examples", None)))
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
    .write(format, None)
}

/// `model` has its state in `model.checkpoint`.
fn beside(output: &Path) -> PathBuf {
    let mut path = output.components().as_path().as_os_str().to_owned();
    path.push(".checkpoint");
    path.into()
}

fn settings(given: &Settings) -> TrainingBuilder {
    over(TrainingSettings::builder(), given)
}

fn over(builder: TrainingBuilder, given: &Settings) -> TrainingBuilder {
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
        builder,
        epochs,
        batch,
        accumulate,
        learning_rate,
        warm_up,
        weight_decay,
        clip,
        seed,
        dropout,
        average,
        longest,
        device,
        precision,
        threads,
        evaluations,
        patience,
        time_limit
    )
}
