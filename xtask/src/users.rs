//! Plays the users: every crate as it would be published, outside the workspace, and the installed command in an empty home.

mod command;
mod readme;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A crate that is published.
#[derive(Debug)]
struct Package {
    name: String,
    version: String,
    is_library: bool,
    /// Nothing without an engine as large as all the rest: packaged as the others, and compiled by the workspace's tests only.
    is_engine: bool,
    /// Its tests need nothing that has to be set up.
    has_plain_tests: bool,
}

/// The package that holds the command.
const COMMAND: &str = "ko-eval-cli";

/// What every package must hold beside its code.
const BESIDE: &[&str] = &["LICENSE-MIT", "LICENSE-APACHE", "README.md", "Cargo.toml"];

/// Crates whose packaged tests are run: one at the bottom, one above it. The tests of all of them run in the workspace, and none may
/// reach above its package.
const TESTED: &[&str] = &["ko-eval-core", "ko-ngram-metrics"];

/// Packages everything, uses each library alone as its README says, installs the command and uses it as the READMEs say.
pub(crate) fn play(
    root: &Path,
    cargo: impl Fn() -> Command,
    run: impl Fn(&mut Command) -> Result<()>,
) -> Result<()> {
    let packages = packages(&cargo)?;
    without_threads(&packages, &cargo)?;
    // Outside the workspace, where no file of it is found by accident.
    let folder = env::temp_dir().join("ko-eval-users");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    unpack(root, &folder, &packages, &cargo, &run)?;
    for package in packages.iter().filter(|package| package.is_library) {
        write_user(&folder, package)?;
    }
    write_workspace(root, &folder, &packages)?;
    // What the workspace compiled of other people's crates need not be compiled again.
    let user = || {
        let mut command = cargo();
        command.current_dir(&folder).env("CARGO_TARGET_DIR", root.join("target"));
        command
    };
    let built = root.join("target/debug");
    for package in packages.iter().filter(|package| package.is_library && !package.is_engine) {
        use_library(&folder, package, user, &built, &run)?;
    }
    for package in packages.iter().filter(|package| package.has_plain_tests) {
        run(user().args(["test", "--quiet", "--tests", "--package", &package.name]))?;
    }
    let installed = folder.join("installed");
    let path = folder.join("packages").join(COMMAND);
    // Locked: else cargo would look for newer versions of everything, and compile those.
    run(user()
        .args(["install", "--quiet", "--debug", "--locked", "--path"])
        .arg(path)
        .arg("--root")
        .arg(&installed))?;
    command::play(root, &folder, &installed.join("bin"))?;
    fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())
}

/// The packages that are published.
fn packages(cargo: impl Fn() -> Command) -> Result<Vec<Package>> {
    let output = cargo().args(["metadata", "--no-deps", "--format-version", "1"]).output()?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;
    let published = packages.iter().filter(|package| package["publish"].is_null());
    published
        .map(|package| {
            let text =
                |key: &str| package[key].as_str().map(str::to_owned).context("cargo metadata");
            let targets = package["targets"].as_array().context("a package without targets")?;
            let name = text("name")?;
            Ok(Package {
                is_engine: package["metadata"]["ko-eval"]["engine"].as_bool().unwrap_or_default(),
                // The command's library is only the front that its programs share.
                is_library: targets.iter().all(|target| target["kind"][0] != "bin"),
                has_plain_tests: TESTED.contains(&name.as_str()),
                version: text("version")?,
                name,
            })
        })
        .collect()
}

/// Refuses a library that needs rayon without its default features.
fn without_threads(packages: &[Package], cargo: impl Fn() -> Command) -> Result<()> {
    for package in packages.iter().filter(|package| package.is_library && !package.is_engine) {
        let tree = ["tree", "--no-default-features", "--edges", "normal", "--prefix", "none"];
        let output = cargo().args(tree).args(["--package", &package.name]).output()?;
        let tree = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        ensure!(
            !tree.lines().any(|line| line.starts_with("rayon")),
            "{} depends on rayon without its default features",
            package.name
        );
    }
    Ok(())
}

/// Packages every crate, and unpacks it below the folder.
fn unpack(
    root: &Path,
    folder: &Path,
    packages: &[Package],
    cargo: impl Fn() -> Command,
    run: impl Fn(&mut Command) -> Result<()>,
) -> Result<()> {
    let names = packages.iter().flat_map(|package| ["--package", package.name.as_str()]);
    // What is packed is built below; nothing need be committed for that.
    run(cargo().args(["package", "--no-verify", "--allow-dirty", "--quiet"]).args(names))?;
    for package in packages {
        let archive =
            root.join("target/package").join(format!("{}-{}.crate", package.name, package.version));
        let target = folder.join("packages").join(&package.name);
        fs::create_dir_all(&target).with_context(|| target.display().to_string())?;
        run(Command::new("tar")
            // Packed files have one date for ever, by which cargo would take new ones for those of an earlier run.
            .arg("-xzmf")
            .arg(&archive)
            .arg("-C")
            .arg(&target)
            .arg("--strip-components=1"))?;
        for file in BESIDE {
            let file = target.join(file);
            let length = fs::metadata(&file).with_context(|| file.display().to_string())?.len();
            ensure!(length > 100, "{} is no text", file.display());
        }
    }
    Ok(())
}

/// A crate that uses one of ours and nothing else, with a program for each example of its README.
fn write_user(folder: &Path, package: &Package) -> Result<()> {
    let Package { name, version, .. } = package;
    let crate_folder = folder.join("users").join(name);
    let programs = crate_folder.join("src/bin");
    fs::create_dir_all(&programs).with_context(|| programs.display().to_string())?;
    let manifest = format!(
        "[package]\nname = \"of-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\n{name} = \"{version}\"\n"
    );
    write(&crate_folder.join("Cargo.toml"), &manifest)?;
    let readme = folder.join("packages").join(name).join("README.md");
    let readme = fs::read_to_string(&readme).with_context(|| readme.display().to_string())?;
    let examples = readme::examples(&readme);
    ensure!(!examples.is_empty(), "the README of {name} has no example");
    for (number, example) in examples.iter().enumerate() {
        let file = format!("{}.rs", program(name, number, example.runs));
        write(&programs.join(file), &example.program())?;
    }
    Ok(())
}

/// The name of a program; what only compiles says so.
fn program(package: &str, number: usize, runs: bool) -> String {
    let kind = if runs { "runs" } else { "compiles" };
    format!("{package}-{number}-{kind}")
}

/// Other people's crates are compiled as the repository compiles them, and so only once; ours as fast as can be, because they
/// are compiled again for every set of features that somebody asks for.
const WORKSPACE: &str = r#"
[workspace]
resolver = "3"
members = ["users/*", "packages/*"]

[profile.dev]
opt-level = 0
debug = false

[profile.dev.package."*"]
opt-level = 1
debug = "line-tables-only"

[patch.crates-io]
"#;

/// The users and what they use as one workspace, so that each part is compiled once; what would be published lies in folders.
fn write_workspace(root: &Path, folder: &Path, packages: &[Package]) -> Result<()> {
    let mut manifest = String::from(WORKSPACE);
    for Package { name, .. } in packages {
        manifest += &format!("{name} = {{ path = \"packages/{name}\" }}\n");
    }
    write(&folder.join("Cargo.toml"), &manifest)?;
    let lock = folder.join("Cargo.lock");
    fs::copy(root.join("Cargo.lock"), &lock).with_context(|| lock.display().to_string())?;
    Ok(())
}

/// Builds the examples of one crate with that crate alone, and runs those that run.
fn use_library(
    folder: &Path,
    package: &Package,
    user: impl Fn() -> Command,
    built: &Path,
    run: impl Fn(&mut Command) -> Result<()>,
) -> Result<()> {
    let name = format!("of-{}", package.name);
    run(user().args(["build", "--quiet", "--package", &name]))?;
    for program in programs(folder, package)? {
        if program.ends_with("-runs") {
            let program = built.join(program).with_extension(env::consts::EXE_EXTENSION);
            // In an empty home, where nothing was set up.
            run(Command::new(program).env("KO_EVAL_HOME", folder.join("nothing")))?;
        }
    }
    Ok(())
}

fn programs(folder: &Path, package: &Package) -> Result<Vec<String>> {
    let programs: PathBuf = folder.join("users").join(&package.name).join("src/bin");
    let mut names = Vec::new();
    for file in fs::read_dir(&programs).with_context(|| programs.display().to_string())? {
        let Some(name) = file?.path().file_stem().map(|stem| stem.to_string_lossy().into_owned())
        else {
            bail!("a file without a name in {}", programs.display());
        };
        names.push(name);
    }
    names.sort();
    Ok(names)
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| path.display().to_string())
}
