//! A small metric, and what lacks of it.

use ko_eval_core::{
    Direction, MeanStats, Metric, Result, Score, Segment, Signature, Signed, Token, Tokenizer,
};
use std::sync::Arc;

/// The share of the hypothesis's n-grams that the references hold, or that they lack.
#[derive(Debug)]
pub(crate) struct Overlap {
    pub(crate) units: Arc<dyn Tokenizer>,
    pub(crate) order: usize,
    pub(crate) direction: Direction,
}

impl Signed for Overlap {
    fn signature(&self) -> Signature {
        let name = match self.direction {
            Direction::HigherIsBetter => "overlap",
            Direction::LowerIsBetter => "lack",
        };
        Signature::new(name).with("order", self.order).with_nested("tok", &self.units.signature())
    }
}

impl Metric for Overlap {
    type Stats = MeanStats;

    fn direction(&self) -> Direction {
        self.direction
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<MeanStats> {
        let own = self.units.tokenize(segment.hypothesis())?;
        let references: Vec<_> = segment
            .references()
            .iter()
            .map(|text| self.units.tokenize(text))
            .collect::<Result<_>>()?;
        let texts = |tokens: &[Token<'_>]| -> Vec<String> {
            tokens.iter().map(|t| t.as_str().to_owned()).collect()
        };
        let held: Vec<Vec<String>> = references
            .iter()
            .flat_map(|tokens| tokens.windows(self.order).map(texts).collect::<Vec<_>>())
            .collect();
        let own: Vec<Vec<String>> = own.windows(self.order).map(texts).collect();
        let share =
            own.iter().filter(|gram| held.contains(gram)).count() as f64 / own.len().max(1) as f64;
        MeanStats::of(match self.direction {
            Direction::HigherIsBetter => share,
            Direction::LowerIsBetter => 100.0 * (1.0 - share),
        })
    }

    fn score(&self, stats: &MeanStats) -> Score {
        stats.score()
    }
}
