//! `ko-eval tokenize`

mod gold;

use crate::{
    failure,
    input::{self, EncodingArgs},
    names,
};
use anyhow::Result;
use clap::ValueEnum;
use ko_eval::{Spec, Token, tokenize::analyzer_by_name};
use std::{
    io::{BufWriter, Write, stdout},
    path::PathBuf,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Unit to split the text into, as NAME[:key=value,…] (see `ko-eval units`)
    #[arg(
        long,
        short,
        value_name = "SPEC",
        default_value = "word",
        default_value_if("gold", clap::builder::ArgPredicate::IsPresent, "mecab:form=morpheme")
    )]
    unit: String,
    /// Show every available unit side by side
    #[arg(long, conflicts_with_all = ["pos", "no_space_penalty"])]
    all: bool,
    /// Print part-of-speech tags, as `form/TAG` (see `ko-eval units` for the units that have them)
    #[arg(long)]
    pos: bool,
    /// Turn off MeCab-ko's penalty for morphemes after white space
    #[arg(long)]
    no_space_penalty: bool,
    #[command(flatten)]
    gold: gold::GoldArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: LineFormat,
    #[command(flatten)]
    encoding: EncodingArgs,
    /// File to read line by line; `-` reads standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

/// How the units of a line are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LineFormat {
    /// Units separated by spaces; figures as a table
    #[default]
    Text,
    /// One JSON array per line; figures as one object
    Json,
}

/// Cuts one line.
type Cut = Box<dyn Fn(&str) -> ko_eval::Result<Vec<String>>>;

pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(file) = &args.gold.gold {
        return gold::run(args, file);
    }
    let cutters: Vec<(&str, Cut)> = match (args.all, args.pos) {
        (true, _) => every_unit()?,
        (false, pos) => vec![(args.unit.as_str(), cutter(&spec(args)?, pos)?)],
    };
    let mut out = BufWriter::new(stdout().lock());
    for line in input::lines(&args.file, args.encoding.encoding)? {
        let line = line?;
        for (name, cut) in &cutters {
            if args.all {
                write!(out, "{name:12}")?;
            }
            let units = cut(&line)?;
            match args.format {
                LineFormat::Text => writeln!(out, "{}", units.join(" "))?,
                LineFormat::Json => writeln!(out, "{}", serde_json::to_string(&units)?)?,
            }
        }
        if args.all {
            writeln!(out)?;
        }
        // Whoever types line after line wants to see each at once.
        out.flush()?;
    }
    Ok(())
}

fn spec(args: &Args) -> Result<Spec> {
    let mut spec: Spec = names::unit(&args.unit).parse()?;
    if args.no_space_penalty {
        spec.params = spec.params.with("penalty", "off");
    }
    Ok(spec)
}

fn cutter(spec: &Spec, pos: bool) -> Result<Cut> {
    if pos {
        let analyzer = analyzer_by_name(&spec.to_string())?;
        return Ok(Box::new(move |line| {
            let morphemes = analyzer.analyze(line)?;
            Ok(morphemes.iter().map(|m| format!("{}/{}", m.form, m.tag)).collect())
        }));
    }
    let unit = ko_eval::unit(&spec.to_string())?;
    Ok(Box::new(move |line| {
        Ok(unit.tokenize(line)?.into_iter().map(Token::into_text).map(Into::into).collect())
    }))
}

/// All units that need no argument; those that lack something are named on standard error.
fn every_unit() -> Result<Vec<(&'static str, Cut)>> {
    let mut cutters = Vec::new();
    for row in ko_eval::UNITS.iter().filter(|row| row.argument.is_none()) {
        match cutter(&row.name.parse()?, false) {
            Ok(cut) => cutters.push((row.name, cut)),
            Err(error) => {
                eprintln!("ko-eval: {} is not available: {}", row.name, failure::message(&error));
            }
        }
    }
    Ok(cutters)
}
