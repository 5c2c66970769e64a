//! The published study, whole, as `ko-eval commongen evaluate` gives it: what is printed has to come out of that one call too.

use super::{
    Data, Finding,
    commongen::{CRITERIA, TABLE_2, TABLE_5, WITH_PEOPLE},
    commongen_judged::SYSTEMS,
};
use anyhow::{Context, Result};
use ko_eval::{
    commongen::{Evaluator, Protocol, Study, human::Criterion},
    meta::report::Language,
    tokenize::analyzer_by_name,
};

/// The columns that both protocols average alike: ROUGE-2, ROUGE-L, Coverage.
const ALIKE: [usize; 3] = [2, 3, 5];

/// Pearson of Coverage with factuality alone.
const COVERAGE: f64 = 0.756;

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let folder = data.folder.join("commongen");
    let evaluator = Evaluator::new(analyzer_by_name("mecab")?, Protocol::Released);
    let study = Study::of(&folder, &evaluator, &())?;
    let set = study.sets.first().context("the original test")?;
    let mut scores = Finding::new("study: scores, ratings");
    for (number, system) in SYSTEMS.iter().enumerate() {
        let name = system.file.trim_end_matches(".txt");
        let found = set.systems.iter().find(|found| found.name == name).context(name)?;
        for column in ALIKE {
            let value = found.scores.get(column).copied().unwrap_or(f64::NAN);
            scores.add_rounded(value, TABLE_2[number][column], 2, || {
                format!("{name}, column {column}")
            });
        }
        let human = found.human.as_ref().context(name)?;
        for ((criterion, _), printed) in CRITERIA.iter().zip(TABLE_5[number]) {
            let mean = human.get(criterion).copied().unwrap_or(f64::NAN);
            scores.add_rounded(mean, printed, 3, || format!("{name}, {criterion}"));
        }
    }
    for (criterion, printed) in CRITERIA {
        let kappa = set.agreement.get(&criterion).map_or(f64::NAN, |kappa| kappa.mean);
        scores.add_rounded(kappa, printed, 4, || format!("kappa of {criterion}"));
    }
    let mut people = Finding::new("study: maps with people");
    for (number, (name, printed)) in WITH_PEOPLE.iter().enumerate() {
        let row = set.metrics.get(number).context(*name)?;
        for (map, printed) in set.with_people.iter().zip(printed) {
            let value = map.get(&row.name, "total").map_or(f64::NAN, |estimate| estimate.value);
            people.add_rounded(value, *printed, 3, || format!("{name}, {}", map.correlation));
        }
    }
    let coverage = set.metrics.get(5).context("Coverage")?;
    let pearson = set.with_people.first().context("a map")?;
    let value = pearson.get(&coverage.name, Criterion::Factuality.as_str());
    people.add_rounded(value.map_or(f64::NAN, |e| e.value), COVERAGE, 3, || {
        "Coverage, factuality".into()
    });
    let mut table = Finding::new("study: table 1");
    let test = study.data.iter().find(|file| file.name == "test").context("the test file")?;
    let counts = &test.statistics;
    table.add(counts.sizes == [334, 604, 577, 513, 12], || format!("sizes {:?}", counts.sizes));
    table.add(counts.references == 6120, || format!("{} references", counts.references));
    let report = study.report(Language::English);
    report.write("target/reproduction/commongen".as_ref())?;
    println!("        report: target/reproduction/commongen/report.html");
    Ok(vec![scores, people, table])
}
