//! The built command where texts are written: by a program, and by the tiny models of `ko-neural`.

#[cfg(feature = "torch")]
use crate::common::jobs::{Job, files};
use crate::common::{failure, run, run_line, run_with};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The command of a program that answers every line in two ways, and counts the lines in a file.
fn program(folder: &Path) -> PathBuf {
    let script = format!(
        "while read -r line; do echo x >> {}; printf -- '-1\\t비가 온다.\\n-2\\t%s 간다.\\n\\n' \"$line\"; done\n",
        folder.join("asked").display()
    );
    let path = folder.join("write.sh");
    fs::write(&path, script).unwrap();
    format!("sh {}", path.display()).into()
}

#[test]
fn a_program_writes_and_its_candidates_are_ranked_again() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    let best = run_with("집에\n산에\n".as_bytes(), &[&"generate", &"--program", &program]);
    assert_eq!(String::from_utf8_lossy(&best.stderr).lines().count(), 1, "{best:?}");
    let args: [&dyn AsRef<std::ffi::OsStr>; 7] =
        [&"generate", &"--program", &program, &"--candidates", &"2", &"--format", &"json"];
    let all = run_with("집에\n".as_bytes(), &args);
    let line: Value = serde_json::from_slice(&all.stdout).unwrap();
    assert_eq!(line["candidates"][1]["text"], "집에 간다.");
    assert_eq!(line["candidates"][1]["score"], -2.0);
    let test = folder.path().join("test.jsonl");
    fs::write(&test, "{\"concept-set\": \"집#간\", \"scene\": [\"집에 간다.\"]}\n").unwrap();
    let offered = folder.path().join("offered.jsonl");
    let made = run(&[
        &"commongen",
        &"generate",
        &"--test",
        &test,
        &"--program",
        &program,
        &"--candidates",
        &"2",
        &"-o",
        &offered,
    ]);
    assert!(made.status.success(), "{made:?}");
    let line: Value = serde_json::from_str(&fs::read_to_string(&offered).unwrap()).unwrap();
    assert_eq!(line["concept-set"], "집#간");
    assert_eq!(line["candidates"][1]["text"], "집#간 간다.");
    assert!(
        !folder.path().join("offered.jsonl.partial").exists(),
        "what was kept is not needed any more"
    );
}

#[test]
fn an_interrupted_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    let prompts = folder.path().join("prompts.txt");
    let lines: Vec<String> = (0..70).map(|n| format!("글{n}")).collect();
    fs::write(&prompts, lines.join("\n")).unwrap();
    let output = folder.path().join("out.txt");
    let go = || {
        run(&[&"generate", &"--program", &program, &"--candidates", &"2", &"-o", &output, &prompts])
    };
    // The program ends in the midst of the second part, as if it were killed there.
    let script = folder.path().join("write.sh");
    let whole = fs::read_to_string(&script).unwrap();
    let asked = folder.path().join("asked");
    let ends = format!("test $(wc -l < {}) -gt 66 && exit 1;", asked.display());
    fs::write(&script, whole.replace("echo x", &format!("{ends} echo x"))).unwrap();
    fs::write(&asked, "").unwrap();
    assert!(!go().status.success());
    assert!(!output.exists());
    fs::write(&script, whole).unwrap();
    fs::write(&asked, "").unwrap();
    let done = go();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(fs::read_to_string(&asked).unwrap().lines().count(), 6, "64 were kept");
    assert_eq!(fs::read_to_string(&output).unwrap().lines().count(), 70);
}

#[test]
fn what_makes_no_sense_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    // A program has settings of its own.
    for option in ["--beams 4", "--max-tokens 3", "--device cpu", "--threads 1", "--long truncate"]
    {
        for verb in ["generate", "summarize", "commongen generate --test {}"] {
            let paths = [program.as_path(), program.as_path()];
            let paths = if verb.contains("{}") { &paths[..] } else { &paths[1..] };
            let told = failure(&run_line(&format!("{verb} --program {{}} {option}"), paths));
            let name = option.split(' ').next().unwrap();
            let refused = told.contains("'--program <COMMAND>' cannot be used with");
            assert!(refused && told.contains(&format!("{name} <")), "{told}");
        }
    }
    let told = failure(&run_line("generate --program {} --candidates 10001", &[&program]));
    assert!(told.contains("candidates cannot be 10001: expected 1 to 10000"), "{told}");
    let told = failure(&run_with(
        "집".as_bytes(),
        &[&"generate", &"--program", &program, &"--must-use", &"공"],
    ));
    assert!(told.contains("`required` cannot be `공`"), "{told}");
}

/// What a verb does not offer, or would not look at, is not taken.
#[test]
fn verbs_that_write_offer_what_works() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    let args: [&dyn AsRef<std::ffi::OsStr>; 3] = [&"summarize", &"--program", &program];
    let best = run_with("집에\n산에\n".as_bytes(), &args);
    assert_eq!(String::from_utf8_lossy(&best.stdout), "비가 온다.\n비가 온다.\n", "{best:?}");
    let told = failure(&run_line("summarize --program {} --candidates 2", &[&program]));
    assert!(told.contains("unexpected argument '--candidates'"), "{told}");
    for verb in ["generate", "summarize", "commongen generate"] {
        let help = run_line(&format!("{verb} --help"), &[]);
        let help = String::from_utf8_lossy(&help.stdout).into_owned();
        assert!(help.contains("--device"), "{help}");
        assert!(!help.contains("--precision") && !help.contains("chunk"), "{help}");
    }
}

/// To the last digit of every score, though a model sees its prompts in batches.
#[cfg(feature = "torch")]
#[test]
fn a_killed_model_goes_on_to_the_same_texts() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ko-neural/tests/models");
    let desk = tempfile::tempdir().unwrap();
    let prompts = desk.path().join("prompts.txt");
    let line = |n: usize| format!("{}비가 온다\n", "야구 선수 ".repeat(n % 7));
    fs::write(&prompts, (0..200).map(line).collect::<String>()).unwrap();
    let line =
        "generate --model {} --beams 4 --candidates 2 --max-tokens 12 --threads 1 --format json {}";
    let job = Job::new("generate", line, &[models.join("generators/bart"), prompts]);
    job.writes("texts.jsonl").survives(50, 7, files);
}

#[cfg(feature = "torch")]
#[test]
fn models_write() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ko-neural/tests/models");
    let bart = models.join("generators/bart");
    let args: [&dyn AsRef<std::ffi::OsStr>; 7] =
        [&"generate", &"--model", &bart, &"--beams", &"4", &"--must-use", &"친구|책"];
    let made = run_with("야구 선수\n비\n".as_bytes(), &args);
    let text = String::from_utf8(made.stdout).unwrap();
    assert_eq!(text.lines().count(), 2, "{}", String::from_utf8_lossy(&made.stderr));
    assert!(text.lines().all(|line| line.contains("친구") || line.contains('책')), "{text}");
    let told =
        failure(&run_with("비".as_bytes(), &[&"generate", &"--model", &models.join("bert")]));
    assert!(told.contains("an encoder alone"), "{told}");
    let refused = |more: &str| {
        failure(&run_line(&format!("generate --model {{}} {more} {{}}"), &[&bart, &bart]))
    };
    let told = refused("--min-tokens 9 --max-tokens 3");
    assert!(told.contains("at least 9 and at most 3 tokens"), "{told}");
    for option in ["--length-penalty", "--early-stopping"] {
        for more in ["", " --beams 1"] {
            let value = if option == "--length-penalty" { "2" } else { "full" };
            let told = refused(&format!("{option} {value}{more}"));
            assert!(told.contains(&format!("{option} does nothing here: ")), "{told}");
        }
    }
    // One step of training, and the model that it writes.
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("train.tsv");
    fs::write(&table, "source\ttarget\n야구 선수\t공\n비\t비가 온다\n").unwrap();
    let train = |name: &str, more: &[&str]| {
        let output = folder.path().join(name);
        let mut args: Vec<&dyn AsRef<std::ffi::OsStr>> =
            vec![&"train", &"generator", &"--backbone", &bart, &"--train", &table];
        args.extend([&"--longest-target" as &dyn AsRef<_>, &"20", &"-o", &output]);
        args.extend(more.iter().map(|word| word as &dyn AsRef<_>));
        let trained = run(&args);
        assert!(trained.status.success(), "{}", String::from_utf8_lossy(&trained.stderr));
        let report = fs::read(output.join("training.json")).unwrap();
        let report: Value = serde_json::from_slice(&report).unwrap();
        (output, report["final_loss"].as_f64().unwrap())
    };
    let (output, loss) = train("trained", &[]);
    let made = run_with("비\n".as_bytes(), &[&"summarize", &"--model", &output]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    // The same targets from other sources.
    let (_, restoring) = train("restoring", &["--restoring"]);
    assert_ne!(restoring, loss);
    // What begins every target begins every answer.
    let (output, _) = train("begun", &["--first-token", "##을"]);
    let saved = fs::read(output.join("generation_config.json")).unwrap();
    let saved: Value = serde_json::from_slice(&saved).unwrap();
    assert!(saved["forced_bos_token_id"].is_u64(), "{saved}");
    let made = run_with("비\n".as_bytes(), &[&"generate", &"--model", &output]);
    let text = String::from_utf8_lossy(&made.stdout);
    assert!(text.trim_start_matches('#').starts_with('을'), "{made:?}");
}

#[cfg(feature = "torch")]
#[test]
fn trainings_name_the_line_that_cannot_be_learned_and_options_that_do_nothing() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ko-neural/tests/models");
    let gpt2 = models.join("generators/gpt2");
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let good = file("good.tsv", "source\ttarget\n야구 선수\t공\n");
    let bad = file("bad.tsv", "source\ttarget\n비\t비가 온다\n\n\t문장\n");
    let output = folder.path().join("out");
    let told = |line: &str, paths: &[&Path]| failure(&run_line(line, paths));
    let line = "train generator --backbone {} -o {} --train {} --train {}";
    let said = told(line, &[&gpt2, &output, &good, &bad]);
    assert!(said.contains("bad.tsv:4: a model without an encoder continues its source"), "{said}");
    let said = told(&format!("{line} --dev {{}}"), &[&gpt2, &output, &good, &good, &bad]);
    assert!(said.contains("bad.tsv:4: "), "{said}");
    let said = told(&format!("{line} --patience 3"), &[&gpt2, &output, &good, &good]);
    assert!(said.contains("--patience does nothing here: evaluations need"), "{said}");
    let line = "train fwa --backbone {} --embedder {} --train {} -o {} --evaluations 2";
    let said = told(line, &[&gpt2, &gpt2, &good, &output]);
    assert!(said.contains("--evaluations does nothing here: this training has no"), "{said}");
    assert!(!output.join("training.json").exists());
}
