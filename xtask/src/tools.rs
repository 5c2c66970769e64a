//! Tools that are bought: cargo-deny, cargo-hack and cargo-fuzz, each of one version, compiled once.

use crate::{
    Result,
    run::{cargo, root, run, target},
};
use std::{fs, path::PathBuf, process::Command};

pub(crate) const HACK: (&str, &str) = ("cargo-hack", "0.6.46");
const DENY: (&str, &str) = ("cargo-deny", "0.20.2");
const FUZZ: (&str, &str) = ("cargo-fuzz", "0.13.2");

/// Compiles a tool unless it is there, and returns its program.
pub(crate) fn tool((name, version): (&str, &str)) -> Result<PathBuf> {
    let folder = target().join("tools").join(format!("{name}-{version}"));
    let program = folder.join("bin").join(name);
    if !program.exists() {
        let install = ["install", "--quiet", "--locked", "--debug", name, "--version", version];
        run(cargo(install).arg("--root").arg(&folder))?;
    }
    Ok(program)
}

/// Licences, sources, duplicates, and the crates that may depend on each other (deny.toml); advisories where their
/// database can be fetched.
pub(crate) fn deny() -> Result<()> {
    let program = tool(DENY)?;
    let deny = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.current_dir(root()).args(["--log-level", "error"]).args(arguments);
        command
    };
    run(deny(&["check", "bans", "licenses", "sources"]))?;
    match deny(&["fetch", "db"]).output()?.status.success() {
        true => run(deny(&["check", "advisories"])),
        false => {
            eprintln!("skipped: advisories: their database cannot be fetched");
            Ok(())
        }
    }
}

/// What every fuzz target gets: short inputs, as most are recipes; 2 GB, as no reader needs more for a short file.
const LIMITS: [&str; 4] = ["-max_len=512", "-rss_limit_mb=2048", "-timeout=60", "-verbosity=0"];

/// Runs fuzz targets on as many inputs as asked, the same ones every time, or for some minutes on new ones. Without a
/// sanitizer cargo-fuzz works with a stable compiler.
pub(crate) fn fuzz(options: &[&str]) -> Result<()> {
    let (limit, only) = match options {
        ["--runs", runs, only @ ..] => (vec![format!("-runs={runs}"), "-seed=1".into()], only),
        ["--minutes", minutes, only @ ..] => {
            let seconds = (minutes.parse::<f64>()? * 60.0).ceil();
            (vec![format!("-max_total_time={seconds}")], only)
        }
        only => (vec!["-runs=5000".into(), "-seed=1".into()], only),
    };
    let program = tool(FUZZ)?;
    let fuzz = |verb: &str| {
        let how: &[&str] = if verb == "list" { &[] } else { &["--sanitizer", "none", "--dev"] };
        let mut command = Command::new(&program);
        command.current_dir(root()).args(["fuzz", verb]).args(how);
        command
    };
    run(fuzz("build"))?;
    let targets = String::from_utf8(fuzz("list").output()?.stdout)?;
    for target in targets.lines().filter(|name| only.is_empty() || only.contains(name)) {
        // Runs of equal inputs begin from nothing, searches go on where the last one ended.
        let corpus = root().join("fuzz/corpus").join(target);
        if limit.len() > 1 && corpus.exists() {
            fs::remove_dir_all(&corpus)?;
        }
        run(fuzz("run").arg(target).arg("--").args(LIMITS).args(&limit))?;
    }
    Ok(())
}
