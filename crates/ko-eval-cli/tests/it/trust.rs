//! What somebody's file may do by itself: start no program, load no code, open nothing outside of its folder.

use crate::common::{self, failure, json, run_line, run_with, sample};
use ko_eval::{
    Error, LIBRARY, METRICS, Segment, Shard, UNITS,
    registry::{Declared, check_path},
    setting::Opens,
};
use std::{fs, path::Path};

/// Every row with what it declares.
fn rows() -> impl Iterator<Item = (&'static str, Declared)> {
    let metrics = METRICS
        .iter()
        .map(|row| (row.name, Declared { argument: row.argument, params: row.params }));
    metrics.chain(UNITS.iter().map(|row| (row.name, row.declared())))
}

/// Specifications of a row that set each value which may open something to `value`.
fn settings((name, declared): (&str, Declared), value: &str) -> Vec<(Opens, String)> {
    let argument = declared.argument.map(|argument| (argument.opens, format!("{name}:{value}")));
    let params = declared.params.iter().filter(|param| param.opens != Opens::Nothing);
    let params = params.map(|param| (param.opens, format!("{name}:{}={value}", param.name)));
    argument.into_iter().chain(params).collect()
}

fn is_refused(spec: &str, folder: &Path) -> bool {
    matches!(LIBRARY.check_trusted(spec, folder), Err(Error::Untrusted { .. }))
}

#[test]
fn code_is_declared_where_it_is_run() {
    let mut code: Vec<String> = rows()
        .flat_map(|row| settings(row, "x"))
        .filter(|(opens, _)| *opens == Opens::Program)
        .map(|(_, spec)| spec)
        .collect();
    code.sort();
    // Whoever adds a row that runs code, or loads it, adds it here as well.
    assert_eq!(
        code,
        [
            "bertscore:program=x",
            "bridge:x",
            "hannanum:folder=x",
            "kiwi:library=x",
            "kkma:folder=x",
            "komoran:folder=x",
            "okt:folder=x",
            "rdass:program=x"
        ]
    );
}

#[test]
fn no_row_runs_code_or_leaves_the_folder() {
    let desk = tempfile::tempdir().unwrap();
    let folder = desk.path().join("plan");
    fs::create_dir(&folder).unwrap();
    fs::write(desk.path().join("outside"), "").unwrap();
    fs::write(folder.join("inside"), "").unwrap();
    let outside = desk.path().join("outside");
    let inside = folder.join("inside");
    for row in rows() {
        // A row whose argument is a program does nothing without one.
        let runs = row.1.argument.is_some_and(|argument| argument.opens == Opens::Program);
        for value in ["name-of-something", inside.to_str().unwrap()] {
            for (opens, spec) in settings(row, value) {
                assert_eq!(is_refused(&spec, &folder), runs || opens == Opens::Program, "{spec}");
            }
        }
        for value in [outside.to_str().unwrap(), "/etc/passwd", "../outside", "a/../../outside"] {
            for (_, spec) in settings(row, value) {
                assert!(is_refused(&spec, &folder), "{spec}");
            }
        }
        // What runs code is found however deep it stands.
        for value in ["bridge:touch x", "chrf@bridge:touch x", "grammar@kiwi:library=x.so"] {
            for (_, spec) in settings(row, value) {
                assert!(is_refused(&spec, &folder), "{spec}");
            }
        }
    }
    let deep = "register:analyzer=".repeat(40) + "mecab";
    assert!(is_refused(&deep, &folder));
}

#[test]
fn what_is_harmless_passes() {
    let specs = [
        "bleu:order=2",
        "chrf",
        "nltk-bleu:weights=0.5/0.5",
        "register:target=해요체,analyzer=mecab",
        "kosmic-grammar:sts=chrf@jamo,weights=1/0/0",
        "mecab:dic=sacrebleu,tags=NNG+VV",
        "kiwi:library=set-up",
        "jamo:form=split",
        "subword:tokenizer.json",
    ];
    for spec in specs {
        LIBRARY.check_trusted(spec, Path::new("plans")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_followed_before_it_is_trusted() {
    let desk = tempfile::tempdir().unwrap();
    let folder = desk.path().join("plan");
    fs::create_dir(&folder).unwrap();
    fs::write(desk.path().join("비밀"), "").unwrap();
    std::os::unix::fs::symlink("../비밀", folder.join("글.txt")).unwrap();
    fs::write(folder.join("참.txt"), "").unwrap();
    assert!(check_path(&folder.join("글.txt"), &folder).is_err());
    check_path(&folder.join("참.txt"), &folder).unwrap();
    check_path(&folder.join("없다.txt"), &folder).unwrap();
}

/// Merging rebuilds a metric from whatever a shard says: every row, every setting that may open something.
#[test]
fn a_shard_opens_nothing_whatever_it_names() {
    let desk = tempfile::tempdir().unwrap();
    let trace = desk.path().join("trace");
    let program = format!("bridge:touch {}", trace.display());
    let nowhere = desk.path().join("nowhere").display().to_string();
    let segment = Segment::new("비가 온다", ["비가 왔다"]).unwrap();
    let bleu = ko_eval::metric("bleu", "char").unwrap();
    let shard = bleu.measure(&[segment]).unwrap().shard().unwrap();
    for row in METRICS {
        let declared = Declared { argument: row.argument, params: row.params };
        for value in [&program, &nowhere] {
            for (_, spec) in settings((row.name, declared), value) {
                for signature in [row.name.to_owned(), format!("{}|tok:{program}", row.name)] {
                    let Ok(signature) = signature.parse() else { continue };
                    let mut shard: Shard = shard.clone();
                    shard.signature = signature;
                    if let Err(error) = LIBRARY.recorded(&spec, &shard) {
                        let opened = matches!(error, Error::Io { .. } | Error::Missing { .. });
                        assert!(!opened, "{spec}: {error}");
                    }
                    assert!(!trace.exists(), "{spec} started a program");
                }
            }
        }
    }
}

/// A plan in a folder of its own, with everything that it needs.
fn plan(folder: &Path, edit: impl Fn(&str) -> String) -> std::path::PathBuf {
    fs::create_dir_all(folder).unwrap();
    let names =
        ["good.txt", "blunt.txt", "poor.txt", "reference.txt", "reference2.txt", "human.tsv"];
    for name in names {
        fs::copy(sample(name), folder.join(name)).unwrap();
    }
    let text = fs::read_to_string(sample("experiment.toml")).unwrap();
    let (before, rest) = text.split_once("metrics = ").unwrap();
    let (_, systems) = rest.split_once("\n\n").unwrap();
    let text = format!("{before}metrics = [\"chrf\"]\nunits = [\"char\"]\n\n{systems}");
    let edited = edit(&text);
    let path = folder.join("plan.toml");
    fs::write(&path, edited).unwrap();
    path
}

#[test]
fn a_plan_reaches_nothing_outside_of_its_folder_unless_it_is_allowed_to() {
    let desk = tempfile::tempdir().unwrap();
    let (folder, out) = (desk.path().join("plan"), desk.path().join("out"));
    let trace = desk.path().join("trace");
    fs::copy(sample("human.tsv"), desk.path().join("human.tsv")).unwrap();
    let absolute = desk.path().join("human.tsv").display().to_string();
    let program = format!("bridge:touch {}", trace.display());
    let unit = |unit: &str| ("units = [\"char\"]", format!("units = [\"{unit}\"]"));
    let metric = |metric: &str| ("[\"chrf\"]", format!("[\"{metric}\"]"));
    let hostile = [
        unit(&program),
        unit("kiwi:library=./x.so"),
        unit("komoran:folder=jars"),
        unit("subword:/etc/passwd"),
        unit("mecab:user=../words.csv"),
        metric(&format!("meteor:stem={program}")),
        metric("meteor:synonyms=/etc/passwd"),
        metric(&format!("register:analyzer={program}")),
        metric(&format!("kosmic:sts=chrf@{program},fic=grammar,csl=grammar")),
        metric("bertscore:../model"),
        ("human = \"human.tsv\"", format!("human = \"{absolute}\"")),
        ("human = \"human.tsv\"", "human = \"../human.tsv\"".to_owned()),
        ("output = \"good.txt\"", "output = \"/etc/passwd\"".to_owned()),
        ("\"reference2.txt\"", "\"../../reference2.txt\"".to_owned()),
    ];
    for (from, to) in &hostile {
        let path = plan(&folder, |text| {
            assert!(text.contains(from), "{from}: {text}");
            text.replacen(from, to, 1)
        });
        let message = failure(&run_line("meta --plan {} --output {}", &[&path, &out]));
        assert!(message.contains("--allow-programs"), "{to}: {message}");
        assert!(!trace.exists() && !out.exists(), "{to}");
    }
    let path = plan(&folder, |text| text.replace("\"human.tsv\"", &format!("\"{absolute}\"")));
    let line = "meta --plan {} --allow-programs --output {}";
    assert!(run_line(line, &[&path, &out]).status.success());
    let path = plan(&folder, str::to_owned);
    assert!(run_line("meta --plan {} --output {}", &[&path, &out]).status.success());
}

#[test]
fn a_signature_names_no_program_and_no_file() {
    let desk = tempfile::tempdir().unwrap();
    let trace = desk.path().join("trace");
    let pair = r#"{"hyp": "비가 온다", "refs": ["비가 왔다"]}"#;
    let units = [
        format!("bridge:touch {}", trace.display()),
        "subword:/etc/passwd".to_owned(),
        "spm:/etc/passwd".to_owned(),
        "kiwi:library=x.so".to_owned(),
    ];
    for unit in units {
        let signature = format!("nrefs:1|case:mixed|eff:no|tok:{unit}|smooth:exp|version:2.6.0");
        let args: [&dyn AsRef<std::ffi::OsStr>; 5] =
            [&"score", &"--pairs", &"-", &"--signature", &signature];
        let message = run_with(pair.as_bytes(), &args);
        assert_eq!(message.status.code(), Some(2), "{unit}");
        assert!(!trace.exists(), "{unit}");
    }
}

#[test]
fn findings_of_an_earlier_run_are_only_printed() {
    let desk = tempfile::tempdir().unwrap();
    let trace = desk.path().join("trace");
    let (job, out) = (common::jobs::probe(&desk), desk.path().join("out"));
    job.finish(&out);
    let path = out.join("findings.json");
    let text = fs::read_to_string(&path).unwrap();
    let changed = text.replace("\"jamo\"", &format!("\"bridge:touch {}\"", trace.display()));
    assert_ne!(text, changed);
    fs::write(&path, changed).unwrap();
    let report = json(&run_line("probe report {} --format json", &[&path]));
    assert!(report.to_string().contains("bridge:touch") && !trace.exists());
}
