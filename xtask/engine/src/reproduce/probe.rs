//! Probing data from UD Kaist and GSD, and probes of three embedders that need no model.

use super::{Data, Finding};
use anyhow::{Context, Result, ensure};
use ko_eval::probe::{
    Control, Dataset, Experiment, Findings, Options, ProbeReport, Subject, Task, Treebank,
    WordLimits, embedders,
};
use ko_tokenize::morpheme::MecabKo;
use std::{fs, path::PathBuf};

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let mecab = MecabKo::new()?;
    let treebank = Treebank::read(&treebanks(data)?, Some(&mecab))?;
    let words = WordLimits::default().scaled_to(treebank.sentences.len());
    let options = Options { words, ..Options::default() };
    let sets: Vec<Dataset> = Task::defaults().map(|task| task.build(&treebank, &options)).collect();
    let mut built = Finding::new("probe, data sets");
    println!("{} sentences; left out: {:?}", treebank.sentences.len(), treebank.dropped);
    for set in &sets {
        let classes: Vec<_> = set.classes.iter().zip(set.counts(None)).collect();
        println!("{}: {classes:?}; left out: {:?}", set.task, set.dropped);
        built.add(set.classes.len() > 1, || format!("{} has one class only", set.task));
    }
    let subjects = ["ngrams", "jamo", "random"]
        .map(|name| Ok(Subject::new(name, embedders::by_name(name)?)))
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    let experiment = Experiment::new().control(Control::RandomLabels);
    let findings = experiment.run(&subjects, &sets, &())?;
    println!("{}", ProbeReport::new(&findings).text());
    Ok(vec![built, sanity(&findings)])
}

fn treebanks(data: &Data) -> Result<Vec<PathBuf>> {
    let folder = data.folder.join("ud");
    let files = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut files = files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "conllu"));
    files.sort();
    ensure!(!files.is_empty(), "{} holds no CoNLL-U", folder.display());
    Ok(files)
}

/// Length lies on the surface; random vectors and random labels give chance.
fn sanity(findings: &Findings) -> Finding {
    let mut finding = Finding::new("probe, sanity");
    for subject in ["ngrams", "jamo"] {
        let found = findings.get(subject, "SentLen");
        let easy = found.is_some_and(|f| f.balanced_accuracy.low > 2.0 * f.chance);
        finding.add(easy, || format!("{subject} does not see the length of a sentence"));
    }
    let doubts = findings.doubts(0.05);
    finding.add(doubts.is_empty(), || doubts.join("; "));
    finding
}
