//! safetensors, damaged: an error, or tensors that have as many numbers as their shapes say.
#![no_main]

use ko_eval_fuzz::damaged;
use ko_neural::fuzzing::weights;
use libfuzzer_sys::fuzz_target;
use safetensors::{Dtype, tensor::TensorView};
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let bytes = [0u8; 48];
    let view = |dtype, shape: &[usize], length: usize| {
        TensorView::new(dtype, shape.to_vec(), &bytes[..length]).expect("sizes that fit")
    };
    let tensors = [
        ("embeddings.weight", view(Dtype::F32, &[2, 3], 24)),
        ("dense.weight", view(Dtype::F16, &[3, 2], 12)),
        ("dense.bias", view(Dtype::F64, &[2], 16)),
        ("positions", view(Dtype::I64, &[1, 2], 16)),
        ("norm.gamma", view(Dtype::BF16, &[], 2)),
    ];
    vec![safetensors::serialize(tensors, None).expect("tensors that fit")]
});

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    for (name, shape, numbers) in weights("model.safetensors", &bytes).unwrap_or_default() {
        assert_eq!(shape.iter().product::<usize>(), numbers, "{name}");
        assert!(2 * numbers <= bytes.len(), "{name}");
    }
});
