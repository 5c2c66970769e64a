//! Which metric, on which unit of text, agrees best with people?
//!
//! Metrics are crossed with units, those over models stand alone; every system's outputs are scored, and the scores are compared with
//! human ones. One call gives the table of correlations at segment and at system level, the raw scores, the order in which
//! people and each metric put the systems ([`Findings::rankings`]), the settings that agree best on each unit
//! ([`Findings::best_settings`]), means over families of units ([`Findings::by_family`]), how many units a word becomes and how long cutting and scoring
//! take on one thread ([`Findings`]); [`AgreementReport`](crate::AgreementReport) draws them.
//!
//! - **Segment level**: one observation per output, all systems pooled, or averaged over systems
//!   ([`Level`]). Intervals come from a bootstrap over *source segments*, because outputs for one
//!   source stand or fall together.
//! - **System level**: corpus scores against mean human scores. Four systems give a p-value of at least 0.08
//!   to any order: read it as a picture, not as proof.
//! - Scores of metrics for which lower is better are negated before they are correlated, so a higher
//!   coefficient always means better agreement; [`MetricRow::cap`] bounds error rates first.
//! - An output that nobody judged takes no part in coefficients; metrics score it all the same, and a system's corpus score is that
//!   of all its outputs.
//! - A coefficient that does not exist (a constant score, a single system) is recorded with the reason and
//!   stops nothing.
//!
//! Given a [folder](Experiment::folder), every finished piece of work is stored there under the metric's
//! signature and a checksum of the texts; the same experiment started again scores only what is missing, and new human
//! scores or coefficients need no scoring at all. Numbers are the same either way, and with any number of
//! threads; only the times differ.
//!
//! ```
//! use ko_eval_core::{Direction, MeanStats, Metric, OwnedSegment, Result, Score, Segment, Signature, Signed, Tokenizer};
//! use ko_meta_eval::{Correlation, experiment::{Experiment, Judged, Level, MetricRow, TOTAL, Unit}};
//! use std::sync::Arc;
//!
//! /// The share of the output's units that occur in a reference.
//! #[derive(Debug)]
//! struct Overlap(Arc<dyn Tokenizer>);
//! # impl Signed for Overlap {
//! #     fn signature(&self) -> Signature { Signature::new("overlap").with_nested("tok", &self.0.signature()) }
//! # }
//! # impl Metric for Overlap {
//! #     type Stats = MeanStats;
//! #     fn direction(&self) -> Direction { Direction::HigherIsBetter }
//! #     fn segment_stats(&self, segment: &Segment<'_>) -> Result<MeanStats> {
//! #         let own = self.0.tokenize(segment.hypothesis())?;
//! #         let theirs = self.0.tokenize(segment.references()[0])?;
//! #         MeanStats::of(own.iter().filter(|u| theirs.contains(u)).count() as f64 / own.len().max(1) as f64)
//! #     }
//! #     fn score(&self, stats: &MeanStats) -> Score { stats.score() }
//! # }
//! let mut judged = Judged::new(["문법", "상식"])?;
//! let refs = ["비가 온다", "눈이 내린다", "해가 뜬다"];
//! for (system, outputs, grammar, sense) in [
//!     ("갑", ["비가 온다", "눈이 내렸다", "해가 진다"], [2.0, 2.0, 2.0], [2.0, 2.0, 1.0]),
//!     ("을", ["비는 온다", "눈 내리", "달이 뜬다"], [1.0, 0.0, 2.0], [2.0, 1.0, 0.0]),
//! ] {
//!     let segments = outputs.iter().zip(refs).map(|(o, r)| OwnedSegment::new(*o, [r])).collect::<Result<Vec<_>>>()?;
//!     judged.push(system, segments, vec![grammar.to_vec(), sense.to_vec()])?;
//! }
//! let findings = Experiment::new(&judged)
//!     .metric(MetricRow::new("겹침", |units| Ok(Box::new(Overlap(units)))))
//!     .unit(Unit::new("어절", ko_tokenize::by_name("word")?))
//!     .unit(Unit::new("음절", ko_tokenize::by_name("char")?))
//!     .run()?;
//! let (best, r) = findings.best(Level::Segment, Correlation::Pearson).unwrap();
//! assert_eq!(best.unit.as_deref(), Some("음절"));
//! assert!(r > 0.8);
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```

mod findings;
mod human;
mod judged;
mod quotes;
mod ranks;
mod rows;
mod store;
mod sweeps;

pub(crate) use findings::title;
pub use findings::{
    Agreement, BestOrder, Cell, Findings, LeftOut, Level, NO_UNIT, Pairwise, Scores, SystemFinding,
    UnitCost, UnitFinding, Value,
};
pub use judged::{Judged, JudgedSystem, TOTAL};
pub use quotes::Quotes;
pub use ranks::{Ranking, Swap};
pub use rows::{MetricRow, Order, Settings, Unit};
pub use sweeps::{BestSetting, FamilyMean, Sweep, expand};

use crate::{Correlation, Error, Result, error::at_least};
use human::{Agreeing, Human, agreement};
use ko_eval_core::{
    Cached, Direction, OwnedSegment, Scorer, Segment, on_one_thread, par_map,
    significance::Bootstrap,
};
use ko_eval_io::Progress;
use rows::Build;
use std::{path::PathBuf, sync::Arc, time::Instant};
use store::Store;

/// What a unit's tokenizer may remember, in bytes.
const MEMORY: usize = 256 << 20;

/// How many texts a unit cuts on one thread, so that times can be compared.
const TIMED_TEXTS: usize = 1000;

/// How many outputs a metric scores once more on one thread.
const TIMED_OUTPUTS: usize = 100;

/// How often at most, and for how long at least: the quickest time counts, because others share the machine.
const TIMED_RUNS: usize = 20;
const TIMED_SECONDS: f64 = 0.01;

/// Metrics × units, and metrics that stand alone, ready to run.
pub struct Experiment<'a> {
    judged: &'a Judged,
    metrics: Vec<MetricRow>,
    units: Vec<Unit>,
    correlations: Vec<Correlation>,
    bootstrap: Bootstrap,
    folder: Option<PathBuf>,
    progress: &'a dyn Progress,
}

impl std::fmt::Debug for Experiment<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Experiment")
            .field("metrics", &self.metrics)
            .field("units", &self.units)
            .field("correlations", &self.correlations)
            .field("bootstrap", &self.bootstrap)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl<'a> Experiment<'a> {
    /// An experiment on these data: Pearson, Spearman and Kendall's τ-b, 1,000 resamples, no folder,
    /// silent; metrics and units are still to be added.
    pub fn new(judged: &'a Judged) -> Self {
        Self {
            judged,
            metrics: Vec::new(),
            units: Vec::new(),
            correlations: vec![
                Correlation::Pearson,
                Correlation::Spearman,
                Correlation::KendallTauB,
            ],
            bootstrap: Bootstrap::default(),
            folder: None,
            progress: &(),
        }
    }

    /// The same with one more metric.
    #[must_use]
    pub fn metric(mut self, row: MetricRow) -> Self {
        self.metrics.push(row);
        self
    }

    /// The same with more metrics.
    #[must_use]
    pub fn metrics(mut self, rows: impl IntoIterator<Item = MetricRow>) -> Self {
        self.metrics.extend(rows);
        self
    }

    /// The same with one more unit.
    #[must_use]
    pub fn unit(mut self, unit: Unit) -> Self {
        self.units.push(unit);
        self
    }

    /// The same with more units.
    #[must_use]
    pub fn units(mut self, units: impl IntoIterator<Item = Unit>) -> Self {
        self.units.extend(units);
        self
    }

    /// The same with other coefficients. The first one leads in reports.
    #[must_use]
    pub fn correlations(self, kinds: impl IntoIterator<Item = Correlation>) -> Self {
        Self { correlations: kinds.into_iter().collect(), ..self }
    }

    /// The same with other resampling.
    #[must_use]
    pub fn bootstrap(self, bootstrap: Bootstrap) -> Self {
        Self { bootstrap, ..self }
    }

    /// The same, keeping finished work in a folder and using what lies there.
    #[must_use]
    pub fn folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..self }
    }

    /// The same, telling somebody how far it is: a step is a unit that has cut all texts, or a metric that has scored
    /// them. What lies finished in the folder is not noted.
    #[must_use]
    pub fn progress(self, progress: &'a dyn Progress) -> Self {
        Self { progress, ..self }
    }

    /// Runs the experiment on all cores.
    ///
    /// # Errors
    /// No system, metric or coefficient, or no unit for a metric that needs one; a name twice; a metric or a tokenizer
    /// that fails ([`Error::Cell`] says which); a folder that cannot be written. Metrics that stand alone are opened, and
    /// what they need is looked for, before anything is cut or scored.
    pub fn run(&self) -> Result<Findings> {
        at_least("systems", self.judged.systems().len(), 1)?;
        at_least("metrics", self.metrics.len(), 1)?;
        at_least("coefficients", self.correlations.len(), 1)?;
        distinct("metric", self.metrics.iter().map(MetricRow::name))?;
        distinct("unit", self.units.iter().map(|unit| unit.name.as_str()))?;
        if self.metrics.iter().any(MetricRow::is_over_units) {
            at_least("units", self.units.len(), 1)?;
        }
        let alone = self.open_alone()?;
        let store = Store::open(self.folder.as_deref(), self.judged.checksum())?;
        let human = Human::of(self.judged);
        let runs =
            |row: &MetricRow, unit: &Unit| row.is_over_units() && !row.skipped.contains(&unit.name);
        let cells =
            self.units.iter().map(|unit| self.metrics.iter().filter(|row| runs(row, unit)).count());
        let (texts, lines) = (self.judged.texts().len(), self.lines());
        let steps = self.units.len() * texts + (cells.sum::<usize>() + alone.len()) * lines;
        self.progress.begin("meta-evaluation, texts", Some(steps as u64));

        let mut findings = self.frame(&human);
        for unit in &self.units {
            // Cut once: every metric of the unit finds the texts cut.
            let tokenizer = Arc::new(Cached::new(Arc::clone(&unit.tokenizer), MEMORY));
            let unit = Unit { tokenizer, ..unit.clone() };
            findings.units.push(self.cut(&unit, &store)?);
            for row in self.metrics.iter().filter(|row| runs(row, &unit)) {
                let Build::OverUnits(build) = &row.build else { continue };
                let scorer = build(Arc::clone(&unit.tokenizer));
                let scorer = scorer.map_err(|error| failed(row, Some(&unit.name), error))?;
                let cell = self.cell(row, Some(&unit.name), &*scorer, &human, &store)?;
                findings.cells.push(cell);
            }
        }
        for (row, scorer) in &alone {
            findings.cells.push(self.cell(row, None, &**scorer, &human, &store)?);
        }
        Ok(findings)
    }

    /// The metrics that stand alone; the data have what they need.
    fn open_alone(&self) -> Result<Vec<(&MetricRow, Box<dyn Scorer>)>> {
        let mut opened = Vec::new();
        for row in &self.metrics {
            let Build::Alone(open) = &row.build else { continue };
            let scorer = open().map_err(|error| failed(row, None, error))?;
            let (needs, signature) = (scorer.needs(), scorer.signature());
            for system in self.judged.systems() {
                let checked = needs.check(&signature, &borrowed(&system.segments), 1);
                checked.map_err(|error| failed(row, None, error))?;
            }
            opened.push((row, scorer));
        }
        Ok(opened)
    }

    fn frame(&self, human: &Human) -> Findings {
        let systems = self.judged.systems().iter().enumerate().map(|(number, system)| {
            let targets = || human.targets.iter();
            SystemFinding {
                name: system.name.clone(),
                human: targets().filter_map(|t| t.means.get(number)).copied().collect(),
                segments: targets().filter_map(|t| t.scores.get(number)).cloned().collect(),
            }
        });
        Findings {
            checksum: self.judged.checksum(),
            segments: self.judged.len(),
            targets: human.targets.iter().map(|target| target.name.clone()).collect(),
            systems: systems.collect(),
            units: Vec::new(),
            metrics: self.metrics.iter().map(|row| row.name.clone()).collect(),
            correlations: self.correlations.clone(),
            judging: self.judged.judging().cloned(),
            quotes: self.judged.quotes(),
            cells: Vec::new(),
        }
    }

    /// Cuts all texts once, for the figures and for the memory.
    fn cut(&self, unit: &Unit, store: &Store) -> Result<UnitFinding> {
        let signature = unit.tokenizer.signature();
        let key = signature.to_string();
        let cost = match store.load::<UnitCost>("cut", &key) {
            Some(cost) => {
                self.progress.advance(self.judged.texts().len() as u64);
                cost
            }
            None => {
                let cost = self.cut_all(unit)?;
                store.save("cut", &key, &cost)?;
                cost
            }
        };
        let (name, family) = (unit.name.clone(), unit.family.clone());
        Ok(UnitFinding { name, signature, family, cost })
    }

    /// The first texts on one thread, to be timed; the rest on all cores.
    fn cut_all(&self, unit: &Unit) -> Result<UnitCost> {
        let texts = self.judged.texts();
        let (timed, others) = texts.split_at(texts.len().min(TIMED_TEXTS));
        self.progress.note(&format!("cutting by {}", unit.name));
        let start = Instant::now();
        let mut counts = Vec::with_capacity(texts.len());
        for text in timed {
            counts.push(unit.tokenizer.tokenize(text)?.len());
        }
        let seconds = start.elapsed().as_secs_f64();
        self.progress.advance(timed.len() as u64);
        counts.extend(par_map(others, |text| {
            let count = unit.tokenizer.tokenize(text)?.len();
            self.progress.advance(1);
            Ok(count)
        })?);
        let (references, outputs) = (self.judged.references(), self.judged.outputs());
        let mut cost = UnitCost {
            texts: texts.len(),
            words: 0,
            tokens: 0,
            reference_words: 0,
            reference_tokens: 0,
            output_words: 0,
            output_tokens: 0,
            timed: timed.len(),
            seconds,
        };
        for (text, tokens) in texts.iter().zip(counts) {
            let words = text.split_whitespace().count();
            cost.words += words;
            cost.tokens += tokens;
            if references.contains(text) {
                cost.reference_words += words;
                cost.reference_tokens += tokens;
            }
            if outputs.contains(text) {
                cost.output_words += words;
                cost.output_tokens += tokens;
            }
        }
        Ok(cost)
    }

    fn cell(
        &self,
        row: &MetricRow,
        unit: Option<&str>,
        scorer: &dyn Scorer,
        human: &Human,
        store: &Store,
    ) -> Result<Cell> {
        let key = scorer.signature().to_string();
        let signature = match self.judged.quotes().signed() {
            Some(form) => scorer.signature().with("quotes", form),
            None => scorer.signature(),
        };
        let scores = match store.load::<Scores>("score", &key) {
            Some(scores) => {
                self.progress.advance(self.lines() as u64);
                scores
            }
            None => {
                self.progress.note(&title(&row.name, unit));
                let scores = self.score(scorer).map_err(|error| failed(row, unit, error))?;
                store.save("score", &key, &scores)?;
                scores
            }
        };
        let agreeing = Agreeing::new(row, scorer.direction(), &scores);
        let cell = Cell {
            metric: row.name.clone(),
            unit: unit.map(str::to_owned),
            signature,
            order: row.order.clone(),
            settings: row.settings.clone(),
            negated: scorer.direction() == Direction::LowerIsBetter,
            cap: row.cap,
            agreement: human
                .targets
                .iter()
                .flat_map(|target| {
                    agreement(&self.correlations, &self.bootstrap, target, &agreeing)
                })
                .collect(),
            pairwise: human.pairwise(&agreeing),
            scores,
        };
        Ok(cell)
    }

    /// How many segments all systems have together.
    fn lines(&self) -> usize {
        self.judged.systems().iter().map(|system| system.segments.len()).sum()
    }

    fn score(&self, scorer: &dyn Scorer) -> ko_eval_core::Result<Scores> {
        let start = Instant::now();
        let (mut systems, mut segments) = (Vec::new(), Vec::new());
        for system in self.judged.systems() {
            let evaluation = scorer.evaluate(&borrowed(&system.segments))?;
            self.progress.advance(system.segments.len() as u64);
            systems.push(evaluation.corpus.score.value);
            segments.push(evaluation.segments.into_iter().map(|score| score.value).collect());
        }
        let seconds = start.elapsed().as_secs_f64();
        let (timed, timed_seconds) = self.time(scorer)?;
        Ok(Scores { systems, segments, seconds, timed, timed_seconds })
    }

    /// How long a few outputs of every system take on one thread.
    fn time(&self, scorer: &dyn Scorer) -> ko_eval_core::Result<(usize, f64)> {
        let systems = self.judged.systems();
        let each = TIMED_OUTPUTS.div_ceil(systems.len().max(1));
        let some = systems.iter().flat_map(|system| system.segments.iter().take(each));
        let sample: Vec<Segment<'_>> =
            some.take(TIMED_OUTPUTS).map(OwnedSegment::as_segment).collect();
        let quickest = on_one_thread(|| -> ko_eval_core::Result<f64> {
            let (mut quickest, begin) = (f64::INFINITY, Instant::now());
            for _ in 0..TIMED_RUNS {
                let start = Instant::now();
                scorer.segment_scores(&sample.as_slice())?;
                quickest = quickest.min(start.elapsed().as_secs_f64());
                if begin.elapsed().as_secs_f64() > TIMED_SECONDS {
                    break;
                }
            }
            Ok(quickest)
        })?;
        Ok((sample.len(), quickest))
    }
}

/// A metric that cannot be opened or fails.
fn failed(row: &MetricRow, unit: Option<&str>, error: ko_eval_core::Error) -> Error {
    let (metric, unit) = (row.name.clone(), unit.map(str::to_owned));
    Error::Cell { metric, unit, source: Box::new(error) }
}

fn borrowed(segments: &[OwnedSegment]) -> Vec<Segment<'_>> {
    segments.iter().map(OwnedSegment::as_segment).collect()
}

fn distinct<'n>(what: &str, names: impl Iterator<Item = &'n str>) -> Result<()> {
    let mut seen = std::collections::HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(Error::invalid(what, name, "a name of its own"));
        }
    }
    Ok(())
}
