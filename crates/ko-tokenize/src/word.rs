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

use crate::{Normalization, code_point, normalize};
use ko_eval_core::{Mark, Pieces, Result, Signature, Signed, Token, Tokenizer, TokenizerEntry};
use std::{ops::Range, sync::Arc};

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
        mark(&self.norm.checked(text)?, pieces);
        Ok(())
    }
}

/// The pieces between white space, with their places.
pub(crate) fn split(text: &str) -> Vec<Token<'_>> {
    let mut words = Vec::with_capacity(text.len() / 8 + 1);
    each_word(text, |span| {
        words.push(Token::new(text.get(span.clone()).unwrap_or_default(), span));
    });
    words
}

/// Adds the pieces between white space.
pub(crate) fn mark(text: &str, pieces: &mut Pieces) {
    let begin = pieces.append(text);
    // There is white space between any two.
    pieces.mark_all(text.len() / 2 + 1, |marks| {
        let mut free = marks.iter_mut();
        each_word(text, |span| {
            if let Some(mark) = free.next() {
                *mark = Mark::new(begin + span.start..begin + span.end);
            }
        });
        let left = free.len();
        marks.len() - left
    });
}

/// Hands over the places of the pieces between white space.
#[inline]
fn each_word(text: &str, mut each: impl FnMut(Range<usize>)) {
    let mut start = 0;
    let mut hand_over = |start: usize, end: usize| {
        if start < end {
            each(start..end);
        }
    };
    let (blocks, rest) = text.as_bytes().as_chunks::<64>();
    let mut last = [u8::MAX; 64];
    last.iter_mut().zip(rest).for_each(|(to, &byte)| *to = byte);
    for (number, block) in blocks.iter().chain([&last]).enumerate() {
        let mut found = spaces_in(block);
        while found != 0 {
            let at = number * 64 + found.trailing_zeros() as usize;
            found &= found - 1;
            // Nearly always a space, so that is asked first.
            let is_space = text.as_bytes().get(at) == Some(&b' ');
            let looked = if is_space { Some((1, true)) } else { code_point::look(text, at) };
            if let Some((length, true)) = looked {
                hand_over(start, at);
                start = at + length;
            }
        }
    }
    hand_over(start, text.len());
}

/// Which bytes may begin white space, a bit each: ASCII up to the space, and the leading bytes from 0xC0 to 0xE9. None
/// does in Hangul.
#[inline]
fn spaces_in(block: &[u8; 64]) -> u64 {
    let each = |byte: u8| u64::from_ne_bytes([byte; 8]);
    let (rows, _) = block.as_chunks();
    let of_row = |(&row, number): (&[u8; 8], u32)| {
        let bytes = u64::from_le_bytes(row);
        // Sums of seven bits whose eighth tells which is greater; none carries over to the next byte.
        let low = bytes & each(0x7f);
        let above_space = low + each(0x7f - b' ');
        let from_c0 = low + each(0x80 - 0x40);
        let from_ea = low + each(0x80 - 0x6a);
        let found = (!bytes & !above_space | bytes & from_c0 & !from_ea) & each(0x80);
        found >> (7 - number)
    };
    turn(rows.iter().zip(0..).map(of_row).fold(0, |all, bits| all | bits))
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
        #[test]
        fn splits_at_all_white_space(text in any::<String>(), spaced in "[가힣a\u{0}-\u{20}\u{85}\u{a0}\u{1680}\u{2000}-\u{200b}\u{2028}\u{202f}\u{205f}\u{3000}😀]{0,30}") {
            for text in [text, spaced] {
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
