//! Decomposed Hangul put together, and the way back to the text as it was written.
//!
//! Only modern conjoining letters are touched (각 as ᄀ ᅡ ᆨ), so that every other character keeps a place of its own.

use std::ops::Range;

/// A text in which letters are syllables.
pub(crate) struct Composed {
    pub(crate) text: String,
    /// Where each character begins, here and in the text as it was written; at last, where both end.
    places: Vec<(usize, usize)>,
}

impl Composed {
    /// Puts a text together; nothing if there is nothing to put together.
    pub(crate) fn of(original: &str) -> Option<Self> {
        original.contains(|c| initial(c).is_some()).then(|| {
            let mut composed =
                Self { text: String::with_capacity(original.len()), places: Vec::new() };
            let mut letters = original.char_indices().peekable();
            while let Some((at, letter)) = letters.next() {
                composed.places.push((composed.text.len(), at));
                let mut next = |of: fn(char) -> Option<u32>| {
                    letters.next_if(|(_, letter)| of(*letter).is_some()).and_then(|(_, c)| of(c))
                };
                let syllable = initial(letter).and_then(|initial| {
                    let medial = next(medial)?;
                    let last = next(last).unwrap_or(0);
                    char::from_u32(0xac00 + (initial * 21 + medial) * 28 + last)
                });
                composed.text.push(syllable.unwrap_or(letter));
            }
            composed.places.push((composed.text.len(), original.len()));
            composed
        })
    }

    /// Where a stretch of characters stands in the text as it was written.
    pub(crate) fn original(&self, span: Range<usize>) -> Range<usize> {
        let place = |at: usize| {
            let found = self.places.binary_search_by_key(&at, |(here, _)| *here);
            let place = found.ok().and_then(|number| self.places.get(number));
            place.map_or(0, |(_, there)| *there)
        };
        place(span.start)..place(span.end)
    }
}

fn initial(c: char) -> Option<u32> {
    matches!(c, '\u{1100}'..='\u{1112}').then(|| c as u32 - 0x1100)
}

fn medial(c: char) -> Option<u32> {
    matches!(c, '\u{1161}'..='\u{1175}').then(|| c as u32 - 0x1161)
}

/// From 1: 0 is no final consonant.
fn last(c: char) -> Option<u32> {
    matches!(c, '\u{11a8}'..='\u{11c2}').then(|| c as u32 - 0x11a7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_become_syllables_and_lead_back() {
        assert!(Composed::of("와요, 丽").is_none());
        let text = "a\u{1100}\u{1161}\u{11a8}\u{1100}丽\u{1112}\u{1161}";
        let composed = Composed::of(text).unwrap();
        assert_eq!(composed.text, "a각\u{1100}丽하");
        assert_eq!(composed.original(1..4), 1..10);
        assert_eq!(composed.original(4..7), 10..13);
        assert_eq!(composed.original(0..composed.text.len()), 0..text.len());
    }
}
