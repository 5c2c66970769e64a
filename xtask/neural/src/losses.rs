//! What each loss of a sentence embedder gives where all learn from as many examples, once, in the same batches: each alone, and the published
//! pair of them (softmax, then the cosine) beside ours (ranking, then CoSENT). `sbert` is the latter on all there is.

use crate::{Context, report::Check, sbert, sts};
use anyhow::Result;
use ko_neural::train::{Stage, train_sbert};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// What each training learns from: pairs with scores, pairs with inference labels, triples, or bare sentences.
const EXAMPLES: usize = 2_880;
const BATCH: usize = 32;

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let scored = spread(sts::part(context, "train")?);
    let inferred = sbert::inference_pairs(context)?;
    let sentences: BTreeSet<String> =
        inferred.iter().flat_map(|pair| [&pair.premise, &pair.hypothesis]).cloned().collect();
    let (inferred, sentences) = (spread(inferred), spread(sentences.into_iter().collect()));
    let ranked = spread(sbert::ranked_texts(context)?);

    let backbone = &context.backbone;
    let by =
        |name: &str, from: &Path, stage| trained(context, &format!("loss-{name}"), from, &stage);
    let softmax = by("softmax", backbone, Stage::Softmax(&inferred))?;
    let ranking = by("ranking", backbone, Stage::Ranking(&ranked))?;
    let rows = [
        ("SimCSE, without labels", by("simcse", backbone, Stage::SimCse(&sentences))?),
        ("the cosine", by("cosine", backbone, Stage::Cosine(&scored))?),
        ("CoSENT", by("cosent", backbone, Stage::CoSent(&scored))?),
        ("softmax, then the cosine", by("softmax-cosine", &softmax, Stage::Cosine(&scored))?),
        ("ranking, then CoSENT", by("ranking-cosent", &ranking, Stage::CoSent(&scored))?),
        ("softmax", softmax),
        ("ranking", ranking),
    ];
    let figure = |(what, folder): &(&str, PathBuf)| {
        let spearman = sbert::spearman(context, folder)?;
        Ok(Check::figure(format!("KorSTS test, Spearman, {what}"), spearman))
    };
    rows.iter().map(figure).collect()
}

/// As many of all as each training learns from, evenly chosen.
fn spread<T>(all: Vec<T>) -> Vec<T> {
    let count = all.len();
    let chosen = |place: usize| place * EXAMPLES / count != (place + 1) * EXAMPLES / count;
    all.into_iter().enumerate().filter(|(place, _)| chosen(*place)).map(|(_, one)| one).collect()
}

/// SimCSE needs dropout, of which the backbone has none.
fn trained(context: &Context, name: &str, from: &Path, stage: &Stage<'_>) -> Result<PathBuf> {
    context.trained(
        name,
        |builder| {
            let builder = builder.longest(64).batch(BATCH).learning_rate(3e-5);
            if matches!(stage, Stage::SimCse(_)) { builder.dropout(0.1) } else { builder }
        },
        |folder, training| train_sbert(from, stage, &[], folder, training),
    )
}
