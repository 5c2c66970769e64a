//! Hands on where ko-neural found libtorch: a build script of whoever depends on this crate reads it from
//! `DEP_KO_EVAL_LIBTORCH_LIB`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(libtorch) = std::env::var("DEP_KO_NEURAL_LIBTORCH_LIB") {
        println!("cargo::metadata=libtorch_lib={libtorch}");
    }
}
