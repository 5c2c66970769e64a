//! `config.json` and `modules.json`, damaged: an error, or sizes that an encoder can have, and folders within the model's.
#![no_main]

use ko_eval_fuzz::damaged;
use ko_neural::fuzzing::{config, modules};
use libfuzzer_sys::fuzz_target;
use std::{path::Component, path::Path, sync::LazyLock};

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let bert = r#"{"model_type": "bert", "vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
        "intermediate_size": 24, "max_position_embeddings": 32, "type_vocab_size": 2, "pad_token_id": 0, "layer_norm_eps": 1e-12,
        "hidden_act": "gelu", "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1}"#;
    let bart = r#"{"model_type": "bart", "vocab_size": 40, "d_model": 16, "encoder_layers": 2, "encoder_attention_heads": 2,
        "encoder_ffn_dim": 24, "max_position_embeddings": 32, "activation_function": "relu", "dropout": 0.0, "scale_embedding": true}"#;
    let albert = r#"{"model_type": "albert", "vocab_size": 40, "embedding_size": 8, "hidden_size": 16, "num_hidden_layers": 4,
        "num_hidden_groups": 1, "inner_group_num": 1, "num_attention_heads": 4, "intermediate_size": 24, "max_position_embeddings": 32}"#;
    let modules = r#"[{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"}]"#;
    [bert, bart, albert, modules].map(|text| text.as_bytes().to_vec()).to_vec()
});

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    if let Ok(layers) = config(&bytes) {
        assert!((1..=1000).contains(&layers));
    }
    for path in modules(Path::new("model"), &bytes).unwrap_or_default() {
        let parts = path.strip_prefix("model").expect("a folder in the model's").components();
        assert!(!parts.into_iter().any(|part| part == Component::ParentDir), "{path:?}");
    }
});
