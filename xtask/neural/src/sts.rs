//! STS on KorSTS, with the untrained backbone and character n-grams beside it.

use crate::{Context, report::Check, sbert};
use anyhow::Result;
use ko_eval_core::{PairScorer as _, SentenceEmbedder};
use ko_meta_eval::Correlation;
use ko_neural::{
    Embedder, Sts,
    read::{ScoredPair, sts_tsv},
    train::train_sts,
    vector::cosine,
};
use std::{
    collections::{BTreeSet, HashMap},
    path::PathBuf,
};

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let folder = train(context)?;
    let test = part(context, "test")?;
    let human: Vec<f64> = test.iter().map(|pair| pair.score).collect();
    let model = Sts::open(folder, &context.inference())?;
    let trained = model.score_pairs(&texts(&test))?;
    let backbone = Embedder::open(&context.backbone, &context.inference())?;
    let untrained = cosines(&backbone, &texts(&test))?;
    let letters = letter_cosines(&test);
    let pearson = |scores: &[f64]| Correlation::Pearson.of(scores, &human).map(|r| r.value);
    let spearman = Correlation::Spearman.of(&trained, &human)?.value;
    Ok(vec![
        Check::above("KorSTS test, Pearson", pearson(&trained)?, 0.84),
        Check::figure("KorSTS test, Spearman", spearman),
        Check::figure("untrained backbone, mean pooling, Pearson", pearson(&untrained)?),
        Check::figure("character 1–2-grams, tf-idf cosine, Pearson", pearson(&letters)?),
    ])
}

/// The trained cross-encoder's folder. It starts where SBERT's first stage ended, drops nothing (dropout costs this backbone, which was
/// pretrained without, three hundredths), and is the mean of its last weights, chosen on KorSTS dev.
pub(crate) fn train(context: &Context) -> Result<PathBuf> {
    let (train, dev) = (part(context, "train")?, part(context, "dev")?);
    let backbone = sbert::ranked(context)?;
    context.trained(
        "sts",
        |builder| builder.epochs(3).average(0.4),
        |folder, training| train_sts(&backbone, &train, &dev, folder, training),
    )
}

/// KorSTS's `train`, `dev` or `test`.
pub(crate) fn part(context: &Context, name: &str) -> Result<Vec<ScoredPair>> {
    Ok(context.some(sts_tsv(context.data.join(format!("korsts/sts-{name}.tsv")))?))
}

/// The sentences without their scores.
pub(crate) fn texts(pairs: &[ScoredPair]) -> Vec<(&str, &str)> {
    pairs.iter().map(|pair| (pair.first.as_str(), pair.second.as_str())).collect()
}

/// The cosine of every pair's vectors.
pub(crate) fn cosines(embedder: &dyn SentenceEmbedder, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
    // Sets of pairs repeat their sentences.
    let distinct: BTreeSet<&str> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let distinct: Vec<&str> = distinct.into_iter().collect();
    let vectors = embedder.embed(&distinct)?;
    let vectors: HashMap<&str, &[f32]> = distinct.iter().copied().zip(vectors.rows()).collect();
    Ok(pairs.iter().map(|(a, b)| f64::from(cosine(vectors[a], vectors[b]))).collect())
}

/// Cosines of tf-idf vectors of characters and pairs of characters, weighted by the test set itself.
fn letter_cosines(pairs: &[ScoredPair]) -> Vec<f64> {
    let grams = |text: &str| {
        let letters: Vec<char> = text.chars().collect();
        let mut counts: HashMap<String, f64> = HashMap::new();
        for gram in letters.windows(1).chain(letters.windows(2)) {
            *counts.entry(gram.iter().collect()).or_default() += 1.0;
        }
        counts
    };
    let documents: Vec<_> =
        texts(pairs).into_iter().flat_map(|(a, b)| [grams(a), grams(b)]).collect();
    let mut seen: HashMap<&str, f64> = HashMap::new();
    for gram in documents.iter().flat_map(HashMap::keys) {
        *seen.entry(gram).or_default() += 1.0;
    }
    let count = documents.len() as f64;
    let weight = |gram: &str| ((1.0 + count) / (1.0 + seen[gram])).ln() + 1.0;
    let product = |a: &HashMap<String, f64>, b: &HashMap<String, f64>| -> f64 {
        let shared = a.iter().filter_map(|(gram, x)| Some((gram, x * b.get(gram)?)));
        shared.map(|(gram, xy)| xy * weight(gram).powi(2)).sum()
    };
    let cosine = |[a, b]: &[HashMap<String, f64>; 2]| {
        product(a, b) / (product(a, a) * product(b, b)).sqrt().max(f64::MIN_POSITIVE)
    };
    documents.as_chunks().0.iter().map(cosine).collect()
}
