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
    use tch::{
        Device, Kind,
        nn::{self, OptimizerConfig, VarStore},
    };

    const WEIGHT_DECAY: f64 = 0.05;

    /// A loss whose gradients differ from step to step and from number to number.
    fn loss(matrix: &Tensor, vector: &Tensor, step: i64) -> Tensor {
        let input = Tensor::arange(4, (Kind::Float, Device::Cpu)) * 0.3 + step as f64;
        (matrix.matmul(&input) + vector).tanh().square().sum(None::<Kind>)
    }

    /// libtorch's own optimiser over copies of these parameters.
    fn theirs(parameter: &Tensor, weight_decay: f64) -> (VarStore, Tensor, nn::Optimizer) {
        let store = VarStore::new(Device::Cpu);
        let copy = store.root().var_copy("copy", parameter);
        let settings = nn::AdamW { wd: weight_decay, ..nn::AdamW::default() };
        let optimizer = settings.build(&store, 1.0).unwrap();
        (store, copy, optimizer)
    }

    fn steps_equal_libtorchs(clip: Option<f64>) {
        // Nothing random: libtorch's generator is the whole process's, other tests included.
        let numbers =
            |from| Tensor::arange_start(from, from + 12, (Kind::Float, Device::Cpu)).sin();
        let (matrix, vector) = (numbers(1).reshape([3, 4]), numbers(20).narrow(0, 0, 3).copy());
        let (_a, their_matrix, mut of_matrix) = theirs(&matrix, WEIGHT_DECAY);
        // Vectors do not decay.
        let (_b, their_vector, mut of_vector) = theirs(&vector, 0.0);
        let parameters = vec![("matrix".to_owned(), matrix), ("vector".to_owned(), vector)];
        let mut ours = AdamW::new(parameters, WEIGHT_DECAY).unwrap();
        for step in 0..20 {
            let rate = 0.1 / (1.0 + step as f64);
            ours.zero_gradients();
            loss(&ours.slots[0].weight, &ours.slots[1].weight, step).backward();
            ours.step(&[rate], clip.unwrap_or(f64::INFINITY)).unwrap();

            let optimizers = [&mut of_matrix, &mut of_vector];
            optimizers.into_iter().for_each(nn::Optimizer::zero_grad);
            loss(&their_matrix, &their_vector, step).backward();
            if let Some(clip) = clip {
                // As `clip_grad_norm_` over both, which lie in stores of their own here.
                let grads = [their_matrix.grad(), their_vector.grad()];
                let norm =
                    grads.iter().map(|g| g.norm().double_value(&[]).powi(2)).sum::<f64>().sqrt();
                assert!(step > 0 || norm > clip, "{norm} is not clipped");
                let scale = (clip / (norm + 1e-6)).min(1.0);
                let _ = grads.map(|mut grad| grad.f_mul_scalar_(scale).unwrap());
            }
            for optimizer in [&mut of_matrix, &mut of_vector] {
                optimizer.set_lr(rate);
                optimizer.step();
            }
            for (slot, theirs) in ours.slots.iter().zip([&their_matrix, &their_vector]) {
                assert!(
                    slot.weight.allclose(theirs, 1e-5, 1e-6, false),
                    "{} after step {step}: {} instead of {theirs}",
                    slot.name,
                    slot.weight
                );
            }
        }
    }

    #[test]
    fn equals_libtorchs_own() {
        steps_equal_libtorchs(None);
    }

    #[test]
    fn equals_libtorchs_own_on_clipped_gradients() {
        steps_equal_libtorchs(Some(0.5));
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
