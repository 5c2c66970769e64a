//! Taggers and classifiers from training to the filters of CommonGen, on the tiny models of ko-neural.

use crate::common::{self, command, failure, finish, jobs::Job, json, run_line, text};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../ko-neural/tests/models").join(name)
}

fn file(desk: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = desk.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Characters with tags, as KLUE has them; a person is before 는, a place before 에서.
fn tagged() -> String {
    let sentence = |text: &str, tags: &str| -> String {
        let tag = |mark: char| match mark {
            'P' => "B-PS",
            'p' => "I-PS",
            'L' => "B-LC",
            'l' => "I-LC",
            _ => "O",
        };
        let lines = text.chars().zip(tags.chars());
        lines.map(|(c, mark)| format!("{c}\t{}\n", tag(mark))).collect::<String>() + "\n"
    };
    [
        sentence("나는 밥을 먹었다.", "P........."),
        sentence("우리는 시장에서 국밥을 먹었어요!", "Pp..Ll............"),
        sentence("저는 밥을 먹었어요.", "P.........."),
        sentence("비가 온다", "....."),
    ]
    .concat()
}

const COMMENTS: &str = "comments\tbias\thate
나는 밥을 먹었다.\tnone\tnone
비가 온다\tnone\thate
저는 국밥을 먹었어요!\tgender\tnone
눈이 많이 내린다\tothers\thate
우리는 시장에서 국밥을 먹었다.\tgender\tnone
";

const HOW: &str =
    "--epochs 100 --batch 8 --learning-rate 5e-3 --warm-up 0 --longest 40 --threads 1";

/// Returns the best score of a training, above chance; how far above differs with a processor's
/// rounding.
fn learned(report: &Value) -> f64 {
    let score = report["best_score"].as_f64().unwrap();
    assert!(score > 0.5, "{report}");
    score
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// One JSON value a line.
fn values(output: &str) -> Vec<Value> {
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the line that `tag` prints of a text with these entities.
fn marked(found: &Value) -> String {
    let mut line: Vec<String> =
        found["text"].as_str().unwrap().chars().map(|c| c.to_string()).collect();
    for entity in found["entities"].as_array().unwrap() {
        let place = |name: &str| entity[name].as_u64().unwrap() as usize;
        let (kind, start, end) = (entity["kind"].as_str().unwrap(), place("start"), place("end"));
        assert_eq!(line[start..end].concat(), entity["text"].as_str().unwrap());
        line[start].insert(0, '<');
        line[end - 1] += &format!(":{kind}>");
    }
    line.concat()
}

/// Returns a text's label of a set: the likeliest; with a threshold, `none` unless all others
/// together reach it.
fn decided(labels: &Value, threshold: Option<f64>) -> String {
    let probability = |label: &str| labels[label].as_f64().unwrap();
    let others =
        labels.as_object().unwrap().keys().filter(|label| threshold.is_none() || *label != "none");
    let likeliest = others.max_by(|a, b| probability(a).total_cmp(&probability(b))).unwrap();
    match threshold {
        Some(threshold) if 1.0 - probability("none") < threshold => "none".into(),
        _ => likeliest.clone(),
    }
}

#[test]
fn entities_are_learned_found_and_judged() {
    let desk = tempfile::tempdir().unwrap();
    let (data, out) = (file(&desk, "ner.tsv", &tagged()), desk.path().join("ner"));
    let line =
        format!("train tagger --backbone {{}} --train {{}} --dev {{}} -o {{}} {HOW} --format json");
    let report = json(&run_line(&line, &[&model("electra"), &data, &data, &out]));
    let score = learned(&report);
    let texts =
        "나는 밥을 먹었다.\n우리는 시장에서 국밥을 먹었어요!\n\n저는 밥을 먹었어요.\n비가 온다\n";
    let found = finish(command("tag --model {} --format json", &[&out]), texts.as_bytes());
    let found = values(&common::text(&found));
    let kinds: Vec<&Value> = found
        .iter()
        .flat_map(|line| line["entities"].as_array().unwrap())
        .map(|entity| &entity["kind"])
        .collect();
    assert!(!kinds.is_empty() && kinds.iter().all(|kind| *kind == "PS" || *kind == "LC"));
    assert_eq!(found[2]["entities"], Value::Array(Vec::new()), "a line without a text");
    let lines: Vec<String> = found.iter().map(|line| marked(line) + "\n").collect();
    let printed = finish(command("tag --model {}", &[&out]), texts.as_bytes());
    assert_eq!(text(&printed), lines.concat());
    for scheme in ["conll", "iob2"] {
        let line = format!("tag --model {{}} --gold {{}} --scheme {scheme} --format json");
        let judged = json(&run_line(&line, &[&out, &data]));
        assert_eq!(judged["counts"]["there"], 4);
        if scheme == "conll" {
            assert_eq!(judged["counts"]["found"], kinds.len(), "the same entities are found");
            assert!(close(judged["f1"].as_f64().unwrap(), score), "{judged}, not {score}");
        }
        assert!(judged["signature"].as_str().unwrap().contains(scheme), "{judged}");
    }
    let message = failure(&run_line("tag --model {} {}", &[&model("bert"), &data]));
    assert!(message.contains("classifier.weight"), "{message}");
}

#[test]
fn both_labels_are_learned_given_and_judged() {
    let desk = tempfile::tempdir().unwrap();
    let (data, out) = (file(&desk, "comments.tsv", COMMENTS), desk.path().join("hate"));
    let line = format!(
        "train classifier --backbone {{}} --train {{}} --dev {{}} --text comments --label bias --label hate --threshold-by hate -o {{}} {HOW} --format json"
    );
    let wrong = line.replace("--threshold-by hate", "--threshold-by love");
    let message = failure(&run_line(&wrong, &[&model("bert"), &data, &data, &out]));
    assert!(message.contains("no `--label love` has the label `none`"), "{message}");
    // Said before the training.
    let (head, rows) = COMMENTS.split_once('\n').unwrap();
    for (label, part) in [("none", "0 of 5"), ("hate", "5 of 5")] {
        let row = |row: &str| format!("{}\t{label}\n", row.rsplit_once('\t').unwrap().0);
        let rows: String = rows.lines().map(row).collect();
        let alike = file(&desk, "alike.tsv", &format!("{head}\n{rows}"));
        let message = failure(&run_line(&line, &[&model("bert"), &data, &alike, &out]));
        assert!(message.contains("--threshold-by hate, by the texts of --dev"), "{message}");
        assert!(message.contains(&format!("not harmless cannot be {part}")), "{message}");
        assert!(!out.exists());
    }
    let report = json(&run_line(&line, &[&model("bert"), &data, &data, &out]));
    learned(&report);
    let kept = fs::read_to_string(out.join("threshold.json")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!((&kept["set"], &kept["harmless"]), (&"hate".into(), &"none".into()));
    let threshold = kept["probability"].as_f64().unwrap();
    assert!((0.0..1.0).contains(&threshold), "{kept}");
    let texts: Vec<&str> =
        COMMENTS.lines().skip(1).map(|row| row.split('\t').next().unwrap()).collect();
    let texts = texts.join("\n") + "\n";
    let found = finish(command("classify --model {} --format json", &[&out]), texts.as_bytes());
    let found = values(&text(&found));
    let lines: Vec<String> = found
        .iter()
        .map(|line| {
            let bias = decided(&line["labels"]["bias"], None);
            let hate = decided(&line["labels"]["hate"], Some(threshold));
            format!("bias={bias}\thate={hate}\t{}\n", line["text"].as_str().unwrap())
        })
        .collect();
    let given = finish(command("classify --model {}", &[&out]), texts.as_bytes());
    assert_eq!(text(&given), lines.concat());
    let line =
        "classify --model {} --gold {} --text comments --label bias --label hate --format json";
    let judged = json(&run_line(line, &[&out, &data]));
    for (place, name) in ["bias", "hate"].into_iter().enumerate() {
        let right = COMMENTS.lines().skip(1).zip(&lines).filter(|(row, line)| {
            let label = row.split('\t').nth(1 + place).unwrap();
            line.split('\t').nth(place).unwrap() == format!("{name}={label}")
        });
        let accuracy = right.count() as f64 / 5.0;
        assert!(close(judged["sets"][place]["accuracy"].as_f64().unwrap(), accuracy), "{judged}");
    }
    let message = failure(&run_line(
        "classify --model {} --gold {} --text comments --label hate",
        &[&out, &data],
    ));
    assert!(message.contains("1 columns, but the model has 2 sets"), "{message}");
    let other = file(&desk, "other.tsv", &COMMENTS.replace("gender", "animal"));
    let message = failure(&run_line(line, &[&out, &other]));
    assert!(
        message.contains("the model knows no `animal`; it knows gender, none, others"),
        "{message}"
    );
}

/// The only set of labels has no name in the model, but its column has.
#[test]
fn a_threshold_is_chosen_by_the_only_label() {
    let desk = tempfile::tempdir().unwrap();
    let (data, out) = (file(&desk, "comments.tsv", COMMENTS), desk.path().join("hate"));
    let line = format!(
        "train classifier --backbone {{}} --train {{}} --dev {{}} --text comments --label hate --threshold-by hate -o {{}} {HOW} --format json"
    );
    let wrong = line.replace("--threshold-by hate", "--threshold-by bias");
    let message = failure(&run_line(&wrong, &[&model("bert"), &data, &data, &out]));
    assert!(message.contains("no `--label bias` has the label `none`"), "{message}");
    let report = json(&run_line(&line, &[&model("bert"), &data, &data, &out]));
    learned(&report);
    let kept = fs::read_to_string(out.join("threshold.json")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!((kept.get("set"), &kept["harmless"]), (None, &"none".into()));
    let found = json(&finish(
        command("classify --model {} --format json", &[&out]),
        "비가 온다".as_bytes(),
    ));
    let label = decided(&found["labels"], kept["probability"].as_f64());
    let given = finish(command("classify --model {}", &[&out]), "비가 온다\n".as_bytes());
    assert_eq!(text(&given), format!("{label}\t비가 온다\n"));
}

/// Plain texts are examples as well, harmless in every set.
#[test]
fn harmless_texts_are_learned_with_the_comments() {
    let desk = tempfile::tempdir().unwrap();
    let data = file(&desk, "comments.tsv", COMMENTS);
    // Among the comments, only what is hated rains or snows.
    let plain = file(&desk, "plain.txt", "어제 비가 온다\n\n어제 눈이 온다\n");
    let more = file(&desk, "more.txt", "어제 비가 많이 내린다\n");
    let line =
        "train classifier --backbone {} --train {} --text comments --label bias --label hate";
    let steps = |added: &str, paths: &[&Path], name: &str| {
        let out = desk.path().join(name);
        let line = format!("{line} {added} -o {{}} --batch 1 --threads 1 --format json");
        let bert = model("bert");
        let mut all: Vec<&Path> = vec![&bert, &data];
        all.extend(paths);
        all.push(&out);
        json(&run_line(&line, &all))["steps"].as_u64().unwrap()
    };
    assert_eq!(steps("", &[], "without"), 5);
    let both = "--harmless-text {} --harmless-text {}";
    assert_eq!(steps(&format!("{both} --harmless none"), &[&plain, &more], "counted"), 8);

    let out = desk.path().join("learned");
    let line = format!("{line} --harmless-text {{}} -o {{}} {HOW} --format json");
    let learn = |line: &str, text: &Path| run_line(line, &[&model("bert"), &data, text, &out]);
    json(&learn(&line, &plain));
    let untold = desk.path().join("untold");
    let line_without = line.replace(" --harmless-text {}", "");
    json(&run_line(&line_without, &[&model("bert"), &data, &untold]));
    let harm = |folder: &Path| -> f64 {
        let line = command("classify --model {} --format json", &[folder]);
        let given = finish(line, "어제 비가 온다\n어제 눈이 온다\n".as_bytes());
        let given = values(&text(&given));
        given.iter().map(|line| line["labels"]["hate"]["hate"].as_f64().unwrap()).sum()
    };
    let (told, untold) = (harm(&out), harm(&untold));
    assert!(told < untold, "{told} is not below {untold}, without the harmless texts");

    let message = failure(&learn(&format!("{line} --harmless gender"), &plain));
    assert!(message.contains("plain.txt: `--label hate` has no label `gender`"), "{message}");
    let message = failure(&learn(&line, &file(&desk, "empty.txt", "\n \n")));
    assert!(message.contains("empty.txt: no text to learn from"), "{message}");
    let alone = line.replace("--harmless-text {}", "--harmless {}");
    let message = failure(&learn(&alone, Path::new("none")));
    assert!(message.contains("--threshold-by") && message.contains("--harmless-text"), "{message}");
}

/// To this model everything is `none`, with .344 to .377 of bias: only a threshold of its own tells texts apart.
#[test]
fn a_folders_threshold_is_what_it_decides_by() {
    let desk = tempfile::tempdir().unwrap();
    let (hate, text) = (desk.path().join("hate"), "나는 밥을 먹었다.\n비가 온다.\n");
    fs::create_dir(&hate).unwrap();
    for entry in fs::read_dir(model("labels/bert-text")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, hate.join(path.file_name().unwrap())).unwrap();
    }
    let captions = file(&desk, "captions.txt", text);
    let gold = file(
        &desk,
        "gold.tsv",
        "comments\tbias\thate\n나는 밥을 먹었다.\tnone\tnone\n비가 온다.\tgender\tnone\n",
    );
    let given = || common::text(&finish(command("classify --model {}", &[&hate]), text.as_bytes()));
    let judged = || {
        let line =
            "classify --model {} --gold {} --text comments --label bias --label hate --format json";
        json(&run_line(line, &[&hate, &gold]))
    };
    let built = |name: &str, more: &str| {
        let line = format!(
            "commongen build --captions {{}} --ethics-model {{}} {more} --validation 0 --test 0 --threads 1 -o {{}}"
        );
        let built = json(&run_line(&line, &[&captions, &hate, &desk.path().join(name)]));
        let signature = built["flagger"].as_str().unwrap().to_owned();
        (built["report"]["ethics"]["flagged"].as_u64().unwrap(), signature)
    };
    assert_eq!(
        given(),
        "bias=none\thate=none\t나는 밥을 먹었다.\nbias=none\thate=none\t비가 온다.\n"
    );
    assert_eq!(judged()["sets"][0]["accuracy"], 0.5);
    assert_eq!(built("plain", "").0, 0);

    fs::write(hate.join("threshold.json"), r#"{"harmless": "none", "probability": 0.35}"#).unwrap();
    assert_eq!(
        given(),
        "bias=none\thate=none\t나는 밥을 먹었다.\nbias=gender\thate=none\t비가 온다.\n"
    );
    let found = judged();
    assert_eq!(found["sets"][0]["accuracy"], 1.0);
    assert!(found["signature"].as_str().unwrap().contains("threshold:0.35"), "{found}");
    let (flagged, signature) = built("own", "");
    assert_eq!(flagged, 1);
    assert!(signature.contains("threshold:0.35"), "{signature}");
    assert_eq!(built("asked", "--ethics-threshold 0.9").0, 0);

    // What was chosen for hate decides nothing about bias; sentences are flagged for either.
    fs::write(
        hate.join("threshold.json"),
        r#"{"set": "hate", "harmless": "none", "probability": 0.35}"#,
    )
    .unwrap();
    assert_eq!(
        given(),
        "bias=none\thate=none\t나는 밥을 먹었다.\nbias=none\thate=none\t비가 온다.\n"
    );
    assert!(judged()["signature"].as_str().unwrap().contains("set:hate"));
    assert_eq!(built("of one set", "").0, 1);
}

/// Models as filters: what each drops, flags or prefers is in the report.
#[test]
fn a_data_set_is_built_with_models() {
    let desk = tempfile::tempdir().unwrap();
    let (who, what) = (["나", "저", "우리"], ["밥을 먹었다", "국밥을 먹었습니다", "비를 본다"]);
    let sentences: Vec<String> = (0..36)
        .map(|n| {
            let place = ["시장", "저녁", "어제", "눈"][n % 4];
            format!("{}는 {place}에서 오래된 {}.", who[n % 3], what[n / 12])
        })
        .collect();
    // Markets are places; 저 is biased, and rain hates.
    let mut tagged = String::new();
    let mut comments = "comments\tbias\thate\n".to_owned();
    for sentence in &sentences {
        let market = sentence.chars().position(|c| c == '시');
        for (place, c) in sentence.chars().enumerate() {
            let tag = match market {
                Some(start) if place == start => "B-LC",
                Some(start) if place == start + 1 => "I-LC",
                _ => "O",
            };
            tagged += &format!("{c}\t{tag}\n");
        }
        tagged.push('\n');
        let bias = if sentence.starts_with('저') { "gender" } else { "none" };
        let hate = if sentence.contains("비를") { "hate" } else { "none" };
        comments += &format!("{sentence}\t{bias}\t{hate}\n");
    }
    let (ner, hate) = (desk.path().join("ner"), desk.path().join("hate"));
    let tagged = file(&desk, "ner.tsv", &tagged);
    let line =
        format!("train tagger --backbone {{}} --train {{}} --dev {{}} -o {{}} {HOW} --format json");
    learned(&json(&run_line(&line, &[&model("electra"), &tagged, &tagged, &ner])));
    let comments = file(&desk, "comments.tsv", &comments);
    let line = format!(
        "train classifier --backbone {{}} --train {{}} --dev {{}} --text comments --label bias --label hate -o {{}} {HOW} --format json"
    );
    learned(&json(&run_line(&line, &[&model("modernbert"), &comments, &comments, &hate])));

    let captions = file(&desk, "captions.txt", &(sentences.join("\n") + "\n"));
    let out = desk.path().join("out");
    let line = "commongen build --captions {} --validation 1 --test 1 --entity-model {} --entity-kinds LC \
                --ethics-model {} --similarity-model {} --threads 1 -o {}";
    let built = json(&run_line(line, &[&captions, &ner, &hate, &model("bert"), &out]));
    let report = &built["report"];
    let stage = |name: &str| {
        let stages = report["sentences"]["stages"].as_array().unwrap();
        stages.iter().find(|stage| stage["stage"] == name).unwrap().clone()
    };
    assert_eq!(stage("unify")["changed"], 12, "{report}");
    assert!(stage("without-entities")["dropped"]["LC"].as_u64().unwrap() > 0, "{report}");
    assert!(built["signature"].as_str().unwrap().contains("tagger"), "{built}");
    let ethics = &report["ethics"];
    let count = |name: &str| ethics["by_label"][name].as_u64().unwrap();
    let (flagged, both) =
        (ethics["flagged"].as_u64().unwrap(), ethics["by_several"].as_u64().unwrap());
    assert!(flagged > 0, "{ethics}");
    assert_eq!(count("bias") + count("hate") - both, flagged, "{ethics}");
    let review = fs::read_to_string(out.join("review.tsv")).unwrap();
    assert_eq!(review.lines().count() as u64, flagged);
    // A flag agrees with `classify`, and no sentence with a place was kept.
    let told = |line: &str, model: &Path, text: &str| {
        common::text(&finish(command(line, &[model]), text.as_bytes()))
    };
    for line in review.lines() {
        let (labels, text) = line.rsplit_once('\t').unwrap();
        let given = told("classify --model {}", &hate, text);
        assert_eq!(labels.contains("bias"), given.contains("bias=gender"), "{line}: {given}");
        assert_eq!(labels.contains("hate"), given.contains("hate=hate"), "{line}: {given}");
        assert!(!told("tag --model {}", &ner, text).contains(":LC>"), "{line}");
    }
    assert_eq!(report["sets"]["sources"][0]["dialogues"], 0);
    assert_eq!(built["caption_percent"], serde_json::json!([100.0, 100.0, 100.0]));

    let line = "commongen build --captions {} --ethics-model {} --ethics-harmless clean -o {}";
    let message = failure(&run_line(line, &[&captions, &hate, &desk.path().join("other")]));
    assert!(message.contains("clean, where bias has gender, none"), "{message}");
}

/// A training that is really killed, at whatever it happens to do, ends with the very weights of one that was not.
#[cfg(unix)]
#[test]
fn a_killed_training_goes_on_to_the_same_weights() {
    let desk = tempfile::tempdir().unwrap();
    let data = file(&desk, "ner.tsv", &tagged());
    let line = "train tagger --backbone {} --train {} --dev {} --epochs 30 --batch 2 --learning-rate 1e-3 \
                --longest 40 --threads 1 --checkpoint-every 1";
    let job =
        Job::new("train", line, &[model("bert"), data.clone(), data]).done_by("training.json");
    job.survives(50, 8, |folder| {
        let report = fs::read_to_string(folder.join("training.json")).unwrap();
        let mut report: Value = serde_json::from_str(&report).unwrap();
        report.as_object_mut().unwrap().remove("seconds").unwrap();
        (report, fs::read(folder.join("model.safetensors")).unwrap())
    });
}
