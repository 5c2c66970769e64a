//! Surfaces and tags of MeCab-ko, with and without its left-space penalty.

use super::{Data, Finding};
use anyhow::{Context, Result};
use ko_tokenize::{
    MorphemeAnalyzer, Normalization,
    morpheme::{MecabKo, SpacePenalty},
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    s: String,
    pos: Vec<String>,
    /// Only where it differs.
    pos_nopen: Option<Vec<String>>,
}

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let with = compare(data, "mecab", SpacePenalty::On, |line| &line.pos)?;
    let without = compare(data, "mecab, no penalty", SpacePenalty::Off, |line| {
        line.pos_nopen.as_ref().unwrap_or(&line.pos)
    })?;
    Ok(vec![with, without])
}

fn compare(
    data: &Data,
    name: &str,
    penalty: SpacePenalty,
    expected: fn(&Line) -> &Vec<String>,
) -> Result<Finding> {
    // The reference read the strings as they are.
    let mecab = MecabKo::builder().penalty(penalty).normalization(Normalization::NONE).build()?;
    let mut finding = Finding::new(name);
    for (number, line) in data.golden("mecab_ko.jsonl")?.lines().enumerate() {
        let line: Line = serde_json::from_str(line)
            .with_context(|| format!("mecab_ko.jsonl, line {}", number + 1))?;
        let ours: Vec<_> =
            mecab.analyze(&line.s)?.iter().map(|m| format!("{}/{}", m.form, m.tag)).collect();
        finding.add(ours == *expected(&line), || format!("{}: {}", line.s, ours.join(" ")));
    }
    Ok(finding)
}
