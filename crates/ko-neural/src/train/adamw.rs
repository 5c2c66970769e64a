//! AdamW (Loshchilov and Hutter 2019), equal to `torch.optim.AdamW`, with its defaults but the weight decay:
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
    /// Which of the learning rates it has.
    group: usize,
}

impl Slot {
    /// What the weight is now.
    pub(crate) fn copied(&self) -> Result<Tensor> {
        Ok(self.weight.f_detach()?.f_mul_scalar(1.0)?)
    }
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
            slots.push(Slot { name, weight, mean, square, decays, group: 0 });
        }
        Ok(Self { slots, weight_decay, steps: 0 })
    }

    /// The same as several optimisers, one for each group that the parameters' names fall into.
    pub(crate) fn grouped(mut self, group: impl Fn(&str) -> usize) -> Self {
        self.slots.iter_mut().for_each(|slot| slot.group = group(&slot.name));
        self
    }

    /// Scales the gradients of each group so that their norm is at most `clip`, then moves every parameter by its group's rate; a group
    /// without a rate stays where it is.
    pub(crate) fn step(&mut self, learning_rates: &[f64], clip: f64) -> Result<()> {
        tch::no_grad(|| {
            let scales: Vec<f64> = (0..learning_rates.len())
                .map(|group| self.clip_scale(group, clip))
                .collect::<Result<_>>()?;
            self.steps += 1;
            let correction1 = 1.0 - BETA1.powi(self.steps);
            let correction2 = 1.0 - BETA2.powi(self.steps);
            for slot in &mut self.slots {
                let gradient = slot.weight.f_grad()?;
                let (Some(&learning_rate), Some(&scale), true) =
                    (learning_rates.get(slot.group), scales.get(slot.group), gradient.defined())
                else {
                    continue;
                };
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

    fn clip_scale(&self, group: usize, clip: f64) -> Result<f64> {
        let mut sum = 0.0;
        for slot in self.slots.iter().filter(|slot| slot.group == group) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::schedule::linear;
    use serde::Deserialize;
    use tch::{Device, Kind};

    const WEIGHT_DECAY: f64 = 0.05;

    /// Written by `tests/losses/make.py`.
    #[derive(Deserialize)]
    struct Expected {
        warm: usize,
        rate: f64,
        clip: f64,
        decay: f64,
        steps: Vec<Step>,
    }

    #[derive(Deserialize)]
    struct Step {
        /// Of the gradients, which are sines.
        factor: f64,
        norm: f64,
        rate: f64,
        matrix: Vec<f64>,
        vector: Vec<f64>,
    }

    /// Decay of matrices alone, clipping over both, warm-up and decay of the rate. In double precision to twelve digits; in the single precision of
    /// trainings to five.
    #[test]
    fn steps_equal_pytorchs() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/losses/optimizer.json");
        let expected: Expected = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let count = expected.steps.len();
        let clipped = expected.steps.iter().filter(|step| step.norm > expected.clip).count();
        assert_eq!((count, clipped), (8, 4));
        for (kind, tolerance) in [(Kind::Double, 1e-12), (Kind::Float, 1e-5)] {
            let sines = |count: usize, factor: f64| {
                let numbers: Vec<f64> = (0..count).map(|i| (i as f64 * factor).sin()).collect();
                Tensor::from_slice(&numbers).to_kind(kind)
            };
            let named = |name: &str, tensor| (name.to_owned(), tensor);
            let (matrix, vector) = (sines(12, 1.0).reshape([3, 4]), sines(3, 2.1));
            let parameters = vec![named("matrix", matrix), named("vector", vector)];
            let mut ours = AdamW::new(parameters, expected.decay).unwrap();
            for (number, step) in expected.steps.iter().enumerate() {
                let n = (number + 1) as f64;
                let slopes = [sines(12, 0.3 * n).reshape([3, 4]), sines(3, 0.7 * n)];
                ours.zero_gradients();
                for (slot, slope) in ours.slots.iter().zip(slopes) {
                    (&slot.weight * slope * step.factor).sum(kind).backward();
                }
                let rate = expected.rate * linear(number, count, expected.warm);
                assert!((rate - step.rate).abs() < 1e-15, "step {number}: {rate}, {}", step.rate);
                ours.step(&[rate], expected.clip).unwrap();
                for (slot, theirs) in ours.slots.iter().zip([&step.matrix, &step.vector]) {
                    let weight = slot.weight.detach().flatten(0, -1).to_kind(Kind::Double);
                    let apart = (weight - Tensor::from_slice(theirs)).abs().max().double_value(&[]);
                    assert!(
                        apart < tolerance,
                        "{} after step {number} in {kind:?}: {apart}",
                        slot.name
                    );
                }
            }
        }
    }

    #[test]
    fn groups_are_optimisers_of_their_own() {
        let numbers = |from| Tensor::arange_start(from, from + 4, (Kind::Float, Device::Cpu)).sin();
        let parameters = |names: &[&str]| {
            let made =
                names.iter().zip([1, 9]).map(|(name, from)| (name.to_string(), numbers(from)));
            made.collect::<Vec<_>>()
        };
        let slopes = |optimizer: &mut AdamW, factor: f64| {
            optimizer.zero_gradients();
            let sums = optimizer
                .slots
                .iter()
                .map(|slot| (&slot.weight * factor).square().sum(None::<Kind>));
            sums.reduce(|a, b| a + b).unwrap().backward();
        };
        let mut both = AdamW::new(parameters(&["a", "b"]), WEIGHT_DECAY)
            .unwrap()
            .grouped(|name| usize::from(name == "b"));
        let mut alone = ["a", "b"].map(|name| {
            let one = parameters(&["a", "b"]).into_iter().filter(|(own, _)| own == name);
            AdamW::new(one.collect(), WEIGHT_DECAY).unwrap()
        });
        for (step, factor) in (1..).zip([1.0, 30.0, 0.2]) {
            let rates = [0.1 / f64::from(step), 0.01 * f64::from(step)];
            slopes(&mut both, factor);
            both.step(&rates, 0.5).unwrap();
            for ((one, rate), slot) in alone.iter_mut().zip(rates).zip(&both.slots) {
                slopes(one, factor);
                one.step(&[rate], 0.5).unwrap();
                assert_eq!(one.slots[0].weight, slot.weight, "{} after step {step}", slot.name);
            }
        }
    }
}
