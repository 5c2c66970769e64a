//! Kiwi 0.24.1, a morphological analyzer in C++ (Apache-2.0): its shared library, compiled here, and its model.
//!
//! The only part that runs what a package brings: the CMake build of Kiwi's sources.

use crate::{Error, Kind, Limits, Package, Part, Recipe, Result, setup, work::Work};
use ko_eval_io::Progress;
use std::{
    collections::VecDeque,
    env, fs,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const CODE: &str = "kiwipiepy-0.24.1/Kiwi";
const FILES: &str = "kiwipiepy_model-0.24.0/kiwipiepy_model/";

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

const SOURCE: Package = Package {
    name: "kiwipiepy",
    version: "0.24.1",
    file: "kiwipiepy-0.24.1.tar.gz",
    sha256: "b5b14d3269419d3caaa60a0259991cb1f544b26a9bd2306c619fb0ea2acad7dc",
    megabytes: 3,
    kind: Kind::Source,
};

const MODEL: Package = Package {
    name: "kiwipiepy_model",
    version: "0.24.0",
    file: "kiwipiepy_model-0.24.0.tar.gz",
    sha256: "55c99505984e4fd99a08ff2aed8abe95be6911d61a132102eef40f63418e1d21",
    megabytes: 88,
    kind: Kind::Source,
};

pub(crate) const RECIPE: Recipe = Recipe {
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
    packages: &[SOURCE, MODEL],
    only_on: None,
    licence: None,
    limits: Limits { files: 4000, file_megabytes: 200, megabytes: 500 },
    check: tools_are_there,
    revision: 1,
    make: |work| {
        let built = compile(work)?;
        let lib = work.folder.join("lib");
        fs::create_dir_all(&lib).map_err(Error::io(&lib))?;
        // Follows the link from the plain name to the one with the version.
        fs::copy(&built, lib.join(LIBRARY)).map_err(Error::io(&built))?;
        work.unpack(&SOURCE, |name| {
            let name = name.strip_prefix("kiwipiepy-0.24.1/")?;
            ["LICENSE.txt", "NOTICE"].contains(&name).then(|| name.to_owned())
        })?;
        work.unpack(&MODEL, |name| {
            let name = name.strip_prefix(FILES)?;
            (!name.ends_with(".py")).then(|| format!("model/{name}"))
        })?;
        setup::remove(&work_folder(work.folder))
    },
};

/// Where Kiwi is compiled. It outlives an interruption, so that the next run compiles only what is left.
fn work_folder(folder: &Path) -> PathBuf {
    folder.with_file_name(".building-kiwi-0.24.1")
}

/// Refuses before anything is fetched.
fn tools_are_there() -> Result<()> {
    let missing = |program: &str, how_to_get_it| {
        Err(Error::NoTool { program: program.to_owned(), how_to_get_it })
    };
    if !answers("cmake") {
        return missing(
            "cmake",
            "Kiwi is compiled here; install it (Debian: `apt install cmake`, or `pip install cmake`)",
        );
    }
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".into());
    if !answers(&compiler) {
        return missing(
            &compiler,
            "Kiwi is compiled here; install a C++ compiler (Debian: `apt install g++`)",
        );
    }
    if !cfg!(windows) && !["make", "ninja"].into_iter().any(answers) {
        return missing("make", "Kiwi is compiled here; install it (Debian: `apt install make`)");
    }
    Ok(())
}

fn answers(program: &str) -> bool {
    let status =
        Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Unpacks and compiles, or goes on where an earlier run was interrupted; the library's path.
fn compile(work: &Work<'_>) -> Result<PathBuf> {
    let folder = work_folder(work.folder);
    let unpacked = folder.join("unpacked");
    if !unpacked.exists() {
        setup::remove(&folder)?;
        work.unpack_into(&folder, &SOURCE, |name| name.starts_with(CODE).then(|| name.to_owned()))?;
        fs::write(&unpacked, "").map_err(Error::io(&unpacked))?;
    }
    // CMake remembers where things are, by their full names.
    let folder = fs::canonicalize(&folder).map_err(Error::io(&folder))?;
    let (source, build) = (folder.join(CODE), folder.join("build"));
    work.progress.begin("compiling Kiwi, about ten minutes of a processor (percent)", Some(100));
    let off = [
        "USE_MIMALLOC",
        "USE_CPUINFO",
        "BUILD_CLI",
        "BUILD_EVALUATOR",
        "BUILD_MODEL_BUILDER",
        "BUILD_TEST",
    ];
    // The project sets the flags of the known build types itself; those of a type of our own it leaves alone.
    run(
        Command::new("cmake")
            .arg("-S")
            .arg(&source)
            .arg("-B")
            .arg(&build)
            .arg("-DCMAKE_BUILD_TYPE=Cached")
            .args(["C", "CXX"].map(|language| format!("-DCMAKE_{language}_FLAGS_CACHED={FLAGS}")))
            .arg("-DCMAKE_POSITION_INDEPENDENT_CODE=ON")
            .args(off.map(|option| format!("-DKIWI_{option}=OFF"))),
        &(),
    )?;
    let mut make = Command::new("cmake");
    make.arg("--build").arg(&build).args(["--target", "kiwi"]);
    if env::var_os("CMAKE_BUILD_PARALLEL_LEVEL").is_none() {
        // Each takes up to 3 GB of memory.
        make.args(["--parallel", "2"]);
    }
    run(&mut make, work.progress)?;
    let places = [build.join(LIBRARY), build.join("Cached").join(LIBRARY)];
    places
        .into_iter()
        .find(|path| path.is_file())
        .ok_or_else(|| Error::Incomplete { folder: build, missing: LIBRARY.to_owned() })
}

/// How much of the end of what CMake said is told: a build says a great deal before it fails.
const END: usize = 40;

/// Runs CMake; its percentages are told as they come, and the end of what it said if it fails.
fn run(command: &mut Command, progress: &dyn Progress) -> Result<()> {
    let failed = |reason: String| Error::Tool { program: "cmake".into(), reason };
    let (reader, writer) = io::pipe().map_err(|error| failed(error.to_string()))?;
    let errors = writer.try_clone().map_err(|error| failed(error.to_string()))?;
    command.stdin(Stdio::null()).stdout(writer).stderr(errors);
    let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
    // The command holds the pipe's other end until it is told to let go.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (mut end, mut told) = (VecDeque::new(), 0);
    for line in BufReader::new(reader).split(b'\n').map_while(io::Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        if let Some(percent) = percent(&line).filter(|percent| *percent > told) {
            progress.advance(percent - told);
            told = percent;
        }
        if end.len() == END {
            end.pop_front();
        }
        end.push_back(line);
    }
    let status = child.wait().map_err(|error| failed(error.to_string()))?;
    match status.success() {
        true => Ok(()),
        false => {
            let end = end.into_iter().collect::<Vec<_>>().join("\n");
            Err(failed(format!("{status}\n{end}")))
        }
    }
}

/// How far `make` is (`[ 42%] Building …`) or Ninja (`[3/7] Building …`).
fn percent(line: &str) -> Option<u64> {
    let (inner, _) = line.strip_prefix('[')?.split_once(']')?;
    let percent = match inner.split_once('/') {
        Some((done, all)) => {
            let (done, all): (u64, u64) = (done.trim().parse().ok()?, all.trim().parse().ok()?);
            (done * 100).checked_div(all)?
        }
        None => inner.strip_suffix('%')?.trim().parse().ok()?,
    };
    Some(percent.min(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_how_far_make_and_ninja_are() {
        assert_eq!(percent("[ 42%] Building CXX object src/Kiwi.cpp.o"), Some(42));
        assert_eq!(percent("[3/7] Building CXX object src/Kiwi.cpp.o"), Some(42));
        for line in ["[100", "[x%] y", "[1/0] y", "-- Configuring done", ""] {
            assert_eq!(percent(line), None, "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn tells_percentages_and_the_end_of_a_failure() {
        use std::sync::atomic::{AtomicU64, Ordering};
        #[derive(Default)]
        struct Sum(AtomicU64);
        impl Progress for Sum {
            fn advance(&self, by: u64) {
                self.0.fetch_add(by, Ordering::Relaxed);
            }
        }
        let sum = Sum::default();
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo '[ 10%] a'; echo '[ 60%] b'; echo no such file >&2; exit 2"]);
        let error = run(&mut shell, &sum).unwrap_err().to_string();
        assert!(error.contains("exit status: 2") && error.ends_with("no such file"), "{error}");
        assert_eq!(sum.0.into_inner(), 60);
    }
}
