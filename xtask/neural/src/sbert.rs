//! SBERT: inference labels, then similarity; against the untrained backbone's mean pooling.

use crate::{Context, report::Check, sts};
use anyhow::Result;
use ko_meta_eval::Correlation;
use ko_neural::{
    Embedder,
    read::nli_tsv,
    train::{train_sbert_nli, train_sbert_sts},
};
use std::path::PathBuf;

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let folder = train(context)?;
    let test = sts::part(context, "test")?;
    let human: Vec<f64> = test.iter().map(|pair| pair.score).collect();
    let pearson = |folder: &PathBuf| -> Result<f64> {
        let embedder = Embedder::open(folder, &context.inference())?;
        Ok(Correlation::Pearson.of(&sts::cosines(&embedder, &test)?, &human)?.value)
    };
    let untrained = pearson(&context.backbone)?;
    Ok(vec![
        Check::above("KorSTS test, Pearson of the cosine", pearson(&folder)?, untrained),
        Check::figure("untrained backbone, mean pooling", untrained),
    ])
}

/// The trained embedder's folder.
pub(crate) fn train(context: &Context) -> Result<PathBuf> {
    let labelled = nli_tsv(context.data.join("kornli/xnli.dev.ko.tsv"))?;
    let inference = context.trained(
        "sbert-nli",
        |builder| builder.longest(64),
        |folder, training| train_sbert_nli(&context.backbone, &labelled, folder, training),
    )?;
    // The file goes by kinds of text, so every third pair has them all.
    let train: Vec<_> = sts::part(context, "train")?.into_iter().step_by(3).collect();
    let dev = sts::part(context, "dev")?;
    context.trained(
        "sbert",
        |builder| builder.longest(64),
        |folder, training| train_sbert_sts(&inference, &train, &dev, folder, training),
    )
}
