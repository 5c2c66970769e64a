//! Korean CommonGen's published tables, recomputed from the published files.

use super::{Data, Finding, commongen_judged::SYSTEMS};
use anyhow::{Context, Result};
use ko_eval::commongen::{
    BadLines, Columns, Evaluator, Extractor, Pairs, Protocol, Rule, Statistics,
    human::{Criterion, HumanScores, agreement, correlations},
    read_items,
};
use ko_eval::tokenize::analyzer_by_name;
use std::{collections::BTreeSet, path::Path};

/// Table 2 in the order of [`SYSTEMS`]; METEOR of mT5-large as Tables 3 and 4 print it.
pub(super) const TABLE_2: [[f64; 6]; 4] = [
    [29.24, 18.91, 43.36, 60.41, 39.89, 79.43],
    [39.54, 29.16, 53.60, 68.55, 51.17, 93.65],
    [40.51, 30.20, 53.50, 68.18, 50.90, 91.71],
    [46.33, 35.90, 58.91, 72.78, 56.52, 95.07],
];

/// Table 7.
const TABLE_7: [[f64; 6]; 4] = [
    [25.08, 16.14, 38.59, 56.67, 31.06, 77.10],
    [36.12, 26.55, 50.63, 66.64, 44.81, 95.14],
    [33.67, 24.21, 47.14, 63.92, 40.56, 93.09],
    [41.86, 31.72, 55.51, 70.06, 49.55, 96.80],
];

/// Table 5: grammar, commonsense, factuality, fluency.
pub(super) const TABLE_5: [[f64; 4]; 4] = [
    [0.846, 0.743, 1.267, 0.638],
    [1.317, 1.254, 1.744, 1.146],
    [1.311, 1.238, 1.705, 1.150],
    [1.439, 1.365, 1.805, 1.279],
];
pub(super) const CRITERIA: [(Criterion, f64); 4] = [
    (Criterion::Grammar, 0.3444),
    (Criterion::Commonsense, 0.4258),
    (Criterion::Factuality, 0.4781),
    (Criterion::Fluency, 0.4003),
];

/// Pearson, Spearman and Kendall's τ-b with the human total.
pub(super) const WITH_PEOPLE: [(&str, [f64; 3]); 6] = [
    ("p3", [0.508, 0.531, 0.388]),
    ("p4", [0.466, 0.493, 0.369]),
    ("rouge2", [0.619, 0.619, 0.451]),
    ("rougeL", [0.660, 0.648, 0.476]),
    ("meteor", [0.568, 0.570, 0.410]),
    ("coverage", [0.544, 0.530, 0.428]),
];

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let folder = data.folder.join("commongen");
    let test = folder.join("dataset/test.jsonl");
    let reformulated = folder.join("dataset/reformulated_test.jsonl");
    let mut tables = [Finding::new("commongen table 2"), Finding::new("commongen table 7")];
    let mut human = Finding::new("commongen table 5, kappa");
    let mut people = Finding::new("commongen with people");
    let mut concepts = Finding::new("commongen concepts");

    let (mut segments, mut totals, mut scores) = (Vec::new(), Vec::new(), Vec::new());
    for (number, system) in SYSTEMS.iter().enumerate() {
        let place = |table: &str| format!("{}, {table}", system.file);
        let paper = score(&test, &folder.join("systems").join(system.file), Protocol::Paper)?;
        let mut columns = paper.columns;
        if number == 0 {
            // Printed as the released script averages.
            let released =
                score(&test, &folder.join("systems").join(system.file), Protocol::Released)?;
            (columns.p3, columns.p4) = (released.columns.p3, released.columns.p4);
        }
        segments.extend(paper.by_segment);
        digits(&mut tables[0], &columns, &TABLE_2[number], &place("table 2"));
        let other = folder.join("systems_reformulated").join(system.file);
        let other = score(&reformulated, &other, Protocol::Paper)?;
        digits(&mut tables[1], &other.columns, &TABLE_7[number], &place("table 7"));

        let ratings =
            HumanScores::read(&folder.join("human").join(system.human), "korean_commongen")?;
        for ((criterion, _), printed) in CRITERIA.iter().zip(TABLE_5[number]) {
            let mean = ratings.means().get(criterion).copied().unwrap_or(f64::NAN);
            human.add_rounded(mean, printed, 3, || place(&criterion.to_string()));
        }
        totals.extend(ratings.totals());
        scores.push(ratings);
    }
    for (criterion, printed) in CRITERIA {
        let kappa = agreement(&scores, criterion)?.mean;
        human.add_rounded(kappa, printed, 4, || format!("kappa of {criterion}"));
    }
    let found = correlations(&segments, &totals)?;
    for (name, printed) in WITH_PEOPLE {
        let found = found.get(name).with_context(|| name.to_owned())?;
        let values = [found.pearson.value, found.spearman.value, found.kendall.value];
        for (value, printed) in values.into_iter().zip(printed) {
            people.add_rounded(value, printed, 3, || name.to_owned());
        }
    }
    extract(&mut concepts, &test, 2039)?;
    extract(&mut concepts, &reformulated, 1083)?;
    let statistics = Statistics::of(&read_items(&test, BadLines::Refuse)?.into_values());
    concepts.add(statistics.sizes == [334, 604, 577, 513, 12], || {
        format!("sizes of sets are {:?}", statistics.sizes)
    });
    let [two, seven] = tables;
    Ok(vec![two, seven, human, people, concepts])
}

fn score(
    test: &Path,
    system: &Path,
    protocol: Protocol,
) -> Result<ko_eval::commongen::SystemScores> {
    let pairs = Pairs::read(test, system, BadLines::Refuse)?;
    Ok(Evaluator::new(analyzer_by_name("mecab")?, protocol).evaluate(&pairs, &())?)
}

fn digits(finding: &mut Finding, columns: &Columns, printed: &[f64; 6], place: &str) {
    for ((value, printed), name) in columns.values().into_iter().zip(printed).zip(Columns::NAMES) {
        finding.add_rounded(value, *printed, 2, || format!("{place}, {name}"));
    }
}

/// Concept sets taken from the first reference, against the published ones.
fn extract(finding: &mut Finding, file: &Path, expected: usize) -> Result<()> {
    let extractor = Extractor::new(analyzer_by_name("mecab:penalty=off")?, Rule::AsPublishedFiles);
    let mut equal = 0;
    for item in read_items(file, BadLines::Refuse)?.into_values() {
        let first = item.references().first().map_or("", String::as_str);
        let ours: BTreeSet<String> = extractor.concepts(first)?.into_iter().collect();
        equal += usize::from(ours == item.concepts().iter().cloned().collect());
    }
    finding.add(equal >= expected, || format!("{}: {equal} sets are equal", file.display()));
    Ok(())
}
