//! Tokens from a model's numbers: greedy, by beams, drawn, and by beams that must use given words. Token for token what transformers'
//! `generate` writes, but for the draws.

mod beam;
mod constrained;
#[cfg(test)]
mod drawn_from;
mod greatest;
mod rules;
mod session;
mod step_by_step;

pub(crate) use beam::{Beam, beam};
pub(crate) use constrained::{Required, check, constrained};
pub(crate) use rules::Rules;
pub(crate) use step_by_step::{Choice, step_by_step};

/// New tokens, the mark at the end among them, and their score.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Written {
    pub(crate) tokens: Vec<u32>,
    pub(crate) score: f64,
}
