//! SBERT in stages: ranking on inference triples, then CoSENT on similarity scores; beside it the published softmax with the cosine loss, and
//! the untrained backbone's mean pooling.
//!
//! Nothing that is judged on is learned from: KorSTS's test set, and any other similarity set, stay out.

use crate::{Context, report::Check, sts};
use anyhow::Result;
use ko_meta_eval::Correlation;
use ko_neural::{
    Embedder,
    read::{NliPair, nli, triples},
    train::{Stage, train_sbert},
};
use std::path::PathBuf;

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let (ranking, whole) = (ranked(context)?, train(context)?);
    let (softmax, published) = (softmax(context)?, published(context)?);
    let test = sts::part(context, "test")?;
    let human: Vec<f64> = test.iter().map(|pair| pair.score).collect();
    let spearman = |folder: &PathBuf| -> Result<f64> {
        let embedder = Embedder::open(folder, &context.inference())?;
        Ok(Correlation::Spearman.of(&sts::cosines(&embedder, &test)?, &human)?.value)
    };
    let untrained = spearman(&context.backbone)?;
    Ok(vec![
        Check::above("KorSTS test, Spearman, ranking then CoSENT", spearman(&whole)?, untrained),
        Check::figure("after ranking alone", spearman(&ranking)?),
        Check::figure("after softmax alone", spearman(&softmax)?),
        Check::figure("softmax then cosine, as published", spearman(&published)?),
        Check::figure("untrained backbone, mean pooling", untrained),
    ])
}

/// The trained embedder's folder.
fn train(context: &Context) -> Result<PathBuf> {
    let (backbone, train) = (ranked(context)?, sts::part(context, "train")?);
    let dev = sts::part(context, "dev")?;
    context.trained(
        "sbert-cosent",
        |builder| builder.longest(64).batch(32).learning_rate(3e-5),
        |folder, training| train_sbert(&backbone, &Stage::CoSent(&train), &dev, folder, training),
    )
}

/// After the first stage: XNLI in Korean and KLUE's development set as triples.
fn ranked(context: &Context) -> Result<PathBuf> {
    let triples = triples(&inference_pairs(context)?);
    let dev = sts::part(context, "dev")?;
    context.trained(
        "sbert-ranking",
        |builder| builder.longest(64).batch(64).learning_rate(3e-5),
        |folder, training| {
            train_sbert(&context.backbone, &Stage::Ranking(&triples), &dev, folder, training)
        },
    )
}

/// The published first stage, on the same pairs.
fn softmax(context: &Context) -> Result<PathBuf> {
    let pairs = inference_pairs(context)?;
    let dev = sts::part(context, "dev")?;
    context.trained(
        "sbert-softmax",
        |builder| builder.longest(64),
        |folder, training| {
            train_sbert(&context.backbone, &Stage::Softmax(&pairs), &dev, folder, training)
        },
    )
}

/// The published second stage after it.
fn published(context: &Context) -> Result<PathBuf> {
    let (backbone, train) = (softmax(context)?, sts::part(context, "train")?);
    let dev = sts::part(context, "dev")?;
    context.trained(
        "sbert-published",
        |builder| builder.longest(64),
        |folder, training| train_sbert(&backbone, &Stage::Cosine(&train), &dev, folder, training),
    )
}

fn inference_pairs(context: &Context) -> Result<Vec<NliPair>> {
    let mut pairs = Vec::new();
    for file in ["kornli/xnli.dev.ko.tsv", "kornli/xnli.test.ko.tsv", "klue/klue-nli-v1.1_dev.json"]
    {
        pairs.extend(nli(context.data.join(file))?);
    }
    Ok(pairs)
}
