//! Broken model folders: typed errors that name the file, the tensor and what was expected.

use ko_eval_model::{Encoder, Generator, Prompt, SentenceEmbedder};
use ko_neural::{Embedder, Error, Inference, LongText, Sts, TextGenerator, Transformer};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

fn model(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name)
}

/// A copy of a tiny model, to be broken.
fn copy(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(model(name)).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    folder
}

fn edit(folder: &Path, name: &str, from: &str, to: &str) {
    let path = folder.join(name);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{name} has no `{from}`");
    fs::write(path, text.replace(from, to)).unwrap();
}

fn open(folder: &Path) -> Error {
    Transformer::open(folder, &Inference::new().threads(1)).unwrap_err()
}

#[test]
fn missing_files_are_named() {
    for (name, expected) in [
        ("config.json", "config.json"),
        ("model.safetensors", "model.safetensors or pytorch_model.bin"),
        ("vocab.txt", "tokenizer.json, vocab.txt"),
    ] {
        let folder = copy("bert");
        fs::remove_file(folder.path().join(name)).unwrap();
        let error = open(folder.path());
        assert!(matches!(&error, Error::MissingFile { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
    let nowhere = open(Path::new("no-such-folder"));
    assert!(matches!(nowhere, Error::MissingFile { .. }), "{nowhere}");
}

#[test]
fn truncated_files_are_no_panic() {
    for (family, name) in [
        ("bert", "model.safetensors"),
        ("bert", "config.json"),
        ("electra", "pytorch_model.bin"),
        ("albert", "pytorch_model.bin"),
        ("roberta", "tokenizer.json"),
        ("xlm-roberta", "sentencepiece.bpe.model"),
    ] {
        let folder = copy(family);
        let path = folder.path().join(name);
        let whole = fs::read(&path).unwrap();
        // A line end at the end of a text file may go.
        let last = whole.trim_ascii_end().len() - 1;
        for part in [0, 1, 2, 100, last / 3, last / 2, last] {
            fs::write(&path, &whole[..part]).unwrap();
            let error = open(folder.path());
            assert!(error.to_string().contains(name), "{family}/{name} at {part}: {error}");
        }
    }
}

#[test]
fn a_vocabulary_of_sentence_pieces_is_not_taken_for_word_pieces() {
    // KoBERT: the pieces are SentencePiece's, the numbers those of vocab.txt.
    let folder = copy("bert");
    let kobert = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/kobert");
    fs::copy(kobert.join("vocab.txt"), folder.path().join("vocab.txt")).unwrap();
    let error = open(folder.path());
    assert!(matches!(&error, Error::MissingFile { .. }), "{error}");
    assert!(error.to_string().contains("*.model, the SentencePiece model"), "{error}");

    // With its model it loads, as far as the weights have room for it.
    let model = "tokenizer_78b3253a26.model";
    fs::copy(kobert.join(model), folder.path().join(model)).unwrap();
    assert!(matches!(open(folder.path()), Error::VocabularyMismatch { .. }));

    // A piece without a number.
    edit(folder.path(), "vocab.txt", "\n▁50\n", "\n▁쉰\n");
    let error = open(folder.path()).to_string();
    assert!(error.contains("vocab.txt"), "{error}");
    assert!(error.contains("no number for the piece `▁50`"), "{error}");

    // Two models, and no way to know which is meant.
    fs::copy(kobert.join(model), folder.path().join("other.model")).unwrap();
    assert!(open(folder.path()).to_string().contains("which model does it number?"));
}

/// mBART's file has the name of XLM-R's, and other pieces.
#[test]
fn mbarts_pieces_are_not_taken_for_xlm_rs() {
    let folder = copy("mbart");
    fs::remove_file(folder.path().join("tokenizer.json")).unwrap();
    let pieces = "sentencepiece.bpe.model";
    fs::copy(model("xlm-roberta").join(pieces), folder.path().join(pieces)).unwrap();
    let error = open(folder.path());
    assert!(matches!(&error, Error::BadFile { path, .. } if path.ends_with(pieces)), "{error}");
    assert!(error.to_string().contains("tokenizer.json"), "{error}");
}

#[test]
fn an_unknown_architecture_lists_the_known_ones() {
    let folder = copy("bert");
    edit(folder.path(), "config.json", "\"model_type\": \"bert\"", "\"model_type\": \"gpt2\"");
    let error = open(folder.path());
    assert!(matches!(&error, Error::UnknownArchitecture { name, .. } if name == "gpt2"));
    assert!(error.to_string().contains("bert, roberta, xlm-roberta, electra, albert, bart, mbart"));
}

#[test]
fn shapes_are_checked_against_the_configuration() {
    let folder = copy("bert");
    edit(folder.path(), "config.json", "\"intermediate_size\": 24", "\"intermediate_size\": 32");
    match open(folder.path()) {
        Error::WrongShape { tensor, expected, found, .. } => {
            assert_eq!(tensor, "encoder.layer.0.intermediate.dense.weight");
            assert_eq!((expected, found), (vec![32, 16], vec![24, 16]));
        }
        other => panic!("{other}"),
    }
    let folder = copy("bert");
    edit(folder.path(), "config.json", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3");
    match open(folder.path()) {
        Error::MissingTensor { tensor, expected, .. } => {
            assert_eq!(tensor, "encoder.layer.2.attention.self.query.weight");
            assert_eq!(expected, [16, 16]);
        }
        other => panic!("{other}"),
    }
    for (from, to) in [
        ("\"num_attention_heads\": 2", "\"num_attention_heads\": 3"),
        ("\"hidden_size\": 16", "\"hidden_size\": -16"),
        ("\"hidden_act\": \"gelu\"", "\"hidden_act\": \"swish\""),
    ] {
        let folder = copy("bert");
        edit(folder.path(), "config.json", from, to);
        let error = open(folder.path());
        assert!(matches!(&error, Error::BadConfig { .. }), "{error}");
    }
}

#[test]
fn weights_that_are_no_numbers_are_refused() {
    let folder = copy("bert");
    let path = folder.path().join("model.safetensors");
    let mut bytes = fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    let error = open(folder.path());
    assert!(matches!(&error, Error::NotFinite { .. }), "{error}");
    assert!(error.to_string().contains("holds NaN"), "{error}");
}

#[test]
fn a_tokenizer_that_does_not_fit_is_refused() {
    let folder = copy("bert");
    let path = folder.path().join("vocab.txt");
    let mut vocabulary = fs::read_to_string(&path).unwrap();
    vocabulary.push_str("너무\n");
    fs::write(&path, vocabulary).unwrap();
    match open(folder.path()) {
        Error::VocabularyMismatch { token, id, rows, .. } => {
            assert_eq!((token.as_str(), id as usize), ("너무", rows));
        }
        other => panic!("{other}"),
    }
}

/// The template of one text has a number beyond all embeddings, that of two has not.
#[test]
fn a_template_that_does_not_fit_is_refused() {
    let folder = copy("roberta");
    let path = folder.path().join("tokenizer.json");
    let mut json: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let text = |id: &str| serde_json::json!({ "Sequence": { "id": id, "type_id": 0 } });
    json["post_processor"] = serde_json::json!({
        "type": "TemplateProcessing",
        "single": [{ "SpecialToken": { "id": "<s>", "type_id": 0 } }, text("A")],
        "pair": [text("A"), text("B")],
        "special_tokens": { "<s>": { "id": "<s>", "ids": [65536], "tokens": ["<s>"] } },
    });
    fs::write(&path, json.to_string()).unwrap();
    let error = open(folder.path());
    assert!(matches!(&error, Error::VocabularyMismatch { id: 65536, .. }), "{error}");
}

/// `cos\nsystem\n(S'…'\ntR.` in protocol 2: a call of any function but PyTorch's own is named and not made.
#[test]
fn a_pickle_is_never_executed() {
    let folder = copy("albert");
    let marker = folder.path().join("executed");
    let command = format!("touch {}", marker.display());
    let mut pickle = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.".to_vec();
    pickle.extend(b"\x80\x02M\xe9\x03.\x80\x02}.");
    pickle.extend(b"\x80\x02cos\nsystem\nX");
    pickle.extend(u32::try_from(command.len()).unwrap().to_le_bytes());
    pickle.extend(command.as_bytes());
    pickle.extend(b"\x85R.");
    fs::write(folder.path().join("pytorch_model.bin"), pickle).unwrap();
    let error = open(folder.path());
    assert!(error.to_string().contains("`os.system`, which is never done"), "{error}");
    assert!(!marker.exists());
}

#[test]
fn settings_out_of_range_are_named() {
    for inference in [Inference::new().threads(0), Inference::new().batch_tokens(0)] {
        let error = Transformer::open(model("bert"), &inference).unwrap_err();
        assert!(matches!(&error, Error::Setting { .. }), "{error}");
    }
    let chunks = Inference::new().long_text(LongText::Chunk);
    assert!(matches!(Sts::open(model("bert"), &chunks), Err(Error::Setting { .. })));
    let headless = Sts::open(model("bert"), &Inference::new().threads(1)).unwrap_err();
    assert!(headless.to_string().contains("head.json"), "{headless}");
}

/// A copy of the folder of sentence-transformers, its modules included.
fn copy_sentence() -> TempDir {
    let folder = copy("sentence");
    for name in ["1_Pooling", "2_Dense"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        for entry in fs::read_dir(model("sentence").join(name)).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, folder.path().join(name).join(path.file_name().unwrap())).unwrap();
        }
    }
    folder
}

#[test]
fn a_dense_layer_that_does_not_fit_is_refused() {
    let refused = |from: &str, to: &str| {
        let folder = copy_sentence();
        edit(folder.path(), "2_Dense/config.json", from, to);
        Embedder::open(folder.path(), &Inference::new().threads(1)).unwrap_err()
    };
    match refused("\"out_features\": 6", "\"out_features\": 7") {
        Error::WrongShape { path, tensor, expected, found } => {
            assert!(path.ends_with("2_Dense/model.safetensors"), "{}", path.display());
            assert_eq!(
                (tensor.as_str(), expected, found),
                ("linear.weight", vec![7, 16], vec![6, 16])
            );
        }
        other => panic!("{other}"),
    }
    let error = refused("\"in_features\": 16", "\"in_features\": 17");
    assert!(matches!(&error, Error::BadConfig { key, .. } if key == "in_features"), "{error}");
    let error = refused("Tanh", "Softplus");
    assert!(error.to_string().contains("Softplus"), "{error}");
}

#[test]
fn unknown_modules_are_named() {
    let folder = copy_sentence();
    edit(folder.path(), "modules.json", "normalize.Normalize", "lstm.LSTM");
    let error = Embedder::open(folder.path(), &Inference::new().threads(1)).unwrap_err();
    let expected = "unknown module `sentence_transformers.base.modules.lstm.LSTM`";
    assert!(error.to_string().contains(expected), "{error}");

    // ColBERT as PyLate writes it: every token is projected, and none pooled.
    let folder = copy_sentence();
    let modules = r#"[{"path": "", "type": "sentence_transformers.models.Transformer"},
        {"path": "2_Dense", "type": "pylate.models.Dense.Dense"}]"#;
    fs::write(folder.path().join("modules.json"), modules).unwrap();
    let error = Embedder::open(folder.path(), &Inference::new().threads(1)).unwrap_err();
    assert!(error.to_string().contains("unknown module `pylate.models.Dense.Dense`"), "{error}");
    let ours = modules.replace("pylate.models.Dense.Dense", "sentence_transformers.models.Dense");
    fs::write(folder.path().join("modules.json"), ours).unwrap();
    let error = Embedder::open(folder.path(), &Inference::new().threads(1)).unwrap_err();
    assert!(error.to_string().contains("found Transformer, Dense"), "{error}");
    assert!(error.to_string().contains("modules.json"), "{error}");

    let folder = copy_sentence();
    edit(
        folder.path(),
        "2_Dense/config.json",
        r#""module_input_name": "sentence_embedding""#,
        r#""module_input_name": "token_embeddings""#,
    );
    let error = Embedder::open(folder.path(), &Inference::new().threads(1)).unwrap_err();
    assert!(
        matches!(&error, Error::BadConfig { key, .. } if key == "module_input_name"),
        "{error}"
    );
}

#[test]
fn modules_of_other_folders_are_refused() {
    let folder = copy_sentence();
    edit(folder.path(), "modules.json", "1_Pooling", "../1_Pooling");
    let error = Embedder::open(folder.path(), &Inference::new().threads(1)).unwrap_err();
    assert!(matches!(&error, Error::BadFile { .. }), "{error}");
    assert!(error.to_string().contains("`../1_Pooling` is no folder in this one"), "{error}");
}

/// Where the plain values of some settings stand.
fn pointers(settings: &Value, at: String, found: &mut Vec<String>) {
    match settings {
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| pointers(value, format!("{at}/{key}"), found));
        }
        _ => found.push(at),
    }
}

/// Every setting of a file, and `more`, replaced by every odd value; `attempt` opens the folder and uses it. How many were refused, and how
/// many worked.
fn with_odd_settings(
    name: &str,
    (file, more): (&str, &[&str]),
    attempt: impl Fn(&Path) -> Result<(), Error>,
) -> (usize, usize) {
    let odd = [
        json!(0),
        json!(-1),
        json!(3),
        json!(1_u64 << 31),
        json!(u64::MAX),
        json!(1e308),
        json!(""),
        json!([]),
    ];
    let folder = copy(name);
    let path = folder.path().join(file);
    let mut whole: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    more.iter().for_each(|key| whole[key] = Value::Null);
    let mut places = Vec::new();
    pointers(&whole, String::new(), &mut places);
    let (mut refused, mut worked) = (0, 0);
    for place in &places {
        for value in &odd {
            let mut changed = whole.clone();
            *changed.pointer_mut(place).unwrap() = value.clone();
            fs::write(&path, changed.to_string()).unwrap();
            match attempt(folder.path()) {
                Ok(()) => worked += 1,
                Err(_) => refused += 1,
            }
        }
    }
    (refused, worked)
}

#[test]
fn encoders_with_odd_settings_are_refused_or_work() {
    for family in ["albert", "bart", "bert", "electra", "modernbert", "qwen3", "roberta"] {
        let (refused, worked) = with_odd_settings(family, ("config.json", &[]), |folder| {
            let model = Transformer::open(folder, &Inference::new().threads(1))?;
            Ok(model.encode(&["비가 온다"]).map(drop)?)
        });
        assert!(refused > 20 && worked > 20, "{family}: {refused}, {worked}");
    }
    // Nothing in the weights bounds how many positions these turn through.
    for family in ["modernbert", "qwen3"] {
        let error = with_setting(family, "max_position_embeddings", json!(1_u64 << 31));
        assert!(
            matches!(&error, Error::BadConfig { key, .. } if key == "max_position_embeddings"),
            "{family}: {error}"
        );
    }
}

/// Qwen3 itself has no mark around a text, as Qwen3-Embedding has.
#[test]
fn a_text_without_a_token_has_no_vector() {
    let folder = copy("qwen3");
    let path = folder.path().join("tokenizer.json");
    let mut json: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    json["post_processor"] = Value::Null;
    fs::write(&path, json.to_string()).unwrap();
    let embedder = Embedder::open(folder.path(), &Inference::new().threads(1)).unwrap();
    assert_eq!(embedder.embed(&["비가 온다"]).unwrap().len(), 1);
    let error = embedder.embed(&["비가 온다", ""]).unwrap_err().to_string();
    assert!(error.contains("at least one token"), "{error}");
}

/// The error of a model with one setting changed.
fn with_setting(family: &str, key: &str, value: Value) -> Error {
    let folder = copy(family);
    let path = folder.path().join("config.json");
    let mut config: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    config[key] = value;
    fs::write(&path, config.to_string()).unwrap();
    open(folder.path())
}

#[test]
fn what_qwen3_is_not_read_with_is_named() {
    for (key, value) in [
        ("use_sliding_window", json!(true)),
        ("layer_types", json!(["full_attention", "sliding_attention"])),
        ("rope_scaling", json!({ "rope_type": "yarn", "factor": 4.0 })),
        ("rope_parameters", json!({ "rope_type": "dynamic", "factor": 2.0 })),
        ("num_key_value_heads", json!(3)),
        ("hidden_act", json!("swiglu")),
    ] {
        let error = with_setting("qwen3", key, value);
        assert!(matches!(&error, Error::BadConfig { key: found, .. } if found == key), "{error}");
    }
    // Heads of another width than the weights have; biases that the file has not.
    match with_setting("qwen3", "head_dim", json!(16)) {
        Error::WrongShape { tensor, expected, found, .. } => {
            assert_eq!(tensor, "model.layers.0.self_attn.q_norm.weight");
            assert_eq!((expected, found), (vec![16], vec![8]));
        }
        other => panic!("{other}"),
    }
    match with_setting("qwen3", "attention_bias", json!(true)) {
        Error::MissingTensor { tensor, .. } => {
            assert_eq!(tensor, "model.layers.0.self_attn.q_proj.bias");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn generators_with_odd_settings_are_refused_or_work() {
    let writing = [
        "do_sample",
        "early_stopping",
        "length_penalty",
        "max_length",
        "max_new_tokens",
        "min_length",
        "no_repeat_ngram_size",
        "num_beams",
        "num_return_sequences",
        "repetition_penalty",
    ];
    for family in ["bart", "encoder-decoder", "gpt2", "t5"] {
        for file in [("config.json", [].as_slice()), ("generation_config.json", &writing)] {
            let attempt = |folder: &Path| {
                let model = TextGenerator::open(folder, &Inference::new().threads(1))?;
                Ok(model.generate(&[Prompt::new("비가 온다")], model.decoding()).map(drop)?)
            };
            let name = format!("generators/{family}");
            let (refused, worked) = with_odd_settings(&name, file, attempt);
            assert!(refused > 5 && worked > 5, "{family}: {refused}, {worked}");
        }
    }
}
