//! SentLen: how long is the sentence? Eojeols in six classes.

use crate::task::{Hidden, Property, Standing, Task, label_each};

/// The row of the table.
pub(crate) const TASK: Task = Task {
    name: "SentLen",
    property: Property::Surface,
    summary: "eojeols in six classes: 5–8, 9–12, 13–16, 17–20, 21–25, 26–28",
    hidden: Hidden::Allowed,
    standing: Standing::Default,
    label: |treebank, _| {
        label_each("SentLen", CLASSES, treebank, |annotated| class(annotated.sentence.eojeols()))
    },
};

const CLASSES: &[&str] = &["5-8", "9-12", "13-16", "17-20", "21-25", "26-28"];

fn class(eojeols: usize) -> Result<&'static str, &'static str> {
    match eojeols {
        5..=8 => Ok("5-8"),
        9..=12 => Ok("9-12"),
        13..=16 => Ok("13-16"),
        17..=20 => Ok("17-20"),
        21..=25 => Ok("21-25"),
        26..=28 => Ok("26-28"),
        _ => Err("not 5 to 28 eojeols"),
    }
}

#[cfg(test)]
mod tests {
    use super::class;

    #[test]
    fn every_length_has_its_class() {
        let found: Vec<_> = (4..=29).map(class).collect();
        let expected = [1, 4, 4, 4, 4, 5, 3, 1];
        let mut runs = vec![];
        for run in found.chunk_by(|a, b| a == b) {
            runs.push(run.len());
        }
        assert_eq!(runs, expected);
        assert_eq!((class(8), class(21)), (Ok("5-8"), Ok("21-25")));
    }
}
