//! Vectors from a program that is asked text by text.

use super::answer::{Answer, Checked};
use ko_eval_core::{Error, Result, Signature, Signed};
use ko_eval_io::bridge::{Child, Pool, Program, line};
use ko_eval_model::{Embeddings, Encoder, Encoding, SentenceEmbedder};
use std::sync::OnceLock;

/// Vectors from a program; see [the form and the program](crate::outside).
#[derive(Debug)]
pub struct VectorProgram {
    pool: Pool,
    /// The length of the first vector, and so of all.
    dim: OnceLock<usize>,
}

impl VectorProgram {
    /// Starts the program.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn new(program: Program) -> Result<Self> {
        let pool = Pool::new(program);
        let pool = pool.map_err(|error| Error::source("starting a program for vectors", error))?;
        Ok(Self { pool, dim: OnceLock::new() })
    }

    /// What the program says to every text, or that part of it.
    fn ask<T: Send>(
        &self,
        texts: &[&str],
        missing: &str,
        part: impl Fn(Checked) -> Option<T> + Sync,
    ) -> Result<Vec<T>> {
        ko_eval_core::par_map(texts, |text| {
            let line = line(text);
            let talk = |child: &mut Child| {
                let answer = child.ask(&line)?;
                let read = || -> Result<T, String> {
                    let read = serde_json::from_str::<Answer>(&answer);
                    let read = read.map_err(|error| error.to_string())?;
                    if let Some(other) = read.text.as_ref().filter(|text| **text != line) {
                        return Err(format!("it is for \"{other}\", and \"{line}\" was asked"));
                    }
                    let checked = read.checked(self.dim.get().copied())?;
                    // A text without a token says nothing of it; of two answers at the same time, one is first.
                    if checked.dim > 0 && checked.dim != *self.dim.get_or_init(|| checked.dim) {
                        return Err(format!("vectors of {} numbers, unlike others", checked.dim));
                    }
                    part(checked).ok_or_else(|| format!("no `{missing}`"))
                };
                read().map_err(|reason| child.nonsense(&answer, reason))
            };
            let answer = self.pool.talk_again(talk);
            answer.map_err(|error| Error::source("asking a program for vectors", error))
        })
    }
}

impl Signed for VectorProgram {
    fn signature(&self) -> Signature {
        self.pool.program().sign(Signature::new("program"))
    }
}

impl SentenceEmbedder for VectorProgram {
    fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
        let vectors = self.ask(texts, "vector", |answer| answer.vector)?;
        let dim = vectors.first().map_or(1, Vec::len);
        Embeddings::from_rows(dim, vectors.concat())
    }
}

impl Encoder for VectorProgram {
    fn encode(&self, texts: &[&str]) -> Result<Vec<Encoding>> {
        self.ask(texts, "tokens", |answer| answer.encoding)
    }
}
