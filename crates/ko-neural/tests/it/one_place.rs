//! Tensors are made where the model is: only `model/place.rs` knows libtorch's devices, and `device.rs` their names. What is
//! made on the processor all the same is listed here.

use std::{fs, path::Path};

/// What makes a tensor, or names a device, somewhere else than the model's.
const FORBIDDEN: &[&str] = &[
    "Device::Cpu",
    "Device::Cuda",
    "Device::Mps",
    "cuda_if_available",
    "_CPU",
    "from_slice(&",
    "tch::Device",
    PROCESSOR,
];

/// The processor, wherever the model runs. (`Place::default()` is the same, but the compiler gives it to tests alone.)
const PROCESSOR: &str = "Place::cpu";

/// Who has a reason for it: a table that is to be the same on every device, a library of the processor's, and weights before
/// anybody said where they go.
const ON_PROCESSOR: [&str; 3] = ["model/rotation.rs", "model/packed.rs", "model/weights.rs"];

/// Who may.
const EXEMPT: [&str; 2] = ["device.rs", "model/place.rs"];

#[test]
fn no_other_file_names_a_device_or_makes_a_tensor_on_the_processor() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for path in sources(&source) {
        if EXEMPT.iter().any(|exempt| path == source.join(exempt)) {
            continue;
        }
        seen += 1;
        let may_be_there = ON_PROCESSOR.iter().any(|file| path == source.join(file));
        let text = fs::read_to_string(&path).unwrap();
        // What tests compare with may lie anywhere.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in (1..).zip(code.lines()) {
            let told = line.trim_start().starts_with("//");
            let found = FORBIDDEN
                .iter()
                .filter(|word| !(may_be_there && **word == PROCESSOR))
                .find(|word| !told && line.contains(**word));
            let is_json = line.contains("serde_json::from_slice");
            let is_rust = line.contains("extend_from_slice") || line.contains("copy_from_slice");
            assert!(
                found.is_none() || is_json || is_rust,
                "{}:{number}: {line}: take `Place::tensor`",
                path.display()
            );
        }
    }
    assert!(seen > 90, "{seen} files looked at");
}

fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut all = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            all.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            all.push(path);
        }
    }
    all
}
