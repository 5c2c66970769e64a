//! Negation: is the main clause negated? See [`Grammar`](ko_register::Grammar).

use crate::task::{Hidden, NO_MORPHEMES, NO_PREDICATE, Property, Standing, Task, label_each};
use ko_register::Polarity;

/// The row of the table.
pub(crate) const TASK: Task = Task {
    name: "Negation",
    property: Property::Semantic,
    summary: "main clause negated: 안, 못, 않다, 말다, 못하다, 아니다, 없다, 모르다",
    hidden: Hidden::Allowed,
    standing: Standing::Default,
    label: |treebank, _| {
        label_each("Negation", &["negated", "affirmative"], treebank, |annotated| {
            let grammar = annotated.grammar.as_ref().ok_or(NO_MORPHEMES)?;
            match grammar.polarity.as_ref().ok_or(NO_PREDICATE)?.value {
                Polarity::Negative => Ok("negated"),
                Polarity::Affirmative => Ok("affirmative"),
            }
        })
    },
};
