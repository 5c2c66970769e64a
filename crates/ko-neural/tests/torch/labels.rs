//! Models with labels: against what transformers answered for the tiny models of `models/labels`, and after training.

use ko_eval_core::Signed;
use ko_eval_io::Progress;
use ko_eval_model::{EntityCounts, EntityTagger, LabelSet, TagScheme, TextClassifier, Threshold};
use ko_neural::{
    Classifier, Embedder, Error, Inference, LongText, Tagger,
    read::{LabelledText, TaggedText, label_sets},
    train::{
        ThresholdBy, TrainingBuilder, TrainingSettings, choose_threshold, train_classifier,
        train_tagger,
    },
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    fs,
    panic::AssertUnwindSafe,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

const FAMILIES: [&str; 7] =
    ["bert", "albert", "electra", "roberta", "xlm-roberta", "modernbert", "deberta-v2"];

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name)
}

fn inference() -> Inference {
    Inference::new().threads(1)
}

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    text: String,
    /// The texts of the tokens, marks left out.
    tokens: Vec<String>,
    /// A row per token, or one.
    logits: Vec<Vec<f64>>,
}

fn golden(model: &str) -> Golden {
    let bytes = fs::read(folder(model).join("expected.json")).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

fn softmax(logits: &[f64]) -> Vec<f64> {
    let sum: f64 = logits.iter().map(|x| x.exp()).sum();
    logits.iter().map(|x| x.exp() / sum).collect()
}

#[test]
fn taggers_of_every_family_equal_transformers() {
    for family in FAMILIES {
        let model = format!("labels/{family}-token");
        let tagger = Tagger::open(folder(&model), &inference()).unwrap();
        assert_eq!(tagger.labels(), ["O", "B-PS", "I-PS", "B-LC", "I-LC"]);
        let cases = golden(&model).cases;
        let texts: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
        for (ours, case) in tagger.tags(&texts).unwrap().iter().zip(&cases) {
            let tokens: Vec<&str> = ours.iter().map(|tag| &case.text[tag.span.clone()]).collect();
            assert_eq!(tokens, case.tokens, "{family}");
            for (tag, logits) in ours.iter().zip(&case.logits) {
                let best = (0..5).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).unwrap();
                assert_eq!(tag.label, tagger.labels()[best], "{family}: {tag:?} {logits:?}");
                let theirs = softmax(logits)[best];
                assert!((tag.probability - theirs).abs() < 1e-5, "{family}: {tag:?}, {theirs}");
            }
        }
    }
}

#[test]
fn classifiers_of_every_family_equal_transformers() {
    for family in FAMILIES {
        let model = format!("labels/{family}-text");
        let classifier = Classifier::open(folder(&model), &inference()).unwrap();
        let sets: Vec<(&str, usize)> = classifier
            .label_sets()
            .iter()
            .map(|set| (set.name.as_str(), set.labels.len()))
            .collect();
        assert_eq!(sets, [("bias", 3), ("hate", 2)]);
        let cases = golden(&model).cases;
        let texts: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
        for (ours, case) in classifier.classify(&texts).unwrap().iter().zip(&cases) {
            let (bias, hate) = case.logits[0].split_at(3);
            for (ours, theirs) in ours.iter().zip([softmax(bias), softmax(hate)]) {
                for (ours, theirs) in ours.iter().zip(&theirs) {
                    assert!((ours - theirs).abs() < 1e-5, "{family}: {ours}, not {theirs}");
                }
            }
        }
    }
}

fn settings(folder: &Path, steps: usize) -> TrainingBuilder {
    TrainingSettings::builder()
        .epochs(steps)
        .batch(8)
        .learning_rate(5e-3)
        .warm_up(0.0)
        .longest(40)
        .threads(1)
        .log(folder.join("log.jsonl"))
}

fn tagged(text: &str, tags: &str) -> TaggedText {
    let tag = |mark: char| match mark {
        'P' => "B-PS",
        'p' => "I-PS",
        'L' => "B-LC",
        'l' => "I-LC",
        _ => "O",
    };
    TaggedText { text: text.into(), tags: tags.chars().map(|mark| tag(mark).into()).collect() }
}

fn tagged_texts() -> Vec<TaggedText> {
    vec![
        tagged("나는 밥을 먹었다.", "P........."),
        tagged("우리는 시장에서 국밥을 먹었어요!", "Pp..Ll............"),
        tagged("저는 밥을 먹었어요.", "P.........."),
        tagged("비가 온다", "....."),
    ]
}

/// The first and the last loss that a training wrote down.
fn losses(folder: &Path) -> [f64; 2] {
    let log = fs::read_to_string(folder.join("log.jsonl")).unwrap();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let all: Vec<f64> = lines.filter_map(|line| line["loss"].as_f64()).collect();
    [all[0], all[all.len() - 1]]
}

/// Of 40 trainings by other seeds, which differ by more than processors do, none had a last loss above a sixth of the first one, or an F1 below .75.
#[test]
fn taggers_of_every_family_learn() {
    let texts = tagged_texts();
    for model in ["bert", "electra", "modernbert", "deberta-v3", "labels/albert-token"] {
        let out = tempfile::tempdir().unwrap();
        let training = settings(out.path(), 120).build().unwrap();
        let report = train_tagger(folder(model), &texts, &texts, out.path(), &training).unwrap();
        let [first, last] = losses(out.path());
        assert!(last < 0.5 * first, "{model}: {first} to {last}");
        assert!(report.best_score.unwrap() > 0.5, "{model}: {report:?}");
    }
}

/// The F1 of a tagger's entities.
fn f1(tagger: &Tagger, texts: &[TaggedText]) -> f64 {
    let all: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
    let mut counts = EntityCounts::default();
    for (found, text) in tagger.entities_of(&all).unwrap().iter().zip(texts) {
        counts.add(found, &text.entities(TagScheme::Conll));
    }
    counts.f1()
}

#[test]
fn a_tagger_loads_back() {
    let folder_of = tempfile::tempdir().unwrap();
    let out = folder_of.path();
    let texts = tagged_texts();
    let training = settings(out, 120).build().unwrap();
    let report = train_tagger(folder("electra"), &texts, &texts, out, &training).unwrap();
    let tagger = Tagger::open(out, &inference()).unwrap();
    assert_eq!(tagger.labels(), ["O", "B-LC", "B-PS", "I-LC", "I-PS"]);
    assert_eq!(report.best_score, Some(f1(&tagger, &texts)), "the weights that were scored");
    assert_eq!(tagger.entities("").unwrap(), []);
    // One text or many, and a text in pieces, are the same to it.
    let one_by_one: Vec<_> = texts.iter().map(|t| tagger.entities(&t.text).unwrap()).collect();
    let all: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
    assert_eq!(tagger.entities_of(&all).unwrap(), one_by_one);
    let long = texts[1].text.repeat(8);
    assert!(tagger.entities(&long).is_err());
    let chunked = Tagger::open(out, &inference().long_text(LongText::Chunk)).unwrap();
    let last = chunked.tags(&[&long]).unwrap()[0].last().unwrap().span.clone();
    assert_eq!(&long[last.clone()], "!");
    assert_eq!(last.end, long.len());
    // It is an ordinary folder: its encoder embeds, and another task can begin from it.
    Embedder::open(out, &inference()).unwrap();
    let next = tempfile::tempdir().unwrap();
    let training = settings(next.path(), 1).build().unwrap();
    train_tagger(out, &texts[..1], &[], next.path(), &training).unwrap();
    assert_eq!(Tagger::open(next.path(), &inference()).unwrap().labels(), ["O", "B-PS"]);
}

/// A vocabulary of whole words, with their particles.
#[test]
fn what_lies_beyond_an_entity_is_learned() {
    let desk = tempfile::tempdir().unwrap();
    let (words, out) = (desk.path().join("words"), desk.path().join("out"));
    fs::create_dir(&words).unwrap();
    for entry in fs::read_dir(folder("electra")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, words.join(path.file_name().unwrap())).unwrap();
    }
    let list = fs::read_to_string(words.join("vocab.txt")).unwrap();
    let list = list
        .replace("cafe\n", "우리는\n")
        .replace("café\n", "시장에서\n")
        .replace("caf\n", "나는\n");
    fs::write(words.join("vocab.txt"), list).unwrap();
    let texts = tagged_texts();
    let training = settings(desk.path(), 120).build().unwrap();
    let report = train_tagger(&words, &texts, &texts, &out, &training).unwrap();
    // Whole tokens would be one right entity of four.
    assert!(report.best_score.unwrap() > 0.5, "{report:?}");
    let tagger = Tagger::open(&out, &inference()).unwrap();
    assert_eq!(tagger.labels(), ["O", "B-LC", "B-PS", "I-LC", "I-PS"]);
    assert_eq!(report.best_score, Some(f1(&tagger, &texts)), "the weights that were scored");
    let config = fs::read_to_string(out.join("config.json")).unwrap();
    assert!(config.contains("tag=B-PS") && config.contains("beyond=2"), "{config}");
    assert!(!config.contains("beyond=3"), "{config}");
}

/// How vocabularies of bytes write one.
fn written(byte: u8) -> char {
    let is_itself = |b: u8| matches!(b, b'!'..=b'~' | 0xa1..=0xac | 0xae..);
    let others = (0..byte).filter(|b| !is_itself(*b)).count() as u32;
    if is_itself(byte) { byte.into() } else { char::from_u32(256 + others).unwrap() }
}

/// A vocabulary of bytes, of which a syllable has three.
#[test]
fn an_entity_of_bytes_is_one_entity() {
    let desk = tempfile::tempdir().unwrap();
    let (bytes, out) = (desk.path().join("bytes"), desk.path().join("out"));
    fs::create_dir(&bytes).unwrap();
    for entry in fs::read_dir(folder("modernbert")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, bytes.join(path.file_name().unwrap())).unwrap();
    }
    let texts = [tagged("우리는 밥을 본다", "Pp......."), tagged("비가 온다", ".....")];
    let all: BTreeSet<u8> = texts.iter().flat_map(|text| text.text.bytes()).collect();
    let file = fs::read_to_string(bytes.join("tokenizer.json")).unwrap();
    let mut file: Value = serde_json::from_str(&file).unwrap();
    let mut vocabulary = json!({});
    let marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].map(str::to_owned);
    let own = all.into_iter().map(|byte| written(byte).to_string());
    for (id, token) in marks.into_iter().chain(own).enumerate() {
        vocabulary[token] = id.into();
    }
    file["normalizer"] = Value::Null;
    file["pre_tokenizer"] =
        json!({ "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true });
    file["model"] = json!({ "type": "BPE", "vocab": vocabulary, "merges": [] });
    fs::write(bytes.join("tokenizer.json"), file.to_string()).unwrap();

    let training = settings(desk.path(), 120).build().unwrap();
    let report = train_tagger(&bytes, &texts, &texts, &out, &training).unwrap();
    // Of one entity there is one score above 0.5: it is found, and nothing else with it.
    assert!(report.best_score.unwrap() > 0.5, "{report:?}");
    let tagger = Tagger::open(&out, &inference()).unwrap();
    assert_eq!(report.best_score, Some(f1(&tagger, &texts)), "the weights that were scored");
    let text = &texts[0].text;
    let tags = tagger.tags(&[text]).unwrap().remove(0);
    let surfaces: String = tags.iter().map(|tag| &text[tag.span.clone()]).collect();
    assert_eq!((tags.len(), surfaces.as_str()), (7, "우리는밥을본다"));
}

fn comments() -> Vec<LabelledText> {
    [
        ("나는 밥을 먹었다.", "none", "none"),
        ("비가 온다", "none", "hate"),
        ("저는 국밥을 먹었어요!", "gender", "none"),
        ("눈이 많이 내린다", "others", "hate"),
        ("우리는 시장에서 국밥을 먹었다.", "gender", "none"),
    ]
    .map(|(text, bias, hate)| LabelledText {
        text: text.into(),
        labels: vec![bias.into(), hate.into()],
    })
    .to_vec()
}

/// The mean F1 of these labels, all of them right somewhere, over pairs of a given and the right one.
fn macro_f1(labels: &[String], given: &[(&str, &str)]) -> f64 {
    let count = |is: &dyn Fn(&(&str, &str)) -> bool| given.iter().filter(|pair| is(pair)).count();
    let f1 = |label: &String| {
        let both = count(&|(given, right)| given == label && right == label);
        2.0 * both as f64
            / (count(&|(given, _)| given == label) + count(&|(_, right)| right == label)) as f64
    };
    labels.iter().map(f1).sum::<f64>() / labels.len() as f64
}

/// Of 40 trainings by other seeds none had a last loss above .4 of the first one, or a score below .9.
#[test]
fn a_classifier_learns_both_labels_and_loads_back() {
    for family in ["bert", "labels/albert-text", "roberta", "modernbert", "deberta-v3"] {
        let folder_of = tempfile::tempdir().unwrap();
        let (out, texts) = (folder_of.path(), comments());
        let sets = label_sets(&["bias", "hate"], &texts);
        let training = settings(out, 100).build().unwrap();
        let report = train_classifier(folder(family), &sets, &texts, &texts, out, &training);
        let report = report.unwrap();
        let [first, last] = losses(out);
        assert!(last < 0.5 * first, "{family}: {first} to {last}");
        // One label for all texts is at most 0.29.
        assert!(report.best_score.unwrap() > 0.5, "{family}: {report:?}");
        let classifier = Classifier::open(out, &inference()).unwrap();
        assert_eq!(classifier.label_sets(), sets);
        let all: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
        let found = classifier.classify(&all).unwrap();
        let sums = found.iter().flatten().map(|own| own.iter().sum::<f64>());
        assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-9));
        let of_set = |(place, set): (usize, &LabelSet)| {
            let given: Vec<(&str, &str)> = found
                .iter()
                .zip(&texts)
                .map(|(own, text)| (set.decide(&own[place], None), text.labels[place].as_str()))
                .map(|(number, right)| (set.labels[number].as_str(), right))
                .collect();
            macro_f1(&set.labels, &given)
        };
        let judged = sets.iter().enumerate().map(of_set).sum::<f64>() / sets.len() as f64;
        assert!(
            (report.best_score.unwrap() - judged).abs() < 1e-12,
            "{family}: {judged}, {report:?}"
        );
        let again = Classifier::open(out, &inference()).unwrap();
        assert_eq!(again.signature(), classifier.signature());
    }
}

/// A copy of the model `labels/bert-text`, to which all texts are `none`, the first with .344 and the others with .369 to .377 of bias.
fn unsure() -> (tempfile::TempDir, Vec<LabelledText>) {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder("labels/bert-text")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    let texts = [
        ("나는 밥을 먹었다.", "none"),
        ("어제 저녁에 우리는 오래된 시장에서 국밥을 먹었어요!", "gender"),
        ("비가 온다", "gender"),
    ];
    let labelled = |(text, bias): (&str, &str)| LabelledText {
        text: text.into(),
        labels: vec![bias.into(), "none".into()],
    };
    (copy, texts.map(labelled).to_vec())
}

#[test]
fn a_threshold_is_chosen_and_kept() {
    let (copy, texts) = unsure();
    let by = ThresholdBy { set: "bias", harmless: "none" };
    assert_eq!(Classifier::open(copy.path(), &inference()).unwrap().threshold(), None);
    let chosen = choose_threshold(copy.path(), by, &texts, &inference()).unwrap();
    assert_eq!((chosen.set.as_deref(), chosen.probability), (Some("bias"), 0.35));
    assert_eq!(chosen.harmless, "none");
    let model = Classifier::open(copy.path(), &inference()).unwrap();
    assert_eq!(model.threshold(), Some(&chosen));
    let all: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
    let [bias, hate] = model.label_sets() else { panic!("two sets") };
    for (found, text) in model.classify(&all).unwrap().iter().zip(&texts) {
        // However low, what was chosen for bias says nothing of hate, which has the same harmless label.
        let low = Threshold { probability: 0.05, ..chosen.clone() };
        assert_eq!(hate.labels[hate.decide(&found[1], Some(&low))], "none");
        let of_every_set = Threshold { set: None, ..low };
        assert_ne!(hate.labels[hate.decide(&found[1], Some(&of_every_set))], "none");
        assert_eq!(bias.labels[bias.decide(&found[0], None)], "none");
        assert_eq!(bias.labels[bias.decide(&found[0], model.threshold())], text.labels[0]);
    }
    for (by, texts, part) in [
        (ThresholdBy { set: "love", ..by }, &texts[..], "set of labels cannot be `love`"),
        (ThresholdBy { harmless: "clean", ..by }, &texts, "harmless label cannot be `clean`"),
        (by, &texts[..1], "texts that are not harmless cannot be 0 of 1"),
        (by, &texts[1..], "texts that are not harmless cannot be 2 of 2"),
        (by, &[], "texts that are not harmless cannot be 0 of 0"),
    ] {
        let error = choose_threshold(copy.path(), by, texts, &inference()).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
        let before = by.check(model.label_sets(), texts).unwrap_err();
        assert_eq!(before.to_string(), error.to_string());
    }
    // A model that is trained anew decides by nothing of the old one, wherever it is written.
    let (other, comments) = (tempfile::tempdir().unwrap(), comments());
    let sets = label_sets(&["bias", "hate"], &comments);
    for out in [other.path(), copy.path()] {
        let training = settings(other.path(), 1).build().unwrap();
        train_classifier(copy.path(), &sets, &comments, &[], out, &training).unwrap();
        assert_eq!(Classifier::open(out, &inference()).unwrap().threshold(), None);
    }
}

/// Ends the training at its fifth step, wherever that finds it.
#[derive(Default)]
struct Interruption(AtomicU64);

impl Progress for Interruption {
    fn begin(&self, _: &str, _: Option<u64>) {}

    fn advance(&self, steps: u64) {
        assert!(self.0.fetch_add(steps, Ordering::Relaxed) < 4, "interrupted");
    }

    fn note(&self, _: &str) {}
}

#[test]
fn trainings_resume_to_the_same_bytes() {
    let (texts, comments) = (tagged_texts(), comments());
    let sets = label_sets(&["bias", "hate"], &comments);
    let run = |at: &Path, name: &str, progress: Arc<dyn Progress + Send>| {
        let out = at.join(name);
        let builder = settings(at, 6).batch(2).progress(progress);
        let training = builder.checkpoint(at.join("checkpoint"), 3).build().unwrap();
        match name {
            "tagger" => train_tagger(folder("albert"), &texts, &texts, &out, &training),
            _ => train_classifier(folder("bert"), &sets, &comments, &comments, &out, &training),
        }
    };
    for name in ["tagger", "classifier"] {
        let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let through = run(whole.path(), name, Arc::new(())).unwrap();
        let interrupted = std::panic::catch_unwind(AssertUnwindSafe(|| {
            run(parts.path(), name, Arc::new(Interruption::default()))
        }));
        assert!(interrupted.is_err());
        let resumed = run(parts.path(), name, Arc::new(())).unwrap();
        assert_eq!(
            (resumed.steps, resumed.final_loss, resumed.best_score),
            (through.steps, through.final_loss, through.best_score)
        );
        let bytes = |at: &Path| fs::read(at.join(name).join("model.safetensors")).unwrap();
        assert!(bytes(whole.path()) == bytes(parts.path()), "{name}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let out = tempfile::tempdir().unwrap();
    let training = settings(out.path(), 1).build().unwrap();
    let broken = TaggedText { text: "비가".into(), tags: vec!["O".into()] };
    let error = train_tagger(folder("albert"), &[broken], &[], out.path(), &training).unwrap_err();
    assert!(error.to_string().contains("1 of `비가`"), "{error}");
    let only = [tagged("비가 온다", ".....")];
    let error = train_tagger(folder("albert"), &only, &[], out.path(), &training).unwrap_err();
    assert!(matches!(error, Error::Setting { name: "different tags", .. }), "{error}");

    let texts = comments();
    let sets = label_sets(&["bias", "hate"], &texts);
    let train = |sets: &[LabelSet], dev: &[LabelledText], backbone: &str| {
        train_classifier(folder(backbone), sets, &texts, dev, out.path(), &training).unwrap_err()
    };
    let mut unknown = texts.clone();
    unknown[0].labels[1] = "angry".into();
    assert!(train(&sets, &unknown, "bert").to_string().contains("`angry`"));
    let one = [LabelSet { name: "hate".into(), labels: vec!["none".into()] }];
    assert!(matches!(train(&one, &[], "bert"), Error::Setting { name: "labels of a set", .. }));
    assert!(matches!(train(&sets, &[], "bart"), Error::UnknownArchitecture { .. }));

    // An encoder without labels has none to open.
    let error = Classifier::open(folder("bert"), &inference()).unwrap_err();
    assert!(error.to_string().contains("pooler.dense.weight"), "{error}");
    let chunk = inference().long_text(LongText::Chunk);
    assert!(Classifier::open(folder("labels/bert-text"), &chunk).is_err());
}
