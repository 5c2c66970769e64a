//! `register`: is the hypothesis said at the reference's speech level?
//!
//! Sentence by sentence where both texts have as many that show a level, else every sentence of the hypothesis against
//! the reference's own level. A pair of sentences scores [`SpeechLevel::agreement`], 0 to 1; a segment the mean of its
//! pairs against the best reference; a corpus 100 times the mean of its segments.
//!
//! | case | score |
//! |---|---|
//! | neither the hypothesis nor any reference shows a level | left out of the mean |
//! | only one side shows a level | 0 |
//! | no segment counts | 0, flagged undefined |
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_register::{RegisterAnalyzer, metrics::RegisterMatch};
//!
//! let register = RegisterMatch::new(RegisterAnalyzer::without_dictionary());
//! let score = |hyp| Ok::<_, ko_eval_core::Error>(register.segment_score(&Segment::new(hyp, ["내일 뵙겠습니다."])?)?.value);
//! assert_eq!(score("내일 만나겠습니다.")?, 100.0);
//! assert!(score("내일 만나요.")? > score("내일 만나.")?);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! Complexity: that of the analyzer, linear in the text.

use super::{countable, levelled, sign, within};
use crate::{Register, RegisterAnalyzer, SpeechLevel};
use ko_eval_core::{
    Direction, ExactSum, Flag, Metric, Result, Score, Segment, Signature, Signed, Stats,
};
use serde::{Deserialize, Serialize};

/// Agreement of speech level with the references.
///
/// ```
/// use ko_register::prelude::*;
///
/// let metric = RegisterMatch::new(RegisterAnalyzer::without_dictionary());
/// let score = metric.segment_score(&Segment::new("내일 만나겠습니다.", ["내일 뵙겠습니다."])?)?;
/// assert_eq!(score.value, 100.0);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RegisterMatch {
    analyzer: RegisterAnalyzer,
}

impl RegisterMatch {
    /// Judged through this analyzer.
    pub fn new(analyzer: RegisterAnalyzer) -> Self {
        Self { analyzer }
    }
}

/// What is known of segments' agreement.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchStats {
    agreement: ExactSum,
    politeness: ExactSum,
    closeness: ExactSum,
    counted: u64,
    without_level: u64,
}

impl Stats for MatchStats {
    fn merge(&mut self, other: &Self) {
        self.agreement.merge(&other.agreement);
        self.politeness.merge(&other.politeness);
        self.closeness.merge(&other.closeness);
        self.counted = self.counted.saturating_add(other.counted);
        self.without_level = self.without_level.saturating_add(other.without_level);
    }

    fn check(&self) -> Result<(), String> {
        countable([self.counted, self.without_level])?;
        within(&[&self.agreement, &self.politeness, &self.closeness], self.counted)
    }

    fn known_segments(&self) -> Option<u64> {
        Some(self.counted)
    }
}

/// Means over pairs of sentences: agreement, alike in politeness, closeness.
type Parts = [f64; 3];

fn compare(hypothesis: &Register, reference: &Register) -> Option<Parts> {
    let levels = |register: &Register| -> Vec<SpeechLevel> {
        let closed: Vec<_> = levelled(register).filter_map(|sentence| sentence.level).collect();
        if closed.is_empty() { register.level.into_iter().collect() } else { closed }
    };
    let (ours, theirs) = (levels(hypothesis), levels(reference));
    let pairs: Vec<_> = match reference.level {
        _ if ours.is_empty() && theirs.is_empty() => return None,
        _ if ours.len() == theirs.len() => ours.into_iter().zip(theirs).collect(),
        Some(level) => ours.into_iter().map(|ours| (ours, level)).collect(),
        None => return Some([0.0; 3]),
    };
    let n = pairs.len().max(1) as f64;
    let mean = |of: &dyn Fn(SpeechLevel, SpeechLevel) -> f64| {
        pairs.iter().map(|(ours, theirs)| of(*ours, *theirs)).sum::<f64>() / n
    };
    Some([
        mean(&SpeechLevel::agreement),
        mean(&|a, b| f64::from(u8::from(a.is_polite() == b.is_polite()))),
        mean(&SpeechLevel::closeness),
    ])
}

impl Register {
    /// How well the speech levels agree with a reference's, 0 to 1, as [`RegisterMatch`] counts; `None` where neither text shows a
    /// level.
    pub fn agreement_with(&self, reference: &Self) -> Option<f64> {
        compare(self, reference).map(|[agreement, ..]| agreement)
    }
}

impl Signed for RegisterMatch {
    fn signature(&self) -> Signature {
        sign("register", &self.analyzer)
    }
}

impl Metric for RegisterMatch {
    type Stats = MatchStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<MatchStats> {
        let hypothesis = self.analyzer.analyze(segment.hypothesis())?;
        let mut best: Option<Parts> = None;
        for reference in segment.references() {
            let parts = compare(&hypothesis, &self.analyzer.analyze(reference)?);
            if parts.map(|[agreement, ..]| agreement) > best.map(|[agreement, ..]| agreement) {
                best = parts;
            }
        }
        let without_level = u64::from(hypothesis.level.is_none());
        Ok(match best {
            Some([agreement, politeness, closeness]) => MatchStats {
                agreement: ExactSum::of(agreement),
                politeness: ExactSum::of(politeness),
                closeness: ExactSum::of(closeness),
                counted: 1,
                without_level,
            },
            None => MatchStats { without_level, ..MatchStats::default() },
        })
    }

    fn score(&self, stats: &MatchStats) -> Score {
        let mean = |sum: &ExactSum| match stats.counted {
            0 => 0.0,
            n => 100.0 * sum.value() / n as f64,
        };
        Score::new(mean(&stats.agreement))
            .with("politeness", mean(&stats.politeness))
            .with("closeness", mean(&stats.closeness))
            .with("segments-counted", stats.counted as f64)
            .with("segments-without-level", stats.without_level as f64)
            .flag_if(stats.counted == 0, Flag::Undefined)
    }
}
