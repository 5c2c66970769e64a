//! What is drawn from, and how often each token is, against transformers' values: `tests/models/generators/drawn_from.json`, which `make.py`
//! beside it wrote.

use super::rules::narrow;
use crate::{
    TextGenerator,
    model::{inference::Inference, numbers, place::Place},
};
use ko_eval_model::{Decoding, Search};
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

/// The numbers of a next token, and what some settings leave of them.
#[derive(Deserialize)]
struct Case {
    /// Whose numbers they are, and after which prompt; none if made by hand.
    model: Option<(String, Vec<u32>)>,
    /// `null` is forbidden.
    logits: Vec<Option<f32>>,
    left: Vec<Left>,
}

#[derive(Deserialize)]
struct Left {
    temperature: f64,
    top_k: usize,
    top_p: f64,
    /// Tokens that stay, and their scores.
    scores: Vec<(usize, f32)>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/generators")
}

fn golden() -> Vec<Case> {
    let json = std::fs::read(folder().join("drawn_from.json")).unwrap();
    serde_json::from_slice::<Golden>(&json).unwrap().cases
}

/// How far counts are from what shares let expect, and a distance that one of 30,000 such samples passes: χ², and Wilson and Hilferty's bound.
/// Tokens of which fewer than five are expected count together.
pub(super) fn chi_square(counts: &[f64], shares: &[f64]) -> (f64, f64) {
    let drawn: f64 = counts.iter().sum();
    let mut bins: Vec<(f64, f64)> = vec![(0.0, 0.0)];
    for (&count, &share) in counts.iter().zip(shares) {
        match share * drawn < 5.0 {
            true => bins[0] = (bins[0].0 + count, bins[0].1 + share * drawn),
            false => bins.push((count, share * drawn)),
        }
    }
    if bins[0].1 == 0.0 {
        assert_eq!(bins.remove(0).0, 0.0, "what is forbidden was drawn");
    }
    let distance = bins.iter().map(|(count, expected)| (count - expected).powi(2) / expected).sum();
    let free = bins.len().saturating_sub(1).max(1) as f64;
    let spread = 2.0 / (9.0 * free);
    (distance, free * (1.0 - spread + 4.0 * spread.sqrt()).powi(3))
}

#[test]
fn what_is_left_is_what_transformers_leaves() {
    let cases = golden();
    assert!(cases.iter().filter(|case| case.model.is_some()).count() >= 6);
    let mut seen = 0;
    for case in &cases {
        let logits = case.logits.iter().map(|logit| logit.unwrap_or(f32::NEG_INFINITY));
        let logits: Vec<f32> = logits.collect();
        let row = Place::default().tensor(&logits).unwrap().view([1, -1]);
        for left in &case.left {
            let ours = narrow(&row, left.temperature, left.top_k, left.top_p).unwrap();
            let ours = numbers(&ours).unwrap();
            let mut theirs = vec![f32::NEG_INFINITY; logits.len()];
            left.scores.iter().for_each(|&(token, score)| theirs[token] = score);
            let what = format!("{:?} {:?}", case.model, (left.temperature, left.top_k, left.top_p));
            for (token, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
                assert_eq!(ours.is_finite(), theirs.is_finite(), "{what}, token {token}");
                let near = ours == theirs || (ours - theirs).abs() < 1e-6 * (1.0 + theirs.abs());
                assert!(near, "{what}, token {token}: {ours} is not {theirs}");
            }
            seen += 1;
        }
    }
    assert!(seen >= 90, "{seen} settings");
}

/// The first tokens of many draws come as often as transformers' scores say; those of the model's own numbers would not do.
#[test]
fn models_draw_by_transformers_scores() {
    const DRAWS: usize = 3000;
    for case in golden() {
        let Some((family, prompt)) = &case.model else { continue };
        let inference = Inference::new().threads(1);
        let model = TextGenerator::open(folder().join(family), &inference).unwrap();
        let shares = |scores: &[(usize, f64)]| {
            let whole: f64 = scores.iter().map(|(_, score)| score.exp()).sum();
            let mut shares = vec![0.0; case.logits.len()];
            scores.iter().for_each(|&(token, score)| shares[token] = score.exp() / whole);
            shares
        };
        let plain = case.logits.iter().map(|logit| f64::from(logit.unwrap()));
        let plain = shares(&plain.enumerate().collect::<Vec<_>>());
        for left in &case.left {
            let &Left { temperature, top_k, top_p, .. } = left;
            let search = Search::Sample { temperature, top_k, top_p, seed: 17 };
            // Not one: a last token may be forced.
            let decoding = Decoding { search, candidates: DRAWS, ..Decoding::greedy(2) };
            let drawn = model.generate_tokens(std::slice::from_ref(prompt), &decoding).unwrap();
            let mut counts = vec![0.0; case.logits.len()];
            drawn[0].iter().for_each(|one| counts[one.ids[0] as usize] += 1.0);
            let scores: Vec<(usize, f64)> =
                left.scores.iter().map(|&(token, score)| (token, f64::from(score))).collect();
            let (distance, bound) = chi_square(&counts, &shares(&scores));
            let what = format!("{family}, {:?}", (temperature, top_k, top_p));
            assert!(distance < bound, "{what}: {distance} of {bound}");
            if (temperature, top_p) != (1.0, 1.0) {
                let (distance, bound) = chi_square(&counts, &plain);
                assert!(distance > bound, "{what}: the model's own shares would do");
            }
        }
    }
}
