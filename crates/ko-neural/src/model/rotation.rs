//! Rotary positions: halves of a vector turn against each other by angles that grow with its place.

use super::place::{Place, numbers};
use crate::error::Result;
use tch::{Kind, Tensor};

/// The cosines and sines of every position.
#[derive(Debug)]
pub(crate) struct Rotation {
    cosines: Tensor,
    sines: Tensor,
}

impl Rotation {
    /// For heads of an even width.
    pub(crate) fn new(theta: f64, width: i64, positions: i64, place: Place) -> Result<Self> {
        let half = width / 2;
        let shares: Vec<f32> = (0..half).map(|i| (2 * i) as f32 / width as f32).collect();
        // By libtorch's own power: at the thousandth place another last bit of a frequency is an angle that can be seen. On the
        // processor, so that the angles are the same on every device.
        let powers = Tensor::f_pow_scalar(theta, &Place::cpu().tensor(&shares)?)?;
        let frequencies: Vec<f32> = numbers(&powers)?.iter().map(|power| 1.0 / power).collect();
        let mut angles = Vec::with_capacity(usize::try_from(positions * width).unwrap_or(0));
        for position in 0..positions {
            // Both halves of a vector turn by the same angles.
            for _ in 0..2 {
                angles.extend(frequencies.iter().map(|frequency| position as f32 * frequency));
            }
        }
        let angles = place.tensor(&angles)?.f_view([positions, 2 * half])?;
        Ok(Self { cosines: angles.f_cos()?, sines: angles.f_sin()? })
    }

    pub(crate) fn share(&self) -> Self {
        Self { cosines: self.cosines.shallow_clone(), sines: self.sines.shallow_clone() }
    }

    /// `[texts, heads, length, width]`, every vector turned by its position.
    pub(crate) fn turn(&self, x: &Tensor) -> Result<Tensor> {
        let (length, width) = (x.size4()?.2, x.size4()?.3);
        let (kind, x) = (x.kind(), x.f_to_kind(Kind::Float)?);
        let (first, second) = (x.f_narrow(3, 0, width / 2)?, x.f_narrow(3, width / 2, width / 2)?);
        let across = Tensor::f_cat(&[second.f_neg()?, first], 3)?;
        let straight = x.f_mul(&self.cosines.f_narrow(0, 0, length)?)?;
        Ok(straight.f_add(&across.f_mul(&self.sines.f_narrow(0, 0, length)?)?)?.f_to_kind(kind)?)
    }
}
