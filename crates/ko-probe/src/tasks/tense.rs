//! Tense: past or not? See [`Grammar`](ko_register::Grammar).

use crate::task::{Hidden, NO_MORPHEMES, NO_PREDICATE, Property, Standing, Task, label_each};
use ko_register::Tense;

/// The row of the table.
pub(crate) const TASK: Task = Task {
    name: "Tense",
    property: Property::Semantic,
    summary: "past (았/었/였 in the main predicate) or non-past",
    hidden: Hidden::Allowed,
    standing: Standing::Default,
    label: |treebank, _| {
        label_each("Tense", &["past", "non-past"], treebank, |annotated| {
            let grammar = annotated.grammar.as_ref().ok_or(NO_MORPHEMES)?;
            match grammar.tense.as_ref().ok_or(NO_PREDICATE)?.value {
                Tense::Past => Ok("past"),
                Tense::NonPast => Ok("non-past"),
            }
        })
    },
};
