//! PyTorch's weight files in both layouts, damaged: an error, or tensors that have as many numbers as their shapes say, and together
//! no more than the file has bytes unless they share them.
#![no_main]

use ko_eval_fuzz::damaged;
use ko_neural::fuzzing::{pickles, weights};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(pickles);

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    for (name, shape, numbers) in weights("pytorch_model.bin", &bytes).unwrap_or_default() {
        assert_eq!(shape.iter().product::<usize>(), numbers, "{name}");
        assert!(numbers <= bytes.len(), "{name}");
    }
});
