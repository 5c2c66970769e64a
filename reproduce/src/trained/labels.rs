//! A tagger and a classifier on the Korean ALBERT, beside the perceptron and the n-gram flagger of
//! ko-commongen.

use super::*;
use ko_eval::{
    Entity, EntityCounts, TagScheme,
    commongen::{Flagger as _, ModelFlagger},
    meta::classification::at_threshold,
};

/// Sentences of KLUE's development set: none is left to choose weights by, so the last ones are
/// kept.
const LEARNED: usize = 4000;
const JUDGED: usize = 1000;

/// Learns KLUE-NER's entities.
pub(super) fn entities(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let texts = ner_tsv(context.data("klue/klue-ner-v1.1_dev.tsv"))?;
    ensure!(texts.len() >= LEARNED + JUDGED, "{} sentences are too few", texts.len());
    let (learned, rest) = texts.split_at(LEARNED);
    let test = &rest[rest.len() - JUDGED..];
    let backbone = context.backbone()?;
    let folder = context.trained(
        "entities",
        |builder| builder.epochs(4),
        |folder, training| train_tagger(&backbone, learned, &[], folder, training),
    )?;
    for (name, scheme) in
        [("seqeval's default", TagScheme::Conll), ("strict IOB2", TagScheme::Iob2)]
    {
        let tagger = Tagger::open(&folder, &context.inference())?.reading(scheme);
        let there: Vec<Vec<Entity>> = test.iter().map(|text| text.entities(scheme)).collect();
        let there = there.iter().map(Vec::as_slice);
        let f1 = EntityCounts::of(&tagger, test.iter().map(|text| &*text.text).zip(there))?.f1();
        report.figure(&format!("entity F1, {name}"), f1)?;
    }
    context.time(report, &["entities"])
}

const SETS: [&str; 2] = ["bias", "hate"];
const HARMLESS: &str = "none";
/// One of so many examples is there to choose weights by, and one of so many sentences of CommonGen
/// is judged.
const ONE_OF: usize = 10;

/// Learns the labelled comments, and that plain statements are harmless.
pub(super) fn ethics(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let comments = |name: &str| -> Result<Vec<LabelledText>> {
        Ok(labelled_tsv(context.data("hate-speech").join(name), "comments", &SETS)?)
    };
    let mut texts = comments("train.tsv")?;
    let held_out: Vec<LabelledText> = texts.iter().step_by(ONE_OF).cloned().collect();
    let sets = label_sets(&SETS, &texts);
    let written = probe::treebank(context)?.sentences.into_iter().map(|found| found.sentence.text);
    let said = sts_tsv(context.data("korsts/sts-train.tsv"))?.into_iter().map(|pair| pair.first);
    let labels = vec![HARMLESS.to_owned(); SETS.len()];
    texts.extend(said.chain(written).map(|text| LabelledText { text, labels: labels.clone() }));
    let (chosen_by, learned): (Vec<_>, Vec<_>) =
        texts.into_iter().enumerate().partition(|(number, _)| number.is_multiple_of(ONE_OF));
    let [chosen_by, learned] = [chosen_by, learned]
        .map(|part| part.into_iter().map(|(_, text)| text).collect::<Vec<LabelledText>>());
    let backbone = context.backbone()?;
    let folder = context.trained(
        "ethics",
        |builder| builder.epochs(2).longest(64),
        |folder, training| {
            train_classifier(&backbone, &sets, &learned, &chosen_by, folder, training)
        },
    )?;
    let by = ThresholdBy { set: "hate", harmless: HARMLESS };
    choose_threshold(&folder, by, &held_out, &context.inference())?;
    let classifier = Arc::new(Classifier::open(folder, &context.inference())?);
    let flagger = ModelFlagger::new(classifier, HARMLESS)?;
    report.figure("threshold", flagger.threshold())?;

    let comments = comments("dev.tsv")?;
    let texts: Vec<&str> = comments.iter().map(|text| text.text.as_str()).collect();
    let found = flagger.probabilities(&texts)?;
    for (place, set) in SETS.iter().enumerate() {
        let there: Vec<bool> = comments.iter().map(|text| text.labels[place] != HARMLESS).collect();
        let likely: Vec<f64> = found.iter().map(|sets| sets[place]).collect();
        let f1 = at_threshold(&likely, &there, flagger.threshold())?.f1;
        report.figure(&format!("comments of the development set, F1 of {set}"), f1)?;
    }
    let mut sentences = Vec::new();
    for name in ["image_caption", "dialogue_summary"] {
        let file = context.data(&format!("commongen/dataset/{name}_train.jsonl"));
        sentences.extend(json_lines::<Value>(&file)?.into_iter().step_by(ONE_OF));
    }
    let texts = sentences.iter().map(|line| line["scene"].as_str().context("no scene"));
    let found = flagger.probabilities(&texts.collect::<Result<Vec<_>>>()?)?;
    let flags = |sets: &[f64]| sets.iter().filter(|p| **p >= flagger.threshold()).count();
    for (what, least) in [("flagged", 1), ("flagged for bias and hate", SETS.len())] {
        let flagged = found.iter().filter(|sets| flags(sets) >= least).count();
        let share = flagged as f64 / found.len().max(1) as f64;
        report.figure(&format!("CommonGen's training sentences, {what}"), share)?;
    }
    context.time(report, &["ethics"])
}
