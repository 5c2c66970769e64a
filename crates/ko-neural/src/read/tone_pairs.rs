//! Pairs of sentences by meaning and by tone, drawn from groups of one meaning in two tones.

use super::{Tone, ToneGroup};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Two sentences, and in what they agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TonePairing<'a> {
    /// The one, with its tone.
    pub first: (&'a str, Tone),
    /// The other.
    pub second: (&'a str, Tone),
    /// Whether both are of one group.
    pub same_meaning: bool,
}

impl TonePairing<'_> {
    /// Whether both have one tone.
    pub fn same_tone(&self) -> bool {
        self.first.1 == self.second.1
    }
}

/// Draws `count` pairs that fall evenly into the four kinds (meaning same or not × tone same or not), and evenly into formal and informal
/// first sentences; the same for the same seed. A sentence is never paired with itself, nor with another one of the same text. Kinds that the
/// groups cannot fill are left out, such as one meaning in one tone where every group has a single sentence of each tone.
///
/// ```
/// use ko_neural::read::{ToneGroup, tone_pairs};
///
/// let group = |formal: &str, informal: &str| ToneGroup {
///     formal: vec![formal.into()],
///     informal: vec![informal.into()],
/// };
/// let groups = [group("밥 먹었어요?", "밥 먹었어?"), group("어디 가세요?", "어디 가?")];
/// let pairs = tone_pairs(&groups, 12, 1);
/// assert_eq!(pairs.len(), 12);
/// // One meaning in one tone would be one sentence twice.
/// assert_eq!(pairs.iter().filter(|pair| pair.same_meaning && pair.same_tone()).count(), 0);
/// assert_eq!(pairs.iter().filter(|pair| pair.same_meaning).count(), 4);
/// ```
pub fn tone_pairs(groups: &[ToneGroup], count: usize, seed: u64) -> Vec<TonePairing<'_>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let tones = [Tone::Formal, Tone::Informal];
    let mut kinds = Vec::new();
    for tone in tones {
        for (same_meaning, same_tone) in
            [(true, true), (true, false), (false, true), (false, false)]
        {
            let kind = Kind::of(groups, tone, same_meaning, same_tone);
            kinds.extend(Some(kind).filter(Kind::can_be_drawn));
        }
    }
    let turns = kinds.iter().cycle().take(if kinds.is_empty() { 0 } else { count });
    turns.filter_map(|kind| kind.draw(&mut rng)).collect()
}

/// One kind of pair: which groups can give the first sentence, and which the second.
struct Kind<'a> {
    firsts: Vec<&'a ToneGroup>,
    seconds: Vec<&'a ToneGroup>,
    tones: (Tone, Tone),
    same_meaning: bool,
}

impl<'a> Kind<'a> {
    fn of(groups: &'a [ToneGroup], tone: Tone, same_meaning: bool, same_tone: bool) -> Self {
        let second = match (tone, same_tone) {
            (tone, true) => tone,
            (Tone::Formal, false) => Tone::Informal,
            (Tone::Informal, false) => Tone::Formal,
        };
        let has = |group: &&ToneGroup, tone: Tone| !group.of(tone).is_empty();
        let firsts = groups.iter().filter(|group| match same_meaning {
            true => differ(group.of(tone), group.of(second)),
            false => has(group, tone),
        });
        let seconds = groups.iter().filter(|group| !same_meaning && has(group, second));
        let (firsts, seconds) = (firsts.collect(), seconds.collect());
        Self { firsts, seconds, tones: (tone, second), same_meaning }
    }

    /// Whether there is a pair at all, so that drawing ends.
    fn can_be_drawn(&self) -> bool {
        let (one, two) = self.tones;
        let other = |first: &&ToneGroup| {
            let mut others = self.seconds.iter().filter(|second| !std::ptr::eq(**second, *first));
            others.any(|second| differ(first.of(one), second.of(two)))
        };
        match self.same_meaning {
            true => !self.firsts.is_empty(),
            false => self.firsts.iter().any(other),
        }
    }

    fn draw(&self, rng: &mut ChaCha8Rng) -> Option<TonePairing<'a>> {
        let (one, two) = self.tones;
        loop {
            let first = pick(&self.firsts, rng)?;
            let second = if self.same_meaning { first } else { pick(&self.seconds, rng)? };
            let (a, b) = (pick(first.of(one), rng)?, pick(second.of(two), rng)?);
            // Another group for another meaning, and always another text: corpora repeat theirs, within a group and beyond.
            if std::ptr::eq(*first, *second) != self.same_meaning || a == b {
                continue;
            }
            let same_meaning = self.same_meaning;
            let (first, second) = ((a.as_str(), one), (b.as_str(), two));
            return Some(TonePairing { first, second, same_meaning });
        }
    }
}

/// Whether some text of the one is none of the other's first.
fn differ(ones: &[String], others: &[String]) -> bool {
    others.first().is_some_and(|other| {
        ones.iter().any(|one| one != other)
            || ones.first().is_some_and(|one| others.iter().any(|other| one != other))
    })
}

fn pick<'s, T>(all: &'s [T], rng: &mut ChaCha8Rng) -> Option<&'s T> {
    all.get(usize::try_from(rng.next_u64() % (all.len() as u64).max(1)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_kinds_evenly_and_the_same_again() {
        let group = |name: &str| ToneGroup {
            formal: vec![format!("{name} 해요"), format!("{name} 합니다")],
            informal: vec![format!("{name} 해"), format!("{name} 한다")],
        };
        let groups = [group("공부"), group("운동"), group("요리")];
        let pairs = tone_pairs(&groups, 80, 7);
        for (meaning, tone) in [(true, true), (true, false), (false, true), (false, false)] {
            let of_kind =
                pairs.iter().filter(|p| p.same_meaning == meaning && p.same_tone() == tone);
            let formal = of_kind.clone().filter(|p| p.first.1 == Tone::Formal).count();
            assert_eq!((of_kind.count(), formal), (20, 10));
        }
        for pair in &pairs {
            assert_ne!(pair.first.0, pair.second.0);
            let word = |text: &str| text.split(' ').next().unwrap().to_owned();
            assert_eq!(word(pair.first.0) == word(pair.second.0), pair.same_meaning);
        }
        assert_eq!(pairs, tone_pairs(&groups, 80, 7));
        assert_ne!(pairs, tone_pairs(&groups, 80, 8));
        assert!(tone_pairs(&[], 5, 1).is_empty());
    }

    #[test]
    fn equal_texts_are_never_a_pair() {
        let group = |formal: &[&str], informal: &[&str]| {
            let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
            ToneGroup { formal: owned(formal), informal: owned(informal) }
        };
        // A greeting that stands twice in its group, in both tones of another, and in a third.
        let groups = [
            group(&["안녕하세요.", "안녕하세요."], &["안녕."]),
            group(&["안녕하세요.", "반갑습니다."], &["안녕하세요.", "반가워."]),
            group(&["안녕하세요."], &["안녕."]),
        ];
        let pairs = tone_pairs(&groups, 400, 3);
        assert!(pairs.iter().all(|pair| pair.first.0 != pair.second.0));
        for (meaning, tone) in [(true, true), (true, false), (false, true), (false, false)] {
            let of_kind = |p: &&TonePairing<'_>| p.same_meaning == meaning && p.same_tone() == tone;
            assert_eq!(pairs.iter().filter(of_kind).count(), 100);
        }
        // Nothing but one text: no kind can be drawn, and drawing ends.
        let one = group(&["네.", "네."], &["네."]);
        assert!(tone_pairs(&[one.clone(), one], 5, 1).is_empty());
    }
}
