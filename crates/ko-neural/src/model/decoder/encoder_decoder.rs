//! Any of the encoders below BERT's blocks as a decoder: what BERTSUMABS summarises by, in the form of transformers'
//! `EncoderDecoderModel`.

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

/// What stands before the names of the encoder's tensors.
pub(crate) const ENCODER: &str = "encoder.";

pub(crate) const FAMILY: Family = Family {
    name: "encoder-decoder",
    bases: &[""],
    probe: "decoder.bert.encoder.layer.0.crossattention.self.query.weight",
    layout: |config, _| layout(config),
};

fn layout(config: &Settings) -> Result<WriterLayout> {
    let encoder = Config::of(&config.part("encoder")?)?;
    let config = config.part("decoder")?;
    if config.text(&["model_type"]) != Some("bert") {
        return Err(config.bad(&["model_type"], "expected bert, the only decoder of this kind"));
    }
    let hidden = config.size(&["hidden_size"], None)?;
    let heads = config.size(&["num_attention_heads"], None)?;
    let rows = config.size(&["max_position_embeddings"], None)?;
    let names = |part: &'static str| match part {
        "own" => AttentionNames {
            queries: Queries::Apart {
                query: "attention.self.query",
                key: "attention.self.key",
                value: "attention.self.value",
            },
            output: "attention.output.dense",
            norm: "attention.output.LayerNorm",
        },
        _ => AttentionNames {
            queries: Queries::Apart {
                query: "crossattention.self.query",
                key: "crossattention.self.key",
                value: "crossattention.self.value",
            },
            output: "crossattention.output.dense",
            norm: "crossattention.output.LayerNorm",
        },
    };
    let depth = layers(&config, &["num_hidden_layers"], None)?;
    let types = config.size(&["type_vocab_size"], Some(2))?;
    let decoder = StackLayout {
        hidden,
        heads,
        head_width: head_width(&config, hidden, heads)?,
        intermediate: config.size(&["intermediate_size"], None)?,
        dropout: config.share(&["hidden_dropout_prob"], 0.1)?,
        attention_dropout: config.share(&["attention_probs_dropout_prob"], 0.1)?,
        activation: activation(&config, &["hidden_act"], Activation::Gelu)?,
        products: Products { storage: Storage::RowPerOutput, bias: true },
        norm: (NormKind::Layer, config.share(&["layer_norm_eps"], 1e-12)?),
        order: Order::PostNorm,
        embedding_scale: 1.0,
        positions: Some(PositionNames {
            name: "decoder.bert.embeddings.position_embeddings".into(),
            rows,
            offset: 0,
        }),
        types: Some(("decoder.bert.embeddings.token_type_embeddings".into(), types)),
        embedding_norm: Some("decoder.bert.embeddings.LayerNorm".into()),
        layers: numbered("decoder.bert.encoder.layer", depth),
        block: BlockNames {
            own: names("own"),
            cross: Some(names("cross")),
            gate: None,
            up: "intermediate.dense",
            down: "output.dense",
            norm: "output.LayerNorm",
        },
        last_norm: None,
        relative: None,
        attention_scale: None,
    };
    let project = (encoder.hidden != hidden).then(|| ("enc_to_dec_proj".into(), encoder.hidden));
    Ok(WriterLayout {
        vocabulary: config.size(&["vocab_size"], None)?,
        words: vec!["decoder.bert.embeddings.word_embeddings.weight".into()],
        longest: (length(encoder.positions), length(rows)),
        encoder: Some(EncoderLayout::Network {
            config: Box::new(encoder),
            prefix: ENCODER.into(),
            shares: None,
            project,
        }),
        decoder,
        head: HeadLayout {
            transform: Some((
                "decoder.cls.predictions.transform.dense".into(),
                "decoder.cls.predictions.transform.LayerNorm".into(),
            )),
            own: None,
            untied: false,
            bias: Some(Bias {
                name: "decoder.cls.predictions.bias".into(),
                as_row: false,
                optional: false,
                trained: true,
            }),
            scale: 1.0,
        },
    })
}
