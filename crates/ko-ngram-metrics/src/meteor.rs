//! METEOR: units aligned one to one; how many there are, and in how few pieces.
//!
//! Banerjee and Lavie, *METEOR: An Automatic Metric for MT Evaluation with Improved Correlation with Human
//! Judgments*, 2005; parameters of Lavie and Agarwal, *Meteor: An Automatic Metric for MT Evaluation with
//! High Levels of Correlation with Human Judgments*, WMT 2007.
//!
//! > METEOR = (1 − γ · (chunks / matches)^β) · P · R / (α · P + (1 − α) · R)
//!
//! where *P* and *R* are the shares of the hypothesis's and the reference's units that are aligned, and a
//! chunk is a run that is aligned to a run. α = 0.9, β = 3, γ = 0.5. Going through the hypothesis from its
//! end, a unit is aligned with the last equal unit of the reference that is still free; what is left over may
//! be aligned by stem, and then by synonym. Of several references the best counts; a corpus has the mean of its
//! segments. O(units).
//!
//! Equals `single_meteor_score` of NLTK 3.10.4 (best reference) without lower-casing, stemmer or WordNet. For
//! Korean, plug in a [`Stemmer`] that gives a morphological lemma, or [`Synonyms`]: a [file](crate::SynonymTable) of them is `synonyms=FILE`, and
//! `stem=UNIT`, of the crate `ko-eval`, stems by any analyzer.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment, Signature, Signed};
//! use ko_ngram_metrics::{Meteor, meteor::Stemmer};
//! use ko_tokenize::Word;
//! use std::{borrow::Cow, sync::Arc};
//!
//! /// 먹었다 and 먹는다 are forms of 먹다: the first syllable will do here.
//! #[derive(Debug)]
//! struct FirstSyllable;
//!
//! impl Signed for FirstSyllable {
//!     fn signature(&self) -> Signature {
//!         Signature::new("first-syllable")
//!     }
//! }
//!
//! impl Stemmer for FirstSyllable {
//!     fn stem<'w>(&self, word: &'w str) -> ko_eval_core::Result<Cow<'w, str>> {
//!         Ok(word.chars().take(1).collect())
//!     }
//! }
//!
//! let segment = Segment::new("나는 밥을 먹었다", ["나는 밥을 먹는다"])?;
//! let meteor = Meteor::new(Arc::new(Word::new()));
//! let with_stems = Meteor::builder().stemmer(Arc::new(FirstSyllable)).build(Arc::new(Word::new()))?;
//! assert!(meteor.segment_score(&segment)?.value < 0.7);
//! assert!(with_stems.segment_score(&segment)?.value > 0.9);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! | input | value |
//! |---|---|
//! | nothing aligned | 0 |
//! | a text without units | 0, flagged |

#![allow(
    clippy::indexing_slicing,
    reason = "stacks are as many as kinds of units; places are places of the text they came from"
)]

mod explain;

use crate::{
    Case, SynonymTable,
    kernel::{
        spare,
        units::{Cutter, repeats_none},
    },
    settings::CASE,
};
use ko_eval_core::{
    BuildMetric, Direction, Error, Explanation, MeanStats, Metric, MetricEntry, Params, Recorded,
    Result, Score, Segment, Signature, Signed, Token, Tokenizer, Vocabulary,
    explain::LinkKind,
    setting::{Number, Text},
};
use rustc_hash::FxHashMap;
use std::{borrow::Cow, cell::Cell, fmt::Debug, sync::Arc};

/// The registry row.
pub const ENTRY: MetricEntry = MetricEntry {
    name: "meteor",
    summary: "units aligned one to one, with a penalty for scattered matches",
    reference: "NLTK 3.10.4",
    argument: None,
    params: &[
        ALPHA.param(),
        BETA.param(),
        GAMMA.param(),
        CASE.param(),
        STEM.param(),
        SYNONYMS.param(),
    ],
    range: (0.0, 1.0),
    variants: &["alpha=0.5,beta=1,gamma=0.2"],
    build: BuildMetric::OverUnits(|params, tokenizer| {
        if let Some(unit) = params.read(&STEM)? {
            return Err(Error::Missing {
                what: format!("an analyzer `{unit}` to stem with"),
                how_to_get_it: "ask the crate ko-eval for this metric, which knows units".into(),
            });
        }
        Ok(Box::new(MeteorSettings::read(params)?.build(tokenizer)?))
    }),
};

const ALPHA: Number = Number::new("alpha", 0.9, 0.0, 1.0, "how much recall counts");
const BETA: Number = Number::new("beta", 3.0, 0.0, 1000.0, "how the penalty grows with scattering");
const GAMMA: Number = Number::new("gamma", 0.5, 0.0, 1.0, "the greatest penalty");

/// Which analyzer stems; the row of the crate `ko-eval`, which knows analyzers, reads it.
pub const STEM: Text = Text::new(
    "stem",
    "UNIT",
    "none",
    "aligns what is left over by stem, as this analyzer finds it",
);
const SYNONYMS: Text = Text::new(
    "synonyms",
    "FILE",
    "none",
    "then aligns by synonym: a JSON object of words with lists, or a TSV file",
);

/// Reduces a unit to what its forms have in common.
pub trait Stemmer: Signed + Debug + Send + Sync {
    /// The stem or lemma.
    ///
    /// # Errors
    /// When whatever stems fails on this word.
    fn stem<'w>(&self, word: &'w str) -> Result<Cow<'w, str>>;
}

/// Knows other units of the same meaning.
pub trait Synonyms: Signed + Debug + Send + Sync {
    /// The synonyms of a unit; itself need not be among them.
    fn synonyms(&self, word: &str) -> Vec<String>;
}

/// Refuses: statistics that were measured elsewhere need no stems any more.
impl Stemmer for Recorded {
    fn stem<'w>(&self, word: &'w str) -> Result<Cow<'w, str>> {
        self.tokenize(word).map(|_| Cow::Borrowed(word))
    }
}

/// Knows none: statistics that were measured elsewhere need no synonyms any more.
impl Synonyms for Recorded {
    fn synonyms(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

/// METEOR over any units.
///
/// ```
/// use ko_ngram_metrics::prelude::*;
/// use ko_tokenize::Character;
/// use std::sync::Arc;
///
/// let metric = Meteor::new(Arc::new(Character::new()));
/// let score = metric.segment_score(&Segment::new("나는 밥을 먹었다.", ["나는 밥을 먹었어요."])?)?;
/// assert_eq!(format!("{score:.3}"), "0.777");
/// # Ok::<(), ko_ngram_metrics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Meteor {
    cutter: Cutter,
    settings: MeteorSettings,
}

/// Settings of [`Meteor`], checked in [`MeteorSettings::build`].
#[derive(Debug, Clone)]
pub struct MeteorSettings {
    alpha: f64,
    beta: f64,
    gamma: f64,
    case: Case,
    stemmer: Option<Arc<dyn Stemmer>>,
    synonyms: Option<Arc<dyn Synonyms>>,
}

impl Default for MeteorSettings {
    fn default() -> Self {
        Self {
            alpha: ALPHA.default,
            beta: BETA.default,
            gamma: GAMMA.default,
            case: CASE.default,
            stemmer: None,
            synonyms: None,
        }
    }
}

impl MeteorSettings {
    /// As a row's parameters say, but for the stemmer ([`STEM`]); reads the file of synonyms if there is one.
    ///
    /// # Errors
    /// A value that makes no sense, or a file that is no table of synonyms.
    pub fn read(params: &Params) -> Result<Self> {
        let settings = Self::default()
            .alpha(params.read(&ALPHA)?)
            .beta(params.read(&BETA)?)
            .gamma(params.read(&GAMMA)?)
            .case(params.read(&CASE)?);
        let Some(file) = params.read(&SYNONYMS)? else { return Ok(settings) };
        Ok(settings.synonyms(match params.recorded(SYNONYMS.param().name) {
            Some(recorded) => Arc::new(recorded),
            None => Arc::new(SynonymTable::read(file)?),
        }))
    }

    /// How much recall counts, between 0 and 1; 0.9 by default.
    #[must_use]
    pub fn alpha(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }

    /// How the penalty grows with the number of chunks; 3 by default.
    #[must_use]
    pub fn beta(self, beta: f64) -> Self {
        Self { beta, ..self }
    }

    /// The greatest penalty, between 0 and 1; 0.5 by default.
    #[must_use]
    pub fn gamma(self, gamma: f64) -> Self {
        Self { gamma, ..self }
    }

    /// Whether upper and lower case differ.
    #[must_use]
    pub fn case(self, case: Case) -> Self {
        Self { case, ..self }
    }

    /// Aligns what is left over by stem.
    #[must_use]
    pub fn stemmer(self, stemmer: Arc<dyn Stemmer>) -> Self {
        Self { stemmer: Some(stemmer), ..self }
    }

    /// Aligns what is then left over by synonym.
    #[must_use]
    pub fn synonyms(self, synonyms: Arc<dyn Synonyms>) -> Self {
        Self { synonyms: Some(synonyms), ..self }
    }

    /// The metric.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`]: an α or γ outside 0 to 1, a β outside 0 to 1,000.
    pub fn build(self, tokenizer: Arc<dyn Tokenizer>) -> Result<Meteor> {
        ALPHA.check(ENTRY.name, self.alpha)?;
        BETA.check(ENTRY.name, self.beta)?;
        GAMMA.check(ENTRY.name, self.gamma)?;
        Ok(Meteor { cutter: Cutter::new(tokenizer, self.case), settings: self })
    }
}

impl Meteor {
    /// METEOR by equal units only.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { cutter: Cutter::new(tokenizer, CASE.default), settings: MeteorSettings::default() }
    }

    /// Other settings.
    pub fn builder() -> MeteorSettings {
        MeteorSettings::default()
    }

    /// Aligns what is left over by stem; then, what is still left over, by synonym (of the stem, if there are stems).
    /// `stage` hears of both.
    fn align_left_over(
        &self,
        alignment: &mut Alignment,
        texts: [&[Token<'_>]; 2],
        mut stage: impl FnMut(&Alignment, LinkKind),
    ) -> Result<()> {
        let MeteorSettings { stemmer, synonyms, .. } = &self.settings;
        let mut words = alignment.left_over(texts);
        if let Some(stemmer) = stemmer {
            for word in words.iter_mut().flatten().filter(|word| !word.is_empty()) {
                *word = Cow::Owned(stemmer.stem(word)?.into_owned());
            }
            let mut stems = Vocabulary::new();
            words.iter().flatten().for_each(|stem| stems.push(stem));
            let (own, theirs) = stems.numbers().split_at(words[0].len());
            alignment.by_number([own, theirs], stems.kinds());
            stage(alignment, LinkKind::Stem);
        }
        if let Some(synonyms) = synonyms {
            alignment.by_synonym(&words, &**synonyms);
            stage(alignment, LinkKind::Synonym);
        }
        Ok(())
    }

    /// The value of an alignment with a reference of so many units.
    fn value_of(&self, alignment: &Alignment, theirs: usize) -> f64 {
        let MeteorSettings { alpha, beta, gamma, .. } = self.settings;
        let (matches, chunks) = alignment.matches_and_chunks();
        if matches == 0.0 {
            return 0.0;
        }
        let precision = matches / alignment.partners.len() as f64;
        let recall = matches / theirs as f64;
        let mean = (precision * recall) / (alpha * precision + (1.0 - alpha) * recall);
        (1.0 - gamma * (chunks / matches).powf(beta)) * mean
    }
}

/// No place.
const NONE: u32 = u32::MAX;

/// Which unit of the hypothesis goes with which of the reference.
#[derive(Default)]
struct Alignment {
    /// For each place of the hypothesis.
    partners: Vec<u32>,
    /// For each place of the reference, once something is left over to be aligned.
    taken: Vec<bool>,
    /// The places of the reference to choose from.
    free: Stacks,
}

thread_local! {
    /// The memory of the last alignment, used again for the next.
    static SPARE: Cell<Option<Box<Alignment>>> = const { Cell::new(None) };
}

impl Alignment {
    /// Aligns what is equal, and lends the alignment to `then`.
    #[inline]
    fn of_equals<T>(numbers: [&[u32]; 2], kinds: usize, then: impl FnOnce(&mut Self) -> T) -> T {
        let [own, theirs] = numbers;
        let mut alignment: Box<Self> = spare::take(&SPARE);
        let partners = &mut alignment.partners;
        partners.clear();
        partners.resize(own.len(), NONE);
        if repeats_none(own) {
            // Numbered by its place in the hypothesis, each goes with the last one that is equal.
            for (&unit, place) in theirs.iter().zip(0..) {
                if let Some(partner) = partners.get_mut(unit as usize) {
                    *partner = place;
                }
            }
        } else {
            alignment.by_number(numbers, kinds);
        }
        let result = then(&mut alignment);
        spare::keep(&SPARE, alignment, own.len().max(theirs.len()));
        result
    }

    /// Notes which places of the reference are taken.
    fn note_taken(&mut self, theirs: usize) {
        self.taken.clear();
        self.taken.resize(theirs, false);
        for &partner in self.partners.iter().filter(|&&partner| partner != NONE) {
            self.taken[partner as usize] = true;
        }
    }

    /// Stacks the free places of the reference, by the number of their unit.
    fn stack(&mut self, theirs: &[u32], kinds: usize) {
        self.note_taken(theirs.len());
        let Stacks { top, below } = &mut self.free;
        top.clear();
        top.resize(kinds, NONE);
        below.clear();
        let places = theirs.iter().zip(&self.taken).zip(0..);
        below.extend(places.map(|((&unit, &is_taken), place)| match is_taken {
            true => NONE,
            false => std::mem::replace(&mut top[unit as usize], place),
        }));
    }

    /// Aligns what is left over and has the same number.
    fn by_number(&mut self, [own, theirs]: [&[u32]; 2], kinds: usize) {
        self.stack(theirs, kinds);
        for (partner, &unit) in self.partners.iter_mut().zip(own).rev() {
            if *partner == NONE
                && let Some(their) = self.free.pop(unit)
            {
                *partner = their;
            }
        }
    }

    /// Aligns what is left over and has the same meaning, with the last such unit.
    fn by_synonym(&mut self, [own, theirs]: &[Vec<Cow<'_, str>>; 2], source: &dyn Synonyms) {
        let mut vocabulary = Vocabulary::new();
        theirs.iter().for_each(|word| vocabulary.push(word));
        let numbers = vocabulary.numbers();
        self.stack(numbers, vocabulary.kinds());
        let words = theirs.iter().map(|word| &**word);
        let numbers: FxHashMap<&str, u32> = words.zip(numbers.iter().copied()).collect();
        for (place, word) in own.iter().enumerate().rev() {
            if self.partners[place] != NONE {
                continue;
            }
            let synonyms = source.synonyms(word);
            let alike = synonyms.iter().map(String::as_str).chain([&**word]);
            let known = alike.filter_map(|word| numbers.get(word).copied());
            let last = known.max_by_key(|&unit| self.free.peek(unit));
            if let Some(their) = last.and_then(|unit| self.free.pop(unit)) {
                self.partners[place] = their;
            }
        }
    }

    /// The texts of both sides; in the place of one that is aligned, nothing.
    fn left_over<'a>(&mut self, [own, theirs]: [&'a [Token<'_>]; 2]) -> [Vec<Cow<'a, str>>; 2] {
        self.note_taken(theirs.len());
        let text = |(token, left): (&'a Token<'_>, bool)| {
            Cow::Borrowed(if left { token.as_str() } else { "" })
        };
        [
            own.iter().zip(self.partners.iter().map(|&p| p == NONE)).map(text).collect(),
            theirs.iter().zip(self.taken.iter().map(|&taken| !taken)).map(text).collect(),
        ]
    }

    /// How many units are aligned, and in how many runs.
    fn matches_and_chunks(&self) -> (f64, f64) {
        let (mut matches, mut chunks) = (0, 0);
        let mut follows = NONE;
        for &partner in &self.partners {
            if partner == NONE {
                follows = NONE;
                continue;
            }
            matches += 1;
            chunks += u32::from(partner != follows);
            follows = partner + 1;
        }
        (f64::from(matches), f64::from(chunks))
    }
}

/// Free places by unit, the last on top.
#[derive(Default)]
struct Stacks {
    top: Vec<u32>,
    below: Vec<u32>,
}

impl Stacks {
    fn peek(&self, unit: u32) -> Option<u32> {
        let top = self.top[unit as usize];
        (top != NONE).then_some(top)
    }

    fn pop(&mut self, unit: u32) -> Option<u32> {
        let top = self.peek(unit)?;
        self.top[unit as usize] = self.below[top as usize];
        Some(top)
    }
}

impl Signed for Meteor {
    fn signature(&self) -> Signature {
        let MeteorSettings { alpha, beta, gamma, stemmer, synonyms, .. } = &self.settings;
        let signature = Signature::new("METEOR").with("alpha", alpha).with("beta", beta);
        let signature = self.cutter.sign_case(signature).with("gamma", gamma);
        let signature = match stemmer {
            Some(stemmer) => signature.with_nested("stemmer", &stemmer.signature()),
            None => signature,
        };
        let signature = match synonyms {
            Some(synonyms) => signature.with_nested("synonyms", &synonyms.signature()),
            None => signature,
        };
        self.cutter.sign(signature)
    }
}

impl Metric for Meteor {
    type Stats = MeanStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<MeanStats> {
        let MeteorSettings { stemmer, synonyms, .. } = &self.settings;
        // The texts themselves, if equal ones are not all that is aligned.
        let texts = match (stemmer, synonyms) {
            (None, None) => None,
            _ => {
                Some((self.cutter.tokens(segment.hypothesis())?, self.cutter.references(segment)?))
            }
        };
        self.cutter.units(segment, |units| {
            let value = |(reference, number): (&[u32], usize)| {
                let numbers = [units.hypothesis(), reference];
                Alignment::of_equals(numbers, units.kinds(), |alignment| {
                    if let Some((hypothesis, references)) = &texts {
                        let texts = [hypothesis.as_slice(), &references[number]];
                        self.align_left_over(alignment, texts, |_, _| {})?;
                    }
                    Ok(self.value_of(alignment, reference.len()))
                })
            };
            let best = units
                .references()
                .zip(0..)
                .map(value)
                .try_fold(0.0, |best, value: Result<f64>| Ok::<_, Error>(f64::max(best, value?)))?;
            let empty = units.hypothesis().is_empty();
            Ok(MeanStats::of(best)?.note_empty(empty, units.no_reference()))
        })?
    }

    fn score(&self, stats: &MeanStats) -> Score {
        stats.score()
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        self.explained(segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ko_eval_core::Scorer;
    use ko_tokenize::Word;

    /// The first letter, as a stem; a fixed list of synonyms.
    #[derive(Debug)]
    struct Toy;

    impl Signed for Toy {
        fn signature(&self) -> Signature {
            Signature::new("toy")
        }
    }

    impl Stemmer for Toy {
        fn stem<'w>(&self, word: &'w str) -> Result<Cow<'w, str>> {
            Ok(word.chars().take(1).collect())
        }
    }

    impl Synonyms for Toy {
        fn synonyms(&self, word: &str) -> Vec<String> {
            let groups = [["책", "도"], ["사람", "인간"], ["간", "가"]];
            let group = groups.iter().find(|group| group.contains(&word));
            group.into_iter().flatten().map(|&word| word.to_owned()).collect()
        }
    }

    #[test]
    fn what_is_left_over_is_aligned_by_stem_and_synonym() {
        // Known answers of NLTK 3.10.4 with the same stemmer and the same synsets.
        let known = [
            ("책 읽는다 사람 책", "도 인간 책 읽었다", [0.125, 0.25, 0.6388888888888888, 0.375]),
            (
                "책 사람 사람 간다 책 인",
                "가서 도서 인간 사람 인간 책은",
                [0.08333333333333333, 0.25, 0.16666666666666666, 0.41666666666666674],
            ),
        ];
        let plain = Meteor::builder();
        let stems = plain.clone().stemmer(Arc::new(Toy));
        let synonyms = plain.clone().synonyms(Arc::new(Toy));
        let both = stems.clone().synonyms(Arc::new(Toy));
        let metrics =
            [plain, stems, synonyms, both].map(|m| m.build(Arc::new(Word::new())).unwrap());
        for (hypothesis, reference, values) in known {
            let segment = Segment::new(hypothesis, [reference]).unwrap();
            for (meteor, value) in metrics.iter().zip(values) {
                let found = meteor.segment_score(&segment).unwrap().value;
                assert!((found - value).abs() < 1e-12, "{hypothesis}: {found}, not {value}");
            }
        }
        assert!(metrics[3].signature().to_string().contains("|stemmer:toy|synonyms:toy|"));
    }
}
