//! How long sentence vectors, BERTScore or a beam search take: `throughput MODEL SENTENCES THREADS embed|bertscore|generate [f32|bf16|f16]`, a
//! sentence per line. Prints seconds after a warm-up, and the mean of all numbers, of F1 or of the best answers' scores, which tells whether
//! others compute the same.

use ko_eval_core::{Decoding, Generator, Prompt, Scorer, Segment, SentenceEmbedder};
use ko_neural::{BertScore, Embedder, Inference, LongText, Precision, TextGenerator, Transformer};
use std::{error::Error, sync::Arc, time::Instant};

type Work = Box<dyn Fn(&[&str]) -> ko_eval_core::Result<f64>>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, path, threads, task, precision @ ..] = arguments.as_slice() else {
        return Err(
            "expected: throughput MODEL SENTENCES THREADS embed|bertscore|generate [PRECISION]"
                .into(),
        );
    };
    let precision: Precision = precision.first().map_or(Ok(Precision::F32), |word| word.parse())?;
    let inference = Inference::new().long_text(LongText::Truncate).threads(threads.parse()?);
    let inference = inference.precision(precision);
    let text = std::fs::read_to_string(path)?;
    let sentences: Vec<&str> = text.lines().collect();
    let work: Work = match task.as_str() {
        "embed" => {
            let embedder = Embedder::open(folder, &inference)?;
            Box::new(move |sentences| mean_number(&embedder, sentences))
        }
        "bertscore" => {
            let metric = BertScore::new(Arc::new(Transformer::open(folder, &inference)?));
            Box::new(move |sentences| mean_f1(&metric, sentences))
        }
        "generate" => {
            let model = TextGenerator::open(folder, &inference)?;
            Box::new(move |prompts| mean_score(&model, prompts))
        }
        _ => return Err(format!("`{task}` is neither embed, bertscore nor generate").into()),
    };
    work(sentences.get(..64).unwrap_or(&sentences))?;
    let start = Instant::now();
    let value = work(&sentences)?;
    println!("{:.2}\t{value:.6}", start.elapsed().as_secs_f64());
    Ok(())
}

fn mean_number(embedder: &Embedder, sentences: &[&str]) -> ko_eval_core::Result<f64> {
    let vectors = embedder.embed(sentences)?;
    let numbers = vectors.as_slice();
    Ok(numbers.iter().map(|&x| f64::from(x)).sum::<f64>() / numbers.len() as f64)
}

/// The first half of the sentences are the references of the second.
fn mean_f1(metric: &BertScore, sentences: &[&str]) -> ko_eval_core::Result<f64> {
    let (references, hypotheses) = sentences.split_at(sentences.len() / 2);
    let pairs = hypotheses.iter().zip(references);
    let segments: Vec<Segment<'_>> = pairs
        .map(|(hypothesis, reference)| Segment::new(hypothesis, [*reference]))
        .collect::<Result<_, _>>()?;
    Ok(metric.corpus_score(&segments)?.score.value)
}

/// The search of Korean CommonGen: ten beams.
fn mean_score(model: &TextGenerator, prompts: &[&str]) -> ko_eval_core::Result<f64> {
    let prompts: Vec<Prompt<'_>> = prompts.iter().map(|prompt| Prompt::new(*prompt)).collect();
    let answers = model.generate(&prompts, &Decoding::commongen())?;
    let scores = answers.iter().filter_map(|all| all.first()?.score);
    Ok(scores.sum::<f64>() / answers.len() as f64)
}
