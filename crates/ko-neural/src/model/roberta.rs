//! RoBERTa and XLM-R (KLUE-RoBERTa): BERT whose positions begin after the padding token's number.

use super::{bert, config::Config, layout::Layout};

pub(crate) fn layout(config: &Config) -> Layout {
    let mut layout = bert::layout(config);
    layout.prefixes = &["roberta."];
    layout.embeddings.position_offset = i64::from(config.pad) + 1;
    layout
}
