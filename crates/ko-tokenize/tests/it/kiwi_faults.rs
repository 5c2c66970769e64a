//! Libraries and models that are not Kiwi's are refused, and the error says what was found. Needs no Kiwi.

use ko_tokenize::kiwi::{Kiwi, KiwiBuilder, MODEL_FILES, VERSION};
use std::{env::consts::DLL_SUFFIX, error::Error, fs, path::Path, process::Command};
use tempfile::tempdir;

fn builder(folder: &Path, library: &Path) -> KiwiBuilder {
    for file in MODEL_FILES {
        fs::write(folder.join(file), "no model").unwrap();
    }
    Kiwi::builder().library(library).model(folder)
}

/// The error with its cause.
fn refusal(builder: KiwiBuilder) -> String {
    let error = builder.build().map(drop).unwrap_err();
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    format!("{error}: {cause}")
}

/// A library with some functions of Kiwi's.
fn library(folder: &Path, code: &str) -> std::path::PathBuf {
    let (source, library) = (folder.join("other.rs"), folder.join(format!("other{DLL_SUFFIX}")));
    fs::write(&source, code).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let status = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "-Cpanic=abort", "-o"])
        .args([&library, &source])
        .status();
    assert!(status.unwrap().success());
    library
}

#[test]
fn a_file_that_is_no_library() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("libkiwi.so");
    fs::write(&path, "text").unwrap();
    let error = refusal(builder(folder.path(), &path));
    assert!(error.contains("libkiwi.so is not a shared library"), "{error}");
}

#[test]
fn a_library_of_something_else() {
    let folder = tempdir().unwrap();
    let code = r#"#[unsafe(no_mangle)] pub extern "C" fn kiwi_version() {}"#;
    let path = library(folder.path(), code);
    let error = refusal(builder(folder.path(), &path));
    assert!(error.contains("has no function `kiwi_error`") && error.contains(VERSION), "{error}");
}

#[test]
fn a_library_of_another_version() {
    let names = "error clear_error init close analyze res_size res_word_num res_form res_tag res_position res_length res_close";
    let mut code = String::from(
        r#"#[unsafe(no_mangle)] pub extern "C" fn kiwi_version() -> *const core::ffi::c_char { c"0.23.2".as_ptr() }"#,
    );
    for name in names.split_whitespace() {
        code += &format!(
            "\n#[unsafe(no_mangle)] pub extern \"C\" fn kiwi_{name}() {{ std::process::abort() }}"
        );
    }
    let folder = tempdir().unwrap();
    let path = library(folder.path(), &code);
    let error = refusal(builder(folder.path(), &path));
    assert!(error.contains("is Kiwi 0.23.2, but 0.24.1 is needed"), "{error}");
}

#[test]
fn a_model_that_lacks_a_file() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("libkiwi.so");
    fs::write(&path, "text").unwrap();
    let builder = builder(folder.path(), &path);
    fs::remove_file(folder.path().join("cong.mdl")).unwrap();
    let error = refusal(builder);
    assert!(error.contains("cong.mdl") && error.contains("ko-eval setup kiwi"), "{error}");
}
