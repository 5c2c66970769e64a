use super::*;
use crate::{
    model::place::Place,
    train::{SummarizerSettings, TrainingBuilder, train_summarizer},
};
use ko_eval_model::SentenceEmbedder;
use std::path::PathBuf;
use tempfile::TempDir;

/// A model without dropout: the same losses each time.
fn albert() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/albert")
}

const PAIRS: [TextPair<'static>; 4] = [
    TextPair {
        source: "나는 밥을 먹었다. 비가 온다", target: "나는 밥을 먹었다."
    },
    TextPair {
        source: "눈이 많이 내린다. 우리는 시장에서 먹었다.", target: "눈이 많이 내린다"
    },
    TextPair {
        source: "저는 국밥을 먹었어요. 어제 비가 온다", target: "저는 먹었어요."
    },
    TextPair {
        source: "우리는 시장에서 국밥을 먹었어요!", target: "우리는 먹었어요"
    },
];

fn settings() -> FwaSettings {
    FwaSettings { margin: 3.0, longest_document: 20, longest_summary: 6 }
}

fn training() -> TrainingBuilder {
    TrainingSettings::builder().batch(2).epochs(3).learning_rate(1e-3).longest(24).threads(1)
}

/// A summariser over the same encoder: hardly trained, and with the dropout of its new decoder taken out.
fn summarizer() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let settings = SummarizerSettings {
        layers: 1,
        longest_document: 20,
        longest_summary: 8,
        ..SummarizerSettings::default()
    };
    let training = training().epochs(1).build().unwrap();
    train_summarizer(albert(), &PAIRS, &[], folder.path(), &settings, &training).unwrap();
    let config = folder.path().join("config.json");
    let text = std::fs::read_to_string(&config).unwrap();
    let text = text.replace("_prob\": 0.1", "_prob\": 0.0");
    std::fs::write(config, text).unwrap();
    folder
}

fn joint(summarizer: &Path) -> Joint {
    let training = training().build().unwrap();
    let joint = Joint::open(summarizer, &albert(), &PAIRS, &settings(), &training).unwrap();
    joint.begin_epoch(0).unwrap();
    joint.parameters().iter().for_each(|(_, tensor)| {
        let _ = tensor.set_requires_grad(true);
    });
    joint
}

fn value(tensor: &Tensor) -> f64 {
    tensor.double_value(&[])
}

/// How far the gradients of a loss reach, in the tensors of each part.
fn reach(joint: &Joint, loss: &Tensor) -> (f64, f64) {
    let parameters = joint.parameters();
    parameters.iter().for_each(|(_, tensor)| tensor.shallow_clone().zero_grad());
    loss.f_backward().unwrap();
    let sum = |part: &str| {
        let own = parameters.iter().filter(|(name, _)| name.starts_with(part));
        let slopes = own.map(|(_, tensor)| tensor.grad()).filter(Tensor::defined);
        slopes.map(|slope| value(&slope.abs().sum(Kind::Double))).sum::<f64>()
    };
    (sum("summarizer."), sum("embedder."))
}

#[test]
fn a_steps_loss_is_the_sum_of_three_and_each_reaches_what_it_should() {
    let folder = summarizer();
    let joint = joint(folder.path());
    let chosen = [0, 2];
    let whole = joint.loss(&chosen).unwrap();
    let pairs = joint.with_others(&chosen);
    let losses = || joint.losses(&pairs, Mode::Train).unwrap();
    let sum: f64 = losses().iter().map(value).sum();
    assert!((value(&whole) - sum).abs() < 1e-5, "{whole} is not {sum}");

    // Each of them on its own, by other means.
    let examples: Vec<&Example> = pairs.iter().map(|(item, _)| &item.example).collect();
    let (likely, tokens) = joint.writer.loss(&examples, Mode::Infer).unwrap();
    assert!((value(&losses()[0]) - value(&likely) / tokens as f64).abs() < 1e-5);
    let logits = joint.writer.logits(&examples, Mode::Infer).unwrap();
    let anchors = joint.summaries(&pairs, &logits, Mode::Infer).unwrap();
    let vector = |text: &TokenIds| joint.embedder.pooled(&[text], Mode::Infer).unwrap();
    let distance = |row: usize, text: &TokenIds| {
        let anchor = anchors.narrow(0, row as i64, 1);
        value(&(anchor - vector(text)).square().sum(Kind::Double)).sqrt()
    };
    let triplets = |side: fn(&Item) -> &TokenIds| {
        let each = pairs.iter().enumerate().map(|(row, (own, other))| {
            (distance(row, side(own)) - distance(row, side(other)) + 3.0).max(0.0)
        });
        each.sum::<f64>() / pairs.len() as f64
    };
    assert!((value(&losses()[1]) - triplets(|item| &item.reference)).abs() < 1e-4);
    assert!((value(&losses()[2]) - triplets(|item| &item.document)).abs() < 1e-4);

    let (summarizer, embedder) = reach(&joint, &losses()[0]);
    assert!(summarizer > 0.0 && embedder == 0.0, "{summarizer} {embedder}");
    for part in [1, 2] {
        let (summarizer, embedder) = reach(&joint, &losses()[part]);
        assert!(summarizer > 0.0 && embedder > 0.0, "part {part}: {summarizer} {embedder}");
    }
}

/// The summariser does not write what would stand before its summary.
#[test]
fn an_embedder_with_a_prompt_is_refused() {
    let (folder, training) = (summarizer(), training().build().unwrap());
    let e5 = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/e5");
    let refused = Joint::open(folder.path(), &e5, &PAIRS, &settings(), &training);
    assert!(
        matches!(refused.err(), Some(Error::Untrainable { part, .. }) if part.contains("prompt"))
    );
}

/// Where all shares are of one token, a mixture is a text.
#[test]
fn certain_shares_are_the_text() {
    let folder = summarizer();
    let joint = joint(folder.path());
    let pairs = joint.with_others(&[0, 1, 2, 3]);
    let asked: Vec<i64> = pairs
        .iter()
        .flat_map(|(item, _)| item.example.target.iter().map(|&id| i64::from(id)))
        .collect();
    let asked = Place::default().tensor(&asked).unwrap();
    let certain = asked.one_hot(joint.writer.tokens().len() as i64) * 1e4;
    let certain = certain.to_kind(Kind::Float);
    let mixed = joint.summaries(&pairs, &certain, Mode::Infer).unwrap();
    let texts: Vec<&TokenIds> = pairs.iter().map(|(item, _)| &item.summary).collect();
    let read = joint.embedder.pooled(&texts, Mode::Infer).unwrap();
    assert!(mixed.allclose(&read, 1e-5, 1e-6, false), "{mixed} instead of {read}");
    // The longest summary is cut where the summariser ends.
    assert!(pairs.iter().any(|(item, _)| item.summary.len() < item.reference.len()));
}

#[test]
fn others_are_drawn_anew_in_every_epoch() {
    let folder = summarizer();
    let joint = joint(folder.path());
    let of = |epoch| {
        joint.begin_epoch(epoch).unwrap();
        joint.others.borrow().clone()
    };
    let drawn: Vec<_> = (0..6).map(of).collect();
    assert!(drawn.iter().any(|one| *one != drawn[0]), "{drawn:?}");
    assert_eq!(of(3), drawn[3]);
}

fn weights(folder: &Path) -> Vec<u8> {
    std::fs::read(folder.join("model.safetensors")).unwrap()
}

#[test]
fn both_are_saved_and_a_killed_training_goes_on_to_the_bit() {
    let start = summarizer();
    let run = |output: &Path, steps: Option<usize>| {
        let mut builder = training().checkpoint(output.join("checkpoint"), 1);
        if steps.is_some() {
            // Over after the first step.
            builder = builder.time_limit(std::time::Duration::ZERO);
        }
        let training = builder.build().unwrap();
        train_fwa(start.path(), albert(), &PAIRS, output, &settings(), &training).unwrap()
    };
    let (through, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert_eq!(run(through.path(), None).steps, 6);
    for steps in 1..=4 {
        assert_eq!(run(parts.path(), Some(1)).steps, steps);
    }
    assert_eq!(run(parts.path(), None).steps, 6);
    for part in ["summarizer", "embedder"] {
        let (one, other) = (through.path().join(part), parts.path().join(part));
        assert!(weights(&one) == weights(&other), "{part} is another one");
    }
    // Both have moved, and both open.
    let inference = crate::Inference::new().threads(1);
    let (summarizer, embedder) =
        (through.path().join("summarizer"), through.path().join("embedder"));
    assert!(weights(&summarizer) != weights(start.path()));
    crate::TextGenerator::open(summarizer, &inference).unwrap();
    let embed = |folder: &Path| {
        crate::Embedder::open(folder, &inference).unwrap().embed(&["나는 밥을 먹었다."]).unwrap()
    };
    assert_ne!(embed(&embedder), embed(&albert()));
}

#[test]
fn models_with_other_tokens_are_refused() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let (writer, out) = (models.join("generators/bart"), tempfile::tempdir().unwrap());
    let training = training().build().unwrap();
    let refused = |pairs: &[TextPair<'_>], settings: &FwaSettings| {
        train_fwa(&writer, albert(), pairs, out.path(), settings, &training).unwrap_err()
    };
    let error = refused(&PAIRS, &settings());
    assert!(matches!(error, Error::DifferentVocabularies { .. }), "{error}");
    let error = refused(&PAIRS[..1], &settings());
    assert!(matches!(error, Error::Setting { name: "items", .. }), "{error}");
    let error = refused(&PAIRS, &FwaSettings { margin: 0.0, ..settings() });
    assert!(matches!(error, Error::Setting { name: "margin", .. }), "{error}");
}
