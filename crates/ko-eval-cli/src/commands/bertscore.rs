//! `ko-eval bertscore`

use super::score::{self, Row};
use crate::{
    corpus::{CorpusArgs, numbers, texts},
    models::{self, Layers, ModelArgs, explained},
    output::{OutputArgs, Report},
    progress,
};
use anyhow::Result;
use ko_eval::{
    Evaluation, Scorer, Segment, Signed,
    neural::{
        BertScore,
        bertscore::{Idf, LayerAgreement, korean_layer, search_layers},
        read,
    },
};
use serde_json::json;
use std::{path::PathBuf, str::FromStr, sync::Arc};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,
    /// The model's folder
    #[arg(long, value_name = "FOLDER")]
    model: PathBuf,
    /// The layer whose vectors are compared, from 1 (0 is the embeddings); `auto` takes the one that
    /// KoBERTScore chose for the model, else the last
    #[arg(long, value_name = "N|auto", default_value = "auto")]
    layer: Layer,
    /// Weigh tokens by their rarity among the references
    #[arg(long)]
    idf: bool,
    /// Rescale by this table of baselines: columns LAYER, P, R, F, as bert-score's and KoBERTScore's
    #[arg(long, value_name = "FILE", conflicts_with = "baseline_from")]
    rescale: Option<PathBuf>,
    /// Rescale by what random pairs of these texts score, one per line
    #[arg(long, value_name = "FILE")]
    baseline_from: Option<PathBuf>,
    /// How many pairs --baseline-from draws
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "baseline_from")]
    baseline_pairs: usize,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 12345, requires = "baseline_from")]
    seed: u64,
    /// Instead of the score, tell how well each layer agrees with these human scores, one per line
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["layer", "idf", "rescale", "baseline_from", "segments"])]
    search_layers: Option<PathBuf>,
    /// Also the scores of every segment
    #[arg(long)]
    segments: bool,
    #[command(flatten)]
    how: ModelArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Which layer.
#[derive(Debug, Clone, Copy)]
enum Layer {
    Auto,
    Number(usize),
}

impl FromStr for Layer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => text.parse().map(Self::Number).map_err(|_| "expected a number or `auto`".into()),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let model = models::layers(&args.model, &args.how)?;
    let corpus = args.corpus.read()?;
    let segments = corpus.segments();
    let bar = progress::spinner("BERTScore");
    let report = match &args.search_layers {
        Some(human) => layer_report(args, &*model, &segments, &numbers(human)?)?,
        None => {
            let metric = metric(args, &*model, &segments)?;
            let evaluation = metric.evaluate(&segments).map_err(explained(texts_of(&segments)))?;
            score::report(&rows(&models::name(&args.model), evaluation, args.segments))?
        }
    };
    bar.finish_and_clear();
    args.output.write(&report)
}

/// Every segment's texts.
fn texts_of<'t>(segments: &[Segment<'t>]) -> impl Iterator<Item = Vec<&'t str>> {
    let texts = |segment: &Segment<'t>| [&[segment.hypothesis()], segment.references()].concat();
    segments.iter().map(texts)
}

fn metric(args: &Args, model: &dyn Layers, segments: &[Segment<'_>]) -> Result<BertScore> {
    let layer = match args.layer {
        Layer::Number(layer) => layer,
        Layer::Auto => korean_layer(&models::name(&args.model))
            .filter(|layer| *layer <= model.depth())
            .unwrap_or(model.depth()),
    };
    let encoder = model.at(layer)?;
    let mut metric = BertScore::new(Arc::clone(&encoder));
    if args.idf {
        let references: Vec<&str> =
            segments.iter().flat_map(|segment| segment.references()).copied().collect();
        let idf = Idf::from_references(&*encoder, &references);
        metric = metric.idf(idf.map_err(explained(texts_of(segments)))?);
    }
    if let Some(path) = &args.rescale {
        metric = metric.baseline(read::baseline(path, layer)?)?;
    }
    if let Some(path) = &args.baseline_from {
        let texts = texts(path)?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let baseline = metric.random_baseline(&texts, args.baseline_pairs, args.seed);
        metric = metric.baseline(baseline.map_err(explained(texts.iter().map(|t| [*t])))?)?;
    }
    Ok(metric)
}

/// F1, precision and recall, each as a metric of its own.
fn rows(model: &str, evaluation: Evaluation, segments: bool) -> Vec<Row> {
    let parts = ["precision", "recall"].map(|name| {
        let value = |score: &ko_eval::Score| score.detail(name).unwrap_or_default();
        Row {
            metric: format!("bertscore-{name}"),
            unit: model.to_owned(),
            score: value(&evaluation.corpus.score),
            signature: evaluation.corpus.signature.to_string(),
            segments: segments.then(|| evaluation.segments.iter().map(value).collect()),
            ..Row::default()
        }
    });
    let mut rows = vec![score::row("bertscore", model, evaluation, segments)];
    rows.extend(parts);
    rows
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
