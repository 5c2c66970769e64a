//! `ko-eval probe`

use crate::{
    cli::{Format, named_file},
    lang::{self, fill},
    models::{self, ModelArgs},
    output,
    progress::Shown,
};
use anyhow::{Context, Result, bail};
use clap::Subcommand;
use ko_eval::{
    files::{FolderLock, write_atomically},
    probe::{
        Balance, Control, Dataset, Experiment, Findings, Options, ProbeReport, Split, Subject,
        Task, Treebank, WordLimits,
        embedders::{self, Precomputed},
        senteval,
    },
    read::Lines,
    register::Grammar,
    tokenize::analyzer_by_name,
};
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build the data sets of the probing tasks from a treebank, in SentEval's format
    Build(BuildArgs),
    /// Probe embedders on the data sets; vectors are cached, so a second run resumes where the first stopped
    Run(RunArgs),
    /// Print the findings of an earlier run
    Report(ReportArgs),
    /// Print speech level, honorification, tense, mood and negation of each sentence, as JSON lines
    Grammar(GrammarArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct BuildArgs {
    /// Treebank in CoNLL-U format; repeatable
    #[arg(required = true, value_name = "FILE")]
    treebanks: Vec<PathBuf>,
    /// Folder to write the data sets to, one TASK.txt each
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// Name of a task; repeatable [default: all nine standard tasks]
    #[arg(long = "task", value_name = "NAME")]
    tasks: Vec<String>,
    /// Morphological analyzer for treebanks without morphemes, as NAME[:key=value,…]
    #[arg(long, value_name = "SPEC")]
    unit: Option<String>,
    /// Reduce every class to the size of the smallest one
    #[arg(long)]
    balance: bool,
    /// Scale the limits of the word-content task to the size of the treebank
    #[arg(long)]
    scale: bool,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = Split::default().seed())]
    seed: u64,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Folder with the data sets that `probe build` wrote
    data: PathBuf,
    /// Built-in embedder (ngrams, jamo or random), as NAME[:key=value,…]; repeatable
    #[arg(long = "embedder", value_name = "SPEC", default_values = ["ngrams", "jamo"])]
    embedders: Vec<String>,
    /// Precomputed vectors, for example from `ko-eval embed`, one `{"text": "…", "vector": […]}` per line;
    /// repeatable
    #[arg(long, value_name = "NAME=FILE", value_parser = named_file)]
    vectors: Vec<(String, PathBuf)>,
    /// Folder of a model; repeatable
    #[arg(long = "model", value_name = "FOLDER")]
    models: Vec<PathBuf>,
    #[command(flatten)]
    how: ModelArgs,
    /// Also train every probe on random labels, as a control
    #[arg(long)]
    control: bool,
    /// Folder for the report and the cached vectors
    #[arg(long, short, value_name = "FOLDER", default_value = "ko-eval-probe")]
    output: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// The `findings.json` of a run
    findings: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct GrammarArgs {
    /// File with one sentence per line; `-` reads standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Morphological analyzer, as NAME[:key=value,…]
    #[arg(long, value_name = "SPEC", default_value = "mecab")]
    unit: String,
}

pub(crate) fn run(command: &Command) -> Result<()> {
    match command {
        Command::Build(args) => build(args),
        Command::Run(args) => probe(args),
        Command::Report(args) => report(args),
        Command::Grammar(args) => grammar(args),
    }
}

fn build(args: &BuildArgs) -> Result<()> {
    let tasks: Vec<&Task> = match args.tasks.as_slice() {
        [] => Task::defaults().collect(),
        names => names.iter().map(|name| Task::by_name(name)).collect::<Result<_, _>>()?,
    };
    let analyzer = args.unit.as_deref().map(analyzer_by_name).transpose()?;
    let treebank = Treebank::read(&args.treebanks, analyzer.as_deref())?;
    let words = WordLimits::default();
    let balance = if args.balance { Balance::Equal } else { Balance::Natural };
    let options = Options {
        split: Split::new(0.1, 0.1, balance, args.seed)?,
        words: if args.scale { words.scaled_to(treebank.sentences.len()) } else { words },
    };
    let mut built = Vec::new();
    for task in tasks {
        let data = task.build(&treebank, &options);
        let path = senteval::save(&data, &args.output)?;
        let counts: Vec<_> = data.classes.iter().cloned().zip(data.counts(None)).collect();
        built.push(json!({
            "task": data.task, "file": path, "sentences": data.examples.len(),
            "classes": counts, "dropped": data.dropped,
        }));
    }
    let report = json!({ "dropped": treebank.dropped, "tasks": built });
    output::print_json(report)
}

fn probe(args: &RunArgs) -> Result<()> {
    let subjects =
        args.embedders.iter().map(|spec| Ok(Subject::new(spec, embedders::by_name(spec)?)));
    let mut subjects: Vec<Subject> = subjects.collect::<Result<_>>()?;
    for (name, path) in &args.vectors {
        subjects.push(Subject::new(name, Arc::new(Precomputed::from_jsonl(name, path)?)));
    }
    for folder in &args.models {
        let embedder = models::embedder(folder, None, &args.how)?;
        subjects.push(Subject::new(models::name(folder), embedder));
    }
    let data = data_sets(&args.data)?;
    let _held = FolderLock::take(&args.output)?;
    let shown = Shown::new();
    let control = if args.control { Control::RandomLabels } else { Control::None };
    let experiment = Experiment::new().control(control).cache(args.output.join("vectors"));
    let findings = experiment.run(&subjects, &data, &shown)?;
    drop(shown);
    let report = ProbeReport::new(&findings).language(lang::of_reports());
    for (name, text) in [
        ("findings.json", report.json()?),
        ("report.md", report.markdown()),
        ("report.html", report.html()),
    ] {
        write_atomically(&args.output.join(name), text.as_bytes())?;
    }
    let page = args.output.join("report.html").display().to_string();
    let told = format!("{}{}\n", report.text(), fill("report: {0}", &[&page]));
    output::print(told.as_bytes())
}

/// The data sets of a folder, in the order of the tasks.
fn data_sets(folder: &Path) -> Result<Vec<Dataset>> {
    let mut data = Vec::new();
    for task in ko_eval::probe::TASKS {
        let path = folder.join(format!("{}.txt", task.name));
        if !path.exists() {
            continue;
        }
        let set = senteval::open(task.name, &path)?;
        if set.classes.len() < 2 {
            eprintln!("ko-eval: {} is left out: it has fewer than two classes", task.name);
        } else {
            data.push(set);
        }
    }
    if data.is_empty() {
        bail!("{}: no data set; `ko-eval probe build` makes them", folder.display());
    }
    Ok(data)
}

fn report(args: &ReportArgs) -> Result<()> {
    let text =
        fs::read_to_string(&args.findings).with_context(|| args.findings.display().to_string())?;
    let findings: Findings =
        serde_json::from_str(&text).with_context(|| args.findings.display().to_string())?;
    let report = ProbeReport::new(&findings).language(lang::of_reports());
    match args.format {
        Format::Table => output::print(report.text().as_bytes()),
        Format::Json => output::print(report.json()?.as_bytes()),
        Format::Csv | Format::Tsv | Format::Markdown => table(&findings).write(args.format, None),
    }
}

/// A row per probe.
fn table(findings: &Findings) -> output::Report {
    let columns = [
        "task",
        "subject",
        "balanced accuracy",
        "low",
        "high",
        "accuracy",
        "one class",
        "majority",
        "control",
        "selectivity",
    ];
    let optional = |value: Option<f64>| value.map_or(output::Cell::Empty, Into::into);
    let rows = findings.findings.iter().map(|finding| {
        let interval = &finding.balanced_accuracy;
        vec![
            finding.task.as_str().into(),
            finding.subject.as_str().into(),
            interval.score.into(),
            interval.low.into(),
            interval.high.into(),
            finding.accuracy.into(),
            finding.chance.into(),
            finding.majority_accuracy.into(),
            optional(finding.control),
            optional(finding.selectivity()),
        ]
    });
    output::Report {
        columns: columns.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        json: json!(findings),
    }
}

fn grammar(args: &GrammarArgs) -> Result<()> {
    let analyzer = analyzer_by_name(&args.unit)?;
    for line in Lines::open(&args.file)? {
        let answers = Grammar::of_text(&line?, analyzer.as_ref())?;
        output::print((serde_json::to_string(&answers)? + "\n").as_bytes())?;
    }
    Ok(())
}
