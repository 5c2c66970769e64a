//! `honorifics`: are the same people honoured, and by the same words?
//!
//! Three kinds of marks are counted: subject honorification (-시-, 께서, 계시다), object honorification and humble
//! words (께, 드리다, 뵙다, 저, 저희) and honorific nouns (진지, 성함, 말씀). A segment is compared with the reference that it
//! has most in common with; a corpus sums up, then
//! `score = 100 · F1 = 100 · 2·matched / (hypothesis + reference)`, where `matched` is the smaller count kind by kind.
//!
//! | case | score |
//! |---|---|
//! | neither side honours anybody | 100 |
//! | only one side does | 0 |
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_register::{RegisterAnalyzer, metrics::Honorifics};
//!
//! let honorifics = Honorifics::new(RegisterAnalyzer::without_dictionary());
//! let reference = ["할아버지께서 오셨습니다."];
//! let score = |hyp| Ok::<_, ko_eval_core::Error>(honorifics.segment_score(&Segment::new(hyp, reference)?)?.value);
//! assert_eq!(score("할머니께서 가셨어요.")?, 100.0);
//! assert_eq!(score("할아버지가 왔습니다.")?, 0.0);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use super::{countable, sign};
use crate::{
    Morph, RegisterAnalyzer,
    honorific::{self, honours_object, honours_subject, is_humble, is_noun},
    morph::from_text,
};
use ko_eval_core::{
    Direction, Explanation, Metric, Result, Score, Segment, Signature, Signed, Stats,
    explain::{Formula, Layer, Link, LinkKind, Selection, Unit},
};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Agreement of honorification with the references.
///
/// ```
/// use ko_register::prelude::*;
///
/// let metric = Honorifics::new(RegisterAnalyzer::without_dictionary());
/// let score = metric.segment_score(&Segment::new("할아버지가 왔습니다.", ["할아버지께서 오셨습니다."])?)?;
/// assert_eq!(score.value, 0.0);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Honorifics {
    analyzer: RegisterAnalyzer,
}

impl Honorifics {
    /// Judged through this analyzer.
    pub fn new(analyzer: RegisterAnalyzer) -> Self {
        Self { analyzer }
    }

    /// The marks of a text, each with its kind.
    fn marks(&self, text: &str) -> Result<Vec<Mark>> {
        let morphs = from_text(text, self.analyzer.analyzer().as_ref())?;
        let mark = |morph: &Morph| Some(Mark { kind: kind(morph)?, span: morph.bytes.clone() });
        Ok(honorific::words(&morphs).filter_map(mark).collect())
    }

    fn count(&self, text: &str) -> Result<Counts> {
        Ok(counts(&self.marks(text)?))
    }
}

/// A morpheme that honours.
struct Mark {
    /// Which of [`KINDS`].
    kind: usize,
    /// Where it stands, in bytes.
    span: Range<usize>,
}

fn counts(marks: &[Mark]) -> Counts {
    let mut counts = Counts::default();
    for mark in marks {
        if let Some(count) = counts.get_mut(mark.kind) {
            *count += 1;
        }
    }
    counts
}

const KINDS: [&str; 3] = ["subject", "object", "vocabulary"];

/// Marks by kind.
type Counts = [u64; KINDS.len()];

/// Which of [`KINDS`] a morpheme marks.
fn kind(morph: &Morph) -> Option<usize> {
    match morph {
        morph if is_noun(morph) => Some(2),
        morph if honours_subject(morph) => Some(0),
        morph if honours_object(morph) || is_humble(morph) => Some(1),
        _ => None,
    }
}

/// Marks counted, kind by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HonorificStats {
    matched: Counts,
    hypothesis: Counts,
    reference: Counts,
}

impl HonorificStats {
    fn of(hypothesis: Counts, reference: Counts) -> Self {
        let mut matched = hypothesis;
        matched.iter_mut().zip(reference).for_each(|(ours, theirs)| *ours = theirs.min(*ours));
        Self { matched, hypothesis, reference }
    }

    fn f1(&self, kinds: impl Fn(&Counts) -> u64) -> f64 {
        let (matched, total) =
            (kinds(&self.matched), kinds(&self.hypothesis) + kinds(&self.reference));
        if total == 0 { 1.0 } else { 2.0 * matched as f64 / total as f64 }
    }

    fn whole(&self) -> f64 {
        self.f1(|counts| counts.iter().sum())
    }
}

impl Stats for HonorificStats {
    fn merge(&mut self, other: &Self) {
        let add = |ours: &mut Counts, theirs: &Counts| {
            ours.iter_mut()
                .zip(theirs)
                .for_each(|(ours, theirs)| *ours = ours.saturating_add(*theirs));
        };
        add(&mut self.matched, &other.matched);
        add(&mut self.hypothesis, &other.hypothesis);
        add(&mut self.reference, &other.reference);
    }

    fn check(&self) -> Result<(), String> {
        let sides = self.matched.iter().zip(self.hypothesis.iter().zip(&self.reference));
        if !sides.into_iter().all(|(matched, (ours, theirs))| matched <= ours.min(theirs)) {
            return Err("more marks matched than there are".to_owned());
        }
        countable(self.hypothesis.into_iter().chain(self.reference))
    }
}

impl Signed for Honorifics {
    fn signature(&self) -> Signature {
        sign("honorifics", &self.analyzer)
    }
}

impl Metric for Honorifics {
    type Stats = HonorificStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<HonorificStats> {
        let hypothesis = self.count(segment.hypothesis())?;
        let mut best: Option<HonorificStats> = None;
        for reference in segment.references() {
            let stats = HonorificStats::of(hypothesis, self.count(reference)?);
            if best.as_ref().is_none_or(|best| stats.whole() > best.whole()) {
                best = Some(stats);
            }
        }
        Ok(best.unwrap_or_default())
    }

    fn score(&self, stats: &HonorificStats) -> Score {
        let mut score = Score::new(100.0 * stats.whole());
        for (number, name) in KINDS.iter().enumerate() {
            let f1 = stats.f1(|counts| counts.get(number).copied().unwrap_or_default());
            score = score.with(*name, 100.0 * f1);
        }
        score
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let ours = self.marks(segment.hypothesis())?;
        let references = segment.references().iter().map(|text| self.marks(text));
        let references = references.collect::<Result<Vec<_>>>()?;
        let mut best: Option<(usize, HonorificStats)> = None;
        for (number, theirs) in references.iter().enumerate() {
            let stats = HonorificStats::of(counts(&ours), counts(theirs));
            if best.as_ref().is_none_or(|(_, best)| stats.whole() > best.whole()) {
                best = Some((number, stats));
            }
        }
        let (number, stats) = best.unwrap_or_default();
        let units = |text: &str, marks: &[Mark]| -> Vec<Unit> {
            let valid =
                |mark: &Mark| text.get(mark.span.clone()).map_or(0..0, |_| mark.span.clone());
            marks.iter().map(|mark| Unit::written(valid(mark))).collect()
        };
        let theirs = segment.references().iter().zip(&references);
        let mut layer = Layer::new(
            Layer::EVIDENCE,
            units(segment.hypothesis(), &ours),
            theirs.map(|(text, marks)| units(text, marks)).collect(),
        );
        let chosen = references.get(number).map(Vec::as_slice).unwrap_or_default();
        layer.links = links(&ours, chosen, number);
        let total = |counts: &Counts| counts.iter().sum::<u64>() as f64;
        let all = Formula::sum(["hypothesis-marks", "reference-marks"]);
        let matched = Formula::product([Formula::Constant(200.0), "matched".into()]);
        let nobody = total(&stats.hypothesis) + total(&stats.reference) == 0.0;
        // Where nobody is honoured on either side, the texts agree.
        let value = if nobody { Formula::Constant(100.0) } else { Formula::ratio(matched, all) };
        Ok(Explanation::new(self.signature(), Direction::HigherIsBetter, self.score(&stats))
            .with_layer(layer)
            .with_reference((!references.is_empty()).then_some(number))
            .with_part("matched", Formula::links(Selection::of(LinkKind::Evidence)))
            .with_given("hypothesis-marks", total(&stats.hypothesis))
            .with_given("reference-marks", total(&stats.reference))
            .with_part("score", value))
    }
}

/// The first mark of a kind goes with the first of that kind in the reference, and so on; what is left over counts nothing.
fn links(ours: &[Mark], theirs: &[Mark], number: usize) -> Vec<Link> {
    let mut free: Vec<Option<usize>> = theirs.iter().map(|mark| Some(mark.kind)).collect();
    let name = |kind: usize| KINDS.get(kind).copied().unwrap_or_default();
    let mut links = Vec::new();
    for (own, mark) in ours.iter().enumerate() {
        let link = Link::new(LinkKind::Evidence, own..own + 1).labelled(name(mark.kind));
        let place = free.iter().position(|kind| *kind == Some(mark.kind));
        links.push(match place {
            Some(place) => {
                if let Some(free) = free.get_mut(place) {
                    *free = None;
                }
                link.with(number, place..place + 1)
            }
            None => link.worth(0.0),
        });
    }
    let alone = free.iter().enumerate().filter_map(|(place, kind)| Some((place, (*kind)?)));
    links.extend(alone.map(|(place, kind)| {
        let link = Link::only_in(LinkKind::Evidence, number, place..place + 1);
        link.worth(0.0).labelled(name(kind))
    }));
    links
}
