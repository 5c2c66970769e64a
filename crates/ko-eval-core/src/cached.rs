//! A tokenizer that remembers: every metric of a unit sees the same texts again.

use crate::{Pieces, Result, Signature, Signed, Token, Tokenizer, Vocabulary, parallel::par_map};
use rustc_hash::FxHashMap;
use std::sync::{PoisonError, RwLock};

/// A tokenizer with a memory of bounded size. Its signature is the tokenizer's own.
///
/// Units that are pieces of the text are remembered by their places, others (restored morphemes, jamo) as they are, so
/// that no text is cut twice however slow the tokenizer is. A full memory forgets nothing and takes nothing more in.
///
/// ```
/// use ko_eval_core::{Cached, Tokenizer};
/// # use ko_eval_core::{Result, Signature, Signed, Token};
/// # #[derive(Debug)] struct Letters;
/// # impl Signed for Letters { fn signature(&self) -> Signature { Signature::new("letters") } }
/// # impl Tokenizer for Letters {
/// #     fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
/// #         Ok(text.char_indices().map(|(i, c)| Token::new(&text[i..i + c.len_utf8()], i..i + c.len_utf8())).collect())
/// #     }
/// # }
/// let units = Cached::new(Letters, 1 << 20);
/// assert_eq!(units.tokenize("비가")?, units.tokenize("비가")?);
/// assert_eq!(units.remembered(), 1);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Cached<T> {
    tokenizer: T,
    /// In bytes of texts and units.
    limit: usize,
    memory: RwLock<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    texts: FxHashMap<Box<str>, Units>,
    bytes: usize,
}

impl Memory {
    fn insert(&mut self, text: &str, units: Units, limit: usize) {
        let cost = text.len() + units.bytes();
        if self.bytes + cost <= limit && self.texts.insert(text.into(), units).is_none() {
            self.bytes += cost;
        }
    }
}

/// The units of a text.
#[derive(Debug)]
struct Units {
    spans: Box<[(u32, u32)]>,
    /// Where they are no pieces of the text: all of them in a row, and where each ends.
    made: Option<(Box<str>, Box<[u32]>)>,
}

impl Units {
    fn of(text: &str, tokens: &[Token<'_>]) -> Self {
        let as_written =
            |token: &Token<'_>| text.get(token.span()).is_some_and(|piece| token == piece);
        let made = (!tokens.iter().all(as_written)).then(|| {
            let row: String = tokens.iter().map(|token| token.as_str()).collect();
            let ends = tokens.iter().scan(0, |end, token| {
                *end += token.as_str().len() as u32;
                Some(*end)
            });
            (row.into_boxed_str(), ends.collect())
        });
        let spans = tokens.iter().map(|t| (t.span().start as u32, t.span().end as u32)).collect();
        Self { spans, made }
    }

    /// What they take in memory.
    fn bytes(&self) -> usize {
        let made = self.made.as_ref().map_or(0, |(row, ends)| row.len() + size_of_val(&**ends));
        size_of_val(&*self.spans) + made
    }

    /// What the units are pieces of, and which pieces.
    fn pieces<'u>(
        &'u self,
        text: &'u str,
    ) -> (&'u str, impl Iterator<Item = (usize, usize)> + use<'u>) {
        let (whole, ends) = match &self.made {
            None => (text, [].as_slice()),
            Some((row, ends)) => (&**row, &**ends),
        };
        let starts = std::iter::once(&0).chain(ends);
        let made = starts.zip(ends).map(|(start, end)| (*start, *end));
        let written = self.spans.iter().copied().filter(|_| self.made.is_none());
        (whole, written.chain(made).map(|(start, end)| (start as usize, end as usize)))
    }

    fn tokens<'t>(&self, text: &'t str) -> Option<Vec<Token<'t>>> {
        let spans = self.spans.iter().map(|&(start, end)| start as usize..end as usize);
        if self.made.is_none() {
            return spans.map(|span| Some(Token::new(text.get(span.clone())?, span))).collect();
        }
        let (row, pieces) = self.pieces(text);
        let made = spans.zip(pieces);
        made.map(|(span, (start, end))| Some(Token::new(row.get(start..end)?.to_owned(), span)))
            .collect()
    }
}

impl<T: Tokenizer> Cached<T> {
    /// Remembers texts and their units up to about `limit` bytes.
    pub fn new(tokenizer: T, limit: usize) -> Self {
        Self { tokenizer, limit, memory: RwLock::default() }
    }

    /// How many texts are remembered.
    pub fn remembered(&self) -> usize {
        self.memory.read().unwrap_or_else(PoisonError::into_inner).texts.len()
    }

    fn recall<R>(&self, text: &str, read: impl FnOnce(&Units) -> Option<R>) -> Option<R> {
        let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
        read(memory.texts.get(text)?)
    }

    /// Forgets all texts, and keeps the memory that they took.
    pub fn forget(&self) {
        let mut memory = self.memory.write().unwrap_or_else(PoisonError::into_inner);
        memory.texts.clear();
        memory.bytes = 0;
    }

    /// Cuts those of the texts that are not remembered, on all cores, and remembers them.
    ///
    /// # Errors
    /// The error of the first text that cannot be cut.
    pub fn learn_all(&self, texts: &[&str]) -> Result<()> {
        let mut new: Vec<&str> = {
            let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
            texts.iter().copied().filter(|text| !memory.texts.contains_key(*text)).collect()
        };
        new.sort_unstable();
        new.dedup();
        let units = par_map(&new, |text| Ok(Units::of(text, &self.tokenizer.tokenize(text)?)))?;
        let mut memory = self.memory.write().unwrap_or_else(PoisonError::into_inner);
        for (text, units) in new.into_iter().zip(units) {
            memory.insert(text, units, self.limit);
        }
        Ok(())
    }

    /// Cuts a text that is not remembered, and remembers it.
    fn learn<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        let tokens = self.tokenizer.tokenize(text)?;
        let mut memory = self.memory.write().unwrap_or_else(PoisonError::into_inner);
        memory.insert(text, Units::of(text, &tokens), self.limit);
        Ok(tokens)
    }
}

impl<T: Tokenizer> Signed for Cached<T> {
    fn signature(&self) -> Signature {
        self.tokenizer.signature()
    }
}

impl<T: Tokenizer> Tokenizer for Cached<T> {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        match self.recall(text, |units| units.tokens(text)) {
            Some(tokens) => Ok(tokens),
            None => self.learn(text),
        }
    }

    fn cut(&self, text: &str, pieces: &mut Pieces) -> Result<()> {
        let recalled = self.recall(text, |units| {
            let (whole, marks) = units.pieces(text);
            let at = pieces.append(whole);
            marks.for_each(|(start, end)| pieces.mark(at + start..at + end));
            Some(())
        });
        if recalled.is_none() {
            self.learn(text)?.iter().for_each(|token| pieces.push(token.as_str()));
        }
        Ok(())
    }

    fn number(&self, text: &str, vocabulary: &mut Vocabulary) -> Result<()> {
        let recalled = self.recall(text, |units| {
            let (whole, marks) = units.pieces(text);
            vocabulary.cut(whole, marks.map(|(start, end)| (start, end - start)));
            Some(())
        });
        if recalled.is_none() {
            self.learn(text)?.iter().for_each(|token| vocabulary.push(token.as_str()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Words as they are written, and of 했 the morphemes it is made of; counts how often it is asked.
    #[derive(Debug, Default)]
    struct Restoring(AtomicUsize);

    impl Signed for Restoring {
        fn signature(&self) -> Signature {
            Signature::new("restoring")
        }
    }

    impl Tokenizer for Restoring {
        fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
            self.0.fetch_add(1, Ordering::Relaxed);
            let mut tokens = Vec::new();
            for word in text.split_whitespace() {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                let span = start..start + word.len();
                match word {
                    "했" => tokens.extend(["하", "였"].map(|unit| Token::new(unit, span.clone()))),
                    _ => tokens.push(Token::new(word, span)),
                }
            }
            Ok(tokens)
        }
    }

    fn cut(tokenizer: &dyn Tokenizer, text: &str) -> (Vec<String>, Vec<u32>) {
        let mut pieces = Pieces::new();
        pieces.push("앞");
        tokenizer.cut(text, &mut pieces).unwrap();
        let mut vocabulary = Vocabulary::new();
        vocabulary.push("앞");
        tokenizer.number(text, &mut vocabulary).unwrap();
        let texts = pieces.iter().map(|piece| piece.as_str().to_owned()).collect();
        (texts, vocabulary.numbers().to_vec())
    }

    #[test]
    fn remembers_pieces_and_what_is_made() {
        for text in ["저는 밥을 먹었어요. 밥을", "공부를 했 다", "", " \n"] {
            let (cached, plain) = (Cached::new(Restoring::default(), 1000), Restoring::default());
            for time in ["the first time", "the second"] {
                assert_eq!(cached.tokenize(text).unwrap(), plain.tokenize(text).unwrap(), "{time}");
                assert_eq!(cut(&cached, text), cut(&plain, text), "{time}");
            }
        }
    }

    #[test]
    fn no_text_is_cut_twice_until_it_is_forgotten() {
        let cached = Cached::new(Restoring::default(), 1000);
        cached.learn_all(&["했", "했", "비가 온다"]).unwrap();
        for _ in 0..3 {
            assert_eq!(cached.tokenize("했").unwrap()[1], "였");
            assert_eq!(cut(&cached, "했").0, ["앞", "하", "였"]);
        }
        assert_eq!(cached.tokenizer.0.load(Ordering::Relaxed), 2);
        cached.forget();
        assert_eq!((cached.remembered(), cached.tokenize("했").unwrap().len()), (0, 2));
        assert_eq!(cached.tokenizer.0.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn the_memory_is_bounded() {
        let words = Cached::new(Restoring::default(), 64);
        for i in 0..100 {
            words.tokenize(&format!("{i}번째 문장")).unwrap();
        }
        assert!(words.remembered() < 4);
    }
}
