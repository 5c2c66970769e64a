//! What fuzz targets reach for.

use crate::{
    LongText,
    error::Result,
    files::{
        checkpoint::Head,
        config::{Config, Settings},
        generation, modules, raw,
        tokenizer::TextTokenizer,
    },
};
use ko_eval_model::Decoding;
use std::path::{Path, PathBuf};

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

/// How a model with these two files writes, where its settings make sense.
///
/// # Errors
/// What is wrong with them.
pub fn decoding(config: &[u8], generation: &[u8]) -> Result<Decoding> {
    let config = Settings::parse("config.json".into(), config)?;
    let own = Settings::parse("generation_config.json".into(), generation)?;
    let (_, decoding) = generation::of(&config, &own, 1)?;
    decoding.check().map_err(ko_eval_core::Error::from)?;
    Ok(decoding)
}

/// The folders that a `modules.json` in `folder` names.
///
/// # Errors
/// What is wrong with it.
pub fn modules(folder: &Path, bytes: &[u8]) -> Result<Vec<PathBuf>> {
    let modules = modules::of(folder, &Settings::parse(modules::NAME.into(), bytes)?)?;
    Ok(modules.into_folders().collect())
}

/// The step that a `checkpoint.json` says, and the files that it names.
///
/// # Errors
/// What is wrong with it.
pub fn checkpoint(bytes: &[u8]) -> Result<(usize, Vec<String>)> {
    let head = Head::parse(Path::new(Head::NAME), bytes)?;
    let files = [Some(head.state), head.best].into_iter().flatten();
    Ok((head.position.step, files.map(|stored| stored.file).collect()))
}

/// The numbers of texts, and of each twice, by the tokenizer of a folder for a model with so many embeddings; of a text that it refuses, none.
///
/// # Errors
/// What is wrong with the folder.
pub fn tokens(folder: &Path, rows: usize, texts: &[&str]) -> Result<Vec<u32>> {
    let tokenizer = TextTokenizer::open(folder, rows, 16)?;
    let mut ids = Vec::new();
    for text in texts {
        if let Ok(pair) = tokenizer.encode_pair((text, text), LongText::Truncate) {
            ids.extend(pair.ids);
        }
        for run in tokenizer.encode(text, LongText::Chunk).unwrap_or_default() {
            ids.extend(run.ids);
        }
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
