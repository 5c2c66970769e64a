//! `ko-eval subword`: a vocabulary learned, used, and undone.

use crate::common::{failure, json, run, run_with, sample};
use std::{fs, path::Path};

fn learn(folder: &Path, algorithm: &str) -> std::path::PathBuf {
    let file = folder.join(format!("{algorithm}.json"));
    let (reference, good) = (sample("reference.txt"), sample("good.txt"));
    let outcome = json(&run(&[
        &"subword",
        &"train",
        &"--algorithm",
        &algorithm,
        &"--size",
        &"300",
        &"--output",
        &file,
        &"--format",
        &"json",
        &reference,
        &good,
    ]));
    assert_eq!(outcome["unit"], format!("subword:{}", file.display()));
    assert!(outcome["pieces"].as_u64().unwrap() <= 300);
    file
}

fn lines(output: &std::process::Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn learned_encoded_and_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(sample("reference.txt")).unwrap();
    for algorithm in ["bpe", "unigram", "jamo-bpe"] {
        let file = learn(folder.path(), algorithm);
        for form in [&["--ids"][..], &["--ids", "--format", "json"], &[], &["--format", "json"]] {
            let mut args: Vec<&dyn AsRef<std::ffi::OsStr>> =
                vec![&"subword", &"encode", &"--vocabulary", &file];
            args.extend(form.iter().map(|word| word as &dyn AsRef<std::ffi::OsStr>));
            let encoded = lines(&run_with(text.as_bytes(), &args));
            let mut back: Vec<&dyn AsRef<std::ffi::OsStr>> =
                vec![&"subword", &"decode", &"--vocabulary", &file];
            if !form.contains(&"--ids") {
                back.push(&"--pieces");
            }
            assert_eq!(lines(&run_with(encoded.as_bytes(), &back)), text, "{algorithm} {form:?}");
        }
        // The file is a unit.
        let unit = format!("subword:{}", file.display());
        let pieces = lines(&run_with(text.as_bytes(), &[&"tokenize", &"--unit", &unit]));
        let encoded = run_with(text.as_bytes(), &[&"subword", &"encode", &"-v", &file]);
        assert_eq!(pieces, lines(&encoded));
    }
}

#[test]
fn a_sentencepiece_model_serves_as_well() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../ko-tokenize/tests/golden/sentencepiece/unigram.model");
    let text = "나는 시장에서 국밥을 먹었다.\n";
    let encoded =
        lines(&run_with(text.as_bytes(), &[&"subword", &"encode", &"-v", &model, &"--ids"]));
    assert!(encoded.split_whitespace().all(|id| id.parse::<u32>().is_ok()), "{encoded}");
    let decoded = run_with(encoded.as_bytes(), &[&"subword", &"decode", &"-v", &model]);
    assert_eq!(lines(&decoded), text);
}

#[test]
fn mistakes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = learn(folder.path(), "bpe");
    let decode = |line: &str, more: &[&dyn AsRef<std::ffi::OsStr>]| {
        let mut args: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"subword", &"decode", &"-v", &file];
        args.extend(more);
        failure(&run_with(line.as_bytes(), &args))
    };
    assert!(decode("12 밥\n", &[]).contains("-:1: `밥` is no number of a piece"));
    assert!(decode("999999\n", &[]).contains("999999"));
    assert!(decode("없는조각\n", &[&"--pieces"]).contains("`없는조각` is no piece"));

    let model = folder.path().join("broken.model");
    fs::write(&model, "국밥").unwrap();
    let error = failure(&run(&[&"subword", &"encode", &"-v", &model]));
    assert!(error.contains("broken.model is not a SentencePiece model"), "{error}");
    let output = folder.path().join("learned.model");
    let reference = sample("reference.txt");
    let error = failure(&run(&[&"subword", &"train", &"--output", &output, &reference]));
    assert!(error.contains("the name of a SentencePiece model"), "{error}");
    let json = folder.path().join("small.json");
    let error = failure(&run(&[&"subword", &"train", &"--size", &"3", &"-o", &json, &reference]));
    assert!(error.contains("a vocabulary of 3 pieces is too small"), "{error}");
    assert!(!json.exists());
}
