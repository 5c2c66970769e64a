//! Writes libtorch and its path into the command, so that it starts without `LD_LIBRARY_PATH` and finds graphics cards.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Set only with the feature `torch`.
    if let Ok(libtorch) = env::var("DEP_KO_EVAL_LIBTORCH_LIB") {
        let is_linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
        for targets in ["bins", "tests"] {
            println!("cargo::rustc-link-arg-{targets}=-Wl,-rpath,{libtorch}");
            // No symbol leads to libtorch_cuda, which registers itself when it is loaded: libtorch, which needs it, must stay.
            if is_linux {
                println!("cargo::rustc-link-arg-{targets}=-Wl,--no-as-needed");
                println!("cargo::rustc-link-arg-{targets}=-ltorch");
            }
        }
    }
}
