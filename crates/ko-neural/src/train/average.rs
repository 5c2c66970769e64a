//! The mean of the weights over the last steps of a training. Steps circle around what they look for; their mean lies nearer to it than
//! the last one, and does better on what was not learned from (Izmailov et al. 2018, *Averaging Weights Leads to Wider Optima and Better
//! Generalization*).

use super::adamw::Slot;
use crate::error::Result;
use tch::Tensor;

/// The mean so far.
#[derive(Debug)]
pub(super) struct Average {
    /// The last step that is no part of it.
    after: usize,
    /// In the order of the slots; none before the first step of it.
    pub(super) means: Vec<Tensor>,
}

impl Average {
    /// Over the last `share` of all steps, and at least over the last one.
    pub(super) fn of_last(share: f64, steps: usize) -> Self {
        let taken = ((steps as f64 * share).round() as usize).max(1);
        Self { after: steps.saturating_sub(taken), means: Vec::new() }
    }

    /// Whether there is a mean once a step is done.
    pub(super) fn has_begun(&self, step: usize) -> bool {
        step > self.after
    }

    /// Takes in the weights that a step led to.
    pub(super) fn add(&mut self, step: usize, slots: &[Slot]) -> Result<()> {
        if !self.has_begun(step) {
            return Ok(());
        }
        if self.means.is_empty() {
            self.means = slots.iter().map(Slot::copied).collect::<Result<_>>()?;
            return Ok(());
        }
        let share = 1.0 / (step - self.after) as f64;
        tch::no_grad(|| {
            for (mean, slot) in self.means.iter_mut().zip(slots) {
                let _ = mean.f_lerp_(&slot.weight, share)?;
            }
            Ok(())
        })
    }

    /// Puts the means where the weights are, and the weights where the means were: done twice, all is as before.
    pub(super) fn exchange(&mut self, slots: &mut [Slot]) -> Result<()> {
        tch::no_grad(|| {
            for (mean, slot) in self.means.iter_mut().zip(slots) {
                let weight = slot.copied()?;
                slot.weight.f_copy_(mean)?;
                *mean = weight;
            }
            Ok(())
        })
    }
}
