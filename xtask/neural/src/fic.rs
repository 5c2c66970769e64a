//! FIC on SmileStyle, split by dialogue. The corpus is CC BY-NC: what is trained here is not shipped.

use crate::{Context, data, report::Check};
use anyhow::Result;
use ko_eval_core::PairScorer as _;
use ko_meta_eval::classification::above_threshold;
use ko_neural::{Fic, kosmic::SAME_TONE_ABOVE, read::Tone, train::train_fic};
use std::path::PathBuf;

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let folder = train(context)?;
    let test = data::smile_style(&context.data)?.test;
    let model = Fic::open(folder, &context.inference())?;
    let labelled = labelled(&test);
    let texts: Vec<&str> = labelled.iter().map(|&(text, _)| text).collect();
    let formal = model.probabilities(&texts)?;
    let right = formal
        .iter()
        .zip(&labelled)
        .filter(|(p, (_, tone))| (**p > 0.5) == (*tone == Tone::Formal));
    let accuracy = right.count() as f64 / texts.len() as f64;
    let (pairs, same): (Vec<_>, Vec<_>) =
        tone_pairs(&test).into_iter().map(|(a, b, same)| ((a, b), same)).unzip();
    let agreement = above_threshold(&model.score_pairs(&pairs)?, &same, SAME_TONE_ABOVE)?;
    Ok(vec![
        Check::above("held-out dialogues, accuracy", accuracy, 0.97),
        Check::above("pairs at 2.5, accuracy (paper 0.806)", agreement.accuracy, 0.806),
        Check::above("pairs at 2.5, F1 (paper 0.824)", agreement.f1, 0.824),
        Check::above("pairs at 2.5, precision (paper 0.778)", agreement.precision, 0.778),
    ])
}

/// The trained classifier's folder.
pub(crate) fn train(context: &Context) -> Result<PathBuf> {
    let parts = data::smile_style(&context.data)?;
    let (train, dev) = (labelled(&parts.train), labelled(&parts.dev));
    context.trained(
        "fic",
        |builder| builder.batch(16).longest(64),
        |folder, training| train_fic(&context.backbone, &train, &dev, folder, training),
    )
}

fn labelled(lines: &[data::Line]) -> Vec<(&str, Tone)> {
    lines
        .iter()
        .flat_map(|line| {
            [(line.formal.as_str(), Tone::Formal), (line.informal.as_str(), Tone::Informal)]
        })
        .collect()
}

/// Neighbouring utterances in equal tones and in unequal ones, as many of the one as of the other.
pub(crate) fn tone_pairs(lines: &[data::Line]) -> Vec<(&str, &str, bool)> {
    lines
        .windows(2)
        .enumerate()
        .flat_map(|(place, pair)| {
            let (a, b) = (&pair[0], &pair[1]);
            if place % 2 == 0 {
                [
                    (a.formal.as_str(), b.formal.as_str(), true),
                    (a.formal.as_str(), b.informal.as_str(), false),
                ]
            } else {
                [
                    (a.informal.as_str(), b.informal.as_str(), true),
                    (a.informal.as_str(), b.formal.as_str(), false),
                ]
            }
        })
        .collect()
}
