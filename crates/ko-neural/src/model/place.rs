//! Where tensors lie and in which numbers products are made: the only file that names libtorch's devices.

use super::packed;
use crate::{
    device::{Device, Precision},
    error::{Error, Result},
};
use tch::{Cuda, Kind, Tensor, kind::Element};

/// Where this libtorch can run models on this machine, the processor first: for a program's self-check.
pub fn devices() -> Vec<Device> {
    let cards = (0..cards()).map(Device::Cuda);
    let mps = tch::utils::has_mps().then_some(Device::Mps);
    [Device::Cpu].into_iter().chain(cards).chain(mps).collect()
}

/// How many CUDA devices there are.
fn cards() -> usize {
    usize::try_from(Cuda::device_count()).unwrap_or(0)
}

/// A device that is there, and the kinds of number on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    device: tch::Device,
    products: Kind,
    matrices: Kind,
    /// Whether matrices are laid out for products.
    packs: bool,
}

/// Where tests compute that do not care. Only they have it: elsewhere a default would be a tensor on the processor that nobody
/// asked for.
#[cfg(test)]
impl Default for Place {
    fn default() -> Self {
        Self::cpu()
    }
}

impl Place {
    /// The processor, in single precision: for what is computed there wherever the model runs, and for what has no place yet.
    pub(crate) fn cpu() -> Self {
        let (products, matrices) = (Kind::Float, Kind::Float);
        Self { device: tch::Device::Cpu, products, matrices, packs: false }
    }

    /// The device that is meant, if this libtorch has it.
    pub(crate) fn open(device: Device, precision: Precision) -> Result<Self> {
        let cards = cards();
        let missing = |reason: String| Err(Error::Device { device: device.to_string(), reason });
        let found = match device {
            Device::Auto if cards > 0 => tch::Device::Cuda(0),
            Device::Auto if tch::utils::has_mps() => tch::Device::Mps,
            Device::Auto | Device::Cpu => tch::Device::Cpu,
            Device::Cuda(number) if number < cards => tch::Device::Cuda(number),
            Device::Cuda(_) if cards > 0 => {
                return missing(format!("there are {cards}, numbered from 0"));
            }
            Device::Cuda(_) => {
                let reason = "this libtorch sees no CUDA device; take one built for CUDA \
                              (LIBTORCH, docs/LIBTORCH.md), or `cpu`";
                return missing(reason.into());
            }
            Device::Mps if tch::utils::has_mps() => tch::Device::Mps,
            Device::Mps => return missing("this libtorch has no Metal; take `cpu`".into()),
        };
        if (found, precision) == (tch::Device::Cpu, Precision::Bf16)
            && let Some((variable, value)) = ko_eval_model::amx_workaround()
        {
            return missing(format!(
                "this machine announces AMX without describing it, and a product in bf16 would end the program; \
                 start it with {variable}={value}, or take f32"
            ));
        }
        let products = match precision {
            Precision::F32 => Kind::Float,
            Precision::Bf16 => Kind::BFloat16,
            Precision::F16 => Kind::Half,
        };
        let packs = found == tch::Device::Cpu && packed::packs(products);
        Ok(Self { device: found, products, matrices: products, packs })
    }

    /// Where a tensor lies, in single precision.
    pub(crate) fn of(tensor: &Tensor) -> Self {
        Self { device: tensor.device(), ..Self::cpu() }
    }

    /// The same for training: products are narrow, but what they are made of is kept in single precision, because the steps of
    /// an optimiser are too small for narrow numbers; and as it lies in files, because it changes.
    pub(crate) fn for_training(self) -> Self {
        Self { matrices: Kind::Float, packs: false, ..self }
    }

    /// The same device in single precision.
    pub(crate) fn single(self) -> Self {
        Self { device: self.device, ..Self::cpu() }
    }

    /// The kind of number that products are made in.
    pub(crate) fn products(self) -> Kind {
        self.products
    }

    /// The kind of number that matrices are kept in.
    pub(crate) fn matrices(self) -> Kind {
        self.matrices
    }

    /// Whether a matrix is laid out for products when it is loaded.
    pub(crate) fn packs(self) -> bool {
        self.packs
    }

    /// How many threads are of use: on a graphics card, one that keeps it busy.
    pub(crate) fn threads(self, wanted: usize) -> usize {
        if self.device == tch::Device::Cpu { wanted } else { 1 }
    }

    /// Numbers here.
    pub(crate) fn tensor<T: Element>(self, numbers: &[T]) -> Result<Tensor> {
        Ok(Tensor::f_from_slice(numbers)?.f_to_device(self.device)?)
    }
}

/// A tensor's numbers, row after row, wherever it lies.
pub(crate) fn numbers(tensor: &Tensor) -> Result<Vec<f32>> {
    let near = tensor.f_detach()?.f_to_device(tch::Device::Cpu)?.f_to_kind(Kind::Float)?;
    let mut data = vec![0f32; near.numel()];
    near.f_contiguous()?.f_copy_data(&mut data, near.numel())?;
    Ok(data)
}

/// The same of what a model answers, in which every number must be one: too large for half precision, they become infinite, and then nothing.
pub(crate) fn answers(tensor: &Tensor) -> Result<Vec<f32>> {
    let numbers = numbers(tensor)?;
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(&value) => Err(Error::Overflow { value }),
        None => Ok(numbers),
    }
}

/// A tensor's whole numbers, row after row, wherever it lies.
pub(crate) fn whole_numbers(tensor: &Tensor) -> Result<Vec<i64>> {
    let near = tensor.f_to_device(tch::Device::Cpu)?.f_contiguous()?;
    let mut data = vec![0i64; near.numel()];
    near.f_copy_data(&mut data, near.numel())?;
    Ok(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_is_not_there_says_so() {
        if !tch::utils::has_mps() {
            let error = Place::open(Device::Mps, Precision::F32).unwrap_err().to_string();
            assert!(error.contains("`mps`") && error.contains("no Metal"), "{error}");
        }
        let beyond = usize::try_from(Cuda::device_count()).unwrap();
        let error = Place::open(Device::Cuda(beyond), Precision::F32).unwrap_err().to_string();
        assert!(error.contains(&format!("`cuda:{beyond}`")), "{error}");
        assert_eq!(Place::open(Device::Cpu, Precision::F32).unwrap().threads(3), 3);
    }

    #[test]
    fn every_device_that_is_named_is_there() {
        let all = devices();
        assert_eq!(all.first(), Some(&Device::Cpu));
        for device in all {
            assert!(Place::open(device, Precision::F32).is_ok(), "{device}");
        }
    }

    #[test]
    fn narrow_numbers_are_read_as_single_ones() {
        let place = Place::open(Device::Auto, Precision::Bf16).unwrap();
        let tensor = place.tensor(&[1.0f32, 0.25, -3.0]).unwrap().to_kind(place.products());
        assert_eq!(numbers(&tensor).unwrap(), [1.0, 0.25, -3.0]);
        assert_eq!(Place::of(&tensor), place.single());
        assert_eq!(answers(&tensor).unwrap(), [1.0, 0.25, -3.0]);
    }

    #[test]
    fn what_overflowed_is_no_answer() {
        let place = Place::open(Device::Cpu, Precision::F32).unwrap();
        let large = place.tensor(&[1.0f32, 7e4]).unwrap();
        let half = large.to_kind(Kind::Half);
        assert_eq!(answers(&large).unwrap(), [1.0, 7e4]);
        let error = answers(&half).unwrap_err().to_string();
        assert!(error.contains("inf") && error.contains("bf16"), "{error}");
    }
}
