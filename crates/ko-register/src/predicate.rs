//! The main predicate: where a Korean sentence keeps its grammar.
//!
//! Korean is head-final, so the main predicate is the last one, and its last ending speaks for the
//! sentence. What belongs to it may take several eojeols: auxiliaries (먹지 않았다), bound nouns
//! (갈 수 없을 것이다), each after an ending that calls for it.

use crate::{
    closing::{Closing, closings},
    ending::Ending,
    morph::Morph,
};
use ko_tokenize::Tag;
use std::ops::Range;

/// The main predicate of a sentence.
#[derive(Debug, Clone)]
pub(crate) struct Predicate {
    /// Which morphemes of the sentence belong to it, marks excluded.
    pub(crate) span: Range<usize>,
    /// The place of the final ending (a fused surface, perhaps).
    pub(crate) ending: usize,
    /// What that ending says; `None` for a nominal form.
    pub(crate) closes: Option<Ending>,
    /// Whether that ending could as well have gone on.
    pub(crate) open: bool,
}

/// The place behind the last morpheme that is no punctuation, symbol or emoticon.
pub(crate) fn end_of(morphs: &[Morph]) -> usize {
    morphs.iter().rposition(|morph| !morph.is_mark()).map_or(0, |last| last + 1)
}

impl Predicate {
    /// Finds it; `None` for a fragment.
    pub(crate) fn find(morphs: &[Morph]) -> Option<Self> {
        Self::of(morphs, &closings(morphs).pop()?)
    }

    /// The same where it is known what closes the sentence.
    pub(crate) fn of(morphs: &[Morph], closing: &Closing) -> Option<Self> {
        let Closing { word, at: ending, .. } = closing;
        let (mut start, ending, end) = (word.start, *ending, word.end);
        // The stem may stand in an eojeol of its own where the text is spaced oddly.
        if !has_predicate(morphs.get(start..=ending)?)
            && let Some(first) = start.checked_sub(1).map(|at| first_of_eojeol(morphs, at))
            && has_predicate(morphs.get(first..=ending)?)
        {
            start = first;
        }
        while let Some(last) = start.checked_sub(1) {
            let first = first_of_eojeol(morphs, last);
            let (this, before) = (morphs.get(start..=ending)?, morphs.get(first..=last)?);
            if !leans_on(this, before) {
                break;
            }
            start = first;
        }
        Some(Self { span: start..end, ending, closes: closing.ending, open: closing.open })
    }

    /// Its morphemes.
    pub(crate) fn morphs<'m>(&self, morphs: &'m [Morph]) -> &'m [Morph] {
        morphs.get(self.span.clone()).unwrap_or_default()
    }

    /// The last stem before the ending: whose ending it is.
    pub(crate) fn stem<'m>(&self, morphs: &'m [Morph]) -> Option<&'m Morph> {
        let upto = morphs.get(self.span.start..=self.ending)?;
        upto.iter().rev().find(|morph| morph.is_predicate())
    }
}

fn has_predicate(morphs: &[Morph]) -> bool {
    morphs.iter().any(Morph::is_predicate)
}

fn first_of_eojeol(morphs: &[Morph], at: usize) -> usize {
    let Some(eojeol) = morphs.get(at).map(|morph| morph.eojeol) else { return at };
    let before = morphs.get(..at).unwrap_or_default();
    at - before.iter().rev().take_while(|morph| morph.eojeol == eojeol).count()
}

/// Whether a predicate needs the eojeol before it.
pub(crate) fn leans_on(this: &[Morph], before: &[Morph]) -> bool {
    let (Some(first), [opening, .., _] | [opening], Some(last)) =
        (this.first(), before, before.last())
    else {
        return false;
    };
    // Particles may come between: 먹지는 않았다.
    let connected = last.is_any(&[Tag::Ec])
        || (last.is_any(&[Tag::Jx]) && before.iter().any(|morph| morph.is_any(&[Tag::Ec])));
    let auxiliary = first.is_any(&[Tag::Vx]) || first.has_stem(&["않", "못하", "싶"]);
    // 갈 수 없다, 먹은 적이 있다, 올 것 같다: first the bound noun, then what modifies it.
    let on_bound_noun = first.has_stem(&["있", "없", "같", "하", "되", "아니"]);
    (auxiliary && connected)
        || (on_bound_noun && opening.is_any(&[Tag::Nnb]))
        || (first.is_any(&[Tag::Nnb]) && last.is_any(&[Tag::Etm]))
}
