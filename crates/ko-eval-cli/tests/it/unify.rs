//! The endings that `commongen build` makes one, by the very analyzer that it takes: sentences of ours, and what each becomes (`-`: nothing, so that it is
//! dropped). A wrong sentence is worse than one dropped.

use ko_eval::{commongen::Unify, tokenize::analyzer_by_name};

const SENTENCES: &str = include_str!("../unify/sentences.tsv");

#[test]
fn every_sentence_becomes_plain_or_is_dropped() {
    let unify = Unify::new(analyzer_by_name("mecab:penalty=off,form=morpheme").unwrap());
    let rows = SENTENCES.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<(&str, &str)> = rows.map(|line| line.split_once('\t').unwrap()).collect();
    assert!(rows.len() >= 250, "{} sentences", rows.len());
    let wrong: Vec<String> = rows
        .into_iter()
        .filter_map(|(text, expected)| {
            let plain = unify.unified(text).unwrap();
            let plain = plain.as_deref().unwrap_or("-");
            (plain != expected).then(|| format!("{text} → {plain}, not {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
