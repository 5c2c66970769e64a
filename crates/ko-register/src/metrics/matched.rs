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

use super::{countable, evidence, levelled, sign, within};
use crate::{Register, RegisterAnalyzer, SpeechLevel};
use ko_eval_core::{
    Direction, ExactSum, Explanation, Flag, Metric, Result, Score, Segment, Signature, Signed,
    Stats,
    explain::{Formula, Layer, Link, LinkKind, Selection},
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

impl MatchStats {
    /// Of one segment with the parts of its best reference, if there is one.
    fn of(hypothesis: &Register, best: Option<Parts>) -> Self {
        let without_level = u64::from(hypothesis.level.is_none());
        match best {
            Some([agreement, politeness, closeness]) => Self {
                agreement: ExactSum::of(agreement),
                politeness: ExactSum::of(politeness),
                closeness: ExactSum::of(closeness),
                counted: 1,
                without_level,
            },
            None => Self { without_level, ..Self::default() },
        }
    }
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

/// The levels that are compared: sentence by sentence where both texts have as many that show one, else every sentence of the
/// hypothesis with the reference's own level. Nothing where neither text shows a level; no pair where only one does.
fn pairs(
    ours: &[SpeechLevel],
    theirs: &[SpeechLevel],
    reference: Option<SpeechLevel>,
) -> Option<Vec<(SpeechLevel, SpeechLevel)>> {
    Some(match reference {
        _ if ours.is_empty() && theirs.is_empty() => return None,
        _ if ours.len() == theirs.len() => {
            ours.iter().copied().zip(theirs.iter().copied()).collect()
        }
        Some(level) => ours.iter().map(|ours| (*ours, level)).collect(),
        None => Vec::new(),
    })
}

fn compare(hypothesis: &Register, reference: &Register) -> Option<Parts> {
    let levels = |register: &Register| -> Vec<SpeechLevel> {
        let closed: Vec<_> = levelled(register).filter_map(|sentence| sentence.level).collect();
        if closed.is_empty() { register.level.into_iter().collect() } else { closed }
    };
    let pairs = pairs(&levels(hypothesis), &levels(reference), reference.level)?;
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
        Ok(MatchStats::of(&hypothesis, best))
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

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let hypothesis = self.analyzer.analyze(segment.hypothesis())?;
        let ours = evidence::levels(segment.hypothesis(), &hypothesis);
        let references = segment.references().iter().map(|text| self.analyzer.analyze(text));
        let references = references.collect::<Result<Vec<Register>>>()?;
        let theirs: Vec<_> = segment
            .references()
            .iter()
            .zip(&references)
            .map(|(text, register)| evidence::levels(text, register))
            .collect();
        let mut best: Option<(Parts, usize)> = None;
        for (number, register) in references.iter().enumerate() {
            let parts = compare(&hypothesis, register);
            if let Some(parts) = parts
                && best.is_none_or(|([known, ..], _)| parts[0] > known)
            {
                best = Some((parts, number));
            }
        }
        let units = |shown: &[evidence::Shown]| shown.iter().map(|s| s.unit.clone()).collect();
        let mut layer = Layer::new(
            Layer::EVIDENCE,
            units(&ours),
            theirs.iter().map(|shown| units(shown)).collect(),
        );
        let number = best.map(|(_, number)| number);
        let chosen = number.and_then(|number| theirs.get(number));
        let levels =
            |shown: &[evidence::Shown]| -> Vec<_> { shown.iter().map(|s| s.level).collect() };
        if let Some((number, chosen)) = number.zip(chosen) {
            let level = references.get(number).and_then(|register| register.level);
            let found = pairs(&levels(&ours), &levels(chosen), level).unwrap_or_default();
            let is_parallel = ours.len() == chosen.len();
            for (place, (own, their)) in found.into_iter().enumerate() {
                let link = Link::new(LinkKind::Evidence, place..place + 1)
                    .worth(own.agreement(their))
                    .labelled(format!("{own} / {their}"));
                let there = place..place + 1;
                layer.links.push(if is_parallel { link.with(number, there) } else { link });
            }
        }
        let compared = layer.links.len();
        let stats = MatchStats::of(&hypothesis, best.map(|(parts, _)| parts));
        let score = self.segment_score_of(&stats);
        let mean = Formula::ratio("agreement", "sentences-compared");
        Ok(Explanation::new(self.signature(), Direction::HigherIsBetter, score)
            .with_layer(layer)
            .with_reference(number)
            .with_part("agreement", Formula::links(Selection::of(LinkKind::Evidence)))
            .with_given("sentences-compared", compared as f64)
            .with_part("score", Formula::product([Formula::Constant(100.0), mean])))
    }
}
