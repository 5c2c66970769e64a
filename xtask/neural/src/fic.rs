//! FIC, learned from StyleKQC's questions and commands, judged on other corpora of other texts.

use crate::{Context, report::Check, tones};
use anyhow::Result;
use ko_eval_core::PairScorer as _;
use ko_meta_eval::classification::above_threshold;
use ko_neural::{
    Fic,
    kosmic::SAME_TONE_ABOVE,
    read::{Tone, ToneGroup, tone_pairs},
    train::train_fic,
};
use std::path::PathBuf;

/// Pairs of translations by which the paper's figures are asked for.
const PAIRS: usize = 1200;

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let model = Fic::open(train(context)?, &context.inference())?;
    let formality = tones::formality(context)?;
    let smile_style = tones::smile_style(context, &["formal"], &["informal"])?;
    let (pairs, same): (Vec<_>, Vec<_>) = tone_pairs(&formality, PAIRS, 1)
        .into_iter()
        .map(|pair| ((pair.first.0, pair.second.0), pair.same_tone()))
        .unzip();
    let agreement = above_threshold(&model.score_pairs(&pairs)?, &same, SAME_TONE_ABOVE)?;
    Ok(vec![
        Check::above("IWSLT formality, accuracy", accuracy(&model, &formality)?, 0.97),
        Check::above("SmileStyle, accuracy", accuracy(&model, &smile_style)?, 0.97),
        Check::figure("StyleKQC act-dev, accuracy", accuracy(&model, &tones::style_kqc(context)?)?),
        Check::above("pairs at 2.5, accuracy (paper 0.806)", agreement.accuracy, 0.806),
        Check::above("pairs at 2.5, F1 (paper 0.824)", agreement.f1, 0.824),
        Check::above("pairs at 2.5, precision (paper 0.778)", agreement.precision, 0.778),
    ])
}

/// The share of texts whose tone is told right.
fn accuracy(model: &Fic, groups: &[ToneGroup]) -> Result<f64> {
    let (texts, tones): (Vec<&str>, Vec<Tone>) = labelled(groups).into_iter().unzip();
    let formal = model.probabilities(&texts)?;
    let right =
        formal.iter().zip(&tones).filter(|(p, tone)| (**p > 0.5) == (**tone == Tone::Formal));
    Ok(right.count() as f64 / texts.len().max(1) as f64)
}

/// The trained classifier's folder.
pub(crate) fn train(context: &Context) -> Result<PathBuf> {
    let (train, dev) = (tones::train(context)?, tones::dev(context)?);
    let (train, dev) = (labelled(&train), labelled(&dev));
    context.trained(
        "fic",
        |builder| builder.batch(16).longest(64).learning_rate(3e-5),
        |folder, training| train_fic(&context.backbone, &train, &dev, folder, training),
    )
}

fn labelled(groups: &[ToneGroup]) -> Vec<(&str, Tone)> {
    groups.iter().flat_map(ToneGroup::sentences).collect()
}
