//! Jamo: the letters that a Hangul syllable is made of.
//!
//! A precomposed syllable is a number, `((initial × 21) + medial) × 28 + final`, so it comes apart and
//! goes together by arithmetic, in constant time and without a dictionary. On letters, 먹었다 and
//! 먹였다 differ in one of eight units instead of one of three.
//!
//! ```
//! use ko_eval_core::Tokenizer;
//! use ko_tokenize::{Jamo, jamo::{Writing, compose, letters}};
//!
//! let text = |jamo: Jamo| -> ko_eval_core::Result<String> {
//!     Ok(jamo.tokenize("넓은 각")?.iter().map(|u| u.as_str()).collect::<Vec<_>>().join(" "))
//! };
//! assert_eq!(text(Jamo::new())?, "ㄴ ㅓ ㄼ ㅇ ㅡ ㄴ ㄱ ㅏ ㄱ");
//! assert_eq!(text(Jamo::new().writing(Writing::Split))?, "ㄴ ㅓ ㄹ ㅂ ㅇ ㅡ ㄴ ㄱ ㅏ ㄱ");
//! assert_eq!(text(Jamo::new().writing(Writing::Positional))?, "^ㄴ ㅓ ㄼ$ ^ㅇ ㅡ ㄴ$ ^ㄱ ㅏ ㄱ$");
//! // The letters themselves, as a stream, and back.
//! assert_eq!(compose(letters("넓은 각 ㅋㅋ")).collect::<String>(), "넓은 각 ㅋㅋ");
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{Build, Normalization, UnitEntry, normalize};
use ko_eval_core::{Pieces, Result, Signature, Signed, Token, Tokenizer, setting::Choice};
use std::{ops::Range, sync::Arc};

/// The registry row.
pub(crate) const ENTRY: UnitEntry = UnitEntry {
    name: "jamo",
    summary: "letters of Hangul syllables: initial, medial, final",
    argument: None,
    params: &[FORM.param(), normalize::NORM.param()],
    build: Build::Tokenizer(|params| {
        Ok(Arc::new(Jamo {
            writing: params.read(&FORM)?,
            norm: Normalization {
                form: params.read(&normalize::NORM)?,
                ..Normalization::default()
            },
        }))
    }),
    not_compared: None,
};

const FORM: Choice<Writing> = Choice::new(
    "form",
    &[
        ("compat", Writing::Compatibility),
        ("conjoining", Writing::Conjoining),
        ("positional", Writing::Positional),
        ("split", Writing::Split),
    ],
    "compat (ㄱㅏㅇ), conjoining (NFD), positional (^ㄱ ㅏ ㅇ$) or split (ㄼ → ㄹㅂ)",
);

const FIRST: u32 = '가' as u32;
const MEDIALS: u32 = 21;
/// "No final" included.
const FINALS: u32 = 28;
const SYLLABLES: u32 = 19 * MEDIALS * FINALS;

/// A letter with its place in the syllable, or a code point that is no Hangul syllable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Letter {
    /// The consonant before the vowel: 0 (ㄱ) to 18 (ㅎ).
    Initial(u8),
    /// The vowel: 0 (ㅏ) to 20 (ㅣ).
    Medial(u8),
    /// The consonant, or cluster of consonants, after it: 1 (ㄱ) to 27 (ㅎ).
    Final(u8),
    /// Anything else, lone jamo included.
    Other(char),
}

/// The letters of one code point: three, two, or itself.
#[inline]
fn take_apart(c: char) -> (Letter, Option<(Letter, Option<Letter>)>) {
    let index = (c as u32).wrapping_sub(FIRST);
    if index >= SYLLABLES {
        return (Letter::Other(c), None);
    }
    let last = (index % FINALS) as u8;
    let medial = Letter::Medial((index / FINALS % MEDIALS) as u8);
    let initial = Letter::Initial((index / FINALS / MEDIALS) as u8);
    (initial, Some((medial, (last > 0).then_some(Letter::Final(last)))))
}

/// The letters of a text, as a stream.
pub fn letters(text: &str) -> impl Iterator<Item = Letter> {
    text.chars().flat_map(|c| {
        let (first, rest) = take_apart(c);
        let (second, third) = rest.map_or((None, None), |(medial, last)| (Some(medial), last));
        [Some(first), second, third].into_iter().flatten()
    })
}

/// Puts letters together again: the inverse of [`letters`].
///
/// A letter that has no place in a syllable (a final after nothing) is written as compatibility jamo.
pub fn compose(letters: impl IntoIterator<Item = Letter>) -> impl Iterator<Item = char> {
    let mut letters = letters.into_iter().peekable();
    std::iter::from_fn(move || {
        let initial = match letters.next()? {
            Letter::Initial(initial) => initial,
            other => return Some(alone(other)),
        };
        let Some(medial) = letters.next_if(|l| matches!(l, Letter::Medial(_))) else {
            return Some(alone(Letter::Initial(initial)));
        };
        let last = letters.next_if(|l| matches!(l, Letter::Final(_)));
        let number = |letter| match letter {
            Letter::Initial(n) | Letter::Medial(n) | Letter::Final(n) => u32::from(n),
            Letter::Other(_) => 0,
        };
        let index =
            (u32::from(initial) * MEDIALS + number(medial)) * FINALS + last.map_or(0, number);
        char::from_u32(FIRST + index).or(Some(alone(medial)))
    })
}

fn alone(letter: Letter) -> char {
    match letter {
        Letter::Other(c) => c,
        _ => Writing::Compatibility.write(letter).chars().next().unwrap_or_default(),
    }
}

/// How a letter is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Writing {
    /// Compatibility jamo, as typed alone: 강 → ㄱ ㅏ ㅇ. Initial and final ㄱ are the same unit.
    #[default]
    Compatibility,
    /// Conjoining jamo, as in NFD: initial and final ㄱ are different code points.
    Conjoining,
    /// Compatibility jamo with a mark at initials and finals: 각 → ^ㄱ ㅏ ㄱ$.
    Positional,
    /// Compatibility jamo, a cluster as its two consonants: 넓 → ㄴ ㅓ ㄹ ㅂ.
    Split,
}

/// How the letters of a syllable look.
struct Alphabet {
    /// Nineteen initials, twenty-one medials, twenty-seven finals.
    letters: &'static str,
    /// Bytes of an initial or a final; a medial has three.
    consonant: usize,
    /// The letters, if each is one character.
    characters: Option<[char; LETTERS]>,
}

/// All initials, medials and finals.
const LETTERS: usize = 19 + 21 + 27;

/// Bytes of a character of Hangul.
const WIDTH: usize = 3;

const COMPATIBILITY: Alphabet = Alphabet::of_characters(
    "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ\
     ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ\
     ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ",
);

const CONJOINING: Alphabet = Alphabet::of_characters(
    "ᄀᄁᄂᄃᄄᄅᄆᄇᄈᄉᄊᄋᄌᄍᄎᄏᄐᄑᄒ\
     ᅡᅢᅣᅤᅥᅦᅧᅨᅩᅪᅫᅬᅭᅮᅯᅰᅱᅲᅳᅴᅵ\
     ᆨᆩᆪᆫᆬᆭᆮᆯᆰᆱᆲᆳᆴᆵᆶᆷᆸᆹᆺᆻᆼᆽᆾᆿᇀᇁᇂ",
);

const POSITIONAL: Alphabet = Alphabet {
    letters: "^ㄱ^ㄲ^ㄴ^ㄷ^ㄸ^ㄹ^ㅁ^ㅂ^ㅃ^ㅅ^ㅆ^ㅇ^ㅈ^ㅉ^ㅊ^ㅋ^ㅌ^ㅍ^ㅎ\
              ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ\
              ㄱ$ㄲ$ㄳ$ㄴ$ㄵ$ㄶ$ㄷ$ㄹ$ㄺ$ㄻ$ㄼ$ㄽ$ㄾ$ㄿ$ㅀ$ㅁ$ㅂ$ㅄ$ㅅ$ㅆ$ㅇ$ㅈ$ㅊ$ㅋ$ㅌ$ㅍ$ㅎ$",
    consonant: WIDTH + 1,
    characters: None,
};

impl Alphabet {
    /// Each letter is one character of three bytes.
    const fn of_characters(letters: &'static str) -> Self {
        let mut characters = ['\0'; LETTERS];
        let (encoded, _) = letters.as_bytes().as_chunks::<WIDTH>();
        let mut number = 0;
        #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, and only there")]
        while number < LETTERS {
            let [lead, a, b] = encoded[number];
            let code = (lead as u32 & 0x0f) << 12 | (a as u32 & 0x3f) << 6 | b as u32 & 0x3f;
            if let Some(character) = char::from_u32(code) {
                characters[number] = character;
            }
            number += 1;
        }
        Self { letters, consonant: WIDTH, characters: Some(characters) }
    }

    /// Where a letter stands among the others; nowhere, if it is none.
    #[inline]
    fn place(&self, letter: Letter) -> Range<usize> {
        let medials = 19 * self.consonant;
        let finals = medials + MEDIALS as usize * WIDTH;
        let (start, width) = match letter {
            Letter::Initial(n @ 0..19) => (usize::from(n) * self.consonant, self.consonant),
            Letter::Medial(n @ 0..21) => (medials + usize::from(n) * WIDTH, WIDTH),
            Letter::Final(n @ 1..28) => {
                (finals + usize::from(n - 1) * self.consonant, self.consonant)
            }
            _ => (0, 0),
        };
        start..start + width
    }

    #[inline]
    fn write(&self, letter: Letter) -> &'static str {
        self.letters.get(self.place(letter)).unwrap_or_default()
    }
}

impl Writing {
    fn alphabet(self) -> &'static Alphabet {
        match self {
            Self::Compatibility | Self::Split => &COMPATIBILITY,
            Self::Conjoining => &CONJOINING,
            Self::Positional => &POSITIONAL,
        }
    }

    /// The letter's text; empty for [`Letter::Other`], which has a text of its own.
    pub fn write(self, letter: Letter) -> &'static str {
        self.alphabet().write(letter)
    }
}

/// The two consonants of a final cluster.
fn split_cluster(last: Letter) -> Option<(Letter, Letter)> {
    let Letter::Final(number) = last else { return None };
    let (first, second) = match number {
        3 => (1, 19),   // ㄳ
        5 => (4, 22),   // ㄵ
        6 => (4, 27),   // ㄶ
        9 => (8, 1),    // ㄺ
        10 => (8, 16),  // ㄻ
        11 => (8, 17),  // ㄼ
        12 => (8, 19),  // ㄽ
        13 => (8, 25),  // ㄾ
        14 => (8, 26),  // ㄿ
        15 => (8, 27),  // ㅀ
        18 => (17, 19), // ㅄ
        _ => return None,
    };
    Some((Letter::Final(first), Letter::Final(second)))
}

/// Cuts into letters, without white space. What is no precomposed syllable is a unit as it stands.
///
/// ```
/// use ko_tokenize::prelude::*;
///
/// let units = Jamo::new().tokenize("밥을!")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["ㅂ", "ㅏ", "ㅂ", "ㅇ", "ㅡ", "ㄹ", "!"]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Jamo {
    writing: Writing,
    norm: Normalization,
}

impl Jamo {
    /// Compatibility jamo of the text in NFC.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same in another writing.
    #[must_use]
    pub fn writing(self, writing: Writing) -> Self {
        Self { writing, ..self }
    }

    /// The same with another normalisation.
    #[must_use]
    pub fn normalization(self, norm: Normalization) -> Self {
        Self { norm, ..self }
    }
}

impl Signed for Jamo {
    fn signature(&self) -> Signature {
        self.norm.sign(Signature::new("jamo").with("form", FORM.word(&self.writing)))
    }
}

impl Jamo {
    /// Hands over the letters of a normalised text, each with the place of what it was part of.
    #[inline]
    fn each_letter(&self, text: &str, mut each: impl FnMut(Letter, Range<usize>)) {
        for (at, c) in text.char_indices() {
            let span = at..at + c.len_utf8();
            let (first, Some((medial, last))) = take_apart(c) else {
                if !c.is_whitespace() {
                    each(Letter::Other(c), span);
                }
                continue;
            };
            each(first, span.clone());
            each(medial, span.clone());
            let Some(last) = last else { continue };
            match (self.writing == Writing::Split).then(|| split_cluster(last)).flatten() {
                Some((first, second)) => {
                    each(first, span.clone());
                    each(second, span);
                }
                None => each(last, span),
            }
        }
    }
}

impl Jamo {
    /// Writes the letters of a normalised text, and tells how many there are.
    #[inline]
    fn write_letters(&self, letters: &[char; LETTERS], text: &str, to: &mut [char]) -> usize {
        let letter = |number: u32| letters.get(number as usize).copied().unwrap_or_default();
        let mut written = 0;
        for c in text.chars() {
            let Some(next) = to.get_mut(written..).and_then(<[char]>::first_chunk_mut) else {
                break;
            };
            let index = (c as u32).wrapping_sub(FIRST);
            if index >= SYLLABLES {
                *next = [c; 4];
                // What is dropped is written over.
                written += usize::from(!c.is_whitespace());
                continue;
            }
            let (initial, medial) = (index / FINALS / MEDIALS, index / FINALS % MEDIALS);
            let last = index % FINALS;
            let final_letter = |last: u32| letter(18 + MEDIALS + last);
            *next = [letter(initial), letter(19 + medial), final_letter(last), '\0'];
            written += 2 + usize::from(last > 0);
            if self.writing == Writing::Split
                && let Some((Letter::Final(first), Letter::Final(second))) =
                    split_cluster(Letter::Final(last as u8))
            {
                *next = [next[0], next[1], final_letter(first.into()), final_letter(second.into())];
                written += 1;
            }
        }
        written
    }
}

impl Tokenizer for Jamo {
    fn is_cheap(&self) -> bool {
        true
    }

    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        let alphabet = self.writing.alphabet();
        self.norm.cut(text, |text| {
            let mut tokens = Vec::with_capacity(text.len());
            self.each_letter(text, |letter, span| {
                let unit = match letter {
                    Letter::Other(_) => text.get(span.clone()).unwrap_or_default(),
                    letter => alphabet.write(letter),
                };
                tokens.push(Token::new(unit, span));
            });
            Ok(tokens)
        })
    }

    fn cut(&self, text: &str, pieces: &mut Pieces) -> Result<()> {
        let text = self.norm.checked(text)?;
        let alphabet = self.writing.alphabet();
        if let Some(letters) = &alphabet.characters {
            // A syllable has three bytes and at most four letters, and four are written at once.
            pieces.write(text.len() * 2 + 4, |to| self.write_letters(letters, &text, to));
            return Ok(());
        }
        // Every letter is a piece of the alphabet, written once.
        let letters = pieces.append(alphabet.letters);
        let others = pieces.append(&text);
        self.each_letter(&text, |letter, span| {
            let (begin, place) = match letter {
                Letter::Other(_) => (others, span),
                letter => (letters, alphabet.place(letter)),
            };
            pieces.mark(begin + place.start..begin + place.end);
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    #[test]
    fn every_syllable_equals_its_canonical_decomposition() {
        let conjoining = Jamo::new().writing(Writing::Conjoining);
        for syllable in '가'..='힣' {
            let text = syllable.to_string();
            let units = conjoining.tokenize(&text).unwrap();
            let written: String = units.iter().map(Token::as_str).collect();
            assert_eq!(written, text.nfd().collect::<String>());
        }
    }

    #[test]
    fn clusters_split_into_letters_that_are_finals() {
        let units = Jamo::new().writing(Writing::Split).tokenize("넋앉않읽삶넓곬핥읊잃값").unwrap();
        let written: String = units.iter().map(Token::as_str).collect();
        assert_eq!(
            written,
            "ㄴㅓㄱㅅㅇㅏㄴㅈㅇㅏㄴㅎㅇㅣㄹㄱㅅㅏㄹㅁㄴㅓㄹㅂㄱㅗㄹㅅㅎㅏㄹㅌㅇㅡㄹㅍㅇㅣㄹㅎㄱㅏㅂㅅ"
        );
    }

    proptest! {
        #[test]
        fn composes_back(text in any::<String>()) {
            prop_assert_eq!(compose(letters(&text)).collect::<String>(), text);
        }

        #[test]
        fn composes_hangul_back(text in "[가-힣ㄱ-ㅣ\u{1100}-\u{11ff} a]{0,20}") {
            prop_assert_eq!(compose(letters(&text)).collect::<String>(), text);
        }
    }

    #[test]
    fn letters_out_of_place_are_kept() {
        let stray = [Letter::Final(1), Letter::Initial(0), Letter::Initial(0), Letter::Medial(0)];
        assert_eq!(compose(stray).collect::<String>(), "ㄱㄱ가");
    }
}
