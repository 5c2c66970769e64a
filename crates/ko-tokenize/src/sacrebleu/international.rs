//! `intl`: punctuation and symbols apart, except punctuation between numbers.
//!
//! 1. `(\P{N})(\p{P})` puts spaces around the punctuation.
//! 2. `(\p{P})(\P{N})` likewise.
//! 3. Each `\p{S}` is a unit.
//!
//! At the end of the text there is nothing for rule 2 to match, so `2026.` stays whole: a slip of mteval-v14 that sacreBLEU
//! keeps. Rule 1's matches do not overlap: of two marks in a row the second is not matched by it.

use super::{
    categories::{Category, category},
    is_python_space,
};
use std::ops::Range;

/// Hands over where the units stand.
#[inline]
pub(super) fn each_unit(text: &str, mut each: impl FnMut(Range<usize>)) {
    // Where the unit that is being read began; the character before, and whether rule 1 matched it.
    let (mut start, mut before, mut matched) = (0, None, false);
    let mut characters = text.char_indices().map(|(at, c)| (at, c, category(c))).peekable();
    while let Some((at, c, class)) = characters.next() {
        let first_rule = class == Category::Punctuation
            && !matched
            && before.is_some_and(|before| before != Category::Number);
        let is_unit = match class {
            Category::Symbol => true,
            Category::Punctuation => {
                let after = characters.peek().map(|(_, _, after)| *after);
                first_rule || after.is_some_and(|after| after != Category::Number)
            }
            Category::Number | Category::Other => false,
        };
        (before, matched) = (Some(class), first_rule);
        let is_space = class == Category::Other && is_python_space(c);
        if !is_unit && !is_space {
            continue;
        }
        if start < at {
            each(start..at);
        }
        start = at + c.len_utf8();
        if is_unit {
            each(at..start);
        }
    }
    if start < text.len() {
        each(start..text.len());
    }
}
