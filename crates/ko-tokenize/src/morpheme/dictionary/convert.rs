//! From MeCab's compiled dictionary to the bytes of ours.

use super::{
    class,
    connections::Connections,
    context::Contexts,
    error::DictionaryError,
    format::{self, Header, SECTIONS, Sections},
    manifest::Manifest,
    source::Source,
    trie::{self, Key},
    word::{Kind, MAX_KIND, Word},
};
use crate::morpheme::compiled::Entry;
use std::collections::{BTreeMap, HashMap};

/// The bytes of a dictionary's file.
pub(super) fn convert(source: &Source, manifest: Manifest) -> Result<Vec<u8>, DictionaryError> {
    let connections = Connections::of(source);
    let codes = codes(&source.lexicon)?;
    let code = |c: u32| codes.get(&c).copied().unwrap_or(0);
    let (characters, classes) = class::characters(&source.characters, code)
        .ok_or_else(|| too_many("classes of characters"))?;
    let astral = codes.iter().filter(|(c, _)| **c > 0xffff);
    let astral =
        astral.flat_map(|(c, code)| (u64::from(*c) | u64::from(*code) << 32).to_le_bytes());

    let mut kinds = Kinds::new(&connections);
    let lexicon = Lexicon::of(&source.lexicon, &codes, &mut kinds)?;
    let (unknown, categories) = unknown(source, &mut kinds)?;
    let header = Header {
        manifest,
        lefts: connections.penalties.len(),
        rights: connections.rights,
        tags: kinds.tags.iter().map(|tag| (*tag).to_owned()).collect(),
        contexts: Contexts::of(&source.lexicon).renumbered(&connections.left, &connections.right),
        sections: [0; SECTIONS],
    };
    let sections = Sections {
        matrix: connections.costs.iter().flat_map(|cost| cost.to_le_bytes()).collect(),
        penalties: connections.penalties.iter().flat_map(|cost| cost.to_le_bytes()).collect(),
        characters: characters.concat(),
        astral: astral.collect(),
        classes: classes.iter().flat_map(|class| class.to_bytes()).collect(),
        categories,
        trie: trie::build(&lexicon.keys).ok_or_else(|| too_many("words"))?.concat(),
        kinds: kinds.kinds.iter().flat_map(|kind| kind.to_bytes()).collect(),
        words: lexicon.words.iter().flat_map(|word| word.pack()).collect(),
        unknown: unknown.iter().flat_map(|word| word.pack()).collect(),
        expressions: lexicon.expressions,
        texts: lexicon.texts,
    };
    Ok(format::write(header, sections))
}

fn too_many(what: &'static str) -> DictionaryError {
    DictionaryError::TooMany { what }
}

/// A number from 1 on for every code point of the lexicon, frequent ones first.
fn codes(lexicon: &[Entry]) -> Result<BTreeMap<u32, u16>, DictionaryError> {
    let mut counts: HashMap<char, usize> = HashMap::new();
    for c in lexicon.iter().flat_map(|entry| entry.surface.chars()) {
        *counts.entry(c).or_default() += 1;
    }
    let mut order: Vec<(char, usize)> = counts.into_iter().collect();
    order.sort_unstable_by_key(|&(c, count)| (std::cmp::Reverse(count), c));
    if order.len() > usize::from(u16::MAX) {
        return Err(too_many("different characters"));
    }
    Ok(order.into_iter().map(|(c, _)| c as u32).zip(1..).collect())
}

/// The entries by their surfaces.
#[derive(Default)]
struct Lexicon {
    keys: Vec<Key>,
    words: Vec<Word>,
    expressions: Vec<u8>,
    texts: Vec<u8>,
}

impl Lexicon {
    fn of<'s>(
        entries: &'s [Entry],
        codes: &BTreeMap<u32, u16>,
        kinds: &mut Kinds<'s>,
    ) -> Result<Self, DictionaryError> {
        let code = |c: char| codes.get(&(c as u32)).copied().unwrap_or(0);
        let by_code = entries.iter().map(|e| (e.surface.chars().map(code).collect(), e));
        let mut by_code: Vec<(Vec<u16>, &Entry)> = by_code.collect();
        // Short words first, which most texts ask for. Stable: words of one surface stay in MeCab's order.
        by_code.sort_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)));
        let mut lexicon = Self::default();
        for group in by_code.chunk_by_mut(|(a, _), (b, _)| a == b) {
            let last = group.len() - 1;
            let first = lexicon.words.len() as u32;
            for (index, (_, entry)) in group.iter().enumerate() {
                lexicon.push(entry, index < last, kinds)?;
            }
            let codes = group.first_mut().map(|(codes, _)| std::mem::take(codes));
            lexicon.keys.push((codes.unwrap_or_default(), first));
        }
        lexicon.keys.sort_unstable();
        Ok(lexicon)
    }

    fn push<'s>(
        &mut self,
        entry: &'s Entry,
        more: bool,
        kinds: &mut Kinds<'s>,
    ) -> Result<(), DictionaryError> {
        let expression = expression(&entry.features);
        if let Some(expression) = expression {
            self.expressions.extend((self.words.len() as u32).to_le_bytes());
            self.expressions.extend((self.texts.len() as u32).to_le_bytes());
            self.texts.extend(expression.as_bytes());
        }
        let kind = kinds.number(entry, expression.is_some())?;
        self.words.push(Word { kind, cost: entry.cost, more });
        Ok(())
    }
}

/// The morphemes behind a fused or inflected word, if it is one.
fn expression(features: &str) -> Option<&str> {
    // Tag, class, coda, reading, type, first tag, last tag, expression.
    let mut fields = features.split(',');
    let tag = fields.next()?;
    let inflected = fields.nth(3) == Some("Inflect");
    let expression = fields.nth(2).filter(|text| *text != "*");
    expression.filter(|_| inflected || tag.contains('+'))
}

/// The unknown words, and for each category the first and the number of its own.
fn unknown<'s>(
    source: &'s Source,
    kinds: &mut Kinds<'s>,
) -> Result<(Vec<Word>, Vec<u8>), DictionaryError> {
    let mut words = Vec::new();
    let mut categories = Vec::new();
    for category in &source.categories {
        let first = words.len();
        for entry in source.unknown.iter().filter(|entry| entry.surface == *category) {
            let kind = kinds.number(entry, false)?;
            words.push(Word { kind, cost: entry.cost, more: false });
        }
        for number in [first, words.len() - first] {
            let number = u16::try_from(number).map_err(|_| too_many("unknown words"))?;
            categories.extend(number.to_le_bytes());
        }
    }
    Ok((words, categories))
}

/// The kinds of words met so far.
struct Kinds<'s> {
    connections: &'s Connections,
    tags: Vec<&'s str>,
    kinds: Vec<Kind>,
    tag_numbers: HashMap<&'s str, u16>,
    numbers: HashMap<Kind, u16>,
}

impl<'s> Kinds<'s> {
    fn new(connections: &'s Connections) -> Self {
        let (tags, kinds, tag_numbers, numbers) = Default::default();
        Self { connections, tags, kinds, tag_numbers, numbers }
    }

    /// The number of the kind that an entry is of.
    fn number(&mut self, entry: &'s Entry, restores: bool) -> Result<u16, DictionaryError> {
        let tag = entry.features.split(',').next().unwrap_or_default();
        let number = |ids: &[u16], id: u16| ids.get(usize::from(id)).copied().unwrap_or(0);
        let kind = Kind {
            left: number(&self.connections.left, entry.left),
            right: number(&self.connections.right, entry.right),
            tag: place(&mut self.tag_numbers, &mut self.tags, tag),
            restores,
        };
        let number = place(&mut self.numbers, &mut self.kinds, kind);
        if number > MAX_KIND { Err(too_many("kinds of words")) } else { Ok(number) }
    }
}

/// Where an item stands in a list, where it is put if it is new.
fn place<T: Copy + Eq + std::hash::Hash>(
    numbers: &mut HashMap<T, u16>,
    list: &mut Vec<T>,
    item: T,
) -> u16 {
    *numbers.entry(item).or_insert_with(|| {
        list.push(item);
        u16::try_from(list.len() - 1).unwrap_or(u16::MAX)
    })
}
