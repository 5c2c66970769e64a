//! Morphemes and tags of Khaiii 0.4.

use super::{Data, Finding};
use anyhow::{Context, Result};
use ko_tokenize::{MorphemeAnalyzer, Normalization, khaiii::Khaiii};
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    s: String,
    khaiii: Vec<String>,
}

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let folder = data.folder.join("khaiii");
    // The reference read the strings as they are.
    let khaiii = Khaiii::builder().folder(folder).normalization(Normalization::NONE).build()?;
    let mut finding = Finding::new("khaiii");
    for (number, line) in data.golden("analyzers.jsonl")?.lines().enumerate() {
        let line: Line = serde_json::from_str(line)
            .with_context(|| format!("analyzers.jsonl, line {}", number + 1))?;
        let ours: Vec<_> =
            khaiii.analyze(&line.s)?.iter().map(|m| format!("{}/{}", m.form, m.tag)).collect();
        finding.add(ours == line.khaiii, || format!("{}: {}", line.s, ours.join(" ")));
    }
    Ok(vec![finding])
}
