//! What people have as input: tables, packed files, other encodings, lists of predictions.

use crate::common::{self, failure, files, finish, json, run_line};
use serde_json::Value;
use std::{io::Write, path::Path};

const HYP: &str = "나는 밥을 먹었다\n비가 온다\n";
const REF: &str = "나는 밥을 먹었어요\n비가 온다\n";

/// The scores of two text files, which every other form of them must have.
fn expected() -> Value {
    let (_folder, [hyp, reference]) =
        files([("hyp.txt", HYP.as_bytes()), ("ref.txt", REF.as_bytes())]);
    json(&run_line("score --hyp {} --ref {} --format json", &[&hyp, &reference]))
}

fn assert_pairs_are_read(name: &str, bytes: &[u8], options: &str) {
    let (_folder, [pairs]) = files([(name, bytes)]);
    let read = json(&run_line(&format!("score --pairs {{}} --format json {options}"), &[&pairs]));
    assert_eq!(read, expected(), "{name}");
}

#[test]
fn tables_are_read_by_their_columns() {
    let rows = [("나는 밥을 먹었다", "나는 밥을 먹었어요"), ("비가 온다", "비가 온다")];
    let table = |header: &str, row: &dyn Fn(&str, &str) -> String| {
        let rows: String = rows.iter().map(|(hyp, reference)| row(hyp, reference) + "\n").collect();
        format!("{header}{rows}")
    };
    let plain = table("", &|hyp, reference| format!("{hyp}\t{reference}"));
    assert_pairs_are_read("plain.tsv", plain.as_bytes(), "");
    let headed = table("id\tReference\thyp\n", &|hyp, reference| format!("1\t{reference}\t{hyp}"));
    assert_pairs_are_read("headed.tsv", headed.as_bytes(), "");
    let marked = format!("\u{feff}{}", headed.replace('\n', "\r\n"));
    assert_pairs_are_read("marked.tsv", marked.as_bytes(), "");
    let named = table("mine\ttheirs\n", &|hyp, reference| format!("{hyp}\t{reference}"));
    assert_pairs_are_read("named.tsv", named.as_bytes(), "--columns hyp=mine,ref=theirs");
    assert_pairs_are_read("numbered.tsv", plain.as_bytes(), "--columns hyp=1,ref=2");
    let quoted =
        table("\"hyp\"\t\"ref\"\n", &|hyp, reference| format!("\"{hyp}\"\t\"{reference}\""));
    assert_pairs_are_read("quoted.tsv", quoted.as_bytes(), "");
    let comma =
        table("prediction,reference\r\n", &|hyp, reference| format!("{hyp},\"{reference}\""));
    assert_pairs_are_read("comma.csv", comma.as_bytes(), "");
    assert_pairs_are_read("comma.csv", format!("\u{feff}{comma}").as_bytes(), "");
}

#[test]
fn cells_may_hold_commas_quotes_and_line_ends() {
    let csv =
        "hyp,ref,src\n\"그는 \"\"네, 네\"\"라고\n했다\",\"그는 \"\"네, 네\"\"라고\n했다\",x\n";
    let (_folder, [pairs]) = files([("cells.csv", csv.as_bytes())]);
    let scores = json(&run_line("score {} -m ter -u char --format json", &[&pairs]));
    assert_eq!(scores["scores"][0]["score"], 0.0);
    assert_eq!(scores["scores"][0]["segment_count"], 1);
}

#[test]
fn what_would_be_a_wrong_number_is_refused() {
    let told = |name: &str, text: &str, line: &str| {
        let (_folder, [file]) = files([(name, text.as_bytes())]);
        failure(&run_line(line, &[&file]))
    };
    // A header of unknown names would be scored as text.
    let message = told("a.tsv", "sys\tgold\n비가 온다\t비가 온다\n", "score --pairs {}");
    assert!(message.contains("a.tsv:1: ") && message.contains("hyp=sys,ref=gold"), "{message}");
    let message = told("a.csv", "비가 온다,비가 온다\n", "score --pairs {}");
    assert!(message.contains("--columns hyp=1,ref=2"), "{message}");
    // Quotes of CSV in a table of tabs.
    let message = told("a.tsv", "\"그는 \"\"네\"\"\"\t그는 네\n", "score --pairs {}");
    assert!(message.contains("a.tsv:1: ") && message.contains("--quotes yes"), "{message}");
    // A row that is cut or has too much.
    let message = told("a.tsv", "hyp\tref\n비가 온다\n", "score --pairs {}");
    assert!(message.contains("a.tsv:2: 1 columns, but column 2"), "{message}");
    let message = told("a.tsv", "hyp\tref\n가\t나\t다\n", "score --pairs {}");
    assert!(message.contains("a.tsv:2: 3 columns, but the header has 2"), "{message}");
    // A table where a text per line is wanted.
    for (name, text) in
        [("a.tsv", "가\t나\n"), ("a.csv", "hyp,ref\n"), ("a.jsonl", "{\"hyp\": \"가\"}\n")]
    {
        let message = told(name, text, "score --hyp {} --ref nowhere.txt");
        assert!(message.contains("--pairs FILE"), "{message}");
    }
    let message = told("a.tsv", "hyp\tref\n", "score --pairs {} --columns hyp=hyp,ref=gold");
    assert!(message.contains("no column `gold`") && message.contains("`hyp`, `ref`"), "{message}");
}

#[test]
fn packed_files_are_told_by_their_bytes() {
    let text = "{\"hyp\": \"나는 밥을 먹었다\", \"refs\": [\"나는 밥을 먹었어요\"]}\n{\"hyp\": \"비가 온다\", \"refs\": [\"비가 온다\"]}\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    assert_pairs_are_read("pairs.jsonl.gz", &gzip, "");
    assert_pairs_are_read("pairs", &gzip, "");
    // A frame of zstd that holds its text as it is.
    let (text, mut zstd) = (text.as_bytes(), b"\x28\xb5\x2f\xfd\x00\x58".to_vec());
    let block = (text.len() as u32) << 3 | 1;
    zstd.extend_from_slice(&block.to_le_bytes()[..3]);
    zstd.extend_from_slice(text);
    assert_pairs_are_read("pairs.jsonl.zst", &zstd, "");
    let (_folder, [archive]) = files([("book.xlsx", &b"PK\x03\x04rest"[..])]);
    let message = failure(&run_line("score --pairs {}", &[&archive]));
    assert!(message.contains("zip") && message.contains("CSV"), "{message}");
}

#[test]
fn lists_of_predictions_are_read() {
    let whole = r#"{
  "predictions": ["나는 밥을 먹었다", "비가 온다"],
  "references": [["나는 밥을 먹었어요"], ["비가 온다"]]
}"#;
    assert_pairs_are_read("whole.json", whole.as_bytes(), "");
    assert_pairs_are_read("line.jsonl", whole.replace('\n', " ").as_bytes(), "");
    let list = r#"[{"prediction": "나는 밥을 먹었다", "references": ["나는 밥을 먹었어요"]}, {"prediction": "비가 온다", "reference": "비가 온다"}]"#;
    assert_pairs_are_read("list.json", list.as_bytes(), "");
    let keys = "{\"a\": \"나는 밥을 먹었다\", \"b\": \"나는 밥을 먹었어요\"}\n{\"a\": \"비가 온다\", \"b\": \"비가 온다\"}\n";
    assert_pairs_are_read("keys.jsonl", keys.as_bytes(), "--columns hyp=a,ref=b");
    for (text, told) in [
        (keys, "keys.jsonl:1: the keys `a`, `b`"),
        (
            r#"{"predictions": ["가"], "references": []}"#,
            "`predictions` has 1 items, but `references` has 0",
        ),
        (
            r#"{"predictions": ["가", 3], "references": ["가", "나"]}"#,
            "item 2: `predictions` is a number",
        ),
        ("{\n\"predictions\": [\"가\"],\n\"references\": [}\n", "keys.jsonl:3: "),
    ] {
        let (_folder, [file]) = files([("keys.jsonl", text.as_bytes())]);
        let message = failure(&run_line("score --pairs {}", &[&file]));
        assert!(message.contains(told), "{message}");
    }
}

#[test]
fn other_encodings_are_read_when_they_are_named() {
    // `비가 온다` and `나는 간다`, as Korean Windows writes them.
    let cp949: &[u8] = b"\xba\xf1\xb0\xa1 \xbf\xc2\xb4\xd9\n\xb3\xaa\xb4\xc2 \xb0\xa3\xb4\xd9\n";
    let text = "비가 온다\n나는 간다\n";
    let utf16: Vec<u8> =
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for (bytes, name) in [(cp949, "cp949"), (&utf16, "UTF-16")] {
        let (_folder, [file]) = files([("text.txt", bytes)]);
        let line = format!("tokenize -u word --encoding {name} {{}}");
        assert_eq!(common::text(&run_line(&line, &[&file])), text);
        let line = format!(
            "compare --baseline {{}} --system {{}} {{}} -m ter -u char --encoding {name} --format json"
        );
        let compared = json(&run_line(&line, &[&file, &file, &file]));
        assert_eq!(compared["comparisons"][1]["score"], 0.0);
        let line = format!("score --hyp {{}} {{}} -m ter -u char -b --encoding {name}");
        assert_eq!(common::text(&run_line(&line, &[&file, &file])), "0\n");
        let message = failure(&run_line("score --hyp {} {}", &[&file, &file]));
        let hint = format!("hint: `--encoding {}`", name.to_lowercase());
        assert!(message.contains("text.txt:1: not UTF-8") && message.contains(&hint), "{message}");
    }
    let (_folder, [broken]) = files([("text.txt", &b"\xba\xf1\n\xff\xff\n"[..])]);
    let output = run_line("tokenize --encoding cp949 {}", &[&broken]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && message.contains("line 2 is not EUC-KR"), "{message}");
    // One file in CP949 and one in UTF-8: no encoding is right for both.
    let (_mixed, [cp949, utf8]) =
        files([("cp949.txt", cp949), ("utf8.txt", "비가 온다\n나는 간다\n".as_bytes())]);
    let message = failure(&run_line("score --encoding cp949 -i {} {}", &[&cp949, &utf8]));
    assert!(message.contains("utf8.txt") && message.contains("looks like UTF-8"), "{message}");
    let message = failure(&run_line("tokenize --encoding cp9999 {}", &[&broken]));
    assert!(message.contains("utf-8, cp949, utf-16"), "{message}");
}

#[test]
fn standard_input_is_read_once() {
    for line in ["score --hyp - --ref -", "compare --baseline - --system a.txt -"] {
        let message = failure(&run_line(line, &[]));
        assert!(message.contains("only once"), "{message}");
    }
}

#[test]
fn standard_input_may_be_any_table() {
    for input in [
        "hyp,ref\n비가 온다,비가 온다\n",
        "hyp\tref\n비가 온다\t비가 온다\n",
        "비가 온다\t비가 온다\n",
    ] {
        let command = common::command("score --pairs - -m ter -u char -b", &[]);
        assert_eq!(common::text(&finish(command, input.as_bytes())), "0\n");
    }
}

#[test]
fn a_segment_that_lacks_something_is_named_by_its_line() {
    let text = "{\"hyp\": \"가\", \"refs\": [\"나\"]}\n\n{\"hyp\": \"다\"}\n";
    let (_folder, [file]) = files([("pairs.jsonl", text.as_bytes())]);
    let message = failure(&run_line("score --pairs {} -m bleu", &[&file]));
    assert!(message.contains("pairs.jsonl:3: BLEU needs a reference"), "{message}");
    assert_eq!(message.matches("pairs.jsonl").count(), 1, "said once: {message}");
    let message = failure(&run_line("score --pairs {}", &[Path::new("nowhere.jsonl")]));
    assert_eq!(message.matches("No such file").count(), 1, "{message}");
}
