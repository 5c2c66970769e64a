//! Packs the dictionary that `ko-eval setup dictionary` installed into the file that packages of this crate contain.
//!
//! ```sh
//! cargo run --package ko-tokenize-dictionary --example pack -- crates/ko-tokenize-dictionary/data/mecab-ko-dic-2.1.1
//! ```

use ko_tokenize::morpheme::dictionary::{self, Dictionary, MECAB_KO_DIC};
use std::{env, error::Error, fs, path::PathBuf};

/// The best compression that costs readers nothing.
const LEVEL: i32 = 19;

/// A published crate has at most 10 MB.
const LARGEST: usize = 8_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let target = PathBuf::from(env::args_os().nth(1).ok_or("usage: pack FILE")?);
    let bytes = fs::read(MECAB_KO_DIC.folder().join(dictionary::FILE))?;
    let compress = |column: &[u8]| zstd::bulk::compress(column, LEVEL).unwrap_or_default();
    let packed = dictionary::pack(&bytes, compress)?;
    // Verified like any dictionary: what comes out is what went in.
    let words = Dictionary::from_packed(&packed)?.manifest().entries();
    if packed.len() > LARGEST || words != 816_283 {
        return Err(format!("{} bytes, {words} words: not to be published", packed.len()).into());
    }
    fs::write(&target, &packed)?;
    println!("{} bytes packed into {}: {}", bytes.len(), packed.len(), target.display());
    Ok(())
}
