//! RDASS on triples made of KorSTS: of a pair that people find alike (4 and above) the first sentence is the
//! reference, the second the summary, and the first between the two sentences before and after it the document.

use crate::{Context, report::Check, sbert, sts};
use anyhow::Result;
use ko_eval_core::{Scorer as _, Segment};
use ko_neural::{
    Embedder, Rdass,
    read::ScoredPair,
    train::{SummaryItem, train_rdass},
};
use std::{path::Path, sync::Arc};

/// Items of the fine-tuning.
const ITEMS: usize = 320;

struct Triple {
    document: String,
    reference: String,
    summary: String,
}

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let train = triples(&sts::part(context, "train")?);
    let items: Vec<SummaryItem<'_>> = train
        .iter()
        .take(ITEMS)
        .map(|t| SummaryItem {
            summary: &t.summary,
            reference: &t.reference,
            document: &t.document,
        })
        .collect();
    let embedder = sbert::train(context)?;
    let tuned = context.trained(
        "rdass",
        |builder| builder.longest(96).learning_rate(2e-5),
        |folder, training| train_rdass(&embedder, &items, 1.0, folder, training),
    )?;
    let test = triples(&sts::part(context, "test")?);
    Ok(vec![
        Check::above("right summary above a wrong one", share(context, &tuned, &test)?, 0.95),
        Check::figure("the same before fine-tuning", share(context, &embedder, &test)?),
        Check::figure("triples", test.len() as f64),
    ])
}

fn triples(pairs: &[ScoredPair]) -> Vec<Triple> {
    pairs
        .windows(3)
        .filter(|window| window[1].score >= 4.0 && window[1].first != window[1].second)
        .map(|window| Triple {
            document: window.iter().map(|pair| pair.first.as_str()).collect::<Vec<_>>().join(" "),
            reference: window[1].first.clone(),
            summary: window[1].second.clone(),
        })
        .collect()
}

/// In what share of the triples the right summary scores above the summary of the triple half the set away.
fn share(context: &Context, folder: &Path, triples: &[Triple]) -> Result<f64> {
    let rdass = Rdass::new(Arc::new(Embedder::open(folder, &context.inference())?));
    let others = triples.iter().cycle().skip(triples.len() / 2);
    let segments: Vec<Segment<'_>> = triples
        .iter()
        .zip(others)
        .flat_map(|(triple, other)| {
            [&triple.summary, &other.summary].map(|summary| {
                let segment = Segment::new(summary, [triple.reference.as_str()])?;
                Ok(segment.with_source(&triple.document))
            })
        })
        .collect::<ko_eval_core::Result<_>>()?;
    let scores = rdass.segment_scores(&segments)?;
    let right = scores.as_chunks().0.iter().filter(|[right, wrong]| right.value > wrong.value);
    Ok(right.count() as f64 / triples.len() as f64)
}
