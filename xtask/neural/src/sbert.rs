//! SBERT in stages: ranking on inference triples and paraphrases, then CoSENT on similarity scores; against the untrained backbone's mean
//! pooling.
//!
//! Nothing that is judged on is learned from: KorSTS's test set stays out, and so do the pairs of StyleKQC's `sts-dev`, whose sentences
//! are none of its training file's.

use crate::{
    Context, MINUTES_OF_SBERT,
    report::{Check, separation},
    sts, tones,
};
use anyhow::Result;
use ko_meta_eval::Correlation;
use ko_neural::{
    Embedder, Precision,
    read::{
        NliPair, RankedText, nli, para_kqc_tsv, paraphrases, style_kqc_pairs_tsv, style_kqc_tsv,
        triples,
    },
    train::{Stage, train_sbert},
};
use std::path::{Path, PathBuf};

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let whole = train(context)?;
    Ok(vec![
        Check::above(
            "KorSTS test, Spearman, ranking then CoSENT",
            spearman(context, &whole)?,
            0.75,
        ),
        Check::figure(
            "KorSTS test, Spearman after ranking alone",
            spearman(context, &ranked(context)?)?,
        ),
        Check::figure("KorSTS test, Spearman, backbone", spearman(context, &context.backbone)?),
        Check::above(
            "KorSTS test, Pearson of cosines in bf16 and f32",
            narrow(context, &whole)?,
            0.9999,
        ),
        Check::figure("StyleKQC, paraphrases above other pairs", told_apart(context, &whole)?),
        Check::figure(
            "StyleKQC, the same by the backbone",
            told_apart(context, &context.backbone)?,
        ),
        context.timely(&["sbert-ranking", "sbert"], MINUTES_OF_SBERT)?,
    ])
}

/// The trained embedder's folder.
pub(crate) fn train(context: &Context) -> Result<PathBuf> {
    let (backbone, train) = (ranked(context)?, sts::part(context, "train")?);
    let dev = sts::part(context, "dev")?;
    context.trained(
        "sbert",
        |builder| builder.longest(64).batch(32).epochs(2).learning_rate(3e-5),
        |folder, training| train_sbert(&backbone, &Stage::CoSent(&train), &dev, folder, training),
    )
}

/// After the first stage.
pub(crate) fn ranked(context: &Context) -> Result<PathBuf> {
    let (texts, dev) = (ranked_texts(context)?, sts::part(context, "dev")?);
    context.trained(
        "sbert-ranking",
        |builder| builder.longest(64).batch(64).learning_rate(4e-5),
        |folder, training| {
            train_sbert(&context.backbone, &Stage::Ranking(&texts), &dev, folder, training)
        },
    )
}

/// XNLI in Korean and KLUE's development set as triples, and a pair of every group of paraKQC and StyleKQC.
pub(crate) fn ranked_texts(context: &Context) -> Result<Vec<RankedText>> {
    let mut texts = triples(&inference_pairs(context)?);
    texts.extend(paraphrases(para_kqc_tsv(context.data.join(tones::PARA_KQC))?));
    let groups = style_kqc_tsv(context.data.join(tones::STYLE_KQC_TRAIN))?;
    texts.extend(paraphrases(groups.iter().map(|group| group.texts())));
    Ok(context.some(texts))
}

/// Everything with inference labels.
pub(crate) fn inference_pairs(context: &Context) -> Result<Vec<NliPair>> {
    let mut pairs = Vec::new();
    for file in ["kornli/xnli.dev.ko.tsv", "kornli/xnli.test.ko.tsv", "klue/klue-nli-v1.1_dev.json"]
    {
        pairs.extend(nli(context.data.join(file))?);
    }
    Ok(pairs)
}

/// How the cosine of a model's vectors agrees with people on KorSTS's test set.
pub(crate) fn spearman(context: &Context, folder: &Path) -> Result<f64> {
    let test = sts::part(context, "test")?;
    let human: Vec<f64> = test.iter().map(|pair| pair.score).collect();
    let embedder = Embedder::open(folder, &context.inference())?;
    Ok(Correlation::Spearman.of(&sts::cosines(&embedder, &sts::texts(&test))?, &human)?.value)
}

/// How cosines whose products were made in narrow numbers agree with those of single precision.
fn narrow(context: &Context, folder: &Path) -> Result<f64> {
    let test = sts::part(context, "test")?;
    let cosines = |precision| {
        let embedder = Embedder::open(folder, &context.inference().precision(precision))?;
        sts::cosines(&embedder, &sts::texts(&test))
    };
    let (narrow, single) = (cosines(Precision::Bf16)?, cosines(Precision::F32)?);
    Ok(Correlation::Pearson.of(&narrow, &single)?.value)
}

/// The chance that of StyleKQC's pairs one of one meaning lies nearer than one of two.
fn told_apart(context: &Context, folder: &Path) -> Result<f64> {
    let pairs = style_kqc_pairs_tsv(context.data.join("stylekqc/sts-dev.tsv"))?;
    let texts: Vec<(&str, &str)> = pairs.iter().map(|(a, b, _)| (a.as_str(), b.as_str())).collect();
    let embedder = Embedder::open(folder, &context.inference())?;
    let cosines = sts::cosines(&embedder, &texts)?;
    let of = |wanted: bool| -> Vec<f64> {
        let kept = cosines.iter().zip(&pairs).filter(|(_, (_, _, same))| *same == wanted);
        kept.map(|(cosine, _)| *cosine).collect()
    };
    Ok(separation(&of(true), &of(false)))
}
