//! What NumPy does, to the bit: its sums, and the generator behind mt-metrics-eval's soft pairwise accuracy.

/// The sum of doubles as NumPy adds them up: eight at a time, long lists by halves. Where differences of means are compared
/// with each other, the last bit decides ties.
pub(super) fn pairwise_sum(values: &[f64]) -> f64 {
    match values.len() {
        0..8 => values.iter().sum(),
        8..=128 => {
            let (eights, rest) = values.as_chunks::<8>();
            let mut sums = [0.0; 8];
            for (number, chunk) in eights.iter().enumerate() {
                for (sum, value) in sums.iter_mut().zip(chunk) {
                    *sum = if number == 0 { *value } else { *sum + value };
                }
            }
            let [a, b, c, d, e, f, g, h] = sums;
            let sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
            rest.iter().fold(sum, |sum, value| sum + value)
        }
        len => {
            let half = len / 2;
            let (left, right) = values.split_at(half - half % 8);
            pairwise_sum(left) + pairwise_sum(right)
        }
    }
}

/// The mean as NumPy takes it; 0 of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { pairwise_sum(values) / values.len() as f64 }
}

/// PCG64 (XSL RR 128/64, O'Neill 2014) as `numpy.random.default_rng(seed)` makes it for seeds below 2³².
#[derive(Debug)]
pub(super) struct Pcg64 {
    state: u128,
    increment: u128,
    /// The upper half of the last number, where the lower one was given.
    spare: Option<u32>,
}

const MULTIPLIER: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;

impl Pcg64 {
    pub(super) fn new(seed: u32) -> Self {
        let [a, b, c, d] = seed_sequence(seed);
        let (start, stream) =
            (u128::from(a) << 64 | u128::from(b), u128::from(c) << 64 | u128::from(d));
        let mut pcg = Self { state: 0, increment: stream << 1 | 1, spare: None };
        pcg.step();
        pcg.state = pcg.state.wrapping_add(start);
        pcg.step();
        pcg
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    fn next_u64(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    pub(super) fn next_u32(&mut self) -> u32 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let both = self.next_u64();
        self.spare = Some((both >> 32) as u32);
        both as u32
    }

    /// Whether a random single in [0, 1), rounded to a whole number, is 1. NumPy rounds a half to 0.
    pub(super) fn rounds_up(&mut self) -> bool {
        self.next_u32() >> 8 > 1 << 23
    }
}

/// What NumPy's `SeedSequence(seed)` gives PCG64: four words, mixed from the seed alone.
fn seed_sequence(seed: u32) -> [u64; 4] {
    const INIT_A: u32 = 0x43b0_d7e5;
    const MULT_A: u32 = 0x931e_8875;
    const INIT_B: u32 = 0x8b51_f9dd;
    const MULT_B: u32 = 0x58f3_8ded;
    const MIX_L: u32 = 0xca01_f9dd;
    const MIX_R: u32 = 0x4973_f715;
    let mut constant = INIT_A;
    let mut hash = |value: u32| {
        let value = value ^ constant;
        constant = constant.wrapping_mul(MULT_A);
        let value = value.wrapping_mul(constant);
        value ^ value >> 16
    };
    let mix = |x: u32, y: u32| {
        let mixed = x.wrapping_mul(MIX_L).wrapping_sub(y.wrapping_mul(MIX_R));
        mixed ^ mixed >> 16
    };
    let mut pool = [seed, 0, 0, 0].map(&mut hash);
    for source in 0..pool.len() {
        let value = pool.get(source).copied().unwrap_or_default();
        for (place, target) in pool.iter_mut().enumerate() {
            if place != source {
                *target = mix(*target, hash(value));
            }
        }
    }
    let mut constant = INIT_B;
    let mut word = |value: u32| {
        let value = value ^ constant;
        constant = constant.wrapping_mul(MULT_B);
        let value = value.wrapping_mul(constant);
        u64::from(value ^ value >> 16)
    };
    let mut cycle = pool.into_iter().cycle();
    let mut next = || word(cycle.next().unwrap_or_default());
    std::array::from_fn(|_| next() | next() << 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.random.default_rng(4).integers(0, 2**32, 4, dtype=numpy.uint32)` and the words of `SeedSequence(4)`, NumPy 2.
    #[test]
    fn numbers_are_numpys() {
        let golden = include_str!("../../tests/golden/pcg64.txt");
        let mut pcg = Pcg64::new(4);
        for line in golden.lines().filter(|line| !line.starts_with('#')) {
            assert_eq!(pcg.next_u32().to_string(), line);
        }
    }

    #[test]
    fn sums_are_sums() {
        for n in [0, 1, 7, 8, 9, 128, 129, 1000, 4099] {
            let values: Vec<f64> = (0..n).map(|i| f64::from(i * 37 % 101)).collect();
            assert_eq!(pairwise_sum(&values), values.iter().sum::<f64>());
        }
    }
}
