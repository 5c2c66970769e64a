//! `ko-eval sql`, and Parquet for `ko-eval score`.

#[path = "../it/common/mod.rs"]
mod common;

use common::{files, json, run_line};
use ko_eval_datafusion::datafusion::{
    arrow::array::{ArrayRef, RecordBatch, StringArray},
    parquet::arrow::ArrowWriter,
};
use serde_json::Value;
use std::{
    fs::{self, File},
    path::Path,
    process::{Command, Output},
    sync::Arc,
};

const LINES: &str = r#"{"system": "가", "hyp": "나는 밥을 먹었다", "ref": "나는 밥을 먹었어요"}
{"system": "나", "hyp": "비가 온다", "ref": "비가 온다"}
{"system": "가", "hyp": "눈이 왔다", "ref": "눈이 내렸다"}
"#;

/// The lines as Parquet.
fn parquet(path: &Path, lines: &str) {
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let column = |name: &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row[name].as_str().unwrap())))
    };
    let columns = ["system", "hyp", "ref"].map(|name| (name, column(name)));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer =
        ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// A folder with the same pairs as JSON lines, CSV and two Parquet files.
fn folder() -> tempfile::TempDir {
    let csv = "system,hyp,ref\n가,나는 밥을 먹었다,나는 밥을 먹었어요\n나,비가 온다,비가 온다\n가,눈이 왔다,눈이 내렸다\n";
    let (folder, _) = files([("pairs.jsonl", LINES.as_bytes()), ("pairs.csv", csv.as_bytes())]);
    fs::create_dir(folder.path().join("pairs")).unwrap();
    let lines: Vec<&str> = LINES.lines().collect();
    parquet(&folder.path().join("pairs/1.parquet"), &lines[..2].join("\n"));
    parquet(&folder.path().join("pairs/2.parquet"), lines[2]);
    folder
}

fn sql(folder: &Path, query: &str, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ko-eval"));
    command.args(["sql", query]).args(more).current_dir(folder).env("LC_ALL", "C");
    command.output().unwrap()
}

fn told(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn every_kind_of_file_gives_what_score_gives() {
    let folder = folder();
    let score = run_line(
        "score --format json -m bleu:order=2 -u char {}",
        &[&folder.path().join("pairs.jsonl")],
    );
    let score = json(&score);
    let wanted = score["scores"][0]["score"].as_f64();
    for table in ["pairs.jsonl", "pairs.csv", "pairs/*.parquet"] {
        for partitions in ["1", "3"] {
            let query =
                format!("SELECT ko_bleu(hyp, ref, 'char', 'order=2') AS bleu FROM '{table}'");
            let answer = json(&sql(
                folder.path(),
                &query,
                &["--format", "json", "--partitions", partitions],
            ));
            let found = answer["rows"][0]["bleu"].as_f64();
            assert!(found.is_some(), "{answer}");
            assert_eq!(found, wanted, "{table}: {score}");
            let signatures = answer["signatures"].as_object().unwrap();
            assert!(
                signatures
                    .values()
                    .next()
                    .unwrap()
                    .as_str()
                    .unwrap()
                    .starts_with("BLEU|case:mixed|order:2")
            );
        }
    }
    let line =
        "score --format json -m bleu:order=2 -u char --columns hyp=hyp,ref=ref --parquet {} {}";
    let paths = [folder.path().join("pairs/1.parquet"), folder.path().join("pairs/2.parquet")];
    let parquet = json(&run_line(line, &[&paths[0], &paths[1]]));
    assert_eq!(parquet["scores"], score["scores"]);
}

#[test]
fn tables_have_groups_and_signatures_below() {
    let folder = folder();
    let query = "SELECT system, ko_chrf(hyp, ref, 'char') AS chrf, count(*) AS n FROM 'pairs/*.parquet' GROUP BY system ORDER BY system";
    let output = sql(folder.path(), query, &[]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(
        table.contains("system") && table.contains("100.0000") && table.contains("가"),
        "{table}"
    );
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("chrF"), "{notes}");
    let csv = sql(folder.path(), query, &["--format", "csv"]);
    let csv = String::from_utf8(csv.stdout).unwrap();
    assert!(csv.starts_with("system,chrf,n\n가,") && csv.ends_with("나,100,1\n"), "{csv}");
    let lists =
        "SELECT ko_tokens('word', '밥을 먹자') AS units, ko_register('어서 오세요') AS register";
    let answer = json(&sql(folder.path(), lists, &["--format", "json"]));
    assert_eq!(answer["rows"][0]["units"], serde_json::json!(["밥을", "먹자"]));
    assert_eq!(answer["rows"][0]["register"]["polite"], Value::Bool(true));
}

#[test]
fn a_query_only_reads_and_only_what_it_names() {
    let folder = folder();
    let before = fs::read_dir(folder.path()).unwrap().count();
    for query in [
        "COPY (SELECT 1) TO 'out.parquet'",
        "CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION 'pairs/1.parquet'",
        "CREATE TABLE t AS SELECT 1",
        "CREATE VIEW v AS SELECT 1",
        "INSERT INTO 'pairs.csv' VALUES ('a', 'b', 'c')",
        "DROP TABLE t",
        "SET datafusion.execution.batch_size = 1",
        "EXPLAIN COPY (SELECT 1) TO 'out.parquet'",
    ] {
        let error = told(&sql(folder.path(), query, &[]));
        assert!(
            error.contains("only reads") || error.contains("not supported"),
            "{query}: {error}"
        );
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before);
    for (query, error) in [
        ("SELECT * FROM 'https://example.com/a.parquet'", "is elsewhere"),
        ("SELECT * FROM 'missing.parquet'", "'missing.parquet': there is no such file"),
        ("SELECT * FROM 'nothing/*.parquet'", "there is no such file"),
        ("SELECT * FROM 'pairs.xlsx'", "ends in .parquet, .csv, .tsv, .jsonl"),
        ("SELECT ko_bleu(hyp, ref, 'syllable') FROM 'pairs.csv'", "unknown unit `syllable`"),
        ("SELECT ko_bleu(hyp, ref, hyp) FROM 'pairs.csv'", "must be written out"),
        ("SELECT ko_tokens('bridge:sh', hyp) FROM 'pairs.csv'", "runs code that it names"),
        ("SELEKT 1", "SELEKT"),
    ] {
        let output = told(&sql(folder.path(), query, &[]));
        assert!(output.contains(error), "{query}: {output}");
    }
    let explained =
        sql(folder.path(), "EXPLAIN SELECT ko_bleu(hyp, ref, 'char') FROM 'pairs.csv'", &[]);
    assert!(explained.status.success());
}

#[test]
fn what_is_wrong_with_parquet_is_told() {
    let folder = folder();
    let path = folder.path().join("pairs/1.parquet");
    let error = told(&run_line("score --columns hyp=output,ref=ref --parquet {}", &[&path]));
    assert!(error.contains("no column `output`; there are `system`, `hyp`, `ref`"), "{error}");
    let lines = folder.path().join("pairs.jsonl");
    let error = told(&run_line("score --parquet {}", &[&lines]));
    assert!(error.contains("it cannot be read as Parquet"), "{error}");
    let error = told(&run_line("score --parquet {} --hyp {}", &[&path, &lines]));
    assert!(error.contains("cannot be used with"), "{error}");
}
