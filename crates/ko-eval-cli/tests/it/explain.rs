//! `ko-eval explain`: in the terminal, as JSON, as a page; and what it refuses.

use crate::common::{failure, json, run};
use std::fs;
use unicode_width::UnicodeWidthStr;

const HYPOTHESIS: &str = "어제 나는 밥을 먹었다";
const REFERENCE: &str = "나는 밥을 어제 먹었어요";

fn text(args: &[&str]) -> String {
    let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"explain"];
    all.extend(args.iter().map(|arg| arg as &dyn AsRef<std::ffi::OsStr>));
    let output = run(&all);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn edits_are_marked_under_the_texts() {
    let shown = text(&["--hyp", HYPOTHESIS, "--ref", REFERENCE, "-m", "ter", "-u", "word"]);
    let lines: Vec<&str> = shown.lines().collect();
    // Two columns for each syllable: 어제 was moved, 먹었다 became 먹었어요.
    let at = lines.iter().position(|line| line.starts_with("hyp")).unwrap();
    assert_eq!(lines[at], "hyp     어제 나는 밥을 먹었다");
    assert_eq!(lines[at + 1], "        >>>> ==== ==== !!!!!!");
    assert_eq!(lines[at + 2], "ref     나는 밥을 어제 먹었어요");
    assert_eq!(lines[at + 3], "        ==== ==== >>>> !!!!!!!!");
    assert!(shown.contains("substitution (1): 먹었다 → 먹었어요"), "{shown}");
    assert!(shown.contains("100 × edits / reference-length"), "{shown}");
    assert!(!shown.contains('\u{1b}'), "no colours where there is no terminal");
}

#[test]
fn no_line_is_wider_than_asked_for() {
    let hypothesis = "나는 어제 친구와 함께 밥을 많이 먹었다. ".repeat(8);
    let metrics =
        ["bleu", "chrf:word-order=2", "ter", "eed", "character", "ribes", "rouge-l", "meteor"];
    let mut args = vec!["--hyp", &hypothesis, "--ref", "나는 밥을 먹었어요.", "--ref", &hypothesis];
    metrics.iter().for_each(|metric| args.extend(["-m", metric]));
    for width in ["40", "80", "133"] {
        let shown = text(&[&args[..], &["-u", "word", "--width", width]].concat());
        let widest = shown.lines().map(UnicodeWidthStr::width).max().unwrap();
        assert!(widest <= width.parse().unwrap(), "{widest} of {width}:\n{shown}");
    }
}

#[test]
fn colours_are_asked_for_or_not() {
    let args = ["--hyp", HYPOTHESIS, "--ref", REFERENCE, "-m", "ter", "-u", "word"];
    let colored = text(&[&args[..], &["--color", "always"]].concat());
    let plain = text(&args);
    let mut stripped = String::new();
    let mut escaped = false;
    for c in colored.chars() {
        match c {
            '\u{1b}' => escaped = true,
            'm' if escaped => escaped = false,
            _ if escaped => {}
            c => stripped.push(c),
        }
    }
    assert_ne!(colored, plain);
    assert_eq!(stripped, plain);
}

#[test]
fn json_says_everything_and_adds_up() {
    let output = run(&[
        &"explain",
        &"--hyp",
        &HYPOTHESIS,
        &"--ref",
        &REFERENCE,
        &"-m",
        &"bleu:order=2",
        &"-m",
        &"chrf",
        &"-u",
        &"jamo",
        &"--format",
        &"json",
    ]);
    let found = json(&output);
    assert_eq!(found["hyp"], HYPOTHESIS);
    for explanation in found["explanations"].as_array().unwrap() {
        let (score, again) = (&explanation["score"]["value"], &explanation["recomputed"]);
        assert!((score.as_f64().unwrap() - again.as_f64().unwrap()).abs() < 1e-9);
        let unit = &explanation["layers"][0]["hypothesis"][0];
        assert_eq!(
            (unit["text"].as_str(), &unit["start"], &unit["end"]),
            (Some("ㅇ"), &0.into(), &3.into())
        );
        let parts = explanation["parts"].as_array().unwrap();
        assert_eq!(parts.last().unwrap()["name"], "score");
        assert!(parts.iter().all(|part| !part["written"].as_str().unwrap().is_empty()));
    }
}

#[test]
fn a_page_holds_no_markup_of_the_texts() {
    let hostile = "<script>alert('밥')</script> & \"<img onerror=x>\" </section>";
    let page = text(&[
        "--hyp", hostile, "--ref", hostile, "-m", "ter", "-m", "chrf", "-u", "word", "--format",
        "html",
    ]);
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
    assert_eq!(page.matches("</section>").count(), 2);
    assert!(page.contains("&lt;script&gt;"));
    assert!(page.contains("default-src 'none'") && page.contains("script-src 'none'"));
    assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("style=\""));
}

#[test]
fn a_segment_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let [hyp, reference] = ["hyp.txt", "ref.txt"].map(|name| folder.path().join(name));
    fs::write(&hyp, "비가 온다\n나는 간다\n").unwrap();
    fs::write(&reference, "비가 온다\n나는 가요\n").unwrap();
    let second = run(&[
        &"explain",
        &"--hyp",
        &hyp,
        &"--ref",
        &reference,
        &"--segment",
        &"2",
        &"-m",
        &"ter",
        &"-u",
        &"word",
    ]);
    let shown = String::from_utf8(second.stdout).unwrap();
    assert!(shown.contains("substitution (1): 간다 → 가요"), "{shown}");
    let message = failure(&run(&[&"explain", &"--hyp", &hyp, &"--ref", &reference, &"-n", &"3"]));
    assert!(message.contains("there is no segment 3, only 2"), "{message}");
    let message = failure(&run(&[&"explain", &"--hyp", &hyp, &"--ref", &reference, &"-n", &"0"]));
    assert!(message.contains("counts from 1"), "{message}");
}

#[test]
fn what_cannot_be_explained_is_refused() {
    for (args, expected) in [
        (&["explain"][..], "--hyp TEXT"),
        (&["explain", "--hyp", "가", "--hyp", "나"], "one --hyp"),
        (&["explain", "--hyp", "비가 온다"], "a reference"),
        (&["explain", "--pairs", "pairs.jsonl"], "--segment"),
        (&["explain", "--hyp", "가", "--ref", "가", "-m", "blue"], "blue"),
        (&["explain", "--hyp", "가", "--ref", "가", "--width", "10"], "--width"),
    ] {
        let args: Vec<&dyn AsRef<std::ffi::OsStr>> =
            args.iter().map(|arg| arg as &dyn AsRef<std::ffi::OsStr>).collect();
        let message = failure(&run(&args));
        assert!(message.contains(expected), "{message}");
    }
}
