//! Writes the path of libtorch into the command, so that it starts without `LD_LIBRARY_PATH`.

fn main() {
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_TORCH").is_none() {
        return;
    }
    if let Ok(libtorch) = std::env::var("LIBTORCH") {
        for targets in ["bins", "tests"] {
            println!("cargo::rustc-link-arg-{targets}=-Wl,-rpath,{libtorch}/lib");
            // libtorch registers its kernels when it is loaded; the linker must not drop it as unused.
            println!("cargo::rustc-link-arg-{targets}=-Wl,--no-as-needed");
        }
    }
}
