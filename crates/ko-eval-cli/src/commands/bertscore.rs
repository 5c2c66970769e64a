//! `ko-eval bertscore`: what is not scoring. Scores come from `ko-eval score -m bertscore:MODEL`.

use crate::{
    corpus::{CorpusArgs, numbers, texts},
    models::{self, Layers, ModelArgs, explained},
    output::{OutputArgs, Report},
    progress,
};
use anyhow::Result;
use ko_eval::{
    Segment, Signed,
    neural::{
        BertScore,
        bertscore::{LayerAgreement, search_layers},
    },
};
use serde_json::json;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("task").required(true).args(["search_layers", "baseline_from"]))]
pub(crate) struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,
    /// The model's folder
    #[arg(long, value_name = "FOLDER")]
    model: PathBuf,
    /// How well does each layer agree with these human scores of the segments, one per line?
    #[arg(long, value_name = "FILE")]
    search_layers: Option<PathBuf>,
    /// What do random pairs of these texts score, one per line? Prints a table of baselines by layer, for
    /// `bertscore:MODEL,rescale=FILE`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "hyp"])]
    baseline_from: Option<PathBuf>,
    /// How many pairs --baseline-from draws
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "baseline_from")]
    baseline_pairs: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 12345, requires = "baseline_from")]
    seed: u64,
    #[command(flatten)]
    how: ModelArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let model = models::layers(&args.model, &args.how)?;
    let bar = progress::spinner("BERTScore");
    let report = match (&args.search_layers, &args.baseline_from) {
        (Some(human), _) => {
            let corpus = args.corpus.read()?;
            layer_report(args, &*model, &corpus.segments(), &numbers(human)?)?
        }
        (None, Some(path)) => baseline_report(args, &*model, &texts(path)?)?,
        (None, None) => return Ok(()),
    };
    bar.finish_and_clear();
    args.output.write(&report)
}

/// Every layer's baseline, in the form that `rescale` reads.
fn baseline_report(args: &Args, model: &dyn Layers, texts: &[String]) -> Result<Report> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for layer in 0..=model.depth() {
        let metric = BertScore::new(model.at(layer)?);
        let found = metric.random_baseline(&texts, args.baseline_pairs, args.seed);
        let found = found.map_err(explained(texts.iter().map(|text| [*text])))?;
        let numbers = [found.precision, found.recall, found.f1];
        rows.push(
            std::iter::once(layer.to_string().into()).chain(numbers.map(Into::into)).collect(),
        );
        values.push(json!({ "layer": layer, "P": numbers[0], "R": numbers[1], "F": numbers[2] }));
    }
    Ok(Report {
        columns: ["LAYER", "P", "R", "F"].map(str::to_owned).to_vec(),
        rows,
        json: json!({ "model": models::name(&args.model), "baselines": values }),
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
) -> Result<Report> {
    let mut layers = Vec::new();
    for layer in 0..=model.depth() {
        layers.push((layer, model.at(layer)?));
    }
    let signature = |layer: usize| -> Result<String> {
        Ok(BertScore::new(model.at(layer)?).signature().to_string())
    };
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for LayerAgreement { layer, pearson } in
        search_layers(layers, segments, human).map_err(explained(texts_of(segments)))?
    {
        let signature = signature(layer)?;
        rows.push(vec![layer.to_string().into(), pearson.into(), signature.as_str().into()]);
        values.push(json!({ "layer": layer, "pearson": pearson, "signature": signature }));
    }
    Ok(Report {
        columns: ["layer", "pearson", "signature"].map(str::to_owned).to_vec(),
        rows,
        json: json!({ "model": models::name(&args.model), "layers": values }),
    })
}
