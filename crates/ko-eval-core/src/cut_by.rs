//! A unit of your own from a function.

use crate::{Result, Signature, Signed, Token, Tokenizer};
use std::{borrow::Cow, fmt};

/// A tokenizer that cuts by a function: the units are pieces of the text, in order.
///
/// For more (units that are not written as they stand in the text, settings, speed) implement [`Tokenizer`].
///
/// ```
/// use ko_eval_core::{CutBy, Tokenizer};
///
/// let words = CutBy::new("eojeol", |text| text.split_whitespace().collect());
/// let units = words.tokenize("밥을 먹었어요.")?;
/// assert_eq!(units[1], "먹었어요.");
/// assert_eq!(units[1].span(), 7..20);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Clone)]
pub struct CutBy<F> {
    name: Cow<'static, str>,
    cut: F,
}

impl<F> CutBy<F>
where
    F: for<'t> Fn(&'t str) -> Vec<&'t str> + Send + Sync,
{
    /// Cuts by `cut`; `name` stands for it in signatures, so another rule deserves another name.
    pub fn new(name: impl Into<Cow<'static, str>>, cut: F) -> Self {
        Self { name: name.into(), cut }
    }
}

impl<F> fmt::Debug for CutBy<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CutBy").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<F> Signed for CutBy<F> {
    fn signature(&self) -> Signature {
        Signature::new(&*self.name)
    }
}

impl<F> Tokenizer for CutBy<F>
where
    F: for<'t> Fn(&'t str) -> Vec<&'t str> + Send + Sync,
{
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        let mut at = 0;
        let token = |piece: &'t str| {
            let start =
                text.get(at..).and_then(|rest| rest.find(piece)).map_or(at, |skip| at + skip);
            at = (start + piece.len()).min(text.len());
            Token::new(piece, start..at)
        };
        Ok((self.cut)(text).into_iter().map(token).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_follow_the_text_even_where_pieces_repeat() {
        let letters = CutBy::new("letters", |text| text.split("").filter(|s| *s > " ").collect());
        let units = letters.tokenize("가 가나").unwrap();
        let found: Vec<_> = units.iter().map(|unit| (unit.as_str(), unit.span())).collect();
        assert_eq!(found, [("가", 0..3), ("가", 4..7), ("나", 7..10)]);
    }

    #[test]
    fn what_is_no_piece_of_the_text_gets_no_place_beyond_it() {
        let odd = CutBy::new("odd", |_| vec!["없음", "가"]);
        let units = odd.tokenize("가").unwrap();
        assert!(units.iter().all(|unit| unit.span().end <= 3), "{units:?}");
    }
}
