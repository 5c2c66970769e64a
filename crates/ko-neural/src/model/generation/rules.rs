//! What may come next, whatever the model thinks: in the order of transformers' processors.

use crate::{error::Result, model::place::Place};
use tch::{Kind, Tensor};

/// The rules of one generation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rules {
    pub(crate) end: Vec<u32>,
    /// New tokens, at least (the end not counted) and at most (the end counted).
    pub(crate) min: usize,
    pub(crate) max: usize,
    pub(crate) no_repeat: usize,
    pub(crate) penalty: f64,
    /// The token after a lone first one.
    pub(crate) forced_first: Option<u32>,
    /// The token where there is room for one alone.
    pub(crate) forced_last: Option<u32>,
}

impl Rules {
    /// Changes the scores of the next token, `[rows, tokens]`; `before` is every row's tokens so far, `new` how many of them were written.
    pub(crate) fn apply(&self, scores: Tensor, before: &[&[u32]], new: usize) -> Result<Tensor> {
        let mut scores = scores;
        if self.penalty != 1.0 {
            scores = self.penalise(&scores, before)?;
        }
        if self.no_repeat > 0 {
            let (mut rows, mut tokens) = (Vec::new(), Vec::new());
            for (row, before) in (0i64..).zip(before) {
                for token in repeating(before, self.no_repeat) {
                    rows.push(row);
                    tokens.push(i64::from(token));
                }
            }
            forbid(&mut scores, &rows, &tokens)?;
        }
        if new < self.min {
            for &token in &self.end {
                let _ = scores.f_narrow(1, i64::from(token), 1)?.f_fill_(f64::NEG_INFINITY)?;
            }
        }
        if let Some(token) = self.forced_first {
            let lone = (0i64..).zip(before).filter(|(_, before)| before.len() == 1);
            for (row, _) in lone {
                force(&scores.f_narrow(0, row, 1)?, token)?;
            }
        }
        if let Some(token) = self.forced_last.filter(|_| new + 1 == self.max) {
            force(&scores, token)?;
        }
        Ok(scores)
    }

    /// Whether a token ends a text.
    pub(crate) fn ends(&self, token: u32) -> bool {
        self.end.contains(&token)
    }

    fn penalise(&self, scores: &Tensor, before: &[&[u32]]) -> Result<Tensor> {
        let (rows, width) = scores.size2()?;
        let mut seen = vec![false; usize::try_from(rows * width).unwrap_or(0)];
        for (row, before) in before.iter().enumerate() {
            for &token in *before {
                let place = row * usize::try_from(width).unwrap_or(0) + token as usize;
                seen.get_mut(place).into_iter().for_each(|seen| *seen = true);
            }
        }
        let seen = Place::of(scores).tensor(&seen)?.f_view([rows, width])?;
        let (less, more) = (scores.f_mul_scalar(self.penalty)?, scores.f_div_scalar(self.penalty)?);
        let penalised = less.f_where_self(&scores.f_lt(0.0)?, &more)?;
        Ok(penalised.f_where_self(&seen, scores)?)
    }
}

/// Leaves one token to choose.
fn force(scores: &Tensor, token: u32) -> Result<()> {
    let mut scores = scores.shallow_clone();
    let _ = scores.f_fill_(f64::NEG_INFINITY)?;
    let _ = scores.f_narrow(1, i64::from(token), 1)?.f_fill_(0.0)?;
    Ok(())
}

/// The tokens that would complete a run of `length` that is there already.
fn repeating(before: &[u32], length: usize) -> impl Iterator<Item = u32> {
    let start = (before.len() + 1).saturating_sub(length);
    let prefix = before.get(start..).filter(|_| before.len() >= length);
    let windows = prefix.map(|_| before.windows(length)).into_iter().flatten();
    windows.filter_map(move |window| {
        let (last, rest) = window.split_last()?;
        prefix.is_some_and(|prefix| prefix == rest).then_some(*last)
    })
}

fn forbid(scores: &mut Tensor, rows: &[i64], tokens: &[i64]) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let place = Place::of(scores);
    let places = [Some(place.tensor(rows)?), Some(place.tensor(tokens)?)];
    let never = place.tensor(&[f32::NEG_INFINITY])?.f_squeeze()?;
    let _ = scores.f_index_put_(&places, &never, false)?;
    Ok(())
}

/// What is left to draw from: sharper or flatter, the likeliest alone.
pub(crate) fn narrow(
    scores: &Tensor,
    temperature: f64,
    top_k: usize,
    top_p: f64,
) -> Result<Tensor> {
    let mut scores = scores.f_div_scalar(temperature)?;
    let tokens = scores.size2()?.1;
    let never = |scores: &Tensor, out: &Tensor| scores.f_masked_fill(out, f64::NEG_INFINITY);
    if top_k > 0 {
        let k = i64::try_from(top_k).unwrap_or(i64::MAX).min(tokens);
        let (likeliest, _) = scores.f_topk(k, 1, true, true)?;
        let out = scores.f_lt_tensor(&likeliest.f_narrow(1, k - 1, 1)?)?;
        scores = never(&scores, &out)?;
    }
    if top_p < 1.0 {
        // Stable: which of equal scores stay is the same on every processor.
        let (sorted, places) = scores.f_sort_stable(true, 1, false)?;
        let sums = sorted.f_softmax(-1, None::<Kind>)?.f_cumsum(1, None::<Kind>)?;
        let out = sums.f_le(1.0 - top_p)?;
        // The likeliest stays.
        let _ = out.f_narrow(1, tokens - 1, 1)?.f_fill_(0i64)?;
        scores = never(&scores, &out.f_scatter(1, &places, &out)?)?;
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::numbers;

    #[test]
    fn runs_are_not_repeated() {
        let next = |before: &[u32], length| repeating(before, length).collect::<Vec<_>>();
        assert_eq!(next(&[1, 2, 3, 1, 2], 3), [3]);
        assert_eq!(next(&[1, 2, 3, 1, 2], 2), [3]);
        assert_eq!(next(&[1, 2], 1), [1, 2]);
        assert!(next(&[1, 1], 3).is_empty());
        assert!(next(&[], 2).is_empty());
    }

    /// What `TemperatureLogitsWarper`, `TopKLogitsWarper` and `TopPLogitsWarper` leave, worked out by hand.
    #[test]
    fn the_likeliest_are_left() {
        let scores = Tensor::from_slice(&[0.4f32, 0.3, 0.2, 0.1]).log().view([1, 4]);
        let left = |k, p| {
            let scores = narrow(&scores, 1.0, k, p).unwrap();
            numbers(&scores).unwrap().iter().map(|score| score.is_finite()).collect::<Vec<_>>()
        };
        assert_eq!(left(2, 1.0), [true, true, false, false]);
        assert_eq!(left(0, 0.75), [true, true, true, false]);
        assert_eq!(left(0, 0.65), [true, true, false, false]);
        assert_eq!(left(0, 0.01), [true, false, false, false]);
        // Of the two that are left, 4/7 and 3/7.
        assert_eq!(left(2, 0.5), [true, false, false, false]);
        let warm = numbers(&narrow(&scores, 2.0, 0, 1.0).unwrap()).unwrap();
        assert!((warm[0] - 0.4f32.ln() / 2.0).abs() < 1e-6);
    }
}
