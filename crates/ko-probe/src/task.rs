//! What a probing task is: a rule that turns a treebank into labelled sentences.

use crate::{
    dataset::{Dataset, Split},
    error::Result,
    treebank::{Annotated, Treebank},
};
use ko_eval_core::Error;
use std::fmt;

/// What kind of knowledge a task asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Property {
    /// Seen without understanding: length, words.
    Surface,
    /// Seen in the tree.
    Syntactic,
    /// Seen in the meaning.
    Semantic,
}

impl Property {
    /// All three, in the order of reports.
    pub const ALL: &[Property] = &[Property::Surface, Property::Syntactic, Property::Semantic];

    /// In lower case, as reports print it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Syntactic => "syntactic",
            Self::Semantic => "semantic",
        }
    }
}

/// Whether a task's probe may have a hidden layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hidden {
    /// The classifier decides.
    Allowed,
    /// Logistic regression always, as SentEval does for word content.
    Never,
}

/// Whether a task is built when none is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// One of the nine.
    Default,
    /// Only on request.
    Optional,
}

/// A row of the table of tasks.
#[derive(Clone, Copy)]
pub struct Task {
    /// Its name in the papers: `SentLen`.
    pub name: &'static str,
    /// What kind of knowledge it asks for.
    pub property: Property,
    /// What the label is, in one line.
    pub summary: &'static str,
    /// Whether its probe may have a hidden layer.
    pub hidden: Hidden,
    /// Whether it is built when none is named.
    pub standing: Standing,
    /// Labels sentences.
    pub label: fn(&Treebank, &Options) -> Dataset,
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Task {
    /// Labels the treebank's sentences and deals them out. What cannot be learnt from (one class
    /// only) is said when a probe is trained, so that building never fails.
    pub fn build(&self, treebank: &Treebank, options: &Options) -> Dataset {
        options.split.apply((self.label)(treebank, options))
    }

    /// The row of this name, in whatever case.
    ///
    /// # Errors
    /// [`Error::UnknownName`] with the names there are.
    pub fn by_name(name: &str) -> Result<&'static Task> {
        let known = crate::TASKS.iter().find(|task| task.name.eq_ignore_ascii_case(name));
        known.ok_or_else(|| {
            let names: Vec<_> = crate::TASKS.iter().map(|task| task.name).collect();
            Error::UnknownName { kind: "task", name: name.into(), known: names.join(", ") }.into()
        })
    }

    /// The nine of the paper, in its order.
    pub fn defaults() -> impl Iterator<Item = &'static Task> {
        crate::TASKS.iter().filter(|task| task.standing == Standing::Default)
    }
}

/// What can be set when data sets are built.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Options {
    /// Shares of the parts, class sizes, seed.
    pub split: Split,
    /// Which words the task WC asks for.
    pub words: WordLimits,
}

/// Which words the task WC asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WordLimits {
    /// How often the word must occur in the corpus.
    pub at_least: usize,
    /// How often it may occur.
    pub at_most: usize,
    /// How many sentences must hold this chosen word and no other.
    pub sentences: usize,
}

impl Default for WordLimits {
    /// 200 to 600 occurrences, 100 sentences.
    fn default() -> Self {
        Self { at_least: 200, at_most: 600, sentences: 100 }
    }
}

impl WordLimits {
    /// The size, in sentences, of the Sejong treebank that the default limits were made for.
    pub const REFERENCE_SIZE: usize = 43_828;

    /// The limits for a corpus of another size, in proportion; never so low that a class could not
    /// be dealt out to three parts.
    #[must_use]
    pub fn scaled_to(self, sentences: usize) -> Self {
        let scale = |n: usize| {
            let scaled = n as f64 * sentences as f64 / Self::REFERENCE_SIZE as f64;
            scaled.round() as usize
        };
        Self {
            at_least: scale(self.at_least).max(10),
            at_most: scale(self.at_most).max(30),
            sentences: scale(self.sentences).max(10),
        }
    }
}

/// Labels every sentence by itself; `Err` says why a sentence is left out.
pub(crate) fn label_each(
    task: &str,
    classes: &[&str],
    treebank: &Treebank,
    label: impl Fn(&Annotated) -> Result<&'static str, &'static str>,
) -> Dataset {
    let mut data = Dataset::new(task);
    // In the order that readers expect, not in the order of the corpus.
    data.classes = classes.iter().map(|class| (*class).to_owned()).collect();
    for annotated in &treebank.sentences {
        match label(annotated) {
            Ok(class) => {
                let sentence = &annotated.sentence;
                data.push(class, &sentence.text, sentence.origin.clone());
            }
            Err(reason) => data.drop(reason),
        }
    }
    data
}

/// Why a sentence without morphemes is left out.
pub(crate) const NO_MORPHEMES: &str = "no morphemes in the treebank, and no analyzer given";
/// Why a fragment is left out.
pub(crate) const NO_PREDICATE: &str = "no main predicate";
