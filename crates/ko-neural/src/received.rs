//! What an encoder or an embedder that somebody else wrote answers with, looked at before anything is computed of it: a vector that is none
//! would be an angle of 0, and one too many would be compared with the wrong text.

use ko_eval_core::{Error, Result};
use ko_eval_model::{Embeddings, Encoder, Encoding, SentenceEmbedder};

/// One vector per text.
pub(crate) fn embeddings(
    owner: &str,
    embedder: &dyn SentenceEmbedder,
    texts: &[&str],
) -> Result<Embeddings> {
    let vectors = embedder.embed(texts)?;
    as_many(texts, "the embedder's vectors", vectors.len())?;
    for (text, row) in texts.iter().zip(vectors.rows()) {
        numbers(owner, text, row)?;
    }
    Ok(vectors)
}

/// The tokens of every text, with vectors of one length.
pub(crate) fn encodings(
    owner: &str,
    encoder: &dyn Encoder,
    texts: &[&str],
) -> Result<Vec<Encoding>> {
    let encodings = encoder.encode(texts)?;
    as_many(texts, "the encoder's answers", encodings.len())?;
    let mut filled = encodings.iter().filter(|encoding| !encoding.vectors.is_empty());
    let dim = filled.next().map(|encoding| encoding.vectors.dim());
    for (text, encoding) in texts.iter().zip(&encodings) {
        let vectors = &encoding.vectors;
        if let Some(dim) = dim.filter(|dim| !vectors.is_empty() && *dim != vectors.dim()) {
            let expected = format!("{dim}, as many as those of the texts before");
            let name = format!("the number of a vector's numbers for \"{text}\"");
            return Err(Error::invalid(owner, name, vectors.dim(), expected));
        }
        numbers(owner, text, vectors.as_slice())?;
    }
    Ok(encodings)
}

fn as_many(texts: &[&str], what: &str, count: usize) -> Result<()> {
    if count == texts.len() {
        return Ok(());
    }
    let (left, right) = ("the list of texts".into(), what.into());
    Err(Error::LengthMismatch { left, left_len: texts.len(), right, right_len: count })
}

fn numbers(owner: &str, text: &str, row: &[f32]) -> Result<()> {
    match row.iter().find(|number| !number.is_finite()) {
        None => Ok(()),
        Some(number) => {
            let name = format!("a vector of \"{text}\"");
            let expected = "finite numbers; a model whose numbers grow too large for f16 has them in bf16 and f32";
            Err(Error::invalid(owner, name, number, expected))
        }
    }
}
