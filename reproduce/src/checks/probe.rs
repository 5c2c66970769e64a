//! Probing data from UD Kaist and GSD, and probes of three embedders that need no model.

use crate::prelude::*;
use ko_eval::{
    probe::{Experiment, Task, embedders},
    tokenize::morpheme::MecabKo,
};

/// Length lies on the surface; random vectors and random labels give chance.
pub(crate) fn run(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let mecab = MecabKo::new()?;
    let treebank = Treebank::read(&context.files("ud/*.conllu")?, Some(&mecab))?;
    let words = WordLimits::default().scaled_to(treebank.sentences.len());
    let options = Options { words, ..Options::default() };
    let sets: Vec<Dataset> = Task::defaults().map(|task| task.build(&treebank, &options)).collect();
    println!("{} sentences; left out: {:?}", treebank.sentences.len(), treebank.dropped);
    for set in &sets {
        let classes: Vec<_> = set.classes.iter().zip(set.counts(None)).collect();
        println!("{}: {classes:?}; left out: {:?}", set.task, set.dropped);
        report.value("probe, data sets", &set.task, "classes", set.classes.len() as f64)?;
    }
    let subjects = ["ngrams", "jamo", "random"];
    let subjects = subjects.map(|name| Ok(Subject::new(name, embedders::by_name(name)?)));
    let subjects = subjects.into_iter().collect::<Result<Vec<_>>>()?;
    let findings = Experiment::new().control(Control::RandomLabels).run(&subjects, &sets, &())?;
    println!("{}", ProbeReport::new(&findings).text());
    for subject in ["ngrams", "jamo"] {
        let found = findings.get(subject, "SentLen");
        let times = found.map_or(f64::NAN, |f| f.balanced_accuracy.low / f.chance);
        report.value("probe, sanity", subject, "SentLen, times chance", times)?;
    }
    let doubts = findings.doubts(0.05);
    report.finding("probe, sanity").add(doubts.is_empty(), || doubts.join("; "));
    Ok(())
}
