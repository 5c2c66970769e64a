//! The clauses of a sentence: each ends at a predicate that connects to the next, the last at the one that closes.

use crate::{eojeol::of_word, morph::Morph, predicate::leans_on};
use ko_tokenize::Tag;
use std::ops::Range;

/// The clauses of one sentence, whose eojeols are known, as ranges of its morphemes; together they are the whole sentence.
pub(crate) fn clauses(morphs: &[Morph], words: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (word, next) in words.iter().zip(words.iter().skip(1)) {
        let (Some(own), Some(after)) = (morphs.get(word.clone()), morphs.get(next.clone())) else {
            continue;
        };
        if connects(own)
            && of_word(morphs, word.clone()).is_some()
            && !leans_on(after, own)
            && !is_serial(own, after)
        {
            let marks = morphs.get(word.end..next.start).unwrap_or_default();
            let end = word.end + marks.iter().take_while(|mark| mark.is_mark()).count();
            found.push(start..end);
            start = end;
        }
    }
    found.push(start..morphs.len());
    found.retain(|clause| !clause.is_empty());
    found
}

fn connects(own: &[Morph]) -> bool {
    own.last().is_some_and(|last| last.is_any(&[Tag::Ec, Tag::Ef]) && last.text != "게")
        || own.last().is_some_and(|last| last.text == "요")
}

/// 들어 가다, 알려 주다: two verbs that make one.
fn is_serial(own: &[Morph], after: &[Morph]) -> bool {
    let joins = own.last().is_some_and(|last| {
        last.is_any(&[Tag::Ec])
            && last.letters().ends_with(['ㅏ', 'ㅓ', 'ㅕ', 'ㅐ', 'ㅘ', 'ㅝ', 'ㅙ'])
    });
    joins && after.first().is_some_and(Morph::is_predicate)
}
