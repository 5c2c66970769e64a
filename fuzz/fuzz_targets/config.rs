//! `config.json`, damaged: an error, or sizes that an encoder can have.
#![no_main]

use ko_eval_fuzz::damaged;
use ko_neural::fuzzing::config;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let bert = r#"{"model_type": "bert", "vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
        "intermediate_size": 24, "max_position_embeddings": 32, "type_vocab_size": 2, "pad_token_id": 0, "layer_norm_eps": 1e-12,
        "hidden_act": "gelu", "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1}"#;
    let bart = r#"{"model_type": "bart", "vocab_size": 40, "d_model": 16, "encoder_layers": 2, "encoder_attention_heads": 2,
        "encoder_ffn_dim": 24, "max_position_embeddings": 32, "activation_function": "relu", "dropout": 0.0, "scale_embedding": true}"#;
    let albert = r#"{"model_type": "albert", "vocab_size": 40, "embedding_size": 8, "hidden_size": 16, "num_hidden_layers": 4,
        "num_hidden_groups": 1, "inner_group_num": 1, "num_attention_heads": 4, "intermediate_size": 24, "max_position_embeddings": 32}"#;
    [bert, bart, albert].map(|text| text.as_bytes().to_vec()).to_vec()
});

fuzz_target!(|data: &[u8]| {
    if let Ok(layers) = config(&damaged(data, &SEEDS)) {
        assert!((1..=1000).contains(&layers));
    }
});
