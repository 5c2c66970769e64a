//! Hands on where libtorch lies, so that a program which uses this crate finds it when it runs.
//!
//! `cargo run` and `cargo test` look for libraries only in folders below `target`, so there is one, full of links. A build
//! script of whoever depends on this crate reads the folder itself from `DEP_KO_NEURAL_LIBTORCH_LIB`.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    // torch-sys tells where it found libtorch; without the feature `torch`, or only for documentation, nobody does.
    let Some(libtorch) = env::var_os("DEP_TCH_LIBTORCH_LIB").map(PathBuf::from) else {
        return Ok(());
    };
    println!("cargo::metadata=libtorch_lib={}", libtorch.display());
    if let Some(out) = env::var_os("OUT_DIR") {
        let links = Path::new(&out).join("libtorch");
        link_all(&libtorch, &links)?;
        println!("cargo::rustc-link-search=native={}", links.display());
    }
    Ok(())
}

/// Links every file of one folder into another, which is made anew.
#[cfg(unix)]
fn link_all(from: &Path, to: &Path) -> io::Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    for file in fs::read_dir(fs::canonicalize(from)?)? {
        let file = file?;
        if file.path().is_file() {
            std::os::unix::fs::symlink(file.path(), to.join(file.file_name()))?;
        }
    }
    Ok(())
}

/// Elsewhere links need special rights, and libraries are found through `PATH`.
#[cfg(not(unix))]
fn link_all(_: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)
}
