//! Vectors of another runtime below the metrics, without libtorch: from a file, and from a program.

use ko_eval_core::{Error, Library, Scorer, Segment, Signed};
use ko_eval_io::bridge::Program;
use ko_eval_model::{Encoder, SentenceEmbedder};
use ko_neural::{METRICS, VectorFile, VectorProgram, by_name};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// A vector per text and per token, in one file.
const LINES: &str = r#"{"text": "비가 온다", "vector": [1, 0], "tokens": ["[CLS]", "비", "온다"], "special": [true, false, false], "vectors": [[1, 1], [1, 0], [0, 1]]}

{"text": "눈이 온다", "vector": [0.6, 0.8], "tokens": ["[CLS]", "눈", "온다"], "special": [true, false, false], "vectors": [[1, 1], [0.6, 0.8], [0, 1]]}
{"text": "오늘은 비가 온다.", "vector": [0.8, 0.6]}
"#;

fn vectors(lines: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors.jsonl");
    fs::write(&path, lines).unwrap();
    (folder, path)
}

fn rain() -> Segment<'static> {
    Segment::new("비가 온다", ["눈이 온다"]).unwrap().with_source("오늘은 비가 온다.")
}

fn near(ours: f64, expected: f64) {
    assert!((ours - expected).abs() < 1e-6, "{ours} is not {expected}");
}

#[test]
fn a_file_stands_below_rdass_and_bertscore() {
    let (_folder, path) = vectors(LINES);
    let rdass = by_name(&format!("rdass:vectors={}", path.display())).unwrap();
    let score = rdass.segment_score(&rain()).unwrap();
    near(score.detail("reference").unwrap(), 0.6);
    near(score.detail("document").unwrap(), 0.8);
    near(score.value, 0.7);
    let bertscore = by_name(&format!("bertscore:vectors={}", path.display())).unwrap();
    let score = bertscore.segment_score(&rain()).unwrap();
    // 비's nearest is the mark, 45 degrees away; 온다's is 온다. 눈's nearest is the mark as well, at 1.4/√2.
    near(score.detail("precision").unwrap(), (1.0 + 0.5f64.sqrt()) / 2.0);
    near(score.detail("recall").unwrap(), (1.0 + 1.4 * 0.5f64.sqrt()) / 2.0);
}

#[test]
fn a_signature_follows_the_file() {
    let (_one, first) = vectors(LINES);
    let (_two, second) = vectors(&LINES.replace("0.8", "0.9"));
    let signature = |path: &Path| VectorFile::open(path).unwrap().signature();
    assert_eq!(signature(&first).name(), "vectors.jsonl");
    assert_ne!(signature(&first), signature(&second));
}

#[test]
fn what_a_file_lacks_is_named() {
    let (_folder, path) = vectors(LINES);
    let file = VectorFile::open(&path).unwrap();
    let error = file.embed(&["비가 온다", "해가 뜬다"]).unwrap_err().to_string();
    assert!(error.contains("the vector of \"해가 뜬다\""), "{error}");
    let error = file.encode(&["오늘은 비가 온다."]).unwrap_err().to_string();
    assert!(error.contains("the tokens' vectors of \"오늘은 비가 온다.\""), "{error}");
    for (lines, why) in [
        ("", "no vectors"),
        ("\n{\"vector\": [1]}", "vectors.jsonl:2: no `text`"),
        (
            "{\"text\": \"가\", \"vector\": [1]}\n{\"text\": \"나\", \"vector\": [1, 2]}",
            ":2: a vector of 2",
        ),
        ("가\t1\t2", "vectors.jsonl:1"),
    ] {
        let (_folder, path) = vectors(lines);
        let error = VectorFile::open(&path).unwrap_err().to_string();
        assert!(error.contains(why), "{lines}: {error}");
    }
}

/// A program that gives a text the vector [its letters, 1], and every letter [its place, 1].
#[cfg(unix)]
const PROGRAM: &str = r#"
import json, sys
for line in sys.stdin:
    text = line.rstrip("\n")
    letters = [[place, 1.0] for place, _ in enumerate(text)]
    print(json.dumps({"vector": [len(text), 1.0], "tokens": list(text), "vectors": letters}), flush=True)
"#;

#[cfg(unix)]
fn program(source: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.py");
    fs::write(&path, source).unwrap();
    let command = format!("python3 {}", path.display());
    (folder, command)
}

#[cfg(unix)]
#[test]
fn a_program_stands_below_rdass_and_bertscore() {
    let (_folder, command) = program(PROGRAM);
    let rdass = by_name(&format!("rdass:program={command},version=2")).unwrap();
    let score = rdass.segment_score(&rain()).unwrap();
    near(score.detail("reference").unwrap(), 1.0);
    let cosine = (5.0 * 10.0 + 1.0) / (26f64.sqrt() * 101f64.sqrt());
    near(score.detail("document").unwrap(), cosine);
    let signature = rdass.signature();
    let embedder = signature.get("embedder").unwrap();
    assert!(embedder.contains("command=python3") && embedder.contains("version=2"), "{embedder}");
    let bertscore = by_name(&format!("bertscore:program={command}")).unwrap();
    near(bertscore.segment_score(&rain()).unwrap().value, 1.0);
    // Intervals come from the statistics, whoever made the vectors.
    let segments = [rain(), Segment::new("눈", ["비가 온다"]).unwrap()];
    let measured = bertscore.measure(&segments.as_slice()).unwrap();
    assert!(measured.corpus_score().unwrap().score.value < 1.0);
}

#[cfg(unix)]
#[test]
fn a_program_may_answer_to_what_is_no_line() {
    let (_folder, command) = program(PROGRAM);
    let program = VectorProgram::new(Program::parse(&command).unwrap()).unwrap();
    // A line break is sent as a space; an empty text is an empty line.
    assert_eq!(program.embed(&["가\n나", ""]).unwrap().as_slice(), [3.0, 1.0, 0.0, 1.0]);
    let encodings = program.encode(&["가\t나", ""]).unwrap();
    assert_eq!(encodings[0].tokens, ["가", " ", "나"]);
    assert!(encodings[1].tokens.is_empty());
}

#[cfg(unix)]
#[test]
fn what_is_no_answer_is_an_error_that_shows_it() {
    use std::error::Error as _;
    let ask = |script: &str| {
        let program = VectorProgram::new(Program::new("sh").args(["-c", script])).unwrap();
        let error = program.embed(&["가", "나다"]).unwrap_err();
        error.source().map_or_else(|| error.to_string(), ToString::to_string)
    };
    let answers = |text: &str| format!("while read -r line; do echo '{text}'; done");
    assert!(ask(&answers("[1, 2]")).contains("[1, 2]"));
    assert!(ask(&answers("{\"tokens\": [], \"vectors\": []}")).contains("no `vector`"));
    assert!(ask(&answers("{\"vector\": []}")).contains("a vector of 0 numbers"));
    let grows = r#"n=1; while read -r line; do echo "{\"vector\": [$n]}"; n="$n, 1"; done"#;
    assert!(ask(grows).contains("a vector of 2 numbers, expected 1"));
    assert!(ask("read -r line; echo broken >&2; exit 3").contains("broken"));
    // The first answer comes twice: its second line is for no text.
    let twice = r#"while read -r line; do
        echo "{\"text\": \"$line\", \"vector\": [1]}"
        [ "$line" = 가 ] && echo "{\"text\": \"가\", \"vector\": [1]}"
    done"#;
    let error = ask(twice);
    assert!(error.contains("was asked") || error.contains("more lines than"), "{error}");
    let stale = r#"while read -r line; do echo '{"text": "가", "vector": [1]}'; done"#;
    assert!(ask(stale).contains("it is for \"가\", and \"나다\" was asked"));
}

#[cfg(unix)]
#[test]
fn a_program_that_hangs_is_given_up() {
    use std::error::Error as _;
    let (_folder, command) = program("import time\ntime.sleep(600)\n");
    let rdass = by_name(&format!("rdass:program={command},timeout=0.2")).unwrap();
    let error = rdass.segment_score(&rain()).unwrap_err();
    let error = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    assert!(error.contains("0.2") || error.contains("200"), "{error}");
}

#[test]
fn settings_of_models_are_refused_beside_vectors() {
    let (_folder, path) = vectors(LINES);
    let path = path.display();
    for (spec, why) in [
        (format!("rdass:vectors={path},pooling=cls"), "`pooling`"),
        (format!("rdass:vectors={path},prefix=query:"), "`prefix`"),
        (format!("bertscore:vectors={path},device=cpu"), "`device`"),
        (format!("bertscore:vectors={path},layer=3"), "`layer`"),
        (format!("bertscore:vectors={path},rescale=table.csv"), "`rescale`"),
        (format!("bertscore:vectors={path},program=cat"), "`vectors`"),
        (format!("bertscore:vectors={path},version=3"), "`version`"),
        (format!("rdass:vectors={path},timeout=3"), "`timeout`"),
        ("rdass:sbert,version=3".to_owned(), "`version`"),
        (format!("bertscore:klue-bert,vectors={path}"), "`MODEL`"),
    ] {
        let error = by_name(&spec).unwrap_err().to_string();
        assert!(error.contains(why), "{spec}: {error}");
    }
}

/// A plan that somebody sent starts no program, and opens no file elsewhere.
#[test]
fn a_file_starts_no_program() {
    let no_units = |_: &str| Err(Error::EmptyCorpus);
    let library = Library { metrics: METRICS, unit: no_units, unit_row: |_| None };
    let folder = tempfile::tempdir().unwrap();
    let check = |spec: &str| library.check_trusted(spec, folder.path());
    for row in ["rdass", "bertscore"] {
        let error = check(&format!("{row}:program=python3 my.py")).unwrap_err().to_string();
        assert!(error.contains("runs code that it names"), "{error}");
        let error = check(&format!("{row}:vectors=/etc/passwd")).unwrap_err().to_string();
        assert!(error.contains("opens a file outside"), "{error}");
        check(&format!("{row}:vectors=vectors.jsonl")).unwrap();
    }
}
