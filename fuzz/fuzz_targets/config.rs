//! `config.json`, `modules.json` and `generation_config.json`, damaged: an error, or sizes that an encoder can have, folders within the
//! model's, and settings of a generation that ask for bounded work.
#![no_main]

use ko_eval_fuzz::damaged;
use ko_neural::fuzzing::{config, decoding, modules};
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
    let modern = r#"{"model_type": "modernbert", "vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2,
        "intermediate_size": 24, "max_position_embeddings": 64, "layer_types": ["full_attention", "sliding_attention", "full_attention"],
        "local_attention": 8, "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 160000.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}, "hidden_activation": "gelu", "norm_eps": 1e-5}"#;
    let older = r#"{"model_type": "modernbert", "vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2,
        "intermediate_size": 24, "max_position_embeddings": 64, "global_attn_every_n_layers": 3, "local_attention": 8,
        "global_rope_theta": 160000.0, "local_rope_theta": 10000.0, "attention_bias": true, "mlp_dropout": 0.0}"#;
    let qwen3 = r#"{"model_type": "qwen3", "vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 8, "intermediate_size": 24, "max_position_embeddings": 64, "attention_bias": false,
        "layer_types": ["full_attention", "full_attention"], "rope_parameters": {"rope_type": "default", "rope_theta": 1000000.0},
        "rope_scaling": null, "use_sliding_window": false, "hidden_act": "silu", "rms_norm_eps": 1e-6}"#;
    let beams = r#"{"model_type": "bart", "eos_token_id": [1, 2], "bos_token_id": 0, "decoder_start_token_id": 0, "pad_token_id": 3,
        "num_beams": 4, "max_length": 31, "min_length": 6, "early_stopping": "never", "length_penalty": 2.0, "no_repeat_ngram_size": 3,
        "num_return_sequences": 2, "forced_bos_token_id": 5, "forced_eos_token_id": 1, "repetition_penalty": 1.2}"#;
    let drawn = r#"{"eos_token_id": 1, "do_sample": true, "temperature": 0.7, "top_k": 50, "top_p": 0.9, "max_new_tokens": 12,
        "min_new_tokens": 2, "bad_words_ids": null, "guidance_scale": 1.0}"#;
    let modules = r#"[{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"}]"#;
    let all = [bert, bart, albert, modern, older, qwen3, beams, drawn, modules];
    all.map(|text| text.as_bytes().to_vec()).to_vec()
});

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    if let Ok(layers) = config(&bytes) {
        assert!((1..=1000).contains(&layers));
    }
    // As a file of its own, and as what is left of one in the configuration.
    for (config, generation) in [(b"{}".as_slice(), bytes.as_slice()), (&bytes, b"null")] {
        if let Ok(decoding) = decoding(config, generation) {
            assert!(decoding.beams().max(decoding.candidates) <= 10_000, "{decoding:?}");
            assert!(decoding.min_tokens <= decoding.max_tokens, "{decoding:?}");
            assert!(decoding.max_tokens <= 1 << 20, "{decoding:?}");
        }
    }
    for path in modules(Path::new("model"), &bytes).unwrap_or_default() {
        let parts = path.strip_prefix("model").expect("a folder in the model's").components();
        assert!(!parts.into_iter().any(|part| part == Component::ParentDir), "{path:?}");
    }
});
