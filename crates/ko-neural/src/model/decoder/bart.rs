//! BART (KoBART): its encoder, and a decoder that looks at it after looking at itself.

use super::{
    family::{EncoderLayout, Family, WriterLayout, activation, head_width, layers, length},
    layout::{
        AttentionNames, Bias, BlockNames, HeadLayout, PositionNames, Queries, StackLayout, numbered,
    },
    parts::{NormKind, Products, Storage},
};
use crate::{
    error::Result,
    model::{
        config::{Activation, Config, Settings},
        layout::Order,
    },
};

pub(crate) const FAMILY: Family = Family {
    name: "bart",
    bases: &["model.", ""],
    probe: "decoder.layers.0.encoder_attn.q_proj.weight",
    layout,
};

pub(crate) fn layout(config: &Settings, base: &str) -> Result<WriterLayout> {
    let encoder = Config::of(config)?;
    let hidden = encoder.hidden;
    let heads = config.size(&["decoder_attention_heads"], None)?;
    let rows = encoder.positions + 2;
    let depth = layers(config, &["decoder_layers"], None)?;
    let attention = |part: &'static str| match part {
        "self" => AttentionNames {
            queries: Queries::Apart {
                query: "self_attn.q_proj",
                key: "self_attn.k_proj",
                value: "self_attn.v_proj",
            },
            output: "self_attn.out_proj",
            norm: "self_attn_layer_norm",
        },
        _ => AttentionNames {
            queries: Queries::Apart {
                query: "encoder_attn.q_proj",
                key: "encoder_attn.k_proj",
                value: "encoder_attn.v_proj",
            },
            output: "encoder_attn.out_proj",
            norm: "encoder_attn_layer_norm",
        },
    };
    let decoder = StackLayout {
        hidden,
        heads,
        head_width: head_width(config, hidden, heads)?,
        intermediate: config.size(&["decoder_ffn_dim"], None)?,
        dropout: config.share(&["dropout"], 0.1)?,
        attention_dropout: config.share(&["attention_dropout"], 0.0)?,
        activation: activation(config, &["activation_function"], Activation::Gelu)?,
        products: Products { storage: Storage::RowPerOutput, bias: true },
        norm: (NormKind::Layer, 1e-5),
        order: Order::PostNorm,
        embedding_scale: if encoder.scales_embeddings { (hidden as f64).sqrt() } else { 1.0 },
        positions: Some(PositionNames {
            name: format!("{base}decoder.embed_positions"),
            rows,
            offset: 2,
        }),
        types: None,
        embedding_norm: Some(format!("{base}decoder.layernorm_embedding")),
        layers: numbered(&format!("{base}decoder.layers"), depth),
        block: BlockNames {
            own: attention("self"),
            cross: Some(attention("encoder")),
            gate: None,
            up: "fc1",
            down: "fc2",
            norm: "final_layer_norm",
        },
        last_norm: None,
        relative: None,
        attention_scale: None,
    };
    let longest = length(encoder.positions);
    if !config.yes(&["tie_word_embeddings"], true) {
        let reason = "expected true: reader, writer and head with token vectors of their own are not known here";
        return Err(config.bad(&["tie_word_embeddings"], reason));
    }
    Ok(WriterLayout {
        vocabulary: encoder.vocabulary,
        words: ["shared", "encoder.embed_tokens", "decoder.embed_tokens"]
            .map(|name| format!("{base}{name}.weight"))
            .to_vec(),
        encoder: Some(EncoderLayout::Network {
            config: Box::new(encoder),
            prefix: format!("{base}encoder."),
            shares: Some("embed_tokens.weight"),
            project: None,
        }),
        decoder,
        head: HeadLayout {
            transform: None,
            own: None,
            untied: false,
            bias: Some(Bias {
                name: "final_logits_bias".into(),
                as_row: true,
                optional: true,
                trained: false,
            }),
            scale: 1.0,
        },
        longest: (longest, longest),
    })
}
