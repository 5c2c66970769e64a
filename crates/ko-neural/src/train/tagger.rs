//! Training of [`Tagger`](crate::model::Tagger): cross-entropy of every token's tag, which is that of its first character, and of how many of its last
//! characters lie beyond the entity, where the vocabulary has such tokens.

use super::{
    labeller::Labeller,
    losses::NONE,
    options::TrainingSettings,
    supervised::{Example, Examples, Supervised},
    trainer::{self, TrainingReport},
};
use crate::{
    LongText,
    error::{Error, Result},
    model::{
        TokenTag,
        classification::{Level, OUTSIDE, TokenLabels},
        tokenizer::{Placed, TextTokenizer, TokenIds},
    },
    read::TaggedText,
};
use ko_eval_model::{EntityCounts, TagScheme};
use std::{collections::BTreeSet, ops::Range, path::Path};

/// The most characters of a token that are learned to lie beyond an entity: 에서도. What has more counts as this many.
const MOST_BEYOND: usize = 3;

/// A text's tokens, with a label of each set; marks have none.
#[derive(Debug)]
struct Labelled {
    tokens: TokenIds,
    tags: Vec<i64>,
    beyond: Vec<i64>,
}

impl Example for Labelled {
    fn longest(&self) -> usize {
        self.tokens.len()
    }
}

/// A text of the development set.
#[derive(Debug)]
struct Watched {
    text: String,
    run: Placed,
}

impl Example for Watched {
    fn longest(&self) -> usize {
        self.run.tokens.len()
    }
}

/// Trains a tagger on texts whose characters have tags and writes it to `output`; the weights with the best entity F1 on `dev` (seqeval's default,
/// [`TagScheme::Conll`], over characters) are kept.
///
/// # Errors
/// A text with more or fewer tags than characters, fewer than two different tags, what is wrong with the backbone, a loss that is not a number, or a
/// file that cannot be written.
pub fn train_tagger(
    backbone: impl AsRef<Path>,
    train: &[TaggedText],
    dev: &[TaggedText],
    output: impl AsRef<Path>,
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    for text in train.iter().chain(dev) {
        if text.tags.len() != text.text.chars().count() {
            let value = format!("{} of `{}`", text.tags.len(), text.text);
            return Err(Error::setting("tags", value, "one per character"));
        }
    }
    let tags = tags(train);
    if tags.len() < 2 {
        return Err(Error::setting("different tags", tags.len(), "at least 2"));
    }
    let mut runs = Vec::with_capacity(train.len());
    let mut labels = TokenLabels::new(tags, 0);
    let labeller = Labeller::open(backbone.as_ref(), Level::Token, training, |tokenizer| {
        for text in train {
            runs.push(placed(tokenizer, text)?);
        }
        let most = train.iter().zip(&runs).map(|(text, run)| most_beyond(text, run)).max();
        labels = TokenLabels::new(labels.tags().to_vec(), most.unwrap_or(0).min(MOST_BEYOND));
        Ok(labels.sets())
    })?;
    let both: Vec<(&TaggedText, Placed)> = train.iter().zip(runs).collect();
    let examples =
        Examples::encode(&both, |(text, run)| Ok(labelled(text, run, labels.tags())), |_| ())?;
    let watch = |text: &TaggedText| -> Result<Watched> {
        Ok(Watched { text: text.text.clone(), run: placed(&labeller.tokenizer, text)? })
    };
    let watched = Examples::encode(dev, watch, |text| text.entities(TagScheme::Conll))?;
    let objective = Supervised::new(&labeller, examples, |texts, _| {
        let tokens: Vec<&TokenIds> = texts.iter().map(|text| &text.tokens).collect();
        let batch = labeller.batch(&tokens)?;
        let laid = |own: fn(&Labelled) -> &[i64]| {
            batch.laid(&texts.iter().map(|text| own(text)).collect::<Vec<_>>())
        };
        labeller.loss(&batch, &[laid(|text| &text.tags), laid(|text| &text.beyond)])
    })
    .watched(watched, |texts, there| {
        let tokens: Vec<TokenIds> = texts.iter().map(|text| text.run.tokens.clone()).collect();
        let mut counts = EntityCounts::default();
        for ((text, numbers), there) in texts.iter().zip(labeller.numbers(&tokens)?).zip(there) {
            let tags = labels.read(&text.text, &text.run, &numbers);
            counts.add(&TokenTag::entities(tags, TagScheme::Conll), there);
        }
        Ok(counts.f1())
    });
    let report = trainer::train(&objective, training)?;
    labeller.save(output.as_ref())?;
    Ok(report)
}

/// All tags, `O` first.
fn tags(texts: &[TaggedText]) -> Vec<String> {
    let all: BTreeSet<&String> = texts.iter().flat_map(|text| &text.tags).collect();
    let outside = std::iter::once(OUTSIDE.to_owned());
    outside.chain(all.into_iter().filter(|tag| *tag != OUTSIDE).cloned()).collect()
}

fn placed(tokenizer: &TextTokenizer, text: &TaggedText) -> Result<Placed> {
    let mut runs = tokenizer.encode_placed(&text.text, LongText::Truncate)?;
    runs.pop().ok_or_else(|| Error::Operation("a text without a run".into()))
}

/// For every token the tags of its characters; marks have none, nor do tokens whose characters are all an earlier one's.
fn characters<'t>(text: &'t TaggedText, run: &Placed) -> Vec<&'t [String]> {
    let starts: Vec<usize> = text.text.char_indices().map(|(at, _)| at).collect();
    let number = |at: usize| starts.partition_point(|start| *start < at);
    let tokens = run.places.iter().zip(&run.tokens.special);
    let own = |place: &Range<usize>| text.tags.get(number(place.start)..number(place.end));
    tokens.map(|(place, special)| own(place).filter(|_| !special).unwrap_or_default()).collect()
}

/// How many of a token's last characters lie beyond the entity that its first one is of; `None` where that is of none.
fn beyond(tags: &[String]) -> Option<usize> {
    let (first, rest) = tags.split_first().filter(|(first, _)| *first != OUTSIDE)?;
    let kind = first.split_once('-').map_or("", |(_, kind)| kind);
    let goes_on = |tag: &&String| tag.strip_prefix("I-") == Some(kind);
    Some(rest.len() - rest.iter().take_while(goes_on).count())
}

fn most_beyond(text: &TaggedText, run: &Placed) -> usize {
    characters(text, run).into_iter().filter_map(beyond).max().unwrap_or(0)
}

/// The numbers of every token's labels.
fn labelled(text: &TaggedText, run: &Placed, tags: &[String]) -> Labelled {
    let characters = characters(text, run);
    let tag = |own: &&[String]| {
        let place = own.first().and_then(|tag| tags.iter().position(|known| known == tag));
        place.map_or(NONE, |place| place as i64)
    };
    let count = |own: &&[String]| beyond(own).map_or(NONE, |n| n.min(MOST_BEYOND) as i64);
    Labelled {
        tokens: run.tokens.clone(),
        tags: characters.iter().map(tag).collect(),
        beyond: characters.iter().map(count).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_its_first_characters_tag() {
        let marks = ["O", "B-PS", "I-PS", "B-LC", "I-LC"];
        let text = TaggedText {
            text: "민수는 부산에서도".into(),
            tags: [1, 2, 0, 0, 3, 4, 0, 0, 0].map(|mark: usize| marks[mark].to_owned()).to_vec(),
        };
        let tags = tags(std::slice::from_ref(&text));
        assert_eq!(tags, ["O", "B-LC", "B-PS", "I-LC", "I-PS"]);
        let run = |places: Vec<Range<usize>>| {
            let special: Vec<bool> = places.iter().map(|place| place.is_empty()).collect();
            let numbers = vec![0; places.len()];
            Placed { tokens: TokenIds { ids: numbers.clone(), types: numbers, special }, places }
        };
        // Syllables, and words.
        let small = run(vec![0..0, 0..3, 3..6, 6..9, 10..16, 16..25, 0..0]);
        let found = labelled(&text, &small, &tags);
        assert_eq!(found.tags, [NONE, 2, 4, 0, 1, 0, NONE]);
        assert_eq!(found.beyond, [NONE, 0, 0, NONE, 0, NONE, NONE]);
        assert_eq!(most_beyond(&text, &small), 0);
        let large = run(vec![0..0, 0..9, 10..25, 0..0]);
        let found = labelled(&text, &large, &tags);
        assert_eq!((found.tags, found.beyond), (vec![NONE, 2, 1, NONE], vec![NONE, 1, 3, NONE]));
        assert_eq!(most_beyond(&text, &large), 3);
        // 남북 is two entities, and only the first can be told.
        assert_eq!(beyond(&["B-OG", "B-OG"].map(str::to_owned)), Some(1));
    }
}
