//! Kiwi 0.24.1, a morphological analyzer in C++ (Apache-2.0): its shared library, compiled here, and its model.
//!
//! The only part that runs what a package brings: the CMake build of Kiwi's sources.

use super::Recipe;
use crate::{
    archive,
    doctor::Part,
    package::{Kind, Package},
    setup,
};
use anyhow::{Context, Result, bail};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const SOURCES: &str = "kiwipiepy-0.24.1/Kiwi";
const MODEL: &str = "kiwipiepy_model-0.24.0/kiwipiepy_model/";

const LIBRARY: &str = if cfg!(windows) {
    "kiwi.dll"
} else if cfg!(target_os = "macos") {
    "libkiwi.dylib"
} else {
    "libkiwi.so"
};

/// One instruction set, little optimisation: Kiwi's own settings (seven sets, `-O3`) take more than 8 GB of memory for one
/// file and an hour. What it computes is the same.
const FLAGS: &str = "-O1 -DNDEBUG -DKIWI_USE_BTREE";

pub(super) const RECIPE: Recipe = Recipe {
    part: Part {
        name: "kiwi",
        summary: "Kiwi 0.24.1, an analyzer; compiled here: CMake, a C++ compiler, ten minutes, 3 GB of memory",
        folder: "kiwi-0.24.1",
        files: &[
            if cfg!(windows) {
                "lib/kiwi.dll"
            } else if cfg!(target_os = "macos") {
                "lib/libkiwi.dylib"
            } else {
                "lib/libkiwi.so"
            },
            "model/combiningRule.txt",
            "model/cong.mdl",
            "model/default.dict",
            "model/dialect.dict",
            "model/extract.mdl",
            "model/multi.dict",
            "model/nounchr.mdl",
            "model/sj.morph",
            "model/typo.dict",
        ],
    },
    packages: &[
        Package {
            name: "kiwipiepy",
            version: "0.24.1",
            file: "kiwipiepy-0.24.1.tar.gz",
            sha256: "b5b14d3269419d3caaa60a0259991cb1f544b26a9bd2306c619fb0ea2acad7dc",
            megabytes: 3,
            kind: Kind::Source,
        },
        Package {
            name: "kiwipiepy_model",
            version: "0.24.0",
            file: "kiwipiepy_model-0.24.0.tar.gz",
            sha256: "55c99505984e4fd99a08ff2aed8abe95be6911d61a132102eef40f63418e1d21",
            megabytes: 88,
            kind: Kind::Source,
        },
    ],
    only_on: None,
    licence: None,
    check: tools_are_there,
    revision: 1,
    make: |files, folder| {
        let [sources, model] = files else { unreachable!("two packages, two files") };
        let library = compile(sources, folder)?;
        fs::create_dir_all(folder.join("lib")).context("lib")?;
        // Follows the link from the plain name to the one with the version.
        fs::copy(&library, folder.join("lib").join(LIBRARY))
            .with_context(|| library.display().to_string())?;
        archive::untar(sources, folder, |name| {
            let name = name.strip_prefix("kiwipiepy-0.24.1/")?;
            ["LICENSE.txt", "NOTICE"].contains(&name).then(|| name.to_owned())
        })?;
        archive::untar(model, folder, |name| {
            let name = name.strip_prefix(MODEL)?;
            (!name.ends_with(".py")).then(|| format!("model/{name}"))
        })?;
        setup::remove(&work_folder(folder))
    },
};

/// Where Kiwi is compiled. It outlives an interruption, so that the next run compiles only what is left.
fn work_folder(folder: &Path) -> PathBuf {
    folder.with_file_name(".building-kiwi-0.24.1")
}

/// Refuses before anything is fetched.
fn tools_are_there() -> Result<()> {
    let cpp = env::var("CXX").unwrap_or_else(|_| "c++".into());
    for (program, package) in [("cmake", "cmake"), (cpp.as_str(), "g++")] {
        if !answers(program) {
            bail!(
                "Kiwi is compiled here, and `{program}` is not found: install it (Debian: `apt install {package}`{})",
                if program == "cmake" { ", or `pip install cmake`" } else { "" }
            );
        }
    }
    if !cfg!(windows) && !["make", "ninja"].into_iter().any(answers) {
        bail!(
            "Kiwi is compiled here, and neither `make` nor `ninja` is found: install one (Debian: `apt install make`)"
        );
    }
    Ok(())
}

fn answers(program: &str) -> bool {
    let status =
        Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Unpacks and compiles, or goes on where an earlier run was interrupted; the library's path.
fn compile(archive: &Path, folder: &Path) -> Result<PathBuf> {
    let work = work_folder(folder);
    let unpacked = work.join("unpacked");
    if !unpacked.exists() {
        setup::remove(&work)?;
        archive::untar(archive, &work, |name| name.starts_with(SOURCES).then(|| name.to_owned()))?;
        fs::write(&unpacked, "").with_context(|| unpacked.display().to_string())?;
    }
    // CMake remembers where things are, by their full names.
    let work = fs::canonicalize(&work).with_context(|| work.display().to_string())?;
    let (source, build) = (work.join(SOURCES), work.join("build"));
    eprintln!("compiling Kiwi in {}; this takes about ten minutes of a processor", work.display());
    let off = [
        "USE_MIMALLOC",
        "USE_CPUINFO",
        "BUILD_CLI",
        "BUILD_EVALUATOR",
        "BUILD_MODEL_BUILDER",
        "BUILD_TEST",
    ];
    // The project sets the flags of the known build types itself; those of a type of our own it leaves alone.
    run(Command::new("cmake")
        .arg("-S")
        .arg(&source)
        .arg("-B")
        .arg(&build)
        .arg("-DCMAKE_BUILD_TYPE=Cached")
        .args(["C", "CXX"].map(|language| format!("-DCMAKE_{language}_FLAGS_CACHED={FLAGS}")))
        .arg("-DCMAKE_POSITION_INDEPENDENT_CODE=ON")
        .args(off.map(|option| format!("-DKIWI_{option}=OFF"))))?;
    let mut make = Command::new("cmake");
    make.arg("--build").arg(&build).args(["--target", "kiwi"]);
    if env::var_os("CMAKE_BUILD_PARALLEL_LEVEL").is_none() {
        // Each takes up to 3 GB of memory.
        make.args(["--parallel", "2"]);
    }
    run(&mut make)?;
    let places = [build.join(LIBRARY), build.join("Cached").join(LIBRARY)];
    places
        .into_iter()
        .find(|path| path.is_file())
        .with_context(|| format!("the build left no {LIBRARY} in {}", build.display()))
}

/// Runs CMake; what it says goes where our own words go, and only if it fails.
fn run(command: &mut Command) -> Result<()> {
    let output = command.stdin(Stdio::null()).output().context("starting cmake")?;
    if !output.status.success() {
        // The end: a build says a great deal before it fails.
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let lines: Vec<_> = said.lines().collect();
        let end = lines.get(lines.len().saturating_sub(40)..).unwrap_or_default();
        bail!("cmake: {}\n{}", output.status, end.join("\n"));
    }
    Ok(())
}
