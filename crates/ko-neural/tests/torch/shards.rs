//! Weights in several files give the same model as in one, and what is wrong with them is named.

use ko_eval_model::Encoder;
use ko_neural::{Error, Inference, Transformer};
use safetensors::SafeTensors;
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

const INDEX: &str = "model.safetensors.index.json";
const SHARDS: [&str; 2] = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"];

fn whole() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/bert")
}

/// The tiny BERT with every other tensor in the second file.
fn sharded() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["config.json", "vocab.txt", "tokenizer_config.json"] {
        fs::copy(whole().join(name), folder.path().join(name)).unwrap();
    }
    let bytes = fs::read(whole().join("model.safetensors")).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let mut map = serde_json::Map::new();
    for (place, shard) in SHARDS.iter().enumerate() {
        let mine = file.iter().skip(place).step_by(2).collect::<Vec<_>>();
        map.extend(mine.iter().map(|(name, _)| ((*name).to_owned(), json!(shard))));
        let bytes = safetensors::serialize(mine, None).unwrap();
        fs::write(folder.path().join(shard), bytes).unwrap();
    }
    write_index(folder.path(), &map.into());
    folder
}

fn write_index(folder: &Path, map: &Value) {
    let index = json!({ "metadata": { "total_size": 1 }, "weight_map": map });
    fs::write(folder.join(INDEX), index.to_string()).unwrap();
}

fn index(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join(INDEX)).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["weight_map"].clone()
}

fn open(folder: &Path) -> ko_neural::Result<Transformer> {
    Transformer::open(folder, &Inference::new().threads(1))
}

#[test]
fn shards_are_the_whole() {
    let folder = sharded();
    let texts = ["나는 밥을 먹었다.", "비가 온다"];
    let parts = open(folder.path()).unwrap().encode(&texts).unwrap();
    assert_eq!(parts, open(&whole()).unwrap().encode(&texts).unwrap());
}

#[test]
fn what_is_wrong_with_shards_is_named() {
    let folder = sharded();
    fs::remove_file(folder.path().join(SHARDS[1])).unwrap();
    let error = open(folder.path()).unwrap_err();
    assert!(matches!(&error, Error::MissingFile { .. }), "{error}");
    assert!(
        error.to_string().contains(&format!("no {}, where {INDEX} says", SHARDS[1])),
        "{error}"
    );

    let folder = sharded();
    fs::write(folder.path().join(SHARDS[0]), "short").unwrap();
    let error = open(folder.path()).unwrap_err();
    assert!(matches!(&error, Error::BadFile { path, .. } if path.ends_with(SHARDS[0])), "{error}");

    // A tensor that the index knows, but not its file.
    let folder = sharded();
    let mut map = index(folder.path());
    let (name, shard) =
        map.as_object().unwrap().iter().next().map(|(n, s)| (n.clone(), s.clone())).unwrap();
    map[&name] = if shard == SHARDS[0] { SHARDS[1].into() } else { SHARDS[0].into() };
    write_index(folder.path(), &map);
    match open(folder.path()).unwrap_err() {
        Error::MissingTensor { path, tensor, expected } => {
            assert!(path.ends_with(INDEX) && tensor == name && !expected.is_empty());
        }
        other => panic!("{other}"),
    }

    // The last tensor of a shard is not a number: the shard is named, not the index.
    let folder = sharded();
    let path = folder.path().join(SHARDS[1]);
    let mut bytes = fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    let error = open(folder.path()).unwrap_err();
    assert!(matches!(&error, Error::NotFinite { path: found, .. } if *found == path), "{error}");

    for (text, part) in
        [("{}", "weight_map"), ("{\"weight_map\": {\"a\": \"../../secret\"}}", "no file of")]
    {
        let folder = sharded();
        fs::write(folder.path().join(INDEX), text).unwrap();
        let error = open(folder.path()).unwrap_err().to_string();
        assert!(error.contains(INDEX) && error.contains(part), "{error}");
    }
}
