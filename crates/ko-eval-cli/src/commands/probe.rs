//! `ko-eval probe`

mod build;

use crate::{
    cli::{Format, named_file, named_program},
    lang::{self, fill},
    models::{self, ModelArgs, PromptArgs},
    output,
    progress::Shown,
};
use anyhow::{Context, Result, bail};
use clap::Subcommand;
use ko_eval::{
    bridge::Program,
    files::{FolderLock, write_atomically},
    neural::{Pooling, VectorProgram},
    probe::{
        Control, Dataset, DescriptionLength, Experiment, Findings, ProbeReport, Subject,
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
    str::FromStr,
    sync::Arc,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build the data sets of the probing tasks from a treebank, in SentEval's format
    Build(build::BuildArgs),
    /// Convert files of the Sejong treebank to CoNLL-U
    Convert(build::ConvertArgs),
    /// Probe embedders on the data sets; vectors and findings are kept, so a second run resumes where the first stopped
    Run(RunArgs),
    /// Print the findings of an earlier run
    Report(ReportArgs),
    /// Print speech level, honorification, tense, mood and negation of each sentence, as JSON lines
    Grammar(GrammarArgs),
}

#[derive(Debug, clap::Args)]
#[command(mut_group("ModelArgs", |how| how.requires("models")))]
#[command(mut_group("PromptArgs", |prompt| prompt.requires("models")))]
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
    /// Vectors from a program: it reads one text per line, and answers `{"vector": […]}` on one line each; they are kept under
    /// the command and the version, so a program that was changed needs another version; repeatable
    #[arg(long = "program", value_name = "NAME=COMMAND[,version=V]", value_parser = named_program)]
    programs: Vec<(String, Program)>,
    /// Folder of a model; repeatable
    #[arg(long = "model", value_name = "FOLDER", value_parser = models::folder())]
    models: Vec<PathBuf>,
    /// Layers of the models to probe, a row each: all, or a number (0 is the embeddings); repeatable [default: the sentence
    /// vectors that the model's folder specifies]
    #[arg(long = "layer", value_name = "all|N", requires = "models")]
    layers: Vec<Layer>,
    /// How token vectors are pooled: cls, mean, max or last [default: what the model's folder specifies, else mean]
    #[arg(long, value_name = "NAME", requires = "models")]
    pooling: Option<Pooling>,
    #[command(flatten)]
    prompt: PromptArgs,
    #[command(flatten)]
    how: ModelArgs,
    /// Also train every probe on random labels, as a control
    #[arg(long)]
    control: bool,
    /// Also measure the minimum description length of the labels by an online code, in bits
    #[arg(long)]
    mdl: bool,
    /// How many seeds every probe is trained with; scores are their mean, with the standard deviation
    #[arg(long, value_name = "N", default_value_t = 1)]
    seeds: usize,
    /// Folder for the report, and for vectors and findings that are kept
    #[arg(long, short, value_name = "FOLDER", default_value = "ko-eval-probe")]
    output: PathBuf,
}

/// What `--layer` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layer {
    All,
    Number(usize),
}

impl FromStr for Layer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            _ => text.parse().map(Self::Number).map_err(|_| "expected `all` or a number".into()),
        }
    }
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
        Command::Build(args) => build::build(args),
        Command::Convert(args) => build::convert(args),
        Command::Run(args) => probe(args),
        Command::Report(args) => report(args),
        Command::Grammar(args) => grammar(args),
    }
}

fn probe(args: &RunArgs) -> Result<()> {
    let subjects =
        args.embedders.iter().map(|spec| Ok(Subject::new(spec, embedders::by_name(spec)?)));
    let mut subjects: Vec<Subject> = subjects.collect::<Result<_>>()?;
    for (name, path) in &args.vectors {
        subjects.push(Subject::new(name, Arc::new(Precomputed::from_jsonl(name, path)?)));
    }
    for (name, program) in &args.programs {
        subjects.push(Subject::new(name, Arc::new(VectorProgram::new(program.clone())?)));
    }
    for (folder, name) in args.models.iter().zip(names(&args.models)) {
        subjects.push(model(folder, name, args)?);
    }
    let data = data_sets(&args.data)?;
    let _held = FolderLock::take(&args.output)?;
    let shown = Shown::new();
    let control = if args.control { Control::RandomLabels } else { Control::None };
    let length = if args.mdl { DescriptionLength::OnlineCode } else { DescriptionLength::None };
    let experiment = Experiment::new()
        .control(control)
        .description_length(length)
        .seeds(args.seeds)?
        .cache(args.output.join("vectors"));
    let findings = experiment.run(&subjects, &data, &shown)?;
    drop(shown);
    let report = ProbeReport::new(&findings).language(lang::of_reports());
    write_atomically(&args.output.join("findings.json"), report.json()?.as_bytes())?;
    report.document().write(&args.output)?;
    let page = args.output.join("report.html").display().to_string();
    let told = format!("{}{}\n", report.text(), fill("report: {0}", &[&page]));
    output::print(told.as_bytes())
}

/// What models are called: each as its folder, and where another's folder has the same name, with as many of the folders above as it
/// takes to tell them apart.
fn names(folders: &[PathBuf]) -> Vec<String> {
    let whole = |folder: &PathBuf| fs::canonicalize(folder).unwrap_or_else(|_| folder.clone());
    let paths: Vec<PathBuf> = folders.iter().map(whole).collect();
    let name = |(place, path): (usize, &PathBuf)| {
        let is_own = |end: &&Path| {
            let mut others = paths.iter().enumerate().filter(|(other, _)| *other != place);
            others.all(|(_, other)| !other.ends_with(end))
        };
        let mut ends = path.ancestors().skip(1).filter_map(|above| path.strip_prefix(above).ok());
        ends.find(is_own).unwrap_or(path).display().to_string()
    };
    paths.iter().enumerate().map(name).collect()
}

/// A model's sentence vectors, or the layers that were asked for.
fn model(folder: &Path, name: String, args: &RunArgs) -> Result<Subject> {
    let number = |layer: &Layer| match layer {
        Layer::All => None,
        Layer::Number(number) => Some(*number),
    };
    let numbers: Option<Vec<usize>> = args.layers.iter().map(number).collect();
    let (pooling, prompt) = (args.pooling, args.prompt.prompt());
    Ok(match numbers.as_deref() {
        Some([]) => Subject::new(name, models::embedder(folder, pooling, &prompt, &args.how)?),
        layers => {
            let layers = models::layer_embedder(folder, pooling, &prompt, layers, &args.how)?;
            Subject::layers(name, layers)
        }
    })
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
        "deviation",
        "bits",
        "compression",
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
            optional(finding.deviation()),
            optional(finding.bits()),
            optional(finding.compression()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_one_name_are_told_apart_by_the_folders_above() {
        for (folders, wanted) in [
            (&["models/albert", "models/bert"][..], &["albert", "bert"][..]),
            (
                &["before/albert", "after/albert", "bert"],
                &["before/albert", "after/albert", "bert"],
            ),
            (
                &["a/before/albert", "b/before/albert", "b/after/albert"],
                &["a/before/albert", "b/before/albert", "after/albert"],
            ),
            (&["albert", "old/albert"], &["albert", "old/albert"]),
            // One folder twice stays one name, which is refused.
            (&["m/albert", "m/albert"], &["m/albert", "m/albert"]),
        ] {
            let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
            assert_eq!(names(&folders), wanted);
        }
    }
}
