//! What fuzz targets reach for.

use crate::{
    LongText,
    error::Result,
    files::{
        checkpoint::Head,
        config::{Config, Settings},
        raw,
        tokenizer::TextTokenizer,
    },
};
use std::path::Path;

/// The tensors of a file of weights: name, shape, numbers.
///
/// # Errors
/// What is wrong with it.
pub fn weights(name: &str, bytes: &[u8]) -> Result<Vec<(String, Vec<usize>, usize)>> {
    let tensors = raw::parse(Path::new(name), bytes)?.into_iter();
    Ok(tensors.map(|(name, raw)| (name, raw.shape, raw.data.len())).collect())
}

/// The number of layers that a `config.json` says.
///
/// # Errors
/// What is wrong with it.
pub fn config(bytes: &[u8]) -> Result<usize> {
    let config = Config::of(&Settings::parse("config.json".into(), bytes)?)?;
    Ok(config.layers)
}

/// The step that a `checkpoint.json` says.
///
/// # Errors
/// What is wrong with it.
pub fn checkpoint(bytes: &[u8]) -> Result<usize> {
    Ok(Head::parse(Path::new(Head::NAME), bytes)?.position.step)
}

/// The numbers of a text, and of it twice, by the tokenizer of a folder for a model with so many embeddings.
///
/// # Errors
/// What is wrong with the folder or the text.
pub fn tokens(folder: &Path, rows: usize, text: &str) -> Result<Vec<u32>> {
    let tokenizer = TextTokenizer::open(folder, rows, 16)?;
    let mut ids = tokenizer.encode_pair((text, text), LongText::Truncate)?.ids;
    for run in tokenizer.encode(text, LongText::Chunk)? {
        ids.extend(run.ids);
    }
    Ok(ids)
}

/// Small files of weights in both of PyTorch's layouts.
pub fn pickles() -> Vec<Vec<u8>> {
    use crate::files::pickle::sample::{Named, archive, legacy};
    let named = |name, key, shape: &'static [u32], strides: &'static [u32]| Named {
        name,
        key,
        offset: 0,
        shape,
        strides,
    };
    let tensors = [
        named("embeddings.weight", "0", &[2, 3], &[3, 1]),
        named("dense.weight", "0", &[3, 2], &[1, 3]),
        named("norm.bias", "1", &[2], &[1]),
    ];
    let storages: [(&str, &[f32]); 2] = [("0", &[0.5; 6]), ("1", &[1.0; 2])];
    vec![legacy(&tensors, &storages), archive(&tensors, &storages)]
}
