//! Files of WMT: equal to what mt-metrics-eval makes of them, and errors that name what is wrong.

use ko_meta_eval::{
    Plan,
    judgement::Reason,
    wmt::{
        Grouping, PermutationTest, Scope, ScoreTable, Selection, Statistic, TestSet, appraise,
        mqm::{self, Weights},
    },
};
use serde::Deserialize;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::coins::Hash;

#[derive(Deserialize)]
struct Golden {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    pair: String,
    level: String,
    human: bool,
    domain: String,
    statistic: String,
    grouping: String,
    draws: usize,
    metrics: Vec<String>,
    values: Vec<f64>,
    ranks: Vec<usize>,
    p: Vec<Vec<f64>>,
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn chosen(human_outputs: bool, domain: &str) -> Selection {
    Selection {
        gold: "mqm".into(),
        references: BTreeSet::from(["refA".to_owned()]),
        human_outputs,
        domain: Some(domain.to_owned()).filter(|domain| !domain.is_empty()),
        ..Selection::default()
    }
}

#[test]
fn a_test_set_is_read_and_compared_as_by_the_package() {
    let cases: Golden = toml::from_str(include_str!("../golden/wmt_folder.toml")).unwrap();
    assert_eq!(cases.case.len(), 6);
    for case in cases.case {
        let scope = if case.level == "seg" { Scope::Segment } else { Scope::System };
        let chosen = chosen(case.human, &case.domain);
        let tables = case.pair.split(',').map(|pair| {
            TestSet::read(&golden("wmt-set"), pair).unwrap().table(scope, &chosen).unwrap()
        });
        let tables: Vec<ScoreTable> = tables.collect();
        let table =
            if tables.len() == 1 { tables[0].clone() } else { ScoreTable::join(&tables).unwrap() };
        let test = PermutationTest::all(case.draws, 0);
        let (statistic, grouping): (Statistic, Grouping) =
            (case.statistic.parse().unwrap(), case.grouping.parse().unwrap());
        let found =
            table.standing_with("", statistic, grouping, Some((&test, &Hash)), &()).unwrap();
        let what = format!("{} {} {}", case.pair, case.level, case.statistic);
        assert_eq!(
            found.metrics.iter().map(|m| m.metric.clone()).collect::<Vec<_>>(),
            case.metrics,
            "{what}"
        );
        for (metric, value) in found.metrics.iter().zip(&case.values) {
            assert!((metric.value - value).abs() < 1e-9, "{what}: {} is not {value}", metric.value);
        }
        assert_eq!(found.p_values, case.p, "{what}");
        assert_eq!(found.metrics.iter().map(|m| m.rank).collect::<Vec<_>>(), case.ranks, "{what}");
    }
}

#[test]
fn what_is_standard_is_known_and_what_is_wrong_is_named() {
    let folder = golden("wmt-set");
    assert_eq!(TestSet::pairs(&folder).unwrap(), ["en-ja_JP", "en-ko_KR"]);
    let set = TestSet::read(&folder, "en-ko_KR").unwrap();
    let standards = set.standards();
    assert_eq!(
        (standards.reference.as_deref(), standards.gold.as_deref()),
        (Some("refA"), Some("mqm"))
    );
    assert_eq!((set.name(), set.len()), ("wmt-set", 8));
    let error = TestSet::read(&folder, "en-ko").unwrap_err().to_string();
    assert!(error.contains("expected en-ko_KR"), "{error}");
    let error = TestSet::read(&golden(""), "en-ko").unwrap_err().to_string();
    assert!(error.contains("sources"), "{error}");
    let wrong = Selection { gold: "esa".into(), ..chosen(false, "") };
    let error = set.table(Scope::Segment, &wrong).unwrap_err().to_string();
    assert!(error.contains("one of: mqm"), "{error}");
    let error = set.table(Scope::Segment, &chosen(false, "speech")).unwrap_err().to_string();
    assert!(error.contains("one of news, social"), "{error}");
}

#[test]
fn scores_of_others_stand_beside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("judge.score");
    let lines = |score: &str| {
        let of = |system: &str| format!("{system} {score}\n").repeat(8);
        ["갑", "을", "병", "정", "refB"].map(of).concat()
    };
    fs::write(&path, lines("0.5")).unwrap();
    let mut set = TestSet::read(&golden("wmt-set"), "en-ko_KR").unwrap();
    set.add_scores("언어모형", &path).unwrap();
    let table = set.table(Scope::Segment, &chosen(true, "")).unwrap();
    assert!(table.names().any(|name| name == "언어모형"));
    assert!(set.add_scores("언어모형", &path).is_err(), "only once");
    for (text, words) in [
        (lines("x"), "judge.score:1"),
        ("갑 1\n".into(), "1 scores of 갑"),
        ("무 1\n".into(), "`무`"),
    ] {
        fs::write(&path, text).unwrap();
        let error = set.add_scores("또", &path).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn mqm_is_scored_as_by_the_package() {
    let ratings = mqm::read_annotations(&golden("mqm.tsv"), &Weights::default()).unwrap();
    let means = mqm::means(&ratings);
    let expected = fs::read_to_string(golden("mqm_scores.tsv")).unwrap();
    assert_eq!(expected.lines().count(), means.len());
    for line in expected.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let key = (fields[0], fields[1], fields[2].parse().unwrap());
        let wanted: f64 = fields[3].parse().unwrap();
        assert!((means[&key] - wanted).abs() <= 1e-9 * wanted.abs(), "{line}: {}", means[&key]);
        for rater in &fields[4..] {
            let (rater, cost) = rater.split_once('=').unwrap();
            let own = ratings.iter().find(|r| {
                (r.system.as_str(), r.document.as_str(), r.segment) == key && r.rater == rater
            });
            let cost: f64 = cost.parse().unwrap();
            assert!((own.unwrap().score + cost).abs() <= 1e-9 * cost.abs());
        }
    }
}

/// Two systems' outputs and references of six segments, beside this file of human scores.
fn plan(folder: &Path, human: &str) -> Plan {
    let text = "가나다 라마\n".repeat(6);
    for name in ["ref.txt", "a.txt", "b.txt"] {
        fs::write(folder.join(name), &text).unwrap();
    }
    let plan = format!(
        "references = ['ref.txt']\nhuman = '{human}'\nsystems = [{{ name = '갑', output = 'a.txt' }}, {{ name = '을', output = 'b.txt' }}]"
    );
    toml::from_str::<Plan>(&plan).unwrap()
}

#[test]
fn annotations_are_human_scores_of_a_plan() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(golden("mqm.tsv"), folder.path().join("mqm.tsv")).unwrap();
    let judged = plan(folder.path(), "mqm.tsv").relative_to(folder.path()).judged().unwrap();
    assert_eq!(judged.criteria(), ["MQM"]);
    let judging = judged.judging().unwrap();
    assert_eq!((judging.ratings, judging.judges), (2 * 6 * 2, Some(3)));
    let expected = fs::read_to_string(golden("mqm_scores.tsv")).unwrap();
    let first: f64 = expected.lines().next().unwrap().split('\t').nth(3).unwrap().parse().unwrap();
    assert!((judged.systems()[0].human[0][0].unwrap() - first).abs() < 1e-9);
}

#[test]
fn an_export_of_appraise_is_human_scores_of_a_plan() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("docs.txt", "news 하나\nnews 하나\nnews 둘\nsocial 셋\nsocial 셋\nsocial 셋\n");
    let line = |judge: &str, system: &str, item: usize, kind: &str, score: u8, document: &str| {
        format!(
            "{judge},wmt25.{system},{item},{kind},eng,kor,{score},{document}#{system},False,\"[{{\"\"start_i\"\":0,\"\"end_i\"\":2}}]\",1.5,2.5\n"
        )
    };
    let rows = [
        line("가1", "갑", 2, "TGT", 70, "하나"),
        line("가1", "갑", 1, "TGT", 90, "하나"),
        line("가1", "갑", 3, "BAD", 10, "하나"),
        line("나2", "을", 1, "TGT", 40, "둘"),
        line("나2", "갑", 2, "TGT", 50, "둘"),
    ];
    write("esa.csv", &rows.concat());
    let with = |text: &str| {
        write("esa.csv", text);
        let documents = Some(folder.path().join("docs.txt"));
        let plan = plan(folder.path(), "esa.csv").relative_to(folder.path());
        Plan { documents, ..plan }.judged()
    };
    let judged = with(&rows.concat()).unwrap();
    let scores = &judged.systems()[0].human[0];
    assert_eq!(scores[..4], [Some(90.0), Some(70.0), Some(50.0), None]);
    assert_eq!(judged.systems()[1].human[0][2], Some(40.0));
    assert_eq!(judged.judging().unwrap().count(Reason::Check), 1);
    for (row, words) in [
        (line("가1", "갑", 1, "TGT", 9, "셋"), "all of its 3 segments"),
        (line("가1", "갑", 1, "TGT", 9, "넷"), "a document of the test set"),
        (line("가1", "갑", 1, "TGT", 9, "둘").replace(",9,", ",좋음,"), "esa.csv:1: "),
        ("가1,갑\n".to_owned(), "2 fields"),
    ] {
        let error = with(&row).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let documents = appraise::read_documents(&folder.path().join("docs.txt")).unwrap();
    assert_eq!(documents["셋"], 3..6);
}
