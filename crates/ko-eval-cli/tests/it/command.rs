//! The built command, run as a user runs it.

use crate::common::{self, failure, json, run, run_line, run_with, sample};
use serde_json::Value;
use std::{fs, path::Path};

const PAIRS: &str = r#"{"hyp": "나는 밥을 먹었다", "refs": ["나는 밥을 먹었어요", "밥을 먹었다"]}
{"hyp": "비가 온다", "refs": ["비가 온다"]}
"#;

/// No model is opened for it, and none need be given.
#[test]
fn kosmic_checks_how_a_benchmark_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let table = |rows: &[(&str, &str, [&str; 3])]| {
        let path = folder.path().join("judged.tsv");
        let header = "sentence1\tsentence2\tformality1\tformality2\tjudge1\tjudge2\tjudge3\n";
        let row = |(one, two, judges): &(&str, &str, [&str; 3])| {
            format!("비 와요\t비 와\t{one}\t{two}\t{}\n", judges.join("\t"))
        };
        let rows: String = rows.iter().map(row).collect();
        fs::write(&path, format!("{header}{rows}")).unwrap();
        path
    };
    let balanced = [
        ("formal", "formal", ["5", "5", "4"]),
        ("formal", "informal", ["3", "3", "3"]),
        ("informal", "formal", ["1", "2", "1"]),
        ("informal", "informal", ["4", "4", "4"]),
    ];
    let line = "kosmic --check-balance {} --format json";
    let found = json(&run_line(line, &[&table(&balanced)]));
    assert_eq!((&found["fewest_judges"], &found["faults"]), (&3.into(), &Value::Array(vec![])));
    assert_eq!(found["kinds"][1]["share"], 0.25);
    // One pair is gone, and one judge said nothing of another.
    let mut lacking = balanced[1..].to_vec();
    lacking[0].2[1] = "";
    let output = run_line(line, &[&table(&lacking)]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    for part in
        ["0.0 % of the items are formal, formal", "an item has 2 ratings, expected at least 3"]
    {
        assert!(message.contains(part), "{message}");
    }
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["faults"].as_array().unwrap().len(), 5, "{found}");
    let line = "kosmic --check-balance {} --judges 2 --deviation 1 --agreement 0.5";
    let text = run_line(line, &[&table(&lacking)]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("Krippendorff's alpha") && !text.contains(" no\n"), "{text}");
    let message = failure(&run_line("kosmic --check-balance x --agreement nan", &[]));
    assert!(message.contains("expected a number"), "{message}");
    let message = failure(&run_line("kosmic --check-balance {}", &[&table(&[])]));
    assert!(message.contains("no segments"), "{message}");
}

/// Tables for training and judging from corpora of one meaning in two tones, by no model.
#[test]
fn kosmic_makes_tables_of_public_corpora() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let lines = |before: &str, acts: [(usize, &str); 2]| -> String {
        let row = |act: usize, what: &str, end: &str| format!("{act}\t{before}{what} {end}\n");
        let ends =
            ["오나요", "와요", "옵니다", "옵니까", "오세요", "와", "오냐", "온다", "왔어", "오니"];
        acts.iter().flat_map(|(act, what)| ends.map(|end| row(*act, what, end))).collect()
    };
    let rains = [(0, "지금 비가"), (1, "내일 눈이")];
    let style = write("style.tsv", &format!("act\tsentence\n{}", lines("", rains)));
    let para = write("para.txt", &lines("3\t", rains));
    let smile =
        write("smile.tsv", "formal\tinformal\tgentle\n가요\t가\t갑니다\n와요\t와\t옵니다\n");
    let (formal, informal) =
        (write("f.ko", "[F]갑니다[/F].\n와요.\n"), write("i.ko", "간다.\n와.\n"));
    let out = folder.path().join("table.tsv");
    let table = |line: &str, paths: &[&Path]| -> Vec<Vec<String>> {
        let line = format!("kosmic {line} -o {{}}");
        let output = run_line(&line, &[paths, &[out.as_path()]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = fs::read_to_string(&out).unwrap();
        text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
    };
    let pairs = table("pairs --stylekqc {} --count 16", &[&style]);
    assert_eq!(pairs[0], ["sentence1", "sentence2", "score", "formality1", "formality2"]);
    assert_eq!(pairs.len(), 17);
    for row in &pairs[1..] {
        let meaning = row[0].split(' ').next() == row[1].split(' ').next();
        let score = 1 + 2 * (usize::from(meaning) + usize::from(row[3] == row[4]));
        assert_eq!(row[2], score.to_string(), "{row:?}");
    }
    assert_eq!(pairs, table("pairs --stylekqc {} --count 16", &[&style]), "the same seed");
    assert_ne!(pairs, table("pairs --stylekqc {} --count 16 --seed 2", &[&style]));
    let both = table("pairs --stylekqc {} --parakqc {} --count 16", &[&style, &para]);
    assert_eq!((&both[..17], both.len()), (&pairs[..], 33), "as many of each corpus");
    let sentences = table("sentences --stylekqc {} --every 2", &[&style]);
    assert_eq!(sentences.len(), 11);
    assert_eq!(sentences[1], ["지금 비가 오나요", "formal"]);
    assert_eq!(sentences[10], ["지금 비가 오니", "informal"]);
    let line = "sentences --smilestyle {} --formal formal,gentle --informal informal";
    let formal_ones = table(line, &[&smile]).iter().filter(|row| row[1] == "formal").count();
    assert_eq!(formal_ones, 4);
    let line = "sentences --formality {} {} --formality {} {}";
    let texts = table(line, &[&formal, &informal, &formal, &informal]);
    assert_eq!((texts.len(), texts[1][0].as_str()), (9, "갑니다."));
    let written = table("sentences --stylekqc {} --as-written", &[&style]);
    assert!(written.iter().any(|row| row[0].ends_with('?')), "{written:?}");

    for (line, paths, part) in [
        ("pairs", vec![], "give --stylekqc, --parakqc, --smilestyle or --formality"),
        ("pairs --parakqc {}", vec![style.as_path()], "style.tsv:1: expected three columns"),
        ("sentences --stylekqc {}", vec![&para], "para.txt:1: no column `act`"),
        ("sentences --formality {} {}", vec![&formal, &smile], "f.ko:2: the informal file goes on"),
        ("sentences --stylekqc {} --every 0", vec![&style], "--every cannot be 0"),
    ] {
        let line = format!("kosmic {line} -o {{}}");
        let message = failure(&run_line(&line, &[&paths[..], &[out.as_path()]].concat()));
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn scores_pairs_from_standard_input() {
    let args: [&dyn AsRef<std::ffi::OsStr>; 12] = [
        &"score",
        &"--pairs",
        &"-",
        &"--metric",
        &"bleu:order=2",
        &"--metric",
        &"chrf:word-order=2",
        &"--unit",
        &"jamo",
        &"--segments",
        &"--format",
        &"json",
    ];
    let output = run_with(PAIRS.as_bytes(), &args);
    let scores = &json(&output)["scores"];
    assert_eq!(scores[0]["metric"], "bleu:order=2");
    assert_eq!(scores[0]["unit"], "jamo");
    assert!(scores[0]["signature"].as_str().unwrap().contains("nrefs:1-2"));
    assert_eq!(scores[1]["segments"].as_array().unwrap().len(), 2);
    assert_eq!(scores[1]["segments"][1], 100.0);

    let library = ko_eval::metric("bleu:order=2", "jamo").unwrap();
    let corpus: ko_eval::Corpus =
        PAIRS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = library.corpus_score(&corpus.segments()).unwrap().score.value;
    assert_eq!(scores[0]["score"].as_f64(), Some(expected), "not a digit is lost");
    assert_eq!(output.stdout, run_with(PAIRS.as_bytes(), &args).stdout, "deterministic");
}

#[test]
fn every_metric_scores_the_samples() {
    let mut args: Vec<&dyn AsRef<std::ffi::OsStr>> =
        vec![&"score", &"--format", &"csv", &"--unit", &"char"];
    let (hyp, reference) = (sample("good.txt"), sample("reference.txt"));
    args.extend([&"--hyp" as &dyn AsRef<_>, &hyp, &"--ref", &reference]);
    let over_units = || ko_eval::METRICS.iter().filter(|row| row.is_over_units());
    for row in over_units() {
        args.push(&"--metric");
        args.push(&row.name);
    }
    let output = run(&args);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), over_units().count() + 1, "{text}");
}

#[test]
fn marks_and_line_ends_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, marked) = (folder.path().join("plain.jsonl"), folder.path().join("marked.jsonl"));
    fs::write(&plain, PAIRS).unwrap();
    fs::write(&marked, format!("\u{feff}{}", PAIRS.replace('\n', "\r\n"))).unwrap();
    let score = |path: &Path| json(&run(&[&"score", &"--pairs", &path, &"--format", &"json"]));
    assert_eq!(score(&plain), score(&marked));
}

#[test]
fn bad_input_is_named_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let broken = file("broken.jsonl", b"{\"hyp\": \"a\", \"refs\": [\"b\"]}\n{\"hyp\": \n");
    let not_utf8 = file("latin.jsonl", b"{\"hyp\": \"a\", \"refs\": [\"b\"]}\n\xff\xfe\n");
    let no_reference = file("none.jsonl", b"{\"hyp\": \"a\", \"refs\": []}\n");
    for (path, line) in [(&broken, 2), (&not_utf8, 2), (&no_reference, 1)] {
        let message = failure(&run(&[&"score", &"--pairs", path]));
        let place = format!("{}:{line}: ", path.display());
        assert!(message.contains(&place), "{message}");
    }
    let (long, short) = (file("long.txt", b"a\nb\nc\n"), file("short.txt", b"a\n"));
    let message = failure(&run(&[&"score", &"--hyp", &long, &"--ref", &short]));
    assert!(message.contains("has 3 lines") && message.contains("only 1"), "{message}");
    let message = failure(&run(&[&"score", &"--pairs", &file("empty.jsonl", b"")]));
    assert!(message.contains("no segments"), "{message}");
    let message = failure(&run(&[&"score", &"--pairs", &folder.path().join("nowhere.jsonl")]));
    assert!(message.contains("nowhere.jsonl"), "{message}");
}

#[test]
fn unknown_names_list_the_known_ones() {
    for (args, known) in [
        (["--metric", "blue", "--unit", "word"], "bleu, nltk-bleu"),
        (["--metric", "bleu:ordre=2", "--unit", "word"], "order, smooth"),
        (["--metric", "bleu:order=0", "--unit", "word"], "`order` cannot be `0`"),
        (["--metric", "bleu", "--unit", "syllable"], "word, mecab"),
    ] {
        let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"score", &"--pairs", &"-"];
        all.extend(args.iter().map(|arg| arg as &dyn AsRef<_>));
        let message = failure(&run_with(PAIRS.as_bytes(), &all));
        assert!(message.contains(known), "{message}");
    }
}

#[test]
fn an_output_file_is_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("scores.json");
    let args: [&dyn AsRef<std::ffi::OsStr>; 7] =
        [&"score", &"--pairs", &"-", &"--format", &"json", &"--output", &out];
    failure(&run_with(b"{\n", &args));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(run_with(PAIRS.as_bytes(), &args).status.success());
    let written: Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(written["scores"].as_array().unwrap().len(), 2);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn merged_shards_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let shard = |name: &str, lines: &str| {
        let path = folder.path().join(name);
        let args: [&dyn AsRef<std::ffi::OsStr>; 9] = [
            &"score",
            &"--pairs",
            &"-",
            &"--metric",
            &"bleu",
            &"--metric",
            &"nist",
            &"--statistics",
            &path,
        ];
        assert!(run_with(lines.as_bytes(), &args).status.success());
        path
    };
    let mut lines = PAIRS.lines();
    let (one, two) =
        (shard("1.json", lines.next().unwrap()), shard("2.json", lines.next().unwrap()));
    let merged = json(&run(&[&"merge", &two, &one, &"--format", &"json"]));
    let whole = json(&run_with(
        PAIRS.as_bytes(),
        &[
            &"score",
            &"--pairs",
            &"-",
            &"--metric",
            &"bleu",
            &"--metric",
            &"nist",
            &"--format",
            &"json",
        ],
    ));
    assert_eq!(merged, whole);
    let alone = shard("3.json", PAIRS);
    fs::write(&alone, fs::read_to_string(&alone).unwrap().replace("BLEU", "BLUE")).unwrap();
    assert!(failure(&run(&[&"merge", &alone])).contains("BLUE"));
    // What the units were called is no less than the numbers.
    let relabelled = fs::read_to_string(&one).unwrap().replace("\"char\"", "\"mecab\"");
    fs::write(&one, relabelled).unwrap();
    let message = failure(&run(&[&"merge", &one]));
    assert!(message.contains("on mecab") && message.contains("it was changed"), "{message}");
}

#[test]
fn a_shard_that_names_a_program_starts_none() {
    let folder = tempfile::tempdir().unwrap();
    let (shard, trace) = (folder.path().join("shard.json"), folder.path().join("trace"));
    let args: [&dyn AsRef<std::ffi::OsStr>; 7] =
        [&"score", &"--pairs", &"-", &"--metric", &"bleu", &"--statistics", &shard];
    assert!(run_with(PAIRS.as_bytes(), &args).status.success());
    let program = format!("bridge:touch {}", trace.display());
    let sealed = fs::read_to_string(&shard).unwrap();
    // Whoever means harm leaves the digest out, as files of old do.
    let mut shards: Value = serde_json::from_str(&sealed).unwrap();
    assert!(shards[0].as_object_mut().unwrap().remove("digest").is_some());
    let text = shards.to_string();
    let changed = text.replace("\"unit\":\"char\"", &format!("\"unit\":\"{program}\""));
    assert_ne!(text, changed);
    let signed = changed.replace("tok:char", &format!("tok:{}", program.replace(':', r"\\:")));
    assert_ne!(changed, signed);
    fs::write(&shard, signed).unwrap();
    let merged = run(&[&"merge", &shard]);
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    assert!(!trace.exists(), "merging needs no tokenizer");
    // A parameter may name a program as well.
    let stemmed =
        text.replace("\"metric\":\"bleu\"", &format!("\"metric\":\"meteor:stem={program}\""));
    assert_ne!(text, stemmed);
    fs::write(&shard, stemmed).unwrap();
    failure(&run(&[&"merge", &shard]));
    assert!(!trace.exists(), "nor a stemmer");
    let plan = folder.path().join("plan.toml");
    let text = format!(
        "references = []\nhuman = \"h.tsv\"\nunits = [\"{program}\"]\n[[systems]]\nname = \"a\"\noutput = \"a.txt\"\n"
    );
    fs::write(&plan, text).unwrap();
    let message = failure(&run(&[&"meta", &"--plan", &plan]));
    assert!(message.contains("--allow-programs"), "{message}");
    assert!(!trace.exists(), "nor a plan");
}

#[test]
fn what_a_metric_needs_is_asked_for_before_anything_is_read() {
    let message = failure(&common::run_line("score --hyp nowhere.txt -m bleu", &[]));
    assert!(message.contains("--ref FILE") && !message.contains("nowhere"), "{message}");
    let line = r#"{"hyp": "비가 온다"}"#;
    let message = failure(&run_with(line.as_bytes(), &[&"score", &"--pairs", &"-"]));
    assert!(message.contains("BLEU needs a reference, and segment 1 has none"), "{message}");
}

#[test]
fn defaults_follow_the_evidence() {
    let scores = |units: &[&str]| {
        let mut args: Vec<&dyn AsRef<std::ffi::OsStr>> =
            vec![&"score", &"--pairs", &"-", &"--format", &"json"];
        args.extend(units.iter().map(|unit| unit as &dyn AsRef<_>));
        let found = json(&run_with(PAIRS.as_bytes(), &args));
        let rows = found["scores"].as_array().unwrap().clone();
        let row = |row: &Value| format!("{}@{}", row["metric"], row["unit"]).replace('"', "");
        rows.iter().map(row).collect::<Vec<_>>()
    };
    assert_eq!(scores(&[]), ["bleu:order=2@char", "chrf@char"]);
    assert_eq!(
        scores(&["-u", "jamo", "-u", "word"])[..3],
        ["bleu:order=5@jamo", "chrf@jamo", "bleu:order=1@word"]
    );
    let hinted =
        run_with(PAIRS.as_bytes(), &[&"score", &"--pairs", &"-", &"-m", &"bleu", &"-u", &"word"]);
    assert!(hinted.status.success());
    assert!(String::from_utf8_lossy(&hinted.stderr).contains("hint: BLEU-4 on words"));
}

#[test]
fn compares_systems_with_a_test() {
    let (base, system, reference) =
        (sample("poor.txt"), sample("good.txt"), sample("reference.txt"));
    let result = json(&run(&[
        &"compare",
        &"--baseline",
        &base,
        &"--system",
        &system,
        &"--ref",
        &reference,
        &"--metric",
        &"chrf",
        &"--format",
        &"json",
    ]));
    let rows = result["comparisons"].as_array().unwrap();
    assert_eq!(rows[0]["p_value"], Value::Null);
    assert!(rows[1]["p_value"].as_f64().unwrap() < 0.05, "{rows:?}");
    assert!(rows[1]["score"].as_f64() > rows[0]["score"].as_f64());
    assert!(rows[1]["signature"].as_str().unwrap().ends_with("|bs:1000|seed:12345"));
}

#[test]
fn cuts_text_a_line_at_a_time() {
    let cut = |args: &[&str]| {
        let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"tokenize"];
        all.extend(args.iter().map(|arg| arg as &dyn AsRef<_>));
        let output = run_with("각 넓다\n\n".as_bytes(), &all);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(cut(&["--unit", "char"]), "각 넓 다\n\n");
    assert_eq!(cut(&["--unit", "jamo:form=split"]), "ㄱ ㅏ ㄱ ㄴ ㅓ ㄹ ㅂ ㄷ ㅏ\n\n");
    assert_eq!(cut(&["--unit", "word", "--format", "json"]), "[\"각\",\"넓다\"]\n[]\n");
    assert!(cut(&["--all"]).contains("jamo        ㄱ ㅏ ㄱ ㄴ ㅓ ㄼ ㄷ ㅏ\n"));
    let message = failure(&run_with(b"", &[&"tokenize", &"--unit", &"word", &"--pos"]));
    assert!(message.contains("unknown analyzer `word`"), "{message}");
}

#[test]
fn morphemes_carry_tags() {
    let cut = |args: &[&dyn AsRef<std::ffi::OsStr>]| {
        let output = run_with("해변에는 사람들이 물 속에 있었다.\n".as_bytes(), args);
        // Without the dictionary the message says how to get it.
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let tagged = cut(&[&"tokenize", &"--unit", &"mecab", &"--pos", &"--format", &"json"]);
    let expected = r#"["해변/NNG","에/JKB","는/JX","사람/NNG","들/XSN","이/JKS","물/NNG","속/NNG","에/JKB","있/VV","었/EP","다/EF","./SF"]"#;
    assert_eq!(tagged.trim(), expected);
    let plain = cut(&[&"tokenize", &"--unit", &"mecab", &"--no-space-penalty"]);
    assert!(plain.starts_with("해변 에 는 "), "{plain}");
}

#[test]
fn analyses_are_compared_with_gold_ones() {
    let folder = tempfile::tempdir().unwrap();
    let gold = folder.path().join("gold.tsv");
    fs::write(&gold, "길을 물었다.\t길/NNG 을/JKO 묻/VV-I 었/EP 다/EF ./SF\n밥을 먹다\t밥/NNG 을/JKO 먹/VV 다/EF\n").unwrap();
    let line = "tokenize --gold {} --unit mecab:form=morpheme";
    let found = json(&run_line(&format!("{line} --format json"), &[&gold]));
    let found = &found["results"][0];
    assert_eq!(found["gold"], 10);
    assert_eq!(found["right"], 8, "{found}");
    assert_eq!(found["recall"], 0.8);
    assert_eq!(found["wrong"][0]["gold_only"], serde_json::json!(["묻/VV-I"]));
    assert_eq!(found["wrong"][0]["line"], 1);
    // Without a full stop, MeCab-ko expects the sentence to go on.
    assert_eq!(found["wrong"][1]["analysis_only"], serde_json::json!(["다/EC"]));
    let table = run_line(line, &[&gold]);
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.contains("line 1: 길을 물었다.") && table.contains("0.8000"), "{table}");

    fs::write(&gold, "밥/NNG\t밥을 먹다\n밥/NNG\n").unwrap();
    let message = failure(&run_line(line, &[&gold]));
    assert!(message.contains("gold.tsv:2: no tab"), "{message}");
    let message = failure(&run_line("tokenize --gold {} --match all", &[&gold]));
    assert!(message.contains("expected one of tags, letters, forms"), "{message}");
}

#[test]
fn meta_writes_a_report_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let plan = sample("experiment.toml");
    let args: [&dyn AsRef<std::ffi::OsStr>; 13] = [
        &"meta",
        &"--plan",
        &plan,
        &"--unit",
        &"word",
        &"--unit",
        &"char",
        &"--metric",
        &"bleu:order=2",
        &"--metric",
        &"ter",
        &"--output",
        &folder.path(),
    ];
    let output = run(&args);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("best at segment level: ") && text.contains("report.html"), "{text}");
    for file in ["report.html", "report.md", "agreement.csv", "segments.csv", "findings.json"] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("Which unit sees the tone?"));
    assert!(!page.contains("<link") && !page.contains(" src="), "self-contained");
    let work = fs::read_dir(folder.path().join("work")).unwrap().count();
    assert_eq!(run(&args).stdout, output.stdout);
    assert_eq!(fs::read_dir(folder.path().join("work")).unwrap().count(), work, "nothing new");
    let (good, reference, human) =
        (sample("good.txt"), sample("reference.txt"), sample("human.tsv"));
    let system = format!("nobody={}", good.display());
    let message =
        failure(&run(&[&"meta", &"--system", &system, &"--ref", &reference, &"--human", &human]));
    assert!(
        message.contains("`nobody`") && message.contains("judges: blunt, good, poor"),
        "{message}"
    );
}

#[test]
fn meta_takes_the_published_layout_and_every_unit() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let references = ["비가 많이 온다.", "눈이 내린다.", "해가 뜬다."];
    let item = |text: &str| format!("{{\"concept-set\": \"비#눈\", \"scene\": [\"{text}\"]}}\n");
    write("dataset/test.jsonl", &references.map(item).concat());
    for (system, sentences, ratings) in [
        ("Good", "비가 많이 온다.\n눈이 온다.\n해가 뜬다.\n", "2\n2\n2\n1\n1\n2\n2\n2\n2\n"),
        ("Poor_One", "비 온다.\n눈 내림.\n달.\n", "1\n1\n1\n1\n0\n1\n0\n0\n0\n"),
    ] {
        write(&format!("systems/{system}.txt"), sentences);
        let human = system.to_lowercase().replace('_', "-");
        for criterion in ["grammar", "commonsense", "factuality", "fluency"] {
            write(&format!("human/{human}/x_{criterion}_korean_commongen.txt"), ratings);
        }
    }
    let report = folder.path().join("report");
    let output = run(&[
        &"meta",
        &"--commongen",
        &folder.path(),
        &"--unit",
        &"all",
        &"--unit",
        &"jamo:form=split",
        &"--metric",
        &"bleu:order=1",
        &"--output",
        &report,
    ]);
    let (out, told) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}");
    assert!(
        told.contains("unit subword is left out: it needs an argument: subword:FILE"),
        "{told}"
    );
    let row = |unit: &str| {
        out.lines().find(|line| line.split(' ').next() == Some(unit)).map(str::to_owned)
    };
    assert!(row("word").unwrap().contains(" 1.00 "), "{out}");
    for unit in ["char", "jamo", "jamo:form=split"] {
        assert!(row(unit).is_some(), "{out}");
    }
    assert!(row("none").is_none(), "{out}");

    // A vocabulary makes the subword unit one of all.
    let vocabulary = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../ko-tokenize/tests/golden/sentencepiece/unigram.model");
    let with_vocabulary = run(&[
        &"meta",
        &"--commongen",
        &folder.path(),
        &"--unit",
        &"all",
        &"--vocabulary",
        &vocabulary,
        &"--metric",
        &"bleu:order=1",
        &"--output",
        &folder.path().join("with-vocabulary"),
    ]);
    let told_then = String::from_utf8_lossy(&with_vocabulary.stderr);
    assert!(with_vocabulary.status.success(), "{told_then}");
    assert!(!told_then.contains("unit subword is left out"), "{told_then}");
    assert!(String::from_utf8_lossy(&with_vocabulary.stdout).contains("\nsubword:"));

    let page = fs::read_to_string(report.join("report.md")).unwrap();
    assert!(page.contains("Units that were left out") && page.contains("Poor\\_One"), "{page}");
}

#[test]
fn commongen_scores_extracts_and_chooses() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let test = file(
        "test.jsonl",
        r#"{"concept-set": "선수#공#차", "scene": ["선수가 공을 찬다.", "공을 차는 선수가 있다."]}
{"concept-set": "비#우산", "scene": ["비가 와서 우산을 쓴다."]}
"#,
    );
    let system = file("system.txt", "선수가 공을 찬다.\n비가 온다.\n");
    let scores = json(&run(&[
        &"commongen",
        &"score",
        &"--test",
        &test,
        &"--system",
        &system,
        &"--protocol",
        &"released",
        &"--format",
        &"json",
    ]));
    for column in ["p3", "p4", "rouge2", "rougeL", "meteor", "coverage"] {
        let value = scores[column].as_f64().unwrap();
        assert!(value > 0.0 && value < 100.0, "{column}: {value}");
    }
    assert!(scores["signature"].as_str().unwrap().contains("mecab-ko@2.1.1"));
    let short = file("short.txt", "선수가 공을 찬다.\n");
    let message = failure(&run(&[&"commongen", &"score", &"--test", &test, &"--system", &short]));
    assert!(message.contains("short.txt has 1 lines") && message.contains("has 2"), "{message}");

    let concepts = run_with("야구 선수가 공을 친다.\n".as_bytes(), &[&"commongen", &"extract"]);
    assert_eq!(String::from_utf8(concepts.stdout).unwrap(), "[\"야구 선수\",\"공\",\"친다\"]\n");
    let offered = file(
        "offered.jsonl",
        r#"{"concept-set": "선수#공", "candidates": ["비가 온다.", "선수가 공을 찬다."]}"#,
    );
    let chosen = run(&[&"commongen", &"rerank", &offered]);
    assert_eq!(String::from_utf8(chosen.stdout).unwrap(), "선수가 공을 찬다.\n");
    let counts = json(&run(&[&"commongen", &"stats", &test, &"--format", &"json"]));
    assert_eq!(counts["statistics"]["references"], 3);
    let csv = run(&[&"commongen", &"stats", &test, &"--train", &test, &"--format", &"csv"]);
    let csv = String::from_utf8(csv.stdout).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[..2], ["figure,value", "sets,2"]);
    assert!(lines.contains(&"references,3") && lines.contains(&"unseen pairs in %,0"), "{csv}");
}

#[test]
fn probes_are_built_run_and_printed_again() {
    let folder = tempfile::tempdir().unwrap();
    let treebank = folder.path().join("made.conllu");
    // Sentences of five to twelve words, half of them past: enough to learn a length from.
    let mut text = String::new();
    for n in 0..120 {
        let words = 5 + n % 8;
        text += &format!("# sent_id = {n}\n");
        for word in 1..words {
            text += &format!("{word}\t낱말{n}{word}\t낱말\tNOUN\tNNG\t_\t{words}\tobl\t_\t_\n");
        }
        let (form, lemma, tags) = if n % 2 == 0 {
            ("갔다", "가+았+다", "VV+EP+EF")
        } else {
            ("간다", "가+ㄴ다", "VV+EF")
        };
        text += &format!("{words}\t{form}\t{lemma}\tVERB\t{tags}\t_\t0\troot\t_\t_\n\n");
    }
    fs::write(&treebank, text).unwrap();
    let data = folder.path().join("data");
    let built = json(&run(&[
        &"probe",
        &"build",
        &treebank,
        &"--task",
        &"SentLen",
        &"--task",
        &"Tense",
        &"--output",
        &data,
    ]));
    assert_eq!(built["tasks"][1]["classes"][0][1], 60, "{built}");
    let out = folder.path().join("out");
    let first = run(&[&"probe", &"run", &data, &"--embedder", &"jamo", &"--output", &out]);
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    let again = run(&[&"probe", &"report", &out.join("findings.json")]);
    assert!(first.stdout.starts_with(&again.stdout), "{}", String::from_utf8_lossy(&again.stdout));
    let csv = run(&[&"probe", &"report", &out.join("findings.json"), &"--format", &"csv"]);
    let csv = String::from_utf8(csv.stdout).unwrap();
    let cells: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(cells[0][..3], ["task", "subject", "balanced accuracy"]);
    assert!(cells.iter().all(|row| row.len() == cells[0].len()), "{csv}");
    assert!(cells[1..].iter().all(|row| row[2].parse::<f64>().is_ok()), "{csv}");
    let told = String::from_utf8(again.stdout).unwrap();
    assert!(told.contains("Tense is judged on 12 sentences: too few"), "{told}");
    let line = "probe run {} --embedder jamo --embedder jamo --output {}";
    let twice = failure(&run_line(line, &[&data, &folder.path().join("twice")]));
    assert!(twice.contains("two subjects are called `jamo`"), "{twice}");
    let broken = folder.path().join("broken.conllu");
    fs::write(&broken, "1\t가\t가\tNOUN\n").unwrap();
    assert!(
        failure(&run(&[&"probe", &"build", &broken, &"--output", &data]))
            .contains("broken.conllu:1")
    );
}

/// A sentence of the Sejong treebank, as it is distributed.
fn sejong(trees: &str) -> Vec<u8> {
    let text = format!(
        "\u{feff}<!DOCTYPE tei.2 SYSTEM \"tei2.dtd\">\r\n<tei.2>\r\n<teiHeader>\r\n<title>; 제목</title>\r\n</teiHeader>\r\n<p>\r\n{trees}</p>\r\n</tei.2>\r\n"
    );
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn the_sejong_treebank_is_converted_and_built_from() {
    let folder = tempfile::tempdir().unwrap();
    let trees: String = (0..24)
        .map(|n| {
            let (form, morphs) = if n % 2 == 0 { ("갔다", "가/VV + 았/EP + 다/EF") } else { ("간다", "가/VV + ᆫ다/EF") };
            format!("; 나는 {n}번 큰 집에 {form}.\r\n(S\t(NP_SBJ 나/NP + 는/JX)\r\n\t(VP\t(NP {n}/SN + 번/NNB)\r\n\t\t(VP\t(NP_AJT\t(VP_MOD 크/VA + ᆫ/ETM)\r\n\t\t\t\t(NP_AJT 집/NNG + 에/JKB))\r\n\t\t\t(VP {morphs} + ./SF))))\r\n\r\n")
        })
        .collect();
    let file = folder.path().join("BGXX0002.txt");
    fs::write(&file, sejong(&format!("; 깨진 나무\r\n(S (NP 깨지/VV\r\n{trees}"))).unwrap();
    let converted = run(&[&"probe", &"convert", &file]);
    assert!(converted.status.success());
    let text = String::from_utf8(converted.stdout).unwrap();
    assert!(text.starts_with("# sent_id = BGXX0002-1\n# text = 나는 0번 큰 집에 갔다.\n1\t나는\t나+는\tPRON\tNP+JX\t_\t5\tnsubj"), "{text}");
    assert_eq!(text.matches("# text = ").count(), 24);
    let told = String::from_utf8(converted.stderr).unwrap();
    assert!(told.contains("BGXX0002.txt:9: a sentence begins before"), "{told}");
    assert!(told.contains("broken trees left out: 1"), "{told}");

    // A header without an end, another encoding, no tree at all: no part of such a file passes for the whole.
    let other = folder.path().join("other.txt");
    let unclosed = String::from_utf16(
        &sejong(&trees).chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect::<Vec<_>>(),
    );
    let unclosed = unclosed.unwrap().replace("</teiHeader>", "");
    // 비가 온다.
    let cp949 = b"; \xba\xf1\xb0\xa1 \xbf\xc2\xb4\xd9.\n(S (NP_SBJ \xba\xf1/NNG))\n";
    for (bytes, told) in [
        (unclosed.as_bytes(), "other.txt: line 3: `<teiheader` begins here"),
        (cp949, "other.txt: line 1: not UTF-8: byte 3 of the line is invalid; it looks like CP949"),
        (b"<tei.2>\n</tei.2>\n", "other.txt: not a single sentence"),
    ] {
        fs::write(&other, bytes).unwrap();
        let out = folder.path().join("other.conllu");
        let error = failure(&run(&[&"probe", &"convert", &file, &other, &"-o", &out]));
        assert!(error.contains(told), "{error}");
        assert!(!out.exists());
        let error = failure(&run(&[&"probe", &"build", &"--sejong", &other, &"-o", &out]));
        assert!(error.contains(told) && !out.exists(), "{error}");
    }

    // Building from the file and from what it was converted to gives the same data.
    let conllu = folder.path().join("converted.conllu");
    fs::write(&conllu, text).unwrap();
    let (from_file, from_conllu) = (folder.path().join("a"), folder.path().join("b"));
    let built = json(&run(&[
        &"probe",
        &"build",
        &"--sejong",
        &file,
        &"--task",
        &"Tense",
        &"-o",
        &from_file,
    ]));
    assert_eq!(
        (&built["tasks"][0]["sentences"], &built["dropped"]["broken tree"]),
        (&24.into(), &1.into())
    );
    assert!(built["broken"][0].as_str().unwrap().contains("BGXX0002.txt:9"), "{built}");
    json(&run(&[&"probe", &"build", &conllu, &"--task", &"Tense", &"-o", &from_conllu]));
    let read = |folder: &Path| fs::read_to_string(folder.join("Tense.txt")).unwrap();
    assert_eq!(read(&from_file), read(&from_conllu));
}

#[test]
fn sentence_types_come_from_labelled_utterances() {
    let folder = tempfile::tempdir().unwrap();
    let lines = (0..60).map(|n| {
        let (label, end) = [("1", "간다"), ("2", "가니"), ("3", "가라"), ("0", "길")][n % 4];
        format!("{label}\t{n}번 {end}\n")
    });
    let file = folder.path().join("말.txt");
    fs::write(&file, lines.collect::<String>()).unwrap();
    let data = folder.path().join("data");
    let line =
        "probe build --sent-type {} --sent-type-map 1=other,2=interrogative,3=imperative -o {}";
    let built = json(&run_line(line, &[&file, &data]));
    assert_eq!(built["tasks"].as_array().unwrap().len(), 1, "no treebank, no other task: {built}");
    assert_eq!(built["tasks"][0]["dropped"]["label `0`"], 15, "{built}");
    let text = fs::read_to_string(data.join("SentType.txt")).unwrap();
    assert_eq!(text.lines().count(), 45);
    assert!(text.contains("\tinterrogative\t1번 가니\n"), "{text}");
    let wrong = failure(&run_line(
        "probe build --sent-type {} --sent-type-map 2=ask -o {}",
        &[&file, &data],
    ));
    assert!(wrong.contains("interrogative, imperative, other"), "{wrong}");

    // Utterances have no tense, and are not read for nothing.
    let other = folder.path().join("other");
    let line = "probe build --sent-type {} --sent-type-map 1=other --task Tense -o {}";
    let wrong = failure(&run_line(line, &[&file, &other]));
    assert!(wrong.contains("--sent-type is for the task SentType"), "{wrong}");
    let line =
        "probe build --sent-type {} --sent-type-map 1=other --task SentType --task Tense -o {}";
    let wrong = failure(&run_line(line, &[&file, &other]));
    assert!(wrong.contains("--task Tense: it needs a treebank"), "{wrong}");
    // A treebank of nothing makes no data set.
    let empty = folder.path().join("empty.conllu");
    fs::write(&empty, "").unwrap();
    let wrong = failure(&run_line("probe build {} --task Tense -o {}", &[&empty, &other]));
    assert!(wrong.contains("Tense has no sentence"), "{wrong}");
    assert!(!other.exists());
    let told = run_line("probe build {} -o {}", &[&empty, &other]);
    assert!(String::from_utf8_lossy(&told.stderr).contains("Tense has no sentence"), "{told:?}");
}

#[test]
fn grammar_says_how_a_sentence_speaks() {
    let output = run_with("선생님께 편지를 드렸어요.\n".as_bytes(), &[&"probe", &"grammar"]);
    let answers = json(&output);
    assert_eq!(answers[0]["speech_level"]["value"], "해요체");
    assert_eq!(answers[0]["object"]["value"], "honoured");
    assert_eq!(answers[0]["tense"]["value"], "past");
}

#[test]
fn lists_show_every_row() {
    let names = |key: &str| -> Vec<String> {
        let list = json(&run(&[&key, &"--format", &"json"]));
        let rows = list[key].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("metrics"), ko_eval::METRICS.iter().map(|row| row.name).collect::<Vec<_>>());
    assert_eq!(names("units"), ko_eval::UNITS.iter().map(|row| row.name).collect::<Vec<_>>());
    let tags = json(&run(&[&"units", &"--tags", &"--format", &"json"]));
    let particle = tags["tags"].as_array().unwrap().iter().find(|row| row["tag"] == "JKB").unwrap();
    assert_eq!(particle["sets"]["Okt"], serde_json::json!(["Josa"]));
    assert_eq!(particle["sets"]["Hannanum, 22 tags"], serde_json::json!(["JC"]));
    let checks = json(&run(&[&"doctor", &"--format", &"json"]));
    assert!(checks["checks"].as_array().unwrap().iter().any(|c| c["what"] == "unit jamo"));
}

#[test]
fn shells_and_man_are_served() {
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&[&"completions", &shell]).stdout;
        assert!(String::from_utf8(script).unwrap().contains("tokenize"));
    }
    assert!(String::from_utf8(run(&[&"man"]).stdout).unwrap().contains("Korean"));
}

/// Settings of models, where nothing runs one.
#[test]
fn settings_of_models_are_refused_where_there_is_none() {
    let (_folder, [text]) = common::files([("text.txt", "비가 온다\n".as_bytes())]);
    for option in
        ["--long truncate", "--device cpu", "--precision bf16", "--threads 1", "--batch-tokens 64"]
    {
        let refused = |line: &str, expected: &str| {
            let message = failure(&run_line(&format!("{line} {option}"), &[&text]));
            assert!(message.contains(expected), "{line} {option}: {message}");
        };
        refused("probe run {}", "--model <FOLDER>");
        refused("probe run {} --prefix query:", "--model <FOLDER>");
        refused("commongen build --captions {} -o new", "--similarity-model <FOLDER>");
        let name = option.split(' ').next().unwrap();
        refused("kosmic --check-balance {}", "cannot be used with");
        refused("kosmic --check-balance {}", &format!("{name} <"));
    }
    let line = "kosmic --check-balance {} --weights 1,0,0";
    assert!(failure(&run_line(line, &[&text])).contains("cannot be used with"));
}

/// The same of metrics, none of which runs a model.
#[test]
fn settings_of_metrics_over_models_are_refused_where_there_is_none() {
    let (_folder, [text]) = common::files([("text.txt", "비가 온다\n".as_bytes())]);
    let grammar = "-m kosmic:sts=chrf@jamo,fic=grammar,csl=grammar";
    for option in ["--device cpu", "--precision bf16"] {
        let name = option.split(' ').next().unwrap();
        for line in [
            "score --hyp {} --ref {}",
            "score --hyp {} --ref {} -m chrf -m bertscore:vectors=none.jsonl",
            &format!("score --hyp {{}} --ref {{}} {grammar}"),
            "compare --baseline {} --system {} --ref {}",
            "explain --hyp 비 --ref 눈 -m chrf",
            "commongen evaluate {} -m chrf",
        ] {
            let message = failure(&run_line(&format!("{line} {option}"), &[&text, &text, &text]));
            assert!(message.contains(&format!("{name} does nothing here: ")), "{line}: {message}");
        }
        let line = format!("meta --plan {{}} --metric ter --unit char {option}");
        let message = failure(&run_line(&line, &[&sample("experiment.toml")]));
        assert!(message.contains(&format!("{name} does nothing here: ")), "{message}");
    }
}

#[test]
fn every_task_is_named_where_one_is_asked_for() {
    let help = run_line("probe build --help", &[]).stdout;
    let help = String::from_utf8(help).unwrap();
    let words: Vec<&str> = help.split([' ', ',', '\n']).collect();
    for task in ko_eval::probe::TASKS {
        assert!(words.contains(&task.name), "{}: {help}", task.name);
    }
}

/// Without the feature the commands are there and say how to get their models.
#[cfg(not(feature = "torch"))]
#[test]
fn models_that_are_not_built_in_are_explained() {
    for line in [
        "bertscore --model m --hyp h.txt --ref r.txt --search-layers s.txt",
        "kosmic --sts s --fic f --csl c --tune t.tsv",
        "embed --model m t.txt",
        "train sts --backbone m --train t.tsv --output out",
    ] {
        let message = failure(&common::run_line(line, &[]));
        assert!(message.contains("`ko-eval setup libtorch`"), "{message}");
    }
    for metric in ["bertscore:m", "rdass:m", "kosmic:sts=a,fic=b,csl=c", "sts:m"] {
        let message = failure(&run(&[&"score", &"--pairs", &"-", &"-m", &metric]));
        assert!(message.contains("the cargo feature `torch`"), "{message}");
    }
    let doctor = json(&run(&[&"doctor", &"--format", &"json"]));
    let checks = doctor["checks"].as_array().unwrap().clone();
    let models = checks.into_iter().find(|check| check["what"] == "models").unwrap();
    assert_eq!(models["ready"], false);
    assert!(models["details"].as_str().unwrap().contains("`ko-eval setup libtorch`"));
}
