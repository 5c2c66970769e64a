//! Several metrics over the same segments: every text is cut once per unit, however many metrics look at it.

use crate::{
    Cached, Keep, Measurement, Needs, OwnedSegment, Result, Scorer, Segment, Tokenizer,
    scorer::{STREAM_CHUNK, in_chunks},
};
use std::sync::Arc;

/// What the units of a chunk of segments may take in memory, in bytes; beyond it texts are cut again.
const MEMORY: usize = 64 << 20;

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
        segments: &[Segment<'_>],
        keep: Keep,
    ) -> Result<Vec<Box<dyn Measurement + 'p>>> {
        let mut measuring = self.begin(keep);
        for chunk in segments.chunks(STREAM_CHUNK) {
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
        segments: &mut dyn Iterator<Item = Result<OwnedSegment>>,
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
        for row in &self.panel.rows {
            row.scorer.needs().check(&row.scorer.signature(), segments, first)?;
        }
        if !self.panel.shared.is_empty() {
            let texts: Vec<&str> = segments.iter().flat_map(Segment::texts).collect();
            self.panel.shared.iter().try_for_each(|unit| unit.learn_all(&texts))?;
        }
        for measurement in &mut self.measurements {
            measurement.add(segments)?;
        }
        self.panel.shared.iter().for_each(|unit| unit.forget());
        Ok(())
    }

    /// The measurements, in the order of the panel's rows.
    pub fn finish(self) -> Vec<Box<dyn Measurement + 'p>> {
        self.measurements
    }
}
