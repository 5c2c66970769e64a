//! `ko-eval commongen reformulate`

use super::{bad_lines, told};
use crate::{corpus::texts, output, progress::Shown};
use anyhow::{Context, Result};
use ko_eval::{
    commongen::{
        ConceptGraph, Extractor, Item, ItemForm, Reformulation, Rule, read_items, write_items,
    },
    tokenize::analyzer_by_name,
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, path::PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ko-eval commongen reformulate --graph conceptnet-ko.tsv --known train.jsonl > 제안.jsonl
  ko-eval commongen sheet write 제안.jsonl -o 작성지
  ko-eval commongen sheet references --sets 제안.jsonl 민수.csv 영희.csv --references 2 -o 문장.jsonl
  ko-eval commongen reformulate --graph conceptnet-ko.tsv --known train.jsonl --sentences 문장.jsonl -o reformulated_test.jsonl")]
pub(crate) struct Args {
    /// Graph of concepts: assertions of ConceptNet, or lines of two concepts and a weight, separated by tabs
    #[arg(long, value_name = "FILE")]
    graph: PathBuf,
    /// Data set whose concept sets are not to come again; repeatable
    #[arg(long, value_name = "FILE")]
    known: Vec<PathBuf>,
    /// Sentences that people wrote: one per line, or a .jsonl file as `commongen sheet references` writes it; without them, what to write about is printed: every known concept with the ones
    /// most strongly related to it, as one JSON array per line
    #[arg(long, value_name = "FILE", requires = "output")]
    sentences: Option<PathBuf>,
    /// How many of a concept's related concepts count, the strongest first
    #[arg(long, value_name = "N", default_value_t = Reformulation::default().most)]
    related: usize,
    /// Smallest size of a concept set
    #[arg(long, value_name = "N", default_value_t = *Reformulation::default().sizes.start())]
    smallest: usize,
    /// Extraction rule for concepts, as in `commongen extract`
    #[arg(long, default_value = "as-published-files")]
    rule: Rule,
    /// Morphological analyzer, as NAME[:key=value,…]
    #[arg(long, value_name = "SPEC", default_value = "mecab:penalty=off")]
    unit: String,
    /// Skip malformed lines and report them, instead of stopping at the first
    #[arg(long)]
    skip_bad: bool,
    /// File to write the data set to, as .jsonl, or as .txt in the published text form
    #[arg(long, short, value_name = "FILE", requires = "sentences")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let graph = ConceptGraph::read(&args.graph)?;
    let mut known: Vec<Item> = Vec::new();
    for path in &args.known {
        known.extend(told(read_items(path, bad_lines(args.skip_bad))?));
    }
    let (Some(sentences), Some(output)) = (&args.sentences, &args.output) else {
        return propose(&graph, &known, args.related);
    };
    let extractor = Extractor::new(analyzer_by_name(&args.unit)?, args.rule);
    let sentences = match sentences.extension().is_some_and(|end| end == "jsonl") {
        true => {
            let items = told(read_items(sentences, bad_lines(args.skip_bad))?);
            items.iter().flat_map(Item::references).cloned().collect()
        }
        false => texts(sentences)?,
    };
    let reformulation = Reformulation { most: args.related, sizes: args.smallest..=usize::MAX };
    let shown = Shown::new();
    let (items, report) = reformulation.items(&graph, &extractor, &sentences, &known, &shown)?;
    drop(shown);
    let form = match output.extension().is_some_and(|end| end == "txt") {
        true => ItemForm::Text,
        false => ItemForm::Jsonl,
    };
    write_items(output, form, &items).with_context(|| output.display().to_string())?;
    output::print_json(json!({ "report": report, "output": output }))
}

fn propose(graph: &ConceptGraph, known: &[Item], related: usize) -> Result<()> {
    let concepts: BTreeSet<&str> =
        known.iter().flat_map(|item| item.concepts().iter().map(String::as_str)).collect();
    let mut lines = String::new();
    for set in graph.proposals(concepts, related) {
        lines += &Value::from(set).to_string();
        lines.push('\n');
    }
    output::print(lines.as_bytes())
}
