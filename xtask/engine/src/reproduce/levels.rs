//! Units per word at each level that grammarians count words at, on Korean CommonGen's references.

use super::{Data, Finding};
use anyhow::Result;
use ko_eval::{
    Error,
    commongen::{BadLines, read_items},
};
use ko_tokenize::{Level, Leveled, analyzer_by_name};
use std::{collections::BTreeSet, sync::Arc};

/// Kkma, which takes a minute and a half, is left out.
const ANALYZERS: &[&str] = &[
    "mecab",
    "mecab:form=morpheme",
    "khaiii",
    "kiwi",
    "komoran",
    "okt",
    "hannanum",
    "hannanum:ntags=22",
];

const LEVELS: [Level; 3] = [Level::Particle, Level::Ending, Level::Morpheme];

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let items = read_items(data.folder.join("commongen/dataset/test.jsonl"), BadLines::Refuse)?;
    let items = items.into_values();
    let texts: BTreeSet<&str> =
        items.iter().flat_map(|item| item.references()).map(String::as_str).collect();
    let texts: Vec<&str> = texts.into_iter().collect();
    let words: usize = texts.iter().map(|text| text.split_whitespace().count()).sum();
    let mut finding = Finding::new("levels");
    println!(
        "        {:<22} {:>9} {:>9} {:>9}",
        "units per word", "particle", "ending", "morpheme"
    );
    for name in ANALYZERS {
        let analyzer = match analyzer_by_name(name) {
            Ok(analyzer) => analyzer,
            Err(error @ Error::Missing { .. }) => {
                eprintln!("SKIPPED {name}: {error}");
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let mut ratios = Vec::new();
        print!("        {name:<22}");
        for level in LEVELS {
            let leveled = Leveled::new(Arc::clone(&analyzer), level);
            let units = ko_tokenize::tokenize_all(&leveled, &texts)?;
            let units: usize = units.iter().map(Vec::len).sum();
            ratios.push(units as f64 / words as f64);
            print!(" {:>9.2}", units as f64 / words as f64);
        }
        println!();
        finding.add(ratios.is_sorted(), || format!("{name}: {ratios:?} do not grow"));
    }
    Ok(vec![finding])
}
