//! Korean CommonGen's published tables, recomputed from the published files as `ko-eval commongen
//! evaluate` does.

use crate::prelude::*;
use ko_eval::commongen::{Extractor, Rule, Study};

/// The averages of the paper, and concepts.
pub(crate) fn run(context: &Context, report: &mut Report<'_>) -> Result<()> {
    study(context, report, Protocol::Paper)?;
    let extractor = Extractor::new(analyzer_by_name("mecab:penalty=off")?, Rule::AsPublishedFiles);
    for name in report.rows("commongen concepts") {
        let file = context.data(&format!("commongen/dataset/{name}.jsonl"));
        let mut equal = 0.0;
        for item in read_items(&file, BadLines::Refuse)?.into_values() {
            let first = item.references().first().map_or("", String::as_str);
            let ours: BTreeSet<String> = extractor.concepts(first)?.into_iter().collect();
            equal += f64::from(u8::from(ours == item.concepts().iter().cloned().collect()));
        }
        report.value("commongen concepts", name, "equal sets", equal)?;
    }
    Ok(())
}

/// The averages of the released script, and a page with everything.
pub(crate) fn run_study(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let study = study(context, report, Protocol::Released)?;
    study.report(Language::English).write("target/reproduction/commongen".as_ref())?;
    println!("        report: target/reproduction/commongen/report.html");
    Ok(())
}

fn study(context: &Context, report: &mut Report<'_>, protocol: Protocol) -> Result<Study> {
    let evaluator = Evaluator::new(analyzer_by_name("mecab")?, protocol);
    let study = Study::of(&context.data("commongen"), &evaluator, &())?;
    for (set, name) in study.sets.iter().zip(["commongen table 2", "commongen table 7"]) {
        for system in &set.systems {
            let scores = system.scores.iter().copied();
            report.row(name, &system.name, Columns::NAMES.into_iter().zip(scores))?;
        }
    }
    let set = study.sets.first().context("the original test")?;
    let ratings = "commongen table 5, kappa";
    for system in &set.systems {
        let means = system.human.iter().flatten();
        report.row(ratings, &system.name, means.map(|(c, mean)| (c.as_str(), *mean)))?;
    }
    let kappas = set.agreement.iter();
    report.row(ratings, "kappa", kappas.map(|(c, kappa)| (c.as_str(), kappa.mean)))?;
    for map in &set.with_people {
        for (name, metric) in Columns::NAMES.into_iter().zip(&set.metrics) {
            for target in ["total", "factuality"] {
                let value = map.get(&metric.name, target).map_or(f64::NAN, |found| found.value);
                report.value(
                    &format!("commongen, {target}"),
                    name,
                    map.correlation.name(),
                    value,
                )?;
            }
        }
    }
    let test = study.data.iter().find(|file| file.name == "test").context("the test file")?;
    let [few, four, five, six, many] = test.statistics.sizes.map(|count| count as f64);
    let cells = [("up to 3", few), ("4", four), ("5", five), ("6", six), ("7 and more", many)];
    report.row("commongen table 1", "sets by size", cells)?;
    let references = test.statistics.references as f64;
    report.value("commongen table 1", "references", "all", references)?;
    Ok(study)
}
