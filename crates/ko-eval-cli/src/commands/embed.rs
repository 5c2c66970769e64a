//! `ko-eval embed`

use crate::{
    corpus::texts,
    models::{self, ModelArgs, PromptArgs, explained},
    npy, output,
    progress::Shown,
};
use anyhow::{Result, bail};
use ko_eval::{Embeddings, Progress, SentenceEmbedder, files, neural::Pooling};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Texts between two steps of the progress bar.
const STEP: usize = 1024;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder of the model
    #[arg(long, value_name = "FOLDER", value_parser = models::folder())]
    model: PathBuf,
    /// How token vectors are pooled: cls, mean, max, last or mean-of-last-K [default: what the model's folder specifies, else mean]
    #[arg(long, value_name = "NAME")]
    pooling: Option<Pooling>,
    #[command(flatten)]
    prompt: PromptArgs,
    #[command(flatten)]
    how: ModelArgs,
    /// File to write the vectors to: `.npy` for a matrix, `.jsonl` for one `{"text", "vector"}` per line, which
    /// `ko-eval probe run --vectors` reads [default: JSON lines on standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// File with one text per line; `-` reads standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let format = Format::of(args.output.as_deref())?;
    let embedder = models::embedder(&args.model, args.pooling, &args.prompt.prompt(), &args.how)?;
    let texts = texts(&args.file)?;
    let vectors = embed(&*embedder, &texts)?;
    let bytes = match format {
        Format::Npy => npy::bytes(&vectors),
        Format::Jsonl => json_lines(&texts, &vectors)?.into_bytes(),
    };
    match &args.output {
        Some(path) => files::write_output(path, &bytes)?,
        None => output::print(&bytes)?,
    }
    let (count, dim) = (vectors.len(), vectors.dim());
    eprintln!("ko-eval: {count} vectors of {dim} numbers by {}", embedder.signature());
    Ok(())
}

/// What the file's name says.
enum Format {
    Npy,
    Jsonl,
}

impl Format {
    fn of(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(Self::Jsonl) };
        match path.extension().and_then(|end| end.to_str()) {
            Some("npy") => Ok(Self::Npy),
            Some("jsonl") => Ok(Self::Jsonl),
            _ => bail!("{}: vectors are written to .npy or .jsonl", path.display()),
        }
    }
}

fn embed(embedder: &dyn SentenceEmbedder, texts: &[String]) -> Result<Embeddings> {
    let shown = Shown::of("vectors", Some(texts.len()));
    let (mut dim, mut data) = (0, Vec::new());
    for some in texts.chunks(STEP) {
        let some: Vec<&str> = some.iter().map(String::as_str).collect();
        let vectors =
            embedder.embed(&some).map_err(explained(texts.iter().map(|t| [t.as_str()])))?;
        dim = vectors.dim();
        data.extend_from_slice(vectors.as_slice());
        shown.advance(some.len() as u64);
    }
    if data.is_empty() {
        return Err(ko_eval::Error::EmptyCorpus.into());
    }
    Ok(Embeddings::from_rows(dim, data)?)
}

#[derive(Serialize)]
struct Line<'a> {
    text: &'a str,
    vector: &'a [f32],
}

fn json_lines(texts: &[String], vectors: &Embeddings) -> Result<String> {
    let mut lines = String::new();
    for (text, vector) in texts.iter().zip(vectors.rows()) {
        lines += &serde_json::to_string(&Line { text, vector })?;
        lines.push('\n');
    }
    Ok(lines)
}
