//! `ko-eval compare`

use crate::{
    output::{Cell, OutputArgs, Report},
    progress,
};
use anyhow::{Context, Result};
use clap::ValueEnum;
use ko_eval::{
    Corpus, Signature, read,
    significance::{Bootstrap, PairedTest},
};
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The baseline's output, one segment per line
    #[arg(long, value_name = "FILE")]
    baseline: PathBuf,
    /// Another system's output; repeatable
    #[arg(long = "system", value_name = "FILE", required = true)]
    systems: Vec<PathBuf>,
    /// References, one per line; repeat it for several references
    #[arg(long = "ref", value_name = "FILE", required = true)]
    references: Vec<PathBuf>,
    /// A metric, as NAME[:key=value,…]; repeatable
    #[arg(long = "metric", short, value_name = "SPEC", default_values = ["bleu", "chrf"])]
    metrics: Vec<String>,
    /// The unit, as NAME[:key=value,…]; repeatable
    #[arg(long = "unit", short, value_name = "SPEC", default_values = ["word"])]
    units: Vec<String>,
    /// The paired test
    #[arg(long, value_enum, default_value_t)]
    test: Test,
    /// How many resamples [default: 1000 for bootstrap, 10000 for randomization]
    #[arg(long, value_name = "N")]
    samples: Option<usize>,
    /// Where chance begins
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
    let interval = Bootstrap::new(args.samples.unwrap_or(1000), args.seed)?;
    let mut scorers = Vec::new();
    for unit in &args.units {
        for metric in &args.metrics {
            scorers.push((metric, unit, ko_eval::metric(metric, unit)?));
        }
    }
    let read = |path: &Path| -> Result<Corpus> {
        let segments = read::parallel_text(path, &args.references)?;
        segments.collect::<ko_eval::Result<_>>().with_context(|| path.display().to_string())
    };
    let baseline = read(&args.baseline)?;
    let systems: Vec<Corpus> = args.systems.iter().map(|path| read(path)).collect::<Result<_>>()?;

    let bar = progress::bar(scorers.len() * systems.len(), "comparing");
    let (mut rows, mut values): (Vec<Vec<Cell>>, Vec<_>) = Default::default();
    for (metric, unit, scorer) in scorers {
        let base = baseline.segments();
        let signature = scorer.corpus_score(&base)?.signature;
        let signature = sign(signature, args.test, args.samples, args.seed);
        let ci = scorer.confidence(&base, &interval)?;
        let mut push = |system: &Path, ci: &ko_eval::significance::Interval, p: Option<f64>| {
            let name = system.display().to_string();
            rows.push(vec![
                metric.as_str().into(),
                unit.as_str().into(),
                name.as_str().into(),
                ci.score.into(),
                ci.low.into(),
                ci.high.into(),
                p.map_or(Cell::Empty, Cell::from),
                if p.is_some_and(|p| p < 0.05) { "*".into() } else { Cell::Empty },
            ]);
            values.push(json!({
                "metric": metric, "unit": unit, "system": name, "score": ci.score,
                "ci": { "low": ci.low, "high": ci.high, "mean": ci.mean }, "p_value": p,
                "signature": signature.to_string(),
            }));
        };
        push(&args.baseline, &ci, None);
        for (path, system) in args.systems.iter().zip(&systems) {
            let system = system.segments();
            let comparison = scorer.compare(&base, &system, &test)?;
            push(path, &scorer.confidence(&system, &interval)?, Some(comparison.p_value));
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
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
