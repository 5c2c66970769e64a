//! The few greatest numbers of long rows.

use crate::error::Result;
use tch::{Kind, Tensor};

/// Numbers of a row that are looked at together.
const CHUNK: i64 = 64;

/// So many of the greatest numbers of every row, greatest first, and their places; which of equal numbers is left open.
///
/// `topk` moves every number of a row about. But its greatest `wanted` numbers lie in as many chunks, those whose own greatest number is
/// greatest: only these, and what does not fill a chunk at the end, are worth ranking.
pub(crate) fn greatest(rows: &Tensor, wanted: i64) -> Result<(Tensor, Tensor)> {
    let (count, width) = rows.size2()?;
    let chunks = width / CHUNK;
    if chunks <= wanted {
        return Ok(rows.f_topk(wanted, 1, true, true)?);
    }
    let whole = chunks * CHUNK;
    let tops = rows.f_narrow(1, 0, whole)?.f_view([count, chunks, CHUNK])?.f_amax([-1], false)?;
    let (_, best) = tops.f_topk(wanted, 1, true, false)?;
    let numbers = |from, to| Tensor::f_arange_start(from, to, (Kind::Int64, rows.device()));
    let within = best.f_unsqueeze(2)?.f_mul_scalar(CHUNK)?.f_add(&numbers(0, CHUNK)?)?;
    let end = numbers(whole, width)?.f_expand([count, -1], false)?;
    let places = Tensor::f_cat(&[within.f_view([count, -1])?, end], 1)?;
    let (values, chosen) = rows.f_gather(1, &places, false)?.f_topk(wanted, 1, true, true)?;
    Ok((values, places.f_gather(1, &chosen, false)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{numbers, place::whole_numbers};

    /// Numbers without an order, no two of a row alike.
    fn rows(count: i64, width: i64) -> Tensor {
        let places = Tensor::arange(count * width, (Kind::Int64, tch::Device::Cpu));
        ((places * 7919).remainder(104_729)).to_kind(Kind::Float).view([count, width])
    }

    #[test]
    fn they_are_those_of_all() {
        for (count, width, wanted) in
            [(3, 10_000, 20), (1, 1_337, 20), (2, 64 * 21 + 63, 20), (2, 90, 5), (1, 7, 7)]
        {
            let rows = rows(count, width);
            let [(values, places), (expected, at)] =
                [greatest(&rows, wanted).unwrap(), rows.topk(wanted, 1, true, true)];
            assert_eq!(numbers(&values).unwrap(), numbers(&expected).unwrap());
            assert_eq!(whole_numbers(&places).unwrap(), whole_numbers(&at).unwrap());
        }
    }

    #[test]
    fn what_is_forbidden_comes_last() {
        let rows = Tensor::full([1, 10_000], f64::NEG_INFINITY, (Kind::Float, tch::Device::Cpu));
        let _ = rows.narrow(1, 9_999, 1).fill_(-3.0);
        let _ = rows.narrow(1, 77, 1).fill_(-4.0);
        let (values, places) = greatest(&rows, 3).unwrap();
        assert_eq!(numbers(&values).unwrap(), [-3.0, -4.0, f32::NEG_INFINITY]);
        assert_eq!(whole_numbers(&places).unwrap()[..2], [9_999, 77]);
    }
}
