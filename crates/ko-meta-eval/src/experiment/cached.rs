//! A tokenizer that remembers: every metric of a unit sees the same texts again.

use ko_eval_core::{Result, Signature, Signed, Token, Tokenizer};
use std::{
    collections::HashMap,
    ops::Range,
    sync::{PoisonError, RwLock},
};

/// A tokenizer with a memory of bounded size. Its signature is the tokenizer's own.
///
/// What is remembered are spans, so only texts whose units are all pieces of the text are: words,
/// characters, morphemes as written. Units that have to be made (jamo) are made anew, which costs
/// less than copying them out of a memory would. A full memory forgets nothing and takes nothing
/// more in.
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
    /// In bytes of texts and spans.
    limit: usize,
    memory: RwLock<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    spans: HashMap<Box<str>, Box<[(u32, u32)]>>,
    bytes: usize,
}

impl<T: Tokenizer> Cached<T> {
    /// Remembers texts and their units up to about `limit` bytes.
    pub fn new(tokenizer: T, limit: usize) -> Self {
        Self { tokenizer, limit, memory: RwLock::default() }
    }

    /// How many texts are remembered.
    pub fn remembered(&self) -> usize {
        self.memory.read().unwrap_or_else(PoisonError::into_inner).spans.len()
    }

    fn recall<'t>(&self, text: &'t str) -> Option<Vec<Token<'t>>> {
        let memory = self.memory.read().unwrap_or_else(PoisonError::into_inner);
        let spans = memory.spans.get(text)?;
        spans.iter().map(|&(start, end)| piece(text, start as usize..end as usize)).collect()
    }

    fn remember(&self, text: &str, tokens: &[Token<'_>]) {
        let cost = text.len() + size_of::<(u32, u32)>() * tokens.len();
        let as_written =
            |token: &Token<'_>| text.get(token.span()).is_some_and(|piece| token == piece);
        if !tokens.iter().all(as_written) {
            return;
        }
        let spans = tokens.iter().map(|t| (t.span().start as u32, t.span().end as u32)).collect();
        let mut memory = self.memory.write().unwrap_or_else(PoisonError::into_inner);
        if memory.bytes + cost <= self.limit && memory.spans.insert(text.into(), spans).is_none() {
            memory.bytes += cost;
        }
    }
}

fn piece(text: &str, span: Range<usize>) -> Option<Token<'_>> {
    Some(Token::new(text.get(span.clone())?, span))
}

impl<T: Tokenizer> Signed for Cached<T> {
    fn signature(&self) -> Signature {
        self.tokenizer.signature()
    }
}

impl<T: Tokenizer> Tokenizer for Cached<T> {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        if let Some(tokens) = self.recall(text) {
            return Ok(tokens);
        }
        let tokens = self.tokenizer.tokenize(text)?;
        self.remember(text, &tokens);
        Ok(tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ko_tokenize::{Character, Jamo, Word};

    #[test]
    fn remembers_pieces_and_makes_the_rest_anew() {
        // The second text is decomposed: its units are not pieces of it.
        for text in ["저는 밥을 먹었어요.", "\u{1112}\u{1161}\u{11ab}글", "", " \n"] {
            let tokenizers: [Box<dyn Tokenizer>; 3] = [
                Box::new(Cached::new(Word::new(), 1000)),
                Box::new(Cached::new(Character::new(), 1000)),
                Box::new(Cached::new(Jamo::new(), 1000)),
            ];
            for (cached, plain) in tokenizers.iter().zip([
                Word::new().tokenize(text).unwrap(),
                Character::new().tokenize(text).unwrap(),
                Jamo::new().tokenize(text).unwrap(),
            ]) {
                assert_eq!(cached.tokenize(text).unwrap(), plain);
                assert_eq!(cached.tokenize(text).unwrap(), plain, "the second time");
            }
        }
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
