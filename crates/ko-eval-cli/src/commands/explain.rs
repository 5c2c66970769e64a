//! `ko-eval explain`

mod page;
mod terminal;
mod view;

use super::wanted::{WantedArgs, explained};
use crate::{corpus::CorpusArgs, output};
use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use ko_eval::{Explanation, OwnedSegment, Panel, Segment, files};
use serde_json::{Value, json};
use std::{
    io::{IsTerminal, stdout},
    path::PathBuf,
};
use view::Explained;

#[derive(Debug, clap::Args)]
#[command(after_help = "Without --segment, --hyp, --ref and --src are the texts themselves:\n  \
                        ko-eval explain --hyp '나는 밥을 먹었다' --ref '나는 밥을 먹었어요' -m ter -m chrf -u word")]
pub(crate) struct Args {
    /// The segment of the files to explain, counted from 1; left out, --hyp, --ref and --src are texts instead of files
    #[arg(long, short = 'n', value_name = "N")]
    segment: Option<usize>,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    wanted: WantedArgs,
    /// How the explanations are written
    #[arg(long, value_enum, default_value_t)]
    format: ExplainFormat,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// List every link, however many there are
    #[arg(long)]
    all: bool,
    /// Colours; the environment variable NO_COLOR turns them off as well
    #[arg(long, value_enum, default_value_t)]
    color: Color,
    /// How many columns a line may have [default: those of the terminal, or 80]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(40..))]
    width: Option<u16>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ExplainFormat {
    /// For the terminal: the texts with marks under them, the links, the parts
    #[default]
    Text,
    /// For programs: everything, in full precision
    Json,
    /// A page in one file
    Html,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Color {
    /// Where the output is a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Args {
    /// The segment that was asked for.
    fn segment(&self, panel: &Panel) -> Result<OwnedSegment> {
        let Some(number) = self.segment else { return self.texts() };
        ensure!(number > 0, "--segment counts from 1");
        let systems = self.corpus.systems(&[])?;
        let [system] = systems.as_slice() else { bail!("explain takes one system at a time") };
        system.check(panel.needs())?;
        let mut read = 0;
        for segment in system.stream(panel)? {
            let segment = segment?;
            read += 1;
            if read == number {
                return Ok(segment);
            }
        }
        bail!("{}: there is no segment {number}, only {read}", system.name)
    }

    /// The texts of the command line.
    fn texts(&self) -> Result<OwnedSegment> {
        ensure!(self.corpus.pairs.is_empty(), "--pairs FILE goes with --segment N");
        let [hypothesis] = self.corpus.hyp.as_slice() else {
            bail!("give one --hyp TEXT with its --ref TEXT, or files with --segment N");
        };
        let text = |text: &PathBuf| {
            let known = text.to_str().map(str::to_owned);
            known.with_context(|| format!("{}: not UTF-8", text.display()))
        };
        let references = self.corpus.reference.iter().map(text).collect::<Result<Vec<String>>>()?;
        let segment = match references.is_empty() {
            true => OwnedSegment::alone(text(hypothesis)?),
            false => OwnedSegment::new(text(hypothesis)?, references)?,
        };
        Ok(match &self.corpus.source {
            Some(source) => segment.with_source(text(source)?),
            None => segment,
        })
    }

    fn is_colored(&self) -> bool {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => self.output.is_none() && wanted && stdout().is_terminal(),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let panel = args.wanted.panel()?;
    let segment = args.segment(&panel)?;
    let segment = segment.as_segment();
    let of_segment = panel.explain(std::slice::from_ref(&segment)).map_err(explained)?;
    let explanations = of_segment.into_iter().next().context("nothing was explained")?;
    let rows = panel.rows().iter().zip(&explanations);
    let all: Vec<Explained<'_>> = rows
        .map(|(row, explanation)| Explained {
            metric: &row.metric,
            unit: row.unit.as_deref(),
            explanation,
            segment: &segment,
        })
        .collect();
    let text = match args.format {
        ExplainFormat::Text => {
            let width = args.width.map_or_else(|| output::width().max(40), usize::from);
            terminal::write(&all, width, args.is_colored(), args.all)
        }
        ExplainFormat::Json => serde_json::to_string_pretty(&document(&all, &segment)?)? + "\n",
        ExplainFormat::Html => page::write(&all, &segment, args.all),
    };
    match &args.output {
        Some(path) => Ok(files::write_atomically(path, text.as_bytes())?),
        None => output::print(text.as_bytes()),
    }
}

/// Everything that is known, as JSON.
fn document(all: &[Explained<'_>], segment: &Segment<'_>) -> Result<Value> {
    let explanations = all.iter().map(of_metric).collect::<Result<Vec<_>>>()?;
    let mut document = json!({ "hyp": segment.hypothesis(), "refs": segment.references() });
    if let (Some(source), Some(object)) = (segment.source(), document.as_object_mut()) {
        object.insert("src".to_owned(), source.into());
    }
    if let Some(object) = document.as_object_mut() {
        object.insert("explanations".to_owned(), explanations.into());
    }
    Ok(document)
}

/// One metric's explanation, every unit and every formula spelled out.
fn of_metric(explained: &Explained<'_>) -> Result<Value> {
    let mut explanation: Explanation = explained.explanation.clone();
    explanation.spell_out(explained.segment);
    let mut value = serde_json::to_value(&explanation)?;
    let parts = value.get_mut("parts").and_then(Value::as_array_mut);
    for (part, written) in parts.into_iter().flatten().zip(&explanation.parts) {
        if let Some(part) = part.as_object_mut() {
            part.insert("written".to_owned(), written.formula.to_string().into());
        }
    }
    if let Some(object) = value.as_object_mut() {
        object.insert("metric".to_owned(), explained.metric.into());
        object.insert("unit".to_owned(), explained.unit.into());
        object.insert("recomputed".to_owned(), explanation.recomputed().into());
    }
    Ok(value)
}
