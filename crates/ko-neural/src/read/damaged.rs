//! What noise leaves of sentences: a model that writes learns to use what it reads by restoring them, as BART was pretrained.

use rand::{RngExt as _, SeedableRng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;

/// Of every sentence two words of three, each without a part of its end, in any order, joined by `between`; the same for the same seed.
///
/// A damaged sentence looks like a set of concepts to be put into a sentence, so it serves as a source whose target is the whole one: a first
/// stage for a model that begins at random.
///
/// ```
/// use ko_neural::read::damaged;
///
/// let sentence = "야구 선수가 공을 힘껏 쳤다.";
/// let sources = damaged(&[sentence, "비가 온다."], " # ", 1);
/// assert_eq!(sources.len(), 2);
/// // Four of five words, each as it begins.
/// let beginnings: Vec<&str> = sources[0].split(" # ").collect();
/// assert_eq!(beginnings.len(), 4);
/// assert!(beginnings.iter().all(|part| sentence.split(' ').any(|word| word.starts_with(part))));
/// ```
pub fn damaged<S: AsRef<str>>(sentences: &[S], between: &str, seed: u64) -> Vec<String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let damage = |sentence: &S| {
        let words = sentence.as_ref().split_whitespace();
        let mut beginnings: Vec<String> = words
            .map(|word| word.chars().take(rng.random_range(1..=word.chars().count())).collect())
            .collect();
        beginnings.shuffle(&mut rng);
        beginnings.truncate((beginnings.len() * 2).div_ceil(3));
        beginnings.join(between)
    };
    sentences.iter().map(damage).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_words_remain_as_they_begin() {
        let sentences = ["어제 친구와 국밥을 먹었다.", "온다", "", "  "];
        let first = damaged(&sentences, "#", 3);
        assert_eq!(first, damaged(&sentences, "#", 3));
        assert_ne!(first, damaged(&sentences, "#", 4));
        let [long, short, empty, blank] = first.as_slice() else { panic!("{first:?}") };
        assert_eq!(long.split('#').count(), 3, "{long}");
        assert!("온다".starts_with(short.as_str()) && !short.is_empty(), "{short}");
        assert_eq!([empty.as_str(), blank], ["", ""]);
    }
}
