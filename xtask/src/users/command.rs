//! The installed command in an empty home: its help, and what the READMEs say to type.

use super::readme;
use anyhow::{Context, Result, bail, ensure};
use std::{
    env, fs,
    path::Path,
    process::{Command, Output},
};

/// The pages whose commands are typed.
const PAGES: &[&str] = &["README.md", "README.ko.md", "crates/ko-eval-cli/README.md"];

/// What says to a reader how to go on, by a command to type first or by the name of what a command lacks: a model, a dictionary, a file
/// that the README leaves to them.
const HELPFUL: &[&str] = &["`ko-eval ", "torch", "missing", "No such file"];

/// Asks for all help, then types what the pages say.
pub(super) fn play(root: &Path, folder: &Path, programs: &Path) -> Result<()> {
    let (home, desk) = (folder.join("home"), folder.join("desk"));
    for folder in [&home, &desk] {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let samples = root.join("crates/ko-eval-cli/samples");
    for file in fs::read_dir(&samples).with_context(|| samples.display().to_string())? {
        let file = file?;
        fs::copy(file.path(), desk.join(file.file_name()))?;
    }
    let shell = |line: &str| -> Result<Output> {
        let mut path = programs.as_os_str().to_owned();
        path.push(":/usr/bin:/bin");
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(&desk).env_clear();
        command.env("PATH", path).env("HOME", &home).env("LANG", "C.UTF-8");
        // Where the machine has one, a temporary folder of its own.
        command.envs(env::var_os("TMPDIR").map(|folder| ("TMPDIR", folder)));
        command.output().with_context(|| line.to_owned())
    };
    morphemes(&shell, &home)?;
    let pages = help(&shell, "ko-eval")?;
    let (mut done, mut lacking) = (0, Vec::new());
    for page in PAGES {
        let text = fs::read_to_string(root.join(page)).with_context(|| (*page).to_owned())?;
        for line in readme::commands(&text).iter().filter(|line| is_ours(line)) {
            provide(&desk, line)?;
            let output = shell(line)?;
            let told = String::from_utf8_lossy(&output.stderr);
            if output.status.success() {
                done += 1;
            } else if !told.contains("Usage:")
                && !told.contains("panicked")
                && HELPFUL.iter().any(|word| told.contains(word))
            {
                lacking.push(line.trim().to_owned());
            } else {
                bail!("{page}: `{line}` fails in an empty home:\n{told}");
            }
        }
    }
    ensure!(done > 0, "no command of {PAGES:?} works in an empty home");
    eprintln!(
        "{pages} pages of help; {done} commands of the READMEs work in an empty home; {} say what they lack:",
        lacking.len()
    );
    lacking.iter().for_each(|line| eprintln!("  {line}"));
    Ok(())
}

/// Cuts into morphemes first of all, when nothing can have been set up; and nothing is set up by it.
fn morphemes(shell: &impl Fn(&str) -> Result<Output>, home: &Path) -> Result<()> {
    let output = shell("echo 밥을 먹었어요. | ko-eval tokenize --unit mecab")?;
    let told = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success() && told.trim() == "밥 을 먹 었 어요 .",
        "no morphemes in an empty home: {told}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let files = fs::read_dir(home).with_context(|| home.display().to_string())?.count();
    ensure!(files == 0, "cutting into morphemes left {files} files in {}", home.display());
    Ok(())
}

/// Whether the line is typed here: it calls the command, and fetches nothing.
fn is_ours(line: &str) -> bool {
    (line.starts_with("ko-eval ") || line.contains("| ko-eval ")) && !line.contains("ko-eval setup")
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

/// Files of text that a line names and the reader would have: samples of the same number of lines.
fn provide(desk: &Path, line: &str) -> Result<()> {
    let output = ["--output", "-o"];
    let mut before = "";
    for word in line.split([' ', '=', ',']) {
        let is_text = word.ends_with(".txt") || word.ends_with(".ko");
        if word.starts_with("BGAA") {
            fs::write(desk.join(word), TREE)?;
        } else if is_text && !output.contains(&before) && !desk.join(word).exists() {
            let sample = if word.contains("ref") { "reference.txt" } else { "good.txt" };
            fs::copy(desk.join(sample), desk.join(word)).with_context(|| word.to_owned())?;
        }
        if word == "pairs.jsonl" {
            fs::write(desk.join(word), "{\"hyp\": \"비가 온다.\", \"refs\": [\"비가 와요.\"]}\n")?;
        }
        before = word;
    }
    Ok(())
}

/// Asks the command and all its subcommands for help; how many pages that are.
fn help(shell: &impl Fn(&str) -> Result<Output>, command: &str) -> Result<usize> {
    let output = shell(&format!("{command} --help"))?;
    let page = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success() && page.contains("Usage:"), "`{command} --help` gives no help");
    let mut pages = 1;
    for name in subcommands(&page).filter(|name| *name != "help") {
        pages += help(shell, &format!("{command} {name}"))?;
    }
    Ok(pages)
}

/// The subcommands that a page of help lists.
fn subcommands(page: &str) -> impl Iterator<Item = &str> {
    let listed = page.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let listed = listed.take_while(|line| !line.trim().is_empty());
    listed.filter_map(|line| {
        let name = line.strip_prefix("  ")?.split_whitespace().next()?;
        line.strip_prefix("  ")?.starts_with(name).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subcommands_are_found_on_a_page() {
        let page = "About\n\nUsage: a <COMMAND>\n\nCommands:\n  score    Scores,\n             over two lines\n  units\n  help     Print\n\nOptions:\n  -h\n";
        assert_eq!(subcommands(page).collect::<Vec<_>>(), ["score", "units", "help"]);
        assert_eq!(subcommands("Usage: a\n").count(), 0);
    }

    #[test]
    fn what_fetches_is_not_typed() {
        assert!(is_ours("echo 밥 | ko-eval tokenize --all") && is_ours("ko-eval units"));
        assert!(!is_ours("ko-eval setup dictionary") && !is_ours("cargo install ko-eval-cli"));
    }
}
