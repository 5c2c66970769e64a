//! `ko-eval bertscore`: what is not scoring. Scores come from `ko-eval score -m bertscore:MODEL`.

use crate::{
    cli::Format,
    corpus::{CorpusArgs, numbers},
    models::{self, Layers, ModelArgs, explained},
    output::{Cell, OutputArgs, Report, with_snake_keys},
    progress::Shown,
};
use anyhow::Result;
use ko_eval::{
    Fingerprint, Progress, Scorer, Segment, Signed,
    meta::selection::{Ranked, rank},
    neural::{BASELINES, BertScore},
};
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("task").required(true).args(["search_layers", "baseline_from"]))]
pub(crate) struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,
    /// The model's folder
    #[arg(long, value_name = "FOLDER", value_parser = models::folder())]
    model: PathBuf,
    /// How well does each layer agree with these human scores of the segments, one per line?
    #[arg(long, value_name = "FILE")]
    search_layers: Option<PathBuf>,
    /// What do random pairs of these texts score, one per line? Blank lines are left out, repeated ones count once. Prints a table of baselines
    /// by layer, for `bertscore:MODEL,rescale=FILE`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "hyp", "reference", "source", "TableArgs"])]
    #[cfg_attr(feature = "sql", arg(conflicts_with = "parquet"))]
    baseline_from: Option<PathBuf>,
    /// How many pairs --baseline-from draws
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "baseline_from")]
    baseline_pairs: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 12345, requires = "baseline_from")]
    seed: u64,
    /// Keep the table of --baseline-from in the model's folder, for `bertscore:MODEL,rescale=model`, and what it was computed from beside it
    #[arg(long, requires = "baseline_from")]
    keep: bool,
    #[command(flatten)]
    how: ModelArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let model = models::layers(&args.model, &args.how)?;
    let shown = Shown::of("layers", Some(model.depth() + 1));
    let report = match (&args.search_layers, &args.baseline_from) {
        (Some(human), _) => {
            let corpus = args.corpus.read()?;
            layer_report(args, &*model, &corpus.segments(), &numbers(human)?, &shown)?
        }
        (None, Some(path)) => baseline_report(args, &*model, path, &shown)?,
        (None, None) => return Ok(()),
    };
    drop(shown);
    if args.keep {
        let path = args.model.join(BASELINES);
        report.write(Format::Csv, Some(&path))?;
        report.write(Format::Json, Some(&path.with_extension("json")))?;
        eprintln!("ko-eval: kept as {}", path.display());
    }
    args.output.write(&report)
}

/// Every layer's baseline, in the form that `rescale` reads.
fn baseline_report(args: &Args, model: &dyn Layers, path: &Path, shown: &Shown) -> Result<Report> {
    let texts = args.corpus.texts(path)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    let last = BertScore::new(model.at(model.depth())?).signature().to_string();
    for layer in 0..=model.depth() {
        let metric = BertScore::new(model.at(layer)?);
        let found = metric.random_baseline(&texts, args.baseline_pairs, args.seed);
        let found = found.map_err(explained(texts.iter().map(|text| [*text])))?;
        shown.advance(1);
        let numbers = [found.precision, found.recall, found.f1];
        rows.push(
            std::iter::once(layer.to_string().into()).chain(numbers.map(Into::into)).collect(),
        );
        let figures = ["P", "R", "F"].map(str::to_owned).into_iter().zip(numbers.map(Into::into));
        let mut value = with_snake_keys(figures);
        value.insert("layer".to_owned(), layer.into());
        values.push(value);
    }
    Ok(Report {
        columns: ["LAYER", "P", "R", "F"].map(str::to_owned).to_vec(),
        rows,
        json: json!({
            "model": models::name(&args.model), "baselines": values, "signature": last,
            "texts": models::name(path), "texts_digest": Fingerprint::new().file(path)?.short(),
            "pairs": args.baseline_pairs, "seed": args.seed,
        }),
    })
}

/// Every segment's texts.
fn texts_of<'t>(segments: &[Segment<'t>]) -> impl Iterator<Item = Vec<&'t str>> {
    let texts = |segment: &Segment<'t>| [&[segment.hypothesis()], segment.references()].concat();
    segments.iter().map(texts)
}

fn layer_report(
    args: &Args,
    model: &dyn Layers,
    segments: &[Segment<'_>],
    human: &[f64],
    shown: &Shown,
) -> Result<Report> {
    let scorer = |layer: usize| -> ko_eval::Result<Box<dyn Scorer>> {
        Ok(Box::new(BertScore::new(model.at(layer)?)))
    };
    let layers = (0..=model.depth()).map(|layer| {
        shown.advance(u64::from(layer > 0));
        (layer, scorer(layer))
    });
    let ranked = rank(layers, segments, human).map_err(ko_eval::Error::from);
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for Ranked { candidate: layer, pearson, interval } in
        ranked.map_err(explained(texts_of(segments)))?
    {
        let signature = BertScore::new(model.at(layer)?).signature().to_string();
        let ends = interval.map(|found| (found.interval.low, found.interval.high));
        rows.push(vec![
            layer.to_string().into(),
            pearson.map_or(Cell::Empty, Cell::from),
            ends.map_or(Cell::Empty, |(low, _)| low.into()),
            ends.map_or(Cell::Empty, |(_, high)| high.into()),
            Cell::Signature(signature.clone()),
        ]);
        values.push(json!({
            "layer": layer, "pearson": pearson, "low": ends.map(|(low, _)| low), "high": ends.map(|(_, high)| high),
            "signature": signature,
        }));
    }
    Ok(Report {
        columns: ["layer", "pearson", "low", "high", "signature"].map(str::to_owned).to_vec(),
        rows,
        json: json!({ "model": models::name(&args.model), "layers": values }),
    })
}
