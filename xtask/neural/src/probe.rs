//! What the Korean ALBERT knows, layer by layer, by all eleven probing tasks; and what is left of it once it was trained to compare
//! sentences, if the proof `sbert` has done so.
//!
//! SentType comes from 3i4k, the other tasks from UD. The report with its tables and curves goes to `neural/probe` under
//! `KO_EVAL_HOME`. Probes have one penalty instead of a choice of four, which would take four times as long. `--every N` looks at every
//! N-th sentence, and measures neither selectivity nor description lengths.

use crate::{Context, TRAINED, progress, report::Check};
use anyhow::Result;
use ko_eval_core::files::write_atomically;
use ko_meta_eval::report::Language;
use ko_neural::LayerEmbedder;
use ko_probe::{
    Classifier, Control, Dataset, DescriptionLength, Experiment, Findings, Options, ProbeReport,
    Subject, TASKS, Task, Treebank, WordLimits, utterances,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// What the encoder is called before it was trained.
const BEFORE: &str = "ALBERT";

/// Statements, questions and orders of 3i4k; fragments, rhetorical ones and what only intonation tells are left out.
const INTENTIONS: &str = "1=other,2=interrogative,3=imperative";

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let data = data_sets(context)?;
    let mut subjects = vec![layers(context, BEFORE, &context.backbone)?];
    let trained = context.models.join("sbert");
    if trained.join(TRAINED).is_file() {
        subjects.push(layers(context, "SBERT", &trained)?);
    } else {
        println!("SBERT is left out: `reproduce sbert` has not trained it");
    }
    let findings = experiment(context)?.run(&subjects, &data, &*progress())?;
    write(&findings, &context.models.join("probe"))?;
    Ok(data.iter().filter_map(|data| known(&findings, &data.task)).collect())
}

fn experiment(context: &Context) -> Result<Experiment> {
    let experiment = Experiment::new()
        .classifier(Classifier::new().penalties(&[1e-4])?)
        .cache(context.models.join("vectors"));
    Ok(match context.every.get() {
        1 => experiment
            .control(Control::RandomLabels)
            .description_length(DescriptionLength::OnlineCode),
        _ => experiment,
    })
}

fn layers(context: &Context, name: &str, folder: &Path) -> Result<Subject> {
    Ok(Subject::layers(name, Arc::new(LayerEmbedder::open(folder, None, &context.inference())?)))
}

fn write(findings: &Findings, folder: &Path) -> Result<()> {
    let report = ProbeReport::new(findings).language(Language::English);
    println!("{}", report.text());
    report.document().write(folder)?;
    write_atomically(&folder.join("findings.json"), report.json()?.as_bytes())?;
    println!("report: {}", folder.join("report.html").display());
    Ok(())
}

/// No task may be told worse than by guessing in every layer. It cannot be asked that each be told better: CoordInv has too few sentences here.
fn known(findings: &Findings, task: &str) -> Option<Check> {
    let of_task = findings.findings.iter().filter(|f| f.task == task && f.encoder == BEFORE);
    let best =
        of_task.max_by(|a, b| a.balanced_accuracy.score.total_cmp(&b.balanced_accuracy.score))?;
    let what = format!("{task}, balanced accuracy of {}", best.subject);
    Some(Check::above(what, best.balanced_accuracy.score, best.chance))
}

/// The eleven tasks; one that no probe can learn is said to be left out.
fn data_sets(context: &Context) -> Result<Vec<Dataset>> {
    let treebank = treebank(context)?;
    let words = WordLimits::default().scaled_to(treebank.sentences.len());
    let options = Options { words, ..Options::default() };
    let build = |task: &Task| match task.name {
        "SentType" => sentence_types(context, treebank.sentences.len(), &options),
        _ => Ok(task.build(&treebank, &options)),
    };
    let mut sets = Vec::new();
    for data in TASKS.iter().map(build) {
        let data = data?;
        let (sentences, classes) = (data.examples.len(), data.classes.len());
        match data.check() {
            Ok(()) => {
                println!("{}: {sentences} sentences, {classes} classes", data.task);
                sets.push(data);
            }
            Err(error) => println!("{error}; it is left out"),
        }
    }
    Ok(sets)
}

/// UD's Korean treebanks.
pub(crate) fn treebank(context: &Context) -> Result<Treebank> {
    let folder = context.data.join("ud");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder)?.map(|file| Ok(file?.path())).collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "conllu"));
    files.sort();
    let mut treebank = Treebank::read(&files, None)?;
    treebank.sentences = context.some(treebank.sentences);
    Ok(treebank)
}

/// Of 3i4k, as many as treebanks give to the other tasks: probes are compared.
fn sentence_types(context: &Context, wanted: usize, options: &Options) -> Result<Dataset> {
    let mut data =
        utterances::open(context.data.join("3i4k/fci_train_val.txt"), &INTENTIONS.parse()?)?;
    let step = data.examples.len().div_ceil(wanted.max(1)).max(1);
    data.examples = data.examples.into_iter().step_by(step).collect();
    Ok(options.split.apply(data))
}
