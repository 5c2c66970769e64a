//! What the decoders' blocks are made of: products with or without a bias, norms with or without a mean.

use crate::{
    error::Result,
    model::{
        block::{Mode, product},
        config::Activation,
        weights::Tensors,
    },
};
use tch::{Kind, Tensor};

/// How a product's matrix lies in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    /// A row per output, as `torch.nn.Linear` has it.
    RowPerOutput,
    /// A row per input: GPT-2.
    RowPerInput,
}

/// How a family's products look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Products {
    pub(crate) storage: Storage,
    pub(crate) bias: bool,
}

/// A product with a matrix, and a bias where the family has one. In training its factors may be narrow; what comes out is single.
#[derive(Debug)]
pub(crate) struct Product {
    weight: Tensor,
    bias: Option<Tensor>,
    storage: Storage,
    factors: Kind,
}

impl Product {
    pub(crate) fn load(
        weights: &mut Tensors,
        name: &str,
        (from, to): (i64, i64),
        products: Products,
    ) -> Result<Self> {
        let named = format!("{name}.weight");
        let weight = match products.storage {
            Storage::RowPerOutput => weights.take_matrix(&named, &[to, from])?,
            Storage::RowPerInput => weights.take(&named, &[from, to])?,
        };
        let bias = products.bias.then(|| weights.take(&format!("{name}.bias"), &[to]));
        let factors = weights.place().products();
        Ok(Self { weight, bias: bias.transpose()?, storage: products.storage, factors })
    }

    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let weight = match self.storage {
            Storage::RowPerOutput => self.weight.shallow_clone(),
            // The transposed view is made anew: one made before training would have no gradient.
            Storage::RowPerInput => self.weight.f_transpose(0, 1)?,
        };
        product(x, &weight, self.bias.as_ref(), self.factors)
    }
}

/// Which norm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NormKind {
    /// Mean and variance: layer normalisation.
    Layer,
    /// The root of the mean square alone: T5, Qwen3.
    RootMeanSquare,
}

/// A norm.
#[derive(Debug)]
pub(crate) struct StackNorm {
    weight: Tensor,
    bias: Option<Tensor>,
    epsilon: f64,
}

impl StackNorm {
    pub(crate) fn load(
        weights: &mut Tensors,
        name: &str,
        width: i64,
        (kind, epsilon): (NormKind, f64),
    ) -> Result<Self> {
        let weight = weights.take(&format!("{name}.weight"), &[width])?;
        let bias = (kind == NormKind::Layer)
            .then(|| weights.take(&format!("{name}.bias"), &[width]))
            .transpose()?;
        Ok(Self { weight, bias, epsilon })
    }

    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let Some(bias) = &self.bias else {
            let square = x.f_square()?.f_mean_dim([-1i64].as_slice(), true, None::<Kind>)?;
            let root = square.f_add_scalar(self.epsilon)?.f_rsqrt()?;
            return Ok(x.f_mul(&root)?.f_mul(&self.weight)?);
        };
        let width = self.weight.size();
        Ok(x.f_layer_norm(width, Some(&self.weight), Some(bias), self.epsilon, false)?)
    }
}

/// The function between a block's outer products.
pub(crate) fn activate(x: &Tensor, activation: Activation) -> Result<Tensor> {
    Ok(match activation {
        Activation::Gelu => x.f_gelu("none")?,
        Activation::GeluTanh => x.f_gelu("tanh")?,
        Activation::Relu => x.f_relu()?,
        Activation::Silu => x.f_silu()?,
    })
}

/// Dropout where a model learns.
pub(crate) fn drop_out(x: Tensor, share: f64, mode: Mode) -> Result<Tensor> {
    Ok(match mode {
        Mode::Train if share > 0.0 => x.f_dropout(share, true)?,
        _ => x,
    })
}
