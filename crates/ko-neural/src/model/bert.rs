//! BERT: KLUE-BERT, KcBERT, mBERT, LaBSE, MiniLM.

use super::{
    config::Config,
    layout::{BlockNames, Body, EmbeddingNames, Layout, Order, numbered},
};

pub(crate) fn layout(config: &Config) -> Layout {
    Layout {
        prefixes: &["bert."],
        embeddings: EmbeddingNames {
            words: "embeddings.word_embeddings",
            positions: Some("embeddings.position_embeddings"),
            position_offset: 0,
            extra_positions: 0,
            types: Some("embeddings.token_type_embeddings"),
            norm: Some("embeddings.LayerNorm"),
            projection: None,
            scale: 1.0,
        },
        layers: numbered(config, "encoder.layer"),
        body: Body::Shared(BlockNames {
            query: "attention.self.query",
            key: "attention.self.key",
            value: "attention.self.value",
            output: "attention.output.dense",
            attention_norm: "attention.output.LayerNorm",
            up: "intermediate.dense",
            down: "output.dense",
            output_norm: "output.LayerNorm",
        }),
        order: Order::PostNorm,
        last_norm: None,
        epsilon: config.epsilon,
    }
}
