//! The forms in which concepts stand in sentences: what a constrained search may choose from.
//!
//! A concept is a surface that an analyzer cuts out of a word (쳤, 야구 선수). The words that hold it are learned from sentences: of 먹 they may be
//! *먹었다*, *먹고*, *먹는*. A word with more than one concept in it is a form of each.

use ko_eval_core::{Result, par_map};
use ko_eval_io::Progress;
use ko_tokenize::MorphemeAnalyzer;
use std::collections::{BTreeMap, BTreeSet};

/// Sentences that are in memory at once.
const CHUNK: usize = 2048;

/// Words by the concepts that they hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inflections {
    words: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Inflections {
    /// Learns the words of some concepts from sentences.
    ///
    /// # Errors
    /// When a sentence cannot be analysed.
    pub fn learn(
        analyzer: &dyn MorphemeAnalyzer,
        concepts: &BTreeSet<&str>,
        sentences: &[&str],
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut words: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
        progress.begin("forms", Some(sentences.len() as u64));
        for some in sentences.chunks(CHUNK) {
            let found = par_map(some, |sentence| -> Result<Vec<(String, String)>> {
                let morphemes = analyzer.analyze(sentence)?;
                let held = morphemes.iter().filter(|morpheme| concepts.contains(&*morpheme.form));
                let word = |morpheme: &ko_tokenize::Morpheme<'_>| {
                    let word = around(sentence, morpheme.span.clone())?;
                    Some((morpheme.form.clone().into_owned(), word.to_owned()))
                };
                Ok(held.filter_map(word).collect())
            })?;
            for (concept, word) in found.into_iter().flatten() {
                *words.entry(concept).or_default().entry(word).or_default() += 1;
            }
            progress.advance(some.len() as u64);
        }
        Ok(Self { words })
    }

    /// The forms of a concept, the concept itself first, then the words that hold it, the commonest first, at most `most` of them.
    pub fn of(&self, concept: &str, most: usize) -> Vec<String> {
        let known = self.words.get(concept).into_iter().flatten();
        let mut known: Vec<(&String, &u64)> = known.filter(|(word, _)| *word != concept).collect();
        known.sort_by_key(|(word, count)| (std::cmp::Reverse(**count), *word));
        let words = known.into_iter().take(most).map(|(word, _)| word.clone());
        std::iter::once(concept.to_owned()).chain(words).collect()
    }
}

/// The word around a place, without what stands at its sides and is no letter.
fn around(sentence: &str, span: std::ops::Range<usize>) -> Option<&str> {
    let before = sentence.get(..span.start)?;
    let start = before.rfind(char::is_whitespace).map_or(0, |space| {
        space + before.get(space..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    });
    let after = sentence.get(span.end..)?;
    let end = after.find(char::is_whitespace).map_or(sentence.len(), |space| span.end + space);
    let word = sentence.get(start..end)?.trim_matches(|c: char| !c.is_alphanumeric());
    Some(word).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ko_eval_core::{Signature, Signed, Token, Tokenizer};
    use ko_tokenize::Morpheme;

    /// Cuts the first syllable off every word.
    #[derive(Debug)]
    struct FirstSyllable;

    impl Signed for FirstSyllable {
        fn signature(&self) -> Signature {
            Signature::new("first-syllable")
        }
    }

    impl Tokenizer for FirstSyllable {
        fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
            Ok(self.analyze(text)?.into_iter().map(|m| Token::new(m.form, m.span)).collect())
        }
    }

    impl MorphemeAnalyzer for FirstSyllable {
        fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
            let morpheme = |word: &'t str| {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                let first = word.chars().next().map_or(0, char::len_utf8);
                let form = |range: std::ops::Range<usize>| Morpheme {
                    form: text[range.clone()].into(),
                    tag: "VV".into(),
                    span: range,
                };
                [form(start..start + first), form(start + first..start + word.len())]
            };
            Ok(text.split_whitespace().flat_map(morpheme).collect())
        }
    }

    #[test]
    fn words_are_learned_by_what_they_hold() {
        let concepts = BTreeSet::from(["먹", "공"]);
        let sentences = ["밥을 먹었다.", "국을 먹고 밥을 먹었다.", "공을 찬다"];
        let learned = Inflections::learn(&FirstSyllable, &concepts, &sentences, &()).unwrap();
        assert_eq!(learned.of("먹", 5), ["먹", "먹었다", "먹고"]);
        assert_eq!(learned.of("먹", 1), ["먹", "먹었다"]);
        assert_eq!(learned.of("공", 5), ["공", "공을"]);
        assert_eq!(learned.of("야구 선수", 5), ["야구 선수"]);
    }
}
