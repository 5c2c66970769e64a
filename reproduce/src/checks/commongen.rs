//! Korean CommonGen's published tables, recomputed from the published files: by the parts of the evaluation, and by the one call
//! that `ko-eval commongen evaluate` is.

use crate::prelude::*;
use ko_eval::commongen::{
    Extractor, Rule, Statistics, Study,
    human::{Criterion, HumanScores, agreement, correlations},
};

/// The systems, and where their ratings are.
const SYSTEMS: [(&str, &str); 4] = [
    ("KoGPT2", "kogpt2"),
    ("KoBART", "kobart"),
    ("mBART_50", "mbart-50"),
    ("mT5_large", "mt5-large"),
];
const TABLE_1: &str = "commongen table 1";
const TABLE_2: &str = "commongen table 2";
const TABLE_5: &str = "commongen table 5, kappa";
const TABLE_7: &str = "commongen table 7";
const PEOPLE: &str = "commongen with people";

/// The columns of Table 1 that count concept sets by size.
const SIZES: [&str; 5] = ["up to 3", "4", "5", "6", "7 and more"];

pub(crate) fn run(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let data = |file: String| context.data("commongen").join(file);
    let [test, reformulated] =
        ["test", "reformulated_test"].map(|name| data(format!("dataset/{name}.jsonl")));
    let score = |test: &Path, folder: &str, name: &str, protocol| -> Result<_> {
        let pairs = Pairs::read(test, &data(format!("{folder}/{name}.txt")), BadLines::Refuse)?;
        Ok(Evaluator::new(analyzer_by_name("mecab")?, protocol).evaluate(&pairs, &())?)
    };
    let (mut segments, mut totals, mut ratings) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (name, folder)) in SYSTEMS.into_iter().enumerate() {
        let paper = score(&test, "systems", name, Protocol::Paper)?;
        let mut columns = paper.columns;
        if number == 0 {
            // Printed as the released script averages.
            let released = score(&test, "systems", name, Protocol::Released)?.columns;
            (columns.p3, columns.p4) = (released.p3, released.p4);
        }
        segments.extend(paper.by_segment);
        let other = score(&reformulated, "systems_reformulated", name, Protocol::Paper)?.columns;
        for (table, columns) in [(TABLE_2, columns), (TABLE_7, other)] {
            for (column, value) in Columns::NAMES.into_iter().zip(columns.values()) {
                report.value(table, name, column, value)?;
            }
        }
        let rated = HumanScores::read(&data(format!("human/{folder}")), "korean_commongen")?;
        for (criterion, mean) in rated.means() {
            report.value(TABLE_5, name, criterion.as_str(), mean)?;
        }
        totals.extend(rated.totals());
        ratings.push(rated);
    }
    for criterion in Criterion::ALL {
        let kappa = agreement(&ratings, *criterion)?.mean;
        report.value(TABLE_5, "kappa", criterion.as_str(), kappa)?;
    }
    for (name, found) in correlations(&segments, &totals)? {
        let found = [found.pearson, found.spearman, found.kendall];
        for (kind, estimate) in KINDS.into_iter().zip(found) {
            report.value(PEOPLE, name, kind.name(), estimate.value)?;
        }
    }
    for (name, file) in [("test", &test), ("reformulated_test", &reformulated)] {
        report.value("commongen concepts", name, "equal sets", extracted(file)?)?;
    }
    sizes(report, &Statistics::of(&read_items(&test, BadLines::Refuse)?.into_values()))
}

const KINDS: [Correlation; 3] =
    [Correlation::Pearson, Correlation::Spearman, Correlation::KendallTauB];

/// Table 1.
fn sizes(report: &mut Report<'_>, statistics: &Statistics) -> Result<()> {
    report.value(TABLE_1, "references", "all", statistics.references as f64)?;
    for (column, count) in SIZES.into_iter().zip(statistics.sizes) {
        report.value(TABLE_1, "sets by size", column, count as f64)?;
    }
    Ok(())
}

/// How many concept sets taken from the first reference equal the published ones.
fn extracted(file: &Path) -> Result<f64> {
    let extractor = Extractor::new(analyzer_by_name("mecab:penalty=off")?, Rule::AsPublishedFiles);
    let mut equal = 0.0;
    for item in read_items(file, BadLines::Refuse)?.into_values() {
        let first = item.references().first().map_or("", String::as_str);
        let ours: BTreeSet<String> = extractor.concepts(first)?.into_iter().collect();
        equal += f64::from(u8::from(ours == item.concepts().iter().cloned().collect()));
    }
    Ok(equal)
}

pub(crate) fn run_study(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let evaluator = Evaluator::new(analyzer_by_name("mecab")?, Protocol::Released);
    let study = Study::of(&context.data("commongen"), &evaluator, &())?;
    let set = study.sets.first().context("the original test")?;
    for system in &set.systems {
        for (column, value) in Columns::NAMES.into_iter().zip(&system.scores) {
            report.value(TABLE_2, &system.name, column, *value)?;
        }
        for (criterion, mean) in system.human.iter().flatten() {
            report.value(TABLE_5, &system.name, criterion.as_str(), *mean)?;
        }
    }
    for (criterion, kappa) in &set.agreement {
        report.value(TABLE_5, "kappa", criterion.as_str(), kappa.mean)?;
    }
    for map in &set.with_people {
        for (name, metric) in Columns::NAMES.into_iter().zip(&set.metrics) {
            for (table, target) in [(PEOPLE, "total"), ("commongen with factuality", "factuality")]
            {
                let value = map.get(&metric.name, target).map_or(f64::NAN, |found| found.value);
                report.value(table, name, map.correlation.name(), value)?;
            }
        }
    }
    let test = study.data.iter().find(|file| file.name == "test").context("the test file")?;
    sizes(report, &test.statistics)?;
    study.report(Language::English).write("target/reproduction/commongen".as_ref())?;
    println!("        report: target/reproduction/commongen/report.html");
    Ok(())
}
