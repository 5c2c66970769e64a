//! Texts of tiny models of every family, token for token those of transformers' `generate`; and what is refused.
//!
//! The values were written by `tests/models/generators/make.py`; `KO_NEURAL_GENERATORS` names a folder with more of them.

use ko_eval_core::Signed;
use ko_eval_model::{Decoding, DecodingError, EarlyStopping, Generator, Prompt, Search};
use ko_neural::{Error, Inference, TextGenerator};
use serde::Deserialize;
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

const FAMILIES: [&str; 6] = ["gpt2", "bart", "mbart", "t5", "mt5", "encoder-decoder"];

fn folder(family: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/generators");
    std::env::var_os("KO_NEURAL_GENERATORS").map_or(own, PathBuf::from).join(family)
}

fn open(family: &str) -> TextGenerator {
    TextGenerator::open(folder(family), &Inference::new().threads(1)).unwrap()
}

#[derive(Deserialize)]
struct Expected {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    setting: Setting,
    prompts: Vec<Answered>,
}

#[derive(Deserialize)]
struct Setting {
    search: Kind,
    max: usize,
    #[serde(default)]
    min: usize,
    #[serde(default)]
    no_repeat: usize,
    penalty: Option<f64>,
    first: Option<String>,
    candidates: Option<usize>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Kind {
    Named(String),
    Beam { beams: usize, length_penalty: f64, early_stopping: EarlyStopping },
}

#[derive(Deserialize)]
struct Answered {
    prompt: Vec<u32>,
    answers: Vec<Answer>,
}

#[derive(Deserialize)]
struct Answer {
    ids: Vec<u32>,
    score: Option<f64>,
}

impl Setting {
    fn decoding(&self) -> Decoding {
        let search = match &self.search {
            Kind::Named(name) if name == "greedy" => Search::Greedy,
            // Of one token there is one draw.
            Kind::Named(_) => Search::Sample { temperature: 0.7, top_k: 1, top_p: 0.9, seed: 3 },
            Kind::Beam { beams, length_penalty, early_stopping } => Search::Beam {
                beams: *beams,
                length_penalty: *length_penalty,
                early_stopping: *early_stopping,
            },
        };
        Decoding {
            search,
            min_tokens: self.min,
            max_tokens: self.max,
            no_repeat_ngram: self.no_repeat,
            repetition_penalty: self.penalty.unwrap_or(1.0),
            first_token: self.first.clone(),
            candidates: self.candidates.unwrap_or(1),
        }
    }
}

/// Answers that never end, or that are the same whatever is read, would prove little: at least a third end before they must, and of twenty prompts
/// under a setting half have a best answer of their own.
fn assert_telling(family: &str, cases: &[Case]) {
    let (mut answers, mut early, mut prompts, mut different) = (0, 0, 0, 0);
    for case in cases {
        let all = || case.prompts.iter().flat_map(|prompt| &prompt.answers);
        answers += all().count();
        early += all().filter(|answer| answer.ids.len() < case.setting.max).count();
        prompts += case.prompts.len();
        for some in case.prompts.chunks(20) {
            let best = some.iter().map(|prompt| &prompt.answers[0].ids);
            different += best.collect::<HashSet<_>>().len();
        }
    }
    println!("{family}: {early} of {answers} end early, {different} of {prompts} are different");
    assert!(3 * early >= answers, "{family}: {early} of {answers} answers end early");
    assert!(2 * different >= prompts, "{family}: {different} of {prompts} are different");
}

/// All prompts at once, so that they are padded: nothing may depend on it. No two prompts of a family are the same.
#[test]
fn every_family_writes_what_transformers_writes() {
    for family in FAMILIES {
        let model = open(family);
        let expected = std::fs::read_to_string(folder(family).join("expected.json")).unwrap();
        let expected: Expected = serde_json::from_str(&expected).unwrap();
        assert!(expected.cases.len() >= 12);
        let prompts = expected.cases.iter().flat_map(|case| &case.prompts);
        let prompts: HashSet<&Vec<u32>> = prompts.map(|answered| &answered.prompt).collect();
        assert!(prompts.len() >= 290, "{family}: {} prompts", prompts.len());
        assert_telling(family, &expected.cases);
        let (mut compared, mut others) = (0, Vec::new());
        for (number, case) in expected.cases.iter().enumerate() {
            let decoding = case.setting.decoding();
            let prompts: Vec<Vec<u32>> = case.prompts.iter().map(|p| p.prompt.clone()).collect();
            let ours = model.generate_tokens(&prompts, &decoding).unwrap();
            for (ours, theirs) in ours.iter().zip(&case.prompts) {
                assert_eq!(ours.len(), theirs.answers.len());
                let what = format!("{family}, setting {number}, {:?}", theirs.prompt);
                for (ours, theirs) in ours.iter().zip(&theirs.answers) {
                    compared += 1;
                    if ours.ids != theirs.ids {
                        others.push(format!("{what}: {:?} is not {:?}", ours, theirs.ids));
                    }
                    if let Some(score) = theirs.score {
                        assert!(
                            (ours.score - score).abs() < 2e-5 * (1.0 + score.abs()),
                            "{what}: {} is not {score}",
                            ours.score
                        );
                    }
                }
            }
        }
        println!("{family}: {compared} answers");
        assert!(others.is_empty(), "{} of {compared}:\n{}", others.len(), others.join("\n"));
    }
}

/// Neighbours, other batches and threads change no token.
#[test]
fn batches_do_not_matter() {
    let prompts: Vec<Vec<u32>> = (0..7).map(|n| (4..6 + 2 * n).collect()).collect();
    let sample = Search::Sample { temperature: 1.2, top_k: 20, top_p: 0.95, seed: 5 };
    let drawn = Decoding { search: sample, candidates: 3, ..Decoding::greedy(10) };
    for family in FAMILIES {
        let alone = Inference::new().threads(1).batch_tokens(1);
        let alone = TextGenerator::open(folder(family), &alone).unwrap();
        let together = TextGenerator::open(folder(family), &Inference::new().threads(2)).unwrap();
        for decoding in
            [Decoding::greedy(12), Decoding::beam(4, 12).with_candidates(4), drawn.clone()]
        {
            let (one, all) = (
                alone.generate_tokens(&prompts, &decoding).unwrap(),
                together.generate_tokens(&prompts, &decoding).unwrap(),
            );
            for (one, all) in one.iter().flatten().zip(all.iter().flatten()) {
                assert_eq!(one.ids, all.ids, "{family}");
                assert!((one.score - all.score).abs() < 1e-4, "{family}");
            }
        }
    }
}

#[test]
fn draws_follow_from_the_seed() {
    let model = open("bart");
    let draw = |seed| {
        let search = Search::Sample { temperature: 1.5, top_k: 0, top_p: 1.0, seed };
        let decoding = Decoding { search, candidates: 4, ..Decoding::greedy(12) };
        model.generate_tokens(&[vec![5, 6, 7, 2]], &decoding).unwrap()
    };
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
    let drawn = &draw(1)[0];
    assert!(drawn.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert!(drawn.iter().any(|one| one.ids != drawn[0].ids), "four draws are not one");
}

#[test]
fn required_words_are_used() {
    let decoding = Decoding { max_tokens: 24, ..Decoding::beam(8, 24).with_candidates(2) };
    for family in FAMILIES {
        let model = open(family);
        let prompt = Prompt::new("야구 선수 공")
            .must_use(["공"])
            .must_use(["친구", "책"])
            .must_use(["국밥"]);
        let answers = &model.generate(&[prompt], &decoding).unwrap()[0];
        assert!(!answers.is_empty());
        for answer in answers {
            let text = &answer.text;
            let used = text.contains("공")
                && text.contains("국밥")
                && (text.contains("친구") || text.contains("책"));
            assert!(used, "{family}: {text}");
        }
    }
}

#[test]
fn what_cannot_be_met_is_refused() {
    let model = open("bart");
    let refused = |prompt: Prompt<'_>, decoding: &Decoding| {
        model.generate(&[prompt], decoding).unwrap_err().to_string()
    };
    let beam = Decoding::beam(2, 4);
    let error = refused(Prompt::new("밥").must_use(["컴퓨터"]), &beam);
    assert!(error.contains("word 1 has no form"), "{error}");
    let words = Prompt::new("밥").must_use(["국밥"]).must_use(["친구"]).must_use(["공"]);
    let error = refused(words, &beam);
    assert!(error.contains("take at least 4 tokens and an end"), "{error}");
    let error = refused(Prompt::new("밥").must_use(["공"]), &Decoding::greedy(9));
    assert!(error.contains("need a beam search"), "{error}");
    let error = refused(Prompt::new("밥"), &Decoding { min_tokens: 9, ..beam.clone() });
    assert_eq!(error, DecodingError::MinAboveMax { min: 9, max: 4 }.to_string());
    let error = refused(Prompt::new("밥"), &Decoding { first_token: Some("ko_KR".into()), ..beam });
    assert!(error.contains("`ko_KR` is no token"), "{error}");
    let error = refused(Prompt::new("밥 ".repeat(70)), &Decoding::greedy(3));
    assert!(error.contains("over the limit of 64"), "{error}");
    let error = refused(Prompt::new("밥"), &Decoding::greedy(80));
    assert!(error.contains("81 tokens"), "{error}");
    let gpt2 = open("gpt2");
    let error = gpt2.generate(&[Prompt::new("밥 ".repeat(62))], &Decoding::greedy(9)).unwrap_err();
    assert!(matches!(error, ko_eval_core::Error::TooLong { .. }), "{error}");
    let error = gpt2.generate(&[Prompt::new("")], &Decoding::greedy(9)).unwrap_err();
    assert!(error.to_string().contains("continues a text"), "{error}");
    let first = Decoding { first_token: Some("밥".into()), ..Decoding::greedy(9) };
    let error = gpt2.generate(&[Prompt::new("밥")], &first).unwrap_err();
    assert!(error.to_string().contains("the first token cannot be 밥: expected none"), "{error}");
}

/// Once every token was written none may follow. Transformers then writes token 0 over and over, scores what it began with −1e9, or fails to draw.
#[test]
fn a_prompt_without_an_answer_is_named() {
    let model = open("t5");
    let drawn = Search::Sample { temperature: 1.0, top_k: 0, top_p: 1.0, seed: 1 };
    for search in [Search::Greedy, Decoding::beam(3, 1).search, drawn] {
        let used_up =
            Decoding { search, no_repeat_ngram: 1, min_tokens: 90, ..Decoding::greedy(90) };
        let error = model.generate_tokens(&[vec![5, 2], vec![6, 2]], &used_up).unwrap_err();
        let ko_eval_core::Error::Unmeetable { prompt, reason } = error else { panic!("{error}") };
        assert!(prompt == 1 && reason.contains("all tokens are forbidden"), "{prompt}: {reason}");
        // As many as there are, the end and the one that starts not among them.
        let all = Decoding { min_tokens: 71, max_tokens: 71, ..used_up };
        let written = model.generate_tokens(&[vec![5, 2]], &all).unwrap();
        let different: HashSet<u32> = written[0][0].ids.iter().copied().collect();
        assert_eq!((different.len(), different.contains(&0)), (71, false));
    }
}

/// One prompt whose words cannot be met does not end the others, where it may be answered freely.
#[test]
fn what_cannot_be_met_may_be_answered_freely() {
    let model = open("bart");
    let beam = Decoding::beam(2, 8);
    let words = |prompt: Prompt<'static>| prompt.must_use(["컴퓨터"]);
    let prompts = [Prompt::new("밥").must_use(["공"]), words(Prompt::new("밥")).or_freely()];
    let answers = model.generate(&prompts, &beam).unwrap();
    assert!(answers[0][0].text.contains('공'), "{answers:?}");
    assert_eq!(answers[1], model.generate(&[Prompt::new("밥")], &beam).unwrap()[0]);
    let error = model.generate(&[Prompt::new("밥"), words(Prompt::new("밥"))], &beam).unwrap_err();
    assert!(matches!(error, ko_eval_core::Error::Unmeetable { prompt: 2, .. }), "{error}");
}

#[test]
fn folders_that_cannot_write_are_refused() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let inference = Inference::new().threads(1);
    for encoder in ["bert", "bart"] {
        let error = TextGenerator::open(models.join(encoder), &inference).unwrap_err();
        assert!(matches!(&error, Error::EncoderOnly { .. }), "{encoder}: {error}");
    }
    let copy = tempfile::tempdir().unwrap();
    for file in ["config.json", "model.safetensors", "tokenizer.json"] {
        std::fs::copy(folder("gpt2").join(file), copy.path().join(file)).unwrap();
    }
    let config = std::fs::read_to_string(copy.path().join("config.json")).unwrap();
    let without = config.lines().filter(|line| !line.contains("eos_token_id"));
    std::fs::write(copy.path().join("config.json"), without.collect::<String>()).unwrap();
    let error = TextGenerator::open(copy.path(), &inference).unwrap_err();
    assert!(matches!(&error, Error::NoEndToken { .. }), "{error}");
    // The tokenizer may name it.
    std::fs::write(copy.path().join("tokenizer_config.json"), r#"{"eos_token": "[EOS]"}"#).unwrap();
    let model = TextGenerator::open(copy.path(), &inference).unwrap();
    assert_ne!(model.signature(), open("gpt2").signature());
}

#[test]
fn the_folders_own_settings_are_read() {
    let copy = tempfile::tempdir().unwrap();
    for file in ["config.json", "model.safetensors", "tokenizer.json"] {
        std::fs::copy(folder("bart").join(file), copy.path().join(file)).unwrap();
    }
    let settings = r#"{"eos_token_id": 2, "decoder_start_token_id": 2, "num_beams": 3, "max_length": 9, "forced_eos_token_id": 2}"#;
    std::fs::write(copy.path().join("generation_config.json"), settings).unwrap();
    let model = TextGenerator::open(copy.path(), &Inference::new().threads(1)).unwrap();
    assert_eq!(model.decoding(), &Decoding::beam(3, 8));
    let written = &model.generate_tokens(&[vec![5, 6, 2]], model.decoding()).unwrap()[0][0];
    assert_eq!(written.ids.last(), Some(&2), "the last token is forced");
}

/// Every way to start: the loss falls, what is saved loads and writes, and the sources that were learned are answered.
#[test]
fn generators_learn() {
    use ko_neural::train::{
        GeneratorSettings, Shape, Start, TextPair, TrainingSettings, train_generator,
    };
    let pairs = [
        TextPair { source: "야구 선수 공", target: "선수와 공 친구" },
        TextPair { source: "국밥 어제", target: "우리 는 국밥을 먹었다." },
        TextPair { source: "비", target: "비가 온다" },
    ];
    let albert = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/albert");
    let starts = [
        Start::Pretrained(folder("bart")),
        Start::Pretrained(folder("gpt2")),
        Start::Configuration(folder("mt5")),
        Start::Encoder { folder: albert.clone(), layers: 1, width: None },
        Start::Encoder { folder: albert, layers: 1, width: Some(64) },
        Start::New {
            shape: Shape::Bart { width: 16, layers: 1, heads: 2, longest: 40 },
            vocabulary: 60,
        },
        Start::New { shape: Shape::File(folder("t5").join("config.json")), vocabulary: 60 },
        Start::New { shape: Shape::File(folder("gpt2").join("config.json")), vocabulary: 60 },
    ];
    for start in starts {
        let out = tempfile::tempdir().unwrap();
        let training = TrainingSettings::builder()
            .epochs(40)
            .batch(2)
            .accumulate(2)
            .learning_rate(1e-2)
            .warm_up_steps(4)
            .threads(1)
            .log(out.path().join("log.jsonl"))
            .build()
            .unwrap();
        let settings = GeneratorSettings {
            longest_source: 20,
            longest_target: 20,
            longest_block: 20,
            ..Default::default()
        };
        train_generator(&start, &pairs, &pairs[..1], out.path(), &settings, &training).unwrap();
        let log = std::fs::read_to_string(out.path().join("log.jsonl")).unwrap();
        let lines =
            log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let losses: Vec<f64> = lines.filter_map(|line| line["loss"].as_f64()).collect();
        let (first, last) = (losses[0], losses[losses.len() - 3..].iter().sum::<f64>() / 3.0);
        assert!(last < 0.8 * first, "{start:?}: {first} to {last}");
        let model = TextGenerator::open(out.path(), &Inference::new().threads(1)).unwrap();
        let answer = model.generate(&[Prompt::new("비")], &Decoding::beam(2, 10)).unwrap();
        assert_eq!(answer[0].len(), 1, "{start:?}");
    }
    let settings = GeneratorSettings { longest_target: 1, ..Default::default() };
    let start = Start::Pretrained(folder("bart"));
    let out = tempfile::tempdir().unwrap();
    let refused =
        train_generator(&start, &pairs, &[], out.path(), &settings, &TrainingSettings::new());
    assert!(matches!(refused, Err(Error::Setting { name: "the longest target", .. })));
}

/// Small trainings of a few steps.
mod short {
    use ko_neural::{
        Error,
        train::{
            GeneratorSettings, Start, TextPair, TrainingBuilder, TrainingReport, TrainingSettings,
            train_generator,
        },
    };
    use std::path::Path;

    pub(crate) const PAIRS: [TextPair<'_>; 3] = [
        TextPair { source: "야구 선수 공", target: "선수와 공 친구" },
        TextPair { source: "국밥 어제", target: "우리 는 국밥을 먹었다." },
        TextPair { source: "비", target: "비가 온다" },
    ];

    pub(crate) fn settings() -> GeneratorSettings {
        GeneratorSettings { longest_source: 20, longest_target: 20, ..Default::default() }
    }

    pub(crate) fn builder() -> TrainingBuilder {
        TrainingSettings::builder().epochs(4).batch(2).learning_rate(1e-2).threads(1)
    }

    pub(crate) fn train(
        start: &Start,
        out: &Path,
        settings: &GeneratorSettings,
        builder: TrainingBuilder,
    ) -> Result<TrainingReport, Error> {
        train_generator(start, &PAIRS, &[], out, settings, &builder.build()?)
    }
}

fn json(folder: &Path, file: &str) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(folder.join(file)).unwrap()).unwrap()
}

/// Narrow factors change little of what is learned, and what is written down reads like any other.
#[test]
fn models_that_write_train_in_mixed_precision() {
    use ko_neural::{Device, Precision, train::Start};
    let albert = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/albert");
    let starts = [
        Start::Pretrained(folder("bart")),
        Start::Pretrained(folder("gpt2")),
        Start::Pretrained(folder("t5")),
        Start::Encoder { folder: albert, layers: 1, width: Some(64) },
    ];
    for start in starts {
        let loss = |precision| {
            let out = tempfile::tempdir().unwrap();
            let builder = short::builder().device(Device::Cpu).precision(precision);
            let report = short::train(&start, out.path(), &short::settings(), builder).unwrap();
            let model = TextGenerator::open(out.path(), &Inference::new().threads(1)).unwrap();
            model.generate(&[Prompt::new("비")], &Decoding::greedy(4)).unwrap();
            report.final_loss
        };
        let (narrow, single) = (loss(Precision::Bf16), loss(Precision::F32));
        assert_ne!(narrow, single, "{start:?}");
        assert!((narrow - single).abs() < 0.05 * single, "{start:?}: {narrow} and {single}");
    }
}

/// Interrupted after any step, to the same bytes; a new model learns its vocabulary again on the way.
#[test]
fn a_training_goes_on_to_the_same_bytes() {
    use ko_neural::train::{Shape, Start};
    let shape = Shape::Bart { width: 16, layers: 1, heads: 2, longest: 40 };
    for start in [Start::Pretrained(folder("bart")), Start::New { shape, vocabulary: 60 }] {
        let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let through = short::train(&start, whole.path(), &short::settings(), short::builder());
        assert_eq!(through.unwrap().steps, 8);
        let state = tempfile::tempdir().unwrap();
        let builder = || short::builder().checkpoint(state.path(), 1);
        for steps in [1, 2, 3] {
            let stopped = builder().time_limit(std::time::Duration::ZERO);
            let report = short::train(&start, parts.path(), &short::settings(), stopped);
            assert_eq!(report.unwrap().steps, steps);
        }
        let report = short::train(&start, parts.path(), &short::settings(), builder());
        assert_eq!(report.unwrap().steps, 8);
        for file in std::fs::read_dir(whole.path()).unwrap() {
            let name = file.unwrap().file_name();
            let read = |folder: &Path| std::fs::read(folder.join(&name)).unwrap();
            assert!(read(whole.path()) == read(parts.path()), "{start:?}: {name:?}");
        }
    }
}

/// What a folder puts before every text stays there when its training goes on, unless another is given.
#[test]
fn a_prefix_stays() {
    use ko_neural::train::{GeneratorSettings, Start};
    let (first, second, third) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let with = |prefix: Option<&str>| GeneratorSettings {
        prefix: prefix.map(str::to_owned),
        ..short::settings()
    };
    let train = |from: &Path, to: &Path, prefix: Option<&str>| {
        let start = Start::Pretrained(from.into());
        let report = short::train(&start, to, &with(prefix), short::builder()).unwrap();
        (report.final_loss, json(to, "config.json").get("prefix").cloned())
    };
    let (_, saved) = train(&folder("t5"), first.path(), Some("책 "));
    assert_eq!(saved, Some("책 ".into()));
    let model = TextGenerator::open(first.path(), &Inference::new().threads(1)).unwrap();
    assert_eq!(model.prefix(), "책 ");
    let (kept, saved) = train(first.path(), second.path(), None);
    assert_eq!(saved, Some("책 ".into()));
    assert_eq!(train(first.path(), third.path(), Some("책 ")).0, kept);
    let (other, saved) = train(first.path(), third.path(), Some(""));
    assert_eq!(saved, None);
    assert_ne!(other, kept, "sources had the prefix");
}

/// A new decoder's folder says how long its texts are, and a matrix of its own is saved where vectors are not tied.
#[test]
fn new_folders_say_what_they_need() {
    use ko_neural::train::{GeneratorSettings, Shape, Start};
    let bert = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/bert");
    let out = tempfile::tempdir().unwrap();
    let start = Start::Encoder { folder: bert, layers: 1, width: None };
    let settings = GeneratorSettings { longest_target: 33, ..short::settings() };
    short::train(&start, out.path(), &settings, short::builder()).unwrap();
    let model = TextGenerator::open(out.path(), &Inference::new().threads(1)).unwrap();
    assert_eq!(model.decoding(), &Decoding::greedy(33));

    for family in ["t5", "gpt2"] {
        let mut config = json(&folder(family), "config.json");
        config["tie_word_embeddings"] = false.into();
        let files = tempfile::tempdir().unwrap();
        let file = files.path().join("config.json");
        std::fs::write(&file, config.to_string()).unwrap();
        let out = tempfile::tempdir().unwrap();
        let start = Start::New { shape: Shape::File(file), vocabulary: 60 };
        short::train(&start, out.path(), &short::settings(), short::builder()).unwrap();
        let bytes = std::fs::read(out.path().join("model.safetensors")).unwrap();
        let tensors = safetensors::SafeTensors::deserialize(&bytes).unwrap();
        assert!(tensors.names().contains(&"lm_head.weight"), "{family}");
    }
    let mut config = json(&folder("bart"), "config.json");
    config["tie_word_embeddings"] = false.into();
    let file = out.path().join("config.json");
    std::fs::write(&file, config.to_string()).unwrap();
    let start = Start::New { shape: Shape::File(file), vocabulary: 60 };
    let error = short::train(&start, out.path(), &short::settings(), short::builder()).unwrap_err();
    assert!(error.to_string().contains("tie_word_embeddings"), "{error}");
}

/// A new model's folder lacks nothing: transformers reads the same files.
#[test]
fn a_new_model_has_a_vocabulary_of_its_own() {
    use ko_neural::train::{
        GeneratorSettings, Shape, Start, TextPair, TrainingSettings, train_generator,
    };
    let pairs = [
        TextPair { source: "비 # 오", target: "비가 온다." },
        TextPair { source: "밥 # 먹", target: "밥을 먹는다." },
    ];
    let training = TrainingSettings::builder().batch(2).threads(1).build().unwrap();
    let settings =
        GeneratorSettings { longest_source: 20, longest_target: 20, ..Default::default() };
    let train = |shape: Shape, vocabulary, out: &Path| {
        let start = Start::New { shape, vocabulary };
        train_generator(&start, &pairs, &[], out, &settings, &training)
    };
    let shape = Shape::Bart { width: 16, layers: 1, heads: 2, longest: 40 };
    let (out, again) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    train(shape.clone(), 24, out.path()).unwrap();
    train(shape.clone(), 24, again.path()).unwrap();
    for file in [
        "config.json",
        "generation_config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "model.safetensors",
    ] {
        let read = |folder: &tempfile::TempDir| std::fs::read(folder.path().join(file)).unwrap();
        assert!(read(&out) == read(&again), "{file} is not the same each time");
    }
    let json = |file: &str| -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(out.path().join(file)).unwrap()).unwrap()
    };
    let (config, generation) = (json("config.json"), json("generation_config.json"));
    assert!(config["vocab_size"].as_u64().is_some_and(|size| size <= 24), "{config}");
    assert_eq!(config["decoder_start_token_id"], generation["eos_token_id"]);
    let model = TextGenerator::open(out.path(), &Inference::new().threads(1)).unwrap();
    let ids = model.tokens("비가 온다.").unwrap();
    assert_eq!(ids.first().map(|&id| u64::from(id)), config["bos_token_id"].as_u64());
    assert_eq!(ids.last().map(|&id| u64::from(id)), config["eos_token_id"].as_u64());
    assert_eq!(model.text(&ids).unwrap(), "비가 온다.");

    // Fewer pieces than letters, and a family whose halves have vocabularies of their own.
    let error = train(shape, 8, out.path()).unwrap_err();
    let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    assert!(cause.contains("pieces"), "{error}: {cause}");
    let two = Shape::File(folder("encoder-decoder").join("config.json"));
    let error = train(two, 60, out.path()).unwrap_err();
    assert!(matches!(&error, Error::UnknownArchitecture { .. }), "{error}");
}
