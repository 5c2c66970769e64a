//! Sentences of a corpus as they stand in other texts: with and without a mark at the end, cut out of what came before, and one after the
//! other. Who learns the tone from bare, single sentences takes a full stop, or the length, for a sign of it.

use super::{Tone, ToneGroup};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What may end a sentence; nothing, as in chats and speech, as often as a full stop.
const MARKS: [&str; 6] = ["", "", ".", ".", "?", "!"];

/// Fewest words of what is left of a sentence: its end, where the tone is, among them.
const FEWEST: usize = 3;

/// The same groups with each sentence changed by chance, the same for the same seed: half of them lose their first words, all get a mark
/// or none, and every third is followed by one or two sentences of the same tone from other groups. The tones stay what they were; the
/// meaning does not.
///
/// ```
/// use ko_neural::read::{Tone, ToneGroup, as_written};
///
/// let group = |formal: &str, informal: &str| ToneGroup {
///     formal: vec![formal.into()],
///     informal: vec![informal.into()],
/// };
/// let groups = [
///     group("내일 몇 시에 비가 오나요", "야 내일 몇 시에 비 오냐"),
///     group("거실 불 좀 꺼 주시겠어요", "저기 거실 불 좀 꺼 줄래"),
/// ];
/// let written = as_written(&groups, 1);
/// assert_eq!(written.len(), 2);
/// assert!(written[1].of(Tone::Formal)[0].contains("꺼 주시겠어요"));
/// ```
pub fn as_written(groups: &[ToneGroup], seed: u64) -> Vec<ToneGroup> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let all: [Vec<&str>; 2] = [Tone::Formal, Tone::Informal]
        .map(|tone| groups.iter().flat_map(|group| group.of(tone)).map(String::as_str).collect());
    let [formal, informal] = &all;
    let written = |group: &ToneGroup| ToneGroup {
        formal: group.formal.iter().map(|text| text_of(text, formal, &mut rng)).collect(),
        informal: group.informal.iter().map(|text| text_of(text, informal, &mut rng)).collect(),
    };
    groups.iter().map(written).collect()
}

/// A sentence, and perhaps some of the others behind it.
fn text_of(sentence: &str, others: &[&str], rng: &mut ChaCha8Rng) -> String {
    let more = match below(3, rng) {
        0 => 1 + below(2, rng),
        _ => 0,
    };
    let mut text = shortened(sentence, rng);
    for _ in 0..more {
        // Within a text sentences are told apart by their marks.
        text.push_str(MARKS.get(2 + below(MARKS.len() - 2, rng)).copied().unwrap_or("."));
        text.push(' ');
        text.push_str(&shortened(others.get(below(others.len(), rng)).unwrap_or(&""), rng));
    }
    text.push_str(MARKS.get(below(MARKS.len(), rng)).copied().unwrap_or_default());
    text
}

/// Half of the sentences without some of their first words.
fn shortened(sentence: &str, rng: &mut ChaCha8Rng) -> String {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let spare = words.len().saturating_sub(FEWEST);
    let from = if below(2, rng) == 0 { below(spare + 1, rng) } else { 0 };
    words.get(from..).unwrap_or_default().join(" ")
}

/// A number below `count`, or 0.
fn below(count: usize, rng: &mut ChaCha8Rng) -> usize {
    usize::try_from(rng.next_u64() % (count as u64).max(1)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_tones_and_ends_and_varies_the_rest() {
        let groups: Vec<ToneGroup> = (0..200)
            .map(|i| ToneGroup {
                formal: vec![format!("혹시 내일 {i} 번 표를 사 주시나요")],
                informal: vec![format!("야 내일 {i} 번 표를 사 주냐")],
            })
            .collect();
        let written = as_written(&groups, 3);
        assert_eq!(written, as_written(&groups, 3));
        assert_ne!(written, as_written(&groups, 4));
        let texts: Vec<&str> = written.iter().map(|group| group.formal[0].as_str()).collect();
        let share = |kind: &dyn Fn(&str) -> bool| texts.iter().filter(|text| kind(text)).count();
        assert_eq!(share(&|text| text.contains("주냐")), 0);
        assert_eq!(
            share(&|text| text.trim_end_matches(['.', '?', '!']).ends_with("사 주시나요")),
            200
        );
        let (bare, cut) = (share(&|t| t.ends_with('요')), share(&|t| !t.starts_with("혹시")));
        let several = share(&|text| text.matches("주시나요").count() > 1);
        assert!(
            (40..100).contains(&bare) && (40..120).contains(&cut) && (40..100).contains(&several)
        );
        assert!(written.iter().all(|group| group.informal[0].contains("주냐")));
        assert!(as_written(&[], 1).is_empty());
    }
}
