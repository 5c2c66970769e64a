//! The morphemes that a treebank holds in its own columns.

use crate::sentence::Sentence;
use ko_register::{Morph, sejong_tag};
use ko_tokenize::Tag;

/// The morphemes that a treebank's LEMMA and XPOS hold; `None` if they hold none.
///
/// Where a word has fewer lemmas than tags (UD writes only the stem of auxiliaries), its surface
/// stands for all of them, as an analyzer's fused surface does.
pub fn from_treebank(sentence: &Sentence) -> Option<Vec<Morph>> {
    let mut morphs = Vec::with_capacity(sentence.words.len() * 2);
    for (word, eojeol) in sentence.words.iter().zip(sentence.eojeol_numbers()) {
        let xpos = word.xpos.as_deref().unwrap_or_default();
        if word.is_punctuation() {
            // A full stop is one whatever the tag set calls it.
            morphs.push(Morph::new(&word.form, "SF", eojeol));
            continue;
        }
        // `goeswith` parts have no tags of their own: their word before them has.
        if xpos.is_empty() && word.universal_relation() == "goeswith" {
            continue;
        }
        let tags: Vec<_> = xpos.split('+').collect();
        if tags.iter().any(|tag| sejong_tag(tag).is_none()) {
            return None;
        }
        let lemma = word.lemma.as_deref().unwrap_or_default();
        let lemmas: Vec<_> = lemma.split('+').collect();
        if lemmas.len() == tags.len() && !lemma.is_empty() {
            let pairs = lemmas.into_iter().zip(tags);
            morphs.extend(pairs.map(|(text, tag)| Morph::new(text, tag, eojeol)));
        } else {
            morphs.push(Morph::new(&word.form, xpos, eojeol));
        }
    }
    // Tags alone do not make a morphological annotation: Penn-like sets share a few names.
    morphs.iter().any(|morph| morph.is_any(ENDINGS_AND_PARTICLES)).then_some(morphs)
}

const ENDINGS_AND_PARTICLES: &[Tag] = &[
    Tag::Ef,
    Tag::Ec,
    Tag::Ep,
    Tag::Etm,
    Tag::Etn,
    Tag::Jks,
    Tag::Jko,
    Tag::Jkb,
    Tag::Jkg,
    Tag::Jx,
];
