//! TreeDepth: how deep is the tree? The nodes on the longest way from the root to a leaf.

use crate::task::{Hidden, Property, Standing, Task, label_each};

/// The row of the table.
pub(crate) const TASK: Task = Task {
    name: "TreeDepth",
    property: Property::Syntactic,
    summary: "longest root-to-leaf path in nodes, 4 to 9",
    hidden: Hidden::Allowed,
    standing: Standing::Default,
    label: |treebank, _| {
        let classes = &["4", "5", "6", "7", "8", "9"];
        label_each("TreeDepth", classes, treebank, |annotated| match annotated.sentence.depth() {
            4 => Ok("4"),
            5 => Ok("5"),
            6 => Ok("6"),
            7 => Ok("7"),
            8 => Ok("8"),
            9 => Ok("9"),
            depth if depth < 4 => Err("depth under 4"),
            _ => Err("depth over 9"),
        })
    },
};
