//! T5's positions: a number per head for how far a key is from a query, in buckets that widen with the distance.

use crate::{
    error::Result,
    model::{place::Place, weights::Tensors},
};
use tch::Tensor;

/// A learned bias per bucket and head.
#[derive(Debug)]
pub(crate) struct RelativeBias {
    table: Tensor,
    buckets: Buckets,
}

/// How distances fall into buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Buckets {
    pub(crate) count: i64,
    /// The distance from which on all fall into the last.
    pub(crate) farthest: i64,
    /// Whether keys after the query have buckets of their own.
    pub(crate) both_ways: bool,
}

impl RelativeBias {
    pub(crate) fn load(
        weights: &mut Tensors,
        name: &str,
        heads: i64,
        buckets: Buckets,
    ) -> Result<Self> {
        let table = weights.take(&format!("{name}.weight"), &[buckets.count, heads])?;
        Ok(Self { table, buckets })
    }

    /// `[1, heads, queries, keys]`: the last `queries` of `keys` places look at all of them.
    pub(crate) fn forward(&self, queries: i64, keys: i64) -> Result<Tensor> {
        let places = keys - queries..keys;
        let rows: Vec<i64> =
            places.flat_map(|q| (0..keys).map(move |k| self.buckets.of(k - q))).collect();
        let rows = Place::of(&self.table).tensor(&rows)?;
        let bias = Tensor::f_embedding(&self.table, &rows, -1, false, false)?;
        Ok(bias.f_view([queries, keys, -1])?.f_permute([2, 0, 1])?.f_unsqueeze(0)?)
    }
}

impl Buckets {
    /// The bucket of a key's place less the query's.
    fn of(self, distance: i64) -> i64 {
        let (mut count, mut first) = (self.count, 0);
        let away = if self.both_ways {
            count /= 2;
            first = if distance > 0 { count } else { 0 };
            distance.abs()
        } else {
            (-distance).max(0)
        };
        // Half of them for single distances, the other half for ranges that grow by a factor.
        let single = count / 2;
        if away < single {
            return first + away;
        }
        // In single precision, as the reference: at the edge of a bucket the last bit decides.
        let grown = (away as f32 / single as f32).ln()
            / ((self.farthest as f64 / single as f64).ln() as f32)
            * (count - single) as f32;
        first + (single + grown as i64).min(count - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_widen_with_the_distance() {
        let one_way = Buckets { count: 32, farthest: 128, both_ways: false };
        let of = |distance: &i64| one_way.of(*distance);
        assert_eq!(
            [5, 0, -1, -15, -16, -20, -127, -1000].iter().map(of).collect::<Vec<_>>(),
            [0, 0, 1, 15, 16, 17, 31, 31]
        );
        let both = Buckets { both_ways: true, ..one_way };
        let of = |distance: &i64| both.of(*distance);
        assert_eq!(
            [0, -7, -8, 1, 7, 8, 1000, -1000].iter().map(of).collect::<Vec<_>>(),
            [0, 7, 8, 17, 23, 24, 31, 15]
        );
    }
}
