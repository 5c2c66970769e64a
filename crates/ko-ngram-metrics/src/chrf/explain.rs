//! Why a segment has its chrF: which n-grams of characters and words the best reference shares.

use super::{Chrf, ChrfSettings, ChrfStats, Count, EPSILON, Missing, WhiteSpace, parts_of_word};
use crate::kernel::{
    cut::{CutSegment, with_references},
    empty::Empties,
    shared::shared_ngrams,
    units::Units,
};
use ko_eval_core::{
    Direction, Explanation, Metric, Result, Segment, Signed, Token,
    explain::{Formula, Layer, LinkKind, Selection, Unit},
};

impl Chrf {
    pub(super) fn explained(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let ChrfSettings { char_order, word_order, white_space, .. } = self.settings;
        let cut = self.cutter.cut(segment)?;
        let characters = |text: &str, tokens: &[Token<'_>]| characters(text, tokens, white_space);
        let characters = View::of("characters", segment, &cut, characters);
        let words = (word_order > 0).then(|| View::of("words", segment, &cut, words));
        let mut counts = characters.counts(char_order);
        if let Some(words) = &words {
            let more = words.counts(word_order);
            counts.iter_mut().zip(more).for_each(|(counts, mut more)| counts.append(&mut more));
        }
        let (best, values) = self.best(&counts);
        let chosen = counts.into_iter().nth(best).unwrap_or_default();
        let lengths = cut.references.iter().map(Vec::len);
        let empties = Empties::of(cut.hypothesis.len(), lengths);
        let stats = ChrfStats { counts: chosen, empties };
        let explanation = Explanation::new(
            self.signature(),
            Direction::HigherIsBetter,
            self.segment_score_of(&stats),
        );
        let mut explanation = explanation
            .with_reference((!values.is_empty()).then_some(best))
            .with_layer(characters.linked(best, char_order));
        if let Some(words) = words {
            explanation = explanation.with_layer(words.linked(best, word_order));
        }
        Ok(self.with_parts(with_references(explanation, values.into_iter()), &stats.counts))
    }

    /// The F-score with each reference, and the first of the greatest.
    fn best(&self, counts: &[Vec<Count>]) -> (usize, Vec<f64>) {
        let values: Vec<f64> = counts.iter().map(|counts| self.f_score(counts)).collect();
        let mut best = (-1.0, 0);
        for (number, &value) in values.iter().enumerate() {
            if value > best.0 {
                best = (value, number);
            }
        }
        (best.1, values)
    }

    fn with_parts(&self, mut explanation: Explanation, counts: &[Count]) -> Explanation {
        let ChrfSettings { char_order, missing, beta, .. } = self.settings;
        let factor = beta * beta;
        // Of each order: its precision, its recall and, where they are averaged, its F.
        let mut orders = Vec::new();
        for (at, count) in counts.iter().enumerate() {
            let (layer, kind, n) = match at.checked_sub(char_order) {
                None => (0, "character", at + 1),
                Some(at) => (1, "word", at + 1),
            };
            let named = |what: &str| format!("{kind}-{what}-{n}");
            let is_missing = count.hypothesis == 0 || count.reference == 0;
            if is_missing && missing == Missing::LeaveOut {
                continue;
            }
            let links = Selection::of(LinkKind::NGram).layer(layer).order(n);
            let share = |all: u64, part: &str| match all {
                0 => Formula::Constant(EPSILON),
                _ => Formula::ratio(named("matches"), named(part)),
            };
            explanation = explanation
                .with_part(named("matches"), Formula::links(links))
                .with_given(named("n-grams"), count.hypothesis as f64)
                .with_given(named("reference-n-grams"), count.reference as f64)
                .with_part(named("precision"), share(count.hypothesis, "n-grams"))
                .with_part(named("recall"), share(count.reference, "reference-n-grams"));
            if missing == Missing::Epsilon {
                let [precision, recall] = [named("precision"), named("recall")].map(Formula::part);
                explanation = explanation.with_part(named("f"), f_score(precision, recall, factor));
            }
            orders.push([named("precision"), named("recall"), named("f")]);
        }
        if missing == Missing::Epsilon {
            let mean = Formula::mean(orders.into_iter().map(|[.., f]| f));
            return explanation.with_part("score", Formula::product([100.0.into(), mean]));
        }
        let [precisions, recalls] =
            [0, 1].map(|which| orders.iter().filter_map(move |names| names.get(which).cloned()));
        let f = f_score("precision".into(), "recall".into(), factor);
        explanation
            .with_part("precision", Formula::mean(precisions))
            .with_part("recall", Formula::mean(recalls))
            .with_part("score", Formula::product([100.0.into(), f]))
    }
}

/// (1 + β²) · P · R / (β² · P + R).
fn f_score(precision: Formula, recall: Formula, factor: f64) -> Formula {
    let above = [Formula::Constant(1.0 + factor), precision.clone(), recall.clone()];
    let weighted = Formula::product([factor.into(), precision]);
    Formula::ratio(Formula::product(above), Formula::sum([weighted, recall]))
}

/// What is compared of a segment, as texts and as units that point into it.
struct View {
    layer: Layer,
    /// The hypothesis, then the references.
    texts: Vec<Vec<Box<str>>>,
}

impl View {
    fn of(
        name: &'static str,
        segment: &Segment<'_>,
        cut: &CutSegment<'_>,
        read: impl Fn(&str, &[Token<'_>]) -> Vec<Unit>,
    ) -> Self {
        let hypothesis = read(segment.hypothesis(), &cut.hypothesis);
        let references = segment.references().iter().zip(&cut.references);
        let references = references.map(|(text, tokens)| read(text, tokens)).collect();
        let layer = Layer::new(name, hypothesis, references);
        let texts = std::iter::once(&layer.hypothesis).chain(&layer.references);
        let texts = texts
            .zip(segment.texts())
            .map(|(units, text)| units.iter().map(|unit| unit.text(text).into()).collect());
        Self { texts: texts.collect(), layer }
    }

    fn numbered<T>(&self, then: impl FnOnce(&Units) -> T) -> T {
        let (hypothesis, references) = self.texts.split_first().unzip();
        let hypothesis: &[Box<str>] = hypothesis.map(Vec::as_slice).unwrap_or_default();
        Units::of_tokens(hypothesis, references.unwrap_or_default(), then)
    }

    /// What is counted with each reference.
    fn counts(&self, order: usize) -> Vec<Vec<Count>> {
        self.numbered(|units| super::compare(units, order))
    }

    /// The layer with the n-grams that one reference shares.
    fn linked(mut self, number: usize, order: usize) -> Layer {
        self.layer.links = self.numbered(|units| {
            let reference = units.references().nth(number).map(|reference| (number, reference));
            shared_ngrams(units.hypothesis(), reference.as_slice(), 1..=order)
        });
        self.layer
    }
}

/// The characters of the units that count, each where it came from.
fn characters(text: &str, tokens: &[Token<'_>], white_space: WhiteSpace) -> Vec<Unit> {
    let mut units = Vec::with_capacity(text.len() / 2);
    let mut end = None;
    for token in tokens {
        if let Some(end) = end
            && white_space == WhiteSpace::Keep
        {
            units.push(Unit::made(end..token.span().start.max(end), " "));
        }
        end = Some(token.span().end);
        units.extend(
            Unit::characters(text, token)
                .filter(|(_, c)| white_space == WhiteSpace::Keep || !c.is_whitespace())
                .map(|(unit, _)| unit),
        );
    }
    units
}

/// The words of the units, their punctuation cut off.
fn words(text: &str, tokens: &[Token<'_>]) -> Vec<Unit> {
    let mut units = Vec::new();
    for token in tokens {
        let whole = token.as_str();
        let is_written = text.get(token.span()) == Some(whole);
        for word in whole.split_whitespace() {
            let at = word.as_ptr() as usize - whole.as_ptr() as usize;
            for (start, length) in parts_of_word(word) {
                units.push(if is_written {
                    let start = token.span().start + at + start;
                    Unit::written(start..start + length)
                } else {
                    Unit::made(token.span(), word.get(start..start + length).unwrap_or_default())
                });
            }
        }
    }
    units
}
