//! Tables as they stand on a terminal of 80 columns.

use crate::common::{command, files, finish, text};
use ko_eval_testing::cases;
use std::path::Path;

const HYP: &str = "비가 온다\n나는 밥을 먹었다\n";
const OTHER: &str = "비 온다\n\n";
const REF: &str = "비가 온다\n나는 밥을 먹었다\n";

/// What a line prints in a folder, on so many columns.
fn shown(line: &str, columns: &str, folder: &Path) -> String {
    let mut command = command(line, &[]);
    command.current_dir(folder).env("COLUMNS", columns);
    text(&finish(command, b""))
}

#[test]
fn signatures_stand_below_and_notes_at_the_foot() {
    let (folder, _) = files([
        ("a.txt", HYP.as_bytes()),
        ("b.txt", OTHER.as_bytes()),
        ("ref.txt", REF.as_bytes()),
    ]);
    let table =
        shown("score -i a.txt -i b.txt ref.txt -m bleu -m ter -u char", "80", folder.path());
    let expected = "\
───────────────────────────────────────────────────────────
  metric   unit   system   score      scale     signature
───────────────────────────────────────────────────────────
  bleu     char   a.txt    100.0000   ↑ 0–100   [1]
  bleu*    char   b.txt      0.0000   ↑ 0–100   [1]
  ter†     char   a.txt      0.0000   ↓ 0–∞     [2]
  ter*†    char   b.txt     72.7273   ↓ 0–∞     [2]
───────────────────────────────────────────────────────────
[1] BLEU|case:mixed|order:4|smooth:exp|tok:char(norm=nfc)|version:0.1.0|nrefs:1
[2] TER|case:mixed|norm:no|punct:yes|asian:no|tok:char(norm=nfc)|version:0.1.0|
    nrefs:1
* At least one hypothesis is empty.
† Upper and lower case differ here; sacreBLEU's TER ignores case by default:
  `ter:case=lower`.
";
    assert_eq!(table, expected, "\n{table}");
    // The same in Korean, and JSON that does not know of it.
    let korean = shown("score -i a.txt ref.txt -m bleu -u char --lang ko", "80", folder.path());
    let expected = "\
───────────────────────────────────────────
  지표   단위   점수       범위      서명
───────────────────────────────────────────
  bleu   char   100.0000   ↑ 0–100   [1]
───────────────────────────────────────────
[1] BLEU|case:mixed|order:4|smooth:exp|tok:char(norm=nfc)|version:0.1.0|nrefs:1
";
    assert_eq!(korean, expected, "\n{korean}");
    for format in ["json", "csv", "tsv"] {
        let line = format!("score -i a.txt ref.txt --segments --format {format}");
        let english = shown(&line, "80", folder.path());
        assert_eq!(shown(&format!("{line} --lang ko"), "80", folder.path()), english);
    }
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    use unicode_width::UnicodeWidthStr;
    let (folder, _) = files([("a.txt", HYP.as_bytes()), ("ref.txt", REF.as_bytes())]);
    let every: Vec<String> = ko_eval::METRICS
        .iter()
        .filter(|row| row.is_over_units())
        .map(|row| format!("-m {}", row.name))
        .collect();
    let all = format!(
        "score -i a.txt ref.txt --ci --segments -u jamo:form=conjoining {}",
        every.join(" ")
    );
    for line in [
        all.as_str(),
        "metrics",
        "units",
        "units --tags",
        "doctor",
        "score --help",
        "score --help --lang ko",
    ] {
        for columns in cases(&[60, 80][..], &[60, 80, 120]).iter().copied() {
            let text = shown(line, &columns.to_string(), folder.path());
            // A word that is longer than its column cannot be broken in help.
            let wide = text.lines().find(|line| line.width() > columns);
            assert!(wide.is_none() || line.contains("--help"), "{line}, {columns}: {wide:?}");
        }
    }
}

#[test]
fn systems_are_named_by_the_ends_of_their_paths() {
    let (folder, _) = files([
        ("a.txt", HYP.as_bytes()),
        ("b.txt", OTHER.as_bytes()),
        ("ref.txt", REF.as_bytes()),
    ]);
    let far = folder.path().display();
    let line = format!(
        "compare --baseline {far}/a.txt --system {far}/b.txt --ref {far}/ref.txt -m chrf -m honorifics -u char"
    );
    let table = shown(&line, "80", folder.path());
    for word in [" a.txt ", " b.txt ", " honorifics ", "[1] chrF"] {
        assert!(table.contains(word), "{word}: {table}");
    }
    assert!(!table.contains(&far.to_string()), "{table}");
    let csv = shown(&format!("{line} --format csv"), "80", folder.path());
    assert!(csv.contains(&format!("{far}/a.txt")), "{csv}");
}

#[test]
fn help_is_in_the_language_of_the_locale() {
    let folder = tempfile::tempdir().unwrap();
    let help = |variables: &[(&str, &str)], line: &str| {
        let mut command = command(line, &[]);
        command.current_dir(folder.path()).env_remove("LC_ALL").env_remove("LANG");
        command.env_remove("LC_MESSAGES").envs(variables.iter().copied());
        text(&finish(command, b""))
    };
    let korean = help(&[("LANG", "ko_KR.UTF-8")], "score --help");
    assert!(korean.contains("사용법: ko-eval score") && korean.contains("옵션:"), "{korean}");
    assert!(korean.contains("문장마다의 점수도 보여 줍니다"), "{korean}");
    assert!(!korean.contains("Usage:") && !korean.contains("Print help"), "{korean}");
    assert!(help(&[("LANG", "ko_KR.UTF-8")], "--help").contains("명령:"));
    // What is said wins over the locale, and LC_ALL over LANG.
    for english in [
        help(&[("LANG", "ko_KR.UTF-8")], "score --help --lang en"),
        help(&[("LANG", "ko_KR.UTF-8"), ("LC_ALL", "C")], "score --help"),
        help(&[], "score --help"),
    ] {
        assert!(english.contains("Usage: ko-eval score"), "{english}");
    }
}

#[test]
fn the_tone_is_told_in_korean() {
    let mut command = command("tone --analyzer endings --fix-hints --lang ko", &[]);
    command.env("COLUMNS", "80");
    let told = text(&finish(command, "짐은 다 쌌습니다. 너도 갈래?\n".as_bytes()));
    for part in ["등급", "하십시오체", "흔들린 곳 1군데", "글 1편: ", "고칠 말: "]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    let words = ["polite", "slip", "sentence", "declarative", "past"];
    assert!(words.iter().all(|word| !told.contains(word)), "{told}");
}
