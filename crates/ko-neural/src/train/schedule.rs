//! How learning rates go; and several optimisers in one training, each with a rate of its own.

use crate::error::{Error, Result};

/// The share of the learning rate in a step, from 0, of so many: a linear rise over the first `warm` steps, then a linear fall to 0 after the last.
pub(crate) fn linear(step: usize, steps: usize, warm: usize) -> f64 {
    let (step, steps, warm) = (step as f64, steps as f64, warm as f64);
    if step < warm { (step + 1.0) / warm } else { (steps - step) / (steps - warm).max(1.0) }
}

/// How one optimiser's learning rate goes: r · min(n^−½, n · w^−³ᐟ²) in step n, so that it rises for w steps and falls with the root of the
/// steps afterwards (Vaswani et al. 2017, as BERTSUMABS has it).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// The factor r before it all; the highest rate is r / √w.
    pub learning_rate: f64,
    /// Steps over which the rate rises, at least 1.
    pub warm_up_steps: usize,
}

impl Pace {
    /// The rate of a step, from 1.
    pub fn at(self, step: usize) -> f64 {
        let (step, warm) = (step.max(1) as f64, self.warm_up_steps as f64);
        self.learning_rate * step.powf(-0.5).min(step * warm.powf(-1.5))
    }

    pub(crate) fn check(self) -> Result<()> {
        if !(self.learning_rate.is_finite() && self.learning_rate > 0.0) {
            return Err(Error::setting("learning rate", self.learning_rate, "a number above 0"));
        }
        match self.warm_up_steps {
            0 => Err(Error::setting("warm-up steps", 0, "at least 1")),
            _ => Ok(()),
        }
    }
}

/// Which optimiser moves a parameter, and how fast each of them is.
#[derive(Debug, Clone)]
pub(crate) struct Optimizers {
    /// From a parameter's name to the place of its pace.
    pub(crate) group: fn(&str) -> usize,
    pub(crate) paces: Vec<Pace>,
}

impl Optimizers {
    pub(crate) fn rates(&self, step: usize) -> Vec<f64> {
        self.paces.iter().map(|pace| pace.at(step)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_rises_and_falls() {
        // The published decoder's: 0.1 and 10,000 steps.
        let pace = Pace { learning_rate: 0.1, warm_up_steps: 10_000 };
        assert!((pace.at(10_000) - 0.1 / 100.0).abs() < 1e-15);
        assert!((pace.at(1) - 0.1 * 1e-6).abs() < 1e-18);
        assert!((pace.at(40_000) - 0.1 / 200.0).abs() < 1e-15);
        assert!(Pace { warm_up_steps: 0, ..pace }.check().is_err());
        assert!(Pace { learning_rate: f64::NAN, ..pace }.check().is_err());
    }
}
