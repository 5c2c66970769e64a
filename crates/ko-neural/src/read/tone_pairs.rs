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
/// first sentences; the same for the same seed. A sentence is never paired with itself. Kinds that the groups cannot fill are left
/// out, such as one meaning in one tone where every group has a single sentence of each tone.
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
        let with = |tone: Tone, least: usize| -> Vec<&ToneGroup> {
            groups.iter().filter(|group| group.of(tone).len() >= least).collect()
        };
        let firsts = match (same_meaning, same_tone) {
            (true, true) => with(tone, 2),
            (true, false) => {
                with(tone, 1).into_iter().filter(|g| !g.of(second).is_empty()).collect()
            }
            (false, _) => with(tone, 1),
        };
        let seconds = if same_meaning { Vec::new() } else { with(second, 1) };
        Self { firsts, seconds, tones: (tone, second), same_meaning }
    }

    fn can_be_drawn(&self) -> bool {
        let other = |first: &&ToneGroup| self.seconds.iter().any(|s| !std::ptr::eq(*s, *first));
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
            // Another group for another meaning, another sentence for the same one.
            if std::ptr::eq(*first, *second) != self.same_meaning || std::ptr::eq(a, b) {
                continue;
            }
            let same_meaning = self.same_meaning;
            let (first, second) = ((a.as_str(), one), (b.as_str(), two));
            return Some(TonePairing { first, second, same_meaning });
        }
    }
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
}
