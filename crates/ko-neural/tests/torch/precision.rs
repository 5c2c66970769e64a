//! Narrow numbers: near single precision, named by the signature, and good enough to train with.

use ko_eval_core::Signed;
use ko_eval_model::{Encoder, SentenceEmbedder};
use ko_neural::{
    Device, Embedder, Inference, Precision, Transformer,
    read::ScoredPair,
    train::{TrainingSettings, train_sbert_sts},
    vector::cosine,
};
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name)
}

fn inference(precision: Precision) -> Inference {
    Inference::new().threads(1).device(Device::Cpu).precision(precision)
}

const TEXTS: [&str; 4] =
    ["나는 밥을 먹었다.", "어제 저녁에 우리는 오래된 시장에서 국밥을 먹었어요!", "비가 온다", ""];

#[test]
fn narrow_products_stay_near_single_precision() {
    for family in [
        "bert",
        "roberta",
        "electra",
        "albert",
        "bart",
        "mbart",
        "modernbert",
        "deberta-v2",
        "deberta-v3",
        "qwen3",
    ] {
        let whole = Transformer::open(folder(family), &inference(Precision::F32)).unwrap();
        let whole = whole.encode(&TEXTS).unwrap();
        for precision in [Precision::Bf16, Precision::F16] {
            let narrow = Transformer::open(folder(family), &inference(precision)).unwrap();
            let narrow = narrow.encode(&TEXTS).unwrap();
            for (narrow, whole) in narrow.iter().zip(&whole) {
                for (narrow, whole) in narrow.vectors.rows().zip(whole.vectors.rows()) {
                    assert_ne!(narrow, whole, "{family}: products are not in {precision}");
                    assert!(cosine(narrow, whole) > 0.999, "{family} in {precision}");
                }
            }
        }
    }
}

#[test]
fn the_signature_names_the_numbers_and_not_the_device() {
    let signature = |inference: &Inference| {
        Embedder::open(folder("sentence"), inference).unwrap().signature().to_string()
    };
    let single = signature(&inference(Precision::F32));
    assert!(single.contains("precision:f32"), "{single}");
    assert_eq!(single, signature(&inference(Precision::F32).device(Device::Auto)));
    assert!(signature(&inference(Precision::Bf16)).contains("precision:bf16"));
}

#[test]
fn a_device_that_is_not_there_is_an_error_of_whatever_opens_a_model() {
    let far = Inference::new().device(Device::Cuda(999));
    let error = Transformer::open(folder("bert"), &far).unwrap_err().to_string();
    assert!(error.contains("device `cuda:999`"), "{error}");
    let error = ko_neural::by_name(&format!("rdass:{},device=gpu", folder("sentence").display()));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("auto, cpu, cuda, cuda:N or mps"), "{error}");
}

#[test]
fn mixed_precision_trains_and_keeps_whole_weights() {
    let pair = |first: &str, second: &str, score| ScoredPair {
        first: first.into(),
        second: second.into(),
        score,
    };
    let pairs = [
        pair("나는 밥을 먹었다.", "저는 밥을 먹었어요.", 5.0),
        pair("비가 온다", "눈이 많이 내린다", 1.0),
        pair("나는 밥을 먹었다.", "비가 온다", 0.0),
        pair("눈이 많이 내린다", "눈이 온다", 4.0),
    ];
    let place = tempfile::tempdir().unwrap();
    let train = |name: &str, precision| {
        let training = TrainingSettings::builder()
            .epochs(20)
            .batch(4)
            .learning_rate(2e-3)
            .threads(1)
            .device(Device::Cpu)
            .precision(precision)
            .build()
            .unwrap();
        let folder = place.path().join(name);
        let report = train_sbert_sts(self::folder("bert"), &pairs, &[], &folder, &training);
        (report.unwrap().final_loss, folder)
    };
    let (narrow, folder) = train("narrow", Precision::Bf16);
    let (single, _) = train("single", Precision::F32);
    assert!(narrow != single && (narrow - single).abs() < 0.05, "{narrow} and {single}");
    // What was trained is an ordinary folder, and reads as such.
    let embedder = Embedder::open(folder, &inference(Precision::F32)).unwrap();
    let vectors =
        embedder.embed(&["나는 밥을 먹었다.", "저는 밥을 먹었어요.", "비가 온다"]).unwrap();
    let near = cosine(vectors.row(0).unwrap(), vectors.row(1).unwrap());
    let far = cosine(vectors.row(0).unwrap(), vectors.row(2).unwrap());
    assert!(near > far, "{near} and {far}");
    let refused = TrainingSettings::builder().precision(Precision::F16).build().unwrap_err();
    assert!(refused.to_string().contains("f32 or bf16"), "{refused}");
}
