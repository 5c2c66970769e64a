//! `ko-eval commongen`

use crate::{
    cli::Format,
    output::{self, Report},
    progress,
};
use anyhow::Result;
use clap::Subcommand;
use indicatif::ProgressBar;
use ko_eval::{
    Error, Signed,
    commongen::{
        BadLines, BioTagger, BuildOptions, BuildParts, Clean, Columns, Concepts, Evaluator,
        Extractor, Input, NgramFlagger, Pairs, Pipeline, Protocol, Reading, Reranker, Rule,
        Selection, Source, Split, Statistics, TokenOverlap, Unseen, WithoutEntities, WithoutTags,
        build, progress::Step, read_items,
    },
    read::Lines,
    tokenize::{MorphemeAnalyzer, Tag, analyzer_by_name},
};
use serde_json::json;
use std::{
    io::{BufWriter, Write, stdout},
    path::PathBuf,
    sync::Arc,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Score a system's output, as published and by standard metrics
    Score(ScoreArgs),
    /// Take the concept set from each sentence; one JSON array per line
    Extract(ExtractArgs),
    /// Build a data set from sentences; a run that was stopped goes on where it was
    Build(BuildArgs),
    /// Choose, among several candidates per concept set, the one that covers most concepts
    Rerank(RerankArgs),
    /// Count what a data set holds, and what of it another has not shown
    Stats(StatsArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreArgs {
    /// The test set, in either published form
    #[arg(long, value_name = "FILE")]
    test: PathBuf,
    /// The system's output, a sentence per line
    #[arg(long, value_name = "FILE")]
    system: PathBuf,
    /// Which published averaging: paper or released
    #[arg(long, default_value = "paper")]
    protocol: Protocol,
    /// Also every segment
    #[arg(long)]
    segments: bool,
    /// Leave out broken lines, and say which
    #[arg(long)]
    skip_bad: bool,
    /// The analyzer, as NAME[:key=value,…]
    #[arg(long, value_name = "SPEC", default_value = "mecab")]
    unit: String,
    /// How the scores are written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExtractArgs {
    /// as-published-files, as-printed, free-morphemes or nouns-and-verbs
    #[arg(long, default_value = "as-published-files")]
    rule: Rule,
    /// The analyzer, as NAME[:key=value,…]
    #[arg(long, value_name = "SPEC", default_value = "mecab:penalty=off")]
    unit: String,
    /// Sentences, one per line; `-` is standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct BuildArgs {
    /// Captions: JSONL, TSV or text by the file's ending; repeatable
    #[arg(long = "captions", value_name = "FILE")]
    captions: Vec<PathBuf>,
    /// Dialogue summaries: JSONL, TSV or text by the file's ending; repeatable
    #[arg(long = "summaries", value_name = "FILE")]
    summaries: Vec<PathBuf>,
    /// Where the data set goes
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// How concepts are taken
    #[arg(long, default_value = "as-published-files")]
    rule: Rule,
    /// Drop sentences with these tags: NNP+NR+NP
    #[arg(long, value_name = "TAGS", default_value = "NNP")]
    without_tags: String,
    /// Drop sentences with named entities: a tagger that was saved, or KLUE-NER lines to learn one from
    #[arg(long, value_name = "FILE")]
    entities: Option<PathBuf>,
    /// Which kinds of entities: persons, places and organisations as KLUE names them
    #[arg(long, value_name = "KINDS", default_value = "PS+LC+OG", requires = "entities")]
    entity_kinds: String,
    /// Flag offensive sentences: a flagger that was saved, or labelled comments to learn one from
    #[arg(long, value_name = "FILE")]
    ethics: Option<PathBuf>,
    /// How probable an offence must be; comments on the news are no captions, so be strict
    #[arg(long, value_name = "P", default_value_t = 0.95, requires = "ethics")]
    ethics_threshold: f64,
    /// Keep all sentences instead of the most typical two of each concept
    #[arg(long)]
    keep_all: bool,
    /// Concept sets of the validation set
    #[arg(long, value_name = "N", default_value_t = Split::default().validation)]
    validation: usize,
    /// Concept sets of the test set
    #[arg(long, value_name = "N", default_value_t = Split::default().test)]
    test: usize,
    /// Decides among equals
    #[arg(long, value_name = "N", default_value_t = Split::default().seed)]
    seed: u64,
    /// Leave out broken lines, and say which
    #[arg(long)]
    skip_bad: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RerankArgs {
    /// `{"concept-set": "a#b", "candidates": ["…", {"text": "…", "score": -1.5}]}` per line
    candidates: PathBuf,
    /// Leave out broken lines, and say which
    #[arg(long)]
    skip_bad: bool,
    /// The analyzer, as NAME[:key=value,…]
    #[arg(long, value_name = "SPEC", default_value = "mecab")]
    unit: String,
    /// How the choices are written: text is a sentence per line
    #[arg(long, value_enum, default_value_t)]
    format: super::tokenize::LineFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct StatsArgs {
    /// The data set, in either published form
    file: PathBuf,
    /// A training set: what of the data set's concepts, pairs and triples has it not shown?
    #[arg(long, value_name = "FILE")]
    train: Option<PathBuf>,
    /// Leave out broken lines, and say which
    #[arg(long)]
    skip_bad: bool,
    /// How the statistics are written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(command: &Command) -> Result<()> {
    match command {
        Command::Score(args) => score(args),
        Command::Extract(args) => extract(args),
        Command::Build(args) => build_data_set(args),
        Command::Rerank(args) => rerank(args),
        Command::Stats(args) => stats(args),
    }
}

fn score(args: &ScoreArgs) -> Result<()> {
    let evaluator = Evaluator::new(analyzer_by_name(&args.unit)?, args.protocol);
    let pairs = Pairs::read(&args.test, &args.system, bad_lines(args.skip_bad))?;
    tell_skipped(pairs.skipped());
    let bar = Bar::new();
    let mut scores = evaluator.evaluate(&pairs, &|step| bar.step(step))?;
    bar.0.finish_and_clear();
    if !args.segments {
        scores.by_segment.clear();
    }
    let mut rows = Vec::new();
    let mut push = |segment: String, columns: &Columns| {
        let mut cells = vec![segment.into()];
        cells.extend(columns.values().map(output::Cell::from));
        rows.push(cells);
    };
    push("corpus".into(), &scores.columns);
    for (number, columns) in scores.by_segment.iter().enumerate() {
        push((number + 1).to_string(), columns);
    }
    let mut columns = vec!["segment".to_owned()];
    columns.extend(Columns::NAMES.map(str::to_owned));
    if args.format == Format::Table && args.output.is_none() {
        return output::print(format!("{scores}\n{}\n", scores.signature).as_bytes());
    }
    Report { columns, rows, json: serde_json::to_value(&scores)? }
        .write(args.format, args.output.as_deref())
}

fn extract(args: &ExtractArgs) -> Result<()> {
    let extractor = Extractor::new(analyzer_by_name(&args.unit)?, args.rule);
    let mut out = BufWriter::new(stdout().lock());
    let bar = Bar::new();
    let mut write = |concepts: Vec<String>| {
        let line = serde_json::Value::from(concepts);
        writeln!(out, "{line}").map_err(|e| Error::io("standard output", e))
    };
    extractor.stream(Lines::open(&args.file)?, &mut write, &|step| bar.step(step))?;
    bar.0.finish_and_clear();
    Ok(out.flush()?)
}

fn build_data_set(args: &BuildArgs) -> Result<()> {
    let analyzer: Arc<dyn MorphemeAnalyzer> = analyzer_by_name("mecab:penalty=off")?;
    let tags: Vec<Tag> = args
        .without_tags
        .split('+')
        .filter(|t| !t.is_empty())
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    let mut pipeline = Pipeline::new()
        .stage(Clean::default())
        .stage(Concepts::new(analyzer, args.rule))
        .stage(WithoutTags::new(tags));
    if let Some(path) = &args.entities {
        let kinds = args.entity_kinds.split('+');
        pipeline = pipeline.stage(WithoutEntities::new(Arc::new(BioTagger::open(path)?), kinds));
    }
    let flagger = match &args.ethics {
        Some(path) => Some(NgramFlagger::open(path)?.at(args.ethics_threshold)?),
        None => None,
    };
    let similarity = TokenOverlap::new(ko_eval::unit("mecab")?);
    let inputs = |paths: &[PathBuf], source: Source| -> Vec<Input> {
        paths.iter().map(|path| Input::new(path, source)).collect()
    };
    let options = BuildOptions {
        inputs: [
            inputs(&args.captions, Source::Caption),
            inputs(&args.summaries, Source::Dialogue),
        ]
        .concat(),
        folder: args.output.clone(),
        selection: Selection::default(),
        split: Split {
            validation: args.validation,
            test: args.test,
            seed: args.seed,
            ..Split::default()
        },
        bad_lines: bad_lines(args.skip_bad),
    };
    let parts = BuildParts {
        pipeline: &pipeline,
        similarity: (!args.keep_all).then_some(&similarity as _),
        flagger: flagger.as_ref().map(|flagger| flagger as _),
    };
    let bar = Bar::new();
    let report = build(&options, &parts, &|step| bar.step(step))?;
    bar.0.finish_and_clear();
    for line in &report.skipped {
        eprintln!("ko-eval: skipped {line}");
    }
    output::print(
        (serde_json::to_string_pretty(&json!({
            "report": report,
            "signature": pipeline.signature().to_string(),
            "folder": args.output,
        }))? + "\n")
            .as_bytes(),
    )
}

fn rerank(args: &RerankArgs) -> Result<()> {
    let reranker = Reranker::new(analyzer_by_name(&args.unit)?);
    let bar = Bar::new();
    let read =
        reranker.choose_all(&args.candidates, bad_lines(args.skip_bad), &|step| bar.step(step))?;
    bar.0.finish_and_clear();
    let mut text = String::new();
    for choice in told(read) {
        text += &match args.format {
            super::tokenize::LineFormat::Text => choice.text,
            super::tokenize::LineFormat::Json => serde_json::to_string(&choice)?,
        };
        text.push('\n');
    }
    output::print(text.as_bytes())
}

fn stats(args: &StatsArgs) -> Result<()> {
    let read =
        |path: &PathBuf| -> Result<_> { Ok(told(read_items(path, bad_lines(args.skip_bad))?)) };
    let items = read(&args.file)?;
    let statistics = Statistics::of(&items);
    let unseen = match &args.train {
        Some(path) => Some(Unseen::of(&items, &read(path)?)),
        None => None,
    };
    if args.format != Format::Table {
        let json = json!({ "statistics": statistics, "unseen": unseen });
        return output::print((serde_json::to_string_pretty(&json)? + "\n").as_bytes());
    }
    let mut text = format!("{statistics}\n");
    if let Some(unseen) = unseen {
        for (name, share) in
            [("concepts", unseen.concepts), ("pairs", unseen.pairs), ("triples", unseen.triples)]
        {
            text += &format!("unseen {name:<9} {:.2} %\n", share.percent());
        }
    }
    output::print(text.as_bytes())
}

fn bad_lines(skip: bool) -> BadLines {
    if skip { BadLines::Skip } else { BadLines::Refuse }
}

fn tell_skipped(skipped: &[Error]) {
    for error in skipped {
        eprintln!("ko-eval: skipped {error}");
    }
}

/// What was read, after telling what was not.
fn told<T>(reading: Reading<T>) -> Vec<T> {
    tell_skipped(&reading.skipped);
    reading.into_values()
}

/// Stages on a progress bar.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        Self(progress::bar(0, ""))
    }

    fn step(&self, step: Step) {
        self.0.set_message(step.stage);
        self.0.set_length(step.total.unwrap_or(step.done) as u64);
        self.0.set_position(step.done as u64);
    }
}
