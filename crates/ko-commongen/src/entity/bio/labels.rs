//! Labels as numbers.

use super::super::{Entity, LabelledSentence};

/// Label numbers: 0 is `O`; kind k begins with 2k + 1 and continues with 2k + 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Labels {
    pub(super) kinds: Vec<String>,
}

impl Labels {
    /// How many labels there are.
    pub(super) fn len(&self) -> usize {
        2 * self.kinds.len() + 1
    }

    /// Whether `label` may follow `before`; `len` stands for the beginning.
    pub(super) fn may_follow(&self, before: usize, label: usize) -> bool {
        let continues = label > 0 && label.is_multiple_of(2);
        !continues || before == label || before + 1 == label
    }

    /// The label of each character.
    pub(super) fn of(&self, sentence: &LabelledSentence) -> Vec<usize> {
        let label = |at: usize| {
            let entity = sentence.entities().iter().find(|e| e.span.contains(&at))?;
            let kind = self.kinds.iter().position(|kind| *kind == entity.kind)?;
            Some(2 * kind + if at == entity.span.start { 1 } else { 2 })
        };
        sentence.text().char_indices().map(|(at, _)| label(at).unwrap_or(0)).collect()
    }

    /// What the labels of a text's characters say.
    pub(super) fn entities(&self, text: &str, labels: &[usize]) -> Vec<Entity> {
        let mut entities: Vec<Entity> = Vec::new();
        for ((at, c), &label) in text.char_indices().zip(labels) {
            let end = at + c.len_utf8();
            if label == 0 {
                continue;
            }
            if label.is_multiple_of(2) {
                if let Some(entity) = entities.last_mut() {
                    entity.span.end = end;
                }
            } else if let Some(kind) = self.kinds.get(label / 2) {
                entities.push(Entity { kind: kind.clone(), span: at..end });
            }
        }
        entities
    }
}
