//! Starting cargo: the tests, the reproduction, and what `xtask/engine` does.

use crate::{
    docs, features, fuzz, packed, setup,
    skipped::{self, Skipped},
    users,
};
use anyhow::{Context, Result, bail};
use ko_eval_core::home;
use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

/// What must be installed for all tests to run. A new crate that needs more adds it here.
const TESTS_NEED: &[&str] = &["dictionary", "sacrebleu-dictionary", LIBTORCH, "albert"];

/// The features that need what is installed, or that are off by default.
const TEST_FEATURES: &[&str] = &[
    "ko-tokenize/lindera",
    "ko-tokenize/subword",
    "ko-tokenize/khaiii",
    "ko-tokenize/kiwi",
    "ko-tokenize/jvm",
    "ko-neural/torch",
    "ko-eval-cli/torch",
    "ko-eval-cli/cluster",
];

/// What must be installed for the demo and for the checks.
const DEMO_NEEDS: &[&str] = &["dictionary"];
const CHECKS_NEED: &[&str] = &["dictionary", "sacrebleu-dictionary"];

/// `cargo xtask test`
pub(crate) fn test(arguments: &[String]) -> Result<()> {
    install(TESTS_NEED)?;
    let features = TEST_FEATURES.join(",");
    let list = skipped::file(&root().join("target"))?;
    let outcome = run(cargo()
        .env(skipped::VARIABLE, &list)
        .args(["test", "--workspace", "--features", &features])
        .args(arguments));
    let skipped = Skipped::read(&list)?;
    eprint!("{}", skipped.summary());
    outcome.and_then(|()| skipped.check())
}

/// `cargo xtask features`
pub(crate) fn features(lint_only: bool) -> Result<()> {
    install(&[packed::PART, "sacrebleu-dictionary", LIBTORCH])?;
    features::check(lint_only, cargo, run)
}

/// `cargo xtask users`
pub(crate) fn users() -> Result<()> {
    // What a package carries has to be there before it is packaged.
    install(&[packed::PART])?;
    users::play(&root(), cargo, run)
}

/// `cargo xtask lint`
pub(crate) fn lint() -> Result<()> {
    install(&[LIBTORCH])?;
    let all = ["clippy", "--workspace", "--all-targets", "--all-features"];
    run(cargo().args(all).args(["--", "-D", "warnings"]))
}

/// `cargo xtask docs`
pub(crate) fn docs() -> Result<()> {
    install(&[LIBTORCH])?;
    run(cargo().env("RUSTDOCFLAGS", "-D warnings").args([
        "doc",
        "--workspace",
        "--all-features",
        "--no-deps",
    ]))?;
    let crates = root().join("crates");
    let folders = fs::read_dir(&crates).with_context(|| crates.display().to_string())?;
    for folder in folders {
        let folder = folder.with_context(|| crates.display().to_string())?;
        if folder.path().join("src/lib.rs").exists() {
            let name = folder.file_name().to_string_lossy().replace('-', "_");
            let pages = root().join("target/doc");
            docs::check(&pages.join(name))?;
            docs::check_links(&folder.path().join("README.md"), &pages)?;
        }
    }
    Ok(())
}

/// `cargo xtask fuzz`
pub(crate) fn fuzz(limit: fuzz::Limit, targets: &[String]) -> Result<()> {
    fuzz::run(&root(), limit, targets, cargo, run)
}

/// `cargo xtask demo`: what `ko-eval demo` tells, with the dictionary.
pub(crate) fn demo() -> Result<()> {
    install(DEMO_NEEDS)?;
    let folder = root().join("target/demo");
    // Cargo's own progress stays to be seen: the first time it compiles for minutes.
    run(cargo().args(["run", "--package", "ko-eval-cli", "--", "demo", "--output"]).arg(folder))
}

/// `cargo xtask reproduce`
pub(crate) fn reproduce(quick: bool, only: &[String], kiwi: bool) -> Result<()> {
    install(CHECKS_NEED)?;
    for part in ["khaiii", "wordnet"] {
        if let Err(error) = install(&[part]) {
            // npm, for one, is not on every machine, and the other checks can do without.
            eprintln!("SKIPPED: {error:#}");
        }
    }
    if kiwi {
        install(&["kiwi"])?;
    }
    // What needs no training shares what the tests have compiled.
    if quick || !only.is_empty() {
        let quick = quick.then_some("--quick");
        return run(cargo().args(["run", "-p", "reproduce", "--"]).args(quick).args(only));
    }
    install(&[LIBTORCH, "albert"])?;
    run(cargo().args(["run", "--release", "-p", "reproduce", "--features", "torch"]))
}

/// Converts MeCab's compiled dictionary to the form that the library loads.
pub(crate) fn build_dictionary(source: &Path, target: &Path, version: &str) -> Result<()> {
    run(engine().arg("dictionary").args([source, target]).arg(version))
}

/// Packs a dictionary for the crate that carries it, unless it is packed already.
pub(crate) fn pack_dictionary(folder: &Path) -> Result<()> {
    let target = packed::file(&root());
    if packed::is_current(&target, folder) {
        return Ok(());
    }
    run(engine().arg("pack").args([folder, &target]))
}

fn install(parts: &[&str]) -> Result<()> {
    let parts = parts.iter().filter(|part| **part != LIBTORCH || !has_own_libtorch());
    parts.copied().try_for_each(|part| setup::install(part, &[]))
}

const LIBTORCH: &str = "libtorch";

/// Whether the user says where libtorch is.
fn has_own_libtorch() -> bool {
    ["LIBTORCH", "LIBTORCH_USE_PYTORCH"].iter().any(|name| env::var_os(name).is_some())
}

fn engine() -> Command {
    let mut command = cargo();
    command.args(["run", "--package", "xtask-engine", "--"]);
    command
}

/// Cargo in the workspace's root, with libtorch where set-up put it unless the user has one of their own.
fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    command.current_dir(root());
    if let Ok(libtorch) = ko_eval_setup::by_name(LIBTORCH).map(|recipe| recipe.part.path(&home()))
        && libtorch.is_dir()
        && !has_own_libtorch()
    {
        command.env("LD_LIBRARY_PATH", before(&libtorch.join("lib"), "LD_LIBRARY_PATH"));
        command.env("LIBTORCH", libtorch);
    }
    command.envs(ko_eval_core::amx_workaround());
    command
}

/// A search path with one more folder in front.
fn before(folder: &Path, variable: &str) -> OsString {
    let paths = env::var_os(variable).unwrap_or_default();
    let paths = env::split_paths(&paths).filter(|path| path != folder);
    let all = [folder.to_owned()].into_iter().chain(paths);
    // A folder whose name cannot stand in a search path would be no use there anyway.
    env::join_paths(all).unwrap_or_else(|_| folder.into())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_owned)
}

fn run(command: &mut Command) -> Result<()> {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default().to_owned();
    let words = [program.as_os_str()].into_iter().chain(command.get_args());
    let line = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    eprintln!("running {line}");
    let start = Instant::now();
    let status = command.status().with_context(|| format!("starting {line}"))?;
    let seconds = start.elapsed().as_secs();
    // What takes long says how long.
    if seconds >= 10 {
        eprintln!("{seconds} s: {line}");
    }
    if !status.success() {
        bail!("{line}: {status}");
    }
    Ok(())
}
