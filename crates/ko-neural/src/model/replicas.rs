//! One model per thread, over the same numbers.

use super::place::Place;
use crate::error::{Error, Result};
use std::sync::Mutex;

/// A model and its twins, one for each thread: libtorch's tensors may move to another thread, but two threads cannot use one
/// at a time. Twins share their numbers, so they cost next to nothing.
#[derive(Debug)]
pub(crate) struct Replicas<M> {
    models: Vec<Mutex<M>>,
    place: Place,
}

impl<M> Replicas<M> {
    /// The model at a place and as many twins as make `threads`, at least the model itself.
    pub(crate) fn new(
        model: M,
        place: Place,
        threads: usize,
        twin: impl Fn(&M) -> Result<M>,
    ) -> Result<Self> {
        let threads = place.threads(threads);
        let mut all = Vec::with_capacity(threads.max(1));
        for _ in 1..threads {
            all.push(Mutex::new(twin(&model)?));
        }
        all.push(Mutex::new(model));
        Ok(Self { models: all, place })
    }

    /// As many others: twins of the first.
    pub(crate) fn twins(&self, twin: impl Fn(&M) -> Result<M>) -> Result<Self> {
        let first = self.models.first().map(Mutex::lock);
        let Some(Ok(model)) = first else {
            return Err(Error::Operation("another thread failed".into()));
        };
        Self::new(twin(&model)?, self.place, self.models.len(), twin)
    }

    /// Each for its thread.
    pub(crate) fn as_slice(&self) -> &[Mutex<M>] {
        &self.models
    }

    /// Where they run.
    pub(crate) fn place(&self) -> Place {
        self.place
    }
}
