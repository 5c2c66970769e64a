//! What becomes of text that the vocabulary lacks. Declared whether subwords are compiled in or not, because the row always
//! stands in the table.

use ko_eval_core::setting::Choice;

/// What becomes of text that the vocabulary has no piece for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// The text as written, so that two different unknown words stay different.
    #[default]
    Surface,
    /// The vocabulary's own token (`[UNK]`, `<unk>`): all unknown words are one unit.
    Token,
}

/// The setting.
pub(crate) const UNKNOWN: Choice<Unknown> = Choice::new(
    "unknown",
    &[("surface", Unknown::Surface), ("token", Unknown::Token)],
    "what the vocabulary lacks: surface (as written) or token (the file's <unk>)",
);
