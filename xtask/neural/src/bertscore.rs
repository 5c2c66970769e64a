//! BERTScore over the untrained backbone: which layer agrees best with people, and from which number on a score says anything.
//!
//! The baselines are kept in the backbone's folder, where `bertscore:albert-kor-base,rescale=model` finds them.

use crate::{Context, report::Check, sts};
use anyhow::Result;
use ko_eval_core::{Scorer, Segment, files::write_atomically};
use ko_meta_eval::selection::rank;
use ko_neural::{
    BASELINES, BertScore, Transformer,
    bertscore::Match,
    read::{self, ScoredPair},
};
use std::{fmt::Write as _, sync::Arc};

/// Random pairs that a baseline is the mean of.
const PAIRS: usize = 1000;

const SEED: u64 = 12345;

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let model = Transformer::open(&context.backbone, &context.inference())?;
    let at =
        |layer: usize| Ok::<_, ko_neural::Error>(BertScore::new(Arc::new(model.at_layer(layer)?)));

    let train = sts::part(context, "train")?;
    let mut table = "LAYER,P,R,F\n".to_owned();
    for layer in 0..=model.layers() {
        let Match { precision, recall, f1 } =
            at(layer)?.random_baseline(&each(&train), PAIRS, SEED)?;
        writeln!(table, "{layer},{precision},{recall},{f1}")?;
    }
    let kept = context.backbone.join(BASELINES);
    write_atomically(&kept, table.as_bytes())?;
    println!("baselines, of {PAIRS} random pairs of KorSTS train:\n{table}");

    let dev = sts::part(context, "dev")?;
    let (segments, human) = judged(&dev)?;
    let scorer = |layer| -> ko_eval_core::Result<Box<dyn Scorer>> { Ok(Box::new(at(layer)?)) };
    let layers = (0..=model.layers()).map(|layer| (layer, scorer(layer)));
    let ranked = rank(layers, &segments, &human)?;
    println!("layers on KorSTS dev, best first: Pearson and its 95 % interval");
    for layer in &ranked {
        let (pearson, ends) = (layer.pearson.unwrap_or(0.0), layer.interval.as_ref());
        let (low, high) = ends.map_or((0.0, 0.0), |ends| (ends.interval.low, ends.interval.high));
        println!("{:2} {pearson:.3} ({low:.3}–{high:.3})", layer.candidate);
    }

    let test = sts::part(context, "test")?;
    let (segments, human) = judged(&test)?;
    let best = ranked.first().map_or(model.layers(), |layer| layer.candidate);
    let on_test = |layer| rank([(layer, scorer(layer))], &segments, &human);
    let on_test =
        |layer| Ok::<_, anyhow::Error>(on_test(layer)?.first().and_then(|one| one.pearson));
    let (zero, other) =
        (read::baseline(kept, best)?.f1, at(best)?.random_baseline(&each(&test), PAIRS, SEED)?.f1);
    Ok(vec![
        Check::figure("best layer on KorSTS dev", best as f64),
        Check::figure("that layer on KorSTS test, Pearson", on_test(best)?.unwrap_or(0.0)),
        Check::figure(
            "last layer on KorSTS test, Pearson",
            on_test(model.layers())?.unwrap_or(0.0),
        ),
        Check::figure("that layer's baseline, F", zero),
        Check::below(
            "unrelated sentences of KorSTS test, F rescaled",
            ((other - zero) / (1.0 - zero)).abs(),
            0.05,
        ),
    ])
}

/// Both sentences of every pair.
fn each(pairs: &[ScoredPair]) -> Vec<&str> {
    sts::texts(pairs).into_iter().flat_map(|(a, b)| [a, b]).collect()
}

/// The first sentence against the second, and what people said.
fn judged(pairs: &[ScoredPair]) -> Result<(Vec<Segment<'_>>, Vec<f64>)> {
    let segments = pairs.iter().map(|pair| Segment::new(&pair.first, [pair.second.as_str()]));
    let segments = segments.collect::<ko_eval_core::Result<_>>()?;
    Ok((segments, pairs.iter().map(|pair| pair.score).collect()))
}
