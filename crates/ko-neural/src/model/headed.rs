//! An encoder with a head, ready to answer: what [`Sts`](super::Sts) and [`Fic`](super::Fic) share.

use super::{
    block::Mode,
    head::{Head, Task},
    identity::Identity,
    inference::Inference,
    network::Network,
    pooled::pooled,
    replicas::Replicas,
    runner,
    tokenizer::{TextTokenizer, TokenIds},
};
use crate::{LongText, error::Result, model::numbers};
use std::path::Path;

#[derive(Debug)]
pub(crate) struct Headed {
    pub(crate) identity: Identity,
    pub(crate) tokenizer: TextTokenizer,
    pub(crate) long_text: LongText,
    replicas: Replicas<(Network, Head)>,
    batch_tokens: usize,
}

impl Headed {
    pub(crate) fn open(folder: &Path, task: Task, inference: &Inference) -> Result<Self> {
        inference.check()?;
        let network = Network::open(folder)?;
        let head = Head::open(folder, task, network.config().hidden)?;
        let rows = usize::try_from(network.config().vocabulary).unwrap_or(0);
        let tokenizer = TextTokenizer::open(folder, rows, network.longest())?;
        let twin = |(network, head): &(Network, Head)| Ok((network.twin()?, head.twin()));
        let replicas = Replicas::new((network, head), inference.threads, twin)?;
        let (identity, long_text) = (Identity::of(folder, &[])?, inference.long_text);
        Ok(Self { identity, tokenizer, long_text, replicas, batch_tokens: inference.batch_tokens })
    }

    /// The logistic function of the head's one number, per text.
    pub(crate) fn probabilities(&self, texts: &[TokenIds]) -> Result<Vec<f64>> {
        runner::run(&self.replicas, self.batch_tokens, texts, |(network, head), batch| {
            probabilities(network, head, batch)
        })
    }
}

/// One batch's probabilities.
pub(crate) fn probabilities(
    network: &Network,
    head: &Head,
    batch: &super::batch::Batch,
) -> Result<Vec<f64>> {
    let logits = head.forward(&pooled(network, batch, head.pooling, Mode::Infer)?)?;
    Ok(numbers(&logits.f_sigmoid()?)?.into_iter().map(f64::from).collect())
}
