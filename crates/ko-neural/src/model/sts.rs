//! STS: a cross-encoder that reads both sentences together and says how alike their meanings are.
//!
//! `STS(a, b) = 5 · (h(a, b) + h(b, a)) / 2`, where h is the logistic function of one linear layer over the
//! pooled tokens of the pair. The paper's score is `5·h(a, b)`; the mean makes it independent of the order.

use super::{head::Task, headed::Headed, inference::Inference, tokenizer::TokenIds};
use crate::{
    LongText,
    error::{Error, Result},
};
use ko_eval_core::{PairScorer, Signature, Signed};
use std::path::Path;

/// A trained similarity, 0 to 5.
///
/// ```no_run
/// use ko_neural::prelude::*;
///
/// let sts = Sts::open("sts", &Inference::new())?;
/// println!("{:.2}", sts.score_pairs(&[("밥 먹었어?", "진지 드셨어요?")])?[0]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Sts(Headed);

impl Sts {
    /// Loads a folder that [`train_sts`](crate::train::train_sts) wrote.
    ///
    /// # Errors
    /// What is wrong with the folder, or a setting out of range: a pair cannot be read in chunks.
    pub fn open(folder: impl AsRef<Path>, inference: &Inference) -> Result<Self> {
        if inference.long_text == LongText::Chunk {
            return Err(Error::setting("long text", "chunk", "error or truncate for pairs"));
        }
        Headed::open(folder.as_ref(), Task::Sts, inference).map(Self)
    }
}

impl Signed for Sts {
    fn signature(&self) -> Signature {
        self.0.signature("STS")
    }
}

impl PairScorer for Sts {
    fn score_pairs(&self, pairs: &[(&str, &str)]) -> ko_eval_core::Result<Vec<f64>> {
        let encode = |&pair: &(&str, &str)| self.0.tokenizer.encode_pair(pair, self.0.long_text());
        let swapped = |&(a, b): &(_, _)| encode(&(b, a));
        let mut texts: Vec<TokenIds> = pairs.iter().map(encode).collect::<Result<_, _>>()?;
        let turned: Vec<TokenIds> = pairs.iter().map(swapped).collect::<Result<_, _>>()?;
        texts.extend(turned);
        let scores = self.0.probabilities(&texts)?;
        let (there, back) = scores.split_at(pairs.len());
        Ok(there.iter().zip(back).map(|(a, b)| 5.0 * (a + b) / 2.0).collect())
    }
}
