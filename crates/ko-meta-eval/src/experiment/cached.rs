//! A tokenizer that remembers: every metric of a unit sees the same texts again.

use ko_eval_core::{Pieces, Result, Signature, Signed, Token, Tokenizer};
use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

/// A tokenizer with a memory of bounded size. Its signature is the tokenizer's own.
///
/// Units that are pieces of the text are remembered by their places, others (restored morphemes, jamo) as they are, so
/// that no text is cut twice however slow the tokenizer is. A full memory forgets nothing and takes nothing more in.
///
/// ```
/// use ko_eval_core::{Signed, Tokenizer};
/// use ko_meta_eval::experiment::Cached;
/// use ko_tokenize::Word;
///
/// let words = Cached::new(Word::new(), 1 << 20);
/// assert_eq!(words.tokenize("비가 온다")?, words.tokenize("비가 온다")?);
/// assert_eq!(words.signature(), Word::new().signature());
/// assert_eq!(words.remembered(), 1);
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
    texts: HashMap<Box<str>, Units>,
    bytes: usize,
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

    /// Cuts a text that is not remembered, and remembers it.
    fn learn<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        let tokens = self.tokenizer.tokenize(text)?;
        let units = Units::of(text, &tokens);
        let cost = text.len() + units.bytes();
        let mut memory = self.memory.write().unwrap_or_else(PoisonError::into_inner);
        if memory.bytes + cost <= self.limit && memory.texts.insert(text.into(), units).is_none() {
            memory.bytes += cost;
        }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use ko_tokenize::{Character, Jamo, Word};
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn cut(tokenizer: &dyn Tokenizer, text: &str) -> Vec<String> {
        let mut pieces = Pieces::new();
        pieces.push("앞");
        tokenizer.cut(text, &mut pieces).unwrap();
        pieces.iter().map(|piece| piece.as_str().to_owned()).collect()
    }

    #[test]
    fn remembers_pieces_and_what_is_made() {
        // The second text is decomposed: its units are not pieces of it.
        for text in ["저는 밥을 먹었어요.", "\u{1112}\u{1161}\u{11ab}글", "", " \n"] {
            let tokenizers: [(Box<dyn Tokenizer>, Box<dyn Tokenizer>); 3] = [
                (Box::new(Cached::new(Word::new(), 1000)), Box::new(Word::new())),
                (Box::new(Cached::new(Character::new(), 1000)), Box::new(Character::new())),
                (Box::new(Cached::new(Jamo::new(), 1000)), Box::new(Jamo::new())),
            ];
            for (cached, plain) in &tokenizers {
                for time in ["the first time", "the second"] {
                    assert_eq!(
                        cached.tokenize(text).unwrap(),
                        plain.tokenize(text).unwrap(),
                        "{time}"
                    );
                    assert_eq!(cut(&**cached, text), cut(&**plain, text), "{time}");
                }
            }
        }
    }

    /// Makes units that are no pieces of the text, and counts how often it is asked.
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
            Ok(vec![Token::new("하", 0..text.len()), Token::new("였", 0..text.len())])
        }
    }

    #[test]
    fn no_text_is_cut_twice() {
        let cached = Cached::new(Restoring::default(), 1000);
        for _ in 0..3 {
            assert_eq!(cached.tokenize("했").unwrap()[1], "였");
            assert_eq!(cached.tokenize("했").unwrap()[1].span(), 0..3);
            assert_eq!(cut(&cached, "했"), ["앞", "하", "였"]);
        }
        assert_eq!(cached.tokenizer.0.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn the_memory_is_bounded() {
        let words = Cached::new(Word::new(), 64);
        for i in 0..100 {
            words.tokenize(&format!("{i}번째 문장")).unwrap();
        }
        assert!(words.remembered() < 4);
    }
}
