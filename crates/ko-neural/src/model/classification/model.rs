//! An encoder with a head of labels, ready to run.

use super::{folder::open, form::Level, layers::ClassificationHead};
use crate::{
    error::Result,
    model::{
        identity::Identity,
        inference::Inference,
        network::Network,
        replicas::Replicas,
        runner,
        tokenizer::{TextTokenizer, TokenIds},
    },
};
use ko_eval_core::Signature;
use std::path::Path;

/// A folder's model, without what its labels mean.
#[derive(Debug)]
pub(crate) struct LabelModel {
    identity: Identity,
    replicas: Replicas<(Network, ClassificationHead)>,
    pub(crate) tokenizer: TextTokenizer,
    pub(crate) inference: Inference,
}

impl LabelModel {
    /// A model and its labels by number.
    pub(crate) fn open(
        folder: &Path,
        level: Level,
        inference: &Inference,
    ) -> Result<(Self, Vec<String>)> {
        let place = inference.place()?;
        let (network, head, names) = open(folder, level, place)?;
        let rows = usize::try_from(network.config().vocabulary).unwrap_or(0);
        let tokenizer = TextTokenizer::open(folder, rows, network.longest())?;
        let twin = |(n, h): &(Network, ClassificationHead)| Ok((n.twin()?, h.twin()?));
        let model = Self {
            identity: Identity::of(folder, &[])?,
            replicas: Replicas::new((network, head), place, inference.threads, twin)?,
            tokenizer,
            inference: inference.clone(),
        };
        Ok((model, names))
    }

    /// The numbers of every text: one row of labels, or one for each of its tokens.
    pub(crate) fn numbers(&self, texts: &[TokenIds]) -> ko_eval_core::Result<Vec<Vec<f32>>> {
        let most = self.inference.batch_tokens;
        Ok(runner::run(&self.replicas, most, texts, |(network, head), batch| {
            head.numbers(network, batch)
        })?)
    }

    /// Adds which model it is, and how it runs.
    pub(crate) fn sign(&self, signature: Signature) -> Signature {
        self.inference.sign(self.identity.sign(signature))
    }
}
