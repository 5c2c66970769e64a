//! What each loss of a sentence embedder gives on the same data: the published softmax, then the cosine, and the cosine after ranking
//! in the place of CoSENT; each for itself beside `sbert`.

use crate::{Context, report::Check, sbert, sts};
use anyhow::Result;
use ko_neural::train::{Stage, train_sbert};
use std::path::{Path, PathBuf};

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let ranked = sbert::ranked(context)?;
    let cosine = scored(context, "sbert-ranking-cosine", &ranked)?;
    let softmax = softmax(context)?;
    let published = scored(context, "sbert-softmax-cosine", &softmax)?;
    let check = |what: &str, folder: &Path| {
        let what = format!("KorSTS test, Spearman, {what}");
        Ok(Check::figure(what, sbert::spearman(context, folder)?))
    };
    [
        ("ranking then cosine", &cosine),
        ("softmax", &softmax),
        ("softmax then cosine, as published", &published),
    ]
    .into_iter()
    .map(|(what, folder)| check(what, folder))
    .collect()
}

/// Cosines on similarity scores, in as many steps as CoSENT has.
fn scored(context: &Context, name: &str, backbone: &Path) -> Result<PathBuf> {
    let (train, dev) = (sts::part(context, "train")?, sts::part(context, "dev")?);
    context.trained(
        name,
        |builder| builder.longest(64).batch(32).epochs(2).learning_rate(3e-5),
        |folder, training| train_sbert(backbone, &Stage::Cosine(&train), &dev, folder, training),
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
