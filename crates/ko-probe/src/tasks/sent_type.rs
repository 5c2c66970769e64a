//! SentType: does the sentence ask, order, or neither? The treebank's own mood label decides where there
//! is one, else the final ending and the punctuation (see [`Grammar`](ko_register::Grammar)).

use crate::{
    sentence::{Sentence, Word},
    task::{Hidden, NO_MORPHEMES, NO_PREDICATE, Property, Standing, Task, label_each},
};
use ko_register::Mood;

/// The classes, in the order of reports.
pub(crate) const CLASSES: [&str; 3] = ["interrogative", "imperative", "other"];

/// The row of the table.
pub(crate) const TASK: Task = Task {
    name: "SentType",
    property: Property::Semantic,
    summary: "interrogative, imperative, or other",
    hidden: Hidden::Allowed,
    standing: Standing::Default,
    label: |treebank, _| {
        label_each("SentType", &CLASSES, treebank, |annotated| {
            if let Some(label) = mood_label(&annotated.sentence) {
                return Ok(label);
            }
            let grammar = annotated.grammar.as_ref().ok_or(NO_MORPHEMES)?;
            match grammar.mood.as_ref().ok_or(NO_PREDICATE)?.value {
                Mood::Interrogative => Ok("interrogative"),
                Mood::Imperative => Ok("imperative"),
                Mood::Declarative | Mood::Propositive | Mood::Exclamative => Ok("other"),
            }
        })
    },
};

/// The feature `Mood` of the root, or of the auxiliary that ends its predicate.
fn mood_label(sentence: &Sentence) -> Option<&'static str> {
    let root = sentence.root()?;
    let ends_it = |word: &&Word| {
        word.head == Some(root) && matches!(word.universal_relation(), "aux" | "cop")
    };
    let last = sentence.words.iter().rfind(ends_it).or(sentence.words.get(root))?;
    // UD has no interrogative mood of its own; treebanks that mark one write `Int`.
    Some(match last.mood.as_deref()? {
        "Int" => "interrogative",
        "Imp" => "imperative",
        // Indicative covers questions too: only the punctuation tells them apart.
        _ if sentence.text.trim_end_matches(['"', '”', '\'', '’', ')']).ends_with('?') => {
            "interrogative"
        }
        _ => "other",
    })
}
