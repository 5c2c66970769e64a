//! STS: a cross-encoder that reads both sentences together and says how alike their meanings are.
//!
//! `STS(a, b) = 5 · (h(a, b) + h(b, a)) / 2`, where h is the logistic function of one linear layer over the
//! pooled tokens of the pair. The paper's score is `5·h(a, b)`; the mean makes it independent of the order.
//!
//! Several models that differ in nothing but the seed they were trained by err in different places: the mean of their scores agrees better
//! with people than any of them ([`Sts::join`]), at the price of each.

use super::{
    head::{Head, Task},
    headed::Headed,
    identity::Identity,
    inference::Inference,
    tokenizer::TokenIds,
};
use crate::{
    LongText,
    error::{Error, Result},
    files::ensemble,
};
use ko_eval_core::{Signature, Signed};
use ko_eval_model::PairScorer;
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
pub struct Sts {
    models: Vec<Headed>,
    signature: Signature,
}

impl Sts {
    /// Loads a folder that [`train_sts`](crate::train::train_sts) or [`Sts::join`] wrote.
    ///
    /// # Errors
    /// What is wrong with the folder, or a setting out of range: a pair cannot be read in chunks.
    pub fn open(folder: impl AsRef<Path>, inference: &Inference) -> Result<Self> {
        if inference.long_text == LongText::Chunk {
            return Err(Error::setting("long text", "chunk", "error or truncate for pairs"));
        }
        let folder = folder.as_ref();
        let parts = ensemble::read(folder)?;
        let folders = parts.clone().unwrap_or_else(|| vec![folder.into()]);
        let open = |folder| Headed::open(folder, Task::Sts, inference);
        let models: Vec<Headed> =
            folders.iter().map(|folder| open(folder)).collect::<Result<_>>()?;
        let whole = Identity::of(folder, &parts.unwrap_or_default())?;
        let signature = inference.sign(whole.sign(Signature::new("STS")));
        Ok(Self { models, signature })
    }

    /// Makes one model of those in the folders of these names within `folder`: its score is the mean of theirs.
    ///
    /// ```no_run
    /// use ko_neural::prelude::*;
    ///
    /// // sts/seed-1, sts/seed-2 and sts/seed-3 were trained by `train_sts`, each with another seed.
    /// Sts::join("sts", &["seed-1", "seed-2", "seed-3"])?;
    /// let sts = Sts::open("sts", &Inference::new())?;
    /// # Ok::<(), ko_eval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// No name, one that leads out of the folder, a folder without a trained similarity, or a file that cannot be written.
    pub fn join(folder: impl AsRef<Path>, names: &[&str]) -> Result<()> {
        let folder = folder.as_ref();
        for name in names {
            Head::stated(&folder.join(name), Task::Sts)?;
        }
        ensemble::write(folder, &names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }
}

impl Signed for Sts {
    fn signature(&self) -> Signature {
        self.signature.clone()
    }
}

impl PairScorer for Sts {
    fn score_pairs(&self, pairs: &[(&str, &str)]) -> ko_eval_core::Result<Vec<f64>> {
        let mut sums = vec![0.0; pairs.len()];
        for model in &self.models {
            let scores = score_pairs(model, pairs)?;
            sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score);
        }
        Ok(sums.into_iter().map(|sum| sum / self.models.len() as f64).collect())
    }
}

/// One model's scores.
fn score_pairs(model: &Headed, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
    let encode = |&pair: &(&str, &str)| model.tokenizer.encode_pair(pair, model.long_text());
    let swapped = |&(a, b): &(_, _)| encode(&(b, a));
    let mut texts: Vec<TokenIds> = pairs.iter().map(encode).collect::<Result<_, _>>()?;
    let turned: Vec<TokenIds> = pairs.iter().map(swapped).collect::<Result<_, _>>()?;
    texts.extend(turned);
    let scores = model.probabilities(&texts)?;
    let (there, back) = scores.split_at(pairs.len());
    Ok(there.iter().zip(back).map(|(a, b)| 5.0 * (a + b) / 2.0).collect())
}
