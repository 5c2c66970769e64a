//! What the Korean ALBERT's sentence vectors know, by the nine probing tasks.

use crate::{Context, report::Check};
use anyhow::Result;
use ko_neural::Embedder;
use ko_probe::{Experiment, Options, ProbeReport, Subject, Task, Treebank, WordLimits};
use std::{path::PathBuf, sync::Arc};

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let folder = context.data.join("ud");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder)?.map(|file| Ok(file?.path())).collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "conllu"));
    files.sort();
    let treebank = Treebank::read(&files, None)?;
    let words = WordLimits::default().scaled_to(treebank.sentences.len());
    let options = Options { words, ..Options::default() };
    let data: Vec<_> = Task::defaults().map(|task| task.build(&treebank, &options)).collect();
    let albert = Embedder::open(&context.backbone, &context.inference())?;
    let subjects = [Subject::new("ALBERT", Arc::new(albert))];
    let vectors = context.models.join("vectors");
    let findings = Experiment::new().cache(vectors).run(&subjects, &data, &())?;
    println!("{}", ProbeReport::new(&findings).text());
    // A sentence encoder must know more than chance of every task.
    let known = |task: &&Task| {
        let finding = findings.get("ALBERT", task.name)?;
        let score = finding.balanced_accuracy.score;
        Some(Check::above(format!("{}, balanced accuracy", task.name), score, finding.chance))
    };
    Ok(Task::defaults().collect::<Vec<_>>().iter().filter_map(known).collect())
}
