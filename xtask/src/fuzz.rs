//! The fuzz targets on the compiler at hand: instrumented as cargo-fuzz does, without its sanitizer, which asks for a nightly one.

use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
    thread,
};

const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module \
     -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
     -Cllvm-args=-sanitizer-coverage-pc-table";

/// Targets at a time.
const WORKERS: usize = 2;

/// Bytes of an input; most are recipes, and a recipe is short.
const MOST_BYTES: usize = 512;

/// Megabytes of memory: no reader needs more for a file of a few kilobytes.
const MOST_MEMORY: usize = 2048;

/// What makes a search try the same inputs each time.
const SEED: &str = "-seed=1";

/// How long each target runs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Limit {
    /// So many inputs, the same ones each time; with 0, targets are only built.
    Runs(u64),
    /// So many minutes, going on where the last search ended.
    Minutes(f64),
}

/// Builds all targets and runs each, or those that are named.
pub(crate) fn run(
    root: &Path,
    limit: Limit,
    only: &[String],
    cargo: impl Fn() -> Command,
    run: impl Fn(&mut Command) -> Result<()>,
) -> Result<()> {
    let host = host()?;
    let folder = root.join("target/fuzz");
    let mut names = targets(&root.join("fuzz/fuzz_targets"))?;
    if let Some(unknown) = only.iter().find(|name| !names.contains(name)) {
        bail!("no target `{unknown}`; known: {}", names.join(", "));
    }
    names.retain(|name| only.is_empty() || only.contains(name));
    let chosen = names.iter().flat_map(|name| ["--bin", name]);
    // With the target named, build scripts are left as they are.
    run(cargo()
        .env("RUSTFLAGS", FLAGS)
        .args(["build", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--target", &host])
        .args(chosen)
        .arg("--target-dir")
        .arg(&folder))?;
    if let Limit::Runs(0) = limit {
        return Ok(());
    }
    let programs = folder.join(&host).join("debug");
    let queue = Mutex::new(names.iter());
    let next = || queue.lock().ok().and_then(|mut names| names.next());
    let worker = || -> Result<()> {
        while let Some(name) = next() {
            let executions = fuzz(&folder, &programs, name, limit)?;
            println!("{name}: {executions} inputs");
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(worker)).collect();
        let mut results = workers.into_iter().map(|worker| worker.join());
        results.try_for_each(|result| result.unwrap_or_else(|_| bail!("a worker panicked")))
    })
}

/// Runs one target and tells on how many inputs; what it wrote is shown if it failed.
fn fuzz(folder: &Path, programs: &Path, name: &str, limit: Limit) -> Result<u64> {
    let made = |path: PathBuf| -> Result<PathBuf> {
        fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        Ok(path)
    };
    let artifacts = made(folder.join("artifacts"))?.join(format!("{name}-"));
    // Readers that open files by their path are tried in memory, where there is a folder for that. A fuzzer ends without a farewell,
    // and leaves what it wrote.
    let memory = Path::new("/dev/shm");
    let scratch = if memory.is_dir() { memory } else { folder };
    let scratch = made(scratch.join(format!("ko-eval-fuzz-{name}-{}", std::process::id())))?;
    let mut command = Command::new(programs.join(name));
    command
        .env("TMPDIR", &scratch)
        .args([format!("-max_len={MOST_BYTES}"), format!("-rss_limit_mb={MOST_MEMORY}")])
        .args(["-print_final_stats=1", "-verbosity=0", "-timeout=60"])
        .arg(format!("-artifact_prefix={}", artifacts.display()));
    match limit {
        Limit::Runs(runs) => command.args([format!("-runs={runs}"), SEED.into()]),
        Limit::Minutes(minutes) => {
            let seconds = (minutes * 60.0).ceil().max(1.0);
            command
                .arg(format!("-max_total_time={seconds}"))
                .arg(made(folder.join("corpus").join(name))?)
        }
    };
    let output = command.output().with_context(|| format!("starting {name}"))?;
    fs::remove_dir_all(&scratch).with_context(|| scratch.display().to_string())?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{name} broke a law; the input lies under {}*\n{text}", artifacts.display());
    }
    executions(&text).with_context(|| format!("{name} does not say how many inputs it tried"))
}

/// The number among the statistics that libFuzzer writes at its end.
fn executions(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    line?.trim().parse().ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_inputs_is_found() {
        let text = "Done 7 runs\nstat::number_of_executed_units: 1234\nstat::peak_rss_mb: 40\n";
        assert_eq!(executions(text), Some(1234));
        assert_eq!(executions("Done"), None);
    }
}
