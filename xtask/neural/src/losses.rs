//! What each loss of a sentence embedder gives on the same data: the published softmax, then the cosine; the cosine after ranking in the place of
//! CoSENT; CoSENT without anything before it; and SimCSE on the bare sentences. `sbert` stands beside them.

use crate::{Context, report::Check, sbert, sts};
use anyhow::Result;
use ko_neural::train::{Stage, train_sbert};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let train = sts::part(context, "train")?;
    let by_cosine = |name, from: &Path| scored(context, name, from, &Stage::Cosine(&train));
    let cosine = by_cosine("sbert-ranking-cosine", &sbert::ranked(context)?)?;
    let softmax = softmax(context)?;
    let published = by_cosine("sbert-softmax-cosine", &softmax)?;
    let cosent = scored(context, "sbert-cosent", &context.backbone, &Stage::CoSent(&train))?;
    let simcse = simcse(context)?;
    let check = |what: &str, folder: &Path| {
        let what = format!("KorSTS test, Spearman, {what}");
        Ok(Check::figure(what, sbert::spearman(context, folder)?))
    };
    [
        ("ranking then cosine", &cosine),
        ("softmax", &softmax),
        ("softmax then cosine, as published", &published),
        ("CoSENT alone", &cosent),
        ("SimCSE, without labels", &simcse),
    ]
    .into_iter()
    .map(|(what, folder)| check(what, folder))
    .collect()
}

/// Similarity scores, in as many steps as `sbert` has.
fn scored(context: &Context, name: &str, backbone: &Path, stage: &Stage<'_>) -> Result<PathBuf> {
    let dev = sts::part(context, "dev")?;
    context.trained(
        name,
        |builder| builder.longest(64).batch(32).epochs(2).learning_rate(3e-5),
        |folder, training| train_sbert(backbone, stage, &dev, folder, training),
    )
}

/// The published first stage, on the same inference pairs.
fn softmax(context: &Context) -> Result<PathBuf> {
    let (pairs, dev) = (sbert::inference_pairs(context)?, sts::part(context, "dev")?);
    context.trained(
        "sbert-softmax",
        |builder| builder.longest(64),
        |folder, training| {
            train_sbert(&context.backbone, &Stage::Softmax(&pairs), &dev, folder, training)
        },
    )
}

/// Without any label, on the sentences of the inference pairs.
fn simcse(context: &Context) -> Result<PathBuf> {
    let pairs = sbert::inference_pairs(context)?;
    let texts: BTreeSet<String> =
        pairs.into_iter().flat_map(|pair| [pair.premise, pair.hypothesis]).collect();
    let (texts, dev) = (context.some(texts), sts::part(context, "dev")?);
    context.trained(
        "sbert-simcse",
        |builder| builder.longest(64).batch(64).learning_rate(3e-5).dropout(0.1),
        |folder, training| {
            train_sbert(&context.backbone, &Stage::SimCse(&texts), &dev, folder, training)
        },
    )
}
