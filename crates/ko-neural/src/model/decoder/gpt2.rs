//! GPT-2 (KoGPT2): no encoder; norms first, one product for queries, keys and values, matrices with a row per input.

use super::{
    family::{Family, WriterLayout, activation, head_width, layers, length},
    layout::{
        AttentionNames, BlockNames, HeadLayout, PositionNames, Queries, StackLayout, numbered,
    },
    parts::{NormKind, Products, Storage},
};
use crate::{
    error::Result,
    model::{
        config::{Activation, Settings},
        layout::Order,
    },
};

pub(crate) const FAMILY: Family =
    Family { name: "gpt2", bases: &["transformer.", ""], probe: "h.0.attn.c_attn.weight", layout };

fn layout(config: &Settings, base: &str) -> Result<WriterLayout> {
    let hidden = config.size(&["n_embd", "hidden_size"], None)?;
    let heads = config.size(&["n_head", "num_attention_heads"], None)?;
    for key in ["scale_attn_by_inverse_layer_idx", "add_cross_attention"] {
        if config.yes(&[key], false) {
            return Err(config.bad(&[key], "expected false"));
        }
    }
    let rows = config.size(&["n_positions", "max_position_embeddings"], Some(1024))?;
    let depth = layers(config, &["n_layer", "num_hidden_layers"], None)?;
    let decoder = StackLayout {
        hidden,
        heads,
        head_width: head_width(config, hidden, heads)?,
        intermediate: config.size(&["n_inner"], Some(4 * hidden))?,
        dropout: config.share(&["resid_pdrop"], 0.1)?,
        attention_dropout: config.share(&["attn_pdrop"], 0.1)?,
        activation: activation(config, &["activation_function"], Activation::GeluTanh)?,
        products: Products { storage: Storage::RowPerInput, bias: true },
        norm: (NormKind::Layer, config.share(&["layer_norm_epsilon"], 1e-5)?),
        order: Order::PreNorm,
        embedding_scale: 1.0,
        positions: Some(PositionNames { name: format!("{base}wpe"), rows, offset: 0 }),
        types: None,
        embedding_norm: None,
        layers: numbered(&format!("{base}h"), depth),
        block: BlockNames {
            own: AttentionNames {
                queries: Queries::Fused("attn.c_attn"),
                output: "attn.c_proj",
                norm: "ln_1",
            },
            cross: None,
            gate: None,
            up: "mlp.c_fc",
            down: "mlp.c_proj",
            norm: "ln_2",
        },
        last_norm: Some(format!("{base}ln_f")),
        relative: None,
        attention_scale: None,
    };
    let untied = !config.yes(&["tie_word_embeddings"], true);
    Ok(WriterLayout {
        vocabulary: config.size(&["vocab_size"], None)?,
        words: vec![format!("{base}wte.weight")],
        encoder: None,
        decoder,
        head: HeadLayout {
            transform: None,
            own: untied.then(|| "lm_head.weight".into()),
            untied,
            bias: None,
            scale: 1.0,
        },
        longest: (length(rows), length(rows)),
    })
}
