//! Several metrics over the same segments: every text is cut once per unit, however many metrics look at it.

use crate::{
    Cached, Explanation, IntoSegment, Keep, Measurement, Needs, Result, Scorer, Segment, Segments,
    Tokenizer,
    parallel::par_map,
    stream::{CHUNK, in_chunks},
};
use std::sync::Arc;

/// What the units of a chunk of segments may take in memory, in bytes; beyond it texts are cut again.
const MEMORY: usize = 64 << 20;

/// How many segments are explained at once: explanations take far more memory than statistics.
const EXPLAINED_CHUNK: usize = 512;

/// Metrics that are measured together. Made by [`Library::panel`](crate::Library::panel), or row by row.
///
/// ```
/// use ko_eval_core::{Keep, Panel, Segment};
/// # use ko_eval_core::*;
/// # #[derive(Debug)] struct Length;
/// # impl Signed for Length { fn signature(&self) -> Signature { Signature::new("Length") } }
/// # impl Metric for Length {
/// #     type Stats = MeanStats;
/// #     fn direction(&self) -> Direction { Direction::HigherIsBetter }
/// #     fn needs(&self) -> Needs { Needs::NOTHING }
/// #     fn segment_stats(&self, s: &Segment<'_>) -> Result<MeanStats> { MeanStats::of(s.hypothesis().chars().count() as f64) }
/// #     fn score(&self, stats: &MeanStats) -> Score { stats.score() }
/// # }
/// let mut panel = Panel::default();
/// panel.push("length", None, Box::new(Length));
/// let measured = panel.measure(&[Segment::alone("비가 온다")], Keep::Total)?;
/// assert_eq!(measured[0].corpus_score()?.score.value, 5.0);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Panel {
    rows: Vec<PanelRow>,
    shared: Vec<Arc<Cached<Arc<dyn Tokenizer>>>>,
}

/// A metric of a [`Panel`], with the names it was asked for by.
#[derive(Debug)]
pub struct PanelRow {
    /// The metric: `bleu:order=2`.
    pub metric: String,
    /// Its unit, unless it stands alone.
    pub unit: Option<String>,
    /// The metric itself.
    pub scorer: Box<dyn Scorer>,
}

impl Panel {
    /// Adds a metric.
    pub fn push(&mut self, metric: &str, unit: Option<&str>, scorer: Box<dyn Scorer>) {
        let (metric, unit) = (metric.to_owned(), unit.map(str::to_owned));
        self.rows.push(PanelRow { metric, unit, scorer });
    }

    /// A unit for the metrics that are added next. If several will look at it and it is not cheap, its texts are
    /// remembered from one metric to the next.
    pub fn share(&mut self, unit: Arc<dyn Tokenizer>, several: bool) -> Arc<dyn Tokenizer> {
        if !several || unit.is_cheap() {
            return unit;
        }
        let cached = Arc::new(Cached::new(unit, MEMORY));
        self.shared.push(Arc::clone(&cached));
        cached
    }

    /// The metrics, in the order of their measurements.
    pub fn rows(&self) -> &[PanelRow] {
        &self.rows
    }

    /// What the metrics need together.
    pub fn needs(&self) -> Needs {
        self.rows.iter().fold(Needs::NOTHING, |all, row| all.and(row.scorer.needs()))
    }

    /// Begins to measure.
    pub fn begin(&self, keep: Keep) -> Measuring<'_> {
        let measurements = self.rows.iter().map(|row| row.scorer.begin(keep)).collect();
        Measuring { panel: self, measurements }
    }

    /// Measures segments that are held in memory.
    ///
    /// # Errors
    /// As [`Measuring::add`].
    pub fn measure<'p>(
        &'p self,
        segments: &dyn Segments,
        keep: Keep,
    ) -> Result<Vec<Box<dyn Measurement + 'p>>> {
        let mut measuring = self.begin(keep);
        for chunk in segments.as_segments().chunks(CHUNK) {
            measuring.add(chunk)?;
        }
        Ok(measuring.finish())
    }

    /// Measures segments as they pass by; `progress` hears of each chunk how many segments it had.
    ///
    /// # Errors
    /// As [`Measuring::add`], or the first error of the stream itself.
    pub fn measure_stream<'p>(
        &'p self,
        segments: impl IntoIterator<Item: IntoSegment>,
        keep: Keep,
        mut progress: impl FnMut(usize),
    ) -> Result<Vec<Box<dyn Measurement + 'p>>> {
        let mut measuring = self.begin(keep);
        in_chunks(segments, |chunk| {
            measuring.add(chunk)?;
            progress(chunk.len());
            Ok(())
        })?;
        Ok(measuring.finish())
    }

    /// Why segments have their scores: for each of them the explanations of all metrics, in the order of the rows.
    ///
    /// # Errors
    /// As [`Measuring::add`].
    pub fn explain(&self, segments: &[Segment<'_>]) -> Result<Vec<Vec<Explanation>>> {
        self.check(segments, 1)?;
        let mut all = Vec::with_capacity(segments.len());
        for chunk in segments.chunks(EXPLAINED_CHUNK) {
            all.append(&mut self.explain_chunk(chunk)?);
        }
        Ok(all)
    }

    /// The same, keeping only what `keep` makes of each segment's explanations; it is given the segment's number, counted
    /// from 0. For large corpora: the explanations of some hundred segments are held at once, on all cores.
    ///
    /// # Errors
    /// As [`Panel::explain`], or the error of the first segment that `keep` fails on.
    pub fn explain_with<T: Send>(
        &self,
        segments: &[Segment<'_>],
        keep: impl Fn(usize, &[Explanation]) -> Result<T> + Sync + Send,
    ) -> Result<Vec<T>> {
        self.check(segments, 1)?;
        let mut kept = Vec::with_capacity(segments.len());
        for chunk in segments.chunks(EXPLAINED_CHUNK) {
            let explained = self.explain_chunk(chunk)?;
            let numbered: Vec<_> = (kept.len()..).zip(explained).collect();
            kept.append(&mut par_map(&numbered, |(number, all)| keep(*number, all))?);
        }
        Ok(kept)
    }

    fn explain_chunk(&self, segments: &[Segment<'_>]) -> Result<Vec<Vec<Explanation>>> {
        self.learn(segments)?;
        let mut explained: Vec<Vec<Explanation>> =
            segments.iter().map(|_| Vec::with_capacity(self.rows.len())).collect();
        for row in &self.rows {
            let explanations = row.scorer.explain_all(segments)?;
            explained.iter_mut().zip(explanations).for_each(|(all, one)| all.push(one));
        }
        self.forget();
        Ok(explained)
    }

    /// Whether the segments, of which the first has this number, have what every metric needs.
    fn check(&self, segments: &[Segment<'_>], first: usize) -> Result<()> {
        let check =
            |row: &PanelRow| row.scorer.needs().check(&row.scorer.signature(), segments, first);
        self.rows.iter().try_for_each(check)
    }

    /// Cuts the texts once for every unit that metrics share.
    fn learn(&self, segments: &[Segment<'_>]) -> Result<()> {
        if self.shared.is_empty() {
            return Ok(());
        }
        let texts: Vec<&str> = segments.iter().flat_map(Segment::texts).collect();
        self.shared.iter().try_for_each(|unit| unit.learn_all(&texts))
    }

    fn forget(&self) {
        self.shared.iter().for_each(|unit| unit.forget());
    }
}

/// Measurements under way.
#[derive(Debug)]
pub struct Measuring<'p> {
    panel: &'p Panel,
    measurements: Vec<Box<dyn Measurement + 'p>>,
}

impl<'p> Measuring<'p> {
    /// Measures more segments.
    ///
    /// # Errors
    /// [`Error::Needs`](crate::Error::Needs) before anything is measured, or the error of the first segment that fails.
    pub fn add(&mut self, segments: &[Segment<'_>]) -> Result<()> {
        let first = self.measurements.first().map_or(0, |m| m.len()) + 1;
        self.panel.check(segments, first)?;
        self.panel.learn(segments)?;
        for measurement in &mut self.measurements {
            measurement.add(segments)?;
        }
        self.panel.forget();
        Ok(())
    }

    /// The measurements, in the order of the panel's rows.
    pub fn finish(self) -> Vec<Box<dyn Measurement + 'p>> {
        self.measurements
    }
}
