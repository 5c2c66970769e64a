//! An encoder with a head, ready to answer: what [`Sts`](super::Sts) and [`Fic`](super::Fic) share.

use super::{
    block::Mode,
    head::{Head, Task},
    identity::Identity,
    inference::Inference,
    network::Network,
    pool::pooled,
    runner,
    tokenizer::{Pieces, TextTokenizer},
};
use crate::{LongText, error::Result, model::numbers};
use std::{path::Path, sync::Mutex};

#[derive(Debug)]
pub(crate) struct Headed {
    pub(crate) identity: Identity,
    pub(crate) tokenizer: TextTokenizer,
    pub(crate) long_text: LongText,
    replicas: Vec<Mutex<(Network, Head)>>,
    batch_tokens: usize,
}

impl Headed {
    pub(crate) fn open(folder: &Path, task: Task, inference: &Inference) -> Result<Self> {
        inference.check()?;
        let network = Network::open(folder)?;
        let head = Head::open(folder, task, network.config().hidden)?;
        let rows = usize::try_from(network.config().vocabulary).unwrap_or(0);
        let tokenizer = TextTokenizer::open(folder, rows, network.longest())?;
        let mut replicas = Vec::with_capacity(inference.threads);
        for _ in 1..inference.threads {
            replicas.push(Mutex::new((network.twin()?, head.twin())));
        }
        replicas.push(Mutex::new((network, head)));
        let (identity, long_text) = (Identity::of(folder, &[])?, inference.long_text);
        Ok(Self { identity, tokenizer, long_text, replicas, batch_tokens: inference.batch_tokens })
    }

    /// The logistic function of the head's one number, per text.
    pub(crate) fn probabilities(&self, texts: &[Pieces]) -> Result<Vec<f64>> {
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
