//! How long sentence vectors, BERTScore or a beam search take: `throughput MODEL SENTENCES THREADS embed|bertscore|generate [f32|bf16|f16 [FILE]]`, a
//! sentence per line. Prints seconds after a warm-up, and the mean of all numbers, of F1 or of the best answers' scores, which tells whether
//! others compute the same. To FILE goes a score per line, by which two precisions are compared: the cosine of every sentence with the next
//! one, F1 of every pair, or the best answers' scores.

use ko_eval_core::{Scorer, Segment};
use ko_eval_model::{Decoding, Generator, Prompt, SentenceEmbedder};
use ko_neural::{
    BertScore, Embedder, Inference, LongText, Precision, TextGenerator, Transformer, vector::cosine,
};
use std::{error::Error, sync::Arc, time::Instant};

/// The mean by which two sides are compared, and the scores.
type Found = (f64, Vec<f64>);
type Work = Box<dyn Fn(&[&str]) -> ko_eval_core::Result<Found>>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, path, threads, task, more @ ..] = arguments.as_slice() else {
        return Err(
            "expected: throughput MODEL SENTENCES THREADS embed|bertscore|generate [PRECISION [FILE]]"
                .into(),
        );
    };
    let precision: Precision = more.first().map_or(Ok(Precision::F32), |word| word.parse())?;
    let inference = Inference::new().long_text(LongText::Truncate).threads(threads.parse()?);
    let inference = inference.precision(precision);
    let text = std::fs::read_to_string(path)?;
    let sentences: Vec<&str> = text.lines().collect();
    let work: Work = match task.as_str() {
        "embed" => {
            let embedder = Embedder::open(folder, &inference)?;
            Box::new(move |sentences| vectors(&embedder, sentences))
        }
        "bertscore" => {
            let metric = BertScore::new(Arc::new(Transformer::open(folder, &inference)?));
            Box::new(move |sentences| pairs(&metric, sentences))
        }
        "generate" => {
            let model = TextGenerator::open(folder, &inference)?;
            Box::new(move |prompts| answers(&model, prompts))
        }
        _ => return Err(format!("`{task}` is neither embed, bertscore nor generate").into()),
    };
    work(sentences.get(..64).unwrap_or(&sentences))?;
    let start = Instant::now();
    let (mean, scores) = work(&sentences)?;
    println!("{:.2}\t{mean:.6}", start.elapsed().as_secs_f64());
    if let Some(path) = more.get(1) {
        std::fs::write(path, scores.iter().map(|score| format!("{score}\n")).collect::<String>())?;
    }
    Ok(())
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len() as f64;
    numbers.sum::<f64>() / count
}

fn vectors(embedder: &Embedder, sentences: &[&str]) -> ko_eval_core::Result<Found> {
    let vectors = embedder.embed(sentences)?;
    let next = vectors.rows().zip(vectors.rows().skip(1));
    let cosines = next.map(|(one, other)| f64::from(cosine(one, other))).collect();
    Ok((mean(vectors.as_slice().iter().map(|&x| f64::from(x))), cosines))
}

/// The first half of the sentences are the references of the second.
fn pairs(metric: &BertScore, sentences: &[&str]) -> ko_eval_core::Result<Found> {
    let (references, hypotheses) = sentences.split_at(sentences.len() / 2);
    let pairs = hypotheses.iter().zip(references);
    let segments: Vec<Segment<'_>> = pairs
        .map(|(hypothesis, reference)| Segment::new(hypothesis, [*reference]))
        .collect::<Result<_, _>>()?;
    let scores = metric.segment_scores(&segments)?;
    let scores: Vec<f64> = scores.iter().map(|score| score.value).collect();
    Ok((mean(scores.iter().copied()), scores))
}

/// Ten beams, as Korean CommonGen has them.
fn answers(model: &TextGenerator, prompts: &[&str]) -> ko_eval_core::Result<Found> {
    let prompts: Vec<Prompt<'_>> = prompts.iter().map(|prompt| Prompt::new(*prompt)).collect();
    let ten =
        Decoding { min_tokens: 10, no_repeat_ngram: 3, candidates: 5, ..Decoding::beam(10, 30) };
    let answers = model.generate(&prompts, &ten)?;
    let best = |all: &Vec<ko_eval_model::Candidate>| all.first().and_then(|answer| answer.score);
    let scores: Vec<f64> = answers.iter().filter_map(best).collect();
    Ok((mean(scores.iter().copied()), scores))
}
