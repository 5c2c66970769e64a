//! `ko-eval compare`

use super::{
    tone,
    wanted::{WantedArgs, explained},
};
use crate::{
    cli::named_file,
    input::{self, EncodingArgs},
    lang,
    output::{Cell, OutputArgs, Report},
    progress::Shown,
};
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use ko_eval::{
    Keep, Measurement, OwnedSegment, Progress, Signature,
    compare::{
        ComparisonPage, Findings, Grouping, Language, Lineup, Speech, Trial,
        history::{Date, History, Run, RunName},
    },
    read::{Lines, Parallel},
    significance::Interval,
};
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// References, one per line; a file for each of a segment
    #[arg(value_name = "REF")]
    more_references: Vec<PathBuf>,
    /// The baseline's output, one segment per line; NAME=FILE gives it a name
    #[arg(long, value_name = "FILE", value_parser = system)]
    baseline: System,
    /// Another system's output, likewise; repeatable. Only --save can do without
    #[arg(long = "system", value_name = "FILE", value_parser = system)]
    systems: Vec<System>,
    /// References, one per line; repeat it for several references
    #[arg(long = "ref", value_name = "FILE")]
    references: Vec<PathBuf>,
    /// Sources, one per line: the documents of summaries, the originals of translations
    #[arg(long = "src", value_name = "FILE")]
    source: Option<PathBuf>,
    #[command(flatten)]
    encoding: EncodingArgs,
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
    page: PageArgs,
    #[command(flatten)]
    save: SaveArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// The page to look into.
#[derive(Debug, clap::Args)]
struct PageArgs {
    /// Also write a page for 2 to 10 systems there: scores, groups, and every segment side by side
    #[arg(long, value_name = "FOLDER")]
    html: Option<PathBuf>,
    /// The page's title
    #[arg(long, requires = "html")]
    title: Option<String>,
    /// What you know of the segments: a TSV with a header, a line per segment; every column makes groups of the page
    #[arg(long, value_name = "FILE", requires = "html")]
    groups: Option<PathBuf>,
    /// What tells the page speech levels, honorifics and morphemes: mecab, kiwi, … (see `ko-eval units`), or `endings`, which
    /// needs no dictionary. Left out: mecab, or `endings` where its dictionary is not installed
    #[arg(long, value_name = "SPEC", requires = "html")]
    analyzer: Option<String>,
}

/// Where the run is kept.
#[derive(Debug, clap::Args)]
struct SaveArgs {
    /// Keep the run under this name, with the statistics of each segment, for `ko-eval history`
    #[arg(long, value_name = "NAME", requires = "date")]
    save: Option<RunName>,
    /// The date of the run that is kept: YYYY-MM-DD, or YYYY-MM-DDTHH:MM[:SS][Z]
    #[arg(long, requires = "save")]
    date: Option<Date>,
    /// Where runs are kept
    #[arg(long, value_name = "FOLDER", default_value = super::history::FOLDER)]
    history: PathBuf,
}

/// A system's output and what it is called.
#[derive(Debug, Clone)]
struct System {
    name: String,
    file: PathBuf,
}

/// `NAME=FILE`, or a file that is its own name.
fn system(text: &str) -> Result<System, String> {
    match named_file(text) {
        Ok((name, file)) if !Path::new(text).exists() => Ok(System { name, file }),
        _ => Ok(System { name: text.to_owned(), file: text.into() }),
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Test {
    /// Paired bootstrap resampling
    #[default]
    Bootstrap,
    /// Paired approximate randomisation
    Randomization,
}

impl Args {
    fn trial(&self) -> Result<Trial> {
        Ok(match self.test {
            Test::Bootstrap => Trial::bootstrap(self.samples.unwrap_or(1000), self.seed)?,
            Test::Randomization => Trial::randomization(self.samples.unwrap_or(10_000), self.seed)?
                .intervals(self.samples.unwrap_or(1000), self.seed)?,
        })
    }

    fn all(&self) -> impl Iterator<Item = &System> + Clone {
        std::iter::once(&self.baseline).chain(&self.systems)
    }

    fn sign(&self, signature: Signature) -> Signature {
        let (name, default) = match self.test {
            Test::Bootstrap => ("bs", 1000),
            Test::Randomization => ("ar", 10_000),
        };
        signature.with(name, self.samples.unwrap_or(default)).with("seed", self.seed)
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    ensure!(
        args.save.save.is_some() || !args.systems.is_empty(),
        "give another system with --system FILE, or keep the baseline's run with --save NAME"
    );
    let trial = args.trial()?;
    if let Some(name) = &args.save.save {
        History::check_new(&args.save.history, name)?;
    }
    let panel = args.wanted.panel()?;
    let references: Vec<&PathBuf> = args.references.iter().chain(&args.more_references).collect();
    Parallel::check_needs(panel.needs(), !references.is_empty(), args.source.is_some())?;
    let outputs = args.all().map(|system| &system.file);
    let files = || outputs.clone().chain(references.iter().copied()).chain(&args.source);
    input::only_once(files())?;
    let encoding = args.encoding.encoding;
    files().try_for_each(|path| input::refuse_table(path, encoding))?;

    // Every system is measured once, the baseline first; all that follows is arithmetic.
    let keeps_texts = args.page.html.is_some() || args.save.save.is_some();
    let shown = Shown::of("comparing segments", None);
    let mut measured: Vec<Vec<Box<dyn Measurement + '_>>> = Vec::new();
    let mut texts: Vec<(&str, Vec<OwnedSegment>)> = Vec::new();
    for System { name, file } in args.all() {
        let segments =
            Parallel::new(file).references(references.iter().copied()).source(args.source.as_ref());
        let segments = segments.open_by(&|path| input::lines(path, encoding))?;
        // Texts are remembered only where somebody will look at them.
        let mut seen = Vec::new();
        let mut segments = segments.inspect(|segment| {
            if let (Ok(segment), true) = (segment, keeps_texts) {
                seen.push(segment.clone());
            }
        });
        let count = |segments| shown.advance(segments as u64);
        let system = panel.measure_stream(&mut segments, Keep::Segments, count);
        measured.push(system.map_err(explained).with_context(|| file.display().to_string())?);
        texts.push((name, seen));
    }
    drop(shown);

    let lineup = keeps_texts.then(|| Lineup::new(texts)).transpose()?;
    let findings = match (&args.page.html, &lineup) {
        (Some(folder), Some(lineup)) => {
            let speech = Speech::analyze(lineup, &tone::analyzer(args.page.analyzer.as_deref())?)?;
            let groupings = args.page.groupings(lineup, &speech)?;
            let findings = Findings::new(panel.rows(), &measured, &groupings, &trial)?;
            let written = args.page.page(lineup, &findings)?.speech(&speech).write(folder)?;
            eprintln!("ko-eval: {}", written.display());
            findings
        }
        _ => Findings::against_baseline(panel.rows(), &measured, &trial)?,
    };
    if let (SaveArgs { save: Some(name), date: Some(date), history }, Some(lineup)) =
        (&args.save, &lineup)
    {
        let run = Run::new(name.clone(), date.clone(), lineup, &findings, &measured)?;
        let written = History::save(history, &run)?;
        eprintln!("ko-eval: {}", written.display());
    }
    args.output.write(&args.report(&findings))
}

impl PageArgs {
    fn page<'a>(&self, lineup: &'a Lineup, findings: &'a Findings) -> Result<ComparisonPage<'a>> {
        let page = ComparisonPage::new(lineup, findings)?.language(match lang::is_korean() {
            true => Language::Korean,
            false => Language::English,
        });
        Ok(match &self.title {
            Some(title) => page.title(title),
            None => page,
        })
    }

    fn groupings(&self, lineup: &Lineup, speech: &Speech) -> Result<Vec<Grouping>> {
        let mut groupings = vec![
            Grouping::by_length(lineup),
            Grouping::by_numbers(lineup),
            Grouping::by_register(speech),
        ];
        if let Some(file) = &self.groups {
            for (name, values) in columns(file, lineup.len())? {
                let grouping = Grouping::by_column(name, &values);
                groupings.push(grouping.with_context(|| file.display().to_string())?);
            }
        }
        Ok(groupings)
    }
}

/// The columns of a TSV with a header, all of this length.
fn columns(file: &Path, length: usize) -> Result<Vec<(String, Vec<String>)>> {
    let mut lines = Lines::open(file)?;
    let header = lines.next().transpose()?.unwrap_or_default();
    let mut columns: Vec<(String, Vec<String>)> =
        header.split('\t').map(|name| (name.trim().to_owned(), Vec::new())).collect();
    if columns.iter().any(|(name, _)| name.is_empty()) {
        return Err(lines.error("the header must name every column").into());
    }
    while let Some(line) = lines.next().transpose()? {
        let cells: Vec<&str> = line.split('\t').collect();
        if cells.len() != columns.len() {
            let reason = format!("{} columns, expected {}", cells.len(), columns.len());
            return Err(lines.error(reason).into());
        }
        for ((_, values), cell) in columns.iter_mut().zip(cells) {
            values.push(cell.trim().to_owned());
        }
    }
    match columns.first().map_or(0, |(_, values)| values.len()) {
        found if found == length => Ok(columns),
        found => {
            let reason = format!("{found} lines below the header, but there are {length} segments");
            Err(lines.error(reason).into())
        }
    }
}

impl Args {
    /// The figures of each metric, a system after the other.
    fn report(&self, findings: &Findings) -> Report {
        let (mut rows, mut values): (Vec<Vec<Cell>>, Vec<_>) = Default::default();
        for finding in &findings.metrics {
            let signature = self.sign(finding.signature.clone()).to_string();
            for (place, (System { name, .. }, ci)) in self.all().zip(&finding.scores).enumerate() {
                let test = finding.pairs.iter().find(|p| (p.baseline, p.system) == (0, place));
                let p = test.map(|test| test.p_value);
                let Interval { score, low, high, mean, .. } = ci;
                rows.push(vec![
                    finding.metric.as_str().into(),
                    finding.unit.as_deref().unwrap_or("–").into(),
                    Cell::File(name.clone()),
                    (*score).into(),
                    (*low).into(),
                    (*high).into(),
                    p.map_or(Cell::Empty, |p| Cell::from(p).noted(remark(p))),
                    Cell::Signature(signature.clone()),
                ]);
                values.push(json!({
                    "metric": finding.metric, "unit": finding.unit, "system": name, "score": score,
                    "ci": { "low": low, "high": high, "mean": mean }, "p_value": p,
                    "signature": signature,
                }));
            }
        }
        Report {
            columns: ["metric", "unit", "system", "score", "low", "high", "p", "signature"]
                .map(str::to_owned)
                .to_vec(),
            rows,
            json: json!({ "comparisons": values }),
        }
    }
}

/// What is worth a footnote.
fn remark(p: f64) -> Vec<String> {
    if p < 0.05 { vec!["p < 0.05".into()] } else { Vec::new() }
}
