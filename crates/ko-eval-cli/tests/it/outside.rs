//! Vectors of another runtime, from a file and from a program, below scores and probes; no libtorch.

use crate::common::{failure, files, json, run, text};
use std::fs;

/// Every text is [its letters, 1], every letter [its place, 1].
const PROGRAM: &[u8] = br#"
import json, sys
for line in sys.stdin:
    text = line.rstrip("\n")
    letters = [[place, 1.0] for place, _ in enumerate(text)]
    print(json.dumps({"vector": [len(text), 1.0], "tokens": list(text), "vectors": letters}), flush=True)
"#;

#[test]
fn a_program_scores_with_intervals() {
    let (_folder, [program, hyp, reference]) = files([
        ("my.py", PROGRAM),
        ("hyp.txt", "비가 온다\n눈\n바람이 분다\n".as_bytes()),
        ("ref.txt", "눈이 온다\n비가 온다\n바람이 분다\n".as_bytes()),
    ]);
    let bertscore = format!("bertscore:program=python3 {}", program.display());
    let rdass = format!("rdass:program=python3 {},version=2", program.display());
    let scored = json(&run(&[
        &"score",
        &"--hyp",
        &hyp,
        &"--ref",
        &reference,
        &"--src",
        &reference,
        &"-m",
        &bertscore,
        &"-m",
        &rdass,
        &"--ci",
        &"--format",
        &"json",
    ]));
    let told = scored.to_string();
    assert!(told.contains("version=2") && told.contains("command=python3"), "{told}");
    assert!(told.contains("\"low\""), "{told}");
}

#[test]
fn a_file_scores_and_a_text_without_a_line_is_named() {
    let lines = "{\"text\": \"비가 온다\", \"vector\": [1, 0]}\n{\"text\": \"눈이 온다\", \"vector\": [0, 1]}\n";
    let (_folder, [vectors, hyp, reference]) = files([
        ("vectors.jsonl", lines.as_bytes()),
        ("hyp.txt", "비가 온다\n".as_bytes()),
        ("ref.txt", "해가 뜬다\n".as_bytes()),
    ]);
    let metric = format!("rdass:vectors={}", vectors.display());
    let score = |reference: &dyn AsRef<std::ffi::OsStr>| {
        run(&[&"score", &"--hyp", &hyp, &"--ref", reference, &"--src", &hyp, &"-m", &metric])
    };
    let error = failure(&score(&reference));
    assert!(error.contains("the vector of \"해가 뜬다\""), "{error}");
    fs::write(&reference, "눈이 온다\n").unwrap();
    let told = text(&score(&reference));
    assert!(told.contains("vectors.jsonl"), "{told}");
}

#[test]
fn a_program_is_probed() {
    let (folder, [program]) = files([("my.py", PROGRAM)]);
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    // Long texts are past, so the length alone tells.
    let lines = (0..90).map(|n| {
        let part = ["tr", "tr", "tr", "va", "te"][n / 2 % 5];
        let (label, end) =
            if n % 2 == 0 { ("past", "왔던 것이었다") } else { ("non-past", "온다") };
        format!("{part}\t{label}\t비가 {n}번 {end}.\n")
    });
    fs::write(data.join("Tense.txt"), lines.collect::<String>()).unwrap();
    let named = format!("letters=python3 {}", program.display());
    let out = folder.path().join("out");
    let told = text(&run(&[
        &"probe",
        &"run",
        &data,
        &"--program",
        &named,
        &"--embedder",
        &"jamo",
        &"--output",
        &out,
    ]));
    assert!(told.contains("letters"), "{told}");
    let findings = || fs::read_to_string(out.join("findings.json")).unwrap();
    assert!(findings().contains("command:python3"), "{}", findings());

    // A changed program under another version is asked again.
    fs::write(&program, "raise SystemExit(3)").unwrap();
    let again = |named: &str| {
        let line = [&"probe" as &dyn AsRef<_>, &"run", &data, &"--program", &named];
        run(&[&line[..], &[&"--embedder", &"jamo", &"--output", &out]].concat())
    };
    text(&again(&named));
    assert!(failure(&again(&format!("{named},version=2"))).contains("ended"));
    fs::write(&program, PROGRAM).unwrap();
    text(&again(&format!("{named},version=2")));
    assert!(findings().contains("version:2"), "{}", findings());
    assert!(failure(&again(&format!("{named},version="))).contains("NAME=COMMAND,version=V"));
}
