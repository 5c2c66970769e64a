//! `ko-eval compare`

use super::wanted::{WantedArgs, explained};
use crate::{
    output::{Cell, OutputArgs, Report},
    progress::Shown,
};
use anyhow::{Context, Result};
use clap::ValueEnum;
use ko_eval::{
    Keep, Measurement, Progress, Signature,
    read::Parallel,
    significance::{Bootstrap, Comparison, Interval, Pair, PairedTest},
};
use serde_json::json;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The baseline's output, one segment per line
    #[arg(long, value_name = "FILE")]
    baseline: PathBuf,
    /// Another system's output; repeatable
    #[arg(long = "system", value_name = "FILE", required = true)]
    systems: Vec<PathBuf>,
    /// References, one per line; repeat it for several references
    #[arg(long = "ref", value_name = "FILE")]
    references: Vec<PathBuf>,
    /// Sources, one per line: the documents of summaries, the originals of translations
    #[arg(long = "src", value_name = "FILE")]
    source: Option<PathBuf>,
    #[command(flatten)]
    wanted: WantedArgs,
    /// The paired test
    #[arg(long, value_enum, default_value_t)]
    test: Test,
    /// How many resamples [default: 1000 for bootstrap, 10000 for randomization]
    #[arg(long, value_name = "N")]
    samples: Option<usize>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 12345)]
    seed: u64,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Test {
    /// Paired bootstrap resampling
    #[default]
    Bootstrap,
    /// Paired approximate randomisation
    Randomization,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let test = match args.test {
        Test::Bootstrap => PairedTest::bootstrap(args.samples.unwrap_or(1000), args.seed)?,
        Test::Randomization => {
            PairedTest::randomization(args.samples.unwrap_or(10_000), args.seed)?
        }
    };
    let bootstrap = Bootstrap::new(args.samples.unwrap_or(1000), args.seed)?;
    let panel = args.wanted.panel()?;
    Parallel::check_needs(panel.needs(), !args.references.is_empty(), args.source.is_some())?;

    // Every system is measured once, the baseline first; all that follows is arithmetic.
    let files: Vec<&PathBuf> = std::iter::once(&args.baseline).chain(&args.systems).collect();
    let shown = Shown::of("comparing segments", None);
    let mut measured: Vec<Vec<Box<dyn Measurement + '_>>> = Vec::new();
    for path in &files {
        let mut segments =
            Parallel::new(path).references(&args.references).source(args.source.as_ref()).open()?;
        let count = |segments| shown.advance(segments as u64);
        let system = panel.measure_stream(&mut segments, Keep::Segments, count);
        measured.push(system.map_err(explained).with_context(|| path.display().to_string())?);
    }
    drop(shown);

    let all: Vec<&dyn Measurement> = measured.iter().flatten().map(|m| &**m).collect();
    let intervals = bootstrap.intervals(&all)?;
    let metrics = panel.rows().len();
    let (baseline, systems) = all.split_at(metrics);
    let pairs: Vec<Pair<'_>> =
        baseline.iter().copied().cycle().zip(systems.iter().copied()).collect();
    let comparisons = test.compare(&pairs)?;

    let (mut rows, mut values): (Vec<Vec<Cell>>, Vec<_>) = Default::default();
    for (number, named) in panel.rows().iter().enumerate() {
        // The figures of one metric, a system after the other.
        let of_system = intervals.iter().skip(number).step_by(metrics);
        let tests = comparisons.iter().skip(number).step_by(metrics).map(Some);
        let signature = baseline.get(number).map(|m| m.corpus_score()).transpose()?;
        let signature =
            signature.map(|score| sign(score.signature, args.test, args.samples, args.seed));
        let signature = signature.map(|s| s.to_string()).unwrap_or_default();
        let systems = files.iter().zip(of_system).zip(std::iter::once(None).chain(tests));
        for ((path, ci), comparison) in systems {
            let name = path.display().to_string();
            let p = comparison.map(|Comparison { p_value, .. }| *p_value);
            let Interval { score, low, high, mean, .. } = ci;
            rows.push(vec![
                named.metric.as_str().into(),
                named.unit.as_deref().unwrap_or("–").into(),
                name.as_str().into(),
                (*score).into(),
                (*low).into(),
                (*high).into(),
                p.map_or(Cell::Empty, Cell::from),
                if p.is_some_and(|p| p < 0.05) { "*".into() } else { Cell::Empty },
            ]);
            values.push(json!({
                "metric": named.metric, "unit": named.unit, "system": name, "score": score,
                "ci": { "low": low, "high": high, "mean": mean }, "p_value": p,
                "signature": signature,
            }));
        }
    }
    args.output.write(&Report {
        columns: ["metric", "unit", "system", "score", "low", "high", "p", "p < 0.05"]
            .map(str::to_owned)
            .to_vec(),
        rows,
        json: json!({ "comparisons": values }),
    })
}

fn sign(signature: Signature, test: Test, samples: Option<usize>, seed: u64) -> Signature {
    let (name, default) = match test {
        Test::Bootstrap => ("bs", 1000),
        Test::Randomization => ("ar", 10_000),
    };
    signature.with(name, samples.unwrap_or(default)).with("seed", seed)
}
