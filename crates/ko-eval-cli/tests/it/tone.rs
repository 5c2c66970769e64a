//! `ko-eval tone`, run as a user runs it.

use crate::common::{command, dictionary_home, failure, finish, json, run_with};
use serde_json::Value;
use std::{path::Path, process::Output};

fn tone(input: &str, line: &str) -> Output {
    let args: Vec<&str> = std::iter::once("tone").chain(line.split_whitespace()).collect();
    let args: Vec<&dyn AsRef<std::ffi::OsStr>> =
        args.iter().map(|arg| arg as &dyn AsRef<_>).collect();
    run_with(input.as_bytes(), &args)
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn objects(output: &Output) -> Vec<Value> {
    text(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// With the dictionary and without.
const ANALYZERS: [&str; 2] = ["mecab", "endings"];

#[test]
fn one_object_per_line_with_places_in_characters() {
    let input = "약속 시간이 언제인가요 토요일과 일요일 중에\n\n회의록\n";
    for analyzer in ANALYZERS {
        let found = objects(&tone(input, &format!("--format json --analyzer {analyzer}")));
        assert_eq!(found.len(), 3, "{analyzer}");
        assert_eq!(found[0]["level"], "해요체");
        assert_eq!(found[0]["polite"], true);
        let evidence = &found[0]["evidence"][0];
        assert_eq!(
            (&evidence["text"], &evidence["start"], &evidence["end"]),
            (&"언제인가요".into(), &7.into(), &12.into())
        );
        assert_eq!(found[0]["sentences"].as_array().unwrap().len(), 1);
        for nothing in &found[1..] {
            assert_eq!(
                (&nothing["level"], &nothing["polite"]),
                (&Value::Null, &Value::Null),
                "{analyzer}"
            );
            assert!(nothing["evidence"].as_array().unwrap().is_empty());
        }
        assert!(found[1]["sentences"].as_array().unwrap().is_empty());
    }
}

#[test]
fn slips_and_the_words_that_carry_them() {
    let input = "짐은 다 쌌습니다. 내일 아침에 출발합니다. 너도 같이 갈래? 일곱 시에 뵙겠습니다.\n";
    for analyzer in ANALYZERS {
        let table = text(&tone(input, &format!("--fix-hints --analyzer {analyzer}")));
        let slip = "slip of politeness: 해체 where 하십시오체 is expected, characters 25 to 34: 너도 같이 갈래?";
        assert!(table.contains(slip), "{table}");
        assert!(table.contains("change 갈래 (해체)"), "{table}");
        assert!(table.contains("change 너도 (familiar)"), "{table}");
        assert!(table.contains("1 text: 1 polite, 0 plain, 0 without a level"), "{table}");
        assert!(table.contains("4 sentences: 하십시오체 3, 해체 1"), "{table}");
        assert!(table.contains("1 slip in 1 text"), "{table}");
        let found =
            objects(&tone(input, &format!("--format json --fix-hints --analyzer {analyzer}")));
        assert_eq!(found[0]["slips"][0]["sentence"], 2);
        assert_eq!(found[0]["slips"][0]["hints"], serde_json::json!(["너도", "갈래"]));
    }
}

#[test]
fn a_target_is_what_slips_are_measured_from() {
    let input = "문을 닫아요. 불도 끕니다.\n";
    let slips = |line: &str| objects(&tone(input, line))[0]["slips"].as_array().unwrap().len();
    assert_eq!(slips("--analyzer endings --format json --target polite"), 0);
    assert_eq!(slips("--analyzer endings --format json --target plain"), 2);
    assert_eq!(slips("--analyzer endings --format json --target 하십시오체"), 1);
    let message = failure(&tone(input, "--target loud"));
    assert!(message.contains("polite, plain or one of 하십시오체"), "{message}");
}

#[test]
fn morphemes_decide_where_the_dictionary_is_set_up() {
    let judge = |home: &Path, line: &str| {
        let mut command = command(line, &[]);
        command.env("KO_EVAL_HOME", home);
        finish(command, "비가 오네요.\n".as_bytes())
    };
    let (home, empty) = (dictionary_home(), tempfile::tempdir().unwrap());
    let output = judge(home.path(), "tone --format csv");
    let row = "1,0,0,7,해요체,yes,declarative,non-past,affirmative,plain,plain,비가 오네요.";
    assert_eq!(text(&output).lines().nth(1), Some(row));
    assert!(output.stderr.is_empty());
    // Offline and without it endings alone decide, and the command says so.
    let output = judge(empty.path(), "tone --format csv");
    assert!(output.status.success());
    let note = String::from_utf8(output.stderr).unwrap();
    assert!(note.contains("judged by endings alone"), "{note}");
    // An analyzer that is named is not replaced.
    assert!(!judge(home.path(), "tone --analyzer mecab:dic=sacrebleu").status.success());
}

#[test]
fn the_register_is_scored_like_any_metric() {
    let score = |input: &str, metric: &str| {
        let args = ["score", "--pairs", "-", "--metric", metric, "--format", "json"];
        let args: Vec<&dyn AsRef<std::ffi::OsStr>> =
            args.iter().map(|arg| arg as &dyn AsRef<_>).collect();
        json(&run_with(input.as_bytes(), &args))["scores"][0].clone()
    };
    let pair = "{\"hyp\": \"문을 닫아요.\", \"refs\": [\"문을 닫으세요.\"]}\n";
    assert_eq!(score(pair, "register")["score"], 100.0);
    let kosmic = score(pair, "kosmic:sts=chrf@jamo,fic=grammar,csl=grammar");
    assert!(
        kosmic["signature"].as_str().unwrap().starts_with("kosmic-grammar|analyzer:endings"),
        "{kosmic}"
    );
    assert_eq!(kosmic["score"], score(pair, "kosmic-grammar")["score"]);
    // No reference is needed.
    assert_eq!(
        score("{\"hyp\": \"문을 닫아요. 고마워.\"}\n", "register:target=polite")["score"],
        50.0
    );
}
