//! Scoring a system: the published columns as published, and real metrics beside them.
//!
//! The paper's "BLEU 3" and "BLEU 4" are n-gram precisions, so they are called `p3` and `p4` here,
//! and its ROUGE weighs recall; [`Evaluator`] gives both and, under `standard`, what the names
//! commonly mean: BLEU (sacreBLEU 2.6.0) and ROUGE (rouge-score 0.1.2) on the same morphemes.
//!
//! | column | of a segment | over references |
//! |---|---|---|
//! | `p3`, `p4` | clipped precision, rounded to 4 decimals | the best |
//! | `rouge2`, `rougeL` | see [`kernel`] | the best |
//! | `meteor` | NLTK's METEOR (α 0.9, β 3, γ 0.5) on white-space words in small letters, rounded to 4 decimals | the best |
//! | `coverage` | surfaces of the string `a#b#c` found in the sentence | – |
//!
//! Corpus values are means in percent. Two protocols are published:
//!
//! | protocol | `p3`, `p4` | `meteor` | the others |
//! |---|---|---|---|
//! | [`Released`](Protocol::Released) | mean of all segments | mean of all | mean of all |
//! | [`Paper`](Protocol::Paper), several references | mean of all but the last | mean of all but the last | mean of all |
//! | [`Paper`](Protocol::Paper), one reference each | precision of the whole corpus | mean of all | mean of all |
//!
//! Cost: every text is analysed once, then linear in the tokens but for ROUGE-L (quadratic in a sentence).

use crate::{
    Pairs,
    kernel::{self, Matches, round4},
    words::words_enum,
};
use ko_eval_core::{
    Cached, CorpusScore, ExactSum, Result, Scorer, Segment, Signature, Signed, Tokenizer, par_map,
};
use ko_eval_io::Progress;
use ko_ngram_metrics::{Bleu, Case, Meteor, Rouge, rouge::Variant};
use ko_tokenize::{MorphemeAnalyzer, Word};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, sync::Arc};

/// How many segments are scored between two reports of progress.
const CHUNK: usize = 512;

words_enum! {
    /// Which of the two published averagings.
    pub enum Protocol ("protocol") {
        /// The paper's tables.
        Paper "paper",
        /// The released script.
        Released "released",
    }
}

impl Default for Protocol {
    /// The released script: no segment is lost.
    fn default() -> Self {
        Self::Released
    }
}

/// The published columns, in percent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Columns {
    /// The paper's "BLEU 3".
    pub p3: f64,
    /// The paper's "BLEU 4".
    pub p4: f64,
    /// ROUGE-2 as published.
    pub rouge2: f64,
    /// ROUGE-L as published.
    #[serde(rename = "rougeL")]
    pub rouge_l: f64,
    /// METEOR.
    pub meteor: f64,
    /// Concept coverage.
    pub coverage: f64,
}

impl Columns {
    /// The columns' names, in the paper's order.
    pub const NAMES: [&str; 6] = ["p3", "p4", "rouge2", "rougeL", "meteor", "coverage"];

    /// The values in the order of [`Columns::NAMES`].
    pub fn values(&self) -> [f64; 6] {
        [self.p3, self.p4, self.rouge2, self.rouge_l, self.meteor, self.coverage]
    }
}

/// A system's scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SystemScores {
    /// The corpus.
    #[serde(flatten)]
    pub columns: Columns,
    /// What the names commonly mean, and whatever was added by [`Evaluator::also`], each on its own
    /// scale and with its own signature.
    pub standard: BTreeMap<String, CorpusScore>,
    /// Which averaging.
    pub protocol: Protocol,
    /// How many segments.
    pub segments: usize,
    /// How the published columns came about.
    pub signature: Signature,
    /// Each segment, in order, in percent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_segment: Vec<Columns>,
    /// The same of [`SystemScores::standard`]: each segment, in order, on the metric's own scale.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub standard_by_segment: BTreeMap<String, Vec<f64>>,
}

impl fmt::Display for SystemScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let titles =
            ["p3 (\"BLEU 3\")", "p4 (\"BLEU 4\")", "ROUGE-2", "ROUGE-L", "METEOR", "Coverage"];
        writeln!(f, "as published, {} protocol, {} segments", self.protocol, self.segments)?;
        for (title, value) in titles.iter().zip(self.columns.values()) {
            writeln!(f, "  {title:<14} {value:>7.2}")?;
        }
        write!(f, "beside them")?;
        for (name, score) in &self.standard {
            write!(f, "\n  {name:<14} {:>9.4}", score.score.value)?;
        }
        Ok(())
    }
}

/// Scores systems.
#[derive(Debug, Clone)]
pub struct Evaluator {
    analyzer: Arc<dyn MorphemeAnalyzer>,
    protocol: Protocol,
    extra: Vec<(String, Arc<dyn Scorer>)>,
}

/// What one segment contributes.
struct SegmentScores {
    columns: Columns,
    /// Against the first reference, for the precision of a whole corpus.
    matches: [Matches; 2],
}

impl Evaluator {
    /// Over an analyzer: MeCab-ko with mecab-ko-dic 2.1.1 and its left-space penalty for the published digits.
    pub fn new(analyzer: Arc<dyn MorphemeAnalyzer>, protocol: Protocol) -> Self {
        Self { analyzer, protocol, extra: Vec::new() }
    }

    /// Adds any metric beside the published ones, BERTScore over an encoder for example.
    #[must_use]
    pub fn also(mut self, name: impl Into<String>, scorer: Arc<dyn Scorer>) -> Self {
        self.extra.push((name.into(), scorer));
        self
    }

    /// What cuts sentences and concept sets.
    pub fn analyzer(&self) -> &Arc<dyn MorphemeAnalyzer> {
        &self.analyzer
    }

    /// What was [added](Self::also), with its name.
    pub fn added(&self) -> impl Iterator<Item = (&str, &dyn Scorer)> {
        self.extra.iter().map(|(name, scorer)| (name.as_str(), &**scorer))
    }

    /// Scores a system.
    ///
    /// # Errors
    /// When a text cannot be analysed, or an added metric fails.
    pub fn evaluate(&self, pairs: &Pairs, progress: &dyn Progress) -> Result<SystemScores> {
        let sets: Vec<String> = pairs.items().iter().map(|item| item.concept_set()).collect();
        let cut = Arc::new(self.cut(pairs, &sets, progress)?);
        let segments = pairs.segments()?;
        let rows: Vec<(&Segment<'_>, &String)> = segments.iter().zip(&sets).collect();
        let meteor = meteor()?;
        let mut scores = Vec::with_capacity(rows.len());
        progress.begin("score", Some(rows.len() as u64));
        for chunk in rows.chunks(CHUNK) {
            scores.extend(par_map(chunk, |(segment, set)| {
                score_segment(&cut, &meteor, segment, set)
            })?);
            progress.advance(chunk.len() as u64);
        }
        let (mut standard, mut standard_by_segment) = (BTreeMap::new(), BTreeMap::new());
        let beside = standard_metrics(&cut)?;
        let beside = || beside.iter().chain(&self.extra);
        progress.begin("metrics beside them", Some(beside().count() as u64));
        for (name, scorer) in beside() {
            progress.note(name);
            let measured = scorer.measure(&segments)?;
            let scores = measured.segment_scores()?.iter().map(|score| score.value).collect();
            standard.insert(name.clone(), measured.corpus_score()?);
            standard_by_segment.insert(name.clone(), scores);
            progress.advance(1);
        }
        let one_reference = segments.iter().all(|segment| segment.references().len() == 1);
        Ok(SystemScores {
            columns: average(&scores, self.protocol, one_reference),
            standard,
            protocol: self.protocol,
            segments: segments.len(),
            signature: self.signature(),
            by_segment: scores.into_iter().map(|score| score.columns).collect(),
            standard_by_segment,
        })
    }

    /// Every text of the job, analysed once.
    fn cut(&self, pairs: &Pairs, sets: &[String], progress: &dyn Progress) -> Result<CutOnce> {
        let references = pairs.items().iter().flat_map(|item| item.references());
        let texts: FxHashSet<&str> =
            pairs.hypotheses().iter().chain(references).chain(sets).map(String::as_str).collect();
        let texts: Vec<&str> = texts.into_iter().collect();
        let cut = CutOnce::new(Arc::clone(&self.analyzer), usize::MAX);
        progress.begin("analyse", Some(texts.len() as u64));
        for chunk in texts.chunks(CHUNK) {
            cut.learn_all(chunk)?;
            progress.advance(chunk.len() as u64);
        }
        Ok(cut)
    }
}

impl Signed for Evaluator {
    fn signature(&self) -> Signature {
        Signature::new("korean-commongen")
            .with("protocol", self.protocol)
            .with_nested("tok", &self.analyzer.signature())
            .with("version", env!("CARGO_PKG_VERSION"))
    }
}

/// Surfaces that were found once, for many metrics.
type CutOnce = Cached<Arc<dyn MorphemeAnalyzer>>;

fn score_segment(
    cut: &CutOnce,
    meteor: &Meteor,
    segment: &Segment<'_>,
    set: &str,
) -> Result<SegmentScores> {
    let hypothesis = cut.tokenize(segment.hypothesis())?;
    let concepts = cut.tokenize(set)?;
    let mut best = Columns::default();
    let mut first = None;
    for reference in segment.references() {
        let reference = cut.tokenize(reference)?;
        let matches = [3, 4].map(|n| kernel::matches(n, &hypothesis, &reference));
        let [p3, p4] = matches.map(|m| 100.0 * round4(m.precision()));
        best.p3 = best.p3.max(p3);
        best.p4 = best.p4.max(p4);
        best.rouge2 = best.rouge2.max(100.0 * kernel::rouge2(&hypothesis, &reference));
        best.rouge_l = best.rouge_l.max(100.0 * kernel::rouge_l(&hypothesis, &reference));
        first.get_or_insert(matches);
    }
    best.meteor = 100.0 * round4(meteor.segment_score(segment)?.value);
    best.coverage = 100.0 * kernel::coverage(&concepts, &hypothesis);
    Ok(SegmentScores { columns: best, matches: first.unwrap_or_default() })
}

fn average(scores: &[SegmentScores], protocol: Protocol, one_reference: bool) -> Columns {
    let all = scores.len();
    let shortened = match protocol {
        Protocol::Paper if !one_reference && all > 1 => all - 1,
        _ => all,
    };
    let mean = |count: usize, of: fn(&Columns) -> f64| {
        let mut sum = ExactSum::default();
        scores.iter().take(count).for_each(|score| sum.add(of(&score.columns)));
        sum.value() / count.max(1) as f64
    };
    let [p3, p4] = if protocol == Protocol::Paper && one_reference {
        let total = |of: fn(&SegmentScores) -> Matches| {
            scores.iter().fold(Matches::default(), |sum, score| sum.plus(of(score))).precision()
        };
        [100.0 * total(|s| s.matches[0]), 100.0 * total(|s| s.matches[1])]
    } else {
        [mean(shortened, |c| c.p3), mean(shortened, |c| c.p4)]
    };
    Columns {
        p3,
        p4,
        rouge2: mean(all, |c| c.rouge2),
        rouge_l: mean(all, |c| c.rouge_l),
        meteor: mean(shortened, |c| c.meteor),
        coverage: mean(all, |c| c.coverage),
    }
}

/// NLTK's METEOR on white-space words in small letters.
fn meteor() -> Result<Meteor> {
    Meteor::builder().case(Case::Lower).build(Arc::new(Word::new()))
}

/// What the published columns' names commonly mean, on the same surfaces.
fn standard_metrics(cut: &Arc<CutOnce>) -> Result<Vec<(String, Arc<dyn Scorer>)>> {
    let tokenizer = || Arc::clone(cut) as Arc<dyn Tokenizer>;
    let bleu = |order: usize| Bleu::builder().order(order).build(tokenizer());
    let rouge = |variant: Variant| Rouge::new(variant, tokenizer());
    Ok(vec![
        ("bleu3".into(), Arc::new(bleu(3)?)),
        ("bleu4".into(), Arc::new(bleu(4)?)),
        ("rouge2".into(), Arc::new(rouge(Variant::Bigrams))),
        ("rougeL".into(), Arc::new(rouge(Variant::Lcs))),
    ])
}
