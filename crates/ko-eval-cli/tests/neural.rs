//! The built command with models: the tiny ones of `ko-neural`.

mod common;

use common::{command, failure, json, run_line};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../ko-neural/tests/models").join(name)
}

/// A folder of small files.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn close(found: &Value, expected: f64) -> bool {
    (found.as_f64().unwrap() - expected).abs() < 1e-4
}

/// What bert-score 0.3.13 answered for the same model.
#[test]
fn bertscore_equals_bert_score() {
    let desk = Desk::new();
    let expected = fs::read_to_string(model("bertscore/expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let list = |key: &str| expected[key].as_array().unwrap().clone();
    let pairs: String = list("candidates")
        .iter()
        .zip(&list("references"))
        .map(|(hyp, refs)| json!({ "hyp": hyp, "refs": refs }).to_string() + "\n")
        .collect();
    let (pairs, table) = (desk.file("pairs.jsonl", &pairs), model("bertscore/baseline.csv"));
    let folder = model("bert");
    let cases = list("cases");
    assert!(!cases.is_empty());
    for case in cases {
        let layer = case["layer"].to_string();
        let idf = if case["idf"] == true { "--idf" } else { "" };
        let rescale = if case["rescale"] == true { "--rescale {}" } else { "" };
        let line = format!(
            "bertscore --model {{}} --pairs {{}} --layer {layer} --segments --format json {idf} {rescale}"
        );
        let scores = json(&run_line(&line, &[&folder, &pairs, &table]));
        let names = ["bertscore-precision", "bertscore-recall", "bertscore"];
        for (name, expected) in names.iter().zip(case["multi"].as_array().unwrap()) {
            let rows = scores["scores"].as_array().unwrap();
            let row = rows.iter().find(|row| row["metric"] == *name).unwrap();
            for (found, expected) in
                row["segments"].as_array().unwrap().iter().zip(expected.as_array().unwrap())
            {
                assert!(close(found, expected.as_f64().unwrap()), "{case}: {row}");
            }
            let signature = row["signature"].as_str().unwrap();
            assert!(signature.contains(&format!("layer={layer}")), "{signature}");
        }
    }
}

#[test]
fn bertscore_rescales_by_random_pairs_and_searches_layers() {
    let desk = Desk::new();
    let hyp = desk.file("hyp.txt", "나는 밥을 먹었다.\n비가 온다\n눈이 많이 내린다\n");
    let reference = desk.file("ref.txt", "저는 밥을 먹었어요.\n눈이 온다\n눈이 많이 온다\n");
    let folder = model("bert");
    let with = |more: &str, path: &Path| {
        let line = format!("bertscore --model {{}} --hyp {{}} --ref {{}} {more}");
        run_line(&line, &[&folder, &hyp, &reference, path])
    };
    let plain = json(&with("--format json", &hyp))["scores"][0].clone();
    // Not in KoBERTScore's table: the last layer.
    assert!(plain["signature"].as_str().unwrap().contains("layer=2"), "{plain}");
    let rescaled = json(&with("--format json --baseline-from {}", &reference));
    assert!(rescaled["scores"][0]["score"].as_f64() < plain["score"].as_f64(), "{rescaled}");
    let human = desk.file("human.txt", "4.5\n1\n3.5\n");
    let layers = json(&with("--format json --search-layers {}", &human));
    let layers = layers["layers"].as_array().unwrap();
    assert_eq!(layers.len(), 3);
    assert!(layers[0]["pearson"].as_f64() >= layers[2]["pearson"].as_f64());

    let beyond = failure(&with("--layer 3", &hyp));
    assert!(beyond.contains("layer cannot be 3"), "{beyond}");
    let broken = desk.file("broken.txt", "4.5\nviel\n");
    let message = failure(&with("--search-layers {}", &broken));
    assert!(message.contains("broken.txt:2: `viel` is no number"), "{message}");
    let long = desk.file("long.txt", &format!("비가 온다\n{}\n", "나는 밥을 먹었다. ".repeat(20)));
    let line = "bertscore --model {} --hyp {} --ref {}";
    let message = failure(&run_line(line, &[&folder, &long, &long]));
    assert!(message.contains("line 2 has the longest text"), "{message}");
    assert!(message.contains("--long truncate"), "{message}");
    let line = format!("{line} --long truncate --format json");
    let cut = json(&run_line(&line, &[&folder, &long, &long]));
    assert!(close(&cut["scores"][0]["score"], 1.0), "{cut}");
    let nowhere = failure(&run_line("bertscore --model nowhere --pairs -", &[]));
    assert!(nowhere.contains("nowhere: no config.json here"), "{nowhere}");
}

#[test]
fn rdass_stands_beside_rouge() {
    let desk = Desk::new();
    let document =
        desk.file("doc.txt", "어제 저녁에 나는 시장에서 국밥을 먹었다.\n어제 비가 많이 온다\n");
    let one = desk.file("ref1.txt", "나는 국밥을 먹었다.\n비가 온다\n");
    let two = desk.file("ref2.txt", "나는 밥을 먹었다.\n비가 많이 온다\n");
    let hyp = desk.file("hyp.txt", "나는 밥을 먹었다.\n비가 온다\n");
    let folder = model("sentence");
    let more = "--unit char --segments --long truncate --format json";
    let line =
        format!("rdass --model {{}} --document {{}} --hyp {{}} --ref {{}} --ref {{}} {more}");
    let found = json(&run_line(&line, &[&folder, &document, &hyp, &one, &two]));
    let rows = found["scores"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["metric"].as_str().unwrap()).collect();
    let expected = ["rdass", "rdass-reference", "rdass-document", "rouge-1", "rouge-2", "rouge-l"];
    assert_eq!(names, expected);
    let score = |row: usize| rows[row]["score"].as_f64().unwrap();
    assert!((score(0) - (score(1) + score(2)) / 2.0).abs() < 1e-9);
    assert!((score(1) - 1.0).abs() < 1e-5, "the nearest reference is the summary itself");
    assert!(rows[3]["signature"].as_str().unwrap().contains("tok:char"), "{}", rows[3]);
    // The same from JSON lines.
    let lines = "{\"document\": \"어제 저녁에 나는 시장에서 국밥을 먹었다.\", \
                 \"references\": [\"나는 국밥을 먹었다.\", \"나는 밥을 먹었다.\"], \
                 \"summary\": \"나는 밥을 먹었다.\"}\n";
    let lines = desk.file("summaries.jsonl", lines);
    let jsonl = format!("rdass --model {{}} --summaries {{}} {more}");
    let first = json(&run_line(&jsonl, &[&folder, &lines]));
    assert!(close(&first["scores"][0]["score"], rows[0]["segments"][0].as_f64().unwrap()));
    let short = desk.file("short.txt", "나는 밥을 먹었다.\n");
    let message = failure(&run_line(&line, &[&folder, &short, &hyp, &one, &two]));
    assert!(message.contains("short.txt has only 1"), "{message}");
}

#[test]
fn vectors_are_written_for_numpy_and_for_probes() {
    let desk = Desk::new();
    let sentences: Vec<String> =
        (0..40).map(|n| format!("나는 밥을 먹었다.{}", " 비가 온다".repeat(n % 5))).collect();
    let texts = desk.file("texts.txt", &(sentences.join("\n") + "\n"));
    let (matrix, lines) = (desk.path("vectors.npy"), desk.path("vectors.jsonl"));
    let folder = model("bert");
    for out in [&matrix, &lines] {
        let line = "embed --model {} --pooling cls --output {} {}";
        let output = run_line(line, &[&folder, out, &texts]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let note = String::from_utf8(output.stderr).unwrap();
        assert!(note.contains("40 vectors of 16 numbers by bert|pooling:cls|long:error"), "{note}");
    }
    let bytes = fs::read(&matrix).unwrap();
    let header = bytes.strip_prefix(b"\x93NUMPY\x01\x00").unwrap();
    let (length, rest) = header.split_at(2);
    let (header, numbers) =
        rest.split_at(usize::from(u16::from_le_bytes(length.try_into().unwrap())));
    assert_eq!((10 + header.len()) % 64, 0);
    assert!(header.starts_with(b"{'descr': '<f4', 'fortran_order': False, 'shape': (40, 16), }"));
    let numbers: Vec<f32> =
        numbers.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    assert_eq!(numbers.len(), 40 * 16);
    let text = fs::read_to_string(&lines).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows[39]["text"], sentences[39]);
    let last: Vec<f32> = serde_json::from_value(rows[39]["vector"].clone()).unwrap();
    assert_eq!(last, numbers[39 * 16..], "not a bit is lost in JSON");

    let wrong = failure(&run_line("embed --model {} --output v.csv {}", &[&folder, &texts]));
    assert!(wrong.contains("v.csv: vectors are written to .npy or .jsonl"), "{wrong}");

    // Probes read them, and read the model itself.
    let data = desk.path("data");
    fs::create_dir(&data).unwrap();
    let part = |n: usize| ["tr", "tr", "va", "te"][n / 10];
    let lines_of = |(n, text): (usize, &String)| format!("{}\t{}\t{text}\n", part(n), n % 5 / 3);
    let set: String = sentences.iter().enumerate().map(lines_of).collect();
    fs::write(data.join("SentLen.txt"), set).unwrap();
    let out = desk.path("out");
    let vectors = PathBuf::from(format!("kept={}", lines.display()));
    let line = "probe run {} --embedder jamo --vectors {} --model {} --output {}";
    let probed = run_line(line, &[&data, &vectors, &folder, &out]);
    assert!(probed.status.success(), "{}", String::from_utf8_lossy(&probed.stderr));
    let report = String::from_utf8(probed.stdout).unwrap();
    assert!(report.contains("kept") && report.contains("bert"), "{report}");
}

const SCORED: &str = "score\tsentence1\tsentence2
5\t나는 밥을 먹었다.\t저는 밥을 먹었어요.
2\t비가 온다\t눈이 많이 내린다
0\t어제 저녁에 국밥을 먹었다.\t비가 온다
4\t우리는 시장에서 국밥을 먹었어요!\t우리는 국밥을 먹었다.
";

const TONES: &str = "sentence\tformality
저는 밥을 먹었어요.\tformal
나는 밥을 먹었다.\tinformal
우리는 시장에서 먹었어요!\tformal
비가 온다\tinformal
";

const TONED: &str = "sentence1\tsentence2\tscore\tformality1\tformality2
나는 밥을 먹었다.\t저는 밥을 먹었어요.\t3\tinformal\tformal
저는 밥을 먹었어요.\t우리는 시장에서 먹었어요!\t2.5\tformal\tformal
비가 온다\t눈이 온다\t4\tinformal\tinformal
나는 국밥을 먹었다.\t나는 밥을 먹었다.\t5\tinformal\tinformal
";

/// Trains by the command; the model's folder. Each `{}` of `more` is the data again.
fn train(desk: &Desk, kind: &str, data: &Path, more: &str) -> PathBuf {
    let (out, backbone) = (desk.path(kind), model("albert"));
    let line = format!(
        "train {kind} --backbone {{}} --output {{}} --train {{}} --epochs 3 --learning-rate 1e-3 \
         --longest 40 --threads 1 --format json {more}"
    );
    let report = json(&run_line(&line, &[&backbone, &out, data, data]));
    assert_eq!(report["steps"], 3, "{report}");
    let log = fs::read_to_string(out.join("log.jsonl")).unwrap();
    assert!(log.lines().filter(|line| line.contains("\"loss\"")).count() == 3, "{log}");
    assert!(out.join("training.json").is_file());
    assert!(!desk.path(&format!("{kind}.checkpoint")).exists(), "the state is taken away");
    out
}

#[test]
fn kosmic_from_training_to_tables() {
    let desk = Desk::new();
    let (scored, tones, toned) = (
        desk.file("scored.tsv", SCORED),
        desk.file("tones.tsv", TONES),
        desk.file("toned.tsv", TONED),
    );
    let sts = train(&desk, "sts", &scored, "--dev {}");
    let fic = train(&desk, "fic", &tones, "");
    let csl = train(&desk, "csl", &toned, "--dev {} --margin 0.8");
    let kosmic = |more: &str, paths: &[&Path]| {
        let line = format!("kosmic --sts {{}} --fic {{}} --csl {{}} {more}");
        run_line(&line, &[&[sts.as_path(), &fic, &csl][..], paths].concat())
    };
    let pairs = "나는 밥을 먹었다.\t저는 밥을 먹었어요.\n비가 온다\t비가 온다\n";
    let pairs = desk.file("pairs.tsv", pairs);
    let found = json(&kosmic("--pairs {} --weights 0.6,0.3,0.1 --format json", &[&pairs]));
    let part = |pair: usize, name: &str| found["pairs"][pair][name].as_f64().unwrap();
    for pair in 0..2 {
        let sum = 0.6 * part(pair, "sts") + 0.3 * part(pair, "fic") + 0.1 * part(pair, "csl");
        assert!((part(pair, "kosmic") - sum).abs() < 1e-9);
    }
    assert_eq!((part(1, "fic"), part(1, "csl") > 4.999), (5.0, true), "{found}");
    let mean = (part(0, "kosmic") + part(1, "kosmic")) / 2.0;
    assert!((found["mean"]["kosmic"].as_f64().unwrap() - mean).abs() < 1e-9);
    assert!(found["signature"].as_str().unwrap().contains("weights:0.6,0.3,0.1"), "{found}");
    // The same from two files, as a table for people.
    let first = desk.file("first.txt", "나는 밥을 먹었다.\n비가 온다\n");
    let second = desk.file("second.txt", "저는 밥을 먹었어요.\n비가 온다\n");
    let table = kosmic("--first {} --second {} --format csv", &[&first, &second]);
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.starts_with("pair,sts,fic,csl,kosmic,signature\n1,"), "{table}");
    assert!(table.lines().last().unwrap().starts_with("mean,"), "{table}");

    let tuned = json(&kosmic("--tune {} --steps 4 --format json", &[&scored]));
    assert_eq!(tuned["tuned"].as_array().unwrap().len(), 3);
    assert_eq!(tuned["tuned"][0]["weights"][2], 0.0, "KOSMIC-FIC has no CSL: {tuned}");
    let best = |row: usize| tuned["tuned"][row]["pearson"].as_f64().unwrap();
    assert!(best(2) >= best(0) && best(2) >= best(1), "{tuned}");

    let judged = json(&kosmic("--evaluate {} --tune {} --format json", &[&toned, &scored]));
    let methods = judged["methods"].as_array().unwrap();
    let names: Vec<&str> = methods.iter().map(|row| row["method"].as_str().unwrap()).collect();
    assert_eq!(names, ["STS", "KOSMIC-FIC", "KOSMIC-CSL", "KOSMIC"]);
    for row in methods {
        let accuracy = row["accuracy"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&accuracy) && row["pearson"].is_number(), "{row}");
    }

    let named = |name: &str, path: &Path| PathBuf::from(format!("{name}={}", path.display()));
    let (copy, other) = (named("copy", &first), named("other", &second));
    let line = "--first {} --method {} --method {} --format json";
    let ranked = json(&kosmic(line, &[&first, &copy, &other]));
    let row = |place: usize| ranked["paraphrases"][place]["kosmic"].as_f64().unwrap();
    assert_eq!(ranked["paraphrases"][1]["method"], "other");
    assert!(row(0) > row(1), "a copy is the best paraphrase by any of the three: {ranked}");

    for (line, part) in [
        ("--weights 0.5,0.5 --pairs {}", "expected three numbers"),
        ("--weights 0.5,0.5,0.5 --pairs {}", "sum to 1"),
        ("--evaluate {}", "pairs.tsv:1: no column `sentence1`"),
        ("", "give --pairs FILE"),
    ] {
        let message = failure(&kosmic(line, &[&pairs]));
        assert!(message.contains(part), "{message}");
    }
    let line = "kosmic --sts {} --fic {} --csl {} --pairs {}";
    let swapped = failure(&run_line(line, &[&fic, &sts, &csl, &pairs]));
    assert!(swapped.contains("the head is for `fic`"), "{swapped}");
}

#[test]
fn embedders_and_rdass_are_trained() {
    let desk = Desk::new();
    let labelled = desk.file(
        "nli.tsv",
        "sentence1\tsentence2\tgold_label\n나는 국밥을 먹었다.\t나는 먹었다.\tentailment\n\
         비가 온다\t눈이 온다\tcontradiction\n",
    );
    let scored = desk.file("scored.tsv", SCORED);
    let summaries = desk.file(
        "summaries.jsonl",
        "{\"document\": \"어제 나는 밥을 먹었다.\", \"references\": [\"나는 밥을 먹었다.\"], \
         \"summary\": \"나는 먹었다.\"}\n{\"document\": \"어제 비가 많이 온다\", \
         \"references\": [\"비가 온다\"], \"summary\": \"비가 많이 온다\"}\n",
    );
    let text = desk.file("text.txt", "비가 온다\n");
    for (kind, data) in [("sbert-nli", &labelled), ("sbert-sts", &scored), ("rdass", &summaries)] {
        let folder = train(&desk, kind, data, "");
        let line = json(&run_line("embed --model {} {}", &[&folder, &text]));
        assert_eq!(line["vector"].as_array().unwrap().len(), 16, "{kind}");
    }
    // A finished model is not overwritten, and data are named by file and line.
    let out = desk.path("rdass");
    let again = |train: &Path, out: &Path| {
        let line = "train sts --backbone {} --train {} --output {}";
        failure(&run_line(line, &[&model("albert"), train, out]))
    };
    assert!(again(&scored, &out).contains("the folder holds a finished training"));
    let broken = desk.file("broken.tsv", "score\tsentence1\tsentence2\n7\t가\t나\n");
    let new = desk.path("new");
    let message = again(&broken, &new);
    assert!(message.contains("broken.tsv:2: `7` is not a number from 0 to 5"), "{message}");
    assert!(!new.exists(), "nothing is written");
}

#[test]
fn doctor_knows_that_there_are_models() {
    let doctor = json(&run_line("doctor --format json", &[]));
    let checks = doctor["checks"].as_array().unwrap();
    assert!(checks.iter().any(|check| check["what"] == "models" && check["ready"] == true));
}

/// A training that is really killed, at whatever it happens to do, ends with the very weights of one that was not.
#[cfg(unix)]
#[test]
fn a_killed_training_goes_on_to_the_same_weights() {
    use std::{
        os::unix::process::ExitStatusExt,
        time::{Duration, SystemTime},
    };
    let desk = Desk::new();
    let (scored, backbone) = (desk.file("scored.tsv", SCORED), model("bert"));
    let start = |out: &Path| {
        let line = "train sts --backbone {} --train {} --dev {} --output {} --epochs 60 --batch 2 \
                    --learning-rate 1e-3 --longest 40 --threads 1 --checkpoint-every 1";
        command(line, &[&backbone, &scored, &scored, out]).spawn().unwrap()
    };
    let through = desk.path("through");
    assert!(start(&through).wait().unwrap().success());

    let killed = desk.path("killed");
    let steps = || {
        let log = fs::read_to_string(killed.join("log.jsonl")).unwrap_or_default();
        log.lines().filter(|line| line.contains("\"loss\"")).count()
    };
    let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let chance = clock.subsec_nanos() as usize / 1000;
    // 120 steps in all: somewhere in the first ten, then ten to twenty steps later.
    for wanted in [1 + chance % 10, 10 + chance % 11] {
        let mut child = start(&killed);
        let before = steps();
        while steps() < before + wanted && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(chance as u64 % 3000));
        child.kill().unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(9), "after {wanted} steps: {status}");
        assert!(killed.with_extension("checkpoint").is_dir());
        assert!(!killed.join("training.json").exists());
    }
    let status = start(&killed).wait().unwrap();
    assert!(status.success(), "{status}");
    for name in ["model.safetensors", "head.safetensors"] {
        let whole = fs::read(through.join(name)).unwrap();
        assert!(fs::read(killed.join(name)).unwrap() == whole, "{name} differs; chance {chance}");
    }
    let losses = |out: &Path| -> Value {
        let report = fs::read_to_string(out.join("training.json")).unwrap();
        serde_json::from_str(&report).unwrap()
    };
    for figure in ["steps", "final_loss", "best_score"] {
        assert_eq!(losses(&killed)[figure], losses(&through)[figure], "{figure}");
    }
}
