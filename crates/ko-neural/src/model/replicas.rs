//! One model per thread, over the same numbers.

use crate::error::{Error, Result};
use std::sync::Mutex;

/// A model and its twins, one for each thread: libtorch's tensors may move to another thread, but two threads cannot use one
/// at a time. Twins share their numbers, so they cost next to nothing.
#[derive(Debug)]
pub(crate) struct Replicas<M>(Vec<Mutex<M>>);

impl<M> Replicas<M> {
    /// The model and as many twins as make `threads`, at least the model itself.
    pub(crate) fn new(model: M, threads: usize, twin: impl Fn(&M) -> Result<M>) -> Result<Self> {
        let mut all = Vec::with_capacity(threads.max(1));
        for _ in 1..threads {
            all.push(Mutex::new(twin(&model)?));
        }
        all.push(Mutex::new(model));
        Ok(Self(all))
    }

    /// As many others: twins of the first.
    pub(crate) fn twins(&self, twin: impl Fn(&M) -> Result<M>) -> Result<Self> {
        let first = self.0.first().map(Mutex::lock);
        let Some(Ok(model)) = first else {
            return Err(Error::Operation("another thread failed".into()));
        };
        Self::new(twin(&model)?, self.0.len(), twin)
    }

    /// Each for its thread.
    pub(crate) fn as_slice(&self) -> &[Mutex<M>] {
        &self.0
    }
}
