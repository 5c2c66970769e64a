//! One vector from many: how a text's vector comes out of its tokens' vectors.

use ko_eval_model::Embeddings;
use std::{fmt, num::NonZeroUsize, str::FromStr};

/// How the tokens' vectors become one; special tokens count, as in sentence-transformers.
///
/// ```
/// use ko_neural::Pooling;
///
/// assert_eq!("mean".parse::<Pooling>()?, Pooling::Mean);
/// assert_eq!("mean-of-last-4".parse::<Pooling>()?.to_string(), "mean-of-last-4");
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Pooling {
    /// The first token's.
    Cls,
    /// The mean.
    #[default]
    Mean,
    /// The greatest number in each place.
    Max,
    /// The last token's.
    Last,
    /// The mean over the tokens of the mean over the last layers.
    MeanOfLast(NonZeroUsize),
}

impl Pooling {
    /// The vector of one text from its tokens' vectors; `None` without a token.
    /// [`Pooling::MeanOfLast`] expects the layers to be averaged already.
    pub fn pool(self, tokens: &Embeddings) -> Option<Vec<f32>> {
        let mut rows = tokens.rows();
        let mut pooled = rows.next()?.to_vec();
        match self {
            Self::Cls => {}
            Self::Last => pooled = rows.next_back().map_or(pooled, <[f32]>::to_vec),
            Self::Max => {
                for row in rows {
                    pooled.iter_mut().zip(row).for_each(|(max, &x)| *max = max.max(x));
                }
            }
            Self::Mean | Self::MeanOfLast(_) => {
                for row in rows {
                    pooled.iter_mut().zip(row).for_each(|(sum, &x)| *sum += x);
                }
                let count = tokens.len() as f32;
                pooled.iter_mut().for_each(|sum| *sum /= count);
            }
        }
        Some(pooled)
    }

    /// A text's vector from those of its chunks, which have so many tokens: their mean weighted by tokens, for
    /// [`Pooling::Max`] the greatest number in each place.
    #[cfg(feature = "torch")]
    pub(crate) fn join(self, chunks: impl Iterator<Item = (Vec<f32>, usize)>) -> Vec<f32> {
        let (mut joined, mut total) = (Vec::new(), 0);
        for (chunk, tokens) in chunks {
            let weight = tokens as f32;
            joined.resize(chunk.len(), 0.0);
            for (sum, x) in joined.iter_mut().zip(chunk) {
                *sum = match self {
                    Self::Max if total > 0 => f32::max(*sum, x),
                    Self::Max => x,
                    _ => *sum + x * weight,
                };
            }
            total += tokens;
        }
        if self != Self::Max {
            joined.iter_mut().for_each(|sum| *sum /= total.max(1) as f32);
        }
        joined
    }
}

impl fmt::Display for Pooling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cls => f.write_str("cls"),
            Self::Mean => f.write_str("mean"),
            Self::Max => f.write_str("max"),
            Self::Last => f.write_str("last"),
            Self::MeanOfLast(count) => write!(f, "mean-of-last-{count}"),
        }
    }
}

impl FromStr for Pooling {
    type Err = ko_eval_core::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "cls, mean, max, last or mean-of-last-K";
        match text {
            "cls" => Ok(Self::Cls),
            "mean" => Ok(Self::Mean),
            "max" => Ok(Self::Max),
            "last" => Ok(Self::Last),
            _ => text
                .strip_prefix("mean-of-last-")
                .and_then(|count| count.parse().ok())
                .map(Self::MeanOfLast)
                .ok_or_else(|| ko_eval_core::Error::invalid("pooling", "name", text, expected)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_tokens() {
        let tokens = Embeddings::from_rows(2, vec![1.0, 4.0, 3.0, 0.0]).unwrap();
        assert_eq!(Pooling::Cls.pool(&tokens), Some(vec![1.0, 4.0]));
        assert_eq!(Pooling::Mean.pool(&tokens), Some(vec![2.0, 2.0]));
        assert_eq!(Pooling::Max.pool(&tokens), Some(vec![3.0, 4.0]));
        assert_eq!(Pooling::Last.pool(&tokens), Some(vec![3.0, 0.0]));
        let one = Embeddings::from_rows(2, vec![1.0, 4.0]).unwrap();
        assert_eq!(Pooling::Last.pool(&one), Some(vec![1.0, 4.0]));
        assert_eq!(Pooling::Mean.pool(&Embeddings::from_rows(2, vec![]).unwrap()), None);
        assert!("mean-of-last-0".parse::<Pooling>().is_err());
    }
}
