//! What the page's script reads: every text and every number once.

use super::ComparisonPage;
use crate::{
    BucketScores, GroupFinding, Kind, MetricFinding,
    speech::{Mark, Spoken},
};
use ko_eval_core::{Direction, significance::Interval};
use ko_register::{Marker, SpeechLevel};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Data<'a> {
    title: Option<&'a str>,
    lang: &'static str,
    systems: &'a [String],
    metrics: Vec<Metric<'a>>,
    outputs: &'a [Vec<String>],
    references: &'a [Vec<String>],
    sources: Option<&'a [Option<String>]>,
    groups: Vec<Group<'a>>,
    speech: Option<Speech>,
}

#[derive(Serialize)]
struct Metric<'a> {
    name: &'a str,
    unit: Option<&'a str>,
    up: bool,
    signature: String,
    /// Score, low, high of each system.
    scores: Vec<[f64; 3]>,
    /// Two systems and their p-value.
    pairs: Vec<(usize, usize, f64)>,
    segments: Vec<Vec<f64>>,
}

#[derive(Serialize)]
struct Group<'a> {
    name: &'a str,
    kind: Kind,
    of: &'a [usize],
    buckets: Vec<Bucket<'a>>,
}

#[derive(Serialize)]
struct Bucket<'a> {
    label: &'a str,
    segments: usize,
    metrics: Vec<BucketMetric>,
}

#[derive(Serialize)]
struct BucketMetric {
    scores: Vec<[f64; 3]>,
    best: usize,
    p: Option<f64>,
}

#[derive(Serialize)]
struct Speech {
    analyzer: String,
    levels: Vec<&'static str>,
    slips: Vec<Vec<f64>>,
    references: Vec<Vec<Said>>,
    outputs: Vec<Vec<Said>>,
    /// Whether the cuts are morphemes of a dictionary.
    morphemes: bool,
}

/// The level's number or −1, the marks, the cuts.
#[derive(Serialize)]
struct Said(i8, Vec<usize>, #[serde(skip_serializing_if = "String::is_empty")] String);

impl<'a> Data<'a> {
    pub(super) fn of(page: &'a ComparisonPage<'_>) -> Self {
        let lineup = page.lineup;
        let sources = lineup.sources().iter().any(Option::is_some).then(|| lineup.sources());
        Self {
            title: page.title.as_deref(),
            lang: page.language.code(),
            systems: lineup.names(),
            metrics: page.findings.metrics.iter().map(Metric::of).collect(),
            outputs: lineup.outputs(),
            references: lineup.references(),
            sources,
            groups: page.findings.groupings.iter().map(Group::of).collect(),
            speech: page.speech.map(Speech::of),
        }
    }
}

impl<'a> Metric<'a> {
    fn of(finding: &'a MetricFinding) -> Self {
        let scores = finding.segments.iter();
        Self {
            name: &finding.metric,
            unit: finding.unit.as_deref(),
            up: finding.direction == Direction::HigherIsBetter,
            signature: finding.signature.to_string(),
            scores: finding.scores.iter().map(interval).collect(),
            pairs: finding
                .pairs
                .iter()
                .map(|p| (p.baseline, p.system, rounded(p.p_value)))
                .collect(),
            segments: scores.map(|of| of.iter().copied().map(rounded).collect()).collect(),
        }
    }
}

impl<'a> Group<'a> {
    fn of(finding: &'a GroupFinding) -> Self {
        let metric = |scores: &BucketScores| BucketMetric {
            scores: scores.scores.iter().map(interval).collect(),
            best: scores.best,
            p: scores.over_next.map(|pair| rounded(pair.p_value)),
        };
        let buckets = finding.buckets.iter().map(|bucket| Bucket {
            label: &bucket.label,
            segments: bucket.segments,
            metrics: bucket.metrics.iter().map(metric).collect(),
        });
        Self {
            name: &finding.name,
            kind: finding.kind,
            of: &finding.of,
            buckets: buckets.collect(),
        }
    }
}

impl Speech {
    fn of(speech: &crate::Speech) -> Self {
        // Without a dictionary what is cut off is only an ending.
        let morphemes = speech.analyzer().name() != "endings";
        let said =
            |texts: &Vec<Spoken>| texts.iter().map(|text| Said::of(text, morphemes)).collect();
        let slips = speech.slips().iter();
        Self {
            analyzer: speech.analyzer().to_string(),
            levels: SpeechLevel::ALL.iter().map(|level| level.name()).collect(),
            slips: slips.map(|of| of.iter().copied().map(rounded).collect()).collect(),
            references: speech.references().iter().map(said).collect(),
            outputs: speech.outputs().iter().map(said).collect(),
            morphemes,
        }
    }
}

impl Said {
    fn of(text: &Spoken, morphemes: bool) -> Self {
        let place = |level| SpeechLevel::ALL.iter().position(|known| *known == level);
        let level = text.level.and_then(place).and_then(|place| i8::try_from(place).ok());
        let cuts = if morphemes { written(&text.morphemes) } else { String::new() };
        Self(level.unwrap_or(-1), text.marks.iter().flat_map(numbers).collect(), cuts)
    }
}

/// Start, length, what it shows (0 ending, 1 raising, 2 familiar) and, 4 more, whether it is amiss.
fn numbers(mark: &Mark) -> [usize; 3] {
    let shows = match mark.shows {
        Marker::Ending => 0,
        Marker::Raising => 1,
        Marker::Familiar => 2,
    };
    [mark.start, mark.end.saturating_sub(mark.start), shows + 4 * usize::from(mark.amiss)]
}

/// Stretches of a text as letters: a space for every unit that is passed over, then the length, `a` for 1 to `z` for 26; `_` is
/// 26 and more to come.
fn written(cuts: &[(usize, usize)]) -> String {
    let mut out = String::with_capacity(cuts.len() * 2);
    let mut at = 0;
    for (start, end) in cuts {
        out.extend(std::iter::repeat_n(' ', start.saturating_sub(at)));
        let mut length = end.saturating_sub(*start);
        while length > 26 {
            out.push('_');
            length -= 26;
        }
        let letter = u8::try_from(length).unwrap_or(1).max(1) - 1;
        out.push(char::from(b'a' + letter));
        at = *end;
    }
    out
}

fn interval(interval: &Interval) -> [f64; 3] {
    [interval.score, interval.low, interval.high].map(rounded)
}

/// Four digits after the point below 1.5, two above: what the page shows, and not more.
fn rounded(value: f64) -> f64 {
    let steps = if value.abs() < 1.5 { 1e4 } else { 1e2 };
    (value * steps).round() / steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_written_as_letters() {
        assert_eq!(written(&[(0, 2), (2, 3), (4, 5)]), "ba a");
        assert_eq!(written(&[(1, 28), (28, 54)]), " _az");
        assert_eq!(written(&[]), "");
    }
}
