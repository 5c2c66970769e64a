//! What people's hands expect: names in any case, hints, files without flags, formats by their names.

use crate::common::{failure, files, json, run_line, sample, text};
use std::fs;

#[test]
fn files_without_flags_are_what_is_left_open() {
    let (good, poor, reference) = (sample("good.txt"), sample("poor.txt"), sample("reference.txt"));
    let flags = text(&run_line("score --hyp {} --ref {} -b", &[&good, &reference]));
    assert_eq!(flags.lines().count(), 2);
    assert_eq!(text(&run_line("score -i {} {} -b", &[&good, &reference])), flags);
    assert_eq!(text(&run_line("score {} --ref {} -b", &[&good, &reference])), flags);
    let message = failure(&run_line("score {} {}", &[&good, &reference]));
    assert!(message.contains("--hyp HYP REF"), "{message}");
    // Two systems, a metric after the other.
    let other = text(&run_line("score --hyp {} --ref {} -b", &[&poor, &reference]));
    let both = text(&run_line("score --hyp {} --hyp {} {} -b", &[&good, &poor, &reference]));
    let side_by_side: Vec<&str> =
        flags.lines().zip(other.lines()).flat_map(|(a, b)| [a, b]).collect();
    assert_eq!(both.lines().collect::<Vec<_>>(), side_by_side);
    let scores = json(&run_line("score {} {} --ref {} --format json", &[&good, &poor, &reference]));
    assert_eq!(scores["schema_version"], 1);
    assert_eq!(scores["scores"][1]["system"], poor.display().to_string());
    assert_eq!(scores["scores"][0]["better"], "higher");
    assert_eq!(scores["scores"][0]["range"], serde_json::json!([0.0, 100.0]));
    assert_eq!(scores["scores"][0]["segment_count"], 16);
    let details = &scores["scores"][0]["details"];
    assert!(details["brevity_penalty"].is_f64(), "{details}");
    assert_eq!(details["brevity-penalty"], details["brevity_penalty"], "the older name stays");
}

#[test]
fn a_bare_score_has_every_digit() {
    let (good, reference) = (sample("good.txt"), sample("reference.txt"));
    let scores = json(&run_line("score --hyp {} {} -m chrf --format json", &[&good, &reference]));
    let bare = text(&run_line("score --hyp {} {} -m chrf -b", &[&good, &reference]));
    assert_eq!(bare.trim().parse::<f64>().ok(), scores["scores"][0]["score"].as_f64());
    let segments = text(&run_line("score --hyp {} {} -m chrf -b --segments", &[&good, &reference]));
    assert_eq!(segments.lines().count(), 16);
}

#[test]
fn the_output_chooses_its_format() {
    let (good, reference) = (sample("good.txt"), sample("reference.txt"));
    let folder = tempfile::tempdir().unwrap();
    for (name, format, start) in [
        ("a.json", "json", "{"),
        ("a.csv", "csv", "metric,unit,score"),
        ("a.tsv", "tsv", "metric\tunit\tscore"),
        ("a.md", "md", "| metric | unit | score"),
        ("a.txt", "table", "───"),
    ] {
        let out = folder.path().join(name);
        text(&run_line("score --hyp {} {} -o {}", &[&good, &reference, &out]));
        let written = fs::read_to_string(&out).unwrap();
        assert!(written.starts_with(start), "{name}: {written}");
        let line = format!("score --hyp {{}} {{}} --format {format}");
        assert_eq!(text(&run_line(&line, &[&good, &reference])), written);
        // What is said wins over the name.
        text(&run_line("score --hyp {} {} --format csv -o {}", &[&good, &reference, &out]));
        assert!(fs::read_to_string(&out).unwrap().starts_with("metric,unit"), "{name}");
    }
}

#[test]
fn names_are_understood_as_people_write_them() {
    let (good, reference) = (sample("good.txt"), sample("reference.txt"));
    let names = |metric: &str| {
        let line = format!("score --hyp {{}} {{}} -u Char --format json -m {metric}");
        let scores = json(&run_line(&line, &[&good, &reference]));
        let rows = scores["scores"].as_array().unwrap().clone();
        assert!(rows.iter().all(|row| row["unit"] == "char"));
        rows.iter().map(|row| row["metric"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("BLEU"), ["bleu"]);
    assert_eq!(names("chrF++"), ["chrf:word-order=2"]);
    assert_eq!(names("rouge"), ["rouge-1", "rouge-2", "rouge-l"]);
}

#[test]
fn mistakes_get_a_hint() {
    for (line, hint) in [
        ("score --pairs - -m blue", "did you mean `bleu`?"),
        ("score --pairs - -m bleu:ordre=2", "did you mean `order`?"),
        ("score --pairs - -m bleu:smooth=flor", "did you mean `floor`?"),
        ("score --pairs - -u meacb", "did you mean `mecab`?"),
        ("probe build x.conllu --output out --task SentLem", "did you mean `SentLen`?"),
        ("scroe", "'score'"),
        ("score --pairs - -m bertscore:12", "`bertscore:MODEL,layer=12`"),
        ("score --pairs - -m bertscore:klue/bert-base", "hf download klue/bert-base"),
        ("embed --model klue/bert-base -", "hf download klue/bert-base"),
        ("score", "--pairs FILE"),
    ] {
        let message = failure(&run_line(line, &[]));
        assert!(message.contains(hint), "{line}: {message}");
    }
}

#[test]
fn ter_says_what_sacrebleu_does_with_case() {
    let (_folder, [hyp, reference]) = files([("a.txt", b"OK\n"), ("b.txt", b"ok\n")]);
    let table = text(&run_line("score --hyp {} {} -m ter -u word", &[&hyp, &reference]));
    assert!(table.contains(" ter* ") && table.contains("`ter:case=lower`"), "{table}");
    let same = text(&run_line("score --hyp {} {} -m ter:case=lower -u word", &[&hyp, &reference]));
    assert!(same.contains(" 0.0000 ") && !same.contains('*'), "{same}");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_line("man {}", &[folder.path()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for page in
        ["ko-eval.1", "ko-eval-score.1", "ko-eval-train-sts.1", "ko-eval-commongen-rerank.1"]
    {
        let text = fs::read_to_string(folder.path().join(page)).unwrap();
        assert!(text.contains(".SH OPTIONS") || text.contains(".SH SUBCOMMANDS"), "{page}");
    }
    let score = fs::read_to_string(folder.path().join("ko-eval-score.1")).unwrap();
    assert!(score.contains("predictions") && score.contains("encoding"), "{score}");
}
