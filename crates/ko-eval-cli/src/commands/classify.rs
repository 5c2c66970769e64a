//! `ko-eval classify`

use super::tokenize::LineFormat;
use crate::{
    cli::Format,
    corpus::texts,
    models::{self, ModelArgs},
    output::{self, Cell, Report},
};
use anyhow::{Context, Result, ensure};
use ko_eval::{
    LabelSet, Signature, TextClassifier, meta::classification::Confusion,
    neural::read::labelled_tsv,
};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  echo '좋은 글이네요' | ko-eval classify --model hate-speech
  bias=none	hate=none	좋은 글이네요
  ko-eval classify --model hate-speech --gold dev.tsv --text comments --label bias --label hate")]
pub(crate) struct Args {
    /// Folder of the model, as `ko-eval train classifier` or transformers writes it
    #[arg(long, value_name = "FOLDER", value_parser = models::folder())]
    model: PathBuf,
    /// Compare with this table instead: accuracy and macro F1 of every set of labels
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    gold: Option<PathBuf>,
    /// Column of the texts
    #[arg(long, value_name = "NAME", default_value = "sentence", requires = "gold")]
    text: String,
    /// Column of the labels of a set; repeatable, in the order of the model's sets
    #[arg(long = "label", value_name = "NAME", default_value = "label", requires = "gold")]
    labels: Vec<String>,
    #[command(flatten)]
    how: ModelArgs,
    /// Output format: text prints the labels before each text, the likeliest or by the threshold of the folder; json all probabilities
    #[arg(long, value_enum, default_value_t)]
    format: LineFormat,
    /// File with one text per line; `-` reads standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

/// A text's probabilities, by set and label.
type Found = Vec<Vec<f64>>;

pub(crate) fn run(args: &Args) -> Result<()> {
    let model = models::classifier(&args.model, &args.how)?;
    if let Some(path) = &args.gold {
        return compare(&*model, path, args);
    }
    let texts = texts(&args.file)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut lines = String::new();
    for (text, found) in texts.iter().zip(found(&*model, &texts)?) {
        lines += &match args.format {
            LineFormat::Text => format!("{}\t{text}", decided(&*model, &found)),
            LineFormat::Json => {
                json!({ "text": text, "labels": by_name(model.label_sets(), &found) }).to_string()
            }
        };
        lines.push('\n');
    }
    output::print(lines.as_bytes())
}

fn found(model: &dyn TextClassifier, texts: &[&str]) -> Result<Vec<Found>> {
    models::in_steps(texts, |some| model.classify(some))
}

/// A text's label of each set.
fn decided(model: &dyn TextClassifier, found: &[Vec<f64>]) -> String {
    let one = |(set, probabilities): (&LabelSet, &Vec<f64>)| {
        let place = set.decide(probabilities, model.threshold());
        let label = set.labels.get(place).map_or("", String::as_str);
        if set.name.is_empty() { label.to_owned() } else { format!("{}={label}", set.name) }
    };
    model.label_sets().iter().zip(found).map(one).collect::<Vec<_>>().join("\t")
}

/// The model's, and what it decides by.
fn signature(model: &dyn TextClassifier) -> Signature {
    match model.threshold() {
        Some(by) => {
            let signature = model.signature().with("threshold", by.probability);
            let signature = signature.with("harmless", &by.harmless);
            match &by.set {
                Some(set) => signature.with("set", set),
                None => signature,
            }
        }
        None => model.signature(),
    }
}

/// `{"hate": {"none": 0.9, …}}`, or the labels alone where there is one set.
fn by_name(sets: &[LabelSet], found: &[Vec<f64>]) -> Value {
    let labels = |set: &LabelSet, probabilities: &[f64]| -> Value {
        let pairs = set.labels.iter().zip(probabilities);
        Value::Object(pairs.map(|(label, p)| (label.clone(), json!(p))).collect())
    };
    match (sets, found) {
        ([set], [only]) if set.name.is_empty() => labels(set, only),
        _ => {
            let all = sets.iter().zip(found).map(|(set, p)| (set.name.clone(), labels(set, p)));
            Value::Object(all.collect::<Map<_, _>>())
        }
    }
}

fn compare(model: &dyn TextClassifier, path: &Path, args: &Args) -> Result<()> {
    let sets = model.label_sets();
    ensure!(
        args.labels.len() == sets.len(),
        "--label: {} columns, but the model has {} sets of labels",
        args.labels.len(),
        sets.len()
    );
    let columns: Vec<&str> = args.labels.iter().map(String::as_str).collect();
    let gold = labelled_tsv(path, &args.text, &columns)?;
    let texts: Vec<&str> = gold.iter().map(|text| text.text.as_str()).collect();
    let found = found(model, &texts)?;
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for ((place, set), column) in sets.iter().enumerate().zip(&columns) {
        let number = |label: &String| {
            let known = set.labels.iter().position(|known| known == label);
            known.with_context(|| {
                let labels = set.labels.join(", ");
                format!("{}: the model knows no `{label}`; it knows {labels}", path.display())
            })
        };
        let right: Vec<usize> = gold
            .iter()
            .filter_map(|text| text.labels.get(place))
            .map(number)
            .collect::<Result<_>>()?;
        let guessed: Vec<usize> = found
            .iter()
            .filter_map(|sets| sets.get(place))
            .map(|p| set.decide(p, model.threshold()))
            .collect();
        let confusion = Confusion::of(&right, &guessed, set.labels.len())?;
        let (accuracy, f1) = (confusion.accuracy(), confusion.macro_f1());
        rows.push(vec![Cell::from((*column).to_owned()), accuracy.into(), f1.into()]);
        let labels: Map<String, Value> = (0..)
            .zip(&set.labels)
            .map(|(class, label)| (label.clone(), json!(confusion.f1(class))))
            .collect();
        values.push(json!({
            "set": column, "accuracy": accuracy, "macro_f1": f1, "f1": labels,
        }));
    }
    Report {
        columns: ["set", "accuracy", "macro F1"].map(str::to_owned).to_vec(),
        rows,
        json: json!({ "sets": values, "signature": signature(model).to_string() }),
    }
    .write(if args.format == LineFormat::Json { Format::Json } else { Format::Table }, None)
}
