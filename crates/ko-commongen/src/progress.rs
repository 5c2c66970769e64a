//! How far a long job is.

/// A step of a long job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What is being done: `analyse`, `select` …
    pub stage: &'static str,
    /// How much of it is done.
    pub done: usize,
    /// How much there is, where that is known.
    pub total: Option<usize>,
}

/// Called now and then, from the thread that called the job.
pub type Progress<'p> = &'p dyn Fn(Step);

/// Reports nothing.
pub fn silent(_: Step) {}
