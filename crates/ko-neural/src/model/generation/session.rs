//! One batch of prompts while it is written to.

use crate::{
    error::{Error, Result},
    model::{
        block::Mode,
        decoder::stack::Cache,
        tokenizer::TokenIds,
        writer::{Writer, left_padded},
    },
};
use tch::Tensor;

/// Rows of tokens that grow; at first one per prompt.
#[derive(Debug)]
pub(crate) struct Session<'w> {
    writer: &'w Writer,
    cache: Cache,
}

impl<'w> Session<'w> {
    /// Reads the prompts; the numbers of the first new token, `[prompts, tokens]`, and what every row holds before it.
    pub(crate) fn start(
        writer: &'w Writer,
        prompts: &[&TokenIds],
        start: Option<u32>,
    ) -> Result<(Self, Tensor, Vec<Vec<u32>>)> {
        let mut cache = writer.cache(writer.read(prompts, Mode::Infer)?)?;
        let count = prompts.len() as i64;
        let (ids, pads, before) = if writer.reads() {
            let start = start.ok_or_else(|| Error::Operation("no token to start with".into()))?;
            let ids = vec![i64::from(start); prompts.len()];
            (ids, None, vec![vec![start]; prompts.len()])
        } else {
            let (ids, pads) = left_padded(prompts);
            (ids, Some(pads), prompts.iter().map(|prompt| prompt.ids.clone()).collect())
        };
        let places = ids.len() as i64 / count.max(1);
        let ids = writer.rows(&ids, [count, places])?;
        let states = writer.states(&ids, pads.as_deref(), &mut cache, Mode::Infer)?;
        let last = states.f_narrow(1, places - 1, 1)?.f_squeeze_dim(1)?;
        Ok((Self { writer, cache }, writer.logits(&last)?, before))
    }

    /// The numbers of the next token of every row, after one more token in each.
    pub(crate) fn step(&mut self, tokens: &[i64]) -> Result<Tensor> {
        let ids = self.writer.rows(tokens, [tokens.len() as i64, 1])?;
        let states = self.writer.states(&ids, None, &mut self.cache, Mode::Infer)?;
        self.writer.logits(&states.f_squeeze_dim(1)?)
    }

    /// Keeps these rows, in this order, any of them several times.
    pub(crate) fn keep_rows(&mut self, rows: &[i64]) -> Result<()> {
        self.cache.select(&self.writer.place().tensor(rows)?)
    }

    /// Keeps what was read of these prompts; rows of a prompt lie side by side, as many for each.
    pub(crate) fn keep_prompts(&mut self, prompts: &[i64]) -> Result<()> {
        self.cache.select_texts(&self.writer.place().tensor(prompts)?)
    }
}
