//! SOMO, semantic odd man out: has a word of the sentence been replaced?
//!
//! In every second sentence one noun or predicate gives way to another eojeol of the corpus with the
//! same tags and the same particles or endings, whose stem is about as frequent (same power of two). The
//! newcomer was written by somebody in just this form, so grammar never gives it away: only sense does.

use crate::{
    dataset::Dataset,
    sentence::{Sentence, Word},
    task::{Hidden, Options, Property, Standing, Task},
    treebank::Treebank,
};
use ko_register::sejong_tag;
use ko_tokenize::Tag;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

/// The row of the table.
pub(crate) const TASK: Task = Task {
    name: "SOMO",
    property: Property::Semantic,
    summary: "whether a noun or predicate was replaced by one of like frequency and form",
    hidden: Hidden::Allowed,
    standing: Standing::Optional,
    label,
};

/// A word as a stem and what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Inflected<'t> {
    pub(crate) stem: &'t str,
    /// The tags, the stem's included.
    pub(crate) tags: &'t str,
    /// The morphemes behind the stem.
    pub(crate) rest: &'t str,
}

impl<'t> Inflected<'t> {
    /// A noun or a verb with its particles or endings.
    pub(crate) fn of(word: &'t Word) -> Option<Self> {
        let (lemma, tags) = (word.lemma.as_deref()?, word.xpos.as_deref()?);
        let first = sejong_tag(tags.split('+').next()?)?;
        let lexical = matches!(first, Tag::Nng | Tag::Nnp | Tag::Vv | Tag::Va);
        let whole = lemma.split('+').count() == tags.split('+').count();
        let (stem, rest) = lemma.split_once('+').unwrap_or((lemma, ""));
        (lexical && whole).then_some(Self { stem, tags, rest })
    }
}

type Shape<'t> = (&'t str, &'t str, u32);

fn label(treebank: &Treebank, options: &Options) -> Dataset {
    let sentences = || treebank.sentences.iter().map(|annotated| &annotated.sentence);
    let words = || sentences().flat_map(|sentence| &sentence.words);
    let mut frequency: FxHashMap<&str, u32> = FxHashMap::default();
    for inflected in words().filter_map(Inflected::of) {
        *frequency.entry(inflected.stem).or_default() += 1;
    }
    let shape = |word: &Inflected<'_>| {
        let frequency = frequency.get(word.stem).copied().unwrap_or(1);
        frequency.ilog2()
    };
    let mut alike: FxHashMap<Shape<'_>, Vec<&Word>> = FxHashMap::default();
    for word in words() {
        if let Some(inflected) = Inflected::of(word) {
            let key = (inflected.tags, inflected.rest, shape(&inflected));
            alike.entry(key).or_default().push(word);
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(options.split.seed());
    let mut data = Dataset::new("SOMO");
    data.classes = vec!["original".into(), "changed".into()];
    for sentence in sentences() {
        // Originals and changed sentences are drawn from the same pool: those that can be changed.
        let swaps: Vec<(usize, &str)> = sentence
            .words
            .iter()
            .enumerate()
            .filter_map(|(at, word)| {
                let inflected = Inflected::of(word)?;
                let key = (inflected.tags, inflected.rest, shape(&inflected));
                let others = alike.get(&key)?;
                let other = others.get(rng.random_range(0..others.len()))?;
                let odd = Inflected::of(other)?.stem != inflected.stem && other.form != word.form;
                odd.then_some((at, other.form.as_str()))
            })
            .collect();
        if swaps.is_empty() {
            data.drop("no word with a like one");
            continue;
        }
        let (at, form) = swaps.get(rng.random_range(0..swaps.len())).copied().unwrap_or_default();
        let origin = sentence.origin.clone();
        match rng.random::<bool>() {
            true => data.push("changed", replaced(sentence, at, form), origin),
            false => data.push("original", Sentence::text_of(&sentence.words), origin),
        }
    }
    data
}

fn replaced(sentence: &Sentence, at: usize, form: &str) -> String {
    let mut words = sentence.words.clone();
    if let Some(word) = words.get_mut(at) {
        form.clone_into(&mut word.form);
    }
    Sentence::text_of(&words)
}
