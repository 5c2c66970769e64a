//! Making equal what looks equal, before any scheme cuts.
//!
//! A Mac writes 한 as three code points (NFD), almost everybody else as one (NFC); compared as they
//! are, two identical sentences share nothing. So every scheme normalises to NFC unless told not to,
//! and its signature says so. Spans still point into the text as it was given.
//!
//! ```
//! use ko_eval_core::Tokenizer;
//! use ko_tokenize::Character;
//!
//! let nfd = "\u{1112}\u{1161}\u{11ab}글"; // 한글, the first syllable in three code points
//! let units = Character::new().tokenize(nfd)?;
//! assert_eq!(units[0], "한");
//! assert_eq!(units[0].span(), 0..9);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{Morpheme, word::plain::is_plain};
use ko_eval_core::{Error, Params, Result, Signature, Token, setting::Choice};
use std::ops::Range;
use unicode_normalization::{
    IsNormalized, UnicodeNormalization, char::canonical_combining_class, is_nfc_quick,
    is_nfkc_quick,
};

/// Which texts count as equal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum UnicodeForm {
    /// Canonical composition: 한 is one code point however it was typed.
    #[default]
    Nfc,
    /// Compatibility composition: also ㈜ → (주), full width → half width. It turns lone
    /// compatibility jamo into conjoining ones (ㄱ → ᄀ).
    Nfkc,
    /// Nothing is changed.
    None,
}

/// What happens to white space before cutting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum WhiteSpace {
    /// It stays as it is.
    #[default]
    Keep,
    /// A run becomes one space; at both ends it goes.
    Collapse,
}

/// What is done to a text before it is cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Normalization {
    /// The Unicode normalisation form.
    pub form: UnicodeForm,
    /// White space.
    pub white_space: WhiteSpace,
}

/// The settings of [`Normalization`], shared by all rows.
pub(crate) const NORM: Choice<UnicodeForm> = Choice::new(
    "norm",
    &[("nfc", UnicodeForm::Nfc), ("nfkc", UnicodeForm::Nfkc), ("none", UnicodeForm::None)],
    "Unicode normalisation",
);
pub(crate) const WHITE_SPACE: Choice<WhiteSpace> = Choice::new(
    "white-space",
    &[("keep", WhiteSpace::Keep), ("collapse", WhiteSpace::Collapse)],
    "before cutting: keep white space, or collapse runs to one space",
);

impl Normalization {
    /// Leaves every text as it is.
    pub const NONE: Self = Self { form: UnicodeForm::None, white_space: WhiteSpace::Keep };

    pub(crate) fn read(params: &Params) -> Result<Self> {
        Ok(Self { form: params.read(&NORM)?, white_space: params.read(&WHITE_SPACE)? })
    }

    /// Names itself in a scheme's signature.
    pub(crate) fn sign(self, signature: Signature) -> Signature {
        let signature = signature.with("norm", NORM.word(&self.form));
        match self.white_space {
            WhiteSpace::Keep => signature,
            other => signature.with("white-space", WHITE_SPACE.word(&other)),
        }
    }

    /// The text, normalised.
    pub fn apply<'t>(&self, text: &'t str) -> std::borrow::Cow<'t, str> {
        match self.change(text) {
            None => text.into(),
            Some(changed) => changed.text.into(),
        }
    }

    /// Cuts the normalised text; spans are mapped back to the text as given.
    ///
    /// # Errors
    /// [`Error::TooLong`] beyond [`Token::MAX_TEXT`], or what `cut` returns.
    pub fn cut<'t>(
        &self,
        text: &'t str,
        cut: impl for<'n> FnOnce(&'n str) -> Result<Vec<Token<'n>>>,
    ) -> Result<Vec<Token<'t>>> {
        check_length(text)?;
        let Some(changed) = self.change(text) else { return cut(text) };
        let tokens = cut(&changed.text)?;
        let owned = tokens.into_iter().map(|token| {
            let span = changed.original(token.span());
            Token::new(token.into_text().into_owned(), span)
        });
        Ok(owned.collect())
    }

    /// The text that is cut.
    ///
    /// # Errors
    /// [`Error::TooLong`] beyond [`Token::MAX_TEXT`].
    pub(crate) fn checked<'t>(&self, text: &'t str) -> Result<std::borrow::Cow<'t, str>> {
        check_length(text)?;
        Ok(self.apply(text))
    }

    /// The same for morphemes.
    ///
    /// # Errors
    /// [`Error::TooLong`] beyond [`Token::MAX_TEXT`], or what `analyze` returns.
    pub fn analyze<'t>(
        &self,
        text: &'t str,
        analyze: impl for<'n> FnOnce(&'n str) -> Result<Vec<Morpheme<'n>>>,
    ) -> Result<Vec<Morpheme<'t>>> {
        check_length(text)?;
        let Some(changed) = self.change(text) else { return analyze(text) };
        let owned = analyze(&changed.text)?.into_iter().map(|morpheme| Morpheme {
            form: morpheme.form.into_owned().into(),
            tag: morpheme.tag.into_owned().into(),
            span: changed.original(morpheme.span),
        });
        Ok(owned.collect())
    }

    /// The changed text, or nothing if it is as it should be.
    fn change(&self, text: &str) -> Option<Changed> {
        let normal = match self.form {
            UnicodeForm::None => true,
            UnicodeForm::Nfc => {
                is_plain(text)
                    || text.chars().all(is_surely_nfc)
                    || is_nfc_quick(text.chars()) == IsNormalized::Yes
            }
            UnicodeForm::Nfkc => is_plain(text) || is_nfkc_quick(text.chars()) == IsNormalized::Yes,
        };
        let spaced = match self.white_space {
            WhiteSpace::Keep => true,
            WhiteSpace::Collapse => is_collapsed(text),
        };
        if normal && spaced {
            return None;
        }
        let mut changed = Changed { text: String::with_capacity(text.len()), pieces: Vec::new() };
        for piece in pieces(self.form, text) {
            let original = &text.get(piece.clone()).unwrap_or_default();
            let at = changed.text.len();
            match self.form {
                UnicodeForm::None => changed.text.push_str(original),
                UnicodeForm::Nfc => changed.text.extend(original.nfc()),
                UnicodeForm::Nfkc => changed.text.extend(original.nfkc()),
            }
            changed.pieces.push(Piece { at, original: piece });
        }
        Some(if self.white_space == WhiteSpace::Collapse { changed.collapse() } else { changed })
    }
}

pub(crate) fn check_length(text: &str) -> Result<()> {
    if text.len() > Token::MAX_TEXT {
        return Err(Error::TooLong {
            what: "tokenizer".into(),
            len: text.len(),
            unit: "bytes",
            limit: Token::MAX_TEXT,
        });
    }
    Ok(())
}

/// Code points that are normal whatever stands around them. A hint for speed: what it does not
/// cover goes the long way, to the same result.
fn is_surely_nfc(c: char) -> bool {
    matches!(c, '\0'..='\u{2ff}' | '가'..='힣' | '\u{3130}'..='\u{318f}' | '\u{4e00}'..='\u{9fff}'
        | '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{3029}' | '\u{1f300}'..='\u{1faff}')
}

fn is_collapsed(text: &str) -> bool {
    let mut before = ' ';
    text.chars().all(|c| {
        let fine = !c.is_whitespace() || (c == ' ' && before != ' ');
        before = c;
        fine
    }) && (before != ' ' || text.is_empty())
}

/// The text in pieces that normalise independently of each other: a piece begins where a code point
/// can neither move before nor merge with what stands before it.
fn pieces(form: UnicodeForm, text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut starts = text
        .char_indices()
        .filter(move |(at, c)| *at == 0 || begins_piece(form, *c))
        .map(|(at, _)| at)
        .peekable();
    let len = text.len();
    std::iter::from_fn(move || Some(starts.next()?..starts.peek().copied().unwrap_or(len)))
}

fn begins_piece(form: UnicodeForm, c: char) -> bool {
    // A compatibility character may decompose to something that combines with what stands before it:
    // ㅏ after ㄱ.
    let first = match form {
        UnicodeForm::Nfkc => std::iter::once(c).nfkd().next().unwrap_or(c),
        UnicodeForm::Nfc | UnicodeForm::None if is_surely_nfc(c) => return true,
        UnicodeForm::Nfc | UnicodeForm::None => c,
    };
    canonical_combining_class(first) == 0
        && is_nfc_quick(std::iter::once(first)) == IsNormalized::Yes
}

/// A normalised text that remembers where its pieces came from.
struct Changed {
    text: String,
    /// In order.
    pieces: Vec<Piece>,
}

struct Piece {
    /// Where it begins in the new text.
    at: usize,
    original: Range<usize>,
}

impl Changed {
    /// The bytes of the original that a span of the new text was made from.
    fn original(&self, span: Range<usize>) -> Range<usize> {
        let first = self.pieces.partition_point(|p| p.at <= span.start).saturating_sub(1);
        let end = self.pieces.partition_point(|p| p.at < span.end.max(span.start + 1));
        let start = self.pieces.get(first).map_or(0, |p| p.original.start);
        let stop = self.pieces.get(end.saturating_sub(1)).map_or(start, |p| p.original.end);
        start..stop.max(start)
    }

    fn collapse(self) -> Self {
        let mut out = Self { text: String::with_capacity(self.text.len()), pieces: Vec::new() };
        let ends = self.pieces.iter().skip(1).map(|p| p.at).chain([self.text.len()]);
        let mut pending_space = None;
        for (piece, end) in self.pieces.iter().zip(ends) {
            for c in self.text.get(piece.at..end).unwrap_or_default().chars() {
                if c.is_whitespace() {
                    pending_space.get_or_insert(piece.original.clone());
                    continue;
                }
                if let Some(original) = pending_space.take().filter(|_| !out.text.is_empty()) {
                    out.pieces.push(Piece { at: out.text.len(), original });
                    out.text.push(' ');
                }
                out.pieces.push(Piece { at: out.text.len(), original: piece.original.clone() });
                out.text.push(c);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COLLAPSE: Normalization =
        Normalization { form: UnicodeForm::None, white_space: WhiteSpace::Collapse };

    proptest! {
        #[test]
        fn pieces_normalise_to_the_whole(text in "\\PC{0,20}|[가-힣ㄱ-ㅣ\u{1100}-\u{11ff}\u{300}-\u{30f}①㈜ﾞｶ ]{0,20}") {
            let nfc = Normalization::default();
            prop_assert_eq!(nfc.apply(&text), text.nfc().collect::<String>());
            let nfkc = Normalization { form: UnicodeForm::Nfkc, ..nfc };
            prop_assert_eq!(nfkc.apply(&text), text.nfkc().collect::<String>());
        }

        #[test]
        fn spans_cover_what_they_came_from(text in "[가-힣\u{1100}-\u{1112}\u{1161}-\u{1175}\u{11a8}-\u{11c2}a\u{301} ]{0,12}") {
            let tokens = Normalization::default().cut(&text, |normal| Ok(normal
                .char_indices()
                .map(|(at, c)| Token::new(normal[at..at + c.len_utf8()].to_owned(), at..at + c.len_utf8()))
                .collect())).unwrap();
            let mut at = 0;
            for token in tokens {
                let span = token.span();
                prop_assert!(span.start <= at && at <= span.end, "no hole before {:?}", token);
                let piece: String = text[span.clone()].nfc().collect();
                prop_assert!(piece.contains(token.as_str()));
                at = span.end;
            }
            prop_assert_eq!(at, text.len());
        }

        #[test]
        fn collapsing_is_split_and_join(text in "[가나 \t\u{3000}\n]{0,16}") {
            let expected = text.split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert_eq!(COLLAPSE.apply(&text), expected);
        }
    }

    #[test]
    fn the_hint_covers_only_what_is_normal() {
        for c in ('\0'..=char::MAX).filter(|&c| is_surely_nfc(c)) {
            assert_eq!(is_nfc_quick(std::iter::once(c)), IsNormalized::Yes, "{c:?}");
            assert_eq!(canonical_combining_class(c), 0, "{c:?}");
        }
    }
}
