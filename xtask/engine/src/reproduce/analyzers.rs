//! Kiwi, and KoNLPy's four, where they are installed: their units and tags against the originals'.

use super::{Data, Finding};
use anyhow::{Context, Result};
use ko_eval::Error;
use ko_tokenize::analyzer_by_name;
use serde_json::Value;

const ANALYZERS: &[&str] = &["kiwi", "komoran", "okt", "hannanum", "kkma"];

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let lines: Vec<Value> = data
        .golden("analyzers.jsonl")?
        .lines()
        .enumerate()
        .map(|(number, line)| {
            serde_json::from_str(line)
                .with_context(|| format!("analyzers.jsonl, line {}", number + 1))
        })
        .collect::<Result<_>>()?;
    ANALYZERS.iter().filter_map(|name| compare(name, &lines).transpose()).collect()
}

/// Nothing for an analyzer that is not installed: none of them is asked for by default.
fn compare(name: &str, lines: &[Value]) -> Result<Option<Finding>> {
    // The originals read the strings as they are.
    let analyzer = match analyzer_by_name(&format!("{name}:norm=none")) {
        Ok(analyzer) => analyzer,
        Err(error @ Error::Missing { .. }) => {
            eprintln!("SKIPPED {name}: {error}");
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    let mut finding = Finding::new(name);
    for line in lines {
        let text = line["s"].as_str().context("a sentence without text")?;
        let Some(expected) = line.get(name) else { continue };
        let expected: Vec<String> = serde_json::from_value(expected.clone())?;
        // kiwipiepy marks regular predicates; see `ko_tokenize::kiwi`.
        let expected = expected.iter().map(|unit| unit.strip_suffix("-R").unwrap_or(unit));
        let expected: Vec<_> = expected.collect();
        let morphemes = analyzer.analyze(text)?;
        let ours: Vec<_> = morphemes.iter().map(|m| format!("{}/{}", m.form, m.tag)).collect();
        finding.add(ours == expected, || format!("{text}: {}", ours.join(" ")));
    }
    Ok(Some(finding))
}
