//! Which metric agrees with people, on which unit? Three systems, judged by people, and every metric against them.

use ko_eval::{
    Corpus, LIBRARY, Result,
    meta::{AgreementReport, Experiment, Judged, MetricRow, Unit},
    read,
};
use std::collections::BTreeMap;

fn main() -> Result<()> {
    let data =
        |name: &str| format!("{}/../crates/ko-eval-cli/samples/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut judged = Judged::new(["adequacy"])?;
    for (system, scores) in ratings(&read_text(&data("human.tsv"))?) {
        let output = data(&format!("{system}.txt"));
        let corpus: Corpus =
            read::parallel_text(output, [data("reference.txt")])?.collect::<Result<_>>()?;
        judged.push(system, corpus, vec![scores])?;
    }
    let mut experiment = Experiment::new(&judged);
    for metric in ["bleu:order=2", "chrf", "ter"] {
        experiment = experiment.metric(MetricRow::by_name(LIBRARY, metric)?);
    }
    for unit in ["word", "char", "jamo"] {
        experiment = experiment.unit(Unit::new(unit, ko_eval::unit(unit)?));
    }
    println!("{}", AgreementReport::new(&experiment.run()?).markdown());
    Ok(())
}

fn read_text(path: &str) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| ko_eval::Error::io(path, error))
}

/// The first criterion's score of each segment, by system.
fn ratings(table: &str) -> BTreeMap<String, Vec<f64>> {
    let mut systems: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let mut cells = line.split('\t');
        if let (Some(system), _, Some(score)) = (cells.next(), cells.next(), cells.next()) {
            systems.entry(system.to_owned()).or_default().extend(score.parse::<f64>().ok());
        }
    }
    systems
}
