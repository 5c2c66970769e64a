//! Runs of Hangul, other letters, digits and marks: where words can be.

use std::ops::Range;

/// What a run of characters is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Hangul,
    Letters,
    Digits,
    Mark,
}

impl Kind {
    fn of(c: char) -> Option<Self> {
        match c {
            c if c.is_whitespace() => None,
            '가'..='힣' => Some(Self::Hangul),
            c if c.is_numeric() => Some(Self::Digits),
            // Lone jamo are laughter and tears.
            '\u{3131}'..='\u{318e}' => Some(Self::Mark),
            c if c.is_alphabetic() => Some(Self::Letters),
            _ => Some(Self::Mark),
        }
    }

    pub(crate) fn tag(self, surface: &str) -> &'static str {
        match self {
            Self::Hangul | Self::Letters => "SL",
            Self::Digits => "SN",
            Self::Mark if surface.starts_with(['.', '?', '!', '。', '？', '！']) => "SF",
            Self::Mark if surface.starts_with('…') => "SE",
            Self::Mark => "SY",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) kind: Kind,
    pub(crate) span: Range<usize>,
    /// Whether white space stands before it.
    apart: bool,
}

/// Runs of characters of a kind; every mark is one of its own.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut apart = true;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let Some(kind) = Kind::of(c) else {
            apart = true;
            continue;
        };
        match pieces.last_mut() {
            Some(last) if !apart && last.kind == kind && kind != Kind::Mark => last.span.end = end,
            _ => pieces.push(Piece { kind, span: at..end, apart }),
        }
        apart = false;
    }
    pieces
}

/// Whether a sentence ends before these pieces: a mark that closes, or nothing.
pub(crate) fn is_last(rest: &[Piece]) -> bool {
    match rest.first() {
        None => true,
        Some(next) => {
            next.kind == Kind::Mark && !next.apart
                || rest.iter().all(|piece| piece.kind == Kind::Mark)
        }
    }
}
