//! `ko-eval score`

pub(super) mod rows;

use super::wanted::{WantedArgs, explained};
use crate::{
    corpus::{CorpusArgs, System},
    output::{self, OutputArgs},
    progress::Shown,
};
use anyhow::{Context, Result, bail, ensure};
use ko_eval::{
    Keep, Measurement, Panel, PanelRow, Progress, Shard, files,
    ngram::sacrebleu::{Published, line},
    significance::{Bootstrap, Interval},
};
use rows::{Ci, Row};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Reference files beside --hyp, hypothesis files beside --ref, or files of pairs
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    wanted: WantedArgs,
    /// Score what a signature of sacreBLEU 2.x describes (metric, unit and settings), as in
    /// "nrefs:1|case:mixed|eff:no|tok:ko-mecab|smooth:exp|version:2.6.0"; repeatable. What cannot be honoured is an error
    #[arg(long = "signature", value_name = "SIGNATURE")]
    signatures: Vec<Published>,
    /// Also the line that sacreBLEU prints, with its own signature, where the metric and the unit are sacreBLEU's
    #[arg(long)]
    sacrebleu: bool,
    /// Also the score of every segment
    #[arg(long)]
    segments: bool,
    /// Also a 95 % confidence interval by bootstrap resampling
    #[arg(long)]
    ci: bool,
    /// How many resamples --ci draws
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "ci")]
    samples: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 12345, requires = "ci")]
    seed: u64,
    /// Write the statistics there as well, for `ko-eval merge`
    #[arg(long, value_name = "FILE")]
    statistics: Option<PathBuf>,
    /// Print only the scores, one per line, in full precision
    #[arg(long, short, conflicts_with_all = ["format", "output", "ci", "sacrebleu"])]
    bare: bool,
    #[command(flatten)]
    output: OutputArgs,
}

/// A shard with the name that rebuilds its metric.
#[derive(Debug, Serialize)]
pub(super) struct NamedShard {
    pub(super) metric: String,
    #[serde(flatten)]
    pub(super) shard: Shard,
}

/// By hand, because what is flattened lets any other field pass.
impl<'de> Deserialize<'de> for NamedShard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = serde_json::Map::deserialize(deserializer)?;
        let metric = fields.remove("metric").unwrap_or_default();
        let parse = || {
            Ok(Self {
                metric: serde_json::from_value(metric)?,
                shard: serde_json::from_value(fields.into())?,
            })
        };
        parse().map_err(|e: serde_json::Error| D::Error::custom(e))
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    // All names are checked, and all models opened, before anything is read or scored.
    let panel = args.wanted.panel_with(&args.signatures)?;
    let systems = args.corpus.systems(&args.files)?;
    let several = systems.len() > 1;
    ensure!(
        !several || args.statistics.is_none(),
        "--statistics holds one system; score each by itself"
    );
    for system in &systems {
        system.check(panel.needs())?;
    }
    let bootstrap = Bootstrap::new(args.samples, args.seed)?;
    let mut by_system = Vec::new();
    for system in &systems {
        let measured = measure(args, &panel, system);
        let measured =
            if several { measured.with_context(|| system.name.clone())? } else { measured? };
        by_system.push(measured);
    }
    let all: Vec<&dyn Measurement> = by_system.iter().flatten().map(|m| &**m).collect();
    let mut intervals: Vec<Option<Interval>> = match args.ci {
        true => bootstrap.intervals(&all)?.into_iter().map(Some).collect(),
        false => all.iter().map(|_| None).collect(),
    };
    // Systems stand side by side: a metric's rows follow each other.
    let mut rows = Vec::new();
    for (number, named) in panel.rows().iter().enumerate() {
        for (place, (system, measured)) in systems.iter().zip(&by_system).enumerate() {
            let Some(measured) = measured.get(number) else { continue };
            let interval = intervals.get_mut(place * panel.rows().len() + number);
            let mut row = row(args, named, &**measured, interval.and_then(Option::take))?;
            row.system = several.then(|| system.name.clone());
            rows.push(row);
        }
    }
    if let (Some(path), [measured]) = (&args.statistics, by_system.as_slice()) {
        let mut shards = Vec::new();
        for (named, measured) in panel.rows().iter().zip(measured) {
            let shard = measured.shard()?.with_unit(named.unit.clone());
            shards.push(NamedShard { metric: named.metric.clone(), shard });
        }
        files::write_output(path, &serde_json::to_vec(&shards)?)?;
    }
    if args.bare {
        return output::print(rows::bare(&rows).as_bytes());
    }
    args.output.write(&rows::report(&rows)?)
}

/// One pass over a system's segments.
fn measure<'p>(
    args: &Args,
    panel: &'p Panel,
    system: &System<'_>,
) -> Result<Vec<Box<dyn Measurement + 'p>>> {
    // Single segments are remembered only where somebody will ask for them.
    let keep = if args.segments || args.ci { Keep::Segments } else { Keep::Total };
    let shown = Shown::of("scoring segments", None);
    let mut segments = system.stream(panel)?;
    let count = |count| shown.advance(count as u64);
    panel.measure_stream(&mut *segments, keep, count).map_err(explained)
}

fn row(
    args: &Args,
    named: &PanelRow,
    measured: &dyn Measurement,
    interval: Option<Interval>,
) -> Result<Row> {
    let corpus = measured.corpus_score()?;
    let references = corpus.signature.get("nrefs").unwrap_or_default();
    check_references(&args.signatures, named, references)?;
    let unit = named.unit.as_deref();
    let sacrebleu = unit
        .filter(|_| args.sacrebleu)
        .and_then(|unit| line(&named.metric, unit, references.parse().ok(), &corpus.score));
    let mut row = Row::new(&named.metric, unit, &*named.scorer, corpus);
    row.sacrebleu = sacrebleu;
    row.ci = interval.map(|i| Ci { low: i.low, high: i.high, mean: i.mean });
    if args.segments {
        row.segments = Some(measured.segment_scores()?.iter().map(|score| score.value).collect());
    }
    Ok(row)
}

/// A signature's `nrefs` must be what the data have.
fn check_references(signatures: &[Published], named: &PanelRow, found: &str) -> Result<()> {
    let same =
        |told: &&Published| told.metric == named.metric && Some(&told.unit) == named.unit.as_ref();
    match signatures.iter().find(same).and_then(|told| told.references) {
        Some(wanted) if found != wanted.to_string() => {
            bail!(
                "the signature says nrefs:{wanted}, but the segments have {found} references each"
            )
        }
        _ => Ok(()),
    }
}
