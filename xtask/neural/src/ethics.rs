//! A classifier of bias and hate on the Korean ALBERT, beside the n-gram flagger of ko-commongen.
//!
//! It learns the labelled comments, and that plain statements are harmless: sentences of KorSTS's training set and of the treebanks. CommonGen's own
//! training sentences, on which it must be silent, are none of them. Flagged is what `commongen build --ethics-model` flags, at the threshold that is best
//! for the comments among the examples that weights were chosen by.

use crate::{Context, MINUTES, probe, report::Check};
use anyhow::Result;
use ko_commongen::{Flagger as _, ModelFlagger};
use ko_eval_core::read::jsonl;
use ko_meta_eval::classification::at_threshold;
use ko_neural::{
    Classifier,
    read::{LabelledText, label_sets, labelled_tsv, sts_tsv},
    train::{ThresholdBy, choose_threshold, train_classifier},
};
use serde::Deserialize;
use std::{path::PathBuf, sync::Arc};

const SETS: [&str; 2] = ["bias", "hate"];
const HARMLESS: &str = "none";

/// One of so many examples is there to choose weights by, and one of so many sentences of CommonGen is judged.
const OF_EXAMPLES: usize = 10;
const OF_SENTENCES: usize = 10;

/// What the n-gram flagger reaches for hate: docs/REPRODUCTION.md.
const NGRAMS: f64 = 0.826;
/// The most of CommonGen's own sentences that may be flagged.
const FALSE_ALARMS: f64 = 0.03;

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let folder = train(context)?;
    let by = ThresholdBy { set: "hate", harmless: HARMLESS };
    choose_threshold(&folder, by, &held_out_comments(context)?, &context.inference())?;
    let classifier = Arc::new(Classifier::open(folder, &context.inference())?);
    let flagger = ModelFlagger::new(classifier, HARMLESS)?;
    let mut checks = vec![Check::figure("threshold", flagger.threshold())];
    let comments = comments(context, "dev.tsv")?;
    let texts: Vec<&str> = comments.iter().map(|text| text.text.as_str()).collect();
    let found = flagger.probabilities(&texts)?;
    for (place, set) in SETS.iter().enumerate() {
        let there: Vec<bool> = comments.iter().map(|text| text.labels[place] != HARMLESS).collect();
        let likely: Vec<f64> = found.iter().map(|sets| sets[place]).collect();
        let f1 = at_threshold(&likely, &there, flagger.threshold())?.f1;
        let what = format!("comments of the development set, F1 of {set}");
        checks.push(match *set {
            "hate" => Check::above(what, f1, NGRAMS),
            _ => Check::figure(what, f1),
        });
    }
    let sentences = sentences(context)?;
    let texts: Vec<&str> = sentences.iter().map(String::as_str).collect();
    let found = flagger.probabilities(&texts)?;
    let flags = |sets: &[f64]| sets.iter().filter(|p| **p >= flagger.threshold()).count();
    let share = |least: usize| {
        let flagged = found.iter().filter(|sets| flags(sets) >= least);
        flagged.count() as f64 / found.len().max(1) as f64
    };
    checks.push(Check::below("CommonGen's training sentences, flagged", share(1), FALSE_ALARMS));
    checks.push(Check::figure("of them for bias and hate", share(SETS.len())));
    checks.push(context.timely(&["ethics"], MINUTES)?);
    Ok(checks)
}

/// The comments of the training file that are not learned from.
fn held_out_comments(context: &Context) -> Result<Vec<LabelledText>> {
    Ok(comments(context, "train.tsv")?.into_iter().step_by(OF_EXAMPLES).collect())
}

/// The trained classifier's folder.
fn train(context: &Context) -> Result<PathBuf> {
    let mut texts = comments(context, "train.tsv")?;
    let sets = label_sets(&SETS, &texts);
    texts.extend(
        statements(context)?
            .into_iter()
            .map(|text| LabelledText { text, labels: vec![HARMLESS.to_owned(); SETS.len()] }),
    );
    let (mut learned, mut chosen_by) = (Vec::new(), Vec::new());
    for (number, text) in texts.into_iter().enumerate() {
        let part = if number.is_multiple_of(OF_EXAMPLES) { &mut chosen_by } else { &mut learned };
        part.push(text);
    }
    context.trained(
        "ethics",
        |builder| builder.epochs(2).longest(64),
        |folder, training| {
            train_classifier(&context.backbone, &sets, &learned, &chosen_by, folder, training)
        },
    )
}

/// Captions, forum posts, news, and what treebanks hold.
fn statements(context: &Context) -> Result<Vec<String>> {
    let pairs = sts_tsv(context.data.join("korsts/sts-train.tsv"))?;
    let treebank = probe::treebank(context)?;
    let written = treebank.sentences.into_iter().map(|annotated| annotated.sentence.text);
    Ok(pairs.into_iter().map(|pair| pair.first).chain(written).collect())
}

fn comments(context: &Context, name: &str) -> Result<Vec<LabelledText>> {
    let path = context.data.join("hate-speech").join(name);
    Ok(labelled_tsv(path, "comments", &SETS)?)
}

/// Of CommonGen's training set.
fn sentences(context: &Context) -> Result<Vec<String>> {
    #[derive(Deserialize)]
    struct Line {
        scene: String,
    }
    let mut sentences = Vec::new();
    for name in ["image_caption_train.jsonl", "dialogue_summary_train.jsonl"] {
        let lines = jsonl::<Line>(context.data.join("commongen/dataset").join(name))?;
        for line in lines.step_by(OF_SENTENCES) {
            sentences.push(line?.scene);
        }
    }
    Ok(sentences)
}
