//! Every training on the tiny models: the loss falls, and what is saved loads to the same scores.

use ko_eval_core::Signed;
use ko_eval_model::{PairScorer, SentenceEmbedder};
use ko_neural::{
    Embedder, Error, Fic, Inference, LongText, Sts, Transformer,
    read::{NliLabel as Label, NliPair, RankedText, ScoredPair, Tone, triples},
    train::{
        GeneratorSettings, Stage, Start, SummaryItem, TextPair, TrainingBuilder, TrainingReport,
        TrainingSettings, train_csl, train_fic, train_generator, train_rdass, train_sbert,
        train_sbert_nli, train_sbert_sts, train_sts,
    },
};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn model(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name)
}

/// A model without dropout, so that the loss of the same examples falls step by step.
fn backbone() -> PathBuf {
    model("albert")
}

/// One batch per step, no warm-up: the loss of every step is of the same examples.
fn settings(folder: &Path, steps: usize) -> TrainingBuilder {
    TrainingSettings::builder()
        .epochs(steps)
        .batch(64)
        .learning_rate(2e-3)
        .warm_up(0.0)
        .longest(40)
        .threads(1)
        .log(folder.join("log.jsonl"))
}

/// The losses that a training wrote down.
fn losses(folder: &Path) -> Vec<f64> {
    let log = std::fs::read_to_string(folder.join("log.jsonl")).unwrap();
    log.lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter_map(|line| line["loss"].as_f64())
        .collect()
}

/// Trains three steps; two of them have been taken when the third loss is measured.
#[track_caller]
fn assert_loss_falls(
    train: impl Fn(&Path, &TrainingSettings) -> ko_neural::Result<TrainingReport>,
) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    train(folder.path(), &settings(folder.path(), 3).build().unwrap()).unwrap();
    let losses = losses(folder.path());
    assert!(losses.len() == 3 && losses[2] < losses[0], "{losses:?}");
    folder
}

/// Written by `steps/make.py`.
#[derive(Deserialize)]
struct Steps {
    rate: f64,
    clip: f64,
    decay: f64,
    cases: Vec<StepsCase>,
}

#[derive(Deserialize)]
struct StepsCase {
    kind: String,
    model: String,
    examples: Vec<Vec<String>>,
    #[serde(default)]
    scores: Vec<f64>,
    #[serde(default)]
    margin: f64,
    losses: Vec<f64>,
}

/// Every loss after the first tells whether the gradients were right, and the step that they led to. In single precision sums differ by their order, which is
/// another one on every processor: losses differ by up to 1.3e-6 of the first one.
#[test]
fn first_steps_equal_pytorchs() {
    let bytes = std::fs::read(model("../steps/expected.json")).unwrap();
    let expected: Steps = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(expected.cases.len(), 8);
    for case in &expected.cases {
        let out = tempfile::tempdir().unwrap();
        let training = settings(out.path(), case.losses.len())
            .learning_rate(expected.rate)
            .clip(expected.clip)
            .weight_decay(expected.decay);
        first_steps(case, out.path(), training);
        let losses = losses(out.path());
        assert_eq!(losses.len(), case.losses.len());
        let apart = losses.iter().zip(&case.losses).map(|(ours, theirs)| (ours - theirs).abs());
        let apart = apart.fold(0.0, f64::max) / case.losses[0];
        let what = format!("{} of {}", case.kind, case.model);
        assert!(apart < 1e-5, "{what}: {losses:?}, {:?}", case.losses);
    }
}

fn first_steps(case: &StepsCase, out: &Path, training: TrainingBuilder) {
    let columns: Vec<Vec<&str>> =
        case.examples.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let scored = || -> Vec<ScoredPair> {
        let pair = |(row, &score): (&Vec<&str>, &f64)| ScoredPair {
            first: row[0].into(),
            second: row[1].into(),
            score,
        };
        columns.iter().zip(&case.scores).map(pair).collect()
    };
    let from = model(&case.model);
    if case.kind == "generator" {
        // It drops what its own configuration says.
        let from = copied(&from);
        let config = from.path().join("config.json");
        let text = std::fs::read_to_string(&config).unwrap();
        std::fs::write(config, text.replace(": 0.1,", ": 0.0,")).unwrap();
        let pairs: Vec<TextPair<'_>> =
            columns.iter().map(|row| TextPair { source: row[0], target: row[1] }).collect();
        let (start, settings) =
            (Start::Pretrained(from.path().into()), GeneratorSettings::default());
        let settings = GeneratorSettings { longest_target: 20, ..settings };
        let training = training.build().unwrap();
        train_generator(&start, &pairs, &[], out, &settings, &training).unwrap();
        return;
    }
    let training = training.dropout(0.0).build().unwrap();
    match case.kind.as_str() {
        "ranking" => {
            let text = |row: &Vec<&str>| RankedText {
                anchor: row[0].into(),
                positive: row[1].into(),
                negative: Some(row[2].into()),
            };
            let texts: Vec<RankedText> = columns.iter().map(text).collect();
            train_sbert(from, &Stage::Ranking(&texts), &[], out, &training)
        }
        "cosine" => train_sbert(from, &Stage::Cosine(&scored()), &[], out, &training),
        "cosent" => train_sbert(from, &Stage::CoSent(&scored()), &[], out, &training),
        "csl" => {
            let pairs = columns.iter().zip(&case.scores);
            let pairs: Vec<_> = pairs.map(|(row, &same)| (row[0], row[1], same > 0.5)).collect();
            train_csl(from, &pairs, &[], case.margin, out, &training)
        }
        "rdass" => {
            let items = columns.iter().map(|row| SummaryItem {
                summary: row[0],
                reference: row[1],
                document: row[2],
            });
            let items: Vec<SummaryItem<'_>> = items.collect();
            train_rdass(from, &items, case.margin, out, &training)
        }
        other => panic!("{other}"),
    }
    .unwrap();
}

fn scored() -> Vec<ScoredPair> {
    let pair = |first: &str, second: &str, score| ScoredPair {
        first: first.into(),
        second: second.into(),
        score,
    };
    vec![
        pair("나는 밥을 먹었다.", "저는 밥을 먹었어요.", 5.0),
        pair("비가 온다", "눈이 많이 내린다", 2.0),
        pair("어제 저녁에 국밥을 먹었다.", "비가 온다", 0.0),
        pair("우리는 시장에서 국밥을 먹었어요!", "우리는 국밥을 먹었다.", 4.0),
    ]
}

#[test]
fn sts() {
    let folder = assert_loss_falls(|out, training| {
        train_sts(backbone(), &scored(), &scored(), out, training)
    });
    let inference = Inference::new().threads(1);
    let model = Sts::open(folder.path(), &inference).unwrap();
    let pairs = [("나는 밥을 먹었다.", "저는 밥을 먹었어요."), ("비가 온다", "눈이 온다")];
    let scores = model.score_pairs(&pairs).unwrap();
    assert!(scores.iter().all(|score| (0.0..=5.0).contains(score)));
    assert_eq!(scores, Sts::open(folder.path(), &inference).unwrap().score_pairs(&pairs).unwrap());
    let turned: Vec<_> = pairs.map(|(a, b)| (b, a)).to_vec();
    for (a, b) in scores.iter().zip(model.score_pairs(&turned).unwrap()) {
        assert!((a - b).abs() < 1e-5, "a similarity has no order: {a} and {b}");
    }
    // The encoder is an ordinary folder; its head is of no use for another task.
    Transformer::open(folder.path(), &inference).unwrap();
    let error = Fic::open(folder.path(), &inference).unwrap_err();
    assert!(matches!(&error, Error::BadFile { .. }), "{error}");
    assert!(error.to_string().contains("the head is for `sts`"));
}

#[test]
fn fic() {
    let texts = [
        ("저는 밥을 먹었어요.", Tone::Formal),
        ("나는 밥을 먹었다.", Tone::Informal),
        ("우리는 시장에서 먹었어요!", Tone::Formal),
        ("비가 온다", Tone::Informal),
    ];
    assert_loss_falls(|out, training| train_fic(backbone(), &texts, &[], out, training));
    let folder = tempfile::tempdir().unwrap();
    let training = settings(folder.path(), 60).dropout(0.0).build().unwrap();
    let report = train_fic(model("bert"), &texts, &texts, folder.path(), &training).unwrap();
    let model = Fic::open(folder.path(), &Inference::new().threads(1)).unwrap();
    let formal = model.probabilities(&texts.map(|(text, _)| text)).unwrap();
    let right =
        formal.iter().zip(texts).filter(|(p, (_, tone))| (**p > 0.5) == (*tone == Tone::Formal));
    let accuracy = right.count() as f64 / 4.0;
    assert_eq!(report.best_score, Some(accuracy), "the weights that were scored");
    assert!(accuracy > 0.5, "a guess is right about half of them: {formal:?}");
    let score = model.score_pairs(&[(texts[0].0, texts[1].0)]).unwrap()[0];
    assert!((score - 5.0 * (1.0 - (formal[0] - formal[1]).abs())).abs() < 1e-6);
}

#[test]
fn csl() {
    let pairs = [
        ("저는 밥을 먹었어요.", "우리는 시장에서 먹었어요!", true),
        ("나는 밥을 먹었다.", "저는 밥을 먹었어요.", false),
        ("비가 온다", "나는 밥을 먹었다.", true),
    ];
    assert_loss_falls(|out, training| train_csl(backbone(), &pairs, &pairs, 0.9, out, training));
    let out = tempfile::tempdir().unwrap();
    let refused = train_csl(backbone(), &pairs, &[], 0.0, out.path(), &TrainingSettings::new());
    assert!(matches!(refused, Err(Error::Setting { name: "margin", .. })));
}

#[test]
fn sbert() {
    let pair = |premise: &str, hypothesis: &str, label| NliPair {
        premise: premise.into(),
        hypothesis: hypothesis.into(),
        label,
    };
    let labelled = [
        pair("나는 국밥을 먹었다.", "나는 먹었다.", Label::Entailment),
        pair("비가 온다", "나는 밥을 먹었다.", Label::Neutral),
        pair("비가 온다", "눈이 온다", Label::Contradiction),
    ];
    let first =
        assert_loss_falls(|out, training| train_sbert_nli(backbone(), &labelled, out, training));
    // The second training starts where the first ended.
    let second = assert_loss_falls(|out, training| {
        train_sbert_sts(first.path(), &scored(), &scored(), out, training)
    });
    let inference = Inference::new().threads(1);
    let embed = |folder: &Path| {
        let embedder = Embedder::open(folder, &inference).unwrap();
        embedder.embed(&["나는 밥을 먹었다.", "비가 온다"]).unwrap()
    };
    assert_eq!(embed(second.path()), embed(second.path()));
    assert_ne!(embed(second.path()), embed(first.path()));
}

/// Qwen3 learns with all its weights, those of the norms of queries and keys included, and is written under the names it has.
#[test]
fn qwen3_learns_and_is_saved() {
    let backbone = model("qwen3-embedding");
    let folder = assert_loss_falls(|out, training| {
        train_sbert(&backbone, &Stage::Cosine(&scored()), &[], out, training)
    });
    let read = |folder: &Path| std::fs::read(folder.join("model.safetensors")).unwrap();
    let (before, after) = (read(&backbone), read(folder.path()));
    let before = safetensors::SafeTensors::deserialize(&before).unwrap();
    let after = safetensors::SafeTensors::deserialize(&after).unwrap();
    assert_eq!(after.len(), before.len());
    for (name, learned) in after.tensors() {
        let old = before.tensor(&name).unwrap();
        assert_eq!(learned.shape(), old.shape(), "{name}");
        assert_ne!(learned.data(), old.data(), "{name} has learned nothing");
    }
    let embedder = Embedder::open(folder.path(), &Inference::new().threads(1)).unwrap();
    assert_eq!(embedder.embed(&["비가 온다"]).unwrap().len(), 1);
    // A share to drop is taken where the family's own files name none.
    let out = tempfile::tempdir().unwrap();
    let training = settings(out.path(), 3).dropout(0.1).build().unwrap();
    let texts = ["나는 밥을 먹었다.", "비가 온다", "눈이 많이 내린다"].map(str::to_owned);
    let report = train_sbert(&backbone, &Stage::SimCse(&texts), &[], out.path(), &training);
    assert!(report.unwrap().final_loss > 0.0);
}

#[test]
fn every_stage_of_an_embedder() {
    let pair = |premise: &str, hypothesis: &str, label| NliPair {
        premise: premise.into(),
        hypothesis: hypothesis.into(),
        label,
    };
    let labelled = [
        pair("나는 국밥을 먹었다.", "나는 먹었다.", Label::Entailment),
        pair("나는 국밥을 먹었다.", "비가 온다", Label::Contradiction),
        pair("눈이 많이 내린다", "눈이 온다", Label::Entailment),
        pair("어제 비가 온다", "비가 온다", Label::Entailment),
    ];
    let (ranked, scored) = (triples(&labelled), scored());
    let texts = ["나는 밥을 먹었다.", "비가 온다", "눈이 많이 내린다"].map(str::to_owned);
    let stages = [
        Stage::Softmax(&labelled),
        Stage::Ranking(&ranked),
        Stage::Cosine(&scored),
        Stage::CoSent(&scored),
    ];
    for stage in stages {
        let folder = assert_loss_falls(|out, training| {
            train_sbert(backbone(), &stage, &scored, out, training)
        });
        Embedder::open(folder.path(), &Inference::new().threads(1)).unwrap();
    }
    let out = tempfile::tempdir().unwrap();
    let without_labels = |texts, training: TrainingBuilder| {
        let training = training.build().unwrap();
        train_sbert(backbone(), &Stage::SimCse(texts), &[], out.path(), &training)
    };
    let dropping = || settings(out.path(), 3).dropout(0.1);
    assert!(without_labels(&texts, dropping()).unwrap().final_loss > 0.0);
    Embedder::open(out.path(), &Inference::new().threads(1)).unwrap();
    let none = without_labels(&[], dropping());
    assert!(matches!(none, Err(Error::Setting { name: "training examples", .. })));
    // The backbone drops nothing of itself.
    let alike = without_labels(&texts, settings(out.path(), 3));
    assert!(matches!(alike, Err(Error::Setting { name: "dropout", .. })));
    assert!(settings(out.path(), 3).dropout(1.0).build().is_err());
}

#[test]
fn rdass() {
    let item = |summary, reference, document| SummaryItem { summary, reference, document };
    let items = [
        item("나는 먹었다.", "나는 밥을 먹었다.", "어제 저녁에 나는 시장에서 밥을 먹었다."),
        item("비가 온다", "비가 많이 온다", "어제 비가 온다 어제 비가 많이 내린다"),
        item("눈이 온다", "눈이 많이 내린다", "저녁에 눈이 많이 내린다 눈이 온다"),
    ];
    assert_loss_falls(|out, training| train_rdass(backbone(), &items, 1.0, out, training));
    let out = tempfile::tempdir().unwrap();
    let refused = train_rdass(backbone(), &items[..1], 1.0, out.path(), &TrainingSettings::new());
    assert!(matches!(refused, Err(Error::Setting { name: "items", .. })));
}

/// A copy of a folder.
fn copied(from: &Path) -> TempDir {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let to = to.join(path.file_name().unwrap());
            if path.is_dir() {
                copy(&path, &to);
            } else {
                std::fs::copy(&path, to).unwrap();
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    copy(from, folder.path());
    folder
}

/// A copy of a tiny model's folder; `modules.json` keeps these kinds of modules alone.
fn with_modules(name: &str, kinds: &[&str]) -> TempDir {
    let folder = copied(&model(name));
    let file = folder.path().join("modules.json");
    let mut modules: Vec<serde_json::Value> =
        serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let kind = |module: &serde_json::Value| {
        module["type"].as_str().unwrap().rsplit('.').next().unwrap().to_owned()
    };
    modules.retain(|module| kinds.contains(&kind(module).as_str()));
    assert_eq!(modules.len(), kinds.len());
    std::fs::write(file, serde_json::to_vec(&modules).unwrap()).unwrap();
    folder
}

/// A folder's vectors of texts, which are cut off where they are too long, as in training.
fn vectors(folder: &Path, texts: &[&str]) -> Vec<Vec<f64>> {
    let inference = Inference::new().threads(1).long_text(LongText::Truncate);
    let embedder = Embedder::open(folder, &inference).unwrap();
    let vectors = embedder.embed(texts).unwrap();
    vectors.rows().map(|row| row.iter().map(|&x| f64::from(x)).collect()).collect()
}

/// What an embedder's signature says of its form: all but the model's name and digest.
fn form(folder: &Path) -> String {
    let embedder = Embedder::open(folder, &Inference::new().threads(1)).unwrap();
    let signature = embedder.signature().to_string();
    let parts = signature.split('|').skip(1).filter(|part| !part.starts_with("digest:"));
    parts.collect::<Vec<_>>().join("|")
}

/// What learns are the vectors that `Embedder` gives, before the first step as after the last one: by the first token, by the last one, with a
/// prompt that is not pooled, at length 1 or not.
#[test]
fn a_folder_of_sentence_transformers_keeps_its_form() {
    let whole = ["Transformer", "Pooling", "Normalize"];
    for (model, kinds, expected) in [
        ("sentence", &whole[..], "pooling:cls|normalized:yes"),
        ("sentence", &whole[..2], "pooling:cls"),
        ("qwen3-embedding", &whole[..], "pooling:last|normalized:yes"),
        ("e5", &whole[..], "pooling:mean|normalized:yes"),
    ] {
        let (from, out) = (with_modules(model, kinds), tempfile::tempdir().unwrap());
        let limit = from.path().join("sentence_bert_config.json");
        std::fs::write(limit, r#"{"max_seq_length": 11}"#).unwrap();
        assert!(form(from.path()).starts_with(expected), "{}", form(from.path()));
        let training = settings(out.path(), 1).dropout(0.0).build().unwrap();
        let (pairs, scores): (Vec<_>, Vec<_>) =
            scored().iter().map(|p| ([p.first.clone(), p.second.clone()], p.score)).unzip();
        let cosines = |folder: &Path| -> Vec<f64> {
            let texts: Vec<&str> = pairs.iter().flatten().map(String::as_str).collect();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let cosine = |a: &[f64], b: &[f64]| dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
            vectors(folder, &texts).chunks(2).map(|pair| cosine(&pair[0], &pair[1])).collect()
        };
        let report =
            train_sbert_sts(from.path(), &scored(), &scored(), out.path(), &training).unwrap();
        let errors = cosines(from.path()).into_iter().zip(&scores);
        let squares: Vec<f64> = errors.map(|(cos, score)| (cos - score / 5.0).powi(2)).collect();
        let before = squares.iter().sum::<f64>() / squares.len() as f64;
        assert!((report.final_loss - before).abs() < 1e-5, "{model}: {report:?}, not {before}");
        let after = pearson(&cosines(out.path()), &scores);
        assert!((report.best_score.unwrap() - after).abs() < 1e-4, "{model}: {report:?}");
        assert_eq!(form(out.path()), form(from.path()));
        let prompts = |folder: &Path| {
            std::fs::read_to_string(folder.join("config_sentence_transformers.json")).unwrap()
        };
        assert_eq!(prompts(out.path()), prompts(from.path()));
    }
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let (of_a, of_b) = (mean(a), mean(b));
    let sum = |of: fn(f64, f64) -> f64| -> f64 {
        a.iter().zip(b).map(|(a, b)| of(a - of_a, b - of_b)).sum()
    };
    sum(|a, b| a * b) / (sum(|a, _| a * a) * sum(|_, b| b * b)).sqrt()
}

/// Euclidean distances are of the vectors that the model gives: of length 1 where it normalises.
#[test]
fn distances_are_of_what_a_folder_embeds() {
    let texts = [
        ["나는 먹었다.", "나는 밥을 먹었다.", "어제 저녁에 나는 시장에서 밥을 먹었다."],
        ["비가 온다", "비가 많이 온다", "어제 비가 많이 내린다"],
    ];
    let items =
        texts.map(|[summary, reference, document]| SummaryItem { summary, reference, document });
    let kinds = ["Transformer", "Pooling", "Normalize"];
    for kinds in [&kinds[..], &kinds[..2]] {
        let (from, out) = (with_modules("sentence", kinds), tempfile::tempdir().unwrap());
        let training = settings(out.path(), 1).dropout(0.0).build().unwrap();
        let report = train_rdass(from.path(), &items, 1.0, out.path(), &training).unwrap();
        let all = vectors(from.path(), texts.as_flattened());
        let distance = |a: usize, b: usize| -> f64 {
            all[a].iter().zip(&all[b]).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        // Each item's summary, its right text, and the same of the other item.
        let triples = [(0, 1, 4), (0, 2, 5), (3, 4, 1), (3, 5, 2)];
        let excess = triples
            .map(|(a, right, wrong)| (distance(a, right) - distance(a, wrong) + 1.0).max(0.0));
        let loss = excess.iter().sum::<f64>() / 4.0;
        assert!((report.final_loss - loss).abs() < 1e-4, "{report:?}, not {loss}");
    }
}

#[test]
fn dense_layers_are_not_silently_left_out() {
    let folder = with_modules("sentence", &["Transformer", "Pooling", "Dense", "Normalize"]);
    let out = tempfile::tempdir().unwrap();
    let training = settings(out.path(), 1).build().unwrap();
    let refused = train_sbert(folder.path(), &Stage::CoSent(&scored()), &[], out.path(), &training);
    let error = refused.unwrap_err();
    assert!(matches!(error, Error::Untrainable { .. }), "{error}");
    assert!(error.to_string().contains("it has dense layers after the pooling"), "{error}");
}

#[test]
fn settings_are_checked() {
    for (built, name) in [
        (TrainingSettings::builder().epochs(0).build(), "epochs"),
        (TrainingSettings::builder().learning_rate(f64::NAN).build(), "learning rate"),
        (TrainingSettings::builder().warm_up(1.0).build(), "warm-up"),
        (TrainingSettings::builder().patience(0).build(), "patience"),
        (TrainingSettings::builder().average(0.0).build(), "average"),
        (TrainingSettings::builder().average(1.5).build(), "average"),
    ] {
        assert!(matches!(built, Err(Error::Setting { name: found, .. }) if found == name));
    }
}

/// The best weights on the development set come back, and waiting for better ones ends.
#[test]
fn stops_early_and_keeps_the_best() {
    let out = tempfile::tempdir().unwrap();
    let training = settings(out.path(), 30).learning_rate(0.05).patience(2).build().unwrap();
    let report = train_sts(backbone(), &scored(), &scored(), out.path(), &training).unwrap();
    let log = std::fs::read_to_string(out.path().join("log.jsonl")).unwrap();
    let scores: Vec<f64> = log
        .lines()
        .filter_map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["score"].as_f64()
        })
        .collect();
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(report.best_score, Some(best));
    if report.steps < 30 {
        assert!(scores[scores.len() - 2..].iter().all(|score| *score <= best));
    }
}

/// Both optimisers move their half, and a training that was interrupted goes on to the bit.
#[test]
fn summarizer() {
    use ko_neural::train::{Pace, SummarizerSettings, train_summarizer};
    let pairs = [
        TextPair {
            source: "나는 밥을 먹었다. 비가 온다", target: "나는 밥을 먹었다."
        },
        TextPair {
            source: "눈이 많이 내린다. 우리는 시장에서 먹었다.",
            target: "눈이 많이 내린다",
        },
        TextPair {
            source: "우리는 시장에서 국밥을 먹었어요!", target: "우리는 먹었어요"
        },
    ];
    let pace = |learning_rate| Pace { learning_rate, warm_up_steps: 2 };
    let given = SummarizerSettings {
        layers: 1,
        encoder: pace(1e-3),
        decoder: pace(1e-2),
        longest_document: 20,
        longest_summary: 12,
        ..SummarizerSettings::default()
    };
    let run = |out: &Path, given: &SummarizerSettings, training: &TrainingSettings| {
        train_summarizer(backbone(), &pairs, &[], out, given, training)
    };
    let folder = assert_loss_falls(|out, training| run(out, &given, training));
    let log = std::fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    let rates: Vec<f64> = serde_json::from_value(first["learning_rate"].clone()).unwrap();
    assert_eq!(rates, [pace(1e-3).at(1), pace(1e-2).at(1)]);
    let model = ko_neural::TextGenerator::open(folder.path(), &Inference::new().threads(1));
    let (model, text) = (model.unwrap(), "나는 밥을 먹었다.");
    assert_eq!(model.text(&model.tokens(text).unwrap()).unwrap(), text, "pieces are words again");

    // A half whose optimiser hardly moves stays where it was.
    let weights = |folder: &Path, part: &str| -> Vec<f32> {
        let bytes = std::fs::read(folder.join("model.safetensors")).unwrap();
        let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
        let mut names: Vec<&str> =
            file.names().into_iter().filter(|n| n.starts_with(part)).collect();
        names.sort_unstable();
        let data = names.iter().flat_map(|name| file.tensor(name).unwrap().data().to_vec());
        let data: Vec<u8> = data.collect();
        data.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    };
    let still = tempfile::tempdir().unwrap();
    let slow = SummarizerSettings { encoder: pace(1e-30), ..given };
    run(still.path(), &slow, &settings(still.path(), 3).build().unwrap()).unwrap();
    let before = tempfile::tempdir().unwrap();
    let none = SummarizerSettings { encoder: pace(1e-30), decoder: pace(1e-30), ..given };
    run(before.path(), &none, &settings(before.path(), 1).build().unwrap()).unwrap();
    assert!(weights(still.path(), "encoder.") == weights(before.path(), "encoder."));
    assert!(weights(still.path(), "decoder.") != weights(before.path(), "decoder."));
    assert!(weights(folder.path(), "encoder.") != weights(before.path(), "encoder."));

    let (through, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let kept = |out: &Path| settings(out, 4).batch(2).checkpoint(out.join("checkpoint"), 1);
    run(through.path(), &given, &kept(through.path()).build().unwrap()).unwrap();
    let limited = kept(parts.path()).time_limit(std::time::Duration::ZERO).build().unwrap();
    for steps in 1..=3 {
        assert_eq!(run(parts.path(), &given, &limited).unwrap().steps, steps);
    }
    let other = SummarizerSettings { decoder: pace(2e-2), ..given };
    let training = kept(parts.path()).build().unwrap();
    let error = run(parts.path(), &other, &training).unwrap_err();
    assert!(error.to_string().contains("other examples"), "{error}");
    assert_eq!(run(parts.path(), &given, &training).unwrap().steps, 8);
    assert!(weights(through.path(), "") == weights(parts.path(), ""));

    let bad = SummarizerSettings { encoder: pace(0.0), ..given };
    let error = run(parts.path(), &bad, &training).unwrap_err();
    assert!(matches!(error, Error::Setting { name: "learning rate", .. }), "{error}");
    let bad = SummarizerSettings { width: Some(100), ..given };
    let error = run(parts.path(), &bad, &training).unwrap_err();
    assert!(matches!(error, Error::Setting { name: "decoder width", .. }), "{error}");
}
