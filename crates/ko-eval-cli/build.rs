//! Writes the path of libtorch into the command, so that it starts without `LD_LIBRARY_PATH`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Set only with the feature `torch`.
    if let Ok(libtorch) = std::env::var("DEP_KO_EVAL_LIBTORCH_LIB") {
        for targets in ["bins", "tests"] {
            println!("cargo::rustc-link-arg-{targets}=-Wl,-rpath,{libtorch}");
            // libtorch registers its kernels when it is loaded; the linker must not drop it as unused.
            println!("cargo::rustc-link-arg-{targets}=-Wl,--no-as-needed");
        }
    }
}
