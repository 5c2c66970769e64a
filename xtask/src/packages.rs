//! The crates as they are published: packaged, built from their packages, and with every feature alone.

use crate::{
    Result,
    run::{cargo, ko_eval, libtorch, root, run, target},
    tools::{HACK, tool},
};
use std::{env, fs, process::Command};

/// What every package contains beside its code.
const BESIDE: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Packages every crate, builds each from its package, and tokenizes with the packaged command in an empty home.
pub(crate) fn verb() -> Result<()> {
    // A package embeds the dictionary, a checkout does not.
    run(ko_eval(["setup", "dictionary"])?)?;
    let packed = root().join("crates/ko-tokenize-dictionary/data/mecab-ko-dic-2.1.1");
    let pack = ["run", "--locked", "--package", "ko-tokenize-dictionary", "--example", "pack"];
    run(cargo(pack).arg("--").arg(&packed))?;
    let outcome = package_all();
    fs::remove_file(packed)?;
    outcome
}

fn package_all() -> Result<()> {
    let names = published()?;
    let chosen: Vec<_> = names.iter().flat_map(|name| ["--package", name.as_str()]).collect();
    for name in &names {
        let list = cargo(["package", "--list", "--allow-dirty", "--package", name]).output()?;
        let list = String::from_utf8(list.stdout)?;
        if let Some(file) = BESIDE.iter().find(|file| !list.lines().any(|line| line == **file)) {
            return Err(format!("the package of {name} has no {file}").into());
        }
    }
    let package = ["package", "--locked", "--allow-dirty"];
    run(cargo(package.iter().chain(&chosen)).envs(libtorch()?))?;
    let home = target().join("package/empty-home");
    fs::create_dir_all(&home)?;
    // Where cargo builds what it verifies.
    let program = format!("package/target/debug/ko-eval{}", env::consts::EXE_SUFFIX);
    let text = target().join("package/text.txt");
    fs::write(&text, "밥을 먹었어요.\n")?;
    let mut tokenize = Command::new(target().join(program));
    tokenize.args(["tokenize", "--unit", "mecab"]).arg(text).env("KO_EVAL_OFFLINE", "1");
    let output = tokenize.env("KO_EVAL_HOME", &home).output()?;
    match String::from_utf8_lossy(&output.stdout).trim() {
        "밥 을 먹 었 어요 ." => Ok(()),
        other => Err(format!("the packaged command tokenizes otherwise: {other}").into()),
    }
}

/// The names of the crates that are published.
fn published() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for folder in fs::read_dir(root().join("crates"))? {
        let folder = folder?;
        let manifest = fs::read_to_string(folder.path().join("Cargo.toml"))?;
        if !manifest.lines().any(|line| line == "publish = false") {
            names.push(folder.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Lints every package with each feature alone, tests it without and with its default ones, and sees that no library
/// needs rayon without them; runs lindera's tests. A build of the workspace unifies features, so it compiles none of these.
pub(crate) fn features() -> Result<()> {
    let hack = tool(HACK)?;
    let libtorch = libtorch()?;
    let each = |arguments: &[&str]| {
        let mut command = Command::new(&hack);
        command.current_dir(root()).arg("hack").args(arguments).envs(libtorch.clone());
        // What compiles an SQL engine is linted and tested with all features only.
        command.args(["--exclude", "ko-eval-datafusion", "--exclude", "ko-eval-cluster"]);
        command
    };
    let lint = ["clippy", "--locked", "--workspace", "--all-targets", "--each-feature"];
    run(each(&lint).args(["--", "-D", "warnings"]))?;
    let test = ["test", "--locked", "--workspace", "--each-feature", "--exclude-all-features"];
    run(each(&test).args(["--include-features", "default"]))?;
    for name in
        published()?.iter().filter(|name| !name.ends_with("-cli") && !name.ends_with("-torch"))
    {
        let tree =
            ["tree", "--locked", "--no-default-features", "--edges", "normal", "--package", name];
        let tree = String::from_utf8(cargo(tree).args(["--prefix", "none"]).output()?.stdout)?;
        if tree.lines().any(|line| line.starts_with("rayon ")) {
            return Err(format!("{name} depends on rayon without its default features").into());
        }
    }
    Ok(())
}
