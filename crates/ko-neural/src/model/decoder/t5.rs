//! T5 and mT5: norms without a mean, products without a bias, relative positions, and since T5 1.1 a gate.

use super::{
    family::{EncoderLayout, Family, WriterLayout, activation, layers, length},
    layout::{AttentionNames, BlockNames, HeadLayout, Queries, StackLayout, numbered},
    parts::{NormKind, Products, Storage},
    relative::Buckets,
};
use crate::{
    error::Result,
    model::{
        config::{Activation, Settings},
        layout::Order,
    },
};

pub(crate) const FAMILY: Family = Family {
    name: "t5",
    bases: &[""],
    probe: "decoder.block.0.layer.1.EncDecAttention.q.weight",
    layout: |config, _| layout(config),
};

/// mT5 never scales the last vectors.
pub(crate) const MULTILINGUAL: Family = Family {
    name: "mt5",
    layout: |config, _| {
        let mut layout = layout(config)?;
        layout.head.scale = 1.0;
        Ok(layout)
    },
    ..FAMILY
};

/// Relative positions have no end, but memory has.
const LONGEST: i64 = 4096;

fn layout(config: &Settings) -> Result<WriterLayout> {
    let hidden = config.size(&["d_model"], None)?;
    let heads = config.size(&["num_heads"], None)?;
    let depth = config.size(&["num_layers"], None)?;
    let buckets = |both_ways| -> Result<Buckets> {
        Ok(Buckets {
            count: config.size(&["relative_attention_num_buckets"], Some(32))?,
            farthest: config.size(&["relative_attention_max_distance"], Some(128))?,
            both_ways,
        })
    };
    let feed = config.text(&["feed_forward_proj"]).unwrap_or("relu");
    let (gated, function) = match feed.strip_prefix("gated-") {
        // What is called so is not the exact function.
        Some("gelu") => (true, Activation::GeluTanh),
        Some("relu") => (true, Activation::Relu),
        Some(_) => return Err(config.bad(&["feed_forward_proj"], format!("unknown: `{feed}`"))),
        None => (false, activation(config, &["feed_forward_proj"], Activation::Relu)?),
    };
    let dropout = config.share(&["dropout_rate"], 0.1)?;
    let stack = |part: &str, depth: usize, block: BlockNames, buckets: Buckets| StackLayout {
        hidden,
        heads,
        head_width: 0,
        intermediate: 0,
        dropout,
        attention_dropout: dropout,
        activation: function,
        products: Products { storage: Storage::RowPerOutput, bias: false },
        norm: (NormKind::RootMeanSquare, 1e-6),
        order: Order::PreNorm,
        embedding_scale: 1.0,
        positions: None,
        types: None,
        embedding_norm: None,
        layers: numbered(&format!("{part}.block"), depth),
        block,
        last_norm: Some(format!("{part}.final_layer_norm")),
        relative: Some((
            format!("{part}.block.0.layer.0.SelfAttention.relative_attention_bias"),
            buckets,
        )),
        attention_scale: Some(1.0),
    };
    let own = AttentionNames {
        queries: Queries::Apart {
            query: "layer.0.SelfAttention.q",
            key: "layer.0.SelfAttention.k",
            value: "layer.0.SelfAttention.v",
        },
        output: "layer.0.SelfAttention.o",
        norm: "layer.0.layer_norm",
    };
    let cross = AttentionNames {
        queries: Queries::Apart {
            query: "layer.1.EncDecAttention.q",
            key: "layer.1.EncDecAttention.k",
            value: "layer.1.EncDecAttention.v",
        },
        output: "layer.1.EncDecAttention.o",
        norm: "layer.1.layer_norm",
    };
    let encoder_block = BlockNames {
        own,
        cross: None,
        gate: gated.then_some("layer.1.DenseReluDense.wi_0"),
        up: if gated { "layer.1.DenseReluDense.wi_1" } else { "layer.1.DenseReluDense.wi" },
        down: "layer.1.DenseReluDense.wo",
        norm: "layer.1.layer_norm",
    };
    let decoder_block = BlockNames {
        own,
        cross: Some(cross),
        gate: gated.then_some("layer.2.DenseReluDense.wi_0"),
        up: if gated { "layer.2.DenseReluDense.wi_1" } else { "layer.2.DenseReluDense.wi" },
        down: "layer.2.DenseReluDense.wo",
        norm: "layer.2.layer_norm",
    };
    let sized = |stack: StackLayout| -> Result<StackLayout> {
        Ok(StackLayout {
            head_width: config.size(&["d_kv"], None)?,
            intermediate: config.size(&["d_ff"], None)?,
            norm: (NormKind::RootMeanSquare, config.share(&["layer_norm_epsilon"], 1e-6)?),
            ..stack
        })
    };
    let encoder =
        stack("encoder", layers(config, &["num_layers"], None)?, encoder_block, buckets(true)?);
    let decoder_depth = layers(config, &["num_decoder_layers"], Some(depth))?;
    let decoder = stack("decoder", decoder_depth, decoder_block, buckets(false)?);
    // T5 itself scales, T5 1.1 does not; old files say so by whether vectors are tied.
    let tied = config.yes(&["tie_word_embeddings"], true);
    let scales = config.yes(&["scale_decoder_outputs"], tied);
    Ok(WriterLayout {
        vocabulary: config.size(&["vocab_size"], None)?,
        words: ["shared", "encoder.embed_tokens", "decoder.embed_tokens"]
            .map(|name| format!("{name}.weight"))
            .to_vec(),
        encoder: Some(EncoderLayout::Stack(Box::new(sized(encoder)?))),
        decoder: sized(decoder)?,
        head: HeadLayout {
            transform: None,
            own: Some("lm_head.weight".into()),
            untied: !tied,
            bias: None,
            scale: if scales { (hidden as f64).sqrt().recip() } else { 1.0 },
        },
        longest: (length(LONGEST), length(LONGEST)),
    })
}
