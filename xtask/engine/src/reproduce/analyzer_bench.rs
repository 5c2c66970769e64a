//! The public benchmark of analyzers in kiwipiepy's repository (`benchmark/disambiguate`), and whole sentences with gold morphemes.

use super::{Data, Finding};
use anyhow::{Context, Result};
use ko_eval::Error;
use ko_tokenize::{
    MorphemeAnalyzer, analyzer_by_name,
    gold::{Asked, Gold, Matching},
};
use std::{fs, path::PathBuf, sync::Arc};

/// An analyzer, and its published accuracies by the name of the file.
struct Row {
    unit: &'static str,
    published: &'static [(&'static str, f64)],
}

/// The published row of MeCab is said to be with inflected forms split; its figures are those of surfaces, and the row with the forms split
/// stands below it. Kiwi's is of version 0.22, so it stands beside ours of 0.24.1 and decides nothing. Hannanum and Okt do not
/// tell verbs from adjectives, and have no row.
const ROWS: &[Row] = &[
    Row { unit: "mecab", published: &[("distant", 0.5385), ("irregular_verbs", 0.3631)] },
    Row { unit: "mecab:form=morpheme", published: &[] },
    Row { unit: "khaiii", published: &[("distant", 0.4872), ("irregular_verbs", 0.4968)] },
    Row { unit: "komoran", published: &[("distant", 0.4615), ("irregular_verbs", 0.4522)] },
    Row { unit: "kkma", published: &[("distant", 0.4615), ("irregular_verbs", 0.4777)] },
    Row { unit: KIWI, published: &[("distant", 0.6667), ("irregular_verbs", 0.7389)] },
];
const KIWI: &str = "kiwi";

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let files = files(data)?;
    let mut findings = Vec::new();
    print!("        {:<22}", "accuracy");
    files.iter().for_each(|(name, _)| print!(" {name:>19}"));
    println!();
    let mut scores = Vec::new();
    for Row { unit, published } in ROWS {
        let Some(analyzer) = installed(unit)? else { continue };
        let mut finding = Finding::new(format!("bench, {unit}"));
        print!("        {unit:<22}");
        let mut f1 = Vec::new();
        for (name, gold) in &files {
            // The benchmark's own rule; of whole sentences the share of all gold morphemes that stand in the analysis.
            let counts = gold.evaluate(&*analyzer, Matching::Letters)?.counts;
            let accuracy = counts.accuracy();
            print!(" {accuracy:>19.4}");
            let known = published.iter().find(|(file, _)| file == name);
            if let Some((_, printed)) = known.filter(|_| *unit != KIWI) {
                finding.add_rounded(accuracy, *printed, 4, || name.clone());
            }
            if gold.asked() == Asked::All {
                f1.push(gold.evaluate(&*analyzer, Matching::Tags)?.counts);
            }
        }
        println!();
        scores.push((unit, f1));
        if finding.compared > 0 {
            findings.push(finding);
        }
    }
    let whole = files.iter().filter(|(_, gold)| gold.asked() == Asked::All);
    print!("        {:<22}", "P/R/F1, Sejong's tags");
    whole.for_each(|(name, _)| print!(" {name:>19}"));
    println!();
    for (unit, counts) in scores {
        print!("        {unit:<22}");
        for counts in counts {
            let (p, f) = (counts.precision().unwrap_or(0.0), counts.f1().unwrap_or(0.0));
            print!("   {p:.3} {:.3} {f:.3}", counts.recall());
        }
        println!();
    }
    Ok(findings)
}

/// Every gold file, by its name without extension, in order.
fn files(data: &Data) -> Result<Vec<(String, Gold)>> {
    let folder = data.folder.join("analyzer-bench");
    let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, Gold::read(path)?))
    };
    paths.into_iter().map(read).collect()
}

/// Nothing for an analyzer that is not installed.
fn installed(unit: &str) -> Result<Option<Arc<dyn MorphemeAnalyzer>>> {
    match analyzer_by_name(unit) {
        Ok(analyzer) => Ok(Some(analyzer)),
        Err(error @ Error::Missing { .. }) => {
            eprintln!("SKIPPED {unit}: {error}");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}
