//! One model per thread, over the same numbers.

use super::place::Place;
use crate::error::{Error, Result};
use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

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

    /// `work`'s answer to every job, in order. Each model has a thread of its own and takes the next job when it is done with one; many small
    /// products side by side beat one product on many threads.
    pub(crate) fn run<J: Sync, A: Send>(
        &self,
        jobs: &[J],
        work: impl Fn(&M, &J) -> Result<A> + Sync,
    ) -> Result<Vec<A>>
    where
        M: Send,
    {
        let next = AtomicUsize::new(0);
        let on_one = |model: &Mutex<M>| -> Result<Vec<(usize, A)>> {
            tch::set_num_threads(1);
            let failed = |_| Error::Operation("another thread failed".into());
            let model = model.lock().map_err(failed)?;
            let mut answers = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(number) else { return Ok(answers) };
                answers.push((number, tch::no_grad(|| work(&model, job))?));
            }
        };
        let own = tch::get_num_threads();
        let parts: Vec<Result<_>> = match self.models.as_slice() {
            [model] => vec![on_one(model)],
            models => std::thread::scope(|scope| {
                let handles: Vec<_> =
                    models.iter().map(|model| scope.spawn(|| on_one(model))).collect();
                let failed = || Err(Error::Operation("a thread failed".into()));
                handles.into_iter().map(|h| h.join().unwrap_or_else(|_| failed())).collect()
            }),
        };
        tch::set_num_threads(own);
        let parts = parts.into_iter().collect::<Result<Vec<_>>>()?;
        let mut answers: Vec<(usize, A)> = parts.into_iter().flatten().collect();
        answers.sort_by_key(|(number, _)| *number);
        Ok(answers.into_iter().map(|(_, answer)| answer).collect())
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.models.len()
    }

    /// Where they run.
    pub(crate) fn place(&self) -> Place {
        self.place
    }
}
