//! `ko-eval history`

use crate::output::{Cell, OutputArgs, Report};
use anyhow::{Result, ensure};
use ko_eval::{
    compare::history::{self, History, Trend, Trends},
    files,
};
use serde_json::json;
use std::{fmt, path::PathBuf};

/// Where runs are kept unless somebody says otherwise.
pub(super) const FOLDER: &str = "ko-eval-history";

/// What is called a drop where nobody asks for a level.
const LEVEL: f64 = 0.05;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where `ko-eval compare --save` kept the runs
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    history: PathBuf,
    /// Only this metric, as it was asked for
    #[arg(long, short, value_name = "SPEC")]
    metric: Option<String>,
    /// Only this system
    #[arg(long, value_name = "NAME")]
    system: Option<String>,
    /// The run that the last one is compared with [default: the one before it]
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Exit with 1 if a score of the last run is significantly worse, at this level: 0.05
    #[arg(long, value_name = "P", value_parser = level)]
    fail_on_drop: Option<f64>,
    /// How many resamples the test draws
    #[arg(long, value_name = "N", default_value_t = 1000)]
    samples: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 12345)]
    seed: u64,
    /// Also write charts into this page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

fn level(text: &str) -> Result<f64, String> {
    let level = text.parse().ok().filter(|level| *level > 0.0 && *level < 1.0);
    level.ok_or_else(|| "expected a number between 0 and 1, such as 0.05".to_owned())
}

/// Scores of the last run are significantly worse.
#[derive(Debug)]
pub(crate) struct Dropped(Vec<String>);

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a score dropped: {}", self.0.join("; "))
    }
}

impl std::error::Error for Dropped {}

pub(crate) fn run(args: &Args) -> Result<()> {
    let history = History::open(&args.history)?;
    ensure!(
        !history.runs().is_empty(),
        "{}: no runs are kept here; `ko-eval compare --save NAME --date DATE --history {0}` keeps one",
        args.history.display()
    );
    let trends = Trends {
        library: ko_eval::LIBRARY,
        metric: args.metric.as_deref(),
        system: args.system.as_deref(),
        against: args.against.as_deref(),
        samples: args.samples,
        seed: args.seed,
    };
    let trends = trends.of(&history)?;
    ensure!(!trends.is_empty(), "no run has a score of this metric and this system");
    let level = args.fail_on_drop.unwrap_or(LEVEL);
    if let Some(path) = &args.html {
        let title = args.history.display().to_string();
        files::write_output(path, history::page(&title, &trends, level).as_bytes())?;
    }
    args.output.write(&report(&trends, level))?;
    let drops: Vec<String> = trends.iter().filter_map(|trend| drop_of(trend, level)).collect();
    match args.fail_on_drop {
        Some(_) if !drops.is_empty() => Err(Dropped(drops).into()),
        _ => Ok(()),
    }
}

/// What dropped, in words.
fn drop_of(trend: &Trend, level: f64) -> Option<String> {
    let change = trend.change.as_ref().filter(|change| change.is_drop(level))?;
    let unit = trend.unit.as_ref().map_or_else(String::new, |unit| format!(" on {unit}"));
    Some(format!(
        "{}{unit} of {} by {:+.4} from {} to {} (p = {:.4})",
        trend.metric, trend.system, change.difference, change.from, change.to, change.p_value
    ))
}

fn report(trends: &[Trend], level: f64) -> Report {
    let mut rows = Vec::new();
    for trend in trends {
        for point in &trend.points {
            let change = trend.change.as_ref().filter(|change| change.to == point.run);
            rows.push(vec![
                trend.metric.as_str().into(),
                trend.unit.as_deref().unwrap_or("–").into(),
                trend.system.as_str().into(),
                point.run.to_string().into(),
                point.date.to_string().into(),
                point.interval.score.into(),
                point.interval.low.into(),
                point.interval.high.into(),
                change.map_or(Cell::Empty, |change| change.difference.into()),
                change.map_or(Cell::Empty, |change| change.p_value.into()),
                change.map_or(Cell::Empty, |change| {
                    if change.is_drop(level) { "drop".into() } else { Cell::Empty }
                }),
            ]);
        }
    }
    let columns =
        ["metric", "unit", "system", "run", "date", "score", "low", "high", "change", "p", "drop"];
    Report {
        columns: columns.map(str::to_owned).to_vec(),
        rows,
        json: json!({ "level": level, "trends": trends }),
    }
}
