//! The kernels that slide over a character's window, computed beforehand.
//!
//! A kernel is linear in what it slides over. So what each of its taps makes of each character of the vocabulary is
//! computed when the network is loaded, as is what it makes of places and of words' ends: a frame. For a text, sliding is adding.

use super::{
    decoder::Letter,
    matrix::add_product,
    network::{Layer, PADDING, WORD_BEGIN, WORD_END},
};

pub(super) struct Kernels {
    /// The length of an embedding, and the number of a kernel's outputs.
    width: usize,
    /// How many characters are seen on each side.
    window: usize,
    /// How many characters each kernel covers.
    lengths: Vec<usize>,
    /// By row of the vocabulary, kernel and tap: what the tap makes of the character.
    taps: Vec<f32>,
    /// By distance from the word's begin, distance to its end, kernel and place in the window: what the kernel makes of
    /// all that is not characters, and its bias.
    frames: Vec<f32>,
}

impl Kernels {
    pub(super) fn new(width: usize, window: usize, embeddings: &[f32], kernels: &[Layer]) -> Self {
        let lengths: Vec<_> = kernels.iter().map(|kernel| kernel.inputs / width).collect();
        let count: usize = lengths.iter().sum();
        let side_by_side = side_by_side(width, kernels);
        let through_taps = |vectors: &[f32]| {
            let mut made = vec![0.0; vectors.len() * count];
            add_product(vectors, &side_by_side, width, &mut made);
            made
        };
        let taps = through_taps(embeddings);
        let frames = Frames {
            width,
            window,
            places: &through_taps(&places(2 * window + 1, width)),
            begin: taps.chunks(count * width).nth(WORD_BEGIN).unwrap_or_default(),
            end: taps.chunks(count * width).nth(WORD_END).unwrap_or_default(),
        };
        let frames = frames.all(kernels);
        Self { width, window, lengths, taps, frames }
    }

    /// What every kernel makes of the characters from each place on, from `window` before `start`: by place and kernel.
    /// `row` is where a character stands in the vocabulary.
    pub(super) fn slide(
        &self,
        letters: &[Letter],
        (start, end): (usize, usize),
        row: impl Fn(char) -> usize,
        sums: &mut Vec<f32>,
    ) {
        let (width, window) = (self.width, self.window);
        let made_of_one = self.lengths.iter().sum::<usize>() * width;
        let stride = self.lengths.len() * width;
        let places = end - start + 2 * window;
        sums.clear();
        sums.resize(places * stride, 0.0);
        for place in 0..places {
            let letter = (start + place).checked_sub(window).and_then(|number| letters.get(number));
            let at = letter.map_or(PADDING, |letter| row(letter.c)) * made_of_one;
            let mut made =
                self.taps.get(at..at + made_of_one).unwrap_or_default().chunks_exact(width);
            for (kernel, length) in self.lengths.iter().enumerate() {
                for (tap, made) in made.by_ref().take(*length).enumerate() {
                    // This tap meets this character where the kernel begins `tap` places before it.
                    let Some(begin) = place.checked_sub(tap) else { continue };
                    let at = begin * stride + kernel * width;
                    if let Some(sum) = sums.get_mut(at..at + width) {
                        add(sum, made);
                    }
                }
            }
        }
    }

    /// Appends a letter's features: the greatest value of each output of each kernel in its window, at least 0. `place` is
    /// where its window begins in `sums`.
    pub(super) fn pool(
        &self,
        letter: &Letter,
        place: usize,
        sums: &[f32],
        features: &mut Vec<f32>,
    ) {
        let (width, beyond) = (self.width, self.window + 1);
        let stride = self.lengths.len() * width;
        let (from_start, to_end) = (letter.from_start as usize, letter.to_end as usize);
        let frame = from_start.min(beyond) * (beyond + 1) + to_end.min(beyond);
        let steps = self.lengths.iter().map(|length| self.steps(*length));
        let frames = self.frames.get(frame * steps.sum::<usize>() * width..).unwrap_or_default();
        let mut frames = frames.chunks_exact(width);
        for (kernel, length) in self.lengths.iter().enumerate() {
            let first = features.len();
            features.resize(first + width, 0.0);
            let greatest = features.get_mut(first..).unwrap_or_default();
            let sums =
                sums.get(place * stride + kernel * width..).unwrap_or_default().chunks(stride);
            for (sum, frame) in sums.zip(frames.by_ref().take(self.steps(*length))) {
                for ((greatest, sum), frame) in greatest.iter_mut().zip(sum).zip(frame) {
                    let value = sum + frame;
                    *greatest = if value > *greatest { value } else { *greatest };
                }
            }
        }
    }

    /// In how many places of a window a kernel fits.
    fn steps(&self, length: usize) -> usize {
        2 * self.window + 2 - length
    }
}

/// All taps of all kernels as one matrix: a row per input, the taps' outputs one after the other.
fn side_by_side(width: usize, kernels: &[Layer]) -> Vec<f32> {
    let mut all = Vec::new();
    for input in 0..width {
        for kernel in kernels {
            for column in (input..kernel.inputs).step_by(width) {
                all.extend(kernel.weights.iter().skip(column).step_by(kernel.inputs));
            }
        }
    }
    all
}

/// What is added for each place in a window of `length` vectors.
fn places(length: usize, width: usize) -> Vec<f32> {
    let (places, length) = (1..=length, length as f32);
    let of_place = |place: usize| {
        let place = place as f32;
        let share = move |i: usize| i as f32 / width as f32;
        (1..=width).map(move |i| 1.0 - place / length - share(i) * (1.0 - 2.0 * place / length))
    };
    places.flat_map(of_place).collect()
}

/// What the taps make of all that is not characters.
struct Frames<'t> {
    width: usize,
    window: usize,
    /// By place in the window, of a word's begin, and of its end.
    places: &'t [f32],
    begin: &'t [f32],
    end: &'t [f32],
}

impl Frames<'_> {
    /// Every frame; distances beyond the window are all alike.
    fn all(&self, kernels: &[Layer]) -> Vec<f32> {
        let distances = 0..self.window + 2;
        let pairs = distances.clone().flat_map(|a| distances.clone().map(move |b| (a, b)));
        pairs.flat_map(|(from_start, to_end)| self.of(kernels, from_start, to_end)).collect()
    }

    /// The frames of a letter that stands so far from its word's begin and end.
    fn of(&self, kernels: &[Layer], from_start: usize, to_end: usize) -> Vec<f32> {
        let begins_at = self.window.checked_sub(from_start);
        let ends_at = Some(self.window + to_end).filter(|_| to_end <= self.window);
        let all_taps = self.begin.len();
        let (mut frames, mut first_tap) = (Vec::new(), 0);
        for kernel in kernels {
            let taps = kernel.inputs / self.width;
            for at in 0..2 * self.window + 2 - taps {
                let mut frame = kernel.bias.clone();
                for tap in 0..taps {
                    let place = Some(at + tap);
                    let skipped = (first_tap + tap) * self.width;
                    let mut add_made =
                        |made: &[f32]| add(&mut frame, made.get(skipped..).unwrap_or_default());
                    add_made(self.places.get((at + tap) * all_taps..).unwrap_or_default());
                    if place == begins_at {
                        add_made(self.begin);
                    }
                    if place == ends_at {
                        add_made(self.end);
                    }
                }
                frames.extend(frame);
            }
            first_tap += taps;
        }
        frames
    }
}

fn add(sum: &mut [f32], values: &[f32]) {
    sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}
