//! `ko-eval tag`

use super::tokenize::LineFormat;
use crate::{
    cli::Format,
    corpus::texts,
    models::{self, ModelArgs},
    output::{self, Cell, Report},
};
use anyhow::Result;
use clap::ValueEnum;
use ko_eval::{
    Entity, EntityCounts, EntityTagger, TagScheme,
    neural::read::{TaggedText, ner_tsv},
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  echo '민수가 부산에 산다.' | ko-eval tag --model klue-ner
  <민수:PS>가 <부산:LC>에 산다.
  ko-eval tag --model klue-ner --gold klue-ner-dev.tsv")]
pub(crate) struct Args {
    /// Folder of the model, as `ko-eval train tagger` or transformers writes it
    #[arg(long, value_name = "FOLDER", value_parser = models::folder())]
    model: PathBuf,
    /// How tags are read as entities: conll (seqeval's default) or iob2 (seqeval's strict mode)
    #[arg(long, value_enum, default_value_t)]
    scheme: Scheme,
    /// Compare with this file in the form of KLUE-NER (a character, a tab and its tag per line) instead: precision, recall and F1 of entities
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    gold: Option<PathBuf>,
    #[command(flatten)]
    how: ModelArgs,
    /// Output format: text marks entities as in `<민수:PS>`, json counts characters from 0
    #[arg(long, value_enum, default_value_t)]
    format: LineFormat,
    /// File with one text per line; `-` reads standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

/// The schemes of the library.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Scheme {
    /// `I-` begins an entity where none of its kind goes on
    #[default]
    Conll,
    /// Only `B-` begins an entity
    Iob2,
}

impl Scheme {
    fn of_library(self) -> TagScheme {
        match self {
            Self::Conll => TagScheme::Conll,
            Self::Iob2 => TagScheme::Iob2,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let scheme = args.scheme.of_library();
    let tagger = models::tagger(&args.model, scheme, &args.how)?;
    if let Some(path) = &args.gold {
        return compare(&*tagger, scheme, path, args.format);
    }
    let texts = texts(&args.file)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut lines = String::new();
    for (text, entities) in texts.iter().zip(found(&*tagger, &texts)?) {
        lines += &match args.format {
            LineFormat::Text => marked(text, &entities),
            LineFormat::Json => as_json(text, &entities).to_string(),
        };
        lines.push('\n');
    }
    output::print(lines.as_bytes())
}

fn found(tagger: &dyn EntityTagger, texts: &[&str]) -> Result<Vec<Vec<Entity>>> {
    models::in_steps(texts, |some| tagger.entities_of(some))
}

/// `<민수:PS>가 왔다.`
fn marked(text: &str, entities: &[Entity]) -> String {
    let (mut line, mut done) = (String::new(), 0);
    for Entity { kind, span } in entities {
        let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
        line += part(done..span.start);
        line += &format!("<{}:{kind}>", part(span.clone()));
        done = span.end;
    }
    line + text.get(done..).unwrap_or_default()
}

fn as_json(text: &str, entities: &[Entity]) -> Value {
    let characters = |bytes: usize| text.get(..bytes).map_or(0, |before| before.chars().count());
    let entity = |Entity { kind, span }: &Entity| {
        json!({
            "kind": kind,
            "text": text.get(span.clone()).unwrap_or_default(),
            "start": characters(span.start),
            "end": characters(span.end),
        })
    };
    json!({ "text": text, "entities": entities.iter().map(entity).collect::<Vec<_>>() })
}

fn compare(
    tagger: &dyn EntityTagger,
    scheme: TagScheme,
    path: &Path,
    format: LineFormat,
) -> Result<()> {
    let gold: Vec<TaggedText> = ner_tsv(path)?;
    let texts: Vec<&str> = gold.iter().map(|text| text.text.as_str()).collect();
    let mut counts = EntityCounts::default();
    for (text, found) in gold.iter().zip(found(tagger, &texts)?) {
        counts.add(&found, &text.entities(scheme));
    }
    let columns = ["precision", "recall", "F1", "right", "found", "there"];
    let rates = [counts.precision(), counts.recall(), counts.f1()];
    let numbers = [counts.right, counts.found, counts.there].map(|n| Cell::Number(n as f64));
    Report {
        columns: columns.map(str::to_owned).to_vec(),
        rows: vec![rates.map(Cell::from).into_iter().chain(numbers).collect()],
        json: json!({
            "precision": counts.precision(),
            "recall": counts.recall(),
            "f1": counts.f1(),
            "counts": counts,
            "signature": tagger.signature().to_string(),
        }),
    }
    .write(if format == LineFormat::Json { Format::Json } else { Format::Table }, None)
}
