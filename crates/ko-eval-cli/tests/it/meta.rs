//! `ko-eval meta` with judges, and `ko-eval meta wmt`, as a user runs them.

use crate::common::{failure, run_line, sample, text};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn test_set() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../ko-meta-eval/tests/golden/wmt-set")
}

#[test]
fn judges_are_cleaned_and_settings_are_tried() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["good.txt", "blunt.txt", "poor.txt", "reference.txt"] {
        fs::copy(sample(name), folder.path().join(name)).unwrap();
    }
    // Two judges, one stricter; the second does not judge every other segment.
    let mut table = "system\tsegment\tjudge\t적절함\n".to_owned();
    for line in fs::read_to_string(sample("human.tsv")).unwrap().lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (segment, score): (usize, f64) =
            (fields[1].parse().unwrap(), fields[2].parse().unwrap());
        table += &format!("{}\t{segment}\t민수\t{score}\n", fields[0]);
        let other = if segment % 2 == 0 { String::new() } else { (2.0 * score + 1.0).to_string() };
        table += &format!("{}\t{segment}\t영희\t{other}\n", fields[0]);
    }
    fs::write(folder.path().join("human.tsv"), table).unwrap();
    let plan = folder.path().join("plan.toml");
    let systems = ["good", "blunt", "poor"]
        .map(|name| format!("{{ name = '{name}', output = '{name}.txt' }}"));
    let text_of_plan = format!(
        "references = ['reference.txt']\nhuman = 'human.tsv'\ncleanup = {{ drop-first = 1 }}\nquotes = 'straight'\n\
         metrics = ['bleu:order=1..3', 'chrf:char-order=4|6']\nunits = ['word', 'char']\nsystems = [{}]\n",
        systems.join(", ")
    );
    fs::write(&plan, text_of_plan).unwrap();
    let output = folder.path().join("report");
    let said = text(&run_line("meta --plan {} --output {}", &[&plan, &output]));
    assert!(said.contains("dropped, among the judge's first: 2"), "{said}");
    let read = |name: &str| fs::read_to_string(output.join(name)).unwrap();
    let settings = read("tables/settings.csv");
    assert!(settings.contains("bleu,char,segment,Pearson r,order,"), "{settings}");
    assert!(settings.contains("chrf,char,segment,Pearson r,char-order,"), "{settings}");
    assert!(read("tables/rankings.csv").lines().count() == 1 + 1 + 5 * 2);
    assert!(read("tables/judges.csv").starts_with("system,rank,ratings,outputs,raw mean,mean z\n"));
    assert!(read("agreement.csv").contains("quotes:straight"), "signed");
}

#[test]
fn metrics_are_compared_as_wmt_does() {
    let folder = tempfile::tempdir().unwrap();
    let (set, output) = (test_set(), folder.path().join("report"));
    let line = "meta wmt {} -l en-ko_KR -l en-ja_JP -m chrf -u jamo --permutations 40 --output {}";
    let first = text(&run_line(line, &[&set, &output]));
    assert!(
        first.contains("en-ko_KR, system:soft-pairwise-accuracy") && first.contains("chrf @ jamo"),
        "{first}"
    );
    assert!(first.contains("mean over all tasks"), "{first}");
    let json = |name: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(output.join(name)).unwrap()).unwrap()
    };
    let standings = json("standings.json");
    assert_eq!(standings["standings"].as_array().unwrap().len(), 4);
    assert_eq!(standings["averages"]["metrics"].as_array().unwrap().len(), 4);
    // Again, from finished work: the same bytes.
    let before = fs::read(output.join("standings.json")).unwrap();
    assert_eq!(text(&run_line(line, &[&set, &output])), first);
    assert_eq!(fs::read(output.join("standings.json")).unwrap(), before);
    let page = fs::read_to_string(output.join("report.html")).unwrap();
    assert!(page.contains("chrf|") || page.contains("chrf on jamo"), "the signature is there");

    let none = folder.path().join("none");
    for (line, words) in [
        ("meta wmt {} -l en-ko --output {}", "expected en-ko_KR"),
        ("meta wmt {} -l en-ko_KR --gold esa --output {}", "one of: mqm"),
        (
            "meta wmt {} -l en-ko_KR --task segment:soft-pairwise-accuracy --output {}",
            "SCOPE:STATISTIC",
        ),
    ] {
        let said = failure(&run_line(line, &[&set, &none]));
        assert!(said.contains(words), "{said}");
    }
    assert!(!none.exists());
}
