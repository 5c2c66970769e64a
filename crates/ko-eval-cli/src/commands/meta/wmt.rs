//! `ko-eval meta wmt`

use super::{capped, in_family};
use crate::{
    cli::named_file,
    lang::{fill, of_reports, tr},
    models, names, output,
    progress::Shown,
};
use anyhow::{Context, Result, bail};
use ko_eval::{
    files::{FolderLock, write_atomically},
    meta::{
        Correlation, Experiment, Findings, MetricRow, Unit,
        experiment::expand,
        report,
        wmt::{Averages, PermutationTest, Scope, ScoreTable, Selection, Standing, Task, TestSet},
    },
    significance::Bootstrap,
};
use std::{collections::BTreeSet, path::PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A test set in the folders of mt-metrics-eval, such as mt-metrics-eval-v2/wmt25
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// A language pair, such as en-ko_KR; repeatable
    #[arg(long = "language-pair", short = 'l', value_name = "PAIR", required = true)]
    pairs: Vec<String>,
    /// Human scores [default: mqm, else esa, else what is there]
    #[arg(long, value_name = "NAME")]
    gold: Option<String>,
    /// The reference that metrics use [default: the standard one]
    #[arg(long = "ref", value_name = "NAME")]
    reference: Option<String>,
    /// What is measured, as SCOPE:STATISTIC[:GROUPING]; repeatable. SCOPE is segment or system; GROUPING global, item or system
    /// [default: as --year]
    #[arg(long = "task", value_name = "TASK")]
    tasks: Vec<String>,
    /// Measure what WMT measured in this year
    #[arg(long, value_enum, default_value = "2025", conflicts_with = "tasks")]
    year: Year,
    /// Only these of the stored metrics, by their base names (BLEU, COMET22); repeatable [default: all]
    #[arg(long = "stored", value_name = "NAME")]
    stored: Vec<String>,
    /// Leave the stored metrics out
    #[arg(long, conflicts_with = "stored")]
    no_stored: bool,
    /// Scores of another metric: a file with system and score per line, all segments of a system in order; repeatable
    #[arg(long = "scores", value_name = "NAME=FILE", value_parser = named_file)]
    scores: Vec<(String, PathBuf)>,
    /// A metric of ours, as NAME[:key=value,…]; repeatable
    #[arg(long = "metric", short, value_name = "SPEC")]
    metrics: Vec<String>,
    /// A unit for it, as NAME[:key=value,…]; repeatable
    #[arg(long = "unit", short, value_name = "SPEC", default_values = ["char"])]
    units: Vec<String>,
    /// Only segments of this domain
    #[arg(long, value_name = "NAME")]
    domain: Option<String>,
    /// Let outputs of people take part, except the reference
    #[arg(long)]
    human_outputs: bool,
    /// Leave a system out; repeatable
    #[arg(long = "outlier", value_name = "SYSTEM")]
    outliers: Vec<String>,
    /// Keep systems that are outliers of the test set
    #[arg(long)]
    keep_outliers: bool,
    /// How many permutations at most; 0 tests nothing
    #[arg(long, value_name = "N", default_value_t = 1000)]
    permutations: usize,
    /// After so many, pairs of metrics whose p-value is plain are left alone
    #[arg(long, value_name = "N", default_value_t = 100)]
    block: usize,
    /// Where the permutations come from
    #[arg(long, default_value_t = 12345)]
    seed: u64,
    /// Where the report goes; scores of our metrics are kept in its folder `work`, so that a run that was stopped goes on where it was
    #[arg(long, short, value_name = "FOLDER", default_value = "ko-eval-wmt")]
    output: PathBuf,
}

/// What WMT measured.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Year {
    /// Pairwise accuracy and Pearson's r of systems, Pearson's r and calibrated accuracy of segments
    #[value(name = "2023")]
    Wmt23,
    /// Soft pairwise accuracy of systems, calibrated accuracy of segments
    #[value(name = "2024")]
    Wmt24,
    /// The same
    #[value(name = "2025")]
    Wmt25,
}

impl Year {
    fn tasks(self) -> Vec<Task> {
        match self {
            Self::Wmt23 => Task::WMT23.to_vec(),
            Self::Wmt24 | Self::Wmt25 => Task::WMT24.to_vec(),
        }
    }
}

/// A language pair, what of it is compared, and what our metrics say of it.
struct Pair {
    set: TestSet,
    chosen: Selection,
    reference: String,
    /// Our metrics' scores of all systems that take part in anything.
    ours: Option<Findings>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let tasks: Vec<Task> = match args.tasks.as_slice() {
        [] => args.year.tasks(),
        named => named.iter().map(|task| Ok(task.parse()?)).collect::<Result<_>>()?,
    };
    if args.permutations > 0 && args.block == 0 {
        bail!("--block 0: expected at least 1");
    }
    let test = (args.permutations > 0).then(|| PermutationTest {
        draws: args.permutations,
        block: args.block,
        seed: args.seed,
        ..PermutationTest::default()
    });
    let shown = Shown::new();
    let pairs: Vec<Pair> = args
        .pairs
        .iter()
        .map(|pair| Pair::read(args, pair, &tasks, &shown))
        .collect::<Result<_>>()?;
    let (mut standings, mut weights) = (Vec::new(), Vec::new());
    for task in &tasks {
        let tables = pairs.iter().map(|pair| pair.table(*task)).collect::<Result<Vec<_>>>()?;
        let names = || pairs.iter().map(|pair| pair.set.pair());
        let named: Vec<(String, ScoreTable, f64)> = if task.is_pooled() {
            let all = names().collect::<Vec<_>>().join(", ");
            vec![(all, ScoreTable::join(&tables)?, pairs.len() as f64)]
        } else {
            names().map(str::to_owned).zip(tables).map(|(name, table)| (name, table, 1.0)).collect()
        };
        for (name, table, weight) in named {
            let title = format!("{name}, {task}");
            let context = || title.clone();
            let standing =
                table.standing(&title, task.statistic, task.grouping, test.as_ref(), &shown);
            standings.push(standing.with_context(context)?);
            weights.push(weight);
        }
    }
    drop(shown);
    let sum: f64 = weights.iter().sum();
    let weights: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
    let averages = match standings.len() {
        1 => None,
        _ => Some(Averages::of(&standings, Some(&weights))?),
    };
    let notes: Vec<String> = pairs.iter().flat_map(Pair::notes).collect();
    write(args, &standings, averages.as_ref(), &notes)?;
    output::print(in_words(&standings, averages.as_ref(), args).as_bytes())
}

impl Pair {
    fn read(args: &Args, pair: &str, tasks: &[Task], shown: &Shown) -> Result<Self> {
        let mut set = TestSet::read(&args.folder, pair)?;
        for (name, file) in &args.scores {
            set.add_scores(name, file)?;
        }
        let standards = set.standards();
        let Some(gold) = args.gold.clone().or(standards.gold) else {
            bail!("{pair} has no human scores; {} has them in human-scores", args.folder.display());
        };
        let Some(reference) = args.reference.clone().or(standards.reference) else {
            bail!("{pair} has no references");
        };
        let mut outliers: BTreeSet<String> = args.outliers.iter().cloned().collect();
        if !args.keep_outliers {
            outliers.extend(standards.outliers);
        }
        let nothing = || BTreeSet::from([String::new()]);
        let stored = args.stored.iter().cloned().collect();
        let chosen = Selection {
            gold,
            references: BTreeSet::from([reference.clone()]),
            human_outputs: args.human_outputs,
            outliers,
            metrics: if args.no_stored { nothing() } else { stored },
            domain: args.domain.clone(),
        };
        let mut own = Self { set, chosen, reference, ours: None };
        own.ours = own.scored(args, tasks, shown)?;
        Ok(own)
    }

    /// The scores of our metrics, from the folder of finished work where they lie there.
    fn scored(&self, args: &Args, tasks: &[Task], shown: &Shown) -> Result<Option<Findings>> {
        if args.metrics.is_empty() {
            return Ok(None);
        }
        let mut systems = BTreeSet::new();
        for task in tasks {
            systems.extend(self.set.compared(task.scores(), &self.chosen)?);
        }
        let systems: Vec<&str> = systems.into_iter().collect();
        let judged = self.set.judged(&systems, &self.reference, &self.chosen)?;
        let mut specs = Vec::new();
        for spec in args.metrics.iter().flat_map(|spec| names::metrics(spec)) {
            specs.extend(expand(&ko_eval::LIBRARY, &spec)?);
        }
        specs.iter().try_for_each(|spec| models::check_argument(spec))?;
        let rows = specs.iter().map(|spec| MetricRow::by_name(ko_eval::LIBRARY, spec));
        let rows: Vec<MetricRow> = rows.collect::<ko_eval::Result<_>>()?;
        let mut experiment = Experiment::new(&judged);
        if rows.iter().any(MetricRow::is_over_units) {
            for unit in args.units.iter().map(|spec| names::unit(spec)) {
                experiment = experiment.unit(in_family(Unit::by_name(&unit, ko_eval::unit)?));
            }
        }
        let findings = experiment
            .metrics(rows.into_iter().map(capped))
            // Standings say how sure they are by permutations.
            .correlations([Correlation::Pearson])
            .bootstrap(Bootstrap::new(1, 1)?)
            .folder(args.output.join("work").join(self.set.pair()))
            .progress(shown)
            .run()?;
        Ok(Some(findings))
    }

    /// People's scores with those of all metrics.
    fn table(&self, task: Task) -> Result<ScoreTable> {
        let scope = task.scores();
        let mut table = self.set.table(scope, &self.chosen)?;
        let Some(findings) = &self.ours else { return Ok(table) };
        let systems = self.set.compared(scope, &self.chosen)?;
        let segments = self.set.segments(&self.chosen);
        let place = |name: &str| findings.systems.iter().position(|system| system.name == name);
        for cell in &findings.cells {
            let better = |score: f64| if cell.negated { -score } else { score };
            let mut scores = Vec::new();
            for system in systems.iter().filter_map(|system| place(system)) {
                match scope {
                    Scope::System => {
                        scores.extend(cell.scores.systems.get(system).map(|s| better(*s)));
                    }
                    Scope::Segment => {
                        let own =
                            cell.scores.segments.get(system).map(Vec::as_slice).unwrap_or_default();
                        scores.extend(
                            segments.iter().filter_map(|at| own.get(*at)).map(|s| better(*s)),
                        );
                    }
                }
            }
            let name = match &cell.unit {
                Some(unit) => format!("{} @ {unit}", cell.metric),
                None => cell.metric.clone(),
            };
            table = table.metric(name, scores)?;
        }
        Ok(table)
    }

    /// What the figures rest on.
    fn notes(&self) -> Vec<String> {
        let Selection { gold, outliers, .. } = &self.chosen;
        let mut notes = vec![format!(
            "{} {}: {} segments, human scores {gold}, reference {}",
            self.set.name(),
            self.set.pair(),
            self.set.len(),
            self.reference
        )];
        if !outliers.is_empty() {
            let names: Vec<&str> = outliers.iter().map(String::as_str).collect();
            notes.push(format!("{}: without {}", self.set.pair(), names.join(", ")));
        }
        if !self.set.repaired().is_empty() {
            notes.push(format!("no scores, counted as 0: {}", self.set.repaired().join("; ")));
        }
        if let Some(findings) = &self.ours {
            notes.extend(
                findings.cells.iter().map(|cell| format!("{}: {}", cell.title(), cell.signature)),
            );
        }
        notes
    }
}

fn write(
    args: &Args,
    standings: &[Standing],
    averages: Option<&Averages>,
    notes: &[String],
) -> Result<()> {
    let _held = FolderLock::take(&args.output)?;
    let title = fill("How metrics agree with people: {0}", &[&args.pairs.join(", ")]);
    let document = report::wmt::standings(title, standings, averages, notes, of_reports());
    document.write(&args.output)?;
    let json = serde_json::json!({
        "standings": standings,
        "averages": averages,
        "notes": notes,
        "seed": args.seed,
    });
    let path = args.output.join("standings.json");
    Ok(write_atomically(&path, output::json_text(json)?.as_bytes())?)
}

/// The ranks for the terminal.
fn in_words(standings: &[Standing], averages: Option<&Averages>, args: &Args) -> String {
    let mut text = String::new();
    for standing in standings {
        text += &format!("{}\n", standing.task);
        for metric in &standing.metrics {
            text += &format!("{:>4}  {:>8.4}  {}\n", metric.rank, metric.value, metric.metric);
        }
    }
    if let Some(averages) = averages {
        text += &format!("{}\n", tr("mean over all tasks"));
        for metric in &averages.metrics {
            text += &format!("{:>4}  {:>8.4}  {}\n", metric.rank, metric.value, metric.metric);
        }
    }
    let page = args.output.join("report.html").display().to_string();
    text + &fill("report: {0}", &[&page]) + "\n"
}
