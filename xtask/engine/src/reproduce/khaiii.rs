//! Morphemes and tags of Khaiii 0.4.

use super::{Data, Finding};
use anyhow::{Context, Result};
use ko_tokenize::{
    MorphemeAnalyzer, Normalization,
    khaiii::{self, Khaiii},
};
use serde::Deserialize;
use std::path::PathBuf;

#[derive(Deserialize)]
struct Line {
    s: String,
    khaiii: Vec<String>,
}

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let golden = data.golden("analyzers.jsonl")?;
    let lines = golden.lines().enumerate().map(|(number, line)| {
        serde_json::from_str(line).with_context(|| format!("analyzers.jsonl, line {}", number + 1))
    });
    let lines: Vec<Line> = lines.collect::<Result<_>>()?;
    let mut findings = vec![compare("khaiii", khaiii::folder(), &lines)];
    let native = data.folder.join("khaiii");
    if native.is_dir() {
        findings.push(compare("khaiii, native build", native, &lines));
    }
    Ok(findings)
}

fn compare(name: &str, folder: PathBuf, lines: &[Line]) -> Finding {
    let try_compare = || -> Result<Finding> {
        // The reference read the strings as they are.
        let khaiii = Khaiii::builder().folder(folder).normalization(Normalization::NONE).build()?;
        let mut finding = Finding::new(name);
        for line in lines {
            let ours: Vec<_> =
                khaiii.analyze(&line.s)?.iter().map(|m| format!("{}/{}", m.form, m.tag)).collect();
            finding.add(ours == line.khaiii, || format!("{}: {}", line.s, ours.join(" ")));
        }
        Ok(finding)
    };
    try_compare().unwrap_or_else(|error| Finding::missing(name, format!("{error:#}")))
}
