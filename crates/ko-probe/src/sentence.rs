//! A sentence of a dependency treebank.

use serde::{Deserialize, Serialize};
use std::{fmt, path::Path, sync::Arc};

/// Where a sentence was read: named by every error about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The file.
    pub path: Arc<Path>,
    /// The line it starts at, from 1.
    pub line: usize,
    /// The sentence's own name: `sent_id`, or its number in the file.
    pub id: String,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: sentence `{}`", self.path.display(), self.line, self.id)
    }
}

/// One syntactic word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    /// As written.
    pub form: String,
    /// Morphemes joined by `+`, where the treebank holds them; UD's `OrigLemma` if there is one.
    pub lemma: Option<String>,
    /// The universal part of speech.
    pub upos: Option<String>,
    /// The treebank's own tags, joined by `+`.
    pub xpos: Option<String>,
    /// The value of the feature `Mood`, where the treebank has one.
    pub mood: Option<String>,
    /// The governor's place in the sentence from 0; `None` for the root.
    pub head: Option<usize>,
    /// The relation to the governor, with its subtype: `nsubj:pass`.
    pub relation: String,
    /// Whether the next word follows without a space.
    pub joined: bool,
}

impl Word {
    /// The universal relation, without its subtype: `nsubj`.
    pub fn universal_relation(&self) -> &str {
        self.relation.split(':').next().unwrap_or_default()
    }

    /// Whether it hangs in the tree as punctuation only.
    pub fn is_punctuation(&self) -> bool {
        self.universal_relation() == "punct"
    }
}

/// A sentence with its tree. Readers hand out checked ones: one root, no cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Where it was read.
    pub origin: Origin,
    /// The text as written.
    pub text: String,
    /// The words in order.
    pub words: Vec<Word>,
}

impl Sentence {
    /// How many eojeols (pieces between white space) the text has.
    pub fn eojeols(&self) -> usize {
        self.text.split_whitespace().count()
    }

    /// The root's place.
    pub fn root(&self) -> Option<usize> {
        self.words.iter().position(|word| word.head.is_none())
    }

    /// The words that a word governs, in order.
    pub fn dependents(&self, governor: usize) -> impl Iterator<Item = &Word> {
        self.words.iter().filter(move |word| word.head == Some(governor))
    }

    /// The nodes on the longest path from the root to a leaf, the root counted as 1. Punctuation
    /// is no node: in Korean it is written onto the eojeol before it.
    pub fn depth(&self) -> usize {
        let nodes = self.words.iter().filter(|word| !word.is_punctuation());
        nodes.map(|word| 1 + self.governors(word).count()).max().unwrap_or(0)
    }

    /// The word's governor, that one's governor, … up to the root.
    fn governors(&self, word: &Word) -> impl Iterator<Item = &Word> {
        let above = |word: &Word| self.words.get(word.head?);
        // A path longer than the sentence would be a cycle; readers let none through.
        std::iter::successors(above(word), move |word| above(word)).take(self.words.len())
    }

    /// For every word, the number of its eojeol from 0.
    pub fn eojeol_numbers(&self) -> Vec<usize> {
        let mut number = 0;
        let next = |word: &Word| {
            let this = number;
            number += usize::from(!word.joined);
            this
        };
        self.words.iter().map(next).collect()
    }

    /// The text that the words' forms make.
    pub(crate) fn text_of(words: &[Word]) -> String {
        let mut text = String::new();
        for word in words {
            text.push_str(&word.form);
            text.push_str(if word.joined { "" } else { " " });
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// A text as one cell of a table can hold it: each run of tabs and line breaks within it becomes a space.
pub(crate) fn on_one_line(text: &str) -> String {
    let parts = text.split(|c: char| c.is_whitespace() && c.is_control());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
