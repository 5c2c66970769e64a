//! `register-consistency`: does a text keep its speech level, and where does it slip?
//!
//! The text's level is the one most of its sentences have; of equally many, the one of the later sentence. A text
//! scores the mean [`SpeechLevel::agreement`] of its sentences with that level, times 100; a corpus the mean over all sentences of
//! all its texts. No reference is needed. Sentences that show no level, or break off, do not count.
//!
//! | case | score |
//! |---|---|
//! | one sentence with a level | 100 |
//! | no sentence with a level | left out; 0, flagged undefined, if nothing is left |
//!
//! ```
//! use ko_register::{RegisterAnalyzer, metrics::{RegisterConsistency, SlipKind}};
//!
//! let consistency = RegisterConsistency::new(RegisterAnalyzer::without_dictionary());
//! let slips = consistency.slips("도착했습니다. 지금 나갑니다. 어디야? 곧 뵙겠습니다.")?;
//! assert_eq!(slips.len(), 1);
//! assert_eq!((slips[0].text.as_str(), slips[0].start, slips[0].end), ("어디야?", 17, 21));
//! assert_eq!(slips[0].kind, SlipKind::Politeness);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use super::{countable, evidence, levelled, sign, within};
use crate::{Register, RegisterAnalyzer, SpeechLevel, Word};
use ko_eval_core::{
    Direction, ExactSum, Explanation, Flag, Metric, Needs, Result, Score, Segment, Signature,
    Signed, Stats,
    explain::{Formula, Layer, Link, LinkKind, Selection},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How well texts keep their level.
///
/// ```
/// use ko_register::prelude::*;
///
/// let metric = RegisterConsistency::new(RegisterAnalyzer::without_dictionary());
/// let score = |text| Ok::<_, ko_register::Error>(metric.segment_score(&Segment::alone(text))?.value);
/// assert_eq!(score("도착했습니다. 지금 나갑니다.")?, 100.0);
/// assert!(score("도착했습니다. 지금 나갑니다. 어디야?")? < 100.0);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RegisterConsistency {
    analyzer: RegisterAnalyzer,
}

/// What changes at a slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlipKind {
    /// The listener is raised elsewhere and not here, or the other way round.
    Politeness,
    /// Another level of the same politeness: 해요체 among 하십시오체.
    Level,
}

/// A sentence that leaves its text's level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Slip {
    /// The number of the sentence from 0.
    pub sentence: usize,
    /// The sentence.
    pub text: String,
    /// Its first character.
    pub start: usize,
    /// Behind its last character.
    pub end: usize,
    /// The level it has.
    pub level: SpeechLevel,
    /// The level of the text.
    pub expected: SpeechLevel,
    /// What changes.
    pub kind: SlipKind,
    /// The words that carry it.
    pub words: Vec<Word>,
}

impl Register {
    /// The level that most sentences have; of equally many, that of the later one.
    pub fn usual_level(&self) -> Option<SpeechLevel> {
        let mut counts = BTreeMap::new();
        for (place, level) in levelled(self).filter_map(|sentence| sentence.level).enumerate() {
            let (count, last) = counts.entry(level).or_insert((0, place));
            (*count, *last) = (*count + 1, place);
        }
        counts.into_iter().max_by_key(|(_, often)| *often).map(|(level, _)| level)
    }

    /// The sentences that leave [`usual_level`](Self::usual_level).
    pub fn slips(&self) -> Vec<Slip> {
        let Some(expected) = self.usual_level() else { return Vec::new() };
        self.slips_from(expected)
    }

    /// The sentences that are not at this level.
    pub fn slips_from(&self, expected: SpeechLevel) -> Vec<Slip> {
        let sentences = self.sentences.iter().enumerate();
        let slips = sentences.filter(|(_, sentence)| !sentence.grammar.left_open).filter_map(
            |(number, sentence)| {
                let level = sentence.level.filter(|level| *level != expected)?;
                let kind = match level.is_polite() == expected.is_polite() {
                    true => SlipKind::Level,
                    false => SlipKind::Politeness,
                };
                let (text, words) = (sentence.text.clone(), sentence.evidence.clone());
                Some(Slip {
                    sentence: number,
                    text,
                    start: sentence.start,
                    end: sentence.end,
                    level,
                    expected,
                    kind,
                    words,
                })
            },
        );
        slips.collect()
    }
}

impl RegisterConsistency {
    /// Judged through this analyzer.
    pub fn new(analyzer: RegisterAnalyzer) -> Self {
        Self { analyzer }
    }

    /// The sentences of a text that leave its level.
    ///
    /// # Errors
    /// When the analyzer fails.
    pub fn slips(&self, text: &str) -> Result<Vec<Slip>> {
        Ok(self.analyzer.analyze(text)?.slips())
    }
}

/// What is known of texts' sentences.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsistencyStats {
    agreement: ExactSum,
    sentences: u64,
    slips_of_politeness: u64,
    slips_of_level: u64,
}

impl Stats for ConsistencyStats {
    fn merge(&mut self, other: &Self) {
        self.agreement.merge(&other.agreement);
        self.sentences = self.sentences.saturating_add(other.sentences);
        let slips = self.slips_of_politeness.saturating_add(other.slips_of_politeness);
        self.slips_of_politeness = slips;
        self.slips_of_level = self.slips_of_level.saturating_add(other.slips_of_level);
    }

    fn check(&self) -> Result<(), String> {
        countable([self.sentences])?;
        within(&[&self.agreement], self.sentences)?;
        match self.slips_of_level.saturating_add(self.slips_of_politeness) <= self.sentences {
            true => Ok(()),
            false => Err("more slips than sentences".to_owned()),
        }
    }
}

impl Signed for RegisterConsistency {
    fn signature(&self) -> Signature {
        sign("register-consistency", &self.analyzer)
    }
}

impl Metric for RegisterConsistency {
    type Stats = ConsistencyStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn needs(&self) -> Needs {
        Needs::NOTHING
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<ConsistencyStats> {
        Ok(ConsistencyStats::of(&self.analyzer.analyze(segment.hypothesis())?))
    }

    fn score(&self, stats: &ConsistencyStats) -> Score {
        let value = match stats.sentences {
            0 => 0.0,
            n => 100.0 * stats.agreement.value() / n as f64,
        };
        Score::new(value)
            .with("sentences", stats.sentences as f64)
            .with("slips-of-politeness", stats.slips_of_politeness as f64)
            .with("slips-of-level", stats.slips_of_level as f64)
            .flag_if(stats.sentences == 0, Flag::Undefined)
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let text = segment.hypothesis();
        let register = self.analyzer.analyze(text)?;
        let usual = register.usual_level();
        let sentences: Vec<_> = levelled(&register).collect();
        let units = sentences.iter().map(|sentence| evidence::ending(text, sentence)).collect();
        let none = segment.references().iter().map(|_| Vec::new()).collect();
        let mut layer = Layer::new(Layer::EVIDENCE, units, none);
        let levels = sentences.iter().map(|sentence| sentence.level.zip(usual)).enumerate();
        layer.links.extend(levels.filter_map(|(place, levels)| {
            let (level, usual) = levels?;
            let link = Link::new(LinkKind::Evidence, place..place + 1);
            let link = link.worth(level.agreement(usual));
            Some(match level == usual {
                true => link.labelled(level.name()),
                false => link.labelled(format!("{level} among {usual}")),
            })
        }));
        let count = layer.links.len();
        let score = self.segment_score_of(&ConsistencyStats::of(&register));
        let mean = Formula::ratio("agreement", "sentences");
        Ok(Explanation::new(self.signature(), Direction::HigherIsBetter, score)
            .with_layer(layer)
            .with_part("agreement", Formula::links(Selection::of(LinkKind::Evidence)))
            .with_given("sentences", count as f64)
            .with_part("score", Formula::product([Formula::Constant(100.0), mean])))
    }
}

impl ConsistencyStats {
    fn of(register: &Register) -> Self {
        let mut stats = Self::default();
        let Some(usual) = register.usual_level() else { return stats };
        for level in levelled(register).filter_map(|sentence| sentence.level) {
            stats.agreement.add(level.agreement(usual));
            stats.sentences += 1;
            match (level == usual, level.is_polite() == usual.is_polite()) {
                (true, _) => {}
                (_, true) => stats.slips_of_level += 1,
                (_, false) => stats.slips_of_politeness += 1,
            }
        }
        stats
    }
}
