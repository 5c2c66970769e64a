//! Whether the dictionary is there: packages contain it, a checkout does not.

use std::path::Path;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_dictionary)");
    // The folder, because cargo would run this every time while a file is missing.
    println!("cargo::rerun-if-changed=data");
    if Path::new("data/mecab-ko-dic-2.1.1").exists() {
        println!("cargo::rustc-cfg=has_dictionary");
    }
}
