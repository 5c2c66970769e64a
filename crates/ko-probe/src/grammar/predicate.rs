//! The main predicate: where a Korean sentence keeps its grammar.
//!
//! Korean is head-final, so the main predicate is the last one, and its last ending speaks for the
//! sentence. What belongs to it may take several eojeols: auxiliaries (먹지 않았다), bound nouns
//! (갈 수 없을 것이다), each after an ending that calls for it.

use super::morph::Morph;
use ko_tokenize::Tag;
use std::ops::Range;

const ENDINGS: &[Tag] = &[Tag::Ef, Tag::Ec, Tag::Etn];

/// The main predicate of a sentence.
#[derive(Debug, Clone)]
pub(super) struct Predicate {
    /// Which morphemes of the sentence belong to it, marks excluded.
    pub(super) span: Range<usize>,
    /// The place of the final ending (a fused surface, perhaps).
    pub(super) ending: usize,
}

/// The place behind the last morpheme that is no punctuation, symbol or emoticon.
pub(super) fn end_of(morphs: &[Morph]) -> usize {
    morphs.iter().rposition(|morph| !morph.is_mark()).map_or(0, |last| last + 1)
}

impl Predicate {
    /// Finds it; `None` for a fragment.
    pub(super) fn find(morphs: &[Morph]) -> Option<Self> {
        let (ending, end) = final_ending(morphs).or_else(|| postposed(morphs))?;
        let mut start = first_of_eojeol(morphs, ending);
        // The stem may stand in an eojeol of its own where the text is spaced oddly.
        if !has_predicate(morphs.get(start..=ending)?) {
            start = first_of_eojeol(morphs, start.checked_sub(1)?);
            if !has_predicate(morphs.get(start..=ending)?) {
                return None;
            }
        }
        while let Some(last) = start.checked_sub(1) {
            let first = first_of_eojeol(morphs, last);
            let (this, before) = (morphs.get(start..=ending)?, morphs.get(first..=last)?);
            if !leans_on(this, before) {
                break;
            }
            start = first;
        }
        Some(Self { span: start..end, ending })
    }

    /// Its morphemes.
    pub(super) fn morphs<'m>(&self, morphs: &'m [Morph]) -> &'m [Morph] {
        morphs.get(self.span.clone()).unwrap_or_default()
    }

    /// The last stem before the ending: whose ending it is.
    pub(super) fn stem<'m>(&self, morphs: &'m [Morph]) -> Option<&'m Morph> {
        let upto = morphs.get(self.span.start..=self.ending)?;
        upto.iter().rev().find(|morph| morph.is_predicate())
    }
}

/// The ending that closes the sentence, and the place behind the particles that follow it:
/// 갔지+요, "간다"+고.
fn final_ending(morphs: &[Morph]) -> Option<(usize, usize)> {
    let end = end_of(morphs);
    let particle =
        |morph: &&Morph| !morph.is_any(ENDINGS) && morph.is_any(&[Tag::Jx, Tag::Jkq, Tag::Ic]);
    let trailing = morphs.get(..end)?.iter().rev().take_while(particle).count();
    let ending = end.checked_sub(trailing + 1)?;
    morphs.get(ending)?.is_any(ENDINGS).then_some((ending, end))
}

/// The final ending of a sentence that goes on after it: 좋은 아침이에요, 친구.
fn postposed(morphs: &[Morph]) -> Option<(usize, usize)> {
    let ending = morphs.iter().rposition(|morph| morph.is_any(&[Tag::Ef]))?;
    let after = morphs.get(ending + 1..)?;
    let parted = after.first()?.is_mark() || after.first()?.eojeol != morphs.get(ending)?.eojeol;
    (parted && !has_predicate(after)).then_some((ending, ending + 1))
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
fn leans_on(this: &[Morph], before: &[Morph]) -> bool {
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
