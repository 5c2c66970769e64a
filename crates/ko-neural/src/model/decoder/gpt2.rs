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
        attention_scale: (!config.yes(&["scale_attn_weights"], true)).then_some(1.0),
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

#[cfg(test)]
mod tests {
    use crate::{
        Inference, TextGenerator,
        model::{
            config::Settings, head::copy_companions, place::Place, weights::save, writer::Writer,
        },
    };
    use ko_eval_model::Decoding;
    use std::path::Path;

    /// Scores that are not scaled, of queries that are.
    #[test]
    fn attention_may_be_unscaled() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/generators/gpt2");
        let written = |folder: &Path| {
            let model = TextGenerator::open(folder, &Inference::new().threads(1)).unwrap();
            model.generate_tokens(&[vec![5, 6, 7]], &Decoding::greedy(9)).unwrap()[0][0].clone()
        };
        let copy = tempfile::tempdir().unwrap();
        copy_companions(&folder, copy.path()).unwrap();
        let mut config = Settings::open(&folder, "config.json").unwrap().json().clone();
        config["scale_attn_weights"] = false.into();
        std::fs::write(copy.path().join("config.json"), config.to_string()).unwrap();
        let writer = Writer::open(&folder, Place::default()).unwrap();
        let with_queries_times = |factor: f64| {
            let tensors = writer.parameters().iter().map(|(name, tensor)| {
                let tensor = tensor.detach().copy();
                if name.contains("c_attn") {
                    let _ = tensor.narrow(-1, 0, 16).g_mul_scalar_(factor);
                }
                (name.clone(), tensor)
            });
            let tensors: Vec<_> = tensors.collect();
            let named = tensors.iter().map(|(name, tensor)| (name.clone(), tensor));
            save(&copy.path().join("model.safetensors"), named).unwrap();
            written(copy.path())
        };
        let (own, unscaled) = (written(&folder), with_queries_times(1.0));
        assert!((own.score - unscaled.score).abs() > 1e-3, "{own:?} {unscaled:?}");
        // Each of its two heads has eight numbers.
        let scaled = with_queries_times(8f64.sqrt().recip());
        assert_eq!(own.ids, scaled.ids);
        assert!((own.score - scaled.score).abs() < 1e-4, "{own:?} {scaled:?}");
    }
}
