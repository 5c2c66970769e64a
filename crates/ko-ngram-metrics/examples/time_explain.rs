//! How long it takes to explain the scores of five systems with 2,000 segments each by eight metrics, the texts cut into words.
//!
//! `cargo run --release -p ko-ngram-metrics --example time_explain`

use ko_eval_core::{Corpus, OwnedSegment, Panel, Result};
use std::{sync::Arc, time::Instant};

const METRICS: [&str; 8] =
    ["bleu", "chrf:word-order=2", "ter", "character", "eed", "ribes", "rouge-l", "meteor"];

/// Sentences of about fifteen words; systems differ from the reference in some of them.
fn sentence(number: usize, system: usize) -> String {
    let words = [
        "나는",
        "어제",
        "친구와",
        "함께",
        "시장에서",
        "맛있는",
        "밥을",
        "많이",
        "먹었다.",
        "비가",
        "와서",
        "우산을",
    ];
    let word = |place: usize| {
        let changed = system > 0 && (number + place * 7 + system * 3).is_multiple_of(5);
        words[(number * 31 + place * (number % 7 + 3) + usize::from(changed)) % words.len()]
    };
    (0..10 + number % 11).map(word).collect::<Vec<_>>().join(" ")
}

fn main() -> Result<()> {
    let unit = ko_tokenize::by_name("word")?;
    let mut panel = Panel::default();
    for metric in METRICS {
        panel.push(metric, Some("word"), ko_ngram_metrics::by_name(metric, Arc::clone(&unit))?);
    }
    let of_system = |system| (0..2000).map(move |number| (number, system));
    let corpus: Corpus = (1..=5)
        .flat_map(of_system)
        .map(|(number, system)| OwnedSegment::new(sentence(number, system), [sentence(number, 0)]))
        .collect::<Result<_>>()?;
    let start = Instant::now();
    let links = panel.explain_with(&corpus.segments(), |_, explanations| {
        Ok(explanations
            .iter()
            .flat_map(|e| &e.layers)
            .map(|layer| layer.links.len())
            .sum::<usize>())
    })?;
    println!(
        "{} explanations, {} links: {:.2?}",
        links.len() * METRICS.len(),
        links.iter().sum::<usize>(),
        start.elapsed()
    );
    Ok(())
}
