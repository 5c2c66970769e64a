//! FIC: a classifier that says how probably a sentence is formal.
//!
//! `FIC(a, b) = 5 · (1 − |p(a) − p(b)|)`: 5 for two sentences of one tone, 0 for opposite tones.

use super::{head::Task, headed::Headed, inference::Inference, tokenizer::TokenIds};
use crate::{
    LongText,
    error::{Error, Result},
};
use ko_eval_core::{Signature, Signed};
use ko_eval_model::PairScorer;
use std::path::Path;

/// A trained formality classifier.
///
/// ```no_run
/// use ko_neural::prelude::*;
///
/// let fic = Fic::open("fic", &Inference::new())?;
/// println!("{:.2}", fic.probabilities(&["진지 드셨어요?"])?[0]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Fic(Headed);

impl Fic {
    /// Loads a folder that [`train_fic`](crate::train::train_fic) wrote.
    ///
    /// # Errors
    /// What is wrong with the folder, or a setting out of range: the tone of a text in chunks is not defined.
    pub fn open(folder: impl AsRef<Path>, inference: &Inference) -> Result<Self> {
        if inference.long_text == LongText::Chunk {
            return Err(Error::setting("long text", "chunk", "error or truncate for a classifier"));
        }
        Headed::open(folder.as_ref(), Task::Fic, inference).map(Self)
    }

    /// The probability that each text is formal.
    ///
    /// # Errors
    /// When the model fails, or a text is longer than the policy allows.
    pub fn probabilities(&self, texts: &[&str]) -> ko_eval_core::Result<Vec<f64>> {
        let encode = |text: &&str| self.0.tokenizer.encode(text, self.0.long_text());
        let runs: Vec<Vec<TokenIds>> = texts.iter().map(encode).collect::<Result<_, _>>()?;
        Ok(self.0.probabilities(&runs.concat())?)
    }
}

impl Signed for Fic {
    fn signature(&self) -> Signature {
        self.0.signature("FIC")
    }
}

impl PairScorer for Fic {
    fn score_pairs(&self, pairs: &[(&str, &str)]) -> ko_eval_core::Result<Vec<f64>> {
        let texts: Vec<&str> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        let formal = self.probabilities(&texts)?;
        Ok(formal.as_chunks().0.iter().map(|&[a, b]| 5.0 * (1.0 - f64::abs(a - b))).collect())
    }
}
