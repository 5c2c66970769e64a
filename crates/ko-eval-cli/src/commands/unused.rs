//! Options that would change nothing.

use anyhow::{Result, bail};

/// An option that would change nothing is a mistake: the first of those that are given.
pub(crate) fn unused(instead: &str, given: &[(&str, bool)]) -> Result<()> {
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => bail!("{option} does nothing here: {instead}"),
        None => Ok(()),
    }
}
