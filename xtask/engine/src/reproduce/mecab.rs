//! Surfaces and tags of MeCab-ko, with and without its left-space penalty.

use super::{Data, Finding};
use anyhow::{Context, Result};
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    s: String,
    pos: Vec<String>,
    /// Only where it differs.
    pos_nopen: Option<Vec<String>>,
}

pub(super) fn with_penalty(data: &Data) -> Result<Vec<Finding>> {
    compare(data, "mecab", |line| &line.pos)
}

pub(super) fn without_penalty(data: &Data) -> Result<Vec<Finding>> {
    compare(data, "mecab:penalty=off", |line| line.pos_nopen.as_ref().unwrap_or(&line.pos))
}

fn compare(data: &Data, spec: &str, expected: fn(&Line) -> &Vec<String>) -> Result<Vec<Finding>> {
    // The reference read the strings as they are.
    let separator = if spec.contains(':') { ',' } else { ':' };
    let analyzer = ko_tokenize::analyzer_by_name(&format!("{spec}{separator}norm=none"))?;
    let mut finding = Finding::new(spec);
    for (number, line) in data.golden("mecab_ko.jsonl")?.lines().enumerate() {
        let line: Line = serde_json::from_str(line)
            .with_context(|| format!("mecab_ko.jsonl, line {}", number + 1))?;
        let ours: Vec<_> =
            analyzer.analyze(&line.s)?.iter().map(|m| format!("{}/{}", m.form, m.tag)).collect();
        finding.add(ours == *expected(&line), || format!("{}: {}", line.s, ours.join(" ")));
    }
    Ok(vec![finding])
}
