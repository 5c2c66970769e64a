//! Matrices that are laid out for products once, instead of anew for every product.
//!
//! oneDNN wants a matrix in tiles. libtorch's `linear` gives it rows and has them laid out on the way, each time. The operators that take a matrix in
//! tiles have names, but no function in libtorch's interface: only TorchScript reaches them. Here it is one class, whose text is put into the form that
//! libtorch loads.

use super::{config::Activation, place::Place};
use crate::error::{Error, Result};
use std::{
    io::{Cursor, Write as _},
    sync::OnceLock,
};
use tch::{CModule, IValue, Kind, Tensor};
use zip::{CompressionMethod, ZipWriter, result::ZipResult, write::SimpleFileOptions};

/// What is asked of oneDNN.
const CODE: &str = r#"class Packed(Module):
  def pack(self, matrix: Tensor) -> Tensor:
    return ops.mkldnn._reorder_linear_weight(matrix)
  def multiply(self, rows: Tensor, matrix: Tensor, bias: Optional[Tensor], function: str, form: str) -> Tensor:
    return ops.mkldnn._linear_pointwise(rows, matrix, bias, function, annotate(List[Optional[number]], []), form)
"#;

/// An object of that class, without a field, as a pickle; and no constants.
const OBJECT: &[u8] = b"\x80\x02c__torch__\nPacked\n)\x81}b.";
const CONSTANTS: &[u8] = b"\x80\x02).";

/// Whether this libtorch lays matrices of this kind of number out: it must be built with oneDNN, which knows not every processor, and fewer for narrow
/// numbers than for single ones. A product of one number tells.
pub(crate) fn packs(kind: Kind) -> bool {
    static SINGLE: OnceLock<bool> = OnceLock::new();
    static NARROW: OnceLock<bool> = OnceLock::new();
    let found = match kind {
        Kind::Float => &SINGLE,
        Kind::BFloat16 => &NARROW,
        _ => return false,
    };
    *found.get_or_init(|| {
        let works = || -> Result<Tensor> {
            // oneDNN is the processor's.
            let one = Place::cpu().tensor(&[1f32])?.f_reshape([1, 1])?.f_to_kind(kind)?;
            multiply(&one, &pack(&one)?, None)
        };
        operators().is_some() && works().is_ok()
    })
}

/// A matrix, a row per output, in oneDNN's layout. It is good for nothing but [`multiply`].
pub(crate) fn pack(matrix: &Tensor) -> Result<Tensor> {
    match operators() {
        Some(operators) => Ok(operators.method_ts("pack", &[matrix.f_contiguous()?])?),
        None => Ok(matrix.shallow_clone()),
    }
}

/// x·Wᵀ + b of factors of one kind, whichever layout the matrix has.
pub(crate) fn multiply(x: &Tensor, matrix: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    match operators().filter(|_| matrix.is_mkldnn()) {
        Some(operators) => run(operators, [x, matrix], bias, ("none", "")),
        None => Ok(x.f_linear(matrix, bias)?),
    }
}

/// A function of such a product of a [packed](pack) matrix, in one pass: the product need not be read again. Nothing if the matrix is a plain one.
pub(crate) fn multiply_then(
    by: Activation,
    x: &Tensor,
    matrix: &Tensor,
    bias: Option<&Tensor>,
) -> Option<Result<Tensor>> {
    let function = match by {
        Activation::Gelu => ("gelu", "none"),
        Activation::GeluTanh => ("gelu", "tanh"),
        Activation::Relu => ("relu", ""),
        Activation::Silu => ("swish", ""),
    };
    let operators = operators().filter(|_| matrix.is_mkldnn())?;
    Some(run(operators, [x, matrix], bias, function))
}

fn run(
    operators: &CModule,
    factors: [&Tensor; 2],
    bias: Option<&Tensor>,
    (function, form): (&str, &str),
) -> Result<Tensor> {
    let value = |tensor: &Tensor| IValue::Tensor(tensor.shallow_clone());
    let [x, matrix] = factors.map(value);
    let [function, form] = [function, form].map(|name| IValue::String(name.to_owned()));
    let bias = bias.map_or(IValue::None, value);
    match operators.method_is("multiply", &[x, matrix, bias, function, form])? {
        IValue::Tensor(product) => Ok(product),
        other => Err(Error::Operation(format!("a product is {other:?}"))),
    }
}

/// The class, loaded once; nothing where libtorch is built without oneDNN, or cannot load it.
fn operators() -> Option<&'static CModule> {
    static OPERATORS: OnceLock<Option<CModule>> = OnceLock::new();
    let load = || CModule::load_data(&mut Cursor::new(archive().ok()?)).ok();
    OPERATORS.get_or_init(|| tch::utils::has_mkldnn().then(load).flatten()).as_ref()
}

/// What libtorch loads: a zip file without compression.
fn archive() -> ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let members: [(&str, &[u8]); 4] = [
        ("packed/version", b"3\n"),
        ("packed/code/__torch__.py", CODE.as_bytes()),
        ("packed/data.pkl", OBJECT),
        ("packed/constants.pkl", CONSTANTS),
    ];
    for (name, bytes) in members {
        zip.start_file(name, stored)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::place::numbers;

    /// Sixteenths up to ±4, whose products and sums are exact in any order; `bfloat16` holds them, too.
    fn sixteenths(rows: i64, columns: i64, seed: i64) -> Tensor {
        let count = usize::try_from(rows * columns).unwrap();
        let values: Vec<f32> =
            (0..count as i64).map(|n| ((n * 37 + seed * 11) % 129 - 64) as f32 / 16.0).collect();
        Place::default().tensor(&values).unwrap().reshape([rows, columns])
    }

    #[test]
    fn products_are_those_of_plain_matrices() {
        if !packs(Kind::Float) {
            return;
        }
        let shapes = [(0, 3, 2), (1, 1, 1), (1, 7, 3), (5, 64, 64), (70, 48, 100), (33, 129, 2)];
        for (rows, from, to) in shapes {
            let [x, matrix] = [sixteenths(rows, from, 1), sixteenths(to, from, 2)];
            let bias = sixteenths(1, to, 3).reshape([to]);
            let packed = pack(&matrix).unwrap();
            assert!(packed.is_mkldnn());
            for bias in [None, Some(&bias)] {
                let [own, plain] = [&packed, &matrix].map(|m| multiply(&x, m, bias).unwrap());
                assert_eq!(own.size(), [rows, to]);
                assert_eq!(numbers(&own).unwrap(), numbers(&plain).unwrap(), "{rows} {from} {to}");
            }
        }
    }

    #[test]
    fn functions_are_those_of_plain_products() {
        if !packs(Kind::Float) {
            return;
        }
        let [x, matrix] = [sixteenths(9, 20, 1), sixteenths(33, 20, 2) / 16.0];
        let plain = multiply(&x, &matrix, None).unwrap();
        assert!(multiply_then(Activation::Relu, &x, &matrix, None).is_none());
        for (by, expected) in [
            (Activation::Gelu, plain.gelu("none")),
            (Activation::GeluTanh, plain.gelu("tanh")),
            (Activation::Relu, plain.relu()),
            (Activation::Silu, plain.silu()),
        ] {
            let own = multiply_then(by, &x, &pack(&matrix).unwrap(), None).unwrap().unwrap();
            for (own, expected) in numbers(&own).unwrap().iter().zip(numbers(&expected).unwrap()) {
                assert!((own - expected).abs() < 1e-5, "{by:?}: {own} and {expected}");
            }
        }
    }

    #[test]
    fn narrow_products_are_those_of_plain_matrices() {
        if !packs(Kind::BFloat16) || ko_eval_model::amx_workaround().is_some() {
            return;
        }
        let [x, matrix] = [sixteenths(9, 32, 1), sixteenths(40, 32, 2)];
        let [x, matrix] = [x, matrix].map(|tensor| tensor.to_kind(Kind::BFloat16));
        let own = multiply(&x, &pack(&matrix).unwrap(), None).unwrap();
        assert_eq!(own.kind(), Kind::BFloat16);
        let plain = multiply(&x, &matrix, None).unwrap();
        assert_eq!(numbers(&own).unwrap(), numbers(&plain).unwrap());
    }
}
