//! Writes the path of libtorch into the program, so that it starts without `LD_LIBRARY_PATH`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(libtorch) = std::env::var("DEP_KO_EVAL_LIBTORCH_LIB") {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{libtorch}");
        // libtorch registers its kernels when it is loaded; the linker must not drop it as unused.
        println!("cargo::rustc-link-arg-bins=-Wl,--no-as-needed");
    }
}
