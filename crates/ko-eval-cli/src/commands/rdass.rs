//! `ko-eval rdass`

use super::score::{self, Row};
use crate::{
    models::{self, ModelArgs, explained},
    output::OutputArgs,
    progress,
};
use anyhow::{Result, bail};
use ko_eval::{
    MeanStats, Segment, Signed, Stats,
    neural::{
        Pooling, Rdass,
        rdass::{RdassScore, Summary},
        read::{SummaryLine, summaries_jsonl},
    },
    read::parallel_text,
};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The sentence embedder's folder
    #[arg(long, value_name = "FOLDER")]
    model: PathBuf,
    /// Summaries: `{"document": "…", "references": ["…"], "summary": "…"}` per line (JSONL)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["document", "hyp", "reference"])]
    summaries: Option<PathBuf>,
    /// Documents, one per line
    #[arg(long, value_name = "FILE", requires = "hyp")]
    document: Option<PathBuf>,
    /// The summaries to be judged, one per line
    #[arg(long, value_name = "FILE", requires_all = ["document", "reference"])]
    hyp: Option<PathBuf>,
    /// Reference summaries, one per line; repeat it for several references
    #[arg(long = "ref", value_name = "FILE")]
    reference: Vec<PathBuf>,
    /// cls, mean, max or mean-of-last-K [default: as the folder says, else mean]
    #[arg(long, value_name = "NAME")]
    pooling: Option<Pooling>,
    /// A metric beside RDASS, as NAME[:key=value,…]; repeatable (see `ko-eval metrics`)
    #[arg(long = "metric", short, value_name = "SPEC",
          default_values = ["rouge-1", "rouge-2", "rouge-l"])]
    metrics: Vec<String>,
    /// The unit of the metrics beside it, as NAME[:key=value,…]; repeatable (see `ko-eval units`)
    #[arg(long = "unit", short, value_name = "SPEC", default_values = ["word"])]
    units: Vec<String>,
    /// Also the scores of every summary
    #[arg(long)]
    segments: bool,
    #[command(flatten)]
    how: ModelArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut beside = Vec::new();
    for unit in &args.units {
        for metric in &args.metrics {
            beside.push((metric, unit, ko_eval::metric(metric, unit)?));
        }
    }
    let rdass = Rdass::new(models::embedder(&args.model, args.pooling, &args.how)?);
    let lines = read(args)?;
    if lines.is_empty() {
        return Err(ko_eval::Error::EmptyCorpus.into());
    }
    let summaries: Vec<Summary<'_>> = lines
        .iter()
        .map(|line| {
            let references = line.references.iter().map(String::as_str);
            Summary::new(&line.document, references, &line.summary)
        })
        .collect::<ko_eval::Result<_>>()?;
    let bar = progress::spinner("RDASS");
    let texts = lines.iter().map(|line| {
        let both = [&line.document, &line.summary].into_iter();
        both.chain(&line.references).map(String::as_str)
    });
    let scores = rdass.score(&summaries).map_err(explained(texts))?;
    let segments: Vec<Segment<'_>> = summaries.iter().map(|s| s.segment().clone()).collect();
    let mut rows = rows(args, &rdass, &scores);
    for (metric, unit, scorer) in beside {
        rows.push(score::row(metric, unit, scorer.evaluate(&segments)?, args.segments));
    }
    bar.finish_and_clear();
    args.output.write(&score::report(&rows)?)
}

fn read(args: &Args) -> Result<Vec<SummaryLine>> {
    if let Some(path) = &args.summaries {
        return Ok(summaries_jsonl(path)?);
    }
    let (Some(document), Some(hyp)) = (&args.document, &args.hyp) else {
        bail!("give --summaries FILE, or --document FILE with --hyp FILE and --ref FILE");
    };
    // The document is read as one more parallel file.
    let files = std::iter::once(document).chain(&args.reference);
    let line = |segment: ko_eval::Result<ko_eval::OwnedSegment>| {
        let segment = segment?;
        let segment = segment.as_segment();
        let mut texts = segment.references().iter().map(|text| (*text).to_owned());
        Ok(SummaryLine {
            document: texts.next().unwrap_or_default(),
            references: texts.collect(),
            summary: segment.hypothesis().to_owned(),
        })
    };
    Ok(parallel_text(hyp, files)?.map(line).collect::<ko_eval::Result<_>>()?)
}

/// One of the figures of a summary, by its name.
type Part = (&'static str, fn(&RdassScore) -> f64);

/// RDASS and its two halves.
fn rows(args: &Args, rdass: &Rdass, scores: &[RdassScore]) -> Vec<Row> {
    let parts: [Part; 3] = [
        ("rdass", |score| score.value()),
        ("rdass-reference", |score| score.reference),
        ("rdass-document", |score| score.document),
    ];
    let row = |(name, part): Part| Row {
        metric: name.to_owned(),
        unit: models::name(&args.model),
        score: mean(scores.iter().map(part)),
        signature: rdass.signature().to_string(),
        segments: args.segments.then(|| scores.iter().map(part).collect()),
        ..Row::default()
    };
    parts.map(row).into()
}

/// The same to the bit in any order.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let mut all = MeanStats::default();
    values.for_each(|value| all.merge(&MeanStats::of(value)));
    all.mean()
}
