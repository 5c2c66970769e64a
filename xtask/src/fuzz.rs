//! The fuzz targets on the compiler at hand: instrumented as cargo-fuzz does, without its sanitizer, which asks for a nightly one.

use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module \
     -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
     -Cllvm-args=-sanitizer-coverage-pc-table";

/// Builds all targets and runs each on so many inputs, the same ones each time.
pub(crate) fn run(
    root: &Path,
    runs: u64,
    cargo: impl Fn() -> Command,
    run: impl Fn(&mut Command) -> Result<()>,
) -> Result<()> {
    let host = host()?;
    let folder = root.join("target/fuzz");
    // With the target named, build scripts are left as they are.
    run(cargo()
        .env("RUSTFLAGS", FLAGS)
        .args(["build", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--target", &host])
        .arg("--target-dir")
        .arg(&folder))?;
    let artifacts = folder.join("artifacts");
    fs::create_dir_all(&artifacts).with_context(|| artifacts.display().to_string())?;
    for name in targets(&root.join("fuzz/fuzz_targets"))? {
        let prefix = artifacts.join(format!("{name}-"));
        run(Command::new(folder.join(&host).join("debug").join(&name))
            .current_dir(root)
            .args([&format!("-runs={runs}"), "-seed=1", "-max_len=1024", "-print_final_stats=1"])
            .args(["-verbosity=0", &format!("-artifact_prefix={}", prefix.display())]))?;
    }
    Ok(())
}

/// The names of the targets, in order.
fn targets(folder: &Path) -> Result<Vec<String>> {
    let read = || -> std::io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    let files = read().with_context(|| folder.display().to_string())?;
    let mut names: Vec<String> = files
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// The platform that the compiler compiles for.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("starting rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}
