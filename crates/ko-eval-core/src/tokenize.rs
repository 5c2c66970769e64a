//! Cutting text into units.

use crate::{Pieces, Result, Signed, Vocabulary};
use serde::{Deserialize, Serialize};
use std::{
    borrow::Cow,
    fmt::{self, Debug},
    ops::Range,
};

/// One unit of a text, and where in the text it came from.
///
/// A unit need not be a piece of the text as it stands: a jamo is part of a syllable, a restored
/// morpheme may never have been written. The span then covers what it was derived from.
///
/// ```
/// use ko_eval_core::Token;
///
/// let token = Token::new("밥을", 7..13);
/// assert_eq!((token.as_str(), token.span()), ("밥을", 7..13));
/// assert_eq!(format!("[{token}]"), "[밥을]");
/// ```
///
/// In JSON it is `{"text": "밥을", "start": 7, "end": 13}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Token<'t> {
    text: Cow<'t, str>,
    start: u32,
    end: u32,
}

impl<'t> Token<'t> {
    /// The longest text, in bytes, that a span can point into.
    pub const MAX_TEXT: usize = u32::MAX as usize;

    /// A unit derived from the bytes `span` of the text. Spans beyond [`Token::MAX_TEXT`] are cut off there.
    #[inline]
    pub fn new(text: impl Into<Cow<'t, str>>, span: Range<usize>) -> Self {
        let clamp = |n: usize| n.min(Self::MAX_TEXT) as u32;
        Self { text: text.into(), start: clamp(span.start), end: clamp(span.end) }
    }

    /// The unit.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The unit, taken out of the token.
    #[inline]
    pub fn into_text(self) -> Cow<'t, str> {
        self.text
    }

    /// The bytes of the text it was derived from.
    #[inline]
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The same unit, independent of the text.
    pub fn into_owned(self) -> Token<'static> {
        Token { text: Cow::Owned(self.text.into_owned()), start: self.start, end: self.end }
    }
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl AsRef<str> for Token<'_> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl PartialEq<str> for Token<'_> {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for Token<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

/// A scheme that cuts text into units.
///
/// ```
/// use ko_eval_core::{Result, Signature, Signed, Token, Tokenizer};
///
/// #[derive(Debug)]
/// struct Sentences;
///
/// impl Signed for Sentences {
///     fn signature(&self) -> Signature {
///         Signature::new("sentences")
///     }
/// }
///
/// impl Tokenizer for Sentences {
///     fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
///         let mut at = 0;
///         Ok(text
///             .split_inclusive('.')
///             .map(|s| {
///                 at += s.len();
///                 Token::new(s, at - s.len()..at)
///             })
///             .collect())
///     }
/// }
///
/// let tokens = Sentences.tokenize("비가 온다.우산이 없다.")?;
/// assert_eq!(tokens[1], "우산이 없다.");
/// assert_eq!(tokens[1].span(), 14..31);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
pub trait Tokenizer: Signed + Debug + Send + Sync {
    /// The units of the text, in order.
    ///
    /// # Errors
    /// When the scheme cannot cut this text: it is too long, or what cuts it failed.
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>>;

    /// Whether cutting a text again costs no more than remembering its units would: then several metrics of one text cut
    /// it each for themselves. Words and characters are cheap; what searches a dictionary or asks a model is not.
    fn is_cheap(&self) -> bool {
        false
    }

    /// Adds the units of the text to others, in order, without their places. Override it where that is cheaper.
    ///
    /// # Errors
    /// As [`Tokenizer::tokenize`].
    fn cut(&self, text: &str, pieces: &mut Pieces) -> Result<()> {
        self.tokenize(text)?.iter().for_each(|token| pieces.push(token.as_str()));
        Ok(())
    }

    /// Adds the units of the text to others, in order, as numbers. Override it where units can be numbered while they are
    /// cut: most metrics only ask which units are equal.
    ///
    /// # Errors
    /// As [`Tokenizer::tokenize`].
    fn number(&self, text: &str, vocabulary: &mut Vocabulary) -> Result<()> {
        vocabulary.fill(|pieces| self.cut(text, pieces))
    }
}

impl<T: Tokenizer + ?Sized> Tokenizer for std::sync::Arc<T> {
    fn is_cheap(&self) -> bool {
        (**self).is_cheap()
    }

    fn number(&self, text: &str, vocabulary: &mut Vocabulary) -> Result<()> {
        (**self).number(text, vocabulary)
    }

    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        (**self).tokenize(text)
    }

    fn cut(&self, text: &str, pieces: &mut Pieces) -> Result<()> {
        (**self).cut(text, pieces)
    }
}
