//! What must hold of probes whatever the encoder: length is easy for a bag of letters, random vectors and random
//! labels give chance, and a seed gives the same figures.

use ko_eval_core::Progress;
use ko_meta_eval::report::Language;
use ko_probe::{
    Classifier, Control, Dataset, Experiment, Findings, ProbeReport, Subject, embedders, senteval,
};
use std::sync::Mutex;

/// Sentences of two to seven words under the number of their words.
fn lengths(sentences: usize) -> Dataset {
    let words = ["봄에는", "꽃이", "언덕", "위에", "가득", "피고", "진다"];
    let parts = ["tr", "tr", "tr", "tr", "tr", "tr", "va", "te", "te", "te"];
    let mut seed = 1_u64;
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let lines: String = (0..sentences)
        .map(|i| {
            let length = 2 + draw(6);
            let text: Vec<_> = (0..length).map(|_| words[draw(7)]).collect();
            format!("{}\t{length}\t{} {i}.\n", parts[i % 10], text.join(" "))
        })
        .collect();
    senteval::read("SentLen", "길이.txt", std::io::Cursor::new(lines)).unwrap()
}

fn subject(name: &str) -> Subject {
    Subject::new(name, embedders::by_name(name).unwrap())
}

fn experiment() -> Experiment {
    Experiment::new().classifier(Classifier::new().penalties(&[1e-5]).unwrap())
}

#[test]
fn length_is_on_the_surface_and_chance_is_chance() {
    let data = [lengths(1200)];
    let findings = experiment()
        .control(Control::RandomLabels)
        .run(&[subject("jamo").layer(3)], &data, &())
        .unwrap();
    assert_eq!(findings.subjects, ["jamo/3", "random"]);
    let jamo = findings.get("jamo/3", "SentLen").unwrap();
    assert!(jamo.balanced_accuracy.score > 0.7, "{:?}", jamo.balanced_accuracy);
    assert!(jamo.balanced_accuracy.low <= jamo.balanced_accuracy.score);
    assert!(jamo.selectivity().unwrap() > 0.5, "{:?}", jamo.control);
    assert_eq!(jamo.chance, 1.0 / 6.0);
    for finding in &findings.findings {
        let chance = finding.control.unwrap();
        assert!((chance - 1.0 / 6.0).abs() < 0.1, "{}: {chance}", finding.subject);
    }
    let random = findings.get("random", "SentLen").unwrap();
    assert!((random.balanced_accuracy.score - 1.0 / 6.0).abs() < 0.1, "{random:?}");
}

#[test]
fn reports_tell_the_same_and_json_reads_back() {
    let data = [lengths(300)];
    let run =
        || experiment().run(&[subject("jamo"), subject("ngrams:dim=32")], &data, &()).unwrap();
    let findings = run();
    assert_eq!(findings, run());
    let report = ProbeReport::new(&findings).title("길이 <를> 안다");
    let read: Findings = serde_json::from_str(&report.json().unwrap()).unwrap();
    assert_eq!(read, findings);
    let score = findings.get("jamo", "SentLen").unwrap().balanced_accuracy.score * 100.0;
    for text in [report.text(), report.markdown(), report.html()] {
        assert!(text.contains(&format!("{score:.1}")), "{text}");
        assert!(text.contains("ngrams:dim=32") && text.contains("16.7"), "{text}");
    }
    assert!(report.html().contains("길이 &lt;를&gt; 안다"));
    assert!(!report.html().contains("<script") && !report.html().contains("http"));

    let korean = ProbeReport::new(&findings).language(Language::Korean);
    assert_eq!(korean.json().unwrap(), report.json().unwrap());
    for text in [korean.text(), korean.markdown(), korean.html()] {
        assert!(text.contains(&format!("{score:.1}")) && text.contains("한 가지 답만"), "{text}");
    }
    assert!(korean.html().contains("lang=\"ko\"") && korean.html().contains("재현율"));
    assert!(korean.markdown().contains("| 과제 | 대상 | 균형 정확도 |"), "{}", korean.markdown());
}

#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Progress for Log {
    fn note(&self, what: &str) {
        self.0.lock().unwrap().push(what.to_owned());
    }
}

#[test]
fn a_second_run_finds_the_vectors_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let data = [lengths(300)];
    let run =
        |log: &Log| experiment().cache(folder.path()).run(&[subject("jamo")], &data, log).unwrap();
    let (first, second) = (Log::default(), Log::default());
    assert_eq!(run(&first), run(&second));
    let probes = ["SentLen by jamo", "SentLen by random"];
    assert_eq!(*second.0.lock().unwrap(), probes);
    assert_eq!(first.0.lock().unwrap().len(), 6); // two batches of each subject, and its probe
}

#[test]
fn what_cannot_be_learnt_is_said() {
    let read = |text: &'static str| senteval::read("Tense", "t.txt", text.as_bytes()).unwrap();
    for (text, reason) in [
        ("", "0 classes"),
        ("tr\ta\t가\nva\ta\t나\nte\ta\t다\n", "1 classes"),
        ("tr\ta\t가\ntr\tb\t라\nte\ta\t다\n", "no sentences in part `va`"),
        ("tr\ta\t가\nva\tb\t라\nte\ta\t다\n", "class `b` is not in part `tr`"),
    ] {
        let error =
            experiment().run(&[subject("jamo")], &[read(text)], &()).unwrap_err().to_string();
        assert!(error.starts_with("Tense: ") && error.contains(reason), "{error}");
    }
    let missing = embedders::Precomputed::new(
        "표",
        ["가"],
        ko_eval_core::Embeddings::from_rows(1, vec![0.5]).unwrap(),
    );
    let data = read("tr\ta\t가\ntr\tb\t나\nva\ta\t다\nte\ta\t라\n");
    let subject = Subject::new("표", std::sync::Arc::new(missing.unwrap()));
    let error = experiment().run(&[subject], &[data], &()).unwrap_err().to_string();
    assert!(error.contains("the vector of \"나\" is missing"), "{error}");
}

#[test]
fn vectors_of_others_are_read() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let read = |text: &str| {
        std::fs::write(file.path(), text).unwrap();
        embedders::Precomputed::from_jsonl("표", file.path())
    };
    let first = r#"{"text": "가", "vector": [0.1, -2.0]}"#;
    let table = read(&format!("{first}\n\n{{\"text\": \"나\", \"vector\": [1, 2]}}\n")).unwrap();
    let vectors = ko_eval_core::SentenceEmbedder::embed(&table, &["나", "가"]).unwrap();
    assert_eq!(vectors.as_slice(), [1.0, 2.0, 0.1, -2.0]);
    for (second, part) in [
        (r#"{"text": "나", "vector": [1]}"#, ":2: a vector of 1 numbers, expected 2"),
        (r#"{"text": "나"}"#, ":2: missing field `vector`"),
    ] {
        let error = read(&format!("{first}\n{second}\n")).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    assert!(read("").is_err());
}

#[test]
fn everything_can_cross_threads() {
    fn check<T: Send + Sync>() {}
    check::<Experiment>();
    check::<Findings>();
    check::<Subject>();
    check::<Dataset>();
    check::<ko_probe::Treebank>();
    check::<ko_probe::Probe>();
    check::<ko_probe::Vectors>();
    check::<ko_probe::Error>();
}
