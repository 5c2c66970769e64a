//! BART's encoder (KoBART): positions begin at row 2, no segment embeddings.

use super::{
    config::Config,
    layout::{BlockNames, Body, EmbeddingNames, Layout, Order, numbered},
};

pub(crate) fn layout(config: &Config) -> Layout {
    Layout {
        prefixes: &["model.encoder.", "encoder."],
        embeddings: EmbeddingNames {
            words: "embed_tokens",
            positions: Some("embed_positions"),
            position_offset: 2,
            extra_positions: 2,
            types: None,
            norm: Some("layernorm_embedding"),
            projection: None,
            scale: if config.scales_embeddings { (config.hidden as f64).sqrt() } else { 1.0 },
        },
        layers: numbered(config, "layers"),
        body: Body::Shared(BlockNames {
            query: "self_attn.q_proj",
            key: "self_attn.k_proj",
            value: "self_attn.v_proj",
            output: "self_attn.out_proj",
            attention_norm: "self_attn_layer_norm",
            up: "fc1",
            down: "fc2",
            output_norm: "final_layer_norm",
        }),
        order: Order::PostNorm,
        last_norm: None,
        epsilon: 1e-5,
    }
}
