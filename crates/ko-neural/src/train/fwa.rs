//! Fine-tuning of a sentence encoder together with a summariser (RDASS's FWA step, Lee et al. 2020).
//!
//! One loop, one sum of three losses: the negative log-likelihood of the reference summary, and two triplet losses that draw the vector of the
//! summariser's own summary to its reference and to its document, away from those of another item. So that gradients reach the summariser,
//! its summary is not a text: at each place stand the shares that it gives to all tokens, and the sentence encoder reads the mean of its token
//! vectors by these shares. The shares are teacher-forced: each place's are those given the document and the reference's tokens before it, not the
//! summariser's own. Both must have the same tokens. Other items are drawn anew in every epoch.

use super::{
    generator::{Example, GeneratorSettings, Start, TextPair, WriterLearner, likelihood},
    learner::Learner,
    options::TrainingSettings,
    supervised::Trained as _,
    trainer::{self, Objective, TrainingReport},
    triplet::{check, others, triplet},
};
use crate::{
    error::{Error, Result},
    model::{block::Mode, tokenizer::TokenIds},
};
use ko_eval_core::Fingerprint;
use std::{cell::RefCell, ops::Range, path::Path};
use tch::{Kind, Tensor};

/// What the joint training has beside the settings of every one, whose longest text is the sentence encoder's.
#[derive(Debug, Clone, PartialEq)]
pub struct FwaSettings {
    /// How much closer than the wrong ones the right reference and the right document should be, above 0.
    pub margin: f64,
    /// The most tokens of a document that the summariser reads.
    pub longest_document: usize,
    /// The most tokens of a summary.
    pub longest_summary: usize,
}

impl Default for FwaSettings {
    /// A margin of 1; 512 and 150 tokens.
    fn default() -> Self {
        Self { margin: 1.0, longest_document: 512, longest_summary: 150 }
    }
}

/// Trains a summariser and a sentence encoder together, on documents as sources and reference summaries as targets, and writes both:
/// to `summarizer` and `embedder` in the folder `output`.
///
/// ```no_run
/// use ko_neural::train::{FwaSettings, TextPair, TrainingSettings, train_fwa};
///
/// let pairs = [
///     TextPair { source: "정부는 오늘 새 정책을 발표했다. 시민들은 환영했다.", target: "새 정책이 발표됐다." },
///     TextPair { source: "어제는 눈이 많이 내렸다. 길이 막혔다.", target: "폭설로 길이 막혔다." },
/// ];
/// let settings = FwaSettings::default();
/// train_fwa("summarizer", "ko-sbert", &pairs, "fwa", &settings, &TrainingSettings::new())?;
/// # Ok::<(), ko_neural::Error>(())
/// ```
///
/// # Errors
/// What is wrong with the folders, [`Error::DifferentVocabularies`], [`Error::Untrainable`] for an embedder with dense layers or a prompt, a
/// margin that is not above 0, a pair that shares its document or its summary with all others, a loss that is not a number, or a file that cannot be written.
pub fn train_fwa(
    summarizer: impl AsRef<Path>,
    embedder: impl AsRef<Path>,
    items: &[TextPair<'_>],
    output: impl AsRef<Path>,
    settings: &FwaSettings,
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    check(settings.margin, items.len())?;
    let joint = Joint::open(summarizer.as_ref(), embedder.as_ref(), items, settings, training)?;
    let report = trainer::train(&joint, training)?;
    joint.writer.save(&output.as_ref().join("summarizer"))?;
    joint.embedder.save_embedder(&output.as_ref().join("embedder"))?;
    Ok(report)
}

/// A document and its summary as both models read them.
struct Item {
    example: Example,
    document: TokenIds,
    reference: TokenIds,
    /// The reference as the sentence encoder reads it, as far as the summariser writes it, and where its own tokens stand in it.
    summary: TokenIds,
    written: Range<usize>,
}

/// Both models and what they learn from.
struct Joint {
    writer: WriterLearner,
    embedder: Learner,
    items: Vec<Item>,
    margin: f64,
    seed: u64,
    /// Another item for each, in the present epoch.
    others: RefCell<Vec<usize>>,
}

impl Joint {
    fn open(
        summarizer: &Path,
        embedder: &Path,
        items: &[TextPair<'_>],
        settings: &FwaSettings,
        training: &TrainingSettings,
    ) -> Result<Self> {
        let lengths = GeneratorSettings {
            longest_source: settings.longest_document,
            longest_target: settings.longest_summary,
            in_order: false,
            ..GeneratorSettings::default()
        };
        let start = Start::Pretrained(summarizer.into());
        let writer = WriterLearner::open(&start, &lengths, training)?;
        let learner = Learner::embedder(embedder, None, training)?;
        if learner.prompts() {
            // The summariser writes the summary alone, and not what stands before it.
            let part = "a prompt before every text";
            return Err(Error::Untrainable { folder: embedder.into(), part });
        }
        let (written, read) = (writer.tokens(), learner.tokens());
        let longest = written.len().max(read.len());
        if let Some(id) = (0..longest).find(|&id| written.get(id) != read.get(id)) {
            return Err(Error::DifferentVocabularies {
                first: summarizer.into(),
                second: embedder.into(),
                id,
                first_token: written.get(id).cloned().unwrap_or_default(),
                second_token: read.get(id).cloned().unwrap_or_default(),
            });
        }
        let item = |(number, pair)| Item::new(&writer, &learner, pair, number);
        let items = (1..).zip(items).map(item).collect::<Result<_>>()?;
        let (margin, seed) = (settings.margin, training.seed);
        let others = RefCell::default();
        Ok(Self { writer, embedder: learner, items, margin, seed, others })
    }

    /// The three losses of some items, each with one of another: of the reference's tokens, of the references, of the documents.
    fn losses(&self, items: &[(&Item, &Item)], mode: Mode) -> Result<[Tensor; 3]> {
        let examples: Vec<&Example> = items.iter().map(|(item, _)| &item.example).collect();
        let logits = self.writer.logits(&examples, mode)?;
        let (sum, tokens) = likelihood(&logits, &examples)?;
        let likely = sum.f_div_scalar(tokens.max(1) as f64)?;

        let summaries = self.summaries(items, &logits, mode)?;
        let mut texts: Vec<&TokenIds> = Vec::with_capacity(4 * items.len());
        texts.extend(items.iter().map(|(own, _)| &own.reference));
        texts.extend(items.iter().map(|(_, other)| &other.reference));
        texts.extend(items.iter().map(|(own, _)| &own.document));
        texts.extend(items.iter().map(|(_, other)| &other.document));
        let vectors = self.embedder.pooled(&texts, mode)?;
        let count = items.len() as i64;
        let side = |side: i64| vectors.f_narrow(0, side * count, count);
        let references = triplet(&summaries, &side(0)?, &side(1)?, self.margin)?;
        let documents = triplet(&summaries, &side(2)?, &side(3)?, self.margin)?;
        Ok([likely, references, documents])
    }

    /// The vectors of what the summariser writes, by its numbers for every token at each place of the targets.
    fn summaries(&self, items: &[(&Item, &Item)], logits: &Tensor, mode: Mode) -> Result<Tensor> {
        let (mut rows, mut first) = (Vec::new(), self.writer.forced());
        for (item, _) in items {
            rows.extend((first..first + item.written.len()).map(|row| row as i64));
            first += item.example.target.len();
        }
        let rows = self.embedder.tensor(&rows)?;
        let shares = logits.f_index_select(0, &rows)?.f_softmax(-1, Kind::Float)?;
        let texts: Vec<&TokenIds> = items.iter().map(|(item, _)| &item.summary).collect();
        let mixed: Vec<Range<usize>> = items.iter().map(|(item, _)| item.written.clone()).collect();
        self.embedder.pooled_mixtures(&texts, &mixed, &shares, mode)
    }

    /// For every item one of another reference and another document.
    fn draw_others(&self, epoch: usize) -> Result<Vec<usize>> {
        let differ = |one: usize, other: usize| match (self.items.get(one), self.items.get(other)) {
            (Some(one), Some(other)) => {
                one.reference.ids != other.reference.ids && one.document.ids != other.document.ids
            }
            _ => false,
        };
        others(self.items.len(), differ, self.seed, epoch)
    }

    fn with_others(&self, chosen: &[usize]) -> Vec<(&Item, &Item)> {
        let others = self.others.borrow();
        let pair = |&place: &usize| {
            let other = others.get(place).copied()?;
            Some((self.items.get(place)?, self.items.get(other)?))
        };
        chosen.iter().filter_map(pair).collect()
    }
}

impl Item {
    /// The pair of this number, from 1.
    fn new(
        writer: &WriterLearner,
        embedder: &Learner,
        pair: &TextPair<'_>,
        number: usize,
    ) -> Result<Self> {
        let example = writer.example(pair, ("training", number))?;
        let reference = embedder.text(pair.target)?;
        // All but the mark at the end.
        let most = example.target.len().saturating_sub(1 + writer.forced());
        let first = reference.special.iter().position(|special| !special).unwrap_or(0);
        let own = reference.special.iter().filter(|special| !**special).count();
        let written = first..first + own.min(most);
        let stays = |place: usize| place < written.end || place >= first + own;
        let kept = |ids: &[u32]| -> Vec<u32> {
            let ids = ids.iter().enumerate().filter(|(place, _)| stays(*place));
            ids.map(|(_, &id)| id).collect()
        };
        let special = reference.special.iter().enumerate().filter(|(place, _)| stays(*place));
        let summary = TokenIds {
            ids: kept(&reference.ids),
            types: kept(&reference.types),
            special: special.map(|(_, &special)| special).collect(),
        };
        Ok(Self { example, document: embedder.text(pair.source)?, reference, summary, written })
    }
}

impl Objective for Joint {
    fn parameters(&self) -> Vec<(String, Tensor)> {
        let named = |part: &'static str, all: Vec<(String, Tensor)>| {
            all.into_iter().map(move |(name, tensor)| (format!("{part}.{name}"), tensor))
        };
        let summarizer = named("summarizer", self.writer.parameters());
        summarizer.chain(named("embedder", self.embedder.parameters())).collect()
    }

    fn lengths(&self) -> Vec<usize> {
        self.items.iter().map(|item| item.document.len() + item.example.target.len()).collect()
    }

    fn examples(&self) -> String {
        let begin = Fingerprint::new().text(&format!("fwa {}", self.margin));
        let all = self.items.iter().fold(begin, |all, item| {
            let ids = (&item.example.source.ids, &item.example.target, &item.summary.ids);
            all.text(&format!("{ids:?} {:?} {:?}", item.document.ids, item.reference.ids))
        });
        all.hex()
    }

    fn begin_epoch(&self, epoch: usize) -> Result<()> {
        *self.others.borrow_mut() = self.draw_others(epoch)?;
        Ok(())
    }

    fn tokens(&self, chosen: &[usize]) -> Option<usize> {
        let items = chosen.iter().filter_map(|&place| self.items.get(place));
        Some(items.map(|item| item.document.len() + item.example.target.len()).sum())
    }

    fn loss(&self, chosen: &[usize]) -> Result<Tensor> {
        let [likely, references, documents] =
            self.losses(&self.with_others(chosen), Mode::Train)?;
        Ok(likely.f_add(&references)?.f_add(&documents)?)
    }

    fn evaluate(&self) -> Result<Option<f64>> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
