//! The built command with models: the tiny ones of `ko-neural`.

use crate::common::{command, failure, finish, jobs::Job, json, run_line, text};
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

/// `bertscore:FOLDER,layer=2`: a metric over models, as one word of a line.
fn spec(name: &str, folder: &Path, settings: &str) -> PathBuf {
    PathBuf::from(format!("{name}:{}{settings}", folder.display()))
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
    let references: String = list("references")
        .iter()
        .flat_map(|refs| refs.as_array().unwrap())
        .map(|text| text.as_str().unwrap().to_owned() + "\n")
        .collect();
    let pairs = desk.file("pairs.jsonl", &pairs);
    let references = desk.file("references.txt", &references);
    let table = model("bertscore/baseline.csv");
    let cases = list("cases");
    assert!(!cases.is_empty());
    for case in cases {
        let mut settings = format!(",layer={}", case["layer"]);
        if case["idf"] == true {
            settings += &format!(",idf={}", references.display());
        }
        if case["rescale"] == true {
            settings += &format!(",rescale={}", table.display());
        }
        let metric = spec("bertscore", &model("bert"), &settings);
        let line = "score --pairs {} -m {} --segments --format json";
        let scores = json(&run_line(line, &[&pairs, &metric]));
        let row = &scores["scores"][0];
        assert!(row["unit"].is_null(), "it stands alone: {row}");
        let [precision, recall, f1] = [0, 1, 2].map(|place| {
            let values = case["multi"][place].as_array().unwrap();
            values.iter().map(|value| value.as_f64().unwrap()).collect::<Vec<_>>()
        });
        for (found, expected) in row["segments"].as_array().unwrap().iter().zip(&f1) {
            assert!(close(found, *expected), "{case}: {row}");
        }
        for (name, expected) in [("precision", precision), ("recall", recall)] {
            let mean = expected.iter().sum::<f64>() / expected.len() as f64;
            assert!(close(&row["details"][name], mean), "{name} of {case}: {row}");
        }
        let signature = row["signature"].as_str().unwrap();
        assert!(signature.contains(&format!("layer={}", case["layer"])), "{signature}");
    }
}

#[test]
fn bertscore_finds_baselines_and_searches_layers() {
    let desk = Desk::new();
    let hyp = desk.file("hyp.txt", "나는 밥을 먹었다.\n비가 온다\n눈이 많이 내린다\n");
    let reference = desk.file("ref.txt", "저는 밥을 먹었어요.\n눈이 온다\n눈이 많이 온다\n");
    let folder = model("bert");
    let score = |settings: &str| {
        let metric = spec("bertscore", &folder, settings);
        run_line("score --hyp {} --ref {} -m {} --format json", &[&hyp, &reference, &metric])
    };
    let plain = json(&score(""))["scores"][0].clone();
    // Not in KoBERTScore's table: the last layer.
    assert!(plain["signature"].as_str().unwrap().contains("layer=2"), "{plain}");
    let table = desk.path("baseline.csv");
    let line = "bertscore --model {} --baseline-from {} --baseline-pairs 50 --format csv -o {}";
    assert!(run_line(line, &[&folder, &reference, &table]).status.success());
    let rescaled = json(&score(&format!(",rescale={}", table.display())));
    assert!(rescaled["scores"][0]["score"].as_f64() < plain["score"].as_f64(), "{rescaled}");
    // Blank lines and repeated ones change nothing.
    let gaps =
        desk.file("gaps.txt", "저는 밥을 먹었어요.\n\n눈이 온다\n눈이 온다\n \n눈이 많이 온다\n");
    let same = desk.path("same.csv");
    assert!(run_line(line, &[&folder, &gaps, &same]).status.success());
    assert_eq!(fs::read_to_string(&same).unwrap(), fs::read_to_string(&table).unwrap());
    for useless in ["--ref x.txt", "--columns hyp=1"] {
        let line = format!("bertscore --model {{}} --baseline-from {{}} {useless}");
        let message = failure(&run_line(&line, &[&folder, &reference]));
        assert!(message.contains("cannot be used with"), "{message}");
    }

    let human = desk.file("human.txt", "4.5\n1\n3.5\n");
    let search = |human: &Path| {
        let line = "bertscore --model {} --hyp {} --ref {} --search-layers {} --format json";
        run_line(line, &[&folder, &hyp, &reference, human])
    };
    let layers = json(&search(&human));
    let layers = layers["layers"].as_array().unwrap();
    assert_eq!(layers.len(), 3);
    assert!(layers[0]["pearson"].as_f64() >= layers[2]["pearson"].as_f64());
    for layer in layers {
        let [low, value, high] = ["low", "pearson", "high"].map(|key| layer[key].as_f64().unwrap());
        assert!(low <= value && value <= high && low < high, "{layer}");
    }
    let broken = desk.file("broken.txt", "4.5\nviel\n");
    let message = failure(&search(&broken));
    assert!(message.contains("broken.txt:2: `viel` is no number"), "{message}");

    let beyond = failure(&score(",layer=3"));
    assert!(beyond.contains("at most 2, the model's number of layers"), "{beyond}");
    let long = desk.file("long.txt", &format!("비가 온다\n{}\n", "나는 밥을 먹었다. ".repeat(20)));
    let line = "score --hyp {} --ref {} -m {} --format json";
    let message = failure(&run_line(line, &[&long, &long, &spec("bertscore", &folder, "")]));
    assert!(message.contains("long=truncate"), "{message}");
    let cut = spec("bertscore", &folder, ",long=truncate");
    let cut = json(&run_line(line, &[&long, &long, &cut]));
    assert!(close(&cut["scores"][0]["score"], 1.0), "{cut}");
    let nowhere = failure(&run_line("score -m bertscore:nowhere --pairs -", &[]));
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
    let metric = spec("rdass", &model("sentence"), ",long=truncate");
    let more = "-m {} -m rouge-1 -m rouge-l --unit char --unit word --segments --format json";
    let line = format!("score --src {{}} --hyp {{}} --ref {{}} --ref {{}} {more}");
    let found = json(&run_line(&line, &[&document, &hyp, &one, &two, &metric]));
    let rows = found["scores"].as_array().unwrap();
    let units: Vec<_> = rows.iter().map(|row| row["unit"].as_str()).collect();
    let expected = [None, Some("char"), Some("char"), Some("word"), Some("word")];
    assert_eq!(units, expected, "a metric over a model is measured once: {found}");
    let detail = |name: &str| rows[0]["details"][name].as_f64().unwrap();
    let mean = (detail("reference") + detail("document")) / 2.0;
    assert!((rows[0]["score"].as_f64().unwrap() - mean).abs() < 1e-9);
    assert!((detail("reference") - 1.0).abs() < 1e-5, "the summary is one of its references");
    assert!(rows[1]["signature"].as_str().unwrap().contains("tok:char"), "{}", rows[1]);
    // The same from JSON lines.
    let lines = json!({
        "src": "어제 저녁에 나는 시장에서 국밥을 먹었다.",
        "refs": ["나는 국밥을 먹었다.", "나는 밥을 먹었다."],
        "hyp": "나는 밥을 먹었다.",
    });
    let lines = desk.file("summaries.jsonl", &format!("{lines}\n"));
    let first = json(&run_line("score --pairs {} -m {} --format json", &[&lines, &metric]));
    assert!(close(&first["scores"][0]["score"], rows[0]["segments"][0].as_f64().unwrap()));
    // Without documents nothing is run; a document too few is named.
    let without = "score --hyp {} --ref {} -m {} -m rouge-1";
    let message = failure(&run_line(without, &[&hyp, &one, &metric]));
    assert!(message.contains("a file of sources is missing") && message.contains("--src"));
    let bare = desk.file("bare.jsonl", &format!("{}\n", json!({ "refs": ["가"], "hyp": "가" })));
    let message = failure(&run_line("score --pairs {} -m {}", &[&bare, &metric]));
    assert!(message.contains("RDASS needs a source, and segment 1 has none"), "{message}");
    let short = desk.file("short.txt", "나는 밥을 먹었다.\n");
    let message = failure(&run_line(&line, &[&short, &hyp, &one, &two, &metric]));
    assert!(message.contains("short.txt"), "{message}");
}

/// Copies a model's folder.
fn copied(from: &Path, to: PathBuf) -> PathBuf {
    fs::create_dir_all(&to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copied(&path, name);
        } else {
            fs::copy(&path, name).unwrap();
        }
    }
    to
}

/// Returns whether two values are equal but for the rounding of other batches.
fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-6
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.keys().eq(b.keys()) && a.iter().all(|(key, value)| alike(value, &b[key]))
        }
        _ => a == b,
    }
}

/// Shards of metrics over models are merged where the models are not; of other weights under the same name they are
/// refused.
#[test]
fn shards_are_merged_without_a_model() {
    let desk = Desk::new();
    let (bert, sentence) =
        (copied(&model("bert"), desk.path("bert")), copied(&model("sentence"), desk.path("sbert")));
    let pair = |hyp: &str, reference: &str, src: &str| {
        json!({ "hyp": hyp, "refs": [reference], "src": src }).to_string() + "\n"
    };
    let lines = [
        pair("나는 밥을 먹었다.", "저는 밥을 먹었어요.", "어제 나는 밥을 먹었다."),
        pair("비가 온다", "눈이 온다", "어제 비가 많이 온다"),
        pair("눈이 많이 내린다", "눈이 온다", "저녁에 눈이 많이 내린다"),
    ];
    let metrics =
        [spec("bertscore", &bert, ",layer=1"), spec("rdass", &sentence, ",long=truncate")];
    let score = |name: &str, lines: &str| {
        let pairs = desk.file(&format!("{name}.jsonl"), lines);
        let shard = desk.path(&format!("{name}.json"));
        let line = "score --pairs {} -m {} -m {} -m chrf --statistics {} --format json";
        (json(&run_line(line, &[&pairs, &metrics[0], &metrics[1], &shard])), shard)
    };
    let (whole, _) = score("whole", &lines.concat());
    let (_, first) = score("first", &lines[..1].concat());
    let (_, second) = score("second", &lines[1..].concat());
    // Another model in a folder of the same name.
    let (config, kept) = (bert.join("config.json"), desk.path("kept.json"));
    fs::copy(&config, &kept).unwrap();
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replacen('{', "{ ", 1)).unwrap();
    let (_, other) = score("other", &lines[1..].concat());
    fs::remove_dir_all(&bert).unwrap();
    fs::remove_dir_all(&sentence).unwrap();
    let merged = json(&run_line("merge {} {} --format json", &[&first, &second]));
    let of = |all: &Value, row: &Value| {
        let rows = all["scores"].as_array().unwrap().clone();
        rows.into_iter().find(|other| other["metric"] == row["metric"]).unwrap()
    };
    for row in whole["scores"].as_array().unwrap() {
        let merged = of(&merged, row);
        for key in ["score", "signature", "details", "unit"] {
            assert!(alike(&merged[key], &row[key]), "{key} of {row} is {}", merged[key]);
        }
    }
    let message = failure(&run_line("merge {} {}", &[&first, &other]));
    assert!(message.contains("digest"), "{message}");
}

/// RDASS's own study: relevance, consistency and fluency, ROUGE beside RDASS of two embedders, Williams' test of each pair.
#[test]
fn rdass_is_judged_as_its_study_does() {
    let desk = Desk::new();
    let good = desk.file(
        "good.txt",
        "나는 밥을 먹었다.\n비가 온다\n눈이 많이 내린다\n밥을 먹는다\n비가 많이 온다\n나는 온다\n",
    );
    let bad = desk
        .file("bad.txt", "먹었다 나는\n온다\n비가 온다\n나는 비가\n온다 비가\n밥을 밥을 밥을\n");
    let reference = desk.file(
        "ref.txt",
        "저는 밥을 먹었어요.\n비가 온다\n눈이 온다\n나는 밥을 먹는다\n비가 온다\n나는 집에 온다\n",
    );
    let document = desk.file(
        "doc.txt",
        "어제 나는 밥을 먹었다.\n어제 비가 많이 온다\n저녁에 눈이 내린다\n나는 밥을 먹는다\n비가 많이 온다\n나는 온다\n",
    );
    let mut human = String::from("system\tsegment\trelevance\tconsistency\tfluency\n");
    for (system, scores) in [("good", [5, 4, 3, 5, 4, 4]), ("bad", [2, 3, 1, 2, 1, 1])] {
        for (segment, score) in scores.iter().enumerate() {
            let (number, fluency) = (segment + 1, 1 + (score + segment) % 5);
            human += &format!(
                "{system}\t{number}\t{score}\t{}\t{fluency}\n",
                (score + segment % 2).min(5)
            );
        }
    }
    let human = desk.file("human.tsv", &human);
    let named = |name: &str, path: &Path| PathBuf::from(format!("{name}={}", path.display()));
    let (good, bad) = (named("good", &good), named("bad", &bad));
    let first = spec("rdass", &model("sentence"), ",long=truncate");
    let second = spec("rdass", &model("bert"), ",pooling=mean,long=truncate");
    let report = desk.path("report");
    let line = "meta --system {} --system {} --ref {} --src {} --human {} -m rouge -m {} -m {} -u word -o {}";
    let output =
        run_line(line, &[&good, &bad, &reference, &document, &human, &first, &second, &report]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let read = |name: &str| fs::read_to_string(report.join(name)).unwrap();
    let criteria = read("figures/criteria-kendall-tau-b.csv");
    assert_eq!(
        criteria.lines().count(),
        1 + 5 * 4,
        "five metrics, three criteria and the total: {criteria}"
    );
    assert!(report.join("figures/beside-pearson.svg").exists());
    let pearson = read("figures/criteria-pearson.csv");
    let tests = read("tables/williams.csv");
    let pairs: Vec<&str> = tests.lines().skip(1).collect();
    assert_eq!(pairs.len(), 10 * 4, "{tests}");
    for criterion in ["relevance", "consistency", "fluency", "total"] {
        assert_eq!(pairs.iter().filter(|pair| pair.starts_with(criterion)).count(), 10, "{tests}");
    }
    // The better one of a pair is better by its own coefficient, too.
    let rouge = pairs.iter().find(|pair| {
        pair.starts_with("relevance,rouge-1 on word,rouge-2 on word,")
            || pair.starts_with("relevance,rouge-2 on word,rouge-1 on word,")
    });
    let cells: Vec<&str> = rouge.unwrap().split(',').collect();
    let value = |metric: &str| {
        let row =
            pearson.lines().find(|line| line.starts_with(&format!("{metric},relevance,"))).unwrap();
        row.split(',').nth(2).unwrap().parse::<f64>().unwrap()
    };
    assert!((cells[3].parse::<f64>().unwrap() - value(cells[1])).abs() < 1e-12);
    assert!((cells[4].parse::<f64>().unwrap() - value(cells[2])).abs() < 1e-12);
    assert!(value(cells[1]) > value(cells[2]));
    assert!(read("report.html").contains("Which differences are real?"));
}

/// BERTScore is one more column of CommonGen's tables.
#[test]
fn commongen_is_evaluated_with_bertscore() {
    let desk = Desk::new();
    for folder in ["dataset", "systems"] {
        fs::create_dir(desk.path(folder)).unwrap();
    }
    let line = "{\"concept-set\": \"비#온\", \"scene\": [\"비가 온다\", \"비가 많이 온다\"]}\n";
    desk.file("dataset/test.jsonl", &line.repeat(2));
    desk.file("systems/A.txt", "비가 온다\n눈이 온다\n");
    let metric = spec("bertscore", &model("bert"), ",layer=1");
    let folder = desk.path("");
    let found = json(&run_line(
        "commongen evaluate {} -m {} --format json -o {}",
        &[&folder, &metric, &desk.path("report")],
    ));
    let set = &found["sets"][0];
    let signed = |m: &Value| m["signature"].as_str().unwrap().starts_with("BERTScore|");
    let column = set["metrics"].as_array().unwrap().iter().position(signed).unwrap();
    let score = set["systems"][0]["scores"][column].as_f64().unwrap();
    assert!(score > 0.5 && score < 1.0, "{score}");
    assert!(set["people"]["scores"][column].as_f64().unwrap() < 1.0);
    // The column's name shows what decides its numbers.
    let narrow = json(&run_line(
        "commongen evaluate {} -m {} --precision bf16 --format json -o {}",
        &[&folder, &metric, &desk.path("narrow")],
    ));
    let told = &narrow["sets"][0]["metrics"][column];
    assert!(told["name"].as_str().unwrap().ends_with(",layer=1,precision=bf16"), "{told}");
    assert!(told["signature"].as_str().unwrap().contains("precision=bf16"), "{told}");
}

/// Metrics over models are run once, beside those that are crossed with units.
#[test]
fn meta_evaluation_takes_models() {
    let desk = Desk::new();
    let good = desk.file("good.txt", "나는 밥을 먹었다.\n비가 온다\n눈이 많이 내린다\n");
    let bad = desk.file("bad.txt", "먹었다 나는\n온다\n비가 온다\n");
    let reference = desk.file("ref.txt", "저는 밥을 먹었어요.\n비가 온다\n눈이 온다\n");
    let document =
        desk.file("doc.txt", "어제 나는 밥을 먹었다.\n어제 비가 많이 온다\n저녁에 눈이 내린다\n");
    let human = desk.file(
        "human.tsv",
        "system\tsegment\tsense\ngood\t1\t5\ngood\t2\t4\ngood\t3\t4.5\n\
         bad\t1\t2\nbad\t2\t3\nbad\t3\t1\n",
    );
    let named = |name: &str, path: &Path| PathBuf::from(format!("{name}={}", path.display()));
    let (good, bad) = (named("good", &good), named("bad", &bad));
    let bertscore = spec("bertscore", &model("bert"), ",layer=1");
    let rdass = spec("rdass", &model("sentence"), ",long=truncate");
    let line = "meta --system {} --system {} --ref {} --human {} -m {} -m {}";
    let files: [&Path; 6] = [&good, &bad, &reference, &human, &bertscore, &rdass];
    let report = desk.path("report");
    let with = |more: &str, paths: &[&Path]| {
        run_line(&format!("{line} {more}"), &[&files[..], paths].concat())
    };
    let message = failure(&with("-m chrf -u char -o {}", &[&report]));
    assert!(message.contains("RDASS needs a source, and segment 1 has none"), "{message}");
    assert!(!report.exists(), "nothing was scored");

    let crossed = "-m chrf -u char -u jamo --src {} -o {}";
    let output = with(crossed, &[&document, &report]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let agreement = fs::read_to_string(report.join("agreement.csv")).unwrap();
    let mut cells: Vec<(&str, &str)> = agreement
        .lines()
        .skip(1)
        .map(|line| line.trim_start_matches('"'))
        .map(|line| match line.split_once("\",") {
            Some((metric, rest)) => (metric, rest.split(',').next().unwrap()),
            None => (line.split(',').next().unwrap(), line.split(',').nth(1).unwrap()),
        })
        .collect();
    cells.dedup();
    let (bertscore, rdass) = (bertscore.to_str().unwrap(), rdass.to_str().unwrap());
    assert_eq!(cells, [("chrf", "char"), ("chrf", "jamo"), (bertscore, "–"), (rdass, "–")]);
    let markdown = fs::read_to_string(report.join("report.md")).unwrap();
    assert!(markdown.contains("1 metrics × 2 units, 2 metrics without units"), "{markdown}");

    // Alone they need no unit, and what was scored is not scored again.
    let output = with("--src {} -o {}", &[&document, &report]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("best at segment level: ") && !text.contains("tokens per word"),
        "{text}"
    );
}

#[test]
fn baselines_are_kept_with_the_model() {
    let desk = Desk::new();
    let folder = desk.path("bert");
    fs::create_dir(&folder).unwrap();
    for file in fs::read_dir(model("bert")).unwrap() {
        let path = file.unwrap().path();
        fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    let texts = desk.file("texts.txt", "나는 밥을 먹었다.\n비가 온다\n눈이 많이 내린다\n");
    let score = |settings: &str| {
        let metric = spec("bertscore", &folder, settings);
        run_line("score --hyp {} --ref {} -m {} --ci --format json", &[&texts, &texts, &metric])
    };
    let missing = failure(&score(",rescale=model"));
    assert!(missing.contains("bertscore-baselines.csv"), "{missing}");
    let plain = json(&score(""))["scores"][0].clone();
    let line = "bertscore --model {} --baseline-from {} --baseline-pairs 50 --keep --format json";
    let told = run_line(line, &[&folder, &texts]);
    assert_eq!(json(&told)["baselines"].as_array().unwrap().len(), 3);
    let note = String::from_utf8(told.stderr).unwrap();
    assert!(note.contains("kept as ") && note.contains("bertscore-baselines.csv"), "{note}");

    // The same texts are alike whatever the scale, and a table beside the model makes it no other model.
    let kept = json(&score(",rescale=model"))["scores"][0].clone();
    assert!(close(&kept["score"], 1.0), "{kept}");
    assert!(kept["ci"]["low"].is_number(), "{kept}");
    let digest = |row: &Value| {
        let signature = row["signature"].as_str().unwrap();
        let at = signature.find("digest").unwrap();
        signature[at..].chars().take(20).collect::<String>()
    };
    assert_eq!(digest(&kept), digest(&plain));
    assert_ne!(kept["signature"], plain["signature"], "the table stands in the signature");
    let table = folder.join("bertscore-baselines.csv");
    let by_path = json(&score(&format!(",rescale={}", table.display())));
    assert_eq!(by_path["scores"][0]["score"], kept["score"]);
}

#[test]
fn prompts_stand_before_what_is_embedded() {
    let desk = Desk::new();
    let texts = desk.file("texts.txt", "비가 온다\n나는 밥을 먹었다.\n");
    let (folder, out) = (model("e5"), desk.path("vectors.jsonl"));
    let run = |settings: &str, word: &str| {
        let line = format!("embed --model {{}} --output {{}} {{}} {settings}");
        run_line(&line, &[&folder, &out, &texts, Path::new(word)])
    };
    let embed = |settings: &str, word: &str| {
        let done = run(settings, word);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        (fs::read_to_string(&out).unwrap(), String::from_utf8(done.stderr).unwrap())
    };
    // The folder's `passage` is this text and a space; its default is `query`.
    let (named, note) = embed("--prompt passage", "");
    assert!(note.contains("|prompt:눈이 내린 저녁"), "{note}");
    assert_eq!(embed("--prefix {}", "눈이 내린 저녁").0, named);
    let default = embed("", "").0;
    assert_eq!(embed("--prompt query", "").0, default);
    assert_ne!(default, named);
    let unknown = failure(&run("--prompt answer", ""));
    assert!(unknown.contains("no prompt `answer`; known: document, passage, query"), "{unknown}");
    let both = failure(&run("--prompt query --prefix {}", "비:"));
    assert!(both.contains("cannot be used with"), "{both}");
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
        assert!(note.contains("40 vectors of 16 numbers by bert|"), "{note}");
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

    // Every layer of it, and one alone, which has the same vectors.
    let probe = |layer: &str, out: &Path| {
        let line = format!(
            "probe run {{}} --embedder jamo --model {{}} --layer {layer} --pooling cls --mdl --seeds 2 --output {{}}"
        );
        run_line(&line, &[&data, &folder, out])
    };
    let (all, one) = (desk.path("all"), desk.path("one"));
    for (layer, out) in [("all", &all), ("1", &one)] {
        let probed = probe(layer, out);
        assert!(probed.status.success(), "{}", String::from_utf8_lossy(&probed.stderr));
    }
    let read = |out: &Path| -> Value {
        serde_json::from_slice(&fs::read(out.join("findings.json")).unwrap()).unwrap()
    };
    let (all_found, one_found) = (read(&all), read(&one));
    assert_eq!(
        all_found["subjects"],
        serde_json::json!(["jamo", "bert/0", "bert/1", "bert/2", "random"])
    );
    assert_eq!(one_found["subjects"], serde_json::json!(["jamo", "bert/1", "random"]));
    assert_eq!(all_found["findings"][2], one_found["findings"][1]);
    assert_eq!(one_found["findings"][1]["layer"], 1);
    assert_eq!(one_found["findings"][1]["codes"].as_array().unwrap().len(), 2);
    assert!(one_found["findings"][1]["signature"].as_str().unwrap().contains("pooling:cls"));
    assert!(all.join("figures/layers-1-surface.svg").exists());
    // A prompt stands before the texts of every layer, and of the sentence vectors.
    for layer in ["--layer 1", ""] {
        let out = desk.path(&format!("asked{}", layer.len()));
        let line = format!(
            "probe run {{}} --embedder jamo --model {{}} {layer} --prefix query: --output {{}}"
        );
        let probed = run_line(&line, &[&data, &folder, &out]);
        assert!(probed.status.success(), "{}", String::from_utf8_lossy(&probed.stderr));
        let found = read(&out)["findings"][1].clone();
        let signature = found["signature"].as_str().unwrap();
        assert!(signature.contains("prompt:query"), "{signature}");
        assert!(found["balanced_accuracy"]["score"].is_number(), "{found}");
    }
    let beyond = failure(&probe("3", &desk.path("none")));
    assert!(beyond.contains("from 0 (the embeddings) to 2"), "{beyond}");
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

const OTHER_LABELS: &str = "sentence1\tsentence2\tgold_label
비가 온다\t눈이 온다\tentailment
";

/// Trains by the command; the model's folder. Each `{}` of `more` is the data again.
fn train(desk: &Desk, kind: &str, data: &Path, more: &str) -> PathBuf {
    let (out, backbone) = (desk.path(kind), model("albert"));
    // A summariser's halves have rates and lengths of their own.
    let rate = if kind == "summarizer" { "" } else { "--learning-rate 1e-3 --longest 40" };
    let line = format!(
        "train {kind} --backbone {{}} --output {{}} --train {{}} --epochs 3 {rate} --threads 1 \
         --format json {more}"
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
    let first = desk.file("first.txt", "나는 밥을 먹었다.\n비가 온다\n");
    let second = desk.file("second.txt", "저는 밥을 먹었어요.\n비가 온다\n");
    let metric = |weights: &str| {
        let [sts, fic, csl] = [&sts, &fic, &csl].map(|folder| folder.display());
        PathBuf::from(format!("kosmic:sts={sts},fic={fic},csl={csl}{weights}"))
    };
    let weighted = metric(",weights=0.6/0.3/0.1");
    let line = "score --hyp {} --ref {} -m {} -m {} --segments --ci --samples 50 --format json";
    let part = spec("fic", &fic, "");
    let found = json(&run_line(line, &[&first, &second, &weighted, &part]));
    let row = &found["scores"][0];
    let detail = |name: &str| row["details"][name].as_f64().unwrap();
    let sum = 0.6 * detail("sts") + 0.3 * detail("fic") + 0.1 * detail("csl");
    let score = row["score"].as_f64().unwrap();
    assert!((score - sum).abs() < 1e-9, "{row}");
    let segment = |number: usize| row["segments"][number].as_f64().unwrap();
    assert!((score - (segment(0) + segment(1)) / 2.0).abs() < 1e-9, "{row}");
    let (low, high) = (row["ci"]["low"].as_f64().unwrap(), row["ci"]["high"].as_f64().unwrap());
    assert!(low <= score && score <= high && low < high, "{row}");
    assert!(row["signature"].as_str().unwrap().contains("weights:0.6,0.3,0.1"), "{row}");
    // A part alone is a metric, too: equal sentences have one formality.
    assert_eq!(found["scores"][1]["segments"][1], 5.0, "{found}");
    assert!(close(&found["scores"][1]["score"], detail("fic")), "{found}");
    // Two systems, by a metric that needs documents and by one that does not.
    let rdass = spec("rdass", &model("sentence"), ",long=truncate");
    let line = "compare --baseline {} --system {} --ref {} --src {} -m {} -m {} --samples 50 \
                --format json";
    let compared = json(&run_line(line, &[&first, &second, &second, &first, &metric(""), &rdass]));
    let rows = compared["comparisons"].as_array().unwrap();
    assert_eq!(rows.len(), 4, "{compared}");
    assert!(rows[1]["score"].as_f64() > rows[0]["score"].as_f64(), "a copy of its reference");
    assert!(rows[1]["p_value"].is_number() && rows[3]["p_value"].is_number(), "{compared}");

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

    // An ablation that leaves nothing of the weights has no row.
    for (weights, left) in [("0,1,0", "KOSMIC-FIC"), ("0,0,1", "KOSMIC-CSL")] {
        let line = format!("--evaluate {{}} --weights {weights} --format json");
        let judged = json(&kosmic(&line, &[&toned]));
        let names = judged["methods"].as_array().unwrap().iter().map(|row| &row["method"]);
        assert!(names.eq(["STS", left, "KOSMIC"].iter()), "{judged}");
    }

    // By tone alone, the same decisions; people's scores are not asked for.
    let tones = json(&kosmic("--evaluate-tone {} --tune {} --format json", &[&toned, &scored]));
    for (row, evaluated) in tones["methods"].as_array().unwrap().iter().zip(methods) {
        for key in ["method", "accuracy", "f1", "precision", "recall", "weights", "signature"] {
            assert_eq!(row[key], evaluated[key], "{key}: {row}");
        }
        assert_eq!(row["pearson"], Value::Null);
    }

    let named = |name: &str, path: &Path| PathBuf::from(format!("{name}={}", path.display()));
    let (copy, other) = (named("copy", &first), named("other", &second));
    let line = "--first {} --method {} --method {} --format json";
    let ranked = json(&kosmic(line, &[&first, &copy, &other]));
    let row = |place: usize| ranked["paraphrases"][place]["kosmic"].as_f64().unwrap();
    assert_eq!(ranked["paraphrases"][1]["method"], "other");
    assert!(row(0) > row(1), "a copy is the best paraphrase by any of the three: {ranked}");

    for (line, part) in [
        ("--weights 0.5,0.5 --evaluate {}", "expected three numbers"),
        ("--weights 0.5,0.5,0.5 --evaluate {}", "sum to 1"),
        ("--evaluate {}", "first.txt:1: no column `sentence1`"),
        ("--evaluate-tone {}", "first.txt:1: no column `sentence1`"),
        ("", "give --first FILE"),
        ("--first {}", "--method <NAME=FILE>"),
    ] {
        let message = failure(&kosmic(line, &[&first]));
        assert!(message.contains(part), "{message}");
    }
    // Sentences that nothing is compared with are not passed over.
    let message = failure(&kosmic("--first {} --tune {}", &[&first, &scored]));
    assert!(message.contains("--method <NAME=FILE>"), "{message}");
    for (metric, part) in [
        (metric(",weights=0.5/0.5"), "three numbers"),
        (metric(",weights=0.5/0.5/0.5"), "sum to 1"),
        (spec("sts", &fic, ""), "the head is for `fic`"),
        (PathBuf::from("kosmic:sts=a"), "kosmic:fic=FOLDER"),
    ] {
        let message =
            failure(&run_line("score --hyp {} --ref {} -m {}", &[&first, &second, &metric]));
        assert!(message.contains(part), "{message}");
    }
}

/// From a public corpus to the models of tone and their weights, by the command alone.
#[test]
fn several_models_of_similarity_are_one() {
    let desk = Desk::new();
    let scored = desk.file("scored.tsv", SCORED);
    let whole = desk.path("together");
    fs::create_dir(&whole).unwrap();
    let line = "train sts --backbone {} --train {} --output {} --learning-rate 1e-3 --longest 40 --threads 1 --format json";
    for seed in ["1", "2"] {
        let out = whole.join(format!("seed-{seed}"));
        json(&run_line(&format!("{line} --seed {seed}"), &[&model("albert"), &scored, &out]));
    }
    let message = failure(&run_line("train join --output {} seed-1 seed-3", &[&whole]));
    assert!(message.contains("seed-3"), "{message}");
    assert!(!whole.join("ensemble.json").exists());
    let joined = run_line("train join --output {} seed-1 seed-2", &[&whole]);
    assert!(joined.status.success(), "{}", String::from_utf8_lossy(&joined.stderr));
    let pairs =
        desk.file("pairs.jsonl", "{\"hyp\": \"나는 밥을 먹었다.\", \"refs\": [\"비가 온다\"]}\n");
    let score = |folder: &Path| {
        let line = "score --pairs {} -m {} --format json";
        json(&run_line(line, &[&pairs, &spec("sts", folder, "")]))["scores"][0].clone()
    };
    let [one, two] = ["seed-1", "seed-2"].map(|name| score(&whole.join(name)));
    let both = score(&whole);
    let number = |row: &Value| row["score"].as_f64().unwrap();
    assert!(number(&one) != number(&two), "{one} and {two}");
    assert!(close(&both["score"], (number(&one) + number(&two)) / 2.0), "{both}");
    assert_ne!(both["signature"], one["signature"]);
    // Another model in one of the folders is another whole.
    fs::write(whole.join("seed-2/note.json"), "{}").unwrap();
    assert_ne!(score(&whole)["signature"], both["signature"]);
}

#[test]
fn kosmic_learns_from_a_corpus_of_styles() {
    let desk = Desk::new();
    let group = |act: usize, what: &str| -> String {
        let ends = ["먹었어요", "먹었습니다", "먹었네요", "먹었지요", "먹었군요"];
        let formal = ends.iter().map(|end| format!("{act}\t{what} {end}\n"));
        let ends = ["먹었어", "먹었다", "먹었네", "먹었지", "먹었군"];
        formal.chain(ends.iter().map(|end| format!("{act}\t{what} {end}\n"))).collect()
    };
    let corpus = format!("act\tsentence\n{}{}", group(0, "나는 밥을"), group(1, "우리는 국밥을"));
    let corpus = desk.file("style.tsv", &corpus);
    let (sentences, pairs) = (desk.path("sentences.tsv"), desk.path("pairs.tsv"));
    for (verb, out) in [("sentences", &sentences), ("pairs --count 8", &pairs)] {
        let told = run_line(&format!("kosmic {verb} --stylekqc {{}} -o {{}}"), &[&corpus, out]);
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    }
    let sts = train(&desk, "sts", &pairs, "");
    let (fic, csl) = (desk.path("fic"), desk.path("csl"));
    for (kind, data, out) in [("fic", &sentences, &fic), ("csl", &pairs, &csl)] {
        let line = format!(
            "train {kind} --backbone {{}} --train {{}} --output {{}} --longest 40 --threads 1"
        );
        let told = run_line(&line, &[&model("albert"), data, out]);
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    }
    for evaluate in ["--evaluate", "--evaluate-tone"] {
        let line = format!(
            "kosmic --sts {{}} --fic {{}} --csl {{}} --tune {{}} --steps 4 {evaluate} {{}} --format json"
        );
        let judged = json(&run_line(&line, &[&sts, &fic, &csl, &pairs, &pairs]));
        assert_eq!(judged["methods"].as_array().unwrap().len(), 4, "{judged}");
    }
    // The same corpus ranks, and so does a table of one's own.
    let table = desk.file(
        "ranked.tsv",
        "anchor\tpositive\tnegative\n나는 밥을 먹었다.\t저는 밥을 먹었어요.\t비가 온다\n비가 온다\t비가 많이 온다\t\n",
    );
    let stage = format!("ranking:{}+{}", table.display(), corpus.display());
    let line = "train sbert --backbone {} --stage {} --output {} --batch 2 --longest 40 --threads 1 --format json";
    let told = json(&run_line(line, &[&model("albert"), Path::new(&stage), &desk.path("sbert")]));
    assert_eq!(told["stages"][0]["steps"], 2, "two rows and a pair of each group: {told}");
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
    // In stages, each with settings of its own; what every one gave is told, and kept.
    let out = desk.path("stages");
    let stages = |first: &Path, second: &Path, out: &Path| {
        let line = "train sbert --backbone {} --stage {} --stage {} --dev {} --output {} --threads 1 \
                    --longest 40 --device cpu --precision bf16 --format json";
        run_line(line, &[&model("albert"), first, second, &scored, out])
    };
    let (ranking, cosent) = (
        spec("ranking", &labelled, ",batch=4"),
        spec("cosent", &scored, ",epochs=2,learning-rate=1e-3"),
    );
    let told = json(&stages(&ranking, &cosent, &out));
    assert_eq!(told["stages"].as_array().unwrap().len(), 2, "{told}");
    assert!(told["stages"][1]["best_score"].is_number(), "{told}");
    for folder in [out.join("stages/1-ranking"), out.clone()] {
        let line = json(&run_line("embed --model {} {}", &[&folder, &text]));
        assert_eq!(line["vector"].as_array().unwrap().len(), 16);
    }
    // A run that ended after the first stage goes on from it, if it is the same that is asked for.
    fs::remove_file(out.join("training.json")).unwrap();
    let first = out.join("stages/1-ranking");
    let place = format!("{}: this stage was finished by another training", first.display());
    for (other, part) in [
        (spec("ranking", &labelled, ",batch=2"), "(batch was 4, is 2); remove the folder"),
        (
            spec("ranking", &desk.file("other.tsv", OTHER_LABELS), ",batch=4"),
            "(the training data changed)",
        ),
    ] {
        let message = failure(&stages(&other, &cosent, &out));
        assert!(message.contains(&place) && message.contains(part), "{message}");
    }
    let record = fs::read(first.join("stage.json")).unwrap();
    fs::remove_file(first.join("stage.json")).unwrap();
    let message = failure(&stages(&ranking, &cosent, &out));
    assert!(message.contains("a finished stage without stage.json"), "{message}");
    fs::write(first.join("stage.json"), record).unwrap();
    let again = json(&stages(&ranking, &cosent, &out));
    assert_eq!(again["stages"][0], told["stages"][0], "it was not trained again");
    assert_eq!(again["stages"][1]["final_loss"], told["stages"][1]["final_loss"]);
    let new = desk.path("no-stages");
    for (wrong, part) in [
        (spec("mse", &scored, ""), "no loss `mse`; known: ranking"),
        (spec("cosent", &scored, ",margin=1"), "no setting `margin` of a stage"),
        (spec("cosent", &scored, ",batch=few"), "batch `few` is no whole number"),
        (spec("cosent", &scored, ",batch=0"), "batch cannot be 0"),
        (spec("cosent", &scored, ",dropout=some"), "dropout `some` is no number"),
        (spec("cosent", &scored, ",dropout=1"), "dropout cannot be 1"),
        (spec("cosent", &labelled, ""), "nli.tsv:1: no column `score`"),
        (PathBuf::from("cosent"), "a stage is LOSS:FILE"),
    ] {
        let message = failure(&stages(&ranking, &wrong, &new));
        assert!(message.contains(part), "{message}");
        assert!(!new.exists(), "nothing is written");
    }
    // Others build on the first stage, so it is never left half done; of the last one, what was learned until then is kept.
    let out = desk.path("short");
    let short = |minutes: &str| {
        let line = format!(
            "train sbert --backbone {{}} --stage {{}} --stage {{}} --output {{}} --threads 1 --longest 40 \
             --device cpu --format json{minutes}"
        );
        let many = spec("ranking", &labelled, ",batch=1,epochs=3");
        run_line(&line, &[&model("albert"), &many, &cosent, &out])
    };
    let message = failure(&short(" --minutes 0"));
    assert!(message.contains("over after 1 steps"), "{message}");
    assert!(!out.join("stages/1-ranking/training.json").exists());
    let whole = json(&short(""));
    assert_eq!(whole["stages"][0]["steps"], 3, "{whole}");
    assert_eq!(whole["stages"][0]["cut"], false, "{whole}");
    fs::remove_file(out.join("training.json")).unwrap();
    let cut = json(&short(" --minutes 0"));
    assert_eq!((&cut["stages"][1]["steps"], &cut["stages"][1]["cut"]), (&json!(1), &json!(true)));
    // One stage drops, the other not: the backbone drops nothing of itself.
    let texts = desk.file("texts.txt", "나는 밥을 먹었다.\n비가 온다\n눈이 많이 내린다\n");
    let message = failure(&stages(&spec("simcse", &texts, ""), &cosent, &desk.path("alike")));
    assert!(message.contains("dropout cannot be 0"), "{message}");
    let out = desk.path("dropping");
    json(&stages(&spec("simcse", &texts, ",dropout=0.1"), &cosent, &out));
    for (folder, dropout) in [(out.join("stages/1-simcse"), json!(0.1)), (out, Value::Null)] {
        let record = fs::read_to_string(folder.join("stage.json")).unwrap();
        let record: Value = serde_json::from_str(&record).unwrap();
        assert_eq!(record["settings"]["dropout"], dropout, "{record}");
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

/// Inference and similarity as KLUE publishes them, wherever a table of the same is taken.
#[test]
fn klue_files_are_taken_as_they_are() {
    let desk = Desk::new();
    let scored = desk.file(
        "klue-sts.json",
        r#"[{"sentence1": "나는 밥을 먹었다.", "sentence2": "저는 밥을 먹었어요.", "labels": {"label": 4.3, "real-label": 4.28}},
            {"sentence1": "비가 온다", "sentence2": "눈이 많이 내린다", "labels": {"label": 1.0}},
            {"sentence1": "나는 밥을 먹었다.", "sentence2": "비가 온다", "labels": {"label": 0.0}}]"#,
    );
    let labelled = desk.file(
        "klue-nli.json",
        r#"[{"premise": "나는 국밥을 먹었다.", "hypothesis": "나는 먹었다.", "gold_label": "entailment"},
            {"premise": "비가 온다", "hypothesis": "눈이 온다", "gold_label": "contradiction"}]"#,
    );
    let sts = train(&desk, "sts", &scored, "--dev {}");
    train(&desk, "sbert-sts", &scored, "--dev {}");
    train(&desk, "sbert-nli", &labelled, "");
    let fic = train(&desk, "fic", &desk.file("tones.tsv", TONES), "");
    let csl = train(&desk, "csl", &desk.file("toned.tsv", TONED), "");
    let line = "kosmic --sts {} --fic {} --csl {} --tune {} --steps 2 --format json";
    let tuned = json(&run_line(line, &[&sts, &fic, &csl, &scored]));
    assert_eq!(tuned["tuned"].as_array().unwrap().len(), 3, "{tuned}");
    let bad = desk.file(
        "bad.json",
        "[{\"sentence1\": \"가\", \"sentence2\": \"나\",\n\"labels\": {\"label\": 9}}]",
    );
    let line = "train sts --backbone {} --train {} --output {}";
    let message = failure(&run_line(line, &[&model("albert"), &bad, &desk.path("none")]));
    assert!(message.contains("bad.json:2: `9` is not a number from 0 to 5"), "{message}");
}

/// From an encoder to summaries, and on together with an embedder of the same tokens.
#[test]
fn summarisers_are_trained_alone_and_with_an_embedder() {
    let desk = Desk::new();
    let news = desk.file(
        "news.tsv",
        "source\ttarget\n나는 밥을 먹었다. 비가 온다\t나는 밥을 먹었다.\n\
         눈이 많이 내린다. 우리는 시장에서 먹었다.\t눈이 많이 내린다\n",
    );
    let lengths = "--longest-document 20 --longest-summary 8";
    let decoder = "--decoder-layers 1 --decoder-width 64 --dev {}";
    let summarizer = train(&desk, "summarizer", &news, &format!("{lengths} {decoder}"));
    let both = desk.path("fwa");
    let line = "train fwa --backbone {} --embedder {} --train {} --output {} --longest 24 --threads 1 --format json";
    let line = format!("{line} {lengths}");
    let report = json(&run_line(&line, &[&summarizer, &model("albert"), &news, &both]));
    assert_eq!(report["steps"], 1, "{report}");
    let text = desk.file("text.txt", "비가 온다\n");
    for folder in [&summarizer, &both.join("summarizer")] {
        let written = run_line("summarize --model {} --max-tokens 8 {}", &[folder, &text]);
        assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
        assert_eq!(String::from_utf8_lossy(&written.stdout).lines().count(), 1);
    }
    let vector = json(&run_line("embed --model {} {}", &[&both.join("embedder"), &text]));
    assert_eq!(vector["vector"].as_array().unwrap().len(), 16);
    let new = desk.path("new");
    let message = failure(&run_line(&line, &[&summarizer, &model("xlm-roberta"), &news, &new]));
    assert!(message.contains("have different vocabularies"), "{message}");
}

/// Where metrics run that do not say so themselves; the signature stays the same.
#[test]
fn one_option_places_all_metrics_over_models() {
    let desk = Desk::new();
    let text = desk.file("text.txt", "나는 밥을 먹었다.\n비가 온다\n");
    let score = |metric: &str, more: &str| {
        let metric = spec("bertscore", &model("bert"), metric);
        let line = format!("score --hyp {{}} --ref {{}} -m {{}} -m chrf --format json {more}");
        run_line(&line, &[&text, &text, &metric])
    };
    // The metric is called by all that it was asked with, its device included.
    let numbers = |metric: &str, more: &str| {
        let report = json(&score(metric, more));
        let rows = report["scores"].as_array().unwrap().iter();
        rows.map(|row| (row["score"].clone(), row["signature"].clone())).collect::<Vec<_>>()
    };
    let plain = numbers("", "");
    assert_eq!(plain.len(), 2);
    assert_eq!(plain, numbers("", "--device cpu"));
    assert!(failure(&score("", "--device cuda:99")).contains("device `cuda:99`"));
    assert_eq!(plain, numbers(",device=cpu", "--device cuda:99"), "its own word counts");
    assert!(failure(&score("", "--device gpu")).contains("auto, cpu, cuda, cuda:N or mps"));
}

/// The numbers that metrics compute in which do not say so themselves; the signature tells.
#[test]
fn one_option_sets_the_precision_of_all_metrics_over_models() {
    let desk = Desk::new();
    let (hyp, text) = (desk.file("hyp.txt", "비가 온다\n"), desk.file("ref.txt", "눈이 온다\n"));
    let score = |metric: &str, more: &str| {
        let metric = spec("bertscore", &model("bert"), metric);
        let line = format!("score --hyp {{}} --ref {{}} -m {{}} -m chrf --format json {more}");
        run_line(&line, &[&hyp, &text, &metric])
    };
    let scores = |metric: &str, more: &str| json(&score(metric, more))["scores"].clone();
    let (plain, narrow) = (scores("", ""), scores(",precision=bf16", ""));
    assert_ne!(plain[0]["score"], narrow[0]["score"]);
    assert!(narrow[0]["signature"].as_str().unwrap().contains("precision=bf16"), "{narrow}");
    // Under the name that shows it, and beside a metric that has no such setting.
    assert_eq!(scores("", "--precision bf16"), narrow);
    assert_eq!(scores(",precision=bf16", "--precision f32"), narrow, "its own word counts");
    let both = scores("", "--device cpu --precision bf16");
    assert_eq!(both[0]["signature"], narrow[0]["signature"]);
    assert!(failure(&score("", "--precision f64")).contains("expected one of f32, bf16, f16"));
}

#[test]
fn doctor_knows_that_there_are_models() {
    let doctor = json(&run_line("doctor --format json", &[]));
    let checks = doctor["checks"].as_array().unwrap();
    let models = checks.iter().find(|check| check["what"] == "models").unwrap();
    assert_eq!(models["ready"], true);
    assert!(models["details"].as_str().unwrap().contains(", on cpu"), "{models}");
}

/// A training that is really killed, at whatever it happens to do, ends with the very weights of one that was not.
#[cfg(unix)]
#[test]
fn a_killed_training_goes_on_to_the_same_weights() {
    let desk = Desk::new();
    let (scored, backbone) = (desk.file("scored.tsv", SCORED), model("bert"));
    let line = "train sts --backbone {} --train {} --dev {} --epochs 30 --batch 2 --learning-rate 1e-3 \
                --average 0.7 --longest 40 --threads 1 --checkpoint-every 1";
    let twice = line.replace("0.7", "1.4 --output {}");
    let message = failure(&run_line(&twice, &[&backbone, &scored, &scored, &desk.path("twice")]));
    assert!(message.contains("average cannot be 1.4"), "{message}");
    let job = Job::new("train", line, &[backbone, scored.clone(), scored]).done_by("training.json");
    job.survives(50, 4, |folder| {
        let report = fs::read_to_string(folder.join("training.json")).unwrap();
        let mut report: Value = serde_json::from_str(&report).unwrap();
        report.as_object_mut().unwrap().remove("seconds").unwrap();
        let weights = ["model.safetensors", "head.safetensors"];
        (report, weights.map(|name| fs::read(folder.join(name)).unwrap()))
    });
}

/// Killed in its second stage, a staged training keeps the first and ends with the very weights of one that was not.
#[cfg(unix)]
#[test]
fn a_staged_training_that_is_killed_goes_on_to_the_same_weights() {
    let desk = Desk::new();
    let scored = desk.file("scored.tsv", SCORED);
    let stages = [spec("cosine", &scored, ""), spec("cosent", &scored, ",epochs=60")];
    let [first, second] = stages;
    for precision in ["f32", "bf16"] {
        let line = format!(
            "train sbert --backbone {{}} --stage {{}} --stage {{}} --dev {{}} --batch 2 --learning-rate 1e-3 --longest 40 \
             --threads 1 --device cpu --checkpoint-every 1 --precision {precision}"
        );
        let inputs = [model("bert"), first.clone(), second.clone(), scored.clone()];
        let job = Job::new("train sbert", line, &inputs).done_by("training.json");
        let whole = desk.path(&format!("whole-{precision}"));
        job.finish(&whole);
        let killed = desk.path(&format!("killed-{precision}"));
        let state = desk.path(&format!("killed-{precision}.checkpoint/checkpoint.json"));
        for _ in 0..3 {
            let before = fs::read(&state).ok();
            let mut child = job.command(&killed).spawn().unwrap();
            // As soon as the second stage has come further.
            while fs::read(&state).ok() == before && child.try_wait().unwrap().is_none() {
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            let _ = child.kill();
            child.wait().unwrap();
            assert!(killed.join("stages/1-cosine/training.json").exists());
            assert!(!killed.join("training.json").exists(), "it was too quick");
        }
        job.finish(&killed);
        for folder in ["", "stages/1-cosine"] {
            let [one, other] = [&whole, &killed].map(|out| {
                let report = fs::read(out.join(folder).join("training.json")).unwrap();
                let mut report: Value = serde_json::from_slice(&report).unwrap();
                report.as_object_mut().unwrap().remove("seconds").unwrap();
                (report, fs::read(out.join(folder).join("model.safetensors")).unwrap())
            });
            assert_eq!(one.0, other.0, "{folder} in {precision}");
            assert!(one.1 == other.1, "{folder} in {precision}");
        }
    }
}

/// What set-up installs is found by its name from everywhere, by every option that takes a model.
#[test]
fn installed_models_are_found_by_name() {
    let home = tempfile::tempdir().unwrap();
    let installed = home.path().join("tiny");
    fs::create_dir(&installed).unwrap();
    for entry in fs::read_dir(model("bert")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, installed.join(path.file_name().unwrap())).unwrap();
    }
    let desk = tempfile::tempdir().unwrap();
    let at_home = |line: &str, paths: &[&Path]| {
        let mut command = command(line, paths);
        command.env("KO_EVAL_HOME", home.path()).current_dir(desk.path());
        finish(command, "비가 온다\n".as_bytes())
    };
    assert!(text(&at_home("embed --model tiny", &[])).contains("비가 온다"));
    let comments = desk.path().join("comments.tsv");
    fs::write(&comments, "sentence\tlabel\n비가 온다\tnone\n눈이 온다\thate\n").unwrap();
    let out = desk.path().join("hate");
    let line = "train classifier --backbone tiny --train {} --threads 1 -o {}";
    text(&at_home(line, &[&comments, &out]));
    assert!(text(&at_home("classify --model hate", &[])).ends_with("비가 온다\n"));
    fs::rename(&out, home.path().join("installed-hate")).unwrap();
    assert!(text(&at_home("classify --model installed-hate", &[])).ends_with("비가 온다\n"));

    // A model is never written over, by whatever name it is read.
    let message = failure(&at_home(line, &[&comments, &installed]));
    assert!(message.contains("it is also an input"), "{message}");
    for option in ["embed --model", "train classifier --train x.tsv -o out --backbone"] {
        let message = failure(&at_home(&format!("{option} klue/bert-base"), &[]));
        assert!(message.contains("hf download klue/bert-base --local-dir bert-base"), "{message}");
    }
}
