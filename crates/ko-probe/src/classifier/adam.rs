//! The optimiser.

use super::probe::Layer;
use ndarray::{Array, Array1, Array2, Dimension, Zip};

/// First and second moments of a layer's gradients.
pub(super) struct Adam {
    mean: Layer,
    square: Layer,
}

impl Adam {
    pub(super) fn new(layer: &Layer) -> Self {
        let zero = Layer {
            weights: Array2::zeros(layer.weights.dim()),
            biases: Array1::zeros(layer.biases.dim()),
        };
        Self { mean: zero.clone(), square: zero }
    }

    pub(super) fn update(&mut self, layer: &mut Layer, gradient: &Layer, penalty: f32, step: i32) {
        let (mean, square) = (&mut self.mean, &mut self.square);
        let weights = [&mut layer.weights, &mut mean.weights, &mut square.weights];
        adam_step(weights, &gradient.weights, penalty, step);
        let biases = [&mut layer.biases, &mut mean.biases, &mut square.biases];
        adam_step(biases, &gradient.biases, penalty, step);
    }
}

/// One step of Adam over values and their two moments.
fn adam_step<D: Dimension>(
    [values, mean, square]: [&mut Array<f32, D>; 3],
    gradient: &Array<f32, D>,
    penalty: f32,
    step: i32,
) {
    const RATE: f32 = 0.001;
    const BETA: (f32, f32) = (0.9, 0.999);
    const EPSILON: f32 = 1e-8;
    let rate = RATE / (1.0 - BETA.0.powi(step));
    let scale = 1.0 / (1.0 - BETA.1.powi(step)).sqrt();
    let update = |w: &mut f32, m: &mut f32, s: &mut f32, g: &f32| {
        let g = g + penalty * *w;
        *m = BETA.0 * *m + (1.0 - BETA.0) * g;
        *s = BETA.1 * *s + (1.0 - BETA.1) * g * g;
        *w -= rate * *m / (s.sqrt() * scale + EPSILON);
    };
    let slices = (values.as_slice_mut(), mean.as_slice_mut(), square.as_slice_mut());
    match (slices, gradient.as_slice()) {
        // Plain slices become vector instructions; most of a probe's time was spent here without them.
        ((Some(values), Some(mean), Some(square)), Some(gradient)) => {
            let moments = mean.iter_mut().zip(square);
            for ((w, (m, s)), g) in values.iter_mut().zip(moments).zip(gradient) {
                update(w, m, s, g);
            }
        }
        _ => Zip::from(values).and(mean).and(square).and(gradient).for_each(update),
    }
}
