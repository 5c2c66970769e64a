//! Why a segment has its ROUGE: which units, pairs or subsequences the best reference shares.

use super::{Figures, Measure, Rouge, RougeStats, Variant, split};
use crate::kernel::{
    cut::{CutSegment, with_references},
    lcs,
    shared::shared_ngrams,
    units::Units,
};
use ko_eval_core::{
    Direction, Explanation, MeanStats, Metric, Result, Segment, Signed, Token,
    explain::{Formula, Link, LinkKind, Selection},
};

impl Rouge {
    pub(super) fn explained(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let (cut, lines) = self.cut_by_line(segment)?;
        let mut layer = cut.layer(segment);
        let (best, all, links) = cut.numbered(|units| -> Result<_> {
            let all = self.figures(units, &lines)?;
            let best = super::best(&all);
            Ok((best, all, self.links(units, &lines, best)))
        })?;
        layer.links = links;
        let figures = all.get(best).copied().unwrap_or_default();
        let no_reference = cut.references.iter().all(Vec::is_empty);
        let mean = |value| -> Result<MeanStats> {
            Ok(MeanStats::of(value)?.note_empty(cut.hypothesis.is_empty(), no_reference))
        };
        let stats = RougeStats {
            precision: mean(figures.precision)?,
            recall: mean(figures.recall)?,
            f: mean(figures.f)?,
        };
        let score = self.segment_score_of(&stats);
        let explanation = Explanation::new(self.signature(), Direction::HigherIsBetter, score)
            .with_layer(layer)
            .with_reference(Some(best));
        Ok(self.with_parts(explanation, &all, figures))
    }

    fn with_parts(&self, explanation: Explanation, all: &[Figures], best: Figures) -> Explanation {
        let kind = match self.settings.variant {
            Variant::Unigrams | Variant::Bigrams => LinkKind::NGram,
            Variant::Lcs | Variant::LcsSummary => LinkKind::Subsequence,
        };
        let product =
            Formula::product([Formula::Constant(2.0), "precision".into(), "recall".into()]);
        let f = Formula::ratio(product, Formula::sum(["precision", "recall"]));
        let measure = match self.settings.measure {
            Measure::F => "f",
            Measure::Precision => "precision",
            Measure::Recall => "recall",
        };
        with_references(explanation, all.iter().map(|figures| figures.f))
            .with_part("shared", Formula::links(Selection::of(kind)))
            .with_given("hypothesis-units", best.totals[0] as f64)
            .with_given("reference-units", best.totals[1] as f64)
            .with_part("precision", Formula::ratio("shared", "hypothesis-units"))
            .with_part("recall", Formula::ratio("shared", "reference-units"))
            .with_part("f", f)
            .with_part("score", Formula::part(measure))
    }

    /// The tokens of all texts; for ROUGE-Lsum line by line, with the numbers of tokens of the lines.
    fn cut_by_line<'t>(&self, segment: &Segment<'t>) -> Result<(CutSegment<'t>, Vec<Vec<usize>>)> {
        if self.settings.variant != Variant::LcsSummary {
            return Ok((self.cutter.cut(segment)?, Vec::new()));
        }
        let mut lengths = Vec::new();
        let mut cut = |text: &'t str| -> Result<Vec<Token<'t>>> {
            let (mut tokens, mut lines) = (Vec::new(), Vec::new());
            for line in super::lines(text) {
                let at = line.as_ptr() as usize - text.as_ptr() as usize;
                let own = self.cutter.tokens(line)?;
                lines.push(own.len());
                tokens.extend(own.into_iter().map(|token| {
                    let span = token.span();
                    Token::new(token.into_text(), at + span.start..at + span.end)
                }));
            }
            lengths.push(lines);
            Ok(tokens)
        };
        let hypothesis = cut(segment.hypothesis())?;
        let references =
            segment.references().iter().map(|text| cut(text)).collect::<Result<_>>()?;
        Ok((CutSegment { hypothesis, references }, lengths))
    }

    /// What one reference shares.
    fn links(&self, units: &Units, lines: &[Vec<usize>], number: usize) -> Vec<Link> {
        let (hypothesis, kinds) = (units.hypothesis(), units.kinds());
        let Some(reference) = units.references().nth(number) else { return Vec::new() };
        match self.settings.variant {
            Variant::Unigrams => shared_ngrams(hypothesis, &[(number, reference)], 1..=1),
            Variant::Bigrams => shared_ngrams(hypothesis, &[(number, reference)], 2..=2),
            Variant::Lcs => common(hypothesis, reference, kinds)
                .map(|(own, their)| on_both(number, own, their))
                .collect(),
            Variant::LcsSummary => {
                let own = split(hypothesis, lines.first());
                let theirs = split(reference, lines.get(number + 1));
                union(number, &own, &theirs, kinds)
            }
        }
    }
}

fn on_both(number: usize, own: usize, their: usize) -> Link {
    Link::new(LinkKind::Subsequence, own..own + 1).with(number, their..their + 1)
}

/// The places in both texts of one longest common subsequence: in the reference those that rouge-score reads out, in the
/// hypothesis the first that there are for them.
fn common(
    hypothesis: &[u32],
    reference: &[u32],
    kinds: usize,
) -> impl Iterator<Item = (usize, usize)> {
    let mut own = hypothesis.iter().enumerate();
    lcs::places(reference, hypothesis, kinds).into_iter().filter_map(move |their| {
        let (place, _) = own.find(|(_, unit)| Some(*unit) == reference.get(their))?;
        Some((place, their))
    })
}

/// The units of the reference's sentences that lie on a longest common subsequence with a sentence of the hypothesis. Those
/// that stand too often to be counted are clipped.
fn union(number: usize, hypothesis: &[&[u32]], reference: &[&[u32]], kinds: usize) -> Vec<Link> {
    let mut left = super::most_shared(hypothesis, reference, kinds);
    let mut links = Vec::new();
    let mut their_start = 0;
    for sentence in reference {
        let mut partners = vec![None; sentence.len()];
        let mut own_start = 0;
        for candidate in hypothesis {
            for (own, their) in common(candidate, sentence, kinds) {
                if let Some(partner) = partners.get_mut(their) {
                    partner.get_or_insert(own_start + own);
                }
            }
            own_start += candidate.len();
        }
        for (their, (unit, own)) in sentence.iter().zip(partners).enumerate() {
            let Some((own, left)) = own.zip(left.get_mut(*unit as usize)) else { continue };
            let link = on_both(number, own, their_start + their);
            links.push(match left {
                0 => link.as_kind(LinkKind::Clipped).worth(0.0),
                left => {
                    *left -= 1;
                    link
                }
            });
        }
        their_start += sentence.len();
    }
    links
}
