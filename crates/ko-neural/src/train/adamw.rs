//! AdamW (Loshchilov and Hutter 2019), equal to `torch.optim.AdamW`:
//! m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g², w ← w(1 − ηλ) − η·m̂ / (√v̂ + ε).

use crate::error::Result;
use tch::Tensor;

const BETA1: f64 = 0.9;
const BETA2: f64 = 0.999;
const EPSILON: f64 = 1e-8;

/// Parameters with their running moments.
#[derive(Debug)]
pub(crate) struct AdamW {
    pub(crate) slots: Vec<Slot>,
    weight_decay: f64,
    pub(crate) steps: i32,
}

/// One parameter.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) name: String,
    pub(crate) weight: Tensor,
    pub(crate) mean: Tensor,
    pub(crate) square: Tensor,
    decays: bool,
}

impl AdamW {
    pub(crate) fn new(parameters: Vec<(String, Tensor)>, weight_decay: f64) -> Result<Self> {
        let mut slots = Vec::with_capacity(parameters.len());
        for (name, weight) in parameters {
            let weight = weight.f_set_requires_grad(true)?;
            let (mean, square) = (weight.f_zeros_like()?, weight.f_zeros_like()?);
            let mean = mean.f_set_requires_grad(false)?;
            let square = square.f_set_requires_grad(false)?;
            // Vectors are biases and norms.
            let decays = weight.dim() > 1;
            slots.push(Slot { name, weight, mean, square, decays });
        }
        Ok(Self { slots, weight_decay, steps: 0 })
    }

    /// Scales all gradients so that their norm is at most `clip`, then moves every parameter.
    pub(crate) fn step(&mut self, learning_rate: f64, clip: f64) -> Result<()> {
        tch::no_grad(|| {
            let scale = self.clip_scale(clip)?;
            self.steps += 1;
            let correction1 = 1.0 - BETA1.powi(self.steps);
            let correction2 = 1.0 - BETA2.powi(self.steps);
            for slot in &mut self.slots {
                let gradient = slot.weight.f_grad()?;
                if !gradient.defined() {
                    continue;
                }
                let gradient = gradient.f_mul_scalar(scale)?;
                let _ = slot.mean.f_mul_scalar_(BETA1)?;
                let _ = slot.mean.f_add_(&gradient.f_mul_scalar(1.0 - BETA1)?)?;
                let _ = slot.square.f_mul_scalar_(BETA2)?;
                let _ =
                    slot.square.f_add_(&gradient.f_mul(&gradient)?.f_mul_scalar_(1.0 - BETA2)?)?;
                if slot.decays {
                    let _ = slot.weight.f_mul_scalar_(1.0 - learning_rate * self.weight_decay)?;
                }
                let root = slot.square.f_sqrt()?.f_mul_scalar_(correction2.sqrt().recip())?;
                let change = slot.mean.f_div(&root.f_add_scalar(EPSILON)?)?;
                let _ = slot.weight.f_sub_(&change.f_mul_scalar(learning_rate / correction1)?)?;
            }
            Ok(())
        })
    }

    fn clip_scale(&self, clip: f64) -> Result<f64> {
        let mut sum = 0.0;
        for slot in &self.slots {
            let gradient = slot.weight.f_grad()?;
            if gradient.defined() {
                sum += gradient.f_norm()?.f_double_value(&[])?.powi(2);
            }
        }
        // As `torch.nn.utils.clip_grad_norm_`.
        Ok((clip / (sum.sqrt() + 1e-6)).min(1.0))
    }

    pub(crate) fn zero_gradients(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.weight.zero_grad());
    }
}
