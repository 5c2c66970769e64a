//! Labelled sentences in three parts.

use crate::{
    error::{Error, Result},
    sentence::Origin,
    treebank::count,
};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Which part of a data set a sentence belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The classifier learns from it.
    Train,
    /// Early stopping and regularisation are chosen on it.
    Dev,
    /// The score comes from it.
    Test,
}

impl Part {
    /// All three.
    pub const ALL: &[Part] = &[Part::Train, Part::Dev, Part::Test];

    /// As SentEval writes it.
    pub fn code(self) -> &'static str {
        match self {
            Part::Train => "tr",
            Part::Dev => "va",
            Part::Test => "te",
        }
    }
}

/// A sentence with its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The sentence.
    pub text: String,
    /// The number of its class.
    pub class: usize,
    /// The part it is in.
    pub part: Part,
    /// Where it was read.
    pub origin: Origin,
}

/// A probing task's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    /// The task's name.
    pub task: String,
    /// The classes' names; an example's class is a number into these.
    pub classes: Vec<String>,
    /// The examples in the order of the corpus.
    pub examples: Vec<Example>,
    /// Why sentences were left out, and how many.
    pub dropped: BTreeMap<String, usize>,
}

/// Whether classes keep their natural sizes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Balance {
    /// As the corpus has them.
    #[default]
    Natural,
    /// Every class cut down, at random, to the size of the smallest.
    Equal,
}

/// How examples are dealt out to the three parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    dev: f64,
    test: f64,
    balance: Balance,
    seed: u64,
}

impl Default for Split {
    /// 80 % to learn from, 10 % and 10 % for the other two, natural class sizes, seed 12345.
    fn default() -> Self {
        Self { dev: 0.1, test: 0.1, balance: Balance::Natural, seed: 12345 }
    }
}

impl Split {
    /// These shares for dev and test; the rest is learnt from.
    ///
    /// # Errors
    /// When a share is not above 0, or the two leave nothing.
    pub fn new(dev: f64, test: f64, balance: Balance, seed: u64) -> Result<Self> {
        let sound = |share: f64| share > 0.0 && share < 1.0;
        if !sound(dev) || !sound(test) || dev + test >= 1.0 {
            let value = format!("{dev} and {test}");
            let wanted = "two shares above 0 whose sum is below 1";
            return Err(ko_eval_core::Error::invalid("split", "dev, test", value, wanted).into());
        }
        Ok(Self { dev, test, balance, seed })
    }

    /// What chance starts from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Deals out a data set: every class by itself, so that the parts have the same mixture.
    /// From three examples on, a class is in every part; smaller classes are left out.
    pub fn apply(&self, mut data: Dataset) -> Dataset {
        data.drop_repeated_texts();
        let mut by_class = vec![Vec::new(); data.classes.len()];
        for (at, example) in data.examples.iter().enumerate() {
            if let Some(members) = by_class.get_mut(example.class) {
                members.push(at);
            }
        }
        let sizes = by_class.iter().map(Vec::len).filter(|n| *n >= 3);
        let limit = match self.balance {
            Balance::Natural => usize::MAX,
            Balance::Equal => sizes.min().unwrap_or(0),
        };
        let mut parts = vec![None; data.examples.len()];
        for (class, mut members) in by_class.into_iter().enumerate() {
            let reason = if members.len() < 3 { "class under 3 sentences" } else { "balancing" };
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            rng.set_stream(class as u64);
            members.shuffle(&mut rng);
            let keep = if members.len() < 3 { 0 } else { members.len().min(limit) };
            let left_out = members.len() - keep;
            if left_out > 0 {
                *data.dropped.entry(reason.into()).or_default() += left_out;
            }
            members.truncate(keep);
            let share = |of: f64| ((of * keep as f64).round() as usize).max(1);
            let (dev, test) = (share(self.dev), share(self.test));
            for (place, at) in members.into_iter().enumerate() {
                let part = match place {
                    p if p < test => Part::Test,
                    p if p < test + dev => Part::Dev,
                    _ => Part::Train,
                };
                if let Some(slot) = parts.get_mut(at) {
                    *slot = Some(part);
                }
            }
        }
        let dealt = data.examples.into_iter().zip(parts);
        data.examples =
            dealt.filter_map(|(example, part)| Some(Example { part: part?, ..example })).collect();
        data.forget_empty_classes();
        data
    }
}

impl Dataset {
    /// A data set without examples.
    pub fn new(task: impl Into<String>) -> Self {
        Self {
            task: task.into(),
            classes: Vec::new(),
            examples: Vec::new(),
            dropped: BTreeMap::new(),
        }
    }

    /// Adds an example under its class's name.
    pub fn push(&mut self, label: &str, text: impl Into<String>, origin: Origin) {
        let class = self.class(label);
        self.examples.push(Example { text: text.into(), class, part: Part::Train, origin });
    }

    /// The number of a class, new if need be.
    pub(crate) fn class(&mut self, label: &str) -> usize {
        let known = self.classes.iter().position(|class| class == label);
        known.unwrap_or_else(|| {
            self.classes.push(label.to_owned());
            self.classes.len() - 1
        })
    }

    /// Counts a sentence that was left out.
    pub fn drop(&mut self, reason: impl Into<String>) {
        count(&mut self.dropped, reason);
    }

    /// How many examples each class has, in one part or in all.
    pub fn counts(&self, part: Option<Part>) -> Vec<usize> {
        let mut counts = vec![0; self.classes.len()];
        let in_part = |example: &&Example| part.is_none_or(|part| example.part == part);
        for example in self.examples.iter().filter(in_part) {
            if let Some(n) = counts.get_mut(example.class) {
                *n += 1;
            }
        }
        counts
    }

    /// The examples of one part.
    pub fn part(&self, part: Part) -> impl Iterator<Item = &Example> {
        self.examples.iter().filter(move |example| example.part == part)
    }

    /// The same sentences with their labels dealt out anew at random, within each part: what a
    /// classifier gets right here it has learnt by heart.
    #[must_use]
    pub fn with_random_labels(&self, seed: u64) -> Self {
        let mut control = self.clone();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for part in Part::ALL {
            let mut classes: Vec<_> = self.part(*part).map(|example| example.class).collect();
            classes.shuffle(&mut rng);
            let places = control.examples.iter_mut().filter(|example| example.part == *part);
            for (example, class) in places.zip(classes) {
                example.class = class;
            }
        }
        control
    }

    /// Whether a probe can learn from it: two classes at least, each of them in the part that is learnt from, and no part empty.
    ///
    /// # Errors
    /// [`Error::Unusable`], which says what is missing.
    pub fn check(&self) -> Result<()> {
        let unusable = |reason: String| Err(Error::Unusable { task: self.task.clone(), reason });
        if self.classes.len() < 2 {
            let dropped: Vec<_> =
                self.dropped.iter().map(|(why, n)| format!("{why}: {n}")).collect();
            let classes = self.classes.len();
            return unusable(format!(
                "{classes} classes, but a probe needs two; left out: {}",
                if dropped.is_empty() { "nothing".into() } else { dropped.join(", ") }
            ));
        }
        for part in Part::ALL {
            if self.part(*part).next().is_none() {
                return unusable(format!("no sentences in part `{}`", part.code()));
            }
        }
        let learnt = self.counts(Some(Part::Train));
        match self.classes.iter().zip(learnt).find(|(_, n)| *n == 0) {
            Some((class, _)) => unusable(format!("class `{class}` is not in part `tr`")),
            None => Ok(()),
        }
    }

    /// The same text in two parts would let a probe learn by heart; the first is kept.
    fn drop_repeated_texts(&mut self) {
        let before = self.examples.len();
        let mut seen = FxHashSet::default();
        self.examples.retain(|example| seen.insert(example.text.clone()));
        let repeated = before - self.examples.len();
        if repeated > 0 {
            *self.dropped.entry("repeated sentence".into()).or_default() += repeated;
        }
    }

    fn forget_empty_classes(&mut self) {
        let counts = self.counts(None);
        let mut kept = 0;
        let mut renumbered = Vec::with_capacity(counts.len());
        for n in &counts {
            renumbered.push(kept);
            kept += usize::from(*n > 0);
        }
        let mut counts = counts.iter();
        self.classes.retain(|_| counts.next().is_some_and(|n| *n > 0));
        for example in &mut self.examples {
            example.class = renumbered.get(example.class).copied().unwrap_or(example.class);
        }
    }
}

/// At most `limit` of the items, chosen by the seed, in their order.
pub(crate) fn sample<T>(items: Vec<T>, limit: usize, seed: u64) -> Vec<T> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut left = items.len();
    let mut wanted = limit.min(left);
    let mut chosen = Vec::with_capacity(wanted);
    for item in items {
        if rng.random_range(0..left) < wanted {
            chosen.push(item);
            wanted -= 1;
        }
        left -= 1;
    }
    chosen
}
