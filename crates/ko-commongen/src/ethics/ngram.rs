//! Logistic regression on the character n-grams of a text (1 to 4 characters, each counted once).
//!
//! p = 1 / (1 + exp(−(w·x + b))) with x of length 1; weights by AdaGrad over a few passes, and a
//! feature must occur in two texts to count. One text costs O(4 × characters).
//!
//! It knows only the sort of text that it learnt from: after news comments alone it takes plain statements about
//! men and women for offensive far too often. Add harmless sentences of the sort that will be judged to the
//! comments, or raise the threshold with [`NgramFlagger::at`].

use super::{Flagger, checked_threshold};
use crate::{
    Error,
    model_file::{self, Hash, Reader, Writer},
};
use ko_eval_core::{ExactSum, Result, Signature, Signed, par_map};
use ko_eval_io::read::Lines;
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::path::Path;

const MARK: &[u8; 8] = b"KOCGETH1";
const LONGEST: usize = 4;
const EPOCHS: usize = 12;
const RATE: f32 = 0.5;
/// Keeps weights of rare n-grams small.
const SHRINK: f32 = 1e-5;

/// A text and whether people found it offensive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The text.
    pub text: String,
    /// What people said.
    pub offensive: bool,
}

/// Reads a table of comments with a header, as the Korean hate-speech corpus has it: the text in
/// `comments`, the label in `hate`; every label but `none` is offensive.
///
/// # Errors
/// When the file cannot be read, a column is missing or a line is short.
pub fn read_comments(path: &Path) -> Result<Vec<Comment>> {
    let mut lines = Lines::open(path)?;
    let header = lines.next().transpose()?.unwrap_or_default();
    let column = |name: &str| {
        header
            .split('\t')
            .position(|column| column == name)
            .ok_or_else(|| lines.error(format!("the header has no column `{name}`")))
    };
    let (text, label) = (column("comments")?, column("hate")?);
    let mut comments = Vec::new();
    while let Some(line) = lines.next() {
        let line = line?;
        let columns: Vec<&str> = line.split('\t').collect();
        let (Some(text), Some(label)) = (columns.get(text), columns.get(label)) else {
            return Err(lines.error(format!("{} columns are too few", columns.len())));
        };
        comments.push(Comment { text: (*text).to_owned(), offensive: *label != "none" });
    }
    Ok(comments)
}

/// A trained flagger.
#[derive(Debug, Clone, PartialEq)]
pub struct NgramFlagger {
    weights: FxHashMap<u64, f32>,
    bias: f32,
    threshold: f64,
}

/// How well a flagger does on held-out comments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Offensive and flagged.
    pub right_flags: usize,
    /// Flagged, but harmless.
    pub false_flags: usize,
    /// Offensive, but not flagged.
    pub missed: usize,
    /// Harmless and not flagged.
    pub right_passes: usize,
}

impl Outcome {
    /// Compares a flagger with what people said.
    ///
    /// # Errors
    /// When the flagger fails.
    pub fn of(flagger: &dyn Flagger, comments: &[Comment]) -> Result<Self> {
        let mut outcome = Self::default();
        let texts: Vec<&str> = comments.iter().map(|comment| comment.text.as_str()).collect();
        for (comment, found) in comments.iter().zip(flagger.probabilities(&texts)?) {
            let flagged = found.iter().any(|probability| *probability >= flagger.threshold());
            *match (comment.offensive, flagged) {
                (true, true) => &mut outcome.right_flags,
                (false, true) => &mut outcome.false_flags,
                (true, false) => &mut outcome.missed,
                (false, false) => &mut outcome.right_passes,
            } += 1;
        }
        Ok(outcome)
    }

    /// The share of comments judged as people did.
    pub fn accuracy(&self) -> f64 {
        let right = self.right_flags + self.right_passes;
        right as f64 / (right + self.false_flags + self.missed).max(1) as f64
    }

    /// F1 of the offensive ones.
    pub fn f1(&self) -> f64 {
        let both = 2 * self.right_flags + self.false_flags + self.missed;
        2.0 * self.right_flags as f64 / both.max(1) as f64
    }
}

impl NgramFlagger {
    /// Learns from labelled comments; flags from probability 0.5 on.
    ///
    /// # Errors
    /// [`Error::NoTrainingData`] unless there are comments of both sorts.
    pub fn train(comments: &[Comment], seed: u64) -> Result<Self, Error> {
        let offensive = comments.iter().filter(|comment| comment.offensive).count();
        if offensive == 0 || offensive == comments.len() {
            return Err(Error::NoTrainingData("comments of both sorts are needed"));
        }
        let mut seen: FxHashMap<u64, u32> = FxHashMap::default();
        let texts: Vec<Vec<u64>> = comments.iter().map(|comment| ngrams(&comment.text)).collect();
        for key in texts.iter().flatten() {
            *seen.entry(*key).or_default() += 1;
        }
        // Each n-gram's weight with the sum of its squared gradients.
        let mut cells: FxHashMap<u64, (f32, f32)> =
            seen.into_iter().filter(|(_, n)| *n > 1).map(|(key, _)| (key, (0.0, 1e-3))).collect();
        let mut bias = (0.0f32, 1e-3f32);
        let mut order: Vec<usize> = (0..comments.len()).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..EPOCHS {
            order.shuffle(&mut rng);
            let examples = order.iter().filter_map(|&i| texts.get(i).zip(comments.get(i)));
            for (keys, comment) in examples {
                let known = keys.iter().filter_map(|key| cells.get(key)).map(|cell| cell.0);
                let (sum, count) = known.fold((0.0, 0usize), |(s, n), w| (s + w, n + 1));
                let scale = 1.0 / (count.max(1) as f32).sqrt();
                let target = if comment.offensive { 1.0 } else { 0.0 };
                let error = sigmoid(sum * scale + bias.0) - target;
                let step = |cell: &mut (f32, f32), gradient: f32| {
                    cell.1 += gradient * gradient;
                    cell.0 -= RATE * gradient / cell.1.sqrt();
                };
                for key in keys {
                    if let Some(cell) = cells.get_mut(key) {
                        let gradient = error * scale + SHRINK * cell.0;
                        step(cell, gradient);
                    }
                }
                step(&mut bias, error);
            }
        }
        let weights = cells.into_iter().map(|(key, cell)| (key, cell.0)).collect();
        Ok(Self { weights, bias: bias.0, threshold: 0.5 })
    }

    /// Flags from this probability on.
    ///
    /// # Errors
    /// [`Error::BadSetting`] unless it is between 0 and 1.
    pub fn at(mut self, threshold: f64) -> Result<Self, Error> {
        self.threshold = checked_threshold(threshold)?;
        Ok(self)
    }

    /// Writes the model to a file; the threshold is not part of it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let mut out = Writer::new(MARK);
        out.weight(self.bias);
        out.count(self.weights.len());
        let mut cells: Vec<_> = self.weights.iter().collect();
        cells.sort_unstable_by_key(|(key, _)| **key);
        for (&key, &weight) in cells {
            out.key(key);
            out.weight(weight);
        }
        out.save(path)
    }

    /// Reads a model, or learns from a table of comments, whichever the file is.
    ///
    /// # Errors
    /// As [`NgramFlagger::load`], [`read_comments`] and [`NgramFlagger::train`].
    pub fn open(path: &Path) -> Result<Self> {
        if model_file::is_marked(path, MARK)? {
            return Self::load(path);
        }
        Ok(Self::train(&read_comments(path)?, 42)?)
    }

    /// Reads a model that [`NgramFlagger::save`] wrote.
    ///
    /// # Errors
    /// When the file cannot be read or is no such model.
    pub fn load(path: &Path) -> Result<Self> {
        model_file::load(path, Self::from_bytes)
    }

    /// Reads the bytes of such a file.
    ///
    /// # Errors
    /// [`Error::BadModel`] when they are no such model.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut file = Reader::new(bytes, MARK)?;
        let bias = file.weight()?;
        let cells = (0..file.count(12)?).map(|_| Ok((file.key()?, file.weight()?)));
        let weights = cells.collect::<Result<_, Error>>()?;
        file.end()?;
        Ok(Self { weights, bias, threshold: 0.5 })
    }
}

impl Signed for NgramFlagger {
    fn signature(&self) -> Signature {
        // The sum of all weights tells two models apart.
        let mut sum = ExactSum::default();
        self.weights.values().for_each(|w| sum.add(f64::from(*w).abs()));
        Signature::new("ngram-logistic")
            .with("threshold", self.threshold)
            .with("features", self.weights.len())
            .with("weight", format!("{:.3}", sum.value()))
    }
}

impl Flagger for NgramFlagger {
    fn labels(&self) -> Vec<String> {
        vec!["hate".into()]
    }

    fn probabilities(&self, texts: &[&str]) -> Result<Vec<Vec<f64>>> {
        par_map(texts, |text| {
            let mut known: Vec<f32> =
                ngrams(text).iter().filter_map(|key| self.weights.get(key).copied()).collect();
            // In a fixed order, so that the last digits do not depend on the map's.
            known.sort_unstable_by(f32::total_cmp);
            let scale = 1.0 / (known.len().max(1) as f32).sqrt();
            Ok(vec![f64::from(sigmoid(known.iter().sum::<f32>() * scale + self.bias))])
        })
    }

    fn threshold(&self) -> f64 {
        self.threshold
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The distinct n-grams of a text, with a mark at both ends; runs of a character count as two.
fn ngrams(text: &str) -> Vec<u64> {
    let mut chars = vec!['\u{2}'];
    for c in text.split_whitespace().flat_map(|word| word.chars().chain([' '])) {
        let c = c.to_lowercase().next().unwrap_or(c);
        if !chars.ends_with(&[c, c]) {
            chars.push(c);
        }
    }
    chars.push('\u{3}');
    let windows = (1..=LONGEST).flat_map(|n| chars.windows(n));
    let mut keys: Vec<u64> = windows
        .map(|gram| Hash::new(gram.len() as u32).chars(gram.iter().copied()).value())
        .collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comments() -> Vec<Comment> {
        let bad = [
            "정말 한심한 바보네",
            "바보 같은 소리 그만해",
            "저런 멍청이는 처음 본다",
            "멍청이들 참 많다",
        ];
        let good = [
            "오늘 날씨가 참 좋네",
            "노래가 정말 아름답다",
            "다음 이야기가 기대된다",
            "모두 건강하세요",
        ];
        let comment = |text: &&str, offensive| Comment { text: (*text).into(), offensive };
        bad.iter().map(|t| comment(t, true)).chain(good.iter().map(|t| comment(t, false))).collect()
    }

    #[test]
    fn learns_and_loads_back() {
        let flagger = NgramFlagger::train(&comments(), 42).unwrap();
        assert_eq!(Outcome::of(&flagger, &comments()).unwrap().accuracy(), 1.0);
        assert!(
            flagger.probability("바보 멍청이").unwrap()
                > flagger.probability("노래가 좋네").unwrap()
        );
        let file = tempfile::NamedTempFile::new().unwrap();
        flagger.save(file.path()).unwrap();
        assert_eq!(NgramFlagger::open(file.path()).unwrap(), flagger);
        std::fs::write(file.path(), b"KOCGETH1\0\0\0\0\xff\0\0\0").unwrap();
        assert!(NgramFlagger::load(file.path()).is_err());
        // Two n-grams whose weights are numbers, but whose sum is none.
        let most = f32::MAX.to_le_bytes();
        let huge = [&MARK[..], &[0; 4], &[1, 0, 0, 0], &[0; 8], &most].concat();
        assert!(NgramFlagger::from_bytes(&huge).unwrap_err().to_string().contains("no training"));
        assert!(flagger.clone().at(1.5).is_err() && flagger.at(0.9).is_ok());
    }

    #[test]
    fn one_sort_alone_teaches_nothing() {
        let good: Vec<_> = comments().into_iter().filter(|c| !c.offensive).collect();
        assert!(NgramFlagger::train(&good, 42).is_err());
        assert!(NgramFlagger::train(&[], 42).is_err());
    }

    #[test]
    fn reads_the_published_table() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(
            file.path(),
            "comments\tbias\thate\n좋네\tnone\tnone\n바보\tnone\toffensive\n",
        )
        .unwrap();
        let read = read_comments(file.path()).unwrap();
        assert_eq!(read.iter().map(|c| c.offensive).collect::<Vec<_>>(), [false, true]);
        assert!(NgramFlagger::open(file.path()).is_ok());
        std::fs::write(file.path(), "comments\tbias\thate\n좋네\n").unwrap();
        assert!(read_comments(file.path()).unwrap_err().to_string().contains(":2:"));
    }
}
