//! A metric of your own gets corpus scores, shards, intervals and paired tests for nothing.

use ko_eval::{
    Corpus, Direction, MeanStats, Metric, Result, Score, Scorer, Segment, Signature, Signed,
    significance::Bootstrap,
};

/// The share of hypotheses that end as politely as their first reference: both in 요 or 니다, or neither.
#[derive(Debug)]
struct SamePoliteness;

impl Signed for SamePoliteness {
    fn signature(&self) -> Signature {
        Signature::new("SamePoliteness").with("version", env!("CARGO_PKG_VERSION"))
    }
}

impl Metric for SamePoliteness {
    type Stats = MeanStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<MeanStats> {
        let polite = |text: &str| {
            let text = text.trim_end_matches(['.', '!', '?']);
            text.ends_with('요') || text.ends_with("니다")
        };
        let same =
            segment.references().first().is_some_and(|r| polite(r) == polite(segment.hypothesis()));
        MeanStats::of(f64::from(u8::from(same)))
    }

    fn score(&self, stats: &MeanStats) -> Score {
        stats.score()
    }
}

fn main() -> Result<()> {
    let corpus = Corpus::from_columns(
        ["밥 먹었어요.", "내일 봅시다.", "안녕히 가십시오.", "비가 옵니다."],
        [["밥 먹었습니다.", "내일 만나요.", "잘 가.", "비가 와요."]],
    )?;
    let ci = SamePoliteness.confidence(&corpus.segments(), &Bootstrap::default())?;
    println!("{:.2} [{:.2}, {:.2}]  {}", ci.score, ci.low, ci.high, SamePoliteness.signature());
    Ok(())
}
