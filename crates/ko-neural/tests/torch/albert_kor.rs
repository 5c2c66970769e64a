//! The real Korean ALBERT against `transformers` 5.22.2 on fifty sentences; skipped where it is not installed.

use ko_eval_model::{Encoder, SentenceEmbedder};
use ko_neural::{Embedder, Inference, Precision, Transformer, vector::cosine};
use safetensors::SafeTensors;
use std::path::{Path, PathBuf};

const EXPECTED: &[u8] = include_bytes!("../albert-kor-base/expected.safetensors");
const SENTENCES: &str = include_str!("../albert-kor-base/sentences.txt");

fn tensor(name: &str) -> Vec<f32> {
    let file = SafeTensors::deserialize(EXPECTED).unwrap();
    let bytes = file.tensor(name).unwrap().data().to_vec();
    bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

#[track_caller]
fn assert_near<'n>(ours: impl Iterator<Item = &'n f32>, theirs: &[f32]) {
    let ours: Vec<f32> = ours.copied().collect();
    assert_eq!(ours.len(), theirs.len());
    let worst = ours.iter().zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst < 1e-4, "the largest difference is {worst}");
}

/// Returns where the model is; skips the test if it is not installed.
fn folder() -> Option<PathBuf> {
    let folder = ko_eval_io::home().join("albert-kor-base");
    if !folder.is_dir() {
        let reason = "the Korean ALBERT is missing: run `ko-eval setup albert`";
        ko_eval_testing::skip("albert_kor", reason);
        return None;
    }
    Some(folder)
}

#[test]
fn fifty_sentences_equal_transformers() {
    let Some(folder) = folder() else { return };
    let sentences: Vec<&str> = SENTENCES.lines().collect();
    let model = Transformer::open(&folder, &Inference::new()).unwrap();
    let encodings = model.encode(&sentences).unwrap();
    let some = |row: &'_ [f32]| row.iter().step_by(192).copied().collect::<Vec<_>>();
    let tokens: Vec<f32> = encodings.iter().flat_map(|e| e.vectors.rows().flat_map(some)).collect();
    assert_near(tokens.iter(), &tensor("tokens"));
    let embedder = Embedder::open(&folder, &Inference::new()).unwrap();
    assert_near(embedder.embed(&sentences).unwrap().as_slice().iter(), &tensor("means"));
}

/// The cosines of all pairs of sentences.
fn cosines(folder: &Path, precision: Precision) -> Vec<f64> {
    let sentences: Vec<&str> = SENTENCES.lines().collect();
    let embedder = Embedder::open(folder, &Inference::new().precision(precision)).unwrap();
    let vectors = embedder.embed(&sentences).unwrap();
    let rows: Vec<&[f32]> = vectors.rows().collect();
    let pairs =
        rows.iter().enumerate().flat_map(|(i, a)| rows[i + 1..].iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| f64::from(cosine(a, b))).collect()
}

#[test]
fn scores_in_narrow_numbers_follow_those_in_single_ones() {
    let Some(folder) = folder() else { return };
    let (single, narrow) = (cosines(&folder, Precision::F32), cosines(&folder, Precision::Bf16));
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (m, n) = (mean(&single), mean(&narrow));
    let product = |x: &[f64], a: f64, y: &[f64], b: f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - a) * (y - b)).sum()
    };
    let both = product(&single, m, &narrow, n);
    let each = product(&single, m, &single, m) * product(&narrow, n, &narrow, n);
    let pearson = both / each.sqrt();
    println!("Pearson of {} cosines: {pearson:.6}", single.len());
    // Products come out of the processor in narrow numbers as well, which costs the last digits: .99979 was seen.
    assert!(pearson >= 0.9995, "{pearson}");
}
