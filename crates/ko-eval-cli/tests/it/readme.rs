//! What the READMEs say to type, typed by a new user who has the dictionary and nothing else.

use crate::common::dictionary_home;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The pages whose commands are typed.
const PAGES: [&str; 3] = ["README.md", "README.ko.md", "crates/ko-eval-cli/README.md"];

/// How a command says what it lacks: a command to type first, or a model, a dictionary or a file of the reader's.
const HELPFUL: [&str; 4] = ["`ko-eval ", "torch", "missing", "No such file"];

/// A folder with the samples, in which the reader types.
struct Desk {
    folder: PathBuf,
    home: PathBuf,
}

impl Desk {
    fn shell(&self, line: &str) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_ko-eval")).parent().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(&self.folder).env_clear();
        command.env("PATH", format!("{}:/usr/bin:/bin", program.display()));
        command.env("HOME", &self.home).env("KO_EVAL_HOME", &self.home).env("LANG", "C.UTF-8");
        command.env("KO_EVAL_OFFLINE", "1");
        command.output().unwrap()
    }

    /// Writes the texts that a line names and its reader would have: samples of the same number of lines.
    fn provide(&self, line: &str) {
        let mut before = "";
        for word in line.split([' ', '=', ',']) {
            let path = self.folder.join(word);
            let is_text = word.ends_with(".txt") || word.ends_with(".ko");
            if word.starts_with("BGAA") {
                fs::write(path, TREE).unwrap();
            } else if is_text && !["--output", "-o"].contains(&before) && !path.exists() {
                let sample = if word.contains("ref") { "reference.txt" } else { "good.txt" };
                fs::copy(self.folder.join(sample), path).unwrap();
            } else if word == "pairs.jsonl" {
                fs::write(path, "{\"hyp\": \"비가 온다.\", \"refs\": [\"비가 와요.\"]}\n").unwrap();
            }
            before = word;
        }
    }
}

/// A file of the Sejong treebank.
const TREE: &str = "\
; 나는 어제 저녁에 큰 집에 갔다.
(S\t(NP_SBJ 나/NP + 는/JX)
\t(VP\t(NP_AJT 어제/NNG)
\t\t(VP\t(NP_AJT 저녁/NNG + 에/JKB)
\t\t\t(VP\t(NP_AJT\t(VP_MOD 크/VA + ㄴ/ETM)
\t\t\t\t\t(NP_AJT 집/NNG + 에/JKB))
\t\t\t\t(VP 가/VV + 았/EP + 다/EF + ./SF)))))
";

/// The lines of a page's blocks of shell commands that call the command, continued lines joined and prompts removed.
fn commands(page: &str) -> Vec<String> {
    let page = page.replace("\\\n", " ");
    let mut lines = page.lines();
    let mut found = Vec::new();
    while let Some(kind) = lines.find_map(|line| line.trim_start().strip_prefix("```")) {
        let block = lines.by_ref().take_while(|line| line.trim() != "```");
        let is_shell = ["sh", "bash", "console"].contains(&kind.trim());
        let block: Vec<_> = block.filter(|_| is_shell).collect();
        found.extend(block.iter().map(|line| line.trim_start_matches("$ ").to_owned()));
    }
    found.retain(|line| line.starts_with("ko-eval ") || line.contains("| ko-eval "));
    // What fetches is not typed here.
    found.retain(|line| !line.contains("ko-eval setup"));
    found
}

#[test]
fn what_the_readmes_say_works_or_says_what_is_missing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (folder, home) = (tempfile::tempdir().unwrap(), dictionary_home());
    let desk = Desk { folder: folder.path().to_owned(), home: home.path().to_owned() };
    for sample in fs::read_dir(root.join("crates/ko-eval-cli/samples")).unwrap() {
        let sample = sample.unwrap();
        fs::copy(sample.path(), desk.folder.join(sample.file_name())).unwrap();
    }
    let (mut worked, mut lacked) = (0, 0);
    for page in PAGES {
        for line in commands(&fs::read_to_string(root.join(page)).unwrap()) {
            desk.provide(&line);
            let output = desk.shell(&line);
            let told = String::from_utf8_lossy(&output.stderr);
            let says = !told.contains("Usage:") && !told.contains("panicked");
            let says = says && HELPFUL.iter().any(|word| told.contains(word));
            assert!(output.status.success() || says, "{page}: `{line}` fails: {told}");
            worked += usize::from(output.status.success());
            lacked += usize::from(!output.status.success());
        }
    }
    assert!(worked > 15 && lacked > 15, "{worked} commands worked, {lacked} lack something");
}

#[test]
fn every_subcommand_has_help() {
    let (folder, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let desk = Desk { folder: folder.path().to_owned(), home: home.path().to_owned() };
    let mut waiting = vec!["ko-eval".to_owned()];
    while let Some(command) = waiting.pop() {
        let output = desk.shell(&format!("{command} --help"));
        let page = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && page.contains("Usage:"), "`{command} --help`");
        let listed = page.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
        let listed = listed.take_while(|line| !line.trim().is_empty());
        let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        let names = names.filter(|name| !name.is_empty() && *name != "help");
        waiting.extend(names.map(|name| format!("{command} {name}")));
    }
}
