//! Korean CommonGen's study from the command line: a folder evaluated, and the crowd work that it rests on.

use crate::common::{command, failure, finish, json, run_line, text};
use std::{
    fs,
    path::{Path, PathBuf},
};

const CRITERIA: [&str; 4] = ["grammar", "commonsense", "factuality", "fluency"];
const SENTENCES: [&str; 4] =
    ["선수가 공을 친다.", "비가 와서 우산을 쓴다.", "우산을 비가.", "공이 선수를 친다."];

fn write(folder: &Path, path: &str, text: &str) -> PathBuf {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

/// Two concept sets, two systems; nobody has rated them yet.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "dataset/test.jsonl",
        "{\"concept-set\": \"공#선수#친\", \"scene\": [\"선수가 공을 친다.\", \"공을 친 선수다.\"]}\n\
         {\"concept-set\": \"비#우산#쓴\", \"scene\": [\"비가 와서 우산을 쓴다.\"]}\n",
    );
    write(folder.path(), "systems/Good.txt", &format!("{}\n{}\n", SENTENCES[0], SENTENCES[1]));
    write(folder.path(), "systems/Bad.txt", &format!("{}\n{}\n", SENTENCES[3], SENTENCES[2]));
    folder
}

#[test]
fn ratings_of_sheets_reach_the_study() {
    let folder = folder();
    let out = |name: &str| folder.path().join(name);
    let (test, sheet) = (out("dataset/test.jsonl"), out("sheet"));
    let named = |name: &str| {
        PathBuf::from(format!("{name}={}", out(&format!("systems/{name}.txt")).display()))
    };
    let told = run_line(
        "commongen sheet rate --test {} --system {} --system {} -o {}",
        &[&test, &named("Good"), &named("Bad"), &sheet],
    );
    assert!(text(&told).starts_with("4 sentences to rate: "), "{told:?}");
    assert!(fs::read_to_string(sheet.join("sheet.html")).unwrap().contains("form-action 'none'"));

    // Four raters, who like the good sentences, each in their own way.
    let blank = fs::read_to_string(sheet.join("sheet.csv")).unwrap();
    let mut sheets = Vec::new();
    for (number, rater) in ["민수", "영희", "철수", "순이"].iter().enumerate() {
        let rate =
            |line: &str| match (SENTENCES[..2].iter().any(|good| line.contains(good)), number) {
                (true, 3) => "1,2,2,1",
                (true, _) => "2,2,2,2",
                (false, 0) => "1,0,1,0",
                (false, _) => "0,0,1,0",
            };
        let mut lines = blank.lines();
        let mut filled = format!("{}\n", lines.next().unwrap());
        for line in lines {
            filled += &format!("{}{}\n", line.strip_suffix(",,,").unwrap(), rate(line));
        }
        sheets.push(write(folder.path(), &format!("{rater}.csv"), &filled));
    }
    let key = sheet.join("key.csv");
    let line = "commongen sheet ratings --key {} {} {} {} {} --format json";
    let paths: Vec<&Path> = [&key].into_iter().chain(&sheets).map(PathBuf::as_path).collect();
    let all = json(&run_line(&format!("{line} --raters 4"), &paths));
    assert_eq!(all["means"]["Good"]["grammar"], 7.0 / 4.0);
    assert_eq!(all["raters"]["순이"], 4);
    let three =
        json(&run_line(&format!("{line} --study {{}}"), &[&paths[..], &[folder.path()]].concat()));
    assert_eq!(three, json(&run_line(line, &paths)), "the same by the same seed");
    assert!(three["kappa"]["grammar"]["pooled"]["value"].as_f64().unwrap() > 0.0, "{three}");
    let rated = fs::read_to_string(out("human/good/good_fluency_korean_commongen.txt")).unwrap();
    assert_eq!(rated.lines().count(), 2 * 3);

    let broken = fs::read_to_string(&sheets[0]).unwrap().replacen("2,2,2,2", "2,2,9,2", 1);
    let broken = write(folder.path(), "broken.csv", &broken);
    let message = failure(&run_line("commongen sheet ratings --key {} {}", &[&key, &broken]));
    assert!(
        message.contains("broken.csv:") && message.contains("factuality: `9` is not a rating"),
        "{message}"
    );

    let report = out("report");
    let line = "commongen evaluate {} -m chrf@char --format json -o {}";
    let study = json(&run_line(line, &[folder.path(), &report]));
    let set = &study["sets"][0];
    let metrics: Vec<&str> =
        set["metrics"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert_eq!(metrics.len(), 11, "{metrics:?}");
    assert!(metrics.contains(&"chrf@char"), "{metrics:?}");
    assert_eq!(set["systems"][1]["name"], "Good");
    // 친 and 쓴 stand there only within 친다 and 쓴다, which the analyzer does not divide.
    let coverage = set["systems"][1]["scores"][5].as_f64().unwrap();
    assert!((coverage - 200.0 / 3.0).abs() < 1e-9, "{coverage}");
    for criterion in CRITERIA {
        assert_eq!(
            set["systems"][1]["human"][criterion], three["means"]["Good"][criterion],
            "{criterion}"
        );
    }
    assert!(
        set["cases"]["best"][0]["output"] == SENTENCES[0]
            || set["cases"]["best"][0]["output"] == SENTENCES[1]
    );
    assert_eq!(set["people"]["references"], 2);
    assert!(study["signature"].as_str().unwrap().contains("protocol:released"));
    for file in [
        "report.html",
        "report.md",
        "study.json",
        "figures/people-pearson.svg",
        "figures/people-pearson.csv",
        "tables/scores.csv",
    ] {
        assert!(report.join(file).exists(), "{file}");
    }
    let mut korean = command("commongen evaluate {} --lang ko -o {}", &[folder.path(), &report]);
    korean.env("COLUMNS", "200");
    let shown = text(&finish(korean, b""));
    assert!(shown.contains("시스템") && shown.contains("사람"), "{shown}");
    assert!(fs::read_to_string(report.join("report.html")).unwrap().contains("<html lang=\"ko\">"));

    let message = failure(&run_line(
        "commongen evaluate {} -m chrf -m chrf -o {}",
        &[folder.path(), &report],
    ));
    assert!(message.contains("`chrf@mecab` is asked for twice"), "{message}");
    fs::write(out("systems/Bad.txt"), "한 줄뿐이다.\n").unwrap();
    let message = failure(&run_line("commongen evaluate {} -o {}", &[folder.path(), &report]));
    assert!(message.contains("Bad.txt") && message.contains("has 1"), "{message}");
}

#[test]
fn writers_fill_a_new_test_set() {
    let folder = folder();
    let out = |name: &str| folder.path().join(name);
    let (test, sheet, new) = (out("dataset/test.jsonl"), out("sheet"), out("new.jsonl"));
    let told = run_line("commongen sheet write {} -o {}", &[&test, &sheet]);
    assert!(text(&told).starts_with("2 concept sets to write for: "), "{told:?}");
    let blank = fs::read_to_string(sheet.join("sheet.csv")).unwrap();
    let write = |name: &str, one: &str, two: &str| {
        let filled =
            blank.replace("친,\n", &format!("친,{one}\n")).replace("쓴,\n", &format!("쓴,{two}\n"));
        write(folder.path(), name, &filled)
    };
    let (first, second) = (
        write("가.csv", "선수가 공을 친 날이다.", "비에 우산을 쓴다."),
        write("나.csv", "공을 친 선수.", "우산을 쓴 비."),
    );
    let line = "commongen sheet references --sets {} {} {} --references 2 -o {}";
    let told = run_line(line, &[&test, &first, &second, &new]);
    assert!(text(&told).starts_with("2 concept sets: "), "{told:?}");
    let written = fs::read_to_string(&new).unwrap();
    assert_eq!(
        written.lines().next().unwrap(),
        "{\"concept-set\": \"공#선수#친\", \"scene\": [\"선수가 공을 친 날이다.\", \"공을 친 선수.\"]}"
    );
    let message =
        failure(&run_line("commongen sheet references --sets {} {} -o {}", &[&test, &first, &new]));
    assert!(message.contains("id 1 has 1 answers, and 3 are wanted"), "{message}");
}

#[test]
fn a_test_of_other_concepts_is_made_by_a_graph() {
    let folder = tempfile::tempdir().unwrap();
    let known = write(
        folder.path(),
        "train.jsonl",
        "{\"concept-set\": \"비#우산#쓴다\", \"scene\": \"비가 와서 우산을 쓴다.\"}\n",
    );
    let graph = write(
        folder.path(),
        "graph.tsv",
        "비\t우산\t3\n비\t구름\t2\n/a/1\t/r/AtLocation\t/c/ko/선수/n\t/c/ko/공\t{\"weight\": 1.5}\n",
    );
    let proposals = run_line("commongen reformulate --graph {} --known {}", &[&graph, &known]);
    assert_eq!(text(&proposals), "[\"비\",\"우산\",\"구름\"]\n[\"우산\",\"비\"]\n");
    // People write about them on a sheet, and what they wrote is read back.
    let proposed = write(folder.path(), "proposed.jsonl", &text(&proposals));
    let sheet = folder.path().join("sheet");
    let told = run_line("commongen sheet write {} -o {}", &[&proposed, &sheet]);
    assert!(text(&told).starts_with("2 concept sets to write for: "), "{told:?}");
    let blank = fs::read_to_string(sheet.join("sheet.csv")).unwrap();
    let filled = blank
        .replace("비#우산#구름,", "비#우산#구름,비가 오면 검은 구름이 많다.")
        .replace("우산#비,", "우산#비,비가 올 때 아이가 우산을 산다.");
    let filled = write(folder.path(), "민수.csv", &filled);
    let (written, made) = (folder.path().join("written.jsonl"), folder.path().join("made.jsonl"));
    let line = "commongen sheet references --sets {} {} --references 1 -o {}";
    assert!(text(&run_line(line, &[&proposed, &filled, &written])).starts_with("2 concept sets: "));
    let line = "commongen reformulate --graph {} --known {} --sentences {} -o {}";
    let report = json(&run_line(line, &[&graph, &known, &written, &made]));
    assert_eq!(report["report"]["sentences"], 2, "{report}");
    assert_eq!(report["report"]["items"], 2, "{report}");

    let sentences = write(
        folder.path(),
        "sentences.txt",
        "선수가 공을 멀리 던진다.\n선수가 공을 멀리 던진다.\n아이가 책을 많이 읽는다.\n비다.\n",
    );
    let out = folder.path().join("reformulated_test.jsonl");
    let line = "commongen reformulate --graph {} --known {} --sentences {} -o {}";
    let made = json(&run_line(line, &[&graph, &known, &sentences, &out]));
    let report = &made["report"];
    assert_eq!((&report["items"], &report["known"]), (&1.into(), &1.into()), "{report}");
    assert_eq!((&report["unrelated"], &report["other_size"]), (&1.into(), &1.into()), "{report}");
    let items = fs::read_to_string(out).unwrap();
    assert!(items.contains("선수#공") && items.lines().count() == 1, "{items}");
}

/// A kind that the tagger never finds would filter nothing.
#[test]
fn kinds_of_entities_are_those_of_the_tagger() {
    let desk = tempfile::tempdir().unwrap();
    let tagged = |text: &str, tags: &str| -> String {
        let lines = text.chars().zip(tags.split(' ')).map(|(c, tag)| format!("{c}\t{tag}\n"));
        lines.collect::<String>() + "\n"
    };
    let tagged = tagged("민수가 간다.", "B-PS I-PS O O O O O")
        + &tagged("부산에 간다.", "B-LC I-LC O O O O O");
    let tagged = write(desk.path(), "ner.tsv", &tagged);
    let captions = write(desk.path(), "captions.txt", "아이가 공원에서 빨간 공을 찬다.\n");
    let out = desk.path().join("out");
    for kinds in ["PS+OG", "PS,OG", "LC, OG"] {
        let mut line = command(
            "commongen build --captions {} --entities {} -o {} --entity-kinds",
            &[&captions, &tagged, &out],
        );
        line.arg(kinds);
        let error = failure(&finish(line, b""));
        assert!(error.contains("OG") && error.contains("LC, PS"), "{kinds}: {error}");
        assert!(!error.contains(kinds) && !out.exists(), "{kinds}: {error}");
    }
}

/// Sentences in 해요체, by the very analyzer that the command takes: each becomes this, or is dropped, and none becomes anything else.
#[test]
fn fused_endings_become_plain() {
    const SENTENCES: &[(&str, Option<&str>)] = &[
        ("아이가 큰 학교에 가요.", Some("아이가 큰 학교에 간다.")),
        ("남자가 빨간 차를 사요.", Some("남자가 빨간 차를 산다.")),
        ("친구가 공원에서 여자를 만나요.", Some("친구가 공원에서 여자를 만난다.")),
        ("사람들이 긴 줄에 서요.", Some("사람들이 긴 줄에 선다.")),
        ("친구가 우리 집에 와요.", Some("친구가 우리 집에 온다.")),
        ("가족이 거실에서 영화를 봐요.", Some("가족이 거실에서 영화를 본다.")),
        ("남자가 여자에게 꽃을 줘요.", Some("남자가 여자에게 꽃을 준다.")),
        ("학생이 학교에서 그림을 배워요.", Some("학생이 학교에서 그림을 배운다.")),
        ("아이가 방에서 우유를 마셔요.", Some("아이가 방에서 우유를 마신다.")),
        ("어머니가 방에서 불을 켜요.", Some("어머니가 방에서 불을 켠다.")),
        ("손님이 가게에서 돈을 내요.", Some("손님이 가게에서 돈을 낸다.")),
        ("학생이 등에 가방을 메요.", Some("학생이 등에 가방을 멘다.")),
        ("아들이 커서 의사가 돼요.", Some("아들이 커서 의사가 된다.")),
        ("학생이 공책에 글씨를 써요.", Some("학생이 공책에 글씨를 쓴다.")),
        ("선수가 공원에서 운동을 해요.", Some("선수가 공원에서 운동을 한다.")),
        ("가게의 과일 값이 비싸요.", Some("가게의 과일 값이 비싸다.")),
        ("회사의 직원이 아주 바빠요.", Some("회사의 직원이 아주 바쁘다.")),
        ("겨울의 산 바람이 추워요.", Some("겨울의 산 바람이 춥다.")),
        ("요리사가 부엌에서 고기를 구워요.", Some("요리사가 부엌에서 고기를 굽는다.")),
        ("가수가 무대에서 노래를 불러요.", Some("가수가 무대에서 노래를 부른다.")),
        ("아이가 문제의 답을 몰라요.", Some("아이가 문제의 답을 모른다.")),
        ("학생이 친구의 일을 도와요.", Some("학생이 친구의 일을 돕는다.")),
        // Of two stems, requests, and what is only heard or guessed.
        ("아이가 방에서 노래를 들어요.", None),
        ("남자가 시골에 집을 지어요.", None),
        ("아이가 방에서 이불을 펴요.", None),
        ("선생님이 학교에 일찍 가세요.", None),
        ("친구가 나의 숙제를 도와줘요.", None),
        ("아버지가 아이에게 책을 읽어 줘요.", None),
        ("밖에 많은 비가 오나 봐요.", None),
        ("내일 많은 비가 온대요.", None),
    ];
    let desk = tempfile::tempdir().unwrap();
    let texts: String = SENTENCES.iter().map(|(text, _)| format!("{text}\n")).collect();
    let captions = write(desk.path(), "captions.txt", &texts);
    let out = desk.path().join("out");
    let line = "commongen build --captions {} --keep-all --validation 1 --test 1 -o {}";
    json(&run_line(line, &[&captions, &out]));
    let kept = fs::read_to_string(out.join("sentences.jsonl")).unwrap();
    let kept: Vec<String> = kept
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|draft| draft["text"].as_str().unwrap().to_owned())
        .collect();
    let expected: Vec<&str> = SENTENCES.iter().filter_map(|(_, plain)| *plain).collect();
    assert_eq!(kept, expected);
}
