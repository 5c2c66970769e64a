//! The stages of a sentence embedder's training: what it learns from, and by which loss.

use super::{
    learner::Learner,
    losses::{cosent, ranking},
    options::TrainingSettings,
    pairs::{cosines, plain_cosines, shares, sides},
    pearson::spearman,
    sbert::softmax,
    supervised::{Example, Examples, Supervised},
    trainer::{self, Objective, TrainingReport},
};
use crate::{
    error::{Error, Result},
    model::{block::Mode, head::Task, tokenizer::TokenIds},
    read::{NliPair, RankedText, ScoredPair},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;
use tch::{Reduction, Tensor};

/// One stage; a training may have several, each starting from the folder that the one before wrote.
///
/// ```no_run
/// use ko_neural::{
///     read::{nli_tsv, sts_tsv, triples},
///     train::{Stage, TrainingSettings, train_sbert},
/// };
///
/// let (nli, sts, dev) = (nli_tsv("nli.tsv")?, sts_tsv("sts-train.tsv")?, sts_tsv("sts-dev.tsv")?);
/// let settings = TrainingSettings::builder().batch(64).longest(64).build()?;
/// train_sbert("albert-kor-base", &Stage::Ranking(&triples(&nli)), &dev, "ranked", &settings)?;
/// train_sbert("ranked", &Stage::CoSent(&sts), &dev, "ko-sbert", &settings)?;
/// # Ok::<(), ko_neural::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Stage<'a> {
    /// Softmax over (u, v, |u − v|) on inference labels, as published (Reimers and Gurevych 2019).
    Softmax(&'a [NliPair]),
    /// Multiple negatives ranking (Henderson et al. 2017): every text's own positive against all others of the batch, hard negatives
    /// among them. Larger batches teach more. Of a text that occurs several times in a batch, neither itself nor any of its positives is held
    /// against it.
    Ranking(&'a [RankedText]),
    /// Multiple negatives ranking without labels (SimCSE, Gao et al. 2021): a text's positive is the text itself under another dropout. A
    /// backbone that drops nothing, such as the Korean ALBERT, needs a [`dropout`](super::TrainingBuilder::dropout).
    SimCse(&'a [String]),
    /// The squared error of the cosine on scores (Reimers and Gurevych 2019).
    Cosine(&'a [ScoredPair]),
    /// The order of the cosines against the order of the scores within a batch (CoSENT, Su 2022).
    CoSent(&'a [ScoredPair]),
}

/// Trains an embedder through one stage and writes it to `output`; the weights with the best Spearman correlation of the cosine with the
/// scores of `dev` are kept, or the last without one.
///
/// A backbone that is a sentence-transformers folder is trained, and written, in the form that its files state: pooling, normalisation, length
/// limit, the prompt before every text. Any other is pooled by the mean.
///
/// # Errors
/// What is wrong with the backbone, [`Error::Untrainable`] for one with dense layers, SimCSE without dropout, a loss that is not a number, or a file that cannot be written.
pub fn train_sbert(
    backbone: impl AsRef<Path>,
    stage: &Stage<'_>,
    dev: &[ScoredPair],
    output: impl AsRef<Path>,
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    let task = matches!(stage, Stage::Softmax(_)).then_some(Task::Nli);
    let learner = Learner::embedder(backbone.as_ref(), task, training)?;
    let learner = &learner;
    let dev = scored(learner, dev)?;
    let objective: Box<dyn Objective + '_> = match stage {
        Stage::Softmax(pairs) => {
            Box::new(watched(softmax(learner, pairs)?.by("softmax"), learner, dev))
        }
        Stage::Ranking(texts) => {
            let train = Examples::encode(texts, |text| Candidates::of(learner, text), |_| ())?;
            let loss = |texts: &[&Candidates], _: &[()]| ranked(learner, texts);
            Box::new(watched(Supervised::new(learner, train, loss).by("ranking"), learner, dev))
        }
        Stage::SimCse(texts) => {
            if !learner.drops() {
                let wanted = "above 0: SimCSE sees a text twice, and without dropout both are the same vector";
                return Err(Error::setting("dropout", 0.0, wanted));
            }
            let twice = |text: &String| Ok(Candidates::twice(learner.text(text)?));
            let train = Examples::encode(texts, twice, |_| ())?;
            let loss = |texts: &[&Candidates], _: &[()]| ranked(learner, texts);
            Box::new(watched(Supervised::new(learner, train, loss).by("simcse"), learner, dev))
        }
        Stage::Cosine(pairs) => {
            let loss = |pairs: &[&[TokenIds; 2]], scores: &[f64]| {
                let [a, b] = sides(learner, pairs)?;
                Ok(cosines(&a, &b)?.f_mse_loss(&shares(learner, scores)?, Reduction::Mean)?)
            };
            let train = scored(learner, pairs)?;
            Box::new(watched(Supervised::new(learner, train, loss).by("cosine"), learner, dev))
        }
        Stage::CoSent(pairs) => {
            let loss = |pairs: &[&[TokenIds; 2]], scores: &[f64]| {
                let [a, b] = sides(learner, pairs)?;
                cosent(&cosines(&a, &b)?, &shares(learner, scores)?)
            };
            let train = scored(learner, pairs)?;
            Box::new(watched(Supervised::new(learner, train, loss).by("cosent"), learner, dev))
        }
    };
    let report = trainer::train(&*objective, training)?;
    learner.save_embedder(output.as_ref())?;
    Ok(report)
}

/// Pairs as the model reads them, with their scores.
fn scored(learner: &Learner, pairs: &[ScoredPair]) -> Result<Examples<[TokenIds; 2], f64>> {
    let sides = |p: &ScoredPair| Ok([learner.text(&p.first)?, learner.text(&p.second)?]);
    Examples::encode(pairs, sides, |pair| pair.score)
}

/// A training that is judged by how well cosines follow the scores of other examples than those it learns from.
fn watched<'l, E, L>(
    training: Supervised<'l, E, L>,
    learner: &'l Learner,
    dev: Examples<[TokenIds; 2], f64>,
) -> Supervised<'l, E, L> {
    training.watched(dev, |pairs, scores| {
        Ok(spearman(&plain_cosines(learner, pairs)?, scores).unwrap_or(0.0))
    })
}

/// A text, its positive, and perhaps a hard negative, as the model reads them.
#[derive(Debug)]
struct Candidates {
    anchor: TokenIds,
    positive: TokenIds,
    negative: Option<TokenIds>,
}

impl Candidates {
    fn of(learner: &Learner, text: &RankedText) -> Result<Self> {
        Ok(Self {
            anchor: learner.text(&text.anchor)?,
            positive: learner.text(&text.positive)?,
            negative: text.negative.as_ref().map(|text| learner.text(text)).transpose()?,
        })
    }

    fn twice(text: TokenIds) -> Self {
        Self { anchor: text.clone(), positive: text, negative: None }
    }
}

impl Example for Candidates {
    fn longest(&self) -> usize {
        let negative = self.negative.as_ref().map_or(0, TokenIds::len);
        self.anchor.len().max(self.positive.len()).max(negative)
    }
}

/// The ranking loss of some texts, all sides encoded as one batch.
fn ranked(learner: &Learner, texts: &[&Candidates]) -> Result<Tensor> {
    let anchors: Vec<&TokenIds> = texts.iter().map(|text| &text.anchor).collect();
    let positives = texts.iter().map(|text| &text.positive);
    let candidates: Vec<&TokenIds> =
        positives.chain(texts.iter().filter_map(|text| text.negative.as_ref())).collect();
    let all = learner.pooled(&[anchors.clone(), candidates.clone()].concat(), Mode::Train)?;
    let (rows, columns) = (anchors.len() as i64, candidates.len() as i64);
    let exempt = learner.tensor(&exempt(&anchors, &candidates))?.f_view([rows, columns])?;
    ranking(&all.f_narrow(0, 0, rows)?, &all.f_narrow(0, rows, columns)?, Some(&exempt))
}

/// Row by row, whether a candidate must not be held against an anchor: it is the anchor itself, its positive once more, or the positive that the
/// same anchor has in another row.
fn exempt<'t>(anchors: &[&'t TokenIds], candidates: &[&'t TokenIds]) -> Vec<bool> {
    // Equal texts have one number.
    let mut numbers: FxHashMap<&[u32], usize> = FxHashMap::default();
    let mut number = |text: &&'t TokenIds| {
        let next = numbers.len();
        *numbers.entry(&text.ids).or_insert(next)
    };
    let anchors: Vec<usize> = anchors.iter().map(&mut number).collect();
    let candidates: Vec<usize> = candidates.iter().map(number).collect();
    // Positives come first, one for each anchor, hard negatives behind them.
    let right: FxHashSet<_> = anchors.iter().copied().zip(candidates.iter().copied()).collect();
    let mut exempt = Vec::with_capacity(anchors.len() * candidates.len());
    for (place, &anchor) in anchors.iter().enumerate() {
        exempt.extend(candidates.iter().enumerate().map(|(column, &candidate)| {
            column != place && (candidate == anchor || right.contains(&(anchor, candidate)))
        }));
    }
    exempt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_not_held_against_each_other() {
        let text = |ids: &[u32]| TokenIds {
            ids: ids.to_vec(),
            types: vec![0; ids.len()],
            special: vec![false; ids.len()],
        };
        let (a, b, c) = (text(&[1]), text(&[2]), text(&[3]));
        // Anchors a, b; positives c, c; a hard negative that is the first anchor.
        let found = exempt(&[&a, &b], &[&c, &c, &a]);
        assert_eq!(found, [false, true, true, true, false, false]);
        // One anchor with two positives: neither is a negative of it, for the other row it is one.
        let found = exempt(&[&a, &a, &c], &[&b, &c, &b, &a]);
        let rows =
            [[false, true, true, true], [true, false, true, true], [true, true, false, false]];
        assert_eq!(found, rows.concat());
    }
}
