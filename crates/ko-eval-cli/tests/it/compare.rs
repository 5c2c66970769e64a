//! `ko-eval compare` and `ko-eval history` as a user runs them.

use crate::common::{failure, json, run_line, sample};
use std::{fs, path::Path};

#[test]
fn writes_a_page_beside_the_figures() {
    let folder = tempfile::tempdir().unwrap();
    let groups = folder.path().join("groups.tsv");
    let lines = fs::read_to_string(sample("good.txt")).unwrap().lines().count();
    let rows: String = (0..lines).map(|n| format!("{}\t{}\n", n % 2, n % 3)).collect();
    fs::write(&groups, format!("짝\t셋\n{rows}")).unwrap();
    let page = folder.path().join("page");
    let (good, poor, reference) = (sample("good.txt"), sample("poor.txt"), sample("reference.txt"));
    let line = "compare --baseline {} --system {} --ref {} --samples 50 --format json --analyzer endings --lang en --html {} --groups {}";
    let paths: [&Path; 5] = [&poor, &good, &reference, &page, &groups];
    let with = run_line(line, &paths);
    let plain = run_line(
        "compare --baseline {} --system {} --ref {} --samples 50 --format json",
        &paths[..3],
    );
    assert_eq!(json(&with), json(&plain), "a page changes no figure");
    let html = fs::read_to_string(page.join("index.html")).unwrap();
    assert!(
        html.contains("<html lang=\"en\">") && html.contains("\"name\":\"셋\",\"kind\":\"column\"")
    );
    assert!(html.contains("default-src 'none'") && !html.contains("unsafe-inline"));

    // What does not fit leaves no page behind.
    for (line, word) in [
        (
            "compare --baseline one={} --system one={} --ref {} --analyzer endings --html {} --groups {}",
            "`one` is given twice",
        ),
        (
            "compare --baseline {} --system {} --ref {} --analyzer endings --html {} --groups {} --system {} --system {} --system {} --system {} --system {} --system {} --system {} --system {} --system {}",
            "11 systems",
        ),
    ] {
        let page = folder.path().join("none");
        let mut paths: Vec<&Path> = vec![&poor, &good, &reference, &page, &groups];
        let copies: Vec<_> = (0..9).map(|n| folder.path().join(format!("{n}.txt"))).collect();
        for copy in &copies {
            fs::copy(&good, copy).unwrap();
        }
        paths.extend(copies.iter().map(|p| p.as_path()));
        // `NAME={}` is one word.
        let line = line.replace("one={}", "{}");
        let named = [format!("one={}", poor.display()), format!("one={}", good.display())];
        if word.contains("twice") {
            paths[0] = Path::new(&named[0]);
            paths[1] = Path::new(&named[1]);
        }
        let said = failure(&run_line(&line, &paths));
        assert!(said.contains(word), "{said}");
        assert!(!page.exists());
    }
    let short = folder.path().join("short.txt");
    fs::write(&short, "하나\n").unwrap();
    let page = folder.path().join("none");
    let line = "compare --baseline {} --system {} --ref {} --analyzer endings --html {}";
    let said = failure(&run_line(line, &[&good, &short, &reference, &page]));
    assert!(said.contains("short.txt") && !page.exists(), "{said}");
    fs::write(&groups, "짝\n1\n").unwrap();
    let line =
        "compare --baseline {} --system {} --ref {} --analyzer endings --html {} --groups {}";
    let said = failure(&run_line(line, &[&poor, &good, &reference, &page, &groups]));
    assert!(
        said.contains("groups.tsv") && said.contains("1 lines below the header") && !page.exists(),
        "{said}"
    );
}

#[test]
fn a_drop_fails_the_gate() {
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("runs");
    let current = folder.path().join("out.txt");
    let reference = sample("reference.txt");
    let keep = |name: &str, date: &str, output: &str| {
        fs::copy(sample(output), &current).unwrap();
        let line = format!(
            "compare --baseline {{}} --ref {{}} --save {name} --date {date} --history {{}} --samples 100 --format json"
        );
        run_line(&line, &[&current, &reference, &history])
    };
    assert!(keep("v1", "2026-01-01", "good.txt").status.success());
    assert!(failure(&keep("v1", "2026-01-02", "good.txt")).contains("kept already"));
    assert!(keep("v2", "2026-02-01", "good.txt").status.success());
    let gate = "history --history {} --fail-on-drop 0.05 --format json";
    let steady = json(&run_line(gate, &[&history]));
    assert_eq!(steady["trends"].as_array().unwrap().len(), 2, "BLEU and chrF");
    assert_eq!(steady["trends"][0]["change"]["p_value"], 1.0);

    assert!(keep("v3", "2026-03-01", "poor.txt").status.success());
    let dropped = run_line(gate, &[&history]);
    let said = String::from_utf8_lossy(&dropped.stderr);
    assert_eq!(dropped.status.code(), Some(1), "{said}");
    assert!(said.contains("a score dropped") && said.contains("from v2 to v3"), "{said}");
    let told: serde_json::Value = serde_json::from_slice(&dropped.stdout).unwrap();
    assert_eq!(
        told["trends"][0]["points"].as_array().unwrap().len(),
        3,
        "the figures are there all the same"
    );
    assert_eq!(told["trends"][0]["change"]["paired"], true);
    // Whoever does not ask for a gate gets none.
    let page = folder.path().join("trend.html");
    let shown = run_line("history --history {} --html {}", &[&history, &page]);
    assert!(shown.status.success() && String::from_utf8_lossy(&shown.stdout).contains("drop"));
    assert!(fs::read_to_string(&page).unwrap().contains("<svg"));

    assert!(
        failure(&run_line("history --history {} --fail-on-drop 5", &[&history])).contains("0.05")
    );
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    assert!(
        failure(&run_line("history --history {}", &[&empty])).contains("no runs are kept here")
    );
    let alone = run_line("compare --baseline {} --ref {}", &[&current, &reference]);
    assert!(failure(&alone).contains("--system FILE"));
}
