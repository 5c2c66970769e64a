//! Honorifics: is anybody honoured, in the sentence or by its speech level? See [`Grammar`](ko_register::Grammar).

use crate::task::{Hidden, NO_MORPHEMES, NO_PREDICATE, Property, Standing, Task, label_each};

/// The row of the table.
pub(crate) const TASK: Task = Task {
    name: "Honorifics",
    property: Property::Semantic,
    summary: "-시-, 께서, 께, honorific words, or the polite levels 해요체 and 하십시오체",
    hidden: Hidden::Allowed,
    standing: Standing::Default,
    label: |treebank, _| {
        label_each("Honorifics", &["honorific", "plain"], treebank, |annotated| {
            let grammar = annotated.grammar.as_ref().ok_or(NO_MORPHEMES)?;
            let polite = grammar.speech_level.as_ref().map(|level| level.value.is_polite());
            let honoured = grammar.honours_subject().or(grammar.honours_object()).is_some();
            match polite {
                _ if honoured => Ok("honorific"),
                Some(true) => Ok("honorific"),
                Some(false) => Ok("plain"),
                // An ending without a level (-음, -기) still leaves a sentence to judge.
                None if grammar.tense.is_some() => Ok("plain"),
                None => Err(NO_PREDICATE),
            }
        })
    },
};
