//! Seconds for sentence vectors and for BERTScore: `throughput MODEL SENTENCES [THREADS]`, a sentence per line.

use ko_eval_core::{Scorer, Segment, SentenceEmbedder};
use ko_neural::{BertScore, Embedder, Inference, LongText, Transformer};
use std::{error::Error, sync::Arc, time::Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, path, rest @ ..] = arguments.as_slice() else {
        return Err("expected: throughput MODEL SENTENCES [THREADS]".into());
    };
    let mut inference = Inference::new().long_text(LongText::Truncate);
    if let Some(threads) = rest.first() {
        inference = inference.threads(threads.parse()?);
    }
    let text = std::fs::read_to_string(path)?;
    let sentences: Vec<&str> = text.lines().collect();
    let embedder = Embedder::open(folder, &inference)?;
    println!("embed\t{:.2} s", best(|| embedder.embed(&sentences).map(drop))?);
    let metric = BertScore::new(Arc::new(Transformer::open(folder, &inference)?));
    let (references, hypotheses) = sentences.split_at(sentences.len() / 2);
    let pairs = hypotheses.iter().zip(references);
    let segments: Vec<Segment<'_>> = pairs
        .map(|(hypothesis, reference)| Segment::new(hypothesis, [*reference]))
        .collect::<Result<_, _>>()?;
    println!("bertscore\t{:.2} s", best(|| metric.corpus_score(&segments).map(drop))?);
    Ok(())
}

/// The best of three runs after a warm-up.
fn best(work: impl Fn() -> ko_eval_core::Result<()>) -> ko_eval_core::Result<f64> {
    work()?;
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        work()?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    Ok(least)
}
