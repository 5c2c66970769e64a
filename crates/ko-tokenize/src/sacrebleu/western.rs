//! The rules that `13a` and `zh` share (sacreBLEU's `TokenizerRegexp`).
//!
//! 1. ASCII punctuation other than `'`, `,`, `-` and `.` is a unit.
//! 2. `([^0-9])([.,])` puts spaces around the second character.
//! 3. `([.,])([^0-9])` puts spaces around the first.
//! 4. `([0-9])(-)` puts spaces around the dash.
//!
//! Rule 2's matches do not overlap, so of two periods in a row the second is not matched by it: `a..5` is `a`, `.`, `.5`. All other
//! rules depend on the two neighbours alone.

use super::is_python_space;
use std::ops::Range;

/// What stands before the first and after the last character for the rules.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Edges {
    /// A space, as `13a` puts there.
    Spaces,
    /// Nothing that a rule could match.
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Space,
    Unit,
    Stop,
    Dash,
    /// May begin a character that is white space or Chinese.
    Lead,
}

#[allow(clippy::indexing_slicing, reason = "there are as many bytes as classes")]
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Letter; 256];
    let mut byte = 0u8;
    loop {
        classes[byte as usize] = match byte {
            b'\t'..=b'\r' | 0x1c..=b' ' => Class::Space,
            b'!'..=b'&' | b'('..=b'+' | b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~' => {
                Class::Unit
            }
            b'.' | b',' => Class::Stop,
            b'-' => Class::Dash,
            0xc2 | 0xe1..=0xe9 | 0xef => Class::Lead,
            _ => Class::Letter,
        };
        if byte == u8::MAX {
            break classes;
        }
        byte += 1;
    }
};

/// Hands over where the units stand; `CHINESE` characters are units of their own.
#[inline]
pub(super) fn each_unit<const CHINESE: bool>(
    text: &str,
    edges: Edges,
    mut each: impl FnMut(Range<usize>),
) {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).map(u8::is_ascii_digit);
    let edge = (edges == Edges::Spaces).then_some(false);
    // Where the unit that is being read began, and behind which period or comma rule 2 matched last.
    let (mut start, mut matched) = (0, 0);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let class = CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Letter);
        let (length, is_unit) = match class {
            Class::Letter => {
                at += 1;
                continue;
            }
            Class::Space => (1, false),
            Class::Unit => (1, true),
            Class::Stop => {
                let before = if at == 0 { edge } else { digit(at - 1) };
                let after = digit(at + 1).or(edge);
                let second_rule = before == Some(false) && (matched < at || at == 0);
                if second_rule {
                    matched = at + 1;
                }
                if !second_rule && after != Some(false) {
                    at += 1;
                    continue;
                }
                (1, true)
            }
            Class::Dash if at > 0 && digit(at - 1) == Some(true) => (1, true),
            Class::Dash => {
                at += 1;
                continue;
            }
            Class::Lead => {
                let c = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
                let is_unit = CHINESE && is_chinese(c);
                if !is_unit && !is_python_space(c) {
                    at += c.len_utf8();
                    continue;
                }
                // The ideographic space is Chinese for sacreBLEU, and white space all the same.
                (c.len_utf8(), is_unit && !is_python_space(c))
            }
        };
        if start < at {
            each(start..at);
        }
        if is_unit {
            each(at..at + length);
        }
        at += length;
        start = at;
    }
    if start < at {
        each(start..at);
    }
}

/// sacreBLEU's ranges. Two of them are meant to lie beyond U+FFFF but are written with four digits and a fifth character, which
/// compares as U+2001 to U+2A6D and U+2F81 to U+2FA1.
fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4db5}' | '\u{4e00}'..='\u{9fbb}' | '\u{f900}'..='\u{fa2d}'
        | '\u{fa30}'..='\u{fa6a}' | '\u{fa70}'..='\u{fad9}' | '\u{2001}'..='\u{2a6d}'
        | '\u{ff00}'..='\u{ffef}' | '\u{2e80}'..='\u{2eff}' | '\u{3000}'..='\u{303f}'
        | '\u{31c0}'..='\u{31ef}' | '\u{2f00}'..='\u{2fdf}' | '\u{2ff0}'..='\u{2fff}'
        | '\u{3100}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}' | '\u{fe10}'..='\u{fe1f}'
        | '\u{fe30}'..='\u{fe4f}' | '\u{3200}'..='\u{33ff}')
}
