//! What a judgement of register rests on, as units of an explanation.

use super::levelled;
use crate::{Marker, Register, SentenceRegister, SpeechLevel};
use ko_eval_core::explain::Unit;
use std::ops::Range;

/// A stretch of a text that shows a level.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) unit: Unit,
    pub(super) level: SpeechLevel,
}

/// What shows the levels that metrics compare: the ending of each sentence that closes; of a text in which none does, all of
/// it, if it has a level.
pub(super) fn levels(text: &str, register: &Register) -> Vec<Shown> {
    let closed: Vec<Shown> = levelled(register)
        .filter_map(|sentence| Some(Shown { unit: ending(text, sentence), level: sentence.level? }))
        .collect();
    match register.level {
        Some(level) if closed.is_empty() => vec![Shown { unit: whole(text), level }],
        _ => closed,
    }
}

/// The word that closes a sentence, or the whole of it.
pub(super) fn ending(text: &str, sentence: &SentenceRegister) -> Unit {
    let closing = sentence.evidence.iter().find(|word| word.shows == Marker::Ending);
    let characters = closing.map_or(sentence.start..sentence.end, |word| word.start..word.end);
    Unit::written(bytes(text, characters))
}

/// All of a text.
pub(super) fn whole(text: &str) -> Unit {
    Unit::written(0..text.len())
}

/// Where in bytes what is counted in characters stands.
fn bytes(text: &str, characters: Range<usize>) -> Range<usize> {
    let place = |number| text.char_indices().nth(number).map_or(text.len(), |(place, _)| place);
    place(characters.start)..place(characters.end)
}
