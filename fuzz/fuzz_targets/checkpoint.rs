//! `checkpoint.json`, damaged: an error, or a step.
#![no_main]

use ko_eval_fuzz::damaged;
use ko_neural::fuzzing::checkpoint;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let head = r#"{"position": {"step": 12, "best": 0.75, "without_gain": 1, "stopped": false, "recent": [0.5, 0.25]},
        "training": {"epochs": 2, "rate": 1e-5}, "examples": 123456789, "file": "step-12.safetensors"}"#;
    vec![head.as_bytes().to_vec()]
});

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    if let Ok(step) = checkpoint(&bytes) {
        let file = format!("step-{step}.safetensors");
        assert!(bytes.windows(file.len()).any(|part| part == file.as_bytes()));
    }
});
