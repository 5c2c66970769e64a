//! The built command, run as a user runs it.

use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data").join(name)
}

/// Runs the command with standard input.
fn run_with(input: &[u8], args: &[&dyn AsRef<std::ffi::OsStr>]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ko-eval"))
        .args(args.iter().map(|arg| arg.as_ref()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that fails early may close its input before all is written.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn run(args: &[&dyn AsRef<std::ffi::OsStr>]) -> Output {
    run_with(b"", args)
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The message of a run that must fail with exit code 2 and print nothing.
fn failure(output: &Output) -> String {
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    message
}

const PAIRS: &str = r#"{"hyp": "나는 밥을 먹었다", "refs": ["나는 밥을 먹었어요", "밥을 먹었다"]}
{"hyp": "비가 온다", "refs": ["비가 온다"]}
"#;

#[test]
fn scores_pairs_from_standard_input() {
    let args: [&dyn AsRef<std::ffi::OsStr>; 12] = [
        &"score",
        &"--pairs",
        &"-",
        &"--metric",
        &"bleu:order=2",
        &"--metric",
        &"chrf:word-order=2",
        &"--unit",
        &"jamo",
        &"--segments",
        &"--format",
        &"json",
    ];
    let output = run_with(PAIRS.as_bytes(), &args);
    let scores = &json(&output)["scores"];
    assert_eq!(scores[0]["metric"], "bleu:order=2");
    assert_eq!(scores[0]["unit"], "jamo");
    assert!(scores[0]["signature"].as_str().unwrap().contains("nrefs:1-2"));
    assert_eq!(scores[1]["segments"].as_array().unwrap().len(), 2);
    assert_eq!(scores[1]["segments"][1], 100.0);

    let library = ko_eval::metric("bleu:order=2", "jamo").unwrap();
    let corpus: ko_eval::Corpus =
        PAIRS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = library.corpus_score(&corpus.segments()).unwrap().score.value;
    assert_eq!(scores[0]["score"].as_f64(), Some(expected), "not a digit is lost");
    assert_eq!(output.stdout, run_with(PAIRS.as_bytes(), &args).stdout, "deterministic");
}

#[test]
fn every_metric_scores_the_samples() {
    let mut args: Vec<&dyn AsRef<std::ffi::OsStr>> =
        vec![&"score", &"--format", &"csv", &"--unit", &"char"];
    let (hyp, reference) = (sample("good.txt"), sample("reference.txt"));
    args.extend([&"--hyp" as &dyn AsRef<_>, &hyp, &"--ref", &reference]);
    for row in ko_eval::METRICS {
        args.push(&"--metric");
        args.push(&row.name);
    }
    let output = run(&args);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), ko_eval::METRICS.len() + 1, "{text}");
}

#[test]
fn marks_and_line_ends_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, marked) = (folder.path().join("plain.jsonl"), folder.path().join("marked.jsonl"));
    fs::write(&plain, PAIRS).unwrap();
    fs::write(&marked, format!("\u{feff}{}", PAIRS.replace('\n', "\r\n"))).unwrap();
    let score = |path: &Path| json(&run(&[&"score", &"--pairs", &path, &"--format", &"json"]));
    assert_eq!(score(&plain), score(&marked));
}

#[test]
fn bad_input_is_named_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let broken = file("broken.jsonl", b"{\"hyp\": \"a\", \"refs\": [\"b\"]}\n{\"hyp\": \n");
    let not_utf8 = file("latin.jsonl", b"{\"hyp\": \"a\", \"refs\": [\"b\"]}\n\xff\xfe\n");
    let no_reference = file("none.jsonl", b"{\"hyp\": \"a\", \"refs\": []}\n");
    for (path, line) in [(&broken, 2), (&not_utf8, 2), (&no_reference, 1)] {
        let message = failure(&run(&[&"score", &"--pairs", path]));
        let place = format!("{}:{line}: ", path.display());
        assert!(message.contains(&place), "{message}");
    }
    let (long, short) = (file("long.txt", b"a\nb\nc\n"), file("short.txt", b"a\n"));
    let message = failure(&run(&[&"score", &"--hyp", &long, &"--ref", &short]));
    assert!(message.contains("has 3 lines") && message.contains("only 1"), "{message}");
    let message = failure(&run(&[&"score", &"--pairs", &file("empty.jsonl", b"")]));
    assert!(message.contains("no segments"), "{message}");
    let message = failure(&run(&[&"score", &"--pairs", &folder.path().join("nowhere.jsonl")]));
    assert!(message.contains("nowhere.jsonl"), "{message}");
}

#[test]
fn unknown_names_list_the_known_ones() {
    for (args, known) in [
        (["--metric", "blue", "--unit", "word"], "bleu, nltk-bleu"),
        (["--metric", "bleu:ordre=2", "--unit", "word"], "order, smooth"),
        (["--metric", "bleu:order=0", "--unit", "word"], "`order` cannot be `0`"),
        (["--metric", "bleu", "--unit", "syllable"], "word, mecab"),
    ] {
        let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"score", &"--pairs", &"-"];
        all.extend(args.iter().map(|arg| arg as &dyn AsRef<_>));
        let message = failure(&run_with(PAIRS.as_bytes(), &all));
        assert!(message.contains(known), "{message}");
    }
}

#[test]
fn an_output_file_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("scores.json");
    let args: [&dyn AsRef<std::ffi::OsStr>; 7] =
        [&"score", &"--pairs", &"-", &"--format", &"json", &"--output", &out];
    failure(&run_with(b"{\n", &args));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(run_with(PAIRS.as_bytes(), &args).status.success());
    let written: Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(written["scores"].as_array().unwrap().len(), 2);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn merged_shards_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let shard = |name: &str, lines: &str| {
        let path = folder.path().join(name);
        let args: [&dyn AsRef<std::ffi::OsStr>; 9] = [
            &"score",
            &"--pairs",
            &"-",
            &"--metric",
            &"bleu",
            &"--metric",
            &"nist",
            &"--statistics",
            &path,
        ];
        assert!(run_with(lines.as_bytes(), &args).status.success());
        path
    };
    let mut lines = PAIRS.lines();
    let (one, two) =
        (shard("1.json", lines.next().unwrap()), shard("2.json", lines.next().unwrap()));
    let merged = json(&run(&[&"merge", &two, &one, &"--format", &"json"]));
    let whole = json(&run_with(
        PAIRS.as_bytes(),
        &[
            &"score",
            &"--pairs",
            &"-",
            &"--metric",
            &"bleu",
            &"--metric",
            &"nist",
            &"--format",
            &"json",
        ],
    ));
    assert_eq!(merged, whole);
    let alone = shard("3.json", PAIRS);
    fs::write(&alone, fs::read_to_string(&alone).unwrap().replace("BLEU", "BLUE")).unwrap();
    assert!(failure(&run(&[&"merge", &alone])).contains("BLUE"));
}

#[test]
fn compares_systems_with_a_test() {
    let (base, system, reference) =
        (sample("poor.txt"), sample("good.txt"), sample("reference.txt"));
    let result = json(&run(&[
        &"compare",
        &"--baseline",
        &base,
        &"--system",
        &system,
        &"--ref",
        &reference,
        &"--metric",
        &"chrf",
        &"--format",
        &"json",
    ]));
    let rows = result["comparisons"].as_array().unwrap();
    assert_eq!(rows[0]["p_value"], Value::Null);
    assert!(rows[1]["p_value"].as_f64().unwrap() < 0.05, "{rows:?}");
    assert!(rows[1]["score"].as_f64() > rows[0]["score"].as_f64());
    assert!(rows[1]["signature"].as_str().unwrap().ends_with("|bs:1000|seed:12345"));
}

#[test]
fn cuts_text_a_line_at_a_time() {
    let cut = |args: &[&str]| {
        let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"tokenize"];
        all.extend(args.iter().map(|arg| arg as &dyn AsRef<_>));
        let output = run_with("각 넓다\n\n".as_bytes(), &all);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(cut(&["--unit", "char"]), "각 넓 다\n\n");
    assert_eq!(cut(&["--unit", "jamo:form=split"]), "ㄱ ㅏ ㄱ ㄴ ㅓ ㄹ ㅂ ㄷ ㅏ\n\n");
    assert_eq!(cut(&["--unit", "word", "--format", "json"]), "[\"각\",\"넓다\"]\n[]\n");
    assert!(cut(&["--all"]).contains("jamo        ㄱ ㅏ ㄱ ㄴ ㅓ ㄼ ㄷ ㅏ\n"));
    let message = failure(&run_with(b"", &[&"tokenize", &"--unit", &"word", &"--pos"]));
    assert!(message.contains("unit with tags"), "{message}");
}

#[test]
fn lists_show_every_row() {
    let names = |key: &str| -> Vec<String> {
        let list = json(&run(&[&key, &"--format", &"json"]));
        let rows = list[key].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("metrics"), ko_eval::METRICS.iter().map(|row| row.name).collect::<Vec<_>>());
    assert_eq!(names("units"), ko_eval::UNITS.iter().map(|row| row.name).collect::<Vec<_>>());
    let checks = json(&run(&[&"doctor", &"--format", &"json"]));
    assert!(checks["checks"].as_array().unwrap().iter().any(|c| c["what"] == "unit jamo"));
}

#[test]
fn shells_and_man_are_served() {
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&[&"completions", &shell]).stdout;
        assert!(String::from_utf8(script).unwrap().contains("tokenize"));
    }
    assert!(String::from_utf8(run(&[&"man"]).stdout).unwrap().contains("Korean"));
}
