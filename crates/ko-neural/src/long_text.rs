//! Texts longer than a model reads. Known whether models are compiled in or not, because metrics over models always stand in
//! the table.

use ko_eval_core::setting::Choice;

/// What happens to a text that is longer than the model reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum LongText {
    /// [`ko_eval_core::Error::TooLong`].
    #[default]
    Error,
    /// Its end is cut off.
    Truncate,
    /// It is read in runs of the model's length, and their tokens are put together again.
    Chunk,
}

impl LongText {
    /// The setting, for rows of metrics over models.
    pub const SETTING: Choice<Self> = Choice::new(
        "long",
        &[("error", Self::Error), ("truncate", Self::Truncate), ("chunk", Self::Chunk)],
        "what happens to a text longer than the model reads",
    );

    /// The word for signatures and command lines.
    pub fn name(self) -> &'static str {
        Self::SETTING.word(&self)
    }
}
