//! What a model says of a token: its tag, and how many of its last characters are none of the entity's.
//!
//! A vocabulary of whole words has tokens such as 경찰은, of which only 경찰 is an entity. A model that learned from such tokens has two sets of labels,
//! `tag=O`, `tag=B-OG` … and `beyond=0`, `beyond=1` …; any other has tags alone, as transformers writes them.

use super::layers::{greatest, softmax, token_rows};
use crate::{
    files::labels,
    model::{tagger::TokenTag, tokenizer::Placed},
};
use ko_eval_model::LabelSet;
use std::ops::Range;

const TAG: &str = "tag";
const BEYOND: &str = "beyond";

/// The tag of what is no entity.
pub(crate) const OUTSIDE: &str = "O";

/// The labels of a model's tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TokenLabels {
    tags: Vec<String>,
    /// The most characters of a token that may lie beyond its entity; 0 without the second set.
    most_beyond: usize,
}

impl TokenLabels {
    pub(crate) fn new(tags: Vec<String>, most_beyond: usize) -> Self {
        Self { tags, most_beyond }
    }

    /// Those of a `config.json`.
    pub(crate) fn of_names(names: Vec<String>) -> Self {
        let is_counted = |labels: &[String]| {
            labels.len() > 1
                && (0..).zip(labels).all(|(n, label): (usize, _)| *label == n.to_string())
        };
        match labels::sets(&names).as_slice() {
            [tag, beyond]
                if tag.name == TAG && beyond.name == BEYOND && is_counted(&beyond.labels) =>
            {
                Self { tags: tag.labels.clone(), most_beyond: beyond.labels.len() - 1 }
            }
            _ => Self { tags: names, most_beyond: 0 },
        }
    }

    /// As they are trained and saved.
    pub(crate) fn sets(&self) -> Vec<LabelSet> {
        let set = |name: &str, labels| LabelSet { name: name.to_owned(), labels };
        match self.most_beyond {
            0 => vec![set("", self.tags.clone())],
            most => {
                let counts = (0..=most).map(|count| count.to_string()).collect();
                vec![set(TAG, self.tags.clone()), set(BEYOND, counts)]
            }
        }
    }

    pub(crate) fn tags(&self) -> &[String] {
        &self.tags
    }

    /// What the numbers of a text's tokens say.
    pub(crate) fn read(&self, text: &str, run: &Placed, numbers: &[f32]) -> Vec<TokenTag> {
        let width = self.sets().iter().map(|set| set.labels.len()).sum();
        let tag = |(place, row): (&Range<usize>, &[f32])| {
            let (tags, beyond) = row.split_at(self.tags.len().min(row.len()));
            let best = greatest(tags);
            let label = self.tags.get(best).cloned().unwrap_or_default();
            let beyond = if label == OUTSIDE { 0 } else { greatest(beyond) };
            TokenTag {
                span: without_last(text, place, beyond),
                probability: softmax(tags).get(best).copied().unwrap_or_default(),
                label,
            }
        };
        token_rows(run, numbers, width).map(tag).collect()
    }
}

/// A place without so many of its last characters; the first one stays.
fn without_last(text: &str, place: &Range<usize>, count: usize) -> Range<usize> {
    let surface = text.get(place.clone()).unwrap_or_default();
    let later: Vec<usize> = surface.char_indices().skip(1).map(|(at, _)| at).collect();
    let cut = later.get(later.len() - count.min(later.len()));
    place.start..cut.map_or(place.end, |at| place.start + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tokenizer::TokenIds;

    fn names(labels: &[&str]) -> Vec<String> {
        labels.iter().map(|label| (*label).to_owned()).collect()
    }

    #[test]
    fn labels_come_back_as_saved() {
        for most in [0, 1, 3] {
            let labels = TokenLabels::new(names(&["O", "B-OG"]), most);
            assert_eq!(TokenLabels::of_names(labels::joined(&labels.sets())), labels);
        }
        // What only looks like it is a tag.
        for others in [["tag=O", "beyond=1"], ["tag=O", "beyond=0"], ["a=O", "b=B"]] {
            let labels = TokenLabels::of_names(names(&others));
            assert_eq!(labels, TokenLabels::new(names(&others), 0));
        }
    }

    #[test]
    fn what_lies_beyond_an_entity_is_cut_off() {
        let text = "경찰은 왔다";
        let run = Placed {
            tokens: TokenIds { ids: vec![7, 8], types: vec![0, 0], special: vec![false, false] },
            places: vec![0..9, 10..16],
        };
        let labels = TokenLabels::new(names(&["O", "B-OG"]), 1);
        let found = labels.read(text, &run, &[0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]);
        let found: Vec<(&str, &str)> =
            found.iter().map(|tag| (&text[tag.span.clone()], tag.label.as_str())).collect();
        assert_eq!(found, [("경찰", "B-OG"), ("왔다", "O")]);
        assert_eq!(without_last(text, &(0..9), 5), 0..3);
    }
}
