//! `checkpoint.json`, damaged: an error, or a step and files of its own folder.
#![no_main]

use ko_eval_fuzz::damaged;
use ko_neural::fuzzing::checkpoint;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let head = r#"{"position": {"step": 12, "best": 0.75, "without_gain": 1, "stopped": false, "recent": [0.5, 0.25]},
        "training": {"epochs": 2, "rate": 1e-5}, "examples": "0f", "start": "1e", "state": {"file": "step-12.safetensors", "sha256": "2d"},
        "best": {"file": "best-8.safetensors", "sha256": "3c"}}"#;
    vec![head.as_bytes().to_vec()]
});

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    if let Ok((step, files)) = checkpoint(&bytes) {
        assert_eq!(files[0], format!("step-{step}.safetensors"));
        assert!(files[1..].iter().all(|file| file.starts_with("best-") && !file.contains('/')));
    }
});
