//! Writes libtorch and its path into the program, so that it starts without `LD_LIBRARY_PATH` and finds graphics cards.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(libtorch) = env::var("DEP_KO_EVAL_LIBTORCH_LIB") {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{libtorch}");
        // No symbol leads to libtorch_cuda, which registers itself when it is loaded: libtorch, which needs it, must stay.
        if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
            println!("cargo::rustc-link-arg-bins=-Wl,--no-as-needed");
            println!("cargo::rustc-link-arg-bins=-ltorch");
        }
    }
}
