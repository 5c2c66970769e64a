//! The transformer block that every family shares: attention, then two products with a function between.

use super::{
    batch::{Batch, Group},
    config::{Activation, Config},
    deberta::{self, Relative},
    decoder::parts::NormKind,
    layout::{BlockNames, Layout, Order},
    packed::{multiply, multiply_then},
    weights::Tensors,
};
use crate::error::Result;
use tch::{Kind, Tensor};

/// Whether dropout is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Train,
    Infer,
}

/// Whether something is added at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bias {
    With,
    Without,
}

impl Bias {
    pub(crate) fn if_true(with: bool) -> Self {
        if with { Self::With } else { Self::Without }
    }
}

/// x·Wᵀ + b, in the kind of number that products are made in, whatever kind x is.
///
/// Of `bfloat16` only the factors are narrow: the product is widened before anything is added to it, and what follows (scores, softmax, the function
/// between two products, sums) is single. With biases, queries and keys in `bfloat16` as well, cosines of the Korean ALBERT's vectors were off twice as much.
#[derive(Debug)]
pub(crate) struct Linear {
    weight: Tensor,
    bias: Option<Tensor>,
    products: Kind,
}

impl Linear {
    pub(crate) fn load(weights: &mut Tensors, name: &str, from: i64, to: i64) -> Result<Self> {
        Self::load_with(weights, name, from, to, Bias::With)
    }

    pub(crate) fn load_with(
        weights: &mut Tensors,
        name: &str,
        from: i64,
        to: i64,
        bias: Bias,
    ) -> Result<Self> {
        let weight = weights.take_matrix(&format!("{name}.weight"), &[to, from])?;
        let products = weights.place().products();
        let name = format!("{name}.bias");
        let bias = match bias {
            Bias::With if products == Kind::BFloat16 => Some(weights.take(&name, &[to])?),
            Bias::With => Some(weights.take_factor(&name, &[to])?),
            Bias::Without => None,
        };
        Ok(Self { weight, bias, products })
    }

    /// One whose factors are single, too, whatever the others' are: for a small product that everything follows from.
    pub(crate) fn load_single(
        weights: &mut Tensors,
        name: &str,
        from: i64,
        to: i64,
        bias: Bias,
    ) -> Result<Self> {
        let weight = weights.take(&format!("{name}.weight"), &[to, from])?;
        let bias = match bias {
            Bias::With => Some(weights.take(&format!("{name}.bias"), &[to])?),
            Bias::Without => None,
        };
        Ok(Self { weight, bias, products: Kind::Float })
    }

    /// Products are made in the kind of the weight.
    pub(crate) fn new(weight: Tensor, bias: Tensor) -> Self {
        let products = weight.kind();
        Self { weight, bias: Some(bias), products }
    }

    /// The same over the same numbers, for another thread.
    pub(crate) fn twin(&self) -> Self {
        let bias = self.bias.as_ref().map(Tensor::shallow_clone);
        Self { weight: self.weight.shallow_clone(), bias, products: self.products }
    }

    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        product(x, &self.weight, self.bias.as_ref(), self.products)
    }

    /// A function of the product.
    pub(crate) fn forward_then(&self, by: Activation, x: &Tensor, mode: Mode) -> Result<Tensor> {
        // In narrow numbers the function would see the product before it is widened.
        let single = self.products == Kind::Float && x.kind() == Kind::Float;
        let at_once = || multiply_then(by, x, &self.weight, self.bias.as_ref());
        match single.then(at_once).flatten() {
            Some(done) => done,
            None => activate(by, self.forward(x)?, mode),
        }
    }
}

/// x·Wᵀ + b whose factors are of one kind, whatever kind they are kept in; the sum of a `bfloat16` product with its bias is single.
pub(crate) fn product(
    x: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    factors: Kind,
) -> Result<Tensor> {
    // What is of the kind already stays as it is, and what is laid out for products is of theirs.
    let of_kind = |tensor: &Tensor| match tensor.is_mkldnn() {
        true => Ok(tensor.shallow_clone()),
        false => tensor.f_to_kind(factors),
    };
    let (x, weight) = (of_kind(x)?, of_kind(weight)?);
    if factors != Kind::BFloat16 {
        return multiply(&x, &weight, bias.map(of_kind).transpose()?.as_ref());
    }
    let product = multiply(&x, &weight, None)?;
    Ok(match bias {
        // A sum is of the wider kind.
        Some(bias) => product.f_add(bias)?,
        None => product.f_to_kind(Kind::Float)?,
    })
}

/// A norm of every row.
#[derive(Debug)]
pub(crate) struct Norm {
    kind: NormKind,
    weight: Tensor,
    bias: Option<Tensor>,
    epsilon: f64,
}

impl Norm {
    pub(crate) fn load(
        weights: &mut Tensors,
        name: &str,
        width: i64,
        epsilon: f64,
    ) -> Result<Self> {
        Self::load_with(weights, name, width, epsilon, Bias::With)
    }

    pub(crate) fn load_with(
        weights: &mut Tensors,
        name: &str,
        width: i64,
        epsilon: f64,
        bias: Bias,
    ) -> Result<Self> {
        let weight = weights.take(&format!("{name}.weight"), &[width])?;
        let bias = match bias {
            Bias::With => Some(weights.take(&format!("{name}.bias"), &[width])?),
            Bias::Without => None,
        };
        Ok(Self { kind: NormKind::Layer, weight, bias, epsilon })
    }

    pub(crate) fn load_root_mean_square(
        weights: &mut Tensors,
        name: &str,
        width: i64,
        epsilon: f64,
    ) -> Result<Self> {
        let weight = weights.take(&format!("{name}.weight"), &[width])?;
        Ok(Self { kind: NormKind::RootMeanSquare, weight, bias: None, epsilon })
    }

    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let (width, weight) = (self.weight.size(), Some(&self.weight));
        Ok(match self.kind {
            NormKind::Layer => {
                x.f_layer_norm(width, weight, self.bias.as_ref(), self.epsilon, false)?
            }
            NormKind::RootMeanSquare => x.f_rms_norm(width, weight, self.epsilon)?,
        })
    }
}

/// One block.
#[derive(Debug)]
pub(crate) struct Block {
    heads: i64,
    activation: Activation,
    order: Order,
    dropout: f64,
    attention_dropout: f64,
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    attention_norm: Norm,
    up: Linear,
    down: Linear,
    output_norm: Norm,
    /// What scores are multiplied by, where it is not one over the root of a head's width.
    scale: Option<f64>,
    /// What the distance of two tokens adds to their score.
    relative: Option<Relative>,
}

impl Block {
    pub(crate) fn load(
        weights: &mut Tensors,
        config: &Config,
        layout: &Layout,
        names: &BlockNames,
        prefix: &str,
    ) -> Result<Self> {
        let (hidden, wide) = (config.hidden, config.intermediate);
        let mut linear =
            |name: &str, from, to| Linear::load(weights, &format!("{prefix}.{name}"), from, to);
        let query = linear(names.query, hidden, hidden)?;
        let key = linear(names.key, hidden, hidden)?;
        let value = linear(names.value, hidden, hidden)?;
        let output = linear(names.output, hidden, hidden)?;
        let up = linear(names.up, hidden, wide)?;
        let down = linear(names.down, wide, hidden)?;
        let mut norm =
            |name: &str| Norm::load(weights, &format!("{prefix}.{name}"), hidden, layout.epsilon);
        let attention_norm = norm(names.attention_norm)?;
        let output_norm = norm(names.output_norm)?;
        let own = config.disentangled.as_ref();
        let relative = own.map(|own| Relative::load(weights, config, own, prefix)).transpose()?;
        Ok(Self {
            heads: config.heads,
            activation: config.activation,
            order: layout.order,
            dropout: config.dropout,
            attention_dropout: config.attention_dropout,
            query,
            key,
            value,
            output,
            attention_norm,
            up,
            down,
            output_norm,
            scale: own.map(|own| deberta::scale(config, own)),
            relative: relative.flatten(),
        })
    }

    /// `[tokens, width]` to the same.
    pub(crate) fn forward(&self, x: &Tensor, batch: &Batch, mode: Mode) -> Result<Tensor> {
        match self.order {
            Order::PostNorm => {
                let x =
                    self.attention_norm.forward(&add(self.attend(x, batch, mode)?, x, mode)?)?;
                self.output_norm.forward(&add(self.widen(&x, mode)?, &x, mode)?)
            }
            Order::PreNorm => {
                let attended = self.attend(&self.attention_norm.forward(x)?, batch, mode)?;
                let x = add(attended, x, mode)?;
                add(self.widen(&self.output_norm.forward(&x)?, mode)?, &x, mode)
            }
        }
    }

    fn attend(&self, x: &Tensor, batch: &Batch, mode: Mode) -> Result<Tensor> {
        let rows = |linear: &Linear| linear.forward(x);
        let (query, key, value) = (rows(&self.query)?, rows(&self.key)?, rows(&self.value)?);
        let width = x.size2()?.1;
        let dropout = if mode == Mode::Train { self.attention_dropout } else { 0.0 };
        let distances = self.relative.as_ref().map(|relative| -> Result<_> {
            let projections = (&self.query, &self.key);
            Ok((relative, relative.distances(projections, batch.longest(), mode)?))
        });
        let distances = distances.transpose()?;
        let mixed = batch.by_group([&query, &key, &value], |group, rows| {
            let Group { texts, length } = group;
            let [query, key, value] = rows.map(|rows| -> Result<Tensor> {
                let heads = rows.f_view([texts, length, self.heads, width / self.heads])?;
                Ok(heads.f_transpose(1, 2)?)
            });
            let (query, key) = (query?, key?);
            let bias = match &distances {
                Some((relative, distances)) => relative.bias(distances, group, (&query, &key))?,
                None => None,
            };
            let mixed = Tensor::f_scaled_dot_product_attention(
                &query,
                &key,
                &value?,
                bias.as_ref(),
                dropout,
                false,
                self.scale,
                false,
            )?;
            Ok(mixed.f_transpose(1, 2)?.f_reshape([texts * length, width])?)
        })?;
        let output = self.output.forward(&mixed)?;
        Ok(output.f_dropout(self.dropout, mode == Mode::Train)?)
    }

    fn widen(&self, x: &Tensor, mode: Mode) -> Result<Tensor> {
        let wide = self.up.forward_then(self.activation, x, mode)?;
        let output = self.down.forward(&wide)?;
        Ok(output.f_dropout(self.dropout, mode == Mode::Train)?)
    }
}

/// In place unless gradients need what was there.
pub(crate) fn activate(by: Activation, mut x: Tensor, mode: Mode) -> Result<Tensor> {
    Ok(match (by, mode) {
        (Activation::Gelu, Mode::Train) => x.f_gelu("none")?,
        (Activation::Gelu, Mode::Infer) => x.f_gelu_("none")?,
        (Activation::GeluTanh, Mode::Train) => x.f_gelu("tanh")?,
        (Activation::GeluTanh, Mode::Infer) => x.f_gelu_("tanh")?,
        (Activation::Relu, Mode::Train) => x.f_relu()?,
        (Activation::Relu, Mode::Infer) => x.f_relu_()?,
        (Activation::Silu, Mode::Train) => x.f_silu()?,
        (Activation::Silu, Mode::Infer) => x.f_silu_()?,
    })
}

/// The sum in the wider one's kind, in the first one's memory unless gradients need it.
pub(crate) fn add(mut to: Tensor, x: &Tensor, mode: Mode) -> Result<Tensor> {
    Ok(match mode {
        Mode::Infer if to.kind() == x.kind() => to.f_add_(x)?,
        Mode::Infer | Mode::Train => to.f_add(x)?,
    })
}
