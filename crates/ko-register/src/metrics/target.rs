//! `register:target=…`: how much of a text is at the level that was asked for. No reference is needed.
//!
//! By sentence, the share of sentences that show a level and have the right one; by text, the share of texts whose
//! level as a whole is the right one. The latter with `polite` or `plain` as the target is the matched accuracy of the
//! IWSLT formality task, judged by grammar instead of by lists of phrases: texts that show neither are left out there too.
//!
//! `score = 100 · matched / judged`; 0, flagged undefined, where nothing is judged.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_register::{RegisterAnalyzer, metrics::{RegisterTarget, Target}};
//!
//! let polite = RegisterTarget::new("polite".parse::<Target>()?, RegisterAnalyzer::without_dictionary());
//! let text = "도착했습니다. 곧 내려갈게요. 어디야?";
//! let score = polite.segment_score(&Segment::alone(text))?;
//! assert_eq!(score.value.round(), 67.0);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use super::{countable, evidence, levelled, sign};
use crate::{RegisterAnalyzer, SpeechLevel};
use ko_eval_core::{
    Direction, Error, Explanation, Flag, Metric, Needs, Result, Score, Segment, Signature, Signed,
    Stats,
    explain::{Formula, Layer, Link, LinkKind, Selection, Unit},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// Any level that raises the listener.
    Polite,
    /// Any that does not.
    Plain,
    /// One level.
    Level(SpeechLevel),
}

impl Target {
    /// Whether a level is what was asked for.
    pub fn accepts(self, level: SpeechLevel) -> bool {
        match self {
            Self::Polite => level.is_polite(),
            Self::Plain => !level.is_polite(),
            Self::Level(wanted) => level == wanted,
        }
    }

    fn accepts_politeness(self, polite: bool) -> bool {
        match self {
            Self::Polite => polite,
            Self::Plain => !polite,
            Self::Level(_) => false,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Polite => "polite",
            Self::Plain => "plain",
            Self::Level(level) => level.name(),
        })
    }
}

impl FromStr for Target {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "polite" => Ok(Self::Polite),
            "plain" => Ok(Self::Plain),
            name => SpeechLevel::ALL
                .iter()
                .find(|level| level.name() == name)
                .map(|level| Self::Level(*level))
                .ok_or_else(|| {
                    let names: Vec<_> = SpeechLevel::ALL.iter().map(|level| level.name()).collect();
                    Error::invalid(
                        "register",
                        "target",
                        name,
                        format!("polite, plain or one of {}", names.join(", ")),
                    )
                }),
        }
    }
}

/// What is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum TargetBy {
    /// Sentences.
    #[default]
    Sentence,
    /// Whole texts.
    Text,
}

/// The share of a text at the level that was asked for.
///
/// ```
/// use ko_register::{metrics::Target, prelude::*};
///
/// let metric = RegisterTarget::new(Target::Polite, RegisterAnalyzer::without_dictionary());
/// let score = metric.segment_score(&Segment::alone("도착했습니다. 곧 내려갈게요. 어디야?"))?;
/// assert_eq!(format!("{score:.2}"), "66.67"); // two sentences of three
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RegisterTarget {
    target: Target,
    by: TargetBy,
    analyzer: RegisterAnalyzer,
}

impl RegisterTarget {
    /// By sentence, judged through this analyzer.
    pub fn new(target: Target, analyzer: RegisterAnalyzer) -> Self {
        Self { target, by: TargetBy::Sentence, analyzer }
    }

    /// Counts sentences or texts.
    #[must_use]
    pub fn by(self, by: TargetBy) -> Self {
        Self { by, ..self }
    }
}

/// Counts of what was judged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetStats {
    matched: u64,
    judged: u64,
    /// Texts that show no level at all.
    unjudged: u64,
}

impl Stats for TargetStats {
    fn merge(&mut self, other: &Self) {
        self.matched = self.matched.saturating_add(other.matched);
        self.judged = self.judged.saturating_add(other.judged);
        self.unjudged = self.unjudged.saturating_add(other.unjudged);
    }

    fn check(&self) -> Result<(), String> {
        countable([self.judged, self.unjudged])?;
        match self.matched <= self.judged {
            true => Ok(()),
            false => Err(format!("{} matched of {} judged", self.matched, self.judged)),
        }
    }
}

impl Signed for RegisterTarget {
    fn signature(&self) -> Signature {
        let by = match self.by {
            TargetBy::Sentence => "sentence",
            TargetBy::Text => "text",
        };
        sign("register", &self.analyzer).with("target", self.target).with("by", by)
    }
}

impl Metric for RegisterTarget {
    type Stats = TargetStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn needs(&self) -> Needs {
        Needs::NOTHING
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<TargetStats> {
        Ok(TargetStats::of(&self.verdicts(segment.hypothesis())?))
    }

    fn score(&self, stats: &TargetStats) -> Score {
        let value = match stats.judged {
            0 => 0.0,
            judged => 100.0 * stats.matched as f64 / judged as f64,
        };
        Score::new(value)
            .with("matched", stats.matched as f64)
            .with("judged", stats.judged as f64)
            .with("texts-without-level", stats.unjudged as f64)
            .flag_if(stats.judged == 0, Flag::Undefined)
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let verdicts = self.verdicts(segment.hypothesis())?;
        let units = verdicts.iter().map(|verdict| verdict.unit.clone()).collect();
        let none = segment.references().iter().map(|_| Vec::new()).collect();
        let mut layer = Layer::new(Layer::EVIDENCE, units, none);
        layer.links.extend(verdicts.iter().enumerate().map(|(place, verdict)| {
            let link = Link::new(LinkKind::Evidence, place..place + 1);
            let link = link.worth(f64::from(u8::from(verdict.matched)));
            let level = verdict.level.map_or("no level of its own", SpeechLevel::name);
            link.labelled(if verdict.matched {
                level.into()
            } else {
                format!("{level}: not asked for")
            })
        }));
        let score = self.segment_score_of(&TargetStats::of(&verdicts));
        let share = Formula::ratio("matched", "judged");
        Ok(Explanation::new(self.signature(), Direction::HigherIsBetter, score)
            .with_layer(layer)
            .with_part("matched", Formula::links(Selection::of(LinkKind::Evidence)))
            .with_given("judged", verdicts.len() as f64)
            .with_part("score", Formula::product([Formula::Constant(100.0), share])))
    }
}

/// Whether a sentence or a text is as was asked for.
struct Verdict {
    matched: bool,
    level: Option<SpeechLevel>,
    unit: Unit,
}

impl RegisterTarget {
    fn verdicts(&self, text: &str) -> Result<Vec<Verdict>> {
        let register = self.analyzer.analyze(text)?;
        let verdict = |level: Option<SpeechLevel>, polite: Option<bool>, unit: Unit| {
            let by_level = level.map(|level| self.target.accepts(level));
            let matched =
                by_level.or(polite.map(|polite| self.target.accepts_politeness(polite)))?;
            Some(Verdict { matched, level, unit })
        };
        Ok(match self.by {
            TargetBy::Text => verdict(register.level, register.polite, evidence::whole(text))
                .into_iter()
                .collect(),
            TargetBy::Sentence => levelled(&register)
                .filter_map(|sentence| {
                    verdict(sentence.level, sentence.polite, evidence::ending(text, sentence))
                })
                .collect(),
        })
    }
}

impl TargetStats {
    fn of(verdicts: &[Verdict]) -> Self {
        let matched = verdicts.iter().filter(|verdict| verdict.matched).count() as u64;
        let unjudged = u64::from(verdicts.is_empty());
        Self { matched, judged: verdicts.len() as u64, unjudged }
    }
}
