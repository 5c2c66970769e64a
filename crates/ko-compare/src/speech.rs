//! How the texts of a comparison speak, and where an output speaks otherwise than its reference.

use crate::{Lineup, Result};
use ko_eval_core::{Signature, Signed as _, par_map};
use ko_register::{Marker, Morph, Register, RegisterAnalyzer, SpeechLevel, from_text};
use serde::Serialize;

/// The register of every text, and the slips of every output.
///
/// A slip is 0 for an output that speaks as its nearest reference does, and 100 for one that does not at all. Half of it is the
/// speech level, as the metric `register` counts it; the other half the words that raise somebody (께서, -시-, 저희):
/// `100 · (1 − 2·min(output, reference) / (output + reference))`. Where neither text shows a level, the words are all of it.
///
/// ```
/// use ko_compare::{Lineup, Speech};
/// use ko_eval_core::OwnedSegment;
/// use ko_register::RegisterAnalyzer;
///
/// let outputs = |text| Ok::<_, ko_eval_core::Error>(vec![OwnedSegment::new(text, ["할머니께서 오셨습니다."])?]);
/// let lineup = Lineup::new([("같음", outputs("할머니께서 가셨습니다.")?), ("다름", outputs("할머니가 왔어.")?)])?;
/// let speech = Speech::analyze(&lineup, &RegisterAnalyzer::without_dictionary())?;
/// assert_eq!(speech.slips()[0][0], 0.0);
/// assert!(speech.slips()[1][0] > 50.0);
/// # Ok::<(), ko_compare::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Speech {
    analyzer: Signature,
    /// `references[segment]`.
    references: Vec<Vec<Spoken>>,
    /// `outputs[system][segment]`.
    outputs: Vec<Vec<Spoken>>,
    /// `slips[system][segment]`.
    slips: Vec<Vec<f64>>,
}

/// How a text speaks. Places count UTF-16 units, as a browser does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Spoken {
    pub(crate) level: Option<SpeechLevel>,
    pub(crate) marks: Vec<Mark>,
    /// Where its morphemes begin and end.
    pub(crate) morphemes: Vec<(usize, usize)>,
}

/// A word that shows the register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Mark {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) shows: Marker,
    /// Whether the nearest reference speaks otherwise.
    pub(crate) amiss: bool,
}

/// A text with all that was found in it.
struct Text {
    register: Register,
    spoken: Spoken,
}

impl Speech {
    /// Looks at every text once, on all cores.
    ///
    /// # Errors
    /// When the analyzer fails.
    pub fn analyze(lineup: &Lineup, analyzer: &RegisterAnalyzer) -> Result<Self> {
        let numbers: Vec<usize> = (0..lineup.len()).collect();
        let of_segment = |number: &usize| {
            let references =
                lineup.references().get(*number).map(Vec::as_slice).unwrap_or_default();
            let references = references
                .iter()
                .map(|text| Text::of(text, analyzer))
                .collect::<ko_eval_core::Result<Vec<_>>>()?;
            let mut outputs = Vec::with_capacity(lineup.names().len());
            for text in lineup.outputs().iter().filter_map(|system| system.get(*number)) {
                let mut text = Text::of(text, analyzer)?;
                let slip = text.compare(&references);
                outputs.push((text.spoken, slip));
            }
            Ok((references.into_iter().map(|text| text.spoken).collect::<Vec<_>>(), outputs))
        };
        let mut speech = Self {
            analyzer: analyzer.analyzer().signature(),
            references: Vec::with_capacity(lineup.len()),
            outputs: vec![Vec::with_capacity(lineup.len()); lineup.names().len()],
            slips: vec![Vec::with_capacity(lineup.len()); lineup.names().len()],
        };
        for (references, outputs) in par_map(&numbers, of_segment)? {
            speech.references.push(references);
            let systems = speech.outputs.iter_mut().zip(&mut speech.slips);
            for ((texts, slips), (text, slip)) in systems.zip(outputs) {
                texts.push(text);
                slips.push(slip);
            }
        }
        Ok(speech)
    }

    /// What looked at the texts.
    pub fn analyzer(&self) -> &Signature {
        &self.analyzer
    }

    /// `slips[system][segment]`, 0 to 100.
    pub fn slips(&self) -> &[Vec<f64>] {
        &self.slips
    }

    /// The level of each segment: its first reference's, or the baseline's where it has none.
    pub(crate) fn levels(&self) -> impl Iterator<Item = Option<SpeechLevel>> {
        let baseline = self.outputs.first().map(Vec::as_slice).unwrap_or_default();
        let pairs = self.references.iter().zip(baseline);
        pairs.map(|(references, output)| references.first().unwrap_or(output).level)
    }

    pub(crate) fn references(&self) -> &[Vec<Spoken>] {
        &self.references
    }

    pub(crate) fn outputs(&self) -> &[Vec<Spoken>] {
        &self.outputs
    }
}

impl Text {
    fn of(text: &str, analyzer: &RegisterAnalyzer) -> ko_eval_core::Result<Self> {
        let morphs = from_text(text, analyzer.analyzer().as_ref())?;
        let register = Register::of(text, &morphs);
        let places = Places::of(text);
        let mark = |word: &ko_register::Word| Mark {
            start: places.at(word.start),
            end: places.at(word.end),
            shows: word.shows,
            amiss: false,
        };
        let spoken = Spoken {
            level: register.level,
            marks: register.evidence.iter().map(mark).collect(),
            morphemes: cuts(&morphs, &places),
        };
        Ok(Self { register, spoken })
    }

    /// Marks what the nearest reference says otherwise, and says how far the text is from it.
    fn compare(&mut self, references: &[Self]) -> f64 {
        let slip = |reference: &Self| {
            let words = 1.0 - f1(self.raising(), reference.raising());
            match self.register.agreement_with(&reference.register) {
                Some(level) => 50.0 * (1.0 - level) + 50.0 * words,
                None => 100.0 * words,
            }
        };
        let nearest = references
            .iter()
            .map(|reference| (slip(reference), reference))
            .reduce(|best, next| if next.0 < best.0 { next } else { best });
        let Some((slip, reference)) = nearest else { return 0.0 };
        let wrong = reference.register.level.map(|level| self.register.slips_from(level));
        let wrong: Vec<(usize, usize)> =
            wrong.iter().flatten().map(|slip| (slip.start, slip.end)).collect();
        let shows = |marker| reference.spoken.marks.iter().any(|mark| mark.shows == marker);
        let (raises, familiar) = (shows(Marker::Raising), shows(Marker::Familiar));
        let words = self.register.evidence.iter();
        for (mark, word) in self.spoken.marks.iter_mut().zip(words) {
            mark.amiss = match mark.shows {
                Marker::Ending => {
                    wrong.iter().any(|(start, end)| (*start..*end).contains(&word.start))
                }
                Marker::Raising => !raises,
                Marker::Familiar => !familiar,
            };
        }
        slip
    }

    /// How many words raise somebody.
    fn raising(&self) -> usize {
        self.spoken.marks.iter().filter(|mark| mark.shows == Marker::Raising).count()
    }
}

fn f1(ours: usize, theirs: usize) -> f64 {
    match ours + theirs {
        0 => 1.0,
        all => 2.0 * ours.min(theirs) as f64 / all as f64,
    }
}

/// Morphemes as stretches of the text, in order; those that share a stretch are one.
fn cuts(morphs: &[Morph], places: &Places) -> Vec<(usize, usize)> {
    let mut cuts: Vec<(usize, usize)> = Vec::with_capacity(morphs.len());
    for morph in morphs {
        let (start, end) = (places.at(morph.span.start), places.at(morph.span.end));
        let behind = cuts.last().map_or(0, |(_, end)| *end);
        if start.max(behind) < end {
            cuts.push((start.max(behind), end));
        }
    }
    cuts
}

/// From characters to UTF-16 units; nothing where both count alike.
struct Places(Option<Vec<usize>>);

impl Places {
    fn of(text: &str) -> Self {
        if text.chars().all(|c| c.len_utf16() == 1) {
            return Self(None);
        }
        let mut at = 0;
        let starts = text.chars().map(|c| {
            at += c.len_utf16();
            at
        });
        Self(Some(std::iter::once(0).chain(starts).collect()))
    }

    fn at(&self, character: usize) -> usize {
        match &self.0 {
            None => character,
            Some(places) => places.get(character).or(places.last()).copied().unwrap_or(character),
        }
    }
}
