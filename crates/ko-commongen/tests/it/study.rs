//! A folder evaluated whole, and crowd work from the sheet to the study, with recorded analyses.

use crate::recorded;
use ko_commongen::{
    BadLines, Evaluator, Item, Pairs, Protocol, Study,
    human::Criterion,
    read_items,
    sheet::{RatingSheet, WritingSheet, write_ratings},
    study::TestSet,
};
use ko_eval_core::Scorer;
use ko_meta_eval::{Correlation, report::Language};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

const SET: &str = "아이#공원#빨간#공#찬다";
const WHOLE: &str = "아이가 공원에서 빨간 공을 찬다.";
const SHORT: &str = "아이가 공을 찬다.";
const OTHER: &str = "아이가 빨간 공을 던진다.";

fn write(folder: &Path, path: &str, text: &str) -> PathBuf {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

/// Two rated systems, one with three seeds, and a training file.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let item = format!("{{\"concept-set\": \"{SET}\", \"scene\": [\"{WHOLE}\", \"{SHORT}\"]}}\n");
    write(folder.path(), "dataset/test.jsonl", &item.repeat(4));
    write(
        folder.path(),
        "dataset/dialogue_summary_train.jsonl",
        "{\"concept-set\": \"아이#공\", \"scene\": \"아이가 공을 찬다.\"}\n",
    );
    write(folder.path(), "systems/Good.txt", &format!("{WHOLE}\n{WHOLE}\n{SHORT}\n{WHOLE}\n"));
    write(folder.path(), "systems/Bad_One.txt", &format!("{OTHER}\n{SHORT}\n{OTHER}\n{OTHER}\n"));
    for (seed, text) in [(1, WHOLE), (2, SHORT), (3, OTHER)] {
        write(folder.path(), &format!("systems/Seeds/{seed}.txt"), &format!("{text}\n").repeat(4));
    }
    for criterion in Criterion::ALL {
        let file = |system: &str| format!("human/{system}/x_{criterion}_korean_commongen.txt");
        write(folder.path(), &file("good"), "2\n2\n2\n2\n2\n1\n2\n1\n1\n2\n2\n2\n");
        write(folder.path(), &file("bad-one"), "0\n0\n1\n1\n1\n1\n0\n0\n0\n0\n1\n0\n");
    }
    folder
}

fn evaluator(protocol: Protocol) -> Evaluator {
    Evaluator::new(recorded::analyzer(), protocol)
}

#[test]
fn a_folder_gives_every_table() {
    let folder = folder();
    let ter = ko_ngram_metrics::Ter::new(Arc::new(ko_tokenize::Word::new()));
    let ter: Arc<dyn Scorer> = Arc::new(ter);
    let evaluator = evaluator(Protocol::Released).also("ter@word", ter);
    let study = Study::of(folder.path(), &evaluator, &()).unwrap();
    let set = &study.sets[0];
    assert_eq!((study.sets.len(), set.set, set.items), (1, TestSet::Original, 4));
    let names: Vec<_> = set.systems.iter().map(|system| system.name.as_str()).collect();
    assert_eq!(names, ["Bad_One", "Good", "Seeds"]);
    assert_eq!(set.metrics.len(), 6 + 4 + 1);
    assert_eq!(set.metrics[10].name, "ter@word");
    assert!(!set.metrics[10].higher_is_better);

    // Coverage: 5 of 5 concepts, 3 of 5, 4 of 5 (찬다 is not there: 60 for SHORT, 60 for OTHER as `columns_by_hand` has it).
    let coverage: Vec<f64> = set.systems.iter().map(|system| system.scores[5]).collect();
    assert!((coverage[1] - (100.0 * 3.0 + 60.0) / 4.0).abs() < 1e-9, "{coverage:?}");
    // Over seeds: 100, 60, 60, by hand.
    let seeds = &set.systems[2];
    assert_eq!((seeds.runs, seeds.human.is_none()), (3, true));
    assert!((seeds.scores[5] - 220.0 / 3.0).abs() < 1e-9);
    assert!((seeds.spread.as_ref().unwrap()[5] - (1600.0_f64 / 3.0).sqrt()).abs() < 1e-9);
    assert!(set.systems[0].spread.is_none());

    // People: each of the two references against the other; coverage needs none.
    let people = set.people.as_ref().unwrap();
    assert_eq!(people.references, 8);
    assert!((people.scores[5] - 80.0).abs() < 1e-9, "{:?}", people.scores);
    let good = set.systems[1].human.as_ref().unwrap();
    assert!((good[&Criterion::Grammar] - 21.0 / 12.0).abs() < 1e-12);
    assert_eq!(set.agreement.len(), 4);

    // Maps: a metric with itself is 1, TER is negated, and the total follows the criteria, which are all alike here.
    let pearson = &set.with_people[0];
    assert_eq!(pearson.correlation, Correlation::Pearson);
    let with = |column: &str| pearson.get("Coverage", column).unwrap();
    assert!((with("total").value - with("grammar").value).abs() < 1e-9);
    assert!(with("total").value > 0.7 && with("total").p_value < 0.05);
    assert!(pearson.get("ter@word", "total").unwrap().value > 0.0);
    let between = &set.between_metrics[0];
    assert!((between.get("METEOR", "METEOR").unwrap().value - 1.0).abs() < 1e-12);
    let both = [("p3 (“BLEU 3”)", "METEOR"), ("METEOR", "p3 (“BLEU 3”)")];
    let [there, back] = both.map(|(row, column)| between.get(row, column).unwrap().value);
    assert!((there - back).abs() < 1e-12);
    let (low, high) = set.intervals[5].unwrap();
    assert!(low <= with("total").value && with("total").value <= high);

    // Cases: the best is a whole sentence of the good system, the worst one of the other.
    assert_eq!(
        (set.cases.best[0].output.as_str(), set.cases.best[0].system.as_str()),
        (WHOLE, "Good")
    );
    assert_eq!(set.cases.worst[0].output, OTHER);
    assert!(set.cases.worst[0].scores[10] > 0.0, "raw scores, not negated ones");
    assert_eq!(set.cases.best[0].references, [WHOLE, SHORT]);

    // Table 1.
    let [train, test] = &study.data[..] else { panic!("{:?}", study.data) };
    assert_eq!((train.name.as_str(), test.name.as_str()), ("dialogue_summary_train", "test"));
    assert_eq!((train.origins.captions, train.origins.dialogues), (1, 0), "named after the other");
    assert_eq!(train.origins.caption_rate(), Some(100.0));
    assert_eq!(test.origins.caption_rate(), None);
    let unseen = test.unseen.unwrap();
    assert_eq!((unseen.concepts.unseen, unseen.pairs.unseen, unseen.triples.unseen), (3, 9, 10));
    assert!(train.unseen.is_none());
    assert!(test.morphemes.additional < test.morphemes.length && test.morphemes.additional > 0.0);

    let json = serde_json::to_string(&study).unwrap();
    assert_eq!(serde_json::from_str::<Study>(&json).unwrap(), study);
}

#[test]
fn the_report_has_all_of_it() {
    let folder = folder();
    let study = Study::of(folder.path(), &evaluator(Protocol::Released), &()).unwrap();
    let report = study.report(Language::Korean);
    let names: Vec<&str> = report.figures().map(|figure| figure.name.as_str()).collect();
    for name in ["ratings", "total", "people-pearson", "people-kendall-tau-b", "metrics-spearman"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let tables: Vec<&str> = report.tables().map(|table| table.name.as_str()).collect();
    assert_eq!(tables, ["scores", "seeds", "ratings", "table-1-data", "signatures"]);
    let markdown = report.markdown();
    assert!(markdown.contains("73.33 ± 23.09"), "{markdown}");
    assert!(markdown.contains("모두 좋게 봄 · Good, 1"), "{markdown}");
    assert!(report.html().contains("<html lang=\"ko\">"));
}

#[test]
fn what_is_wrong_with_a_folder_is_named() {
    let folder = folder();
    let said =
        || Study::of(folder.path(), &evaluator(Protocol::Released), &()).unwrap_err().to_string();
    write(folder.path(), "human/good/x_fluency_korean_commongen.txt", "2\n2\n3\n");
    assert!(said().contains("x_fluency_korean_commongen.txt:3:"), "{}", said());
    for criterion in Criterion::ALL {
        write(
            folder.path(),
            &format!("human/good/x_{criterion}_korean_commongen.txt"),
            "2\n2\n2\n",
        );
    }
    assert!(said().contains("Good wrote has 4") && said().contains("has 1"), "{}", said());
    fs::remove_dir_all(folder.path().join("systems/Seeds")).unwrap();
    fs::create_dir(folder.path().join("systems/Seeds")).unwrap();
    assert!(said().contains("SEED.txt"), "{}", said());
}

/// Two sentences of two systems.
fn sheet() -> (RatingSheet, tempfile::TempDir) {
    let item = || Item::new(SET.split('#'), [WHOLE]).unwrap();
    let pairs = |one: &str, two: &str| {
        Pairs::new(vec![item(), item()], vec![one.into(), two.into()]).unwrap()
    };
    let (first, second) = (pairs(WHOLE, "아이가, \"공\"을\t찬다."), pairs(SHORT, OTHER));
    let sheet = RatingSheet::new([("갑", &first), ("을_Two", &second)], 7).unwrap();
    (sheet, tempfile::tempdir().unwrap())
}

/// A sheet as a rater fills it: `rate` gives four ratings per line from 0, or nothing.
fn filled(
    sheet: &RatingSheet,
    folder: &Path,
    name: &str,
    rate: impl Fn(usize) -> &'static str,
) -> PathBuf {
    let csv = sheet.csv().unwrap();
    let mut lines = csv.lines();
    let mut text = format!("{}\n", lines.next().unwrap());
    for (number, line) in lines.enumerate() {
        text += &format!("{}{}\n", line.strip_suffix(",,,,").unwrap(), rate(number));
    }
    write(folder, &format!("{name}.csv"), &text)
}

#[test]
fn ratings_come_back_as_the_study_reads_them() {
    let (sheet, folder) = sheet();
    let key = write(folder.path(), "key.csv", &sheet.key().unwrap());
    assert_eq!(RatingSheet::read_key(&key).unwrap(), sheet);
    assert!(!sheet.csv().unwrap().contains("갑"), "raters do not see whose sentence it is");
    let rate =
        |name: &str, answer: &'static str| filled(&sheet, folder.path(), name, move |_| answer);
    let sheets = [
        rate("민수", ",2,2,1,0"),
        rate("영희", ",2,1,1,0"),
        rate("철수", ",1,2,1,0"),
        rate("순이", ",0,0,0,0"),
    ];
    let read = sheet.read(&sheets).unwrap();
    assert_eq!(read.raters()["민수"], 4);
    let chosen = read.choose(3, 42).unwrap();
    assert_eq!(chosen, read.choose(3, 42).unwrap());
    assert_ne!(chosen, read.choose(3, 1).unwrap(), "another three");
    assert_eq!(chosen.keys().collect::<Vec<_>>(), ["갑", "을_Two"]);
    let everybody = read.choose(4, 42).unwrap();
    assert_eq!(everybody["갑"].means()[&Criterion::Grammar], 5.0 / 4.0);
    let error = read.choose(5, 42).unwrap_err().to_string();
    assert!(error.contains("id 1 has 4 answers, and 5 are wanted"), "{error}");

    write_ratings(&chosen, TestSet::Original, folder.path()).unwrap();
    let back = ko_commongen::human::HumanScores::read(
        &folder.path().join("human/을-two"),
        "korean_commongen",
    );
    assert_eq!(back.unwrap(), chosen["을_Two"]);
}

#[test]
fn a_sheet_that_is_wrong_is_named_with_its_line() {
    let (sheet, folder) = sheet();
    let said = |rate: fn(usize) -> &'static str| {
        let file = filled(&sheet, folder.path(), "x", rate);
        sheet.read(&[file]).unwrap_err().to_string()
    };
    let beyond = said(|line| if line == 2 { ",2,2,3,0" } else { ",,,," });
    assert!(beyond.contains("x.csv:4: factuality: `3` is not a rating"), "{beyond}");
    let half = said(|line| if line == 1 { ",2,,1,0" } else { ",,,," });
    assert!(half.contains("x.csv:3: commonsense: `` is not a rating"), "{half}");
    let longer = said(|_| ",2,2,1,0,0");
    assert!(longer.contains("x.csv:2: 9 cells, but the first line has 8"), "{longer}");

    let good = filled(&sheet, folder.path(), "good", |_| ",2,2,1,0");
    let twice = sheet.read(&[good.clone(), good.clone()]).unwrap_err().to_string();
    assert!(twice.contains("good has rated the sentence 1 before"), "{twice}");
    let text = fs::read_to_string(&good).unwrap();
    for (changed, word) in [
        (text.replace("rater,id", "rater,number"), "no column `id`"),
        (text.replacen("\n,1,", "\n,9,", 1), "`9` is no id of this sheet: expected 1 to 4"),
        (text.replace("빨간 공을 던진다", "파란 공을 던진다"), "in the key"),
        (text.replace("grammar", "id"), "`id` is there twice"),
    ] {
        let path = write(folder.path(), "changed.csv", &changed);
        let error = sheet.read(&[path]).unwrap_err().to_string();
        assert!(error.contains("changed.csv:") && error.contains(word), "{error}");
    }
    // What nobody reached is no answer, and no error.
    let nothing = sheet.read(&[filled(&sheet, folder.path(), "none", |_| ",,,,")]).unwrap();
    assert!(nothing.raters().is_empty() && nothing.choose(1, 1).is_err());
}

#[test]
fn references_are_written_and_come_back_as_a_test_set() {
    let folder = tempfile::tempdir().unwrap();
    let items =
        [Item::new(["공", "차"], ["집에 둔다."]).unwrap(), Item::new(["비"], ["비밀."]).unwrap()];
    let sheet = WritingSheet::new(&items).unwrap();
    assert_eq!(sheet.csv().unwrap(), "writer,id,concepts,sentence\n,1,공#차,\n,2,비,\n");
    let file = |name: &str, one: &str, two: &str| {
        write(
            folder.path(),
            name,
            &format!("writer,id,concepts,sentence\n,1,공#차,{one}\n,2,비,{two}\n"),
        )
    };
    let sheets = [
        file("a.csv", "공을 찬다.", "비가 온다."),
        file("b.csv", "\"공을, 찼다.\"", "비가 온다."),
        file("c.csv", "공 차기.", "비다."),
    ];
    let read = sheet.read(&sheets).unwrap();
    let chosen = read.choose(2, 3).unwrap();
    assert_eq!(chosen[0].references().len(), 2);
    assert_eq!(chosen[1].references(), ["비가 온다.", "비다."], "the same sentence counts once");
    assert!(read.choose(3, 3).unwrap_err().to_string().contains("id 2 has 2 answers"));
    let test = folder.path().join("test.jsonl");
    ko_commongen::write_items(&test, ko_commongen::ItemForm::Jsonl, &chosen).unwrap();
    assert_eq!(read_items(&test, BadLines::Refuse).unwrap().into_values(), chosen);

    let wrong = write(folder.path(), "d.csv", "writer,id,concepts,sentence\n,1,공#치,공을 친다.\n");
    let error = sheet.read(&[wrong]).unwrap_err().to_string();
    assert!(error.contains("d.csv:2: the concept set 1 is `공#치` here"), "{error}");
    let broken =
        write(folder.path(), "e.csv", "writer,id,concepts,sentence\n,1,공#차,\"공을\n찬다.\"\n");
    let error = sheet.read(&[broken]).unwrap_err().to_string();
    assert!(error.contains("e.csv:2:") && error.contains("line break"), "{error}");
}
