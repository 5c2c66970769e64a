//! ELECTRA (KoELECTRA): BERT with a projection where the embeddings are narrower than the layers.

use super::{
    bert,
    config::Config,
    layout::{Layout, Projection},
};

pub(crate) fn layout(config: &Config) -> Layout {
    let mut layout = bert::layout(config);
    layout.prefixes = &["electra."];
    if config.embedding != config.hidden {
        layout.embeddings.projection = Some(Projection::AfterNorm("embeddings_project"));
    }
    layout
}
