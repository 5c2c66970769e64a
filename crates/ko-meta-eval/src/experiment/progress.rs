//! Saying how far an experiment is.

/// Told about every step. `()` listens to nothing.
pub trait Progress: Sync {
    /// Work begins; there will be so many steps.
    fn start(&self, steps: usize);

    /// A unit has cut so many of its texts; told now and then, because a slow unit needs minutes.
    fn cutting(&self, unit: &str, done: usize, texts: usize) {
        let _ = (unit, done, texts);
    }

    /// A step is done.
    fn step(&self, step: &Step<'_>);
}

/// A step that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step<'a> {
    /// The unit.
    pub unit: &'a str,
    /// The metric; `None` when all texts were cut once.
    pub metric: Option<&'a str>,
    /// Whether the work was done now or lay there finished.
    pub work: Work,
}

/// Where a step's result came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Computed.
    Done,
    /// Read from the folder of an earlier run.
    Found,
}

impl Progress for () {
    fn start(&self, _: usize) {}

    fn step(&self, _: &Step<'_>) {}
}
