//! Sums of floating-point numbers that do not depend on the order of the numbers.

use serde::{Deserialize, Serialize};

/// A sum of finite numbers, kept exactly and rounded once, when it is read.
///
/// Ordinary addition rounds at every step, so shards merged in another order would differ in the
/// last digits. This keeps the sum as a few non-overlapping numbers (Shewchuk, *Adaptive Precision
/// Floating-Point Arithmetic*, 1997); adding costs a handful of operations.
///
/// ```
/// use ko_eval_core::ExactSum;
///
/// let mut sum = ExactSum::default();
/// for x in [1e16, 1.0, -1e16] {
///     sum.add(x);
/// }
/// assert_eq!(sum.value(), 1.0); // 1e16 + 1.0 - 1e16 is 0.0
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<f64>", into = "Vec<f64>")]
pub struct ExactSum {
    /// What the numbers below are too small to change; 0 of nothing. Apart from them, so that the sum
    /// of a single number, as every segment has, allocates nothing.
    high: f64,
    /// The rest, increasing in magnitude, no two overlapping in their bits.
    low: Vec<f64>,
}

/// Written as one list, the greatest last.
impl From<ExactSum> for Vec<f64> {
    fn from(ExactSum { high, mut low }: ExactSum) -> Self {
        if high != 0.0 {
            low.push(high);
        }
        low
    }
}

impl From<Vec<f64>> for ExactSum {
    fn from(mut low: Vec<f64>) -> Self {
        Self { high: low.pop().unwrap_or(0.0), low }
    }
}

/// The sum of two numbers, rounded, and what rounding lost.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let (large, small) = if a.abs() < b.abs() { (b, a) } else { (a, b) };
    let sum = large + small;
    (sum, small - (sum - large))
}

impl ExactSum {
    /// The sum of one number, or of none if it is not finite.
    pub fn of(x: f64) -> Self {
        // As adding does, this makes 0 of −0.
        Self { high: if x.is_finite() { x + 0.0 } else { 0.0 }, low: Vec::new() }
    }

    /// Adds one number. Numbers that are not finite are left out: no score is one.
    pub fn add(&mut self, x: f64) {
        if !x.is_finite() {
            return;
        }
        let mut x = x;
        self.low.retain_mut(|partial| {
            (x, *partial) = two_sum(x, *partial);
            *partial != 0.0
        });
        let error;
        (self.high, error) = two_sum(x, self.high);
        if error != 0.0 {
            self.low.push(error);
        }
        if self.high == 0.0 {
            self.high = self.low.pop().unwrap_or(0.0);
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        other.low.iter().chain([&other.high]).for_each(|&x| self.add(x));
    }

    /// The sum, rounded once.
    pub fn value(&self) -> f64 {
        let mut partials = self.low.iter().rev().copied();
        let mut high = self.high;
        let mut low = 0.0;
        for x in partials.by_ref() {
            let before = high;
            high = before + x;
            low = x - (high - before);
            if low != 0.0 {
                break;
            }
        }
        // Half-way cases: the rest decides which way to round.
        if let Some(next) = partials.next()
            && (low < 0.0) == (next < 0.0)
        {
            let doubled = low * 2.0;
            let rounded = high + doubled;
            if doubled == rounded - high {
                high = rounded;
            }
        }
        high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum_of(numbers: &[f64]) -> f64 {
        let mut sum = ExactSum::default();
        numbers.iter().for_each(|&x| sum.add(x));
        sum.value()
    }

    proptest! {
        #[test]
        fn order_does_not_matter(mut numbers in proptest::collection::vec(-1e6..1e6, 0..40)) {
            let forwards = sum_of(&numbers);
            numbers.reverse();
            prop_assert_eq!(forwards, sum_of(&numbers));
            numbers.sort_by(f64::total_cmp);
            prop_assert_eq!(forwards, sum_of(&numbers));
        }

        #[test]
        fn merged_parts_are_the_whole(a in proptest::collection::vec(-1.0..1.0, 0..20), b in proptest::collection::vec(-1e9..1e9, 0..20)) {
            let whole: Vec<f64> = a.iter().chain(&b).copied().collect();
            let part = |numbers: &[f64]| {
                let mut sum = ExactSum::default();
                numbers.iter().for_each(|&x| sum.add(x));
                sum
            };
            let mut merged = part(&b);
            merged.merge(&part(&a));
            prop_assert_eq!(merged.value(), sum_of(&whole));
        }
    }

    #[test]
    fn one_number_is_as_if_added() {
        for x in [0.0, -0.0, 0.25, -1e300, 5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut sum = ExactSum::default();
            sum.add(x);
            let bits = |sum: &ExactSum| (sum.high.to_bits(), sum.low.clone());
            assert_eq!(bits(&ExactSum::of(x)), bits(&sum), "{x}");
        }
    }

    #[test]
    fn is_written_as_a_list_of_numbers() {
        for (numbers, list) in
            [(vec![], vec![]), (vec![0.5], vec![0.5]), (vec![1e16, 1.0], vec![1.0, 1e16])]
        {
            let mut sum = ExactSum::default();
            numbers.iter().for_each(|&x| sum.add(x));
            let written = serde_json::to_value(&sum).unwrap();
            assert_eq!(written, serde_json::json!(list));
            assert_eq!(serde_json::from_value::<ExactSum>(written).unwrap(), sum);
        }
    }

    #[test]
    fn rounds_once() {
        // Known answers of Python's `math.fsum`.
        assert_eq!(sum_of(&[0.1; 10]), 1.0);
        assert_eq!(sum_of(&[1e100, 1.0, -1e100, 1e-100]), 1.0);
        assert_eq!(sum_of(&[9007199254740992.0, -0.5, -(2f64.powi(-54))]), 9007199254740991.0);
        assert_eq!(sum_of(&[]), 0.0);
    }
}
