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
use crate::{LongText, error::Result, model::answers};
use ko_eval_core::Signature;
use std::path::Path;

#[derive(Debug)]
pub(crate) struct Headed {
    identity: Identity,
    pub(crate) tokenizer: TextTokenizer,
    replicas: Replicas<(Network, Head)>,
    inference: Inference,
}

impl Headed {
    pub(crate) fn open(folder: &Path, task: Task, inference: &Inference) -> Result<Self> {
        let place = inference.place()?;
        let network = Network::open(folder, place)?;
        let head = Head::open(folder, task, network.config().hidden, place.single())?;
        let rows = usize::try_from(network.config().vocabulary).unwrap_or(0);
        let tokenizer = TextTokenizer::open(folder, rows, network.longest())?;
        let twin = |(network, head): &(Network, Head)| Ok((network.twin()?, head.twin()));
        let replicas = Replicas::new((network, head), place, inference.threads, twin)?;
        let (identity, inference) = (Identity::of(folder, &[])?, inference.clone());
        Ok(Self { identity, tokenizer, replicas, inference })
    }

    /// What happens to a long text.
    pub(crate) fn long_text(&self) -> LongText {
        self.inference.long_text
    }

    /// The signature of what is named so.
    pub(crate) fn signature(&self, name: &str) -> Signature {
        self.inference.sign(self.identity.sign(Signature::new(name)))
    }

    /// The logistic function of the head's one number, per text.
    pub(crate) fn probabilities(&self, texts: &[TokenIds]) -> Result<Vec<f64>> {
        let tokens = self.inference.batch_tokens;
        runner::run(&self.replicas, tokens, texts, |(network, head), batch| {
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
    Ok(answers(&logits.f_sigmoid()?)?.into_iter().map(f64::from).collect())
}
