//! The ending of one eojeol: what its letters show, what its tags say, and how surely it closes a sentence.

use crate::{
    SpeechLevel,
    closing::Closing,
    ending::{self, Ending, Force},
    morph::Morph,
    tense::is_past,
};
use ko_tokenize::Tag;
use std::{cell::LazyCell, ops::Range};

/// What the eojeol ends in, if it is something that closes.
pub(crate) fn of_word(morphs: &[Morph], word: Range<usize>) -> Option<Closing> {
    let own = morphs.get(word.clone())?;
    let (last, before) = own.split_last()?;
    // 갔지+요, and 갔어+용 as it is typed.
    let polite = ending::is_polite_particle(&last.text)
        && (last.text == "요" && !is_noun(last) || before.last().is_some_and(closes_by_tag));
    if polite && before.iter().any(|morph| morph.is_predicate() || closes_by_tag(morph)) {
        let plain = judge(before).and_then(|(ending, _)| ending);
        let ending = ending::named("요")?;
        let mood = plain.and_then(|plain| plain.mood);
        let ending = Ending { mood, text: plain.map_or("요", |plain| plain.text), ..ending };
        let at = word.end.checked_sub(2)?;
        return Some(Closing { word, at, ending: Some(ending), force: Force::Always, open: false });
    }
    let (ending, force) = judge(own)?;
    let at = word.end.checked_sub(1)?;
    Some(Closing { word, at, ending, force, open: false })
}

fn closes_by_tag(morph: &Morph) -> bool {
    morph.is_any(&[Tag::Ef, Tag::Ec])
}

pub(crate) fn is_noun(morph: &Morph) -> bool {
    const NOUNS: &[Tag] = &[
        Tag::Nng,
        Tag::Nnp,
        Tag::Nnb,
        Tag::Nnbc,
        Tag::Nr,
        Tag::Np,
        Tag::Xr,
        Tag::Xsn,
        Tag::Ic,
        Tag::Mag,
        Tag::Mm,
        Tag::Sl,
    ];
    morph.is_only(NOUNS)
}

/// The contracted vowels in which -아/-어 hides: 가, 서, 켜, 해, 봐, 줘, 돼, 베; 야 is 이다's.
pub(crate) const VOWELS: &[char] =
    &['ㅏ', 'ㅓ', 'ㅕ', 'ㅐ', 'ㅘ', 'ㅝ', 'ㅙ', 'ㅔ', 'ㅖ', 'ㅒ', 'ㅑ'];

/// The ending of an eojeol, and how surely it closes there.
fn judge(own: &[Morph]) -> Option<(Option<Ending>, Force)> {
    let (last, before) = own.split_last()?;
    // Few words can be told by their letters: those of the others are not put together.
    let letters = LazyCell::new(|| own.iter().map(Morph::letters).collect::<String>());
    if ending::may_be_sure(own)
        && let Some((length, found)) = by_letters(own, &letters)
    {
        return Some((Some(polite_mood(found, &letters, length, false)), found.force));
    }
    // 쓰지말래/NNG: a noun cannot follow an ending, so its tag is not to be trusted.
    if is_noun(last) && before.last().is_some_and(closes_by_tag) {
        let found = ending::longest(&letters, |_, row| row.force >= Force::Either);
        return found.map(|(_, ending)| (Some(ending), ending.force));
    }
    // 해 줄게 as 줄/ETM + 게/NNB.
    let after_modifier = before.last().is_some_and(|morph| morph.is_any(&[Tag::Etm]));
    if after_modifier && last.is_any(&[Tag::Nnb]) && !closes_by_tag(last) {
        let intends = |_: &str, row: &Ending| matches!(row.text, "ㄹ게" | "ㄹ걸" | "을게" | "을걸");
        let found = ending::longest(&letters, intends);
        return found.map(|(_, ending)| (Some(ending), Force::Either));
    }
    if last.is_any(&[Tag::Etn]) {
        return Some((None, Force::Hanging));
    }
    if closes_by_tag(last) {
        return by_tag(own, last);
    }
    // A stem with nothing behind it: 하지 마, 너는 아니.
    if last.is_predicate() && !last.is_any(&[Tag::Etm, Tag::Ep]) {
        let text = if last.is_any(&[Tag::Vcn]) { "니" } else { "어" };
        let open = last.letters().ends_with(VOWELS) || last.is_any(&[Tag::Vcn]);
        return open.then(|| (ending::named(text), Force::Either));
    }
    None
}

/// What the letters show whatever the tags say: analyzers take 가요 in 어떤가요 for songs.
fn by_letters(own: &[Morph], letters: &str) -> Option<(usize, Ending)> {
    let last = own.last()?;
    let noun = is_noun(last);
    let alone = own.len() == 1;
    if alone && last.is_any(&[Tag::Ic]) {
        return None;
    }
    ending::longest(letters, |ending, row| {
        row.force == Force::Always
            // A noun may end as an ending does (필요). It is one where it lies inside the ending (인+가요), or, unknown to
            // the dictionary, holds a stem as well (타지마).
            && (!noun || if alone { letters.len() > ending.len() } else { last.letters().len() <= ending.len() })
    })
}

/// The mood of an ending of 해요체 is that of what stands before 요: 나요 asks, ㄹ까요 asks.
fn polite_mood(found: Ending, letters: &str, length: usize, stem_inside: bool) -> Ending {
    if found.level != SpeechLevel::Haeyo || found.mood.is_some() || length == 0 {
        return found;
    }
    let before = letters.strip_suffix("ㅇㅛ").unwrap_or_default();
    let plain = ending::longest(before, |ending, row| {
        row.level == SpeechLevel::Hae && (!stem_inside || ending::contracts(ending))
    });
    plain.map_or(found, |(_, plain)| Ending { text: plain.text, mood: plain.mood, ..found })
}

fn by_tag(own: &[Morph], last: &Morph) -> Option<(Option<Ending>, Force)> {
    // 했어, 겠지: behind a pre-final ending nothing contracts with the stem.
    let apart = last.tags().first() == Some(&Tag::Vcp) || last.is_any(&[Tag::Ep]);
    let stem_inside = last.is_fused() && last.is_predicate() && !apart;
    // Pre-final endings belong to the row: 십시오 is 시+ㅂ시오.
    let is_ending = |morph: &&Morph| {
        (morph.is_any(&[Tag::Ef, Tag::Ec, Tag::Ep]))
            && (!morph.is_predicate() || morph.is_any(&[Tag::Vcp]))
    };
    let run = own.iter().rev().take_while(is_ending).count().max(1);
    let letters: String = own.iter().skip(own.len() - run).map(Morph::letters).collect();
    let found = ending::longest(&letters, |ending, row| {
        // Inside a fused surface only what contracts can be an ending: 만나 does not end in -나.
        let may = !stem_inside || ending::contracts(ending);
        let adverb = row.text == "게" && !last.is_any(&[Tag::Ef]);
        may && !adverb
    });
    let (length, found) = match found {
        Some((length, found)) => (length, polite_mood(found, &letters, length, stem_inside)),
        None if last.is_fused() && letters.ends_with(VOWELS) => (0, ending::named("어")?),
        None => return Some((None, Force::Hanging)).filter(|_| last.is_any(&[Tag::Ec])),
    };
    let force = force_of(own, last, found, &letters, length);
    Some((Some(found), force))
}

/// What stands before an ending can leave it only one reading.
fn force_of(own: &[Morph], last: &Morph, found: Ending, letters: &str, length: usize) -> Force {
    let before =
        letters.len().checked_sub(length).and_then(|end| letters.get(..end)).unwrap_or_default();
    let stem: Option<&Morph> = own.iter().rev().find(|morph| morph.is_predicate());
    let prior = own.len().checked_sub(2).and_then(|at| own.get(at));
    let tensed =
        |morph: &Morph| is_past(morph) || (morph.is_any(&[Tag::Ep]) && morph.text.contains('겠'));
    let tensed = tensed(last) || prior.is_some_and(tensed);
    let closed = match before.chars().last() {
        Some(letter) => ('ㄱ'..='ㅎ').contains(&letter),
        None => {
            prior.is_some_and(|prior| prior.letters().ends_with(|c| ('ㄱ'..='ㅎ').contains(&c)))
        }
    };
    let tag = |tags: &[Tag]| stem.is_some_and(|stem| stem.is_any(tags));
    match found.text {
        // The connective is -으니, -으나 after a consonant.
        "니" | "나" | "디" if closed => Force::Final,
        "어" | "아" | "여" | "해" | "지" | "거든" | "오" | "다" if tensed => Force::Final,
        // 줘, 봐, 마: before another verb they would be 줘서, 봐서.
        "어" | "아" | "여"
            if last.is_fused()
                && tag(&[Tag::Vx])
                && stem.is_some_and(|stem| stem.has_stem(&["주", "보", "말"])) =>
        {
            Force::Final
        }
        "지" => Force::Final,
        "다" if !tag(&[Tag::Vv, Tag::Xsv])
            || stem.is_some_and(|stem| stem.has_stem(&["있", "없"])) =>
        {
            Force::Final
        }
        "야" if tag(&[Tag::Vcp, Tag::Vcn]) || stem.is_none() => Force::Final,
        "야" => Force::Hanging,
        "게" if last.is_any(&[Tag::Ef]) => Force::Final,
        // 뭔가 is "something" as well as "what is it".
        "ㄴ가" if last.is_any(&[Tag::Np]) => Force::Either,
        _ => found.force,
    }
}
