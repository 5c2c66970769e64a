//! Words (eojeols): what stands between white space.
//!
//! The unit that people count, and the coarsest: one wrong particle makes the whole word wrong.
//!
//! ```
//! use ko_eval_core::Tokenizer;
//! use ko_tokenize::Word;
//!
//! let units = Word::new().tokenize("나는 밥을\u{3000}먹었다.")?;
//! assert_eq!(units.iter().map(|u| u.as_str()).collect::<Vec<_>>(), ["나는", "밥을", "먹었다."]);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{Normalization, code_point, normalize, plain::is_plain};
use ko_eval_core::{
    Mark, Pieces, Result, Signature, Signed, Token, Tokenizer, TokenizerEntry, Vocabulary,
};
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: TokenizerEntry = TokenizerEntry {
    name: "word",
    summary: "words between Unicode white space",
    argument: None,
    params: &[normalize::NORM],
    build: |params| Ok(Arc::new(Word { norm: Normalization::from_params("word", params)? })),
};

/// Cuts at Unicode white space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Word {
    norm: Normalization,
}

impl Word {
    /// Words of the text in NFC.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with another normalisation.
    #[must_use]
    pub fn normalization(self, norm: Normalization) -> Self {
        Self { norm }
    }
}

impl Signed for Word {
    fn signature(&self) -> Signature {
        self.norm.sign(Signature::new("word"))
    }
}

impl Tokenizer for Word {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        self.norm.cut(text, |text| Ok(split(text)))
    }

    fn cut(&self, text: &str, pieces: &mut Pieces) -> Result<()> {
        normalize::check_length(text)?;
        if is_plain(text) {
            mark(text, pieces, is_space, |_| 1);
        } else {
            cut(&self.norm.apply(text), pieces);
        }
        Ok(())
    }

    fn number(&self, text: &str, vocabulary: &mut Vocabulary) -> Result<()> {
        normalize::check_length(text)?;
        if !is_plain(text) {
            return vocabulary.fill(|pieces| self.cut(text, pieces));
        }
        vocabulary.cut(text, most_words(text), |cutter| {
            each_stretch(
                text,
                is_space,
                |_| 1,
                |start, length| {
                    if length > 0 {
                        cutter.cut(start, length);
                    }
                },
            );
        });
        Ok(())
    }
}

/// There is white space between any two words.
fn most_words(text: &str) -> usize {
    text.len() / 2 + 1
}

/// Whether a byte is a space, as all white space of a plain text is.
fn is_space(byte: u8) -> bool {
    byte == b' '
}

/// The pieces between white space, with their places.
pub(crate) fn split(text: &str) -> Vec<Token<'_>> {
    let mut words = Vec::with_capacity(text.len() / 8 + 1);
    each_stretch(text, may_begin_space, white_space_in(text), |start, length| {
        if length > 0 {
            let span = start..start + length;
            words.push(Token::new(text.get(span.clone()).unwrap_or_default(), span));
        }
    });
    words
}

/// Adds the pieces between white space.
pub(crate) fn cut(text: &str, pieces: &mut Pieces) {
    mark(text, pieces, may_begin_space, white_space_in(text));
}

#[inline]
fn mark(
    text: &str,
    pieces: &mut Pieces,
    may_begin: impl Fn(u8) -> bool,
    white_space_at: impl Fn(usize) -> usize,
) {
    let begin = pieces.append(text);
    // One more, because what is empty is written over.
    pieces.mark_all(most_words(text) + 1, |marks| {
        let mut used = 0;
        each_stretch(text, may_begin, white_space_at, |start, length| {
            if let Some(mark) = marks.get_mut(used) {
                *mark = Mark::new(begin + start, length);
                used += usize::from(length > 0);
            }
        });
        used
    });
}

/// Hands over what stands between white space: the place, and the length, which may be 0. `may_begin` tells which bytes may
/// begin white space, and `white_space_at` how many bytes it then has.
#[inline]
fn each_stretch(
    text: &str,
    may_begin: impl Fn(u8) -> bool,
    white_space_at: impl Fn(usize) -> usize,
    mut each: impl FnMut(usize, usize),
) {
    let (blocks, rest) = text.as_bytes().as_chunks();
    let mut start = 0;
    for number in 0..=blocks.len() {
        let mut found = match blocks.get(number) {
            Some(block) => found_in(block, &may_begin),
            // The end of the text ends a stretch too.
            None => found_at_end(text.as_bytes(), rest.len(), &may_begin) | 1 << rest.len(),
        };
        while found != 0 {
            let at = number * BLOCK + found.trailing_zeros() as usize;
            found &= found - 1;
            let length = white_space_at(at);
            if length > 0 {
                each(start, at - start);
                start = at + length;
            }
        }
    }
}

/// By place, the length in bytes of the white space there; 0 if there is none.
fn white_space_in(text: &str) -> impl Fn(usize) -> usize {
    // Nearly always a space, so that is asked first.
    |at| match text.as_bytes().get(at) {
        Some(b' ') | None => 1,
        _ => other_white_space(text, at),
    }
}

#[cold]
fn other_white_space(text: &str, at: usize) -> usize {
    match code_point::look(text, at) {
        Some((length, true)) => length,
        _ => 0,
    }
}

/// How many bytes are looked at in one step.
const BLOCK: usize = 64;

/// By the place of a byte in a block, the bit of its row of eight.
const ROWS: [u8; BLOCK] = {
    let mut rows = [0; BLOCK];
    let mut at = 0;
    #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, and only there")]
    while at < BLOCK {
        rows[at] = 1 << (at / 8);
        at += 1;
    }
    rows
};

/// Which bytes may begin white space: ASCII up to the space, and the leading bytes from 0xC0 to 0xE9. None does in Hangul.
#[inline]
fn may_begin_space(byte: u8) -> bool {
    (byte <= b' ') | (0xc0..0xea).contains(&byte)
}

/// Which bytes are such, a bit each. Written so that the compiler looks at sixteen bytes with each instruction.
#[inline]
fn found_in(block: &[u8; BLOCK], is_such: impl Fn(u8) -> bool) -> u64 {
    let mut found = [0; BLOCK];
    for ((to, &byte), &row) in found.iter_mut().zip(block).zip(&ROWS) {
        *to = if is_such(byte) { row } else { 0 };
    }
    let (rows, _) = found.as_chunks();
    turn(rows.iter().fold(0, |all, &row| all | u64::from_le_bytes(row)))
}

/// The same of the last bytes of a text, less than a block. They are looked at together with those before them, if
/// these are enough for a block.
#[inline]
fn found_at_end(text: &[u8], length: usize, is_such: impl Fn(u8) -> bool) -> u64 {
    match text.last_chunk() {
        Some(block) => found_in(block, is_such).checked_shr((BLOCK - length) as u32).unwrap_or(0),
        None => {
            // Leads nothing.
            let mut block = [0x80; BLOCK];
            if let Some(to) = block.get_mut(..text.len()) {
                to.copy_from_slice(text);
            }
            found_in(&block, is_such)
        }
    }
}

/// Eight rows of eight bits become columns: what was bit *i* of byte *j* is now bit *j* of byte *i*.
#[inline]
fn turn(bits: u64) -> u64 {
    // Swaps the two halves off the diagonal, of ever larger squares.
    let swap = |bits: u64, distance: u32, mask: u64| {
        let differing = (bits ^ bits >> distance) & mask;
        bits ^ differing ^ differing << distance
    };
    let bits = swap(bits, 7, 0x00aa_00aa_00aa_00aa);
    let bits = swap(bits, 14, 0x0000_cccc_0000_cccc);
    swap(bits, 28, 0x0000_0000_f0f0_f0f0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        // Of less than a block, of about one, and of more.
        #[test]
        fn splits_at_all_white_space(
            text in any::<String>(),
            spaced in "[가힣a\u{0}-\u{20}\u{85}\u{a0}\u{1680}\u{2000}-\u{200b}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}😀]{0,90}",
            plain in "[가-힣]{1,5}( [가-힣.]{1,7}){0,20}",
        ) {
            for text in [text, spaced, plain] {
                let mut pieces = Pieces::new();
                pieces.push("앞");
                cut(&text, &mut pieces);
                let found: Vec<String> = pieces.iter().skip(1).map(|word| word.as_str().to_owned()).collect();
                prop_assert_eq!(found, text.split_whitespace().collect::<Vec<_>>());
                let words = split(&text);
                let expected: Vec<&str> = text.split_whitespace().collect();
                prop_assert_eq!(words.iter().map(Token::as_str).collect::<Vec<_>>(), expected);
                for word in &words {
                    prop_assert_eq!(&text[word.span()], word.as_str());
                }
            }
        }
    }
}
