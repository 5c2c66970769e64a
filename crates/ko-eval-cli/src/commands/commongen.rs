//! `ko-eval commongen`

mod evaluate;
mod reformulate;
mod sheet;

use super::generate::{CandidatesArgs, DecodingArgs, Otherwise, WriterArgs, answers, finish};
use crate::{
    cli::Format,
    models::{self, ModelArgs},
    output::{self, OutputArgs, Report},
    progress::Shown,
};
use anyhow::{Result, ensure};
use clap::Subcommand;
use ko_eval::{
    EntityTagger, Error, Prompt, Signed, TagScheme,
    commongen::{
        BadLines, BioTagger, BuildOptions, BuildParts, Candidates, Clean, Columns, Concepts,
        EmbeddingCosine, Evaluator, Extractor, Flagger, Inflections, Input, Item, ModelFlagger,
        NgramFlagger, Pairs, Pipeline, Protocol, Reading, Reranker, Rule, Selection, Similarity,
        Source, Split, Statistics, TokenOverlap, Unify, Unseen, WithoutEntities, WithoutTags,
        build, read_items,
        stats::{Morphemes, Share},
    },
    read::Lines,
    tokenize::{MorphemeAnalyzer, Tag, analyzer_by_name},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    io::{BufWriter, Write, stdout},
    path::{Path, PathBuf},
    sync::Arc,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Score a system's output, with the published measures and with standard metrics
    Score(ScoreArgs),
    /// Evaluate all systems of a folder: the tables and figures of the paper, as a report
    Evaluate(evaluate::Args),
    /// Sheets for crowd work: rating sentences, writing references
    #[command(subcommand)]
    Sheet(sheet::Command),
    /// Extract the concept set of each sentence, as one JSON array per line
    Extract(ExtractArgs),
    /// Build a data set from sentences; an interrupted run resumes where it stopped
    Build(Box<BuildArgs>),
    /// Make a test set of other concepts: by a graph of common sense, from sentences that people wrote, whose concepts are taken in reverse
    Reformulate(reformulate::Args),
    /// Write candidate sentences for each concept set, as `commongen rerank` reads them; an interrupted run resumes where it
    /// stopped
    Generate(Box<GenerateArgs>),
    /// Choose the candidate sentence that covers the most concepts, for each concept set
    Rerank(RerankArgs),
    /// Print statistics of a data set, and how much of it a training set does not contain
    Stats(StatsArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreArgs {
    /// Test set, in either published format
    #[arg(long, value_name = "FILE")]
    test: PathBuf,
    /// System output, one sentence per line
    #[arg(long, value_name = "FILE")]
    system: PathBuf,
    /// How scores are averaged: released (as in the released script) or paper (as in the paper, which drops the last segment)
    #[arg(long, default_value_t)]
    protocol: Protocol,
    /// Also print the scores of every segment
    #[arg(long)]
    segments: bool,
    /// Skip malformed lines and report them, instead of stopping at the first
    #[arg(long)]
    skip_bad: bool,
    /// Morphological analyzer, as NAME[:key=value,…]
    #[arg(long, value_name = "SPEC", default_value = "mecab")]
    unit: String,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExtractArgs {
    /// Extraction rule: as-published-files, as-printed, free-morphemes or nouns-and-verbs
    #[arg(long, default_value = "as-published-files")]
    rule: Rule,
    /// Morphological analyzer, as NAME[:key=value,…]
    #[arg(long, value_name = "SPEC", default_value = "mecab:penalty=off")]
    unit: String,
    /// File with one sentence per line; `-` reads standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("model").args(["entity_model", "ethics_model", "similarity_model"]).multiple(true),
    mut_group("ModelArgs", |how| how.requires("model"))
)]
pub(crate) struct BuildArgs {
    /// File of captions (.jsonl, .tsv or plain text); repeatable
    #[arg(long = "captions", value_name = "FILE")]
    captions: Vec<PathBuf>,
    /// File of dialogue summaries (.jsonl, .tsv or plain text); repeatable
    #[arg(long = "summaries", value_name = "FILE")]
    summaries: Vec<PathBuf>,
    /// Folder to write the data set to
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// Extraction rule for concepts, as in `commongen extract`
    #[arg(long, default_value = "as-published-files")]
    rule: Rule,
    /// Drop sentences that contain any of these part-of-speech tags, for example NNP+NR+NP
    #[arg(long, value_name = "TAGS", default_value = "NNP")]
    without_tags: String,
    /// Drop sentences with named entities, found by a saved tagger or by one trained on KLUE-NER data
    #[arg(long, value_name = "FILE", group = "tagger")]
    entities: Option<PathBuf>,
    /// The same, found by a model as `train tagger` writes it
    #[arg(long, value_name = "FOLDER", group = "tagger", value_parser = models::folder())]
    entity_model: Option<PathBuf>,
    /// Kinds of entities to drop, by the tagger's labels, with `+` or `,` between (in KLUE PS: persons, LC: places, OG: organisations)
    #[arg(long, value_name = "KINDS", default_value = "PS+LC+OG", requires = "tagger")]
    entity_kinds: String,
    /// Flag offensive sentences with a saved classifier, or with one trained on labelled comments
    #[arg(long, value_name = "FILE", group = "flagger")]
    ethics: Option<PathBuf>,
    /// The same with a model as `train classifier` writes it: for every set of labels, as bias and hate, apart
    #[arg(long, value_name = "FOLDER", group = "flagger", value_parser = models::folder())]
    ethics_model: Option<PathBuf>,
    /// Label of a harmless sentence in every set of the model's labels [default: as the folder's threshold says, otherwise none]
    #[arg(long, value_name = "LABEL", requires = "ethics_model")]
    ethics_harmless: Option<String>,
    /// Probability from which a sentence is flagged [default: 0.95 for --ethics, which learns from news comments and not from
    /// captions; for --ethics-model as its folder says (`train classifier --threshold-by`), otherwise 0.5]
    #[arg(long, value_name = "P", requires = "flagger")]
    ethics_threshold: Option<f64>,
    /// Compare the sentences of a concept by the vectors of this model [default: by the share of common morphemes]
    #[arg(long, value_name = "FOLDER", conflicts_with = "keep_all", value_parser = models::folder())]
    similarity_model: Option<PathBuf>,
    #[command(flatten)]
    how: ModelArgs,
    /// Drop sentences that do not end in 다. at once, instead of giving them that ending where a rule can
    #[arg(long)]
    keep_endings: bool,
    /// Keep all sentences instead of the two most typical ones of each concept
    #[arg(long)]
    keep_all: bool,
    /// Number of concept sets in the validation set
    #[arg(long, value_name = "N", default_value_t = Split::default().validation)]
    validation: usize,
    /// Number of concept sets in the test set
    #[arg(long, value_name = "N", default_value_t = Split::default().test)]
    test: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = Split::default().seed)]
    seed: u64,
    /// Skip malformed lines and report them, instead of stopping at the first
    #[arg(long)]
    skip_bad: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct GenerateArgs {
    /// Data set whose concept sets are written for, in either published format
    #[arg(long, value_name = "FILE")]
    test: PathBuf,
    #[command(flatten)]
    writer: WriterArgs,
    #[command(flatten)]
    decoding: DecodingArgs,
    #[command(flatten)]
    candidates: CandidatesArgs,
    /// Prompt, with {} where the concepts stand; a model without an encoder that learned `a#b = …` takes "{} ="
    #[arg(long, value_name = "TEXT", default_value = "{}")]
    template: String,
    /// What stands between two concepts of a prompt
    #[arg(long, value_name = "TEXT", default_value = "#")]
    between: String,
    /// Every candidate must use all concepts, each as it stands or in a word of `--forms`
    #[arg(long)]
    constrained: bool,
    /// What happens to a concept set that no sentence with all concepts is found for
    #[arg(long, value_enum, default_value_t, requires = "constrained")]
    unmeetable: Otherwise,
    /// Data set from whose references the words are learned in which concepts stand
    #[arg(long, value_name = "FILE", requires = "constrained")]
    forms: Option<PathBuf>,
    /// Maximum number of such words per concept
    #[arg(long, value_name = "N", default_value_t = 20, requires = "forms")]
    most_forms: usize,
    /// Morphological analyzer of `--forms`, as NAME[:key=value,…]
    #[arg(long, value_name = "SPEC", default_value = "mecab:penalty=off")]
    unit: String,
    /// Skip malformed lines and report them, instead of stopping at the first
    #[arg(long)]
    skip_bad: bool,
    /// File to write to; an interrupted run resumes from FILE.partial [default: standard output, which is not resumed]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RerankArgs {
    /// File with one `{"concept-set": "a#b", "candidates": ["…", {"text": "…", "score": -1.5}]}` per line
    candidates: PathBuf,
    /// Skip malformed lines and report them, instead of stopping at the first
    #[arg(long)]
    skip_bad: bool,
    /// Morphological analyzer, as NAME[:key=value,…]
    #[arg(long, value_name = "SPEC", default_value = "mecab")]
    unit: String,
    /// Output format: text prints one sentence per line
    #[arg(long, value_enum, default_value_t)]
    format: super::tokenize::LineFormat,
}

#[derive(Debug, clap::Args)]
pub(crate) struct StatsArgs {
    /// Data set, in either published format
    file: PathBuf,
    /// Training set; also print how many of the concepts, pairs and triples it does not contain
    #[arg(long, value_name = "FILE")]
    train: Option<PathBuf>,
    /// Morphological analyzer, as NAME[:key=value,…]; also print the morphemes of a sentence, and those that are none of its concepts'
    #[arg(long, value_name = "SPEC")]
    unit: Option<String>,
    /// Skip malformed lines and report them, instead of stopping at the first
    #[arg(long)]
    skip_bad: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(command: &Command) -> Result<()> {
    match command {
        Command::Score(args) => score(args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Sheet(command) => sheet::run(command),
        Command::Extract(args) => extract(args),
        Command::Build(args) => build_data_set(args),
        Command::Reformulate(args) => reformulate::run(args),
        Command::Generate(args) => generate(args),
        Command::Rerank(args) => rerank(args),
        Command::Stats(args) => stats(args),
    }
}

fn score(args: &ScoreArgs) -> Result<()> {
    let evaluator = Evaluator::new(analyzer_by_name(&args.unit)?, args.protocol);
    let pairs = Pairs::read(&args.test, &args.system, bad_lines(args.skip_bad))?;
    tell_skipped(pairs.skipped());
    let shown = Shown::new();
    let mut scores = evaluator.evaluate(&pairs, &shown)?;
    drop(shown);
    if !args.segments {
        scores.by_segment.clear();
        scores.standard_by_segment.clear();
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
    if args.output.format() == Format::Table && args.output.output.is_none() {
        return output::print(format!("{scores}\n{}\n", scores.signature).as_bytes());
    }
    args.output.write(&Report { columns, rows, json: in_one_style(serde_json::to_value(&scores)?) })
}

/// Figures under snake_case keys beside their published ones, of the corpus and of each segment.
fn in_one_style(value: Value) -> Value {
    match value {
        Value::Object(figures) => {
            let figures = figures.into_iter().map(|(name, value)| (name, in_one_style(value)));
            Value::Object(output::with_snake_keys(figures))
        }
        Value::Array(values) => values.into_iter().map(in_one_style).collect(),
        value => value,
    }
}

fn extract(args: &ExtractArgs) -> Result<()> {
    let extractor = Extractor::new(analyzer_by_name(&args.unit)?, args.rule);
    let mut out = BufWriter::new(stdout().lock());
    let shown = Shown::new();
    let mut write = |concepts: Vec<String>| {
        let line = serde_json::Value::from(concepts);
        writeln!(out, "{line}").map_err(|e| Error::io("standard output", e))
    };
    extractor.stream(Lines::open(&args.file)?, &mut write, &shown)?;
    drop(shown);
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
    let mut pipeline = Pipeline::new();
    if !args.keep_endings {
        let restoring = analyzer_by_name("mecab:penalty=off,form=morpheme")?;
        pipeline = pipeline.stage(Unify::new(restoring));
    }
    pipeline = pipeline
        .stage(Clean::default())
        .stage(Concepts::new(analyzer, args.rule))
        .stage(WithoutTags::new(tags));
    if let Some(tagger) = tagger(args)? {
        let kinds = args.entity_kinds.split(['+', ',']).map(str::trim);
        pipeline = pipeline.stage(WithoutEntities::new(tagger, kinds)?);
    }
    let flagger = flagger(args)?;
    let similarity = similarity(args)?;
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
        similarity: similarity.as_deref(),
        flagger: flagger.as_deref(),
    };
    let shown = Shown::new();
    let report = build(&options, &parts, &shown)?;
    drop(shown);
    for line in &report.skipped {
        eprintln!("ko-eval: skipped {line}");
    }
    let mut told = json!({
        "report": report,
        "caption_percent": report.sets.sources.map(|sources| sources.caption_percent()),
        "signature": pipeline.signature().to_string(),
        "folder": args.output,
    });
    if let (Some(flagger), Some(told)) = (flagger, told.as_object_mut()) {
        told.insert("flagger".into(), flagger.signature().to_string().into());
    }
    output::print_json(told)
}

fn tagger(args: &BuildArgs) -> Result<Option<Arc<dyn EntityTagger>>> {
    Ok(match (&args.entities, &args.entity_model) {
        (Some(path), _) => Some(Arc::new(BioTagger::open(path)?)),
        (None, Some(folder)) => Some(models::tagger(folder, TagScheme::default(), &args.how)?),
        (None, None) => None,
    })
}

fn flagger(args: &BuildArgs) -> Result<Option<Box<dyn Flagger>>> {
    Ok(match (&args.ethics, &args.ethics_model) {
        (Some(path), _) => {
            let threshold = args.ethics_threshold.unwrap_or(0.95);
            Some(Box::new(NgramFlagger::open(path)?.at(threshold)?))
        }
        (None, Some(folder)) => {
            let classifier = models::classifier(folder, &args.how)?;
            let own = classifier.threshold().map(|own| own.harmless.clone());
            let harmless = args.ethics_harmless.clone().or(own).unwrap_or_else(|| "none".into());
            let flagger = ModelFlagger::new(classifier, harmless)?;
            Some(Box::new(match args.ethics_threshold {
                Some(threshold) => flagger.at(threshold)?,
                None => flagger,
            }))
        }
        (None, None) => None,
    })
}

fn similarity(args: &BuildArgs) -> Result<Option<Box<dyn Similarity>>> {
    Ok(match &args.similarity_model {
        _ if args.keep_all => None,
        Some(folder) => {
            let embedder = models::embedder(
                folder,
                None,
                &ko_eval::neural::Prompt::AsTheFolderSays,
                &args.how,
            )?;
            Some(Box::new(EmbeddingCosine::new(embedder)))
        }
        None => Some(Box::new(TokenOverlap::new(ko_eval::unit("mecab")?))),
    })
}

fn generate(args: &GenerateArgs) -> Result<()> {
    ensure!(
        args.template.contains("{}"),
        "--template: `{}` has no {{}} where the concepts stand",
        args.template
    );
    let items = told(read_items(&args.test, bad_lines(args.skip_bad))?);
    let inflections = match &args.forms {
        Some(path) => inflections(path, &items, args)?,
        None => Inflections::default(),
    };
    let prompt = |item: &Item| {
        let concepts = item.concepts().join(&args.between);
        let prompt = Prompt::new(args.template.replace("{}", &concepts));
        match args.constrained {
            true => item.concepts().iter().fold(args.unmeetable.over(prompt), |prompt, concept| {
                prompt.must_use(inflections.of(concept, args.most_forms))
            }),
            false => prompt,
        }
    };
    let prompts: Vec<Prompt<'_>> = items.iter().map(prompt).collect();
    let (generator, own) = args.writer.open()?;
    let paper = if args.writer.is_program() { own } else { ko_eval::commongen::decoding() };
    let decoding = args.candidates.over(args.decoding.over(&paper)?);
    let answers = answers(&*generator, &prompts, &decoding, args.output.as_deref())?;
    args.unmeetable.tell(&prompts, &answers);
    let mut text = String::new();
    for (item, candidates) in items.iter().zip(answers) {
        let concept_set = item.concepts().join("#");
        text += &serde_json::to_string(&Candidates { concept_set, candidates })?;
        text.push('\n');
    }
    finish(&text, args.output.as_deref())?;
    let signature = args.writer.signature(&*generator, &decoding);
    eprintln!("ko-eval: {} concept sets by {signature}", items.len());
    Ok(())
}

/// The words in which the items' concepts stand in a data set's references.
fn inflections(path: &Path, items: &[Item], args: &GenerateArgs) -> Result<Inflections> {
    let known = told(read_items(path, bad_lines(args.skip_bad))?);
    let sentences: Vec<&str> =
        known.iter().flat_map(|item| item.references().iter().map(String::as_str)).collect();
    let concepts: BTreeSet<&str> =
        items.iter().flat_map(|item| item.concepts().iter().map(String::as_str)).collect();
    let analyzer = analyzer_by_name(&args.unit)?;
    let shown = Shown::new();
    Ok(Inflections::learn(&*analyzer, &concepts, &sentences, &shown)?)
}

fn rerank(args: &RerankArgs) -> Result<()> {
    let reranker = Reranker::new(analyzer_by_name(&args.unit)?);
    let shown = Shown::new();
    let read = reranker.choose_all(&args.candidates, bad_lines(args.skip_bad), &shown)?;
    drop(shown);
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
    let morphemes = match &args.unit {
        Some(unit) => Some(Morphemes::of(&items, &*analyzer_by_name(unit)?)?),
        None => None,
    };
    let shares = unseen.map_or_else(Vec::new, |unseen| {
        vec![("concepts", unseen.concepts), ("pairs", unseen.pairs), ("triples", unseen.triples)]
    });
    if args.format == Format::Table {
        let mut text = format!("{statistics}\n");
        if let Some(Morphemes { length, additional }) = morphemes {
            text += &format!(
                "morphemes      {length:.2} per sentence\n  additional   {additional:.2}\n"
            );
        }
        for (name, share) in shares {
            let Share { unseen, all } = share;
            text += &format!("unseen {name:<9} {unseen} of {all} ({:.2} %)\n", share.percent());
        }
        return output::print(text.as_bytes());
    }
    let sizes = ["sets of 3 or fewer", "sets of 4", "sets of 5", "sets of 6", "sets of 7 or more"];
    let counts = [("sets", statistics.sets)]
        .into_iter()
        .chain(sizes.into_iter().zip(statistics.sizes))
        .chain([("references", statistics.references), ("concepts", statistics.concepts)])
        .chain([("pairs", statistics.pairs), ("triples", statistics.triples)])
        .map(|(name, count)| (name.to_owned(), count as f64))
        .chain([("words per reference".to_owned(), statistics.words)])
        .chain(morphemes.iter().flat_map(|m| {
            let names = ["morphemes per reference", "additional morphemes per reference"];
            names.map(str::to_owned).into_iter().zip([m.length, m.additional])
        }))
        .chain(shares.iter().flat_map(|(name, share)| {
            let count = (format!("unseen {name}"), share.unseen as f64);
            [count, (format!("unseen {name} in %"), share.percent())]
        }));
    Report {
        columns: ["figure", "value"].map(str::to_owned).to_vec(),
        rows: counts.map(|(name, value)| vec![name.into(), value.into()]).collect(),
        json: json!({ "statistics": statistics, "morphemes": morphemes, "unseen": unseen }),
    }
    .write(args.format, None)
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
