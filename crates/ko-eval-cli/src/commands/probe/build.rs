//! `ko-eval probe build` and `ko-eval probe convert`: data from treebanks and labelled utterances.

use crate::{lang::fill, output};
use anyhow::{Result, bail};
use ko_eval::{
    files::write_output,
    probe::{
        Balance, Options, Split, Standing, TASKS, Task, Treebank, WordLimits, conllu, sejong,
        senteval,
        utterances::{self, LabelMap},
    },
    tokenize::analyzer_by_name,
};
use serde_json::json;
use std::path::PathBuf;

/// The task that labelled utterances are for.
const SENT_TYPE: &str = "SentType";

#[derive(Debug, clap::Args)]
pub(crate) struct BuildArgs {
    /// Treebank in CoNLL-U format; repeatable
    #[arg(required_unless_present_any = ["sejong", "sent_type"], value_name = "FILE")]
    treebanks: Vec<PathBuf>,
    /// Files of the Sejong treebank as it is distributed (UTF-16, markup, tagged phrase structure)
    #[arg(long, value_name = "FILE", num_args = 1..)]
    sejong: Vec<PathBuf>,
    /// Labelled utterances for SentType, a label and a text per line, instead of the treebank's sentences
    #[arg(long, value_name = "TSV")]
    sent_type: Option<PathBuf>,
    /// What the labels of `--sent-type` mean: interrogative, imperative or other; utterances under other labels are left out
    /// [default: the labels are these words]
    #[arg(long, value_name = "LABEL=CLASS,…", requires = "sent_type")]
    sent_type_map: Option<LabelMap>,
    /// Folder to write the data sets to, one TASK.txt each
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    #[arg(long = "task", value_name = "NAME", help = task_help())]
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
pub(crate) struct ConvertArgs {
    /// Files of the Sejong treebank as it is distributed (UTF-16, markup, tagged phrase structure)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write to [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Every row of the table is named, so that none has to be known beforehand.
fn task_help() -> String {
    let of = |standing: Standing| {
        let rows = TASKS.iter().filter(|task| task.standing == standing);
        rows.map(|task| task.name).collect::<Vec<_>>().join(", ")
    };
    format!(
        "Name of a task; repeatable: {}, and on request {} [default: all but those on request]",
        of(Standing::Default),
        of(Standing::Optional)
    )
}

pub(super) fn build(args: &BuildArgs) -> Result<()> {
    let no_trees = args.treebanks.is_empty() && args.sejong.is_empty();
    let tasks: Vec<&Task> = match args.tasks.as_slice() {
        [] if no_trees => vec![Task::by_name(SENT_TYPE)?],
        [] => Task::defaults().collect(),
        names => names.iter().map(|name| Task::by_name(name)).collect::<Result<_, _>>()?,
    };
    let takes_utterances = |task: &&Task| task.name == SENT_TYPE;
    if args.sent_type.is_some() && !tasks.iter().any(takes_utterances) {
        bail!("--sent-type is for the task {SENT_TYPE}, which no --task asks for");
    }
    if let Some(task) = tasks.iter().find(|task| no_trees && !takes_utterances(task)) {
        bail!("--task {}: it needs a treebank; --sent-type alone makes {SENT_TYPE}", task.name);
    }
    let analyzer = args.unit.as_deref().map(analyzer_by_name).transpose()?;
    let treebank = Treebank::read(&args.treebanks, analyzer.as_deref())?
        .joined(Treebank::read_sejong(&args.sejong, analyzer.as_deref())?);
    let words = WordLimits::default();
    let balance = if args.balance { Balance::Equal } else { Balance::Natural };
    let options = Options {
        split: Split::new(0.1, 0.1, balance, args.seed)?,
        words: if args.scale { words.scaled_to(treebank.sentences.len()) } else { words },
    };
    let mut built = Vec::new();
    for task in tasks {
        let data = match &args.sent_type {
            Some(path) if task.name == SENT_TYPE => {
                let map = args.sent_type_map.clone().unwrap_or_default();
                options.split.apply(utterances::open(path, &map)?)
            }
            _ => task.build(&treebank, &options),
        };
        if data.examples.is_empty() {
            let why = data.dropped.iter().map(|(why, n)| format!("; {why}: {n}"));
            let told = fill("{0} has no sentence", &[task.name]) + &why.collect::<String>();
            // Of all tasks some may be beyond a small treebank; one that is asked for may not.
            if !args.tasks.is_empty() {
                bail!("{told}");
            }
            eprintln!("ko-eval: {told}");
        }
        let path = senteval::save(&data, &args.output)?;
        let counts: Vec<_> = data.classes.iter().cloned().zip(data.counts(None)).collect();
        built.push(json!({
            "task": data.task, "file": path, "sentences": data.examples.len(),
            "classes": counts, "dropped": data.dropped,
        }));
    }
    let mut report = json!({ "dropped": treebank.dropped, "tasks": built });
    if !treebank.broken.is_empty() {
        report["broken"] = json!(treebank.broken);
    }
    output::print_json(report)
}

/// Broken trees are told of and left out; of a file that is none of the corpus nothing is written.
pub(super) fn convert(args: &ConvertArgs) -> Result<()> {
    let (mut converted, mut broken) = (String::new(), 0);
    for file in &args.files {
        for sentence in sejong::Reader::open(file)? {
            match sentence {
                Ok(sentence) => converted += &conllu::write(&sentence),
                Err(error @ ko_eval::Error::BadLine { .. }) => {
                    broken += 1;
                    eprintln!("ko-eval: {error}");
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
    match &args.output {
        Some(path) => write_output(path, converted.as_bytes())?,
        None => output::print(converted.as_bytes())?,
    }
    if broken > 0 {
        eprintln!("ko-eval: {}", fill("broken trees left out: {0}", &[&broken.to_string()]));
    }
    Ok(())
}
