//! KOSMIC on pairs that change only the tone and on pairs that change only the meaning.
//!
//! Against paraphrases of equal tone (an utterance and its very polite form), KOSMIC must fall for the same utterance in
//! the other tone *and* for another utterance in the same tone. STS sees only the second.

use crate::{
    Context, data, fic,
    report::{Check, separation},
    sts,
};
use anyhow::Result;
use ko_neural::{
    Embedder, Fic, Kosmic, Sts,
    kosmic::{Csl, KosmicScore, KosmicWeights},
    train::train_csl,
};
use std::{path::PathBuf, sync::Arc};

/// Equal tone is pushed above this cosine.
const MARGIN: f64 = 0.9;

/// Pairs that are trained on.
const PAIRS: usize = 2000;

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let inference = context.inference();
    let csl = Csl::new(Arc::new(Embedder::open(train_csl_model(context)?, &inference)?));
    let kosmic = Kosmic::new(
        Arc::new(Sts::open(sts::train(context)?, &inference)?),
        Arc::new(Fic::open(fic::train(context)?, &inference)?),
        Arc::new(csl),
        KosmicWeights::new(0.5, 0.25, 0.25)?,
    );
    let lines: Vec<data::Line> =
        data::smile_style(&context.data)?.test.into_iter().filter(|l| l.gentle.is_some()).collect();
    let gentle = |line: &data::Line| line.gentle.clone().unwrap_or_default();
    let gentles: Vec<String> = lines.iter().map(gentle).collect();
    let same: Vec<(&str, &str)> = lines
        .iter()
        .zip(&gentles)
        .map(|(line, gentle)| (line.formal.as_str(), gentle.as_str()))
        .collect();
    let other_tone: Vec<(&str, &str)> =
        lines.iter().map(|line| (line.formal.as_str(), line.informal.as_str())).collect();
    let other_meaning: Vec<(&str, &str)> = lines
        .iter()
        .zip(lines.iter().cycle().skip(lines.len() / 2))
        .map(|(a, b)| (a.formal.as_str(), b.formal.as_str()))
        .collect();
    let [same, tone, meaning] =
        [kosmic.score(&same)?, kosmic.score(&other_tone)?, kosmic.score(&other_meaning)?];
    let values = |scores: &[KosmicScore]| scores.iter().map(|s| s.value).collect::<Vec<_>>();
    let sts = |scores: &[KosmicScore]| scores.iter().map(|s| s.parts.sts).collect::<Vec<_>>();
    Ok(vec![
        Check::above("KOSMIC tells another tone", separation(&values(&same), &values(&tone)), 0.9),
        Check::above(
            "KOSMIC tells another meaning",
            separation(&values(&same), &values(&meaning)),
            0.9,
        ),
        Check::figure("STS alone tells another tone", separation(&sts(&same), &sts(&tone))),
        Check::figure("STS alone tells another meaning", separation(&sts(&same), &sts(&meaning))),
    ])
}

fn train_csl_model(context: &Context) -> Result<PathBuf> {
    let parts = data::smile_style(&context.data)?;
    let (mut train, mut dev) = (fic::tone_pairs(&parts.train), fic::tone_pairs(&parts.dev));
    train.truncate(PAIRS);
    dev.truncate(PAIRS / 4);
    context.trained(
        "csl",
        |builder| builder.batch(16).longest(48),
        |folder, training| train_csl(&context.backbone, &train, &dev, MARGIN, folder, training),
    )
}
