//! The network that gives every character a tag number.
//!
//! A character is seen in a window of 2W + 1 characters around it. Each is a vector (its embedding, with a vector added
//! where the character's word begins and where it ends, and one for the place in the window). Kernels of several lengths slide
//! over the window, the greatest value of each of their outputs is a feature, and two linear layers make of the features
//! one number per tag. [`Kernels`] slide without multiplying; what is left are the two layers, one product of matrices each for
//! many characters.

use super::{
    decoder::Letter,
    kernels::Kernels,
    matrix::{add_product, transposed},
};
use std::collections::HashMap;

/// A linear layer as stored: a row of weights per output, and its bias.
pub(super) struct Layer {
    pub(super) inputs: usize,
    pub(super) weights: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

/// What the files of the network hold.
pub(super) struct Weights {
    /// The length of an embedding, and the number of a kernel's outputs.
    pub(super) width: usize,
    /// How many characters are seen on each side.
    pub(super) window: usize,
    /// The code point of each row of `embeddings`.
    pub(super) characters: Vec<u32>,
    pub(super) embeddings: Vec<f32>,
    pub(super) kernels: Vec<Layer>,
    pub(super) hidden: Layer,
    pub(super) tags: Layer,
}

/// Rows of the embeddings that stand for no character.
pub(super) const PADDING: usize = 0;
const UNKNOWN: usize = 1;
pub(super) const WORD_BEGIN: usize = 2;
pub(super) const WORD_END: usize = 3;
/// How many such rows there are.
pub(super) const RESERVED_ROWS: usize = 4;

/// How many characters go through the layers together: enough for the products, few enough for the cache.
const CHUNK: usize = 128;

pub(super) struct Network {
    rows: Rows,
    kernels: Kernels,
    hidden: Product,
    tags: Product,
}

/// Memory that is used again for every text.
#[derive(Default)]
pub(super) struct Scratch {
    sums: Vec<f32>,
    asked: Vec<usize>,
    features: Vec<f32>,
    hidden: Vec<f32>,
    scores: Vec<f32>,
}

impl Network {
    pub(super) fn new(weights: Weights) -> Self {
        let Weights { width, window, characters, embeddings, kernels, hidden, tags } = weights;
        Self {
            rows: Rows::new(&characters),
            kernels: Kernels::new(width, window, &embeddings, &kernels),
            hidden: Product::new(hidden),
            tags: Product::new(tags),
        }
    }

    /// Gives a tag number to every letter that has none.
    pub(super) fn tag(&self, letters: &mut [Letter], scratch: &mut Scratch) {
        for start in (0..letters.len()).step_by(CHUNK) {
            let end = (start + CHUNK).min(letters.len());
            self.tag_chunk(letters, start, end, scratch);
        }
    }

    fn tag_chunk(&self, letters: &mut [Letter], start: usize, end: usize, scratch: &mut Scratch) {
        let Scratch { sums, asked, features, hidden, scores } = scratch;
        asked.clear();
        let chunk = letters.iter().enumerate().take(end).skip(start);
        asked.extend(chunk.filter(|(_, letter)| letter.tag == 0).map(|(number, _)| number));
        if asked.is_empty() {
            return;
        }
        self.kernels.slide(letters, (start, end), |c| self.rows.of(c), sums);
        features.clear();
        for &number in asked.iter() {
            if let Some(letter) = letters.get(number) {
                self.kernels.pool(letter, number - start, sums, features);
            }
        }
        self.hidden.apply(features, hidden);
        hidden.iter_mut().for_each(|value| *value = value.max(0.0));
        self.tags.apply(hidden, scores);
        let best = scores.chunks_exact(self.tags.bias.len()).map(first_greatest);
        for (number, best) in asked.iter().zip(best) {
            if let Some(letter) = letters.get_mut(*number) {
                letter.tag = best as u16 + 1;
            }
        }
    }
}

/// The rows of characters: those of the Basic Multilingual Plane by code point, and the few beyond.
struct Rows {
    common: Vec<u16>,
    rare: HashMap<char, u16>,
}

impl Rows {
    fn new(characters: &[u32]) -> Self {
        let (mut common, mut rare) = (vec![UNKNOWN as u16; 1 << 16], HashMap::new());
        for (row, code) in (0..=u16::MAX).zip(characters).skip(RESERVED_ROWS) {
            match (common.get_mut(*code as usize), char::from_u32(*code)) {
                (Some(slot), _) => *slot = row,
                (None, Some(c)) => drop(rare.insert(c, row)),
                (None, None) => {}
            }
        }
        Self { common, rare }
    }

    fn of(&self, c: char) -> usize {
        match self.common.get(c as usize) {
            Some(row) => usize::from(*row),
            None => self.rare.get(&c).map_or(UNKNOWN, |row| usize::from(*row)),
        }
    }
}

/// A linear layer in the order in which it multiplies.
struct Product {
    inputs: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Product {
    fn new(layer: Layer) -> Self {
        let weights = transposed(&layer.weights, layer.inputs);
        Self { inputs: layer.inputs, weights, bias: layer.bias }
    }

    fn apply(&self, inputs: &[f32], outputs: &mut Vec<f32>) {
        outputs.clear();
        for _ in 0..inputs.len() / self.inputs {
            outputs.extend_from_slice(&self.bias);
        }
        add_product(inputs, &self.weights, self.inputs, outputs);
    }
}

/// The number of the greatest value; of the first, if there are several.
fn first_greatest(values: &[f32]) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (number, value) in values.iter().enumerate() {
        if *value > best.1 {
            best = (number, *value);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between −1 and 1, the same every time.
    fn numbers(seed: u64) -> impl FnMut(usize) -> Vec<f32> {
        let mut state = seed;
        move |count| {
            let next = |_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 40) as f32 / (1 << 23) as f32 - 1.0
            };
            (0..count).map(next).collect()
        }
    }

    fn weights() -> Weights {
        let mut take = numbers(7);
        let mut layer = |inputs, outputs| Layer {
            inputs,
            weights: take(inputs * outputs),
            bias: take(outputs),
        };
        let (width, characters) =
            (3, vec![0, 0, 0, 0, '가' as u32, '나' as u32, 0x1f600, '.' as u32]);
        Weights {
            width,
            window: 2,
            kernels: vec![layer(2 * width, width), layer(4 * width, width)],
            hidden: layer(2 * width, 16),
            tags: layer(16, 40),
            embeddings: numbers(3)(characters.len() * width)
                .iter()
                .map(|value| 4.0 * value)
                .collect(),
            characters,
        }
    }

    /// A layer by its definition.
    fn apply(layer: &Layer, input: &[f32]) -> Vec<f32> {
        let rows = layer.weights.chunks(layer.inputs).zip(&layer.bias);
        rows.map(|(row, bias)| row.iter().zip(input).map(|(w, x)| w * x).sum::<f32>() + bias)
            .collect()
    }

    /// The network by its definition: the window as a matrix, every kernel slid over it.
    fn slow_tag(weights: &Weights, letters: &[Letter], number: usize) -> u16 {
        let Weights { width, window, characters, embeddings, kernels, hidden, tags } = weights;
        let (width, window, length) = (*width, *window as isize, 2 * *window as isize + 1);
        let letter = &letters[number];
        let embedding = |row: usize| &embeddings[row * width..(row + 1) * width];
        let mut matrix = Vec::new();
        for place in 0..length {
            let other = number as isize + place - window;
            let row = letters.get(other as usize).map_or(0, |other| {
                characters.iter().rposition(|c| *c == other.c as u32).unwrap_or(1)
            });
            for i in 0..width {
                let mut value = embedding(row)[i];
                if place == window - letter.from_start as isize {
                    value += embedding(2)[i];
                }
                if place == window + letter.to_end as isize {
                    value += embedding(3)[i];
                }
                let (p, l) = ((place + 1) as f32, length as f32);
                let share = (i + 1) as f32 / width as f32;
                matrix.push(value + 1.0 - p / l - share * (1.0 - 2.0 * p / l));
            }
        }
        let mut features = Vec::new();
        for kernel in kernels {
            let outputs: Vec<_> = matrix
                .windows(kernel.inputs)
                .step_by(width)
                .map(|input| apply(kernel, input))
                .collect();
            for output in 0..width {
                features.push(outputs.iter().map(|values| values[output]).fold(0.0, f32::max));
            }
        }
        let hidden: Vec<_> =
            apply(hidden, &features).into_iter().map(|value| value.max(0.0)).collect();
        let scores = apply(tags, &hidden);
        (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).unwrap() as u16 + 1
    }

    #[test]
    fn precomputed_sums_are_the_network() {
        let network = Network::new(weights());
        let mut scratch = Scratch::default();
        let mut tags_seen = std::collections::BTreeSet::new();
        for text in [
            "",
            "가",
            "가나",
            "가 나",
            "가나가나나 가.",
            "나😀가 힣가나. 가",
            &"가나 나가😀나나. ".repeat(40),
        ] {
            let mut letters = super::super::decoder::letters(text);
            network.tag(&mut letters, &mut scratch);
            for number in 0..letters.len() {
                let expected = slow_tag(&weights(), &letters, number);
                assert_eq!(letters[number].tag, expected, "{text}, letter {number}");
                tags_seen.insert(expected);
            }
        }
        assert!(tags_seen.len() > 3, "a network that says always the same proves nothing");
    }

    #[test]
    fn known_tags_stay() {
        let network = Network::new(weights());
        let mut letters = super::super::decoder::letters("가나가");
        letters[1].tag = 39;
        network.tag(&mut letters, &mut Scratch::default());
        assert_eq!(letters[1].tag, 39);
        assert!(letters.iter().all(|letter| letter.tag > 0));
    }
}
