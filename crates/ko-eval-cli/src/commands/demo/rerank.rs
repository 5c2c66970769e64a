//! Candidates of a generator, re-ranked by the concepts they cover.

use super::{Stage, say};
use crate::lang::{fill, tr};
use anyhow::Result;
use ko_eval::{
    commongen::{Candidates, Reranker},
    tokenize::analyzer_by_name,
};

pub(super) const CANDIDATES: &str = include_str!("../../../samples/candidates.jsonl");

pub(super) fn show(stage: &Stage) -> Result<()> {
    let reranker = Reranker::new(analyzer_by_name("mecab")?);
    let mut text = String::new();
    for line in CANDIDATES.lines() {
        let offered: Candidates = serde_json::from_str(line)?;
        let choice = reranker.choose(&offered)?;
        let concepts: Vec<&str> = offered.concept_set.split('#').collect();
        text += &format!("{}\n", concepts.join(", "));
        for (number, candidate) in offered.candidates.iter().enumerate() {
            let used = concepts.iter().filter(|concept| candidate.text.contains(**concept)).count();
            let mark = if number == choice.index { "→" } else { " " };
            let (used, all) = (used.to_string(), concepts.len().to_string());
            let uses = fill("uses {0} of {1}", &[&used, &all]);
            let score = candidate.score.unwrap_or_default();
            text +=
                &format!("  {mark} {uses}, {} {score:>4.1}   {}\n", tr("model"), candidate.text);
        }
    }
    say(&format!("{text}\n"))?;
    stage.run(&format!("commongen rerank {}", stage.sample("candidates.jsonl")?))
}
