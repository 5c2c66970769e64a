//! What must hold of probes whatever the encoder: length is easy for a bag of letters, random vectors and random
//! labels give chance, and a seed gives the same figures.

use ko_eval_core::Signature;
use ko_eval_io::Progress;
use ko_eval_model::{Embeddings, LayeredEmbedder};
use ko_meta_eval::report::Language;
use ko_probe::{
    Classifier, Control, Dataset, DescriptionLength, Experiment, Findings, ProbeReport, Property,
    Subject, embedders, senteval,
};
use std::sync::{Arc, Mutex};

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
    assert!(!report.html().contains("src=") && !report.html().contains("<를>"));

    let korean = ProbeReport::new(&findings).language(Language::Korean);
    assert_eq!(korean.json().unwrap(), report.json().unwrap());
    for text in [korean.text(), korean.markdown(), korean.html()] {
        assert!(text.contains(&format!("{score:.1}")) && text.contains("한 가지 답만"), "{text}");
    }
    assert!(korean.html().contains("lang=\"ko\"") && korean.html().contains("재현율"));
    assert!(korean.markdown().contains("| 과제 | 대상 | 균형 정확도 |"), "{}", korean.markdown());
}

#[test]
fn means_are_those_of_the_cells() {
    let tense: String = (0..60)
        .map(|i| {
            let (label, end) = if i % 2 == 0 { ("past", "왔다") } else { ("non-past", "온다") };
            format!("{}\t{label}\t비가 {i}번 {end}.\n", ["tr", "tr", "va", "te"][i / 2 % 4])
        })
        .collect();
    let tense = senteval::read("Tense", "시제.txt", std::io::Cursor::new(tense)).unwrap();
    let subjects = [subject("jamo"), subject("ngrams:dim=32")];
    let findings = experiment().run(&subjects, &[lengths(300), tense], &()).unwrap();
    let score =
        |subject: &str, task: &str| findings.get(subject, task).unwrap().balanced_accuracy.score;
    let mean = (score("jamo", "SentLen") + score("jamo", "Tense")) / 2.0;
    assert_eq!(findings.mean("jamo", None), Some(mean));
    let surface = findings.mean("jamo", Some(Property::Surface));
    assert_eq!(surface, Some(score("jamo", "SentLen")));
    assert_eq!(findings.mean("jamo", Some(Property::Syntactic)), None);
    assert_eq!(findings.properties(), [Property::Surface, Property::Semantic]);
    let of_subjects = (score("jamo", "Tense") + score("ngrams:dim=32", "Tense")) / 2.0;
    assert_eq!(
        findings.mean_of_subjects("Tense"),
        Some(of_subjects),
        "random vectors are left out"
    );
    let text = ProbeReport::new(&findings).text();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["SentLen", "Tense", "surface", "semantic", "mean"]);
    let shown = |share: f64| format!("{:.1}", share * 100.0);
    assert_eq!(rows[1][5], shown(mean));
    assert_eq!((rows[4][0], rows[4][2]), ("mean", shown(of_subjects).as_str()));
    assert_eq!(rows[5], ["one", "class", "16.7", "50.0", "16.7", "50.0", "33.3"]);

    // 90 sentences tell something of SentLen, 14 nothing of Tense.
    let told = "Tense is judged on 14 sentences: too few to tell its scores from guessing.";
    assert_eq!(text.lines().skip(6).collect::<Vec<_>>(), [told]);
    let korean = ProbeReport::new(&findings).language(Language::Korean);
    for (report, told) in
        [(ProbeReport::new(&findings), told), (korean, "Tense: 평가 문장이 14개뿐이라")]
    {
        assert!(report.text().contains(told) && report.html().contains(told), "{told}");
        assert!(report.markdown().contains(told), "{told}");
    }
}

#[test]
fn seeds_are_averaged_and_their_spread_is_told() {
    let data = [lengths(300)];
    let run = |seed: u64, seeds: usize| {
        let classifier = Classifier::new().penalties(&[1e-5]).unwrap().max_epochs(24).seed(seed);
        let experiment = Experiment::new().classifier(classifier).seeds(seeds).unwrap();
        let experiment = experiment.description_length(DescriptionLength::OnlineCode);
        let findings = experiment.run(&[subject("jamo")], &data, &()).unwrap();
        findings.get("jamo", "SentLen").unwrap().clone()
    };
    let (three, alone) = (run(5, 3), [5, 6, 7].map(|seed| run(seed, 1)));
    let scores = alone.each_ref().map(|finding| finding.balanced_accuracy.score);
    assert_eq!(three.by_seed, scores);
    assert!(scores[0] != scores[1] || scores[1] != scores[2], "seeds differ: {scores:?}");
    let mean = scores.iter().sum::<f64>() / 3.0;
    assert!((three.balanced_accuracy.score - mean).abs() < 1e-12);
    let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    assert!((three.deviation().unwrap() - (squares / 2.0).sqrt()).abs() < 1e-12);
    let accuracy = alone.iter().map(|finding| finding.accuracy).sum::<f64>() / 3.0;
    assert!((three.accuracy - accuracy).abs() < 1e-12);
    assert_eq!((alone[0].deviation(), alone[0].bits_deviation()), (None, None));
    let codes = alone.each_ref().map(|finding| finding.codes[0].clone());
    assert_eq!(three.codes, codes);
    let bits = codes.iter().map(ko_probe::OnlineCode::bits).sum::<f64>() / 3.0;
    assert!((three.bits().unwrap() - bits).abs() < 1e-9);
    assert!((three.compression().unwrap() - 180.0 * 6_f64.log2() / bits).abs() < 1e-9);
    assert!(Experiment::new().seeds(0).is_err());
}

/// Letters counted in ever fewer drawers: layer 2 sees what layer 0 sees, but less of it.
#[derive(Debug)]
struct Fading;

impl LayeredEmbedder for Fading {
    fn layers(&self) -> &[usize] {
        &[0, 1, 2]
    }

    fn layer_signature(&self, layer: usize) -> Signature {
        Signature::new("fading").with("layer", layer)
    }

    fn embed_layers(&self, texts: &[&str]) -> ko_eval_core::Result<Vec<Embeddings>> {
        let names = ["ngrams:dim=64", "ngrams:dim=8", "ngrams:dim=1"];
        names.iter().map(|name| embedders::by_name(name)?.embed(texts)).collect()
    }
}

#[test]
fn layers_are_rows_and_curves() {
    let data = [lengths(300)];
    let folder = tempfile::tempdir().unwrap();
    let subjects = [Subject::layers("바래는", Arc::new(Fading)), subject("jamo")];
    let run = || experiment().cache(folder.path()).run(&subjects, &data, &()).unwrap();
    let findings = run();
    assert_eq!(findings, run(), "from the cache");
    assert_eq!(findings.subjects, ["바래는/0", "바래는/1", "바래는/2", "jamo", "random"]);
    let alone = [("바래는/1", "ngrams:dim=8"), ("바래는/2", "ngrams:dim=1")];
    for (row, name) in alone {
        let plain = experiment().run(&[subject(name)], &data, &()).unwrap();
        let [layer, plain] = [(&findings, row), (&plain, name)]
            .map(|(findings, name)| findings.get(name, "SentLen").unwrap());
        assert_eq!(layer.balanced_accuracy, plain.balanced_accuracy);
        assert_ne!(layer.signature, plain.signature);
    }
    assert_eq!(
        findings.layered(),
        [("바래는", vec![(0, "바래는/0"), (1, "바래는/1"), (2, "바래는/2")])]
    );
    let files = ProbeReport::new(&findings).language(Language::Korean).document().files().unwrap();
    let text = |wanted: &str| {
        let (_, bytes) = files.iter().find(|(name, _)| name == wanted).unwrap();
        String::from_utf8(bytes.clone()).unwrap()
    };
    let drawn = text("figures/layers-1-surface.svg");
    assert!(drawn.contains("바래는, 표면: 균형 정확도(%)") && !drawn.contains("var("), "{drawn}");
    let score = findings.get("바래는/2", "SentLen").unwrap().balanced_accuracy.score * 100.0;
    assert!(text("figures/layers-1-surface.csv").contains(&format!("SentLen,2,{score}")));
    // One task has no mean to draw, one encoder no rival, and nobody asked for bits.
    assert!(!files.iter().any(|(name, _)| {
        ["means", "encoders", "compression"].iter().any(|part| name.contains(part))
    }));
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
        ko_eval_model::Embeddings::from_rows(1, vec![0.5]).unwrap(),
    );
    let data = read("tr\ta\t가\ntr\tb\t나\nva\ta\t다\nte\ta\t라\n");
    let subject = Subject::new("표", std::sync::Arc::new(missing.unwrap()));
    let error = experiment().run(&[subject], &[data], &()).unwrap_err().to_string();
    assert!(error.contains("the vector of \"나\" is missing"), "{error}");
}

#[test]
fn the_same_numbers_of_other_sentences_are_other_vectors() {
    let signed = |sentences: [&str; 2], numbers: [f32; 2]| {
        let vectors = ko_eval_model::Embeddings::from_rows(1, numbers.to_vec()).unwrap();
        ko_eval_core::Signed::signature(
            &embedders::Precomputed::new("표", sentences, vectors).unwrap(),
        )
    };
    let own = signed(["가", "나"], [0.5, 1.0]);
    assert_eq!(own, signed(["가", "나"], [0.5, 1.0]));
    assert_ne!(own, signed(["나", "가"], [0.5, 1.0]));
    assert_ne!(own, signed(["가", "나"], [1.0, 0.5]));
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
    let vectors = ko_eval_model::SentenceEmbedder::embed(&table, &["나", "가"]).unwrap();
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
