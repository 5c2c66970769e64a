//! Every family against what the reference packages answered for the tiny models of `models/`.

use ko_eval_core::{Metric, Segment, Signed};
use ko_eval_model::{Encoder, LayeredEmbedder, SentenceEmbedder};
use ko_neural::{
    BertScore, Embedder, Inference, LayerEmbedder, LongText, Pooling, Prompt, Transformer,
    bertscore::{Idf, Match},
    vector::cosine,
};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name)
}

fn expected<T: serde::de::DeserializeOwned>(name: &str) -> T {
    let bytes = std::fs::read(folder(name).join("expected.json")).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

#[track_caller]
fn assert_near(ours: &[f32], theirs: &[f32], tolerance: f32, what: &str) {
    assert_eq!(ours.len(), theirs.len(), "{what}: another number of tokens");
    for (place, (a, b)) in ours.iter().zip(theirs).enumerate() {
        assert!((a - b).abs() <= tolerance, "{what}: number {place} is {a}, expected {b}");
    }
}

#[derive(Deserialize)]
struct States {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    text: Input,
    states: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    One(String),
    Two(String, String),
}

#[test]
fn every_family_equals_transformers() {
    let families = [
        "bert",
        "roberta",
        "xlm-roberta",
        "electra",
        "albert",
        "bart",
        "mbart",
        "modernbert",
        "modernbert-older",
        "deberta-v2",
        "deberta-v3",
        "qwen3",
    ];
    for family in families {
        let model = Transformer::open(folder(family), &Inference::new().threads(1)).unwrap();
        for case in expected::<States>(family).cases {
            let ours = match &case.text {
                Input::One(text) => model.hidden_states(&[text]).unwrap(),
                Input::Two(first, second) => model.pair_states(&[(first, second)]).unwrap(),
            };
            assert_eq!(ours[0].len(), case.states.len(), "{family}: another number of layers");
            for (layer, (ours, theirs)) in ours[0].iter().zip(&case.states).enumerate() {
                assert_near(ours.as_slice(), theirs, 1e-5, &format!("{family}, layer {layer}"));
            }
        }
    }
}

/// Neighbours, other batches and threads change nothing but the last bits.
#[test]
fn batches_do_not_matter() {
    let texts = [
        "나는 밥을 먹었다.",
        "비가 온다",
        "나는 밥을 먹었다.",
        "",
        "어제 저녁에 우리는 국밥을 먹었어요!",
    ];
    for family in ["bert", "albert", "mbart", "modernbert", "deberta-v2", "deberta-v3", "qwen3"] {
        let alone = Transformer::open(folder(family), &Inference::new().threads(1).batch_tokens(1));
        let together =
            Transformer::open(folder(family), &Inference::new().threads(2).batch_tokens(64));
        let (alone, together) = (alone.unwrap().encode(&texts), together.unwrap().encode(&texts));
        for (a, b) in alone.unwrap().iter().zip(&together.unwrap()) {
            assert_eq!((&a.tokens, &a.special), (&b.tokens, &b.special));
            assert_near(a.vectors.as_slice(), b.vectors.as_slice(), 1e-5, family);
        }
    }
}

#[test]
fn layers_and_pooling_agree() {
    let inference = Inference::new().threads(1);
    let model = Transformer::open(folder("bert"), &inference).unwrap();
    let text = "나는 밥을 먹었다.";
    let states = &model.hidden_states(&[text]).unwrap()[0];
    for (layer, state) in states.iter().enumerate() {
        let encoding = &model.at_layer(layer).unwrap().encode(&[text]).unwrap()[0];
        assert_eq!(&encoding.vectors, state);
    }
    assert!(model.at_layer(3).is_err());
    for pooling in [Pooling::Cls, Pooling::Mean, Pooling::Max, Pooling::Last] {
        let embedder = Embedder::with_pooling(folder("bert"), pooling, &inference).unwrap();
        // The second text is longer, so it lies before the first.
        let ours = embedder.embed(&[text, "어제 저녁에 우리는 오래된 시장에서 국밥을 먹었어요!"]);
        let plain = pooling.pool(&states[2]).unwrap();
        assert_near(ours.unwrap().row(0).unwrap(), &plain, 1e-5, "pooled");
    }
    let two = Embedder::with_pooling(folder("bert"), "mean-of-last-2".parse().unwrap(), &inference);
    let mean: Vec<f32> =
        states[1].as_slice().iter().zip(states[2].as_slice()).map(|(a, b)| (a + b) / 2.0).collect();
    let plain = Pooling::Mean.pool(&ko_eval_model::Embeddings::from_rows(16, mean).unwrap());
    let ours = two.unwrap().embed(&[text]).unwrap();
    assert_near(ours.as_slice(), &plain.unwrap(), 1e-5, "mean of the last two layers");
}

/// Every layer from one reading equals that layer alone, pooled in plain Rust; chunks are joined as by an embedder.
#[test]
fn layers_are_embedded_at_once() {
    let long = "나는 밥을 먹었다. ".repeat(20);
    let texts = ["나는 밥을 먹었다.", "비가 온다", "어제 저녁에 우리는 국밥을 먹었어요!"];
    for family in ["bert", "albert", "modernbert", "qwen3"] {
        let chunked = Inference::new().threads(2).long_text(LongText::Chunk);
        let model = Transformer::open(folder(family), &chunked).unwrap();
        let states = model.hidden_states(&texts).unwrap();
        for pooling in [Pooling::Cls, Pooling::Mean, Pooling::Max, Pooling::Last] {
            let all = LayerEmbedder::open(folder(family), Some(pooling), &chunked).unwrap();
            assert_eq!(all.layers().len(), model.layers() + 1);
            let vectors = all.embed_layers(&texts).unwrap();
            for (layer, vectors) in vectors.iter().enumerate() {
                for (text, vector) in vectors.rows().enumerate() {
                    let plain = pooling.pool(&states[text][layer]).unwrap();
                    assert_near(vector, &plain, 1e-5, &format!("{family}, {pooling}, {layer}"));
                }
            }
            let embedder = Embedder::with_pooling(folder(family), pooling, &chunked).unwrap();
            let whole = embedder.embed(&[&long]).unwrap();
            let layers = all.embed_layers(&[&long]).unwrap();
            let last = layers.last().unwrap();
            assert_near(last.as_slice(), whole.as_slice(), 1e-5, "chunks");
        }
    }
    let open = || LayerEmbedder::open(folder("bert"), None, &Inference::new()).unwrap();
    let two = open().only(&[1, 0, 1]).unwrap();
    assert_eq!(two.layers(), [0, 1]);
    assert_eq!(two.embed_layers(&texts).unwrap()[..], open().embed_layers(&texts).unwrap()[..2]);
    assert_ne!(two.layer_signature(0), two.layer_signature(1));
    let error = open().only(&[3]).unwrap_err().to_string();
    assert!(error.contains("from 0 (the embeddings) to 2"), "{error}");
    let pooling = "mean-of-last-2".parse().ok();
    assert!(LayerEmbedder::open(folder("bert"), pooling, &Inference::new()).is_err());
}

#[derive(Deserialize)]
struct Vectors {
    texts: Vec<String>,
    vectors: Vec<Vec<f32>>,
}

/// CLS pooling, a dense layer with tanh, normalisation; texts cut at twelve tokens.
#[test]
fn a_folder_of_sentence_transformers_embeds_as_there() {
    let inference = Inference::new().threads(1).long_text(LongText::Truncate);
    let embedder = Embedder::open(folder("sentence"), &inference).unwrap();
    let theirs: Vectors = expected("sentence");
    let texts: Vec<&str> = theirs.texts.iter().map(String::as_str).collect();
    let ours = embedder.embed(&texts).unwrap();
    for (ours, theirs) in ours.rows().zip(&theirs.vectors) {
        assert_near(ours, theirs, 1e-5, "sentence");
    }
}

/// With a pooling of one's own the folder's limit and prompts stay; what is left out is another embedder, and signed as one.
#[test]
fn another_pooling_of_a_folder_is_another_embedder() {
    let inference = Inference::new().threads(1).long_text(LongText::Truncate);
    let texts = ["나는 밥을 먹었다.", "비가 온다"];
    let whole = Embedder::open(folder("e5"), &inference).unwrap();
    let bare = Embedder::with_pooling(folder("e5"), Pooling::Mean, &inference).unwrap();
    assert_ne!(whole.signature(), bare.signature());
    let (whole, bare) = (whole.embed(&texts).unwrap(), bare.embed(&texts).unwrap());
    assert_ne!(whole, bare);
    for (whole, bare) in whole.rows().zip(bare.rows()) {
        // The same prompt and the same mean: only the length differs.
        assert!((cosine(whole, bare) - 1.0).abs() < 1e-5);
    }
    let named = |name: &str| {
        let bare = Embedder::with_pooling(folder("e5"), Pooling::Mean, &inference).unwrap();
        bare.with_prompt(&Prompt::Named(name.into()))
    };
    assert!(named("query").is_ok());
    assert!(named("nobody").is_err());

    // The transformer may lie in a folder of its own, and says there how much it reads.
    let copy = tempfile::tempdir().unwrap();
    copy_folder(&folder("sentence"), copy.path());
    let inner = copy.path().join("0_Transformer");
    fs::create_dir(&inner).unwrap();
    for name in ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"] {
        fs::rename(copy.path().join(name), inner.join(name)).unwrap();
    }
    fs::write(inner.join("sentence_bert_config.json"), r#"{"max_seq_length": 8}"#).unwrap();
    let path = copy.path().join("modules.json");
    let modules = fs::read_to_string(&path).unwrap();
    fs::write(&path, modules.replacen(r#""path": """#, r#""path": "0_Transformer""#, 1)).unwrap();
    let whole = Embedder::open(copy.path(), &inference).unwrap().signature().to_string();
    for part in ["dense:1", "normalized:yes", "longest:8"] {
        assert!(whole.contains(part), "{whole}");
    }
    let bare = Embedder::with_pooling(copy.path(), Pooling::Cls, &inference).unwrap();
    let signature = bare.signature().to_string();
    assert!(!signature.contains("dense") && !signature.contains("normalized"), "{signature}");
    assert!(signature.contains("longest:8"), "{signature}");
    let long = |end: &str| format!("나는 밥을 먹었다. 나는 밥을 먹었다. {end}");
    assert_eq!(bare.embed(&[&long("비")]).unwrap(), bare.embed(&[&long("눈이 온다")]).unwrap());

    fs::write(inner.join("sentence_bert_config.json"), r#"{"max_seq_length": 2}"#).unwrap();
    let error = Embedder::open(copy.path(), &inference).unwrap_err().to_string();
    assert!(error.contains("(`max_seq_length`) cannot be 2, where these are 3"), "{error}");
    assert!(error.contains("more than the special tokens of two texts"), "{error}");

    let plain = Embedder::open(folder("bert"), &inference).unwrap().signature();
    let same = Embedder::with_pooling(folder("bert"), Pooling::Mean, &inference).unwrap();
    assert_eq!(plain, same.signature(), "nothing was left out");
}

#[derive(Deserialize)]
struct Prompted {
    texts: Vec<String>,
    /// By prompt, and whether pooling looks at its tokens.
    vectors: BTreeMap<String, Vec<Vec<f32>>>,
}

/// XLM-R with a mean, normalisation and prompts, as E5 and bge-m3 are; one text has over 700 tokens, and none is cut.
#[test]
fn prompts_stand_before_texts_as_in_sentence_transformers() {
    let theirs: Prompted = expected("e5");
    let texts: Vec<&str> = theirs.texts.iter().map(String::as_str).collect();
    assert_eq!(theirs.vectors.len(), 8);
    for (name, expected) in &theirs.vectors {
        let (prompt, pooled) = name.split_once(", ").unwrap();
        let copy = tempfile::tempdir().unwrap();
        copy_folder(&folder("e5"), copy.path());
        let path = copy.path().join("1_Pooling/config.json");
        let config = fs::read_to_string(&path).unwrap();
        assert!(config.contains("\"include_prompt\": false"), "{config}");
        if pooled == "with" {
            fs::write(&path, config.replace("false", "true")).unwrap();
        }
        let prompt = match prompt {
            "default" => Prompt::AsTheFolderSays,
            "none" => Prompt::None,
            "text" => Prompt::Text("오래된 ".into()),
            named => Prompt::Named(named.into()),
        };
        let embedder = Embedder::open(copy.path(), &Inference::new().threads(1)).unwrap();
        let embedder = embedder.with_prompt(&prompt).unwrap();
        let ours = embedder.embed(&texts).unwrap();
        for (ours, theirs) in ours.rows().zip(expected) {
            assert_near(ours, theirs, 1e-5, name);
        }
        let signed = embedder.signature().get("prompt").is_some();
        assert_eq!(signed, prompt != Prompt::None, "{name}");
    }
}

/// The first token after a prompt that is not pooled; and a transformer that reads lower case alone, behind a tokenizer that keeps capitals.
#[test]
fn first_tokens_and_lower_case_are_those_of_sentence_transformers() {
    let bytes = fs::read(folder("e5").join("otherwise.json")).unwrap();
    let theirs: Prompted = serde_json::from_slice(&bytes).unwrap();
    let texts: Vec<&str> = theirs.texts.iter().map(String::as_str).collect();
    let capitals = ("tokenizer.json", r#""lowercase": true"#, r#""lowercase": false"#);
    let lowers = ("sentence_bert_config.json", "{", r#"{"do_lower_case": true,"#);
    let cls = ("1_Pooling/config.json", r#""mean""#, r#""cls""#);
    let pooled =
        ("1_Pooling/config.json", r#""include_prompt": false"#, r#""include_prompt": true"#);
    let embed = |edits: &[(&str, &str, &str)]| {
        let copy = tempfile::tempdir().unwrap();
        copy_folder(&folder("e5"), copy.path());
        for (name, from, to) in edits {
            let text = fs::read_to_string(copy.path().join(name)).unwrap();
            assert!(text.contains(from), "{name}: {text}");
            fs::write(copy.path().join(name), text.replacen(from, to, 1)).unwrap();
        }
        let prompt = Prompt::Text("CAFÉ: 비가 ".into());
        let inference = Inference::new().threads(1);
        let embedder = Embedder::open(copy.path(), &inference).unwrap();
        let embedder = embedder.with_prompt(&prompt).unwrap();
        let layers = LayerEmbedder::open(copy.path(), None, &inference).unwrap();
        let layers = layers.with_prompt(&prompt).unwrap();
        let (ours, layers) =
            (embedder.embed(&texts).unwrap(), layers.embed_layers(&texts).unwrap());
        for (ours, layer) in ours.rows().zip(layers.last().unwrap().rows()) {
            // The same but for the length.
            assert!((cosine(ours, layer) - 1.0).abs() < 1e-5, "{edits:?}");
        }
        (ours, embedder.signature())
    };
    for (name, edits) in
        [("cls", &[cls][..]), ("capitals", &[capitals]), ("lower case", &[capitals, lowers])]
    {
        let (ours, signature) = embed(edits);
        for (ours, theirs) in ours.rows().zip(&theirs.vectors[name]) {
            assert_near(ours, theirs, 1e-5, name);
        }
        assert_eq!(signature.get("lowercase").is_some(), name == "lower case", "{signature}");
    }
    assert_ne!(embed(&[cls]).0, embed(&[cls, pooled]).0);
}

/// Layers are read behind the prompt that an embedder's last one is, and say so.
#[test]
fn layers_stand_behind_the_folders_prompt() {
    let texts = ["나는 밥을 먹었다.", "비가 온다"];
    let inference = Inference::new().threads(1);
    let open = || LayerEmbedder::open(folder("e5"), None, &inference).unwrap();
    let embedder = Embedder::open(folder("e5"), &inference).unwrap();
    let last = |layers: LayerEmbedder| layers.embed_layers(&texts).unwrap().pop().unwrap();
    for (ours, whole) in last(open()).rows().zip(embedder.embed(&texts).unwrap().rows()) {
        assert!((cosine(ours, whole) - 1.0).abs() < 1e-5);
    }
    let stated = open().layer_signature(0);
    assert_eq!(stated.get("prompt"), embedder.signature().get("prompt"));
    assert!(stated.get("prompt").is_some() && stated.get("prompt-pooled").is_some(), "{stated}");
    let bare = open().with_prompt(&Prompt::None).unwrap();
    assert!(bare.layer_signature(0).get("prompt").is_none());
    assert_ne!(last(bare), last(open()));
    let error = open().with_prompt(&Prompt::Named("nobody".into())).unwrap_err().to_string();
    assert!(error.contains("no prompt `nobody`"), "{error}");
}

#[test]
fn a_prompt_that_cannot_be_is_refused() {
    let open = |long| Embedder::open(folder("e5"), &Inference::new().threads(1).long_text(long));
    let named = |name: &str| Prompt::Named(name.into());
    let error = open(LongText::Error).unwrap().with_prompt(&named("answer")).unwrap_err();
    assert!(
        error.to_string().contains("no prompt `answer`; known: document, passage, query"),
        "{error}"
    );
    let endless = Prompt::Text("나는 밥을 먹었다. ".repeat(200));
    let error = open(LongText::Error).unwrap().with_prompt(&endless).unwrap_err();
    assert!(error.to_string().contains("less tokens than the model reads"), "{error}");
    // Only the first chunk would have it.
    let error = open(LongText::Chunk).unwrap_err();
    assert!(error.to_string().contains("pooling leaves the prompt out"), "{error}");
}

/// Qwen3 as Qwen3-Embedding's folders are: the last token, which a template puts behind every text, and normalisation; one text has over
/// 512 tokens, and none is cut.
#[test]
fn a_last_token_embeds_as_in_sentence_transformers() {
    let theirs: Prompted = expected("qwen3-embedding");
    let texts: Vec<&str> = theirs.texts.iter().map(String::as_str).collect();
    assert_eq!(theirs.vectors.len(), 2);
    for (name, expected) in &theirs.vectors {
        let prompt = match name.as_str() {
            "default" => Prompt::AsTheFolderSays,
            named => Prompt::Named(named.into()),
        };
        let embedder = Embedder::open(folder("qwen3-embedding"), &Inference::new().threads(1));
        let ours = embedder.unwrap().with_prompt(&prompt).unwrap().embed(&texts).unwrap();
        for (ours, theirs) in ours.rows().zip(expected) {
            assert_near(ours, theirs, 1e-5, name);
        }
    }
    let model = Transformer::open(folder("qwen3-embedding"), &Inference::new().threads(1)).unwrap();
    assert_eq!(model.longest(), 1024);
    assert!(model.tokens(&[texts[5]]).unwrap()[0].len() > 512);
}

/// What comes after a token changes nothing about it.
#[test]
fn qwen3_looks_back_only() {
    let model = Transformer::open(folder("qwen3"), &Inference::new().threads(1)).unwrap();
    let [short, long] = ["비가", "비가 온다"].map(|text| model.encode(&[text]).unwrap().remove(0));
    let own = short.tokens.len() - 1;
    assert_eq!(short.tokens[..own], long.tokens[..own]);
    let numbers = own * 16;
    let (short, long) = (short.vectors.as_slice(), long.vectors.as_slice());
    assert_near(&short[..numbers], &long[..numbers], 1e-5, "the same beginning");
    assert_ne!(short[numbers..], long[long.len() - 16..], "the end has read all");
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let copy = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &copy);
        } else {
            fs::copy(&path, copy).unwrap();
        }
    }
}

#[test]
fn long_texts_follow_the_policy() {
    let long = "나는 밥을 먹었다. ".repeat(20);
    let open = |policy| {
        Embedder::open(folder("bert"), &Inference::new().threads(1).long_text(policy)).unwrap()
    };
    let error = open(LongText::Error).embed(&[&long]).unwrap_err();
    assert!(matches!(error, ko_eval_core::Error::TooLong { limit: 40, .. }), "{error}");
    let cut = open(LongText::Truncate).embed(&[&long]).unwrap();
    let whole = open(LongText::Chunk).embed(&[&long]).unwrap();
    assert!(cut != whole && cosine(cut.as_slice(), whole.as_slice()) > 0.5);
    let encoder =
        Transformer::open(folder("bert"), &Inference::new().threads(1).long_text(LongText::Chunk));
    let encoding = &encoder.unwrap().encode(&[&long]).unwrap()[0];
    let own = encoding.special.iter().filter(|special| !**special).count();
    assert_eq!(own, 20 * 8, "chunks lose no token");
    let mean = Pooling::Mean.pool(&encoding.vectors).unwrap();
    assert_near(whole.as_slice(), &mean, 1e-5, "chunks pool to the mean over all tokens");
}

#[derive(Deserialize)]
struct Scores {
    candidates: Vec<String>,
    references: Vec<Vec<String>>,
    cases: Vec<ScoreCase>,
}

#[derive(Deserialize)]
struct ScoreCase {
    layer: usize,
    idf: bool,
    rescale: bool,
    multi: [Vec<f64>; 3],
    single: [Vec<f64>; 3],
}

#[test]
fn bertscore_equals_bert_score() {
    let theirs: Scores = expected("bertscore");
    let model = Transformer::open(folder("bert"), &Inference::new().threads(1)).unwrap();
    let baselines = [
        Match { precision: 0.1, recall: 0.2, f1: 0.15 },
        Match { precision: 0.21, recall: 0.22, f1: 0.23 },
        Match { precision: 0.31, recall: 0.29, f1: 0.30 },
    ];
    for case in theirs.cases {
        let encoder = Arc::new(model.at_layer(case.layer).unwrap());
        let mut metric = BertScore::new(encoder.clone());
        if case.idf {
            let references: Vec<&str> =
                theirs.references.iter().flatten().map(String::as_str).collect();
            metric = metric.idf(Idf::from_references(&*encoder, &references).unwrap());
        }
        if case.rescale {
            metric = metric.baseline(baselines[case.layer]).unwrap();
        }
        let what = format!("layer {} idf {} rescale {}", case.layer, case.idf, case.rescale);
        for (several, expected) in [(true, &case.multi), (false, &case.single)] {
            let segments: Vec<Segment<'_>> = theirs
                .candidates
                .iter()
                .zip(&theirs.references)
                .map(|(candidate, references)| {
                    let count = if several { references.len() } else { 1 };
                    Segment::new(candidate, references.iter().take(count).map(String::as_str))
                })
                .collect::<Result<_, _>>()
                .unwrap();
            for (i, stats) in metric.batch_stats(&segments).unwrap().iter().enumerate() {
                let ours = stats.mean();
                let ours = [ours.precision, ours.recall, ours.f1];
                for (ours, theirs) in ours.iter().zip(expected) {
                    assert!((ours - theirs[i]).abs() < 1e-4, "{what}: {ours} is not {}", theirs[i]);
                }
            }
        }
    }
}
