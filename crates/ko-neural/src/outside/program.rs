//! Vectors from a program that is asked text by text.

use super::answer::{Answer, Checked};
use ko_eval_core::{
    Embeddings, Encoder, Encoding, Error, Result, SentenceEmbedder, Signature, Signed,
    bridge::{Child, Pool, Program, line},
};
use std::{sync::OnceLock, time::Duration};

/// How often a text is sent again after the program failed.
const RESTARTS: usize = 1;

/// Vectors from a program; see [the form and the program](crate::outside).
#[derive(Debug)]
pub struct VectorProgram {
    pool: Pool,
    version: Option<String>,
    timeout: Duration,
    /// The length of the first vector, and so of all.
    dim: OnceLock<usize>,
}

/// Settings of a [`VectorProgram`].
#[derive(Debug, Clone)]
pub struct VectorProgramBuilder {
    program: Program,
    version: Option<String>,
    timeout: Duration,
    children: usize,
}

impl VectorProgram {
    /// A program; arguments and settings follow.
    pub fn builder(program: impl Into<String>) -> VectorProgramBuilder {
        let program = Program { name: program.into(), arguments: Vec::new() };
        VectorProgramBuilder {
            program,
            version: None,
            timeout: Duration::from_secs(600),
            children: 1,
        }
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
                let answer = child.ask(&line, self.timeout)?;
                let read = || -> Result<T, String> {
                    let read = serde_json::from_str::<Answer>(&answer);
                    let checked = read
                        .map_err(|error| error.to_string())?
                        .checked(self.dim.get().copied())?;
                    // A text without a token says nothing of it; of two answers at the same time, one is first.
                    if checked.dim > 0 && checked.dim != *self.dim.get_or_init(|| checked.dim) {
                        return Err(format!("vectors of {} numbers, unlike others", checked.dim));
                    }
                    part(checked).ok_or_else(|| format!("no `{missing}`"))
                };
                read().map_err(|reason| child.nonsense(&answer, reason))
            };
            let answer = self.pool.talk_again(RESTARTS, talk);
            answer.map_err(|error| Error::source("asking a program for vectors", error))
        })
    }
}

impl VectorProgramBuilder {
    /// More arguments of the program.
    #[must_use]
    pub fn args<A: Into<String>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.program.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Its version: it goes into the signature, because it decides the vectors.
    #[must_use]
    pub fn version(self, version: impl Into<String>) -> Self {
        Self { version: Some(version.into()), ..self }
    }

    /// How long an answer may take, the program's start included; ten minutes unless set.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// How many copies may run at once; one unless set.
    #[must_use]
    pub fn children(self, children: usize) -> Self {
        Self { children, ..self }
    }

    /// Starts the program.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn build(self) -> Result<VectorProgram> {
        let Self { program, version, timeout, children } = self;
        let pool = Pool::new(program, children)
            .map_err(|error| Error::source("starting a program for vectors", error))?;
        Ok(VectorProgram { pool, version, timeout, dim: OnceLock::new() })
    }
}

impl Signed for VectorProgram {
    fn signature(&self) -> Signature {
        let signature = Signature::new("program").with("command", self.pool.program());
        match &self.version {
            Some(version) => signature.with("version", version),
            None => signature,
        }
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
