//! A KLUE-NER tagger on the Korean ALBERT, beside the perceptron of ko-commongen: the same sentences learned, the same ones judged on.
//!
//! Only KLUE's development set is at hand: its first 4,000 sentences are learned from, its last 1,000 are judged on. None is left to choose weights by, so
//! the last ones are kept.

use crate::{Context, MINUTES, report::Check};
use anyhow::{Result, ensure};
use ko_eval_core::{Entity, EntityCounts, TagScheme};
use ko_neural::{
    Tagger,
    read::{TaggedText, ner_tsv},
    train::train_tagger,
};

const LEARNED: usize = 4000;
const JUDGED: usize = 1000;

/// What the perceptron reaches: docs/REPRODUCTION.md.
const PERCEPTRON: f64 = 0.774;

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let texts = ner_tsv(context.data.join("klue/klue-ner-v1.1_dev.tsv"))?;
    ensure!(texts.len() >= LEARNED + JUDGED, "{} sentences are too few", texts.len());
    let (learned, rest) = texts.split_at(LEARNED);
    let test = &rest[rest.len() - JUDGED..];
    let folder = context.trained(
        "entities",
        |builder| builder.epochs(4),
        |folder, training| train_tagger(&context.backbone, learned, &[], folder, training),
    )?;
    let mut checks = Vec::new();
    for (name, scheme) in
        [("seqeval's default", TagScheme::Conll), ("strict IOB2", TagScheme::Iob2)]
    {
        let tagger = Tagger::open(&folder, &context.inference())?.reading(scheme);
        let f1 = counts(&tagger, scheme, test)?.f1();
        let what = format!("KLUE-NER, last 1,000 of the development set, entity F1, {name}");
        checks.push(match scheme {
            TagScheme::Conll => Check::above(what, f1, PERCEPTRON),
            TagScheme::Iob2 => Check::figure(what, f1),
        });
    }
    checks.push(context.timely(&["entities"], MINUTES)?);
    Ok(checks)
}

fn counts(tagger: &Tagger, scheme: TagScheme, test: &[TaggedText]) -> Result<EntityCounts> {
    let there: Vec<Vec<Entity>> = test.iter().map(|text| text.entities(scheme)).collect();
    let texts = test.iter().map(|text| text.text.as_str());
    Ok(EntityCounts::of(tagger, texts.zip(there.iter().map(Vec::as_slice)))?)
}
