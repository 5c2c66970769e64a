//! Plain texts, which most Korean ones are: printable ASCII and Hangul syllables. They are normal in every form, and all
//! their white space is the space.

use super::blocks::{self, BLOCK};
use std::slice;

/// How many bytes are looked at in one step.
const STEP: usize = 32;

/// Whether there are only ASCII characters from the space on, and Hangul from 가 to the end of its block, told by their bytes.
pub(crate) fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some((last, leads)) = bytes.split_last() else { return true };
    let nexts = bytes.get(1..).unwrap_or_default();
    let (Some(last_leads), Some(last_nexts)) = (leads.last_chunk(), nexts.last_chunk()) else {
        return !leads.iter().zip(nexts).any(|(&lead, &next)| is_odd(lead, next))
            && !is_odd(*last, 0);
    };
    let mut odd = [0; STEP];
    let (leads, _) = leads.as_chunks();
    let (nexts, _) = nexts.as_chunks();
    leads.iter().zip(nexts).for_each(|(leads, nexts)| look(&mut odd, leads, nexts));
    // What is less than a step is looked at together with what stands before it, once more.
    look(&mut odd, last_leads, last_nexts);
    odd == [0; STEP] && !is_odd(*last, 0)
}

/// Notes which of the bytes are odd.
#[inline(always)]
fn look(odd: &mut [u8; STEP], leads: &[u8; STEP], nexts: &[u8; STEP]) {
    for ((odd, &lead), &next) in odd.iter_mut().zip(leads).zip(nexts) {
        *odd |= if is_odd(lead, next) { u8::MAX } else { 0 };
    }
}

/// Whether a byte, with the one behind it, begins anything else. Without branches, so that the compiler looks at many
/// with each instruction.
#[inline]
fn is_odd(lead: u8, next: u8) -> bool {
    // ASCII from the space on and what follows a leading byte, then ASCII before the space and the leading bytes.
    let is_control_or_lead = lead.wrapping_sub(0xc0) < 0x60;
    let leads_hangul = lead.wrapping_sub(0xea) < 4;
    // What follows a leading byte is negative, and so is what it is compared with.
    let is_before_hangul = (lead == 0xea) & (next.cast_signed() < 0xb0_u8.cast_signed());
    (is_control_or_lead & !leads_hangul) | is_before_hangul
}

/// Hands the words of a plain text over to `then`; returns whether it is one.
#[inline]
pub(crate) fn words(text: &str, then: impl FnOnce(Words<'_>)) -> bool {
    let is_plain = is_plain(text);
    if is_plain {
        let mut few = [0; FEW];
        let mut many = Vec::new();
        let spaces = match few.get_mut(..blocks::count(text)) {
            Some(few) => few,
            None => {
                many.resize(blocks::count(text), 0);
                many.as_mut_slice()
            }
        };
        let mut free = spaces.iter_mut();
        blocks::each(
            text,
            |byte| byte == b' ',
            |found| {
                if let Some(spaces) = free.next() {
                    *spaces = found;
                }
            },
        );
        then(Words {
            spaces: spaces.iter(),
            found: 0,
            block: 0_usize.wrapping_sub(BLOCK),
            start: 0,
        });
    }
    is_plain
}

/// So many blocks need no memory of their own.
const FEW: usize = 32;

/// The words of a plain text: where each starts, and its length.
#[derive(Debug)]
pub(crate) struct Words<'s> {
    spaces: slice::Iter<'s, u64>,
    /// The spaces of a block that are still to come.
    found: u64,
    /// Where the block starts.
    block: usize,
    /// Behind the last space.
    start: usize,
}

impl Iterator for Words<'_> {
    type Item = (usize, usize);

    #[inline]
    fn next(&mut self) -> Option<(usize, usize)> {
        loop {
            while self.found == 0 {
                self.found = *self.spaces.next()?;
                self.block = self.block.wrapping_add(BLOCK);
            }
            let space = self.block + self.found.trailing_zeros() as usize;
            self.found &= self.found - 1;
            let start = std::mem::replace(&mut self.start, space + 1);
            if start < space {
                return Some((start, space - start));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalize::{Normalization, UnicodeForm};
    use ko_eval_testing::night;
    use proptest::prelude::*;

    #[test]
    fn plain_texts_are_told_by_their_bytes() {
        let filler = "가".repeat(20) + "ab";
        // Where plain ranges begin and end, every character; elsewhere a few, and all of them at night.
        let is_tried = |c: &char| {
            night()
                || matches!(c, ..'\u{3200}' | '\u{ab00}'..'\u{ad00}' | '\u{d600}'..'\u{e100}')
                || (*c as u32).is_multiple_of(61)
        };
        for c in ('\0'..=char::MAX).filter(is_tried) {
            let expected = matches!(c, ' '..='\x7f' | '가'..='\u{d7ff}');
            // Alone, within a block, across the end of one, and in what is left over.
            let texts = [
                format!("{c}"),
                format!("가{c}힣"),
                format!("{filler}a{c}{filler}"),
                format!("{filler}{filler}{c}"),
            ];
            for text in texts {
                assert_eq!(is_plain(&text), expected, "{text:?}");
            }
        }
        assert!(is_plain(""));
    }

    proptest! {
        // Of less than a block, of about one, and of more than there are few.
        #[test]
        fn words_stand_between_spaces(text in "[가힣a. ]{0,60}|([가-힣.]{0,7} {0,2}){0,200}") {
            let mut found = Vec::new();
            prop_assert!(words(&text, |words| found.extend(words.map(|(start, length)| &text[start..start + length]))));
            prop_assert_eq!(found, text.split_whitespace().collect::<Vec<_>>());
        }
    }

    #[test]
    fn plain_texts_are_normal() {
        let plain: String = ('\0'..=char::MAX).filter(|c| is_plain(&c.to_string())).collect();
        for form in [UnicodeForm::Nfc, UnicodeForm::Nfkc] {
            let norm = Normalization { form, ..Normalization::NONE };
            assert_eq!(norm.apply(&plain), plain);
        }
        assert!(plain.chars().all(|c| (c == ' ') == c.is_whitespace()));
    }
}
