//! What the models of tone learn from, and what they are judged on: StyleKQC (CC BY-SA) teaches, IWSLT's formality and SmileStyle, in which
//! nothing was learned, judge.

use crate::Context;
use anyhow::Result;
use ko_neural::read::{
    ToneGroup, as_written, formality_text, para_kqc_tsv, smile_style_columns, style_kqc_tsv,
};
use ko_register::RegisterAnalyzer;

pub(crate) const STYLE_KQC_TRAIN: &str = "stylekqc/act-train.tsv";
pub(crate) const PARA_KQC: &str = "paraphrase/paraKQC_v1.txt";
const STYLE_KQC_DEV: &str = "stylekqc/act-dev.tsv";

/// Of this chance come the marks and the neighbours of what is learned from.
const SEED: u64 = 1;

/// StyleKQC's groups as they stand in other texts, for training.
pub(crate) fn train(context: &Context) -> Result<Vec<ToneGroup>> {
    // The file goes by acts, so every fourth group has them all.
    let groups: Vec<ToneGroup> =
        style_kqc_tsv(context.data.join(STYLE_KQC_TRAIN))?.into_iter().step_by(4).collect();
    Ok(as_written(&groups, SEED))
}

/// The same of the development set.
pub(crate) fn dev(context: &Context) -> Result<Vec<ToneGroup>> {
    Ok(as_written(&style_kqc(context)?, SEED))
}

/// StyleKQC's development set as it is.
pub(crate) fn style_kqc(context: &Context) -> Result<Vec<ToneGroup>> {
    Ok(style_kqc_tsv(context.data.join(STYLE_KQC_DEV))?)
}

/// IWSLT's formality: one formal and one informal translation of every sentence.
pub(crate) fn formality(context: &Context) -> Result<Vec<ToneGroup>> {
    let mut groups = Vec::new();
    for name in ["telephony", "topical_chat"] {
        let file = |tone: &str| context.data.join(format!("formality/{name}.{tone}.ko"));
        groups.extend(formality_text(file("formal"), file("informal"))?);
    }
    Ok(groups)
}

/// SmileStyle's utterances: these styles in 존댓말, those in 반말.
pub(crate) fn smile_style(
    context: &Context,
    formal: &[&str],
    informal: &[&str],
) -> Result<Vec<ToneGroup>> {
    let path = context.data.join("smilestyle/smilestyle_dataset.tsv");
    Ok(smile_style_columns(path, formal, informal)?.concat())
}

/// paraKQC's groups, whose tones nobody labelled: those that the grammar reads off the endings.
pub(crate) fn para_kqc(context: &Context) -> Result<Vec<ToneGroup>> {
    let analyzer = RegisterAnalyzer::without_dictionary();
    let is_formal = |text: &str| Ok(analyzer.analyze(text)?.polite);
    let groups = para_kqc_tsv(context.data.join(PARA_KQC))?.into_iter();
    Ok(groups.map(|texts| ToneGroup::by(texts, is_formal)).collect::<ko_eval_core::Result<_>>()?)
}
