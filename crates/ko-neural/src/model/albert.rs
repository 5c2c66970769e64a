//! ALBERT: narrow embeddings, and layers that share the weights of their group.

use super::{
    bert,
    config::Config,
    layout::{BlockNames, Body, Layout, Projection},
};

pub(crate) fn layout(config: &Config) -> Layout {
    let mut layout = bert::layout(config);
    layout.prefixes = &["albert."];
    layout.embeddings.projection =
        Some(Projection::AfterNorm("encoder.embedding_hidden_mapping_in"));
    layout.layers = (0..config.layers)
        .flat_map(|layer| {
            let group = layer * config.groups / config.layers;
            let name = move |b| format!("encoder.albert_layer_groups.{group}.albert_layers.{b}");
            (0..config.blocks_per_group).map(name)
        })
        .collect();
    layout.body = Body::Shared(BlockNames {
        query: "attention.query",
        key: "attention.key",
        value: "attention.value",
        output: "attention.dense",
        attention_norm: "attention.LayerNorm",
        up: "ffn",
        down: "ffn_output",
        output_norm: "full_layer_layer_norm",
    });
    layout
}
