//! `ko-eval subword`

use crate::{cli::Format, commands::tokenize::LineFormat, output, progress::Shown};
use anyhow::{Result, bail, ensure};
use clap::{Subcommand, ValueEnum};
use ko_eval::{
    Progress, Signed, Token, Tokenizer,
    read::Lines,
    tokenize::{
        sentencepiece::SentencePiece,
        subword::{Algorithm, Subword, VocabularyTraining},
    },
};
use std::{
    io::{BufWriter, Write, stdout},
    path::{Path, PathBuf},
};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Learn a vocabulary from text; the file is a tokenizer.json and serves as the unit `subword:FILE`
    Train(Train),
    /// Cut text into the pieces of a vocabulary, or into their numbers, a line at a time
    Encode(Encode),
    /// Put numbers or pieces together to text again, a line at a time
    Decode(Decode),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Train {
    /// How pieces are found
    #[arg(long, short, value_enum, default_value_t)]
    algorithm: AlgorithmName,
    /// At most so many pieces, the one for unknown text included
    #[arg(long, short, value_name = "N", default_value_t = 8_000)]
    size: usize,
    /// BPE joins only pairs that occur so often
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_frequency: u64,
    /// Where the vocabulary goes
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// How the outcome is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The texts, one per line; `-` is standard input
    #[arg(default_value = "-")]
    files: Vec<PathBuf>,
}

/// How pieces are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum AlgorithmName {
    /// Byte-pair encoding over characters
    #[default]
    Bpe,
    /// A unigram language model
    Unigram,
    /// Byte-pair encoding over jamo, so that a piece may begin inside a syllable
    JamoBpe,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Encode {
    /// A tokenizer.json, or a SentencePiece model (*.model)
    #[arg(long, short, value_name = "FILE")]
    vocabulary: PathBuf,
    /// Numbers instead of pieces
    #[arg(long)]
    ids: bool,
    /// How a line is written
    #[arg(long, value_enum, default_value_t)]
    format: LineFormat,
    /// The text, a line at a time; `-` is standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Decode {
    /// A tokenizer.json, or a SentencePiece model (*.model)
    #[arg(long, short, value_name = "FILE")]
    vocabulary: PathBuf,
    /// The lines hold pieces, not numbers
    #[arg(long)]
    pieces: bool,
    /// Numbers or pieces with spaces between them, or a JSON array per line; `-` is standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

pub(crate) fn run(command: &Command) -> Result<()> {
    match command {
        Command::Train(args) => train(args),
        Command::Encode(args) => encode(args),
        Command::Decode(args) => decode(args),
    }
}

fn train(args: &Train) -> Result<()> {
    ensure!(
        !is_model(&args.output),
        "{}: the name of a SentencePiece model; a learned vocabulary is a tokenizer.json",
        args.output.display()
    );
    let algorithm = match args.algorithm {
        AlgorithmName::Bpe => Algorithm::Bpe,
        AlgorithmName::Unigram => Algorithm::Unigram,
        AlgorithmName::JamoBpe => Algorithm::JamoBpe,
    };
    let shown = Shown::of("reading lines", None);
    let mut texts = Vec::new();
    for file in &args.files {
        for line in Lines::open(file)? {
            texts.push(line?);
            shown.advance(1);
        }
    }
    shown.begin(&format!("learning from {} lines", texts.len()), None);
    let training = VocabularyTraining::new(algorithm, args.size).min_frequency(args.min_frequency);
    let learned = training.learn(&texts)?;
    drop(shown);
    learned.save(&args.output)?;
    let unit = format!("subword:{}", args.output.display());
    let (pieces, signature) = (learned.vocabulary_size(), learned.signature().to_string());
    match args.format {
        Format::Table => output::print(
            format!("{pieces} pieces from {} lines\nunit: {unit}\n{signature}\n", texts.len())
                .as_bytes(),
        ),
        Format::Json => {
            let outcome = serde_json::json!({
                "unit": unit, "pieces": pieces, "lines": texts.len(), "signature": signature,
            });
            output::print_json(outcome)
        }
        Format::Csv | Format::Tsv | Format::Markdown => {
            bail!("one outcome is no table; expected --format table or json")
        }
    }
}

fn encode(args: &Encode) -> Result<()> {
    let vocabulary = Vocabulary::open(&args.vocabulary)?;
    let mut out = BufWriter::new(stdout().lock());
    for line in Lines::open(&args.file)? {
        let line = line?;
        match (args.ids, args.format) {
            (true, LineFormat::Text) => {
                let ids: Vec<_> = vocabulary.encode(&line)?.iter().map(u32::to_string).collect();
                writeln!(out, "{}", ids.join(" "))?;
            }
            (true, LineFormat::Json) => {
                writeln!(out, "{}", serde_json::to_string(&vocabulary.encode(&line)?)?)?;
            }
            (false, format) => {
                let pieces = vocabulary.tokenizer().tokenize(&line)?;
                let pieces: Vec<_> = pieces.into_iter().map(Token::into_text).collect();
                match format {
                    LineFormat::Text => writeln!(out, "{}", pieces.join(" "))?,
                    LineFormat::Json => writeln!(out, "{}", serde_json::to_string(&pieces)?)?,
                }
            }
        }
        out.flush()?;
    }
    Ok(())
}

fn decode(args: &Decode) -> Result<()> {
    let vocabulary = Vocabulary::open(&args.vocabulary)?;
    let mut out = BufWriter::new(stdout().lock());
    let mut lines = Lines::open(&args.file)?;
    while let Some(line) = lines.next().transpose()? {
        let words: Vec<String> = match line.trim_start().starts_with('[') {
            true => {
                let array: Vec<serde_json::Value> = match serde_json::from_str(&line) {
                    Ok(array) => array,
                    // A piece may begin with a bracket.
                    Err(_) if args.pieces => {
                        line.split(' ').filter(|word| !word.is_empty()).map(Into::into).collect()
                    }
                    Err(error) => return Err(lines.error(error.to_string()).into()),
                };
                let text = |value: &serde_json::Value| match value {
                    serde_json::Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                array.iter().map(text).collect()
            }
            false => line.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect(),
        };
        let id = |word: &String| match args.pieces {
            true => vocabulary
                .id(word)
                .ok_or_else(|| lines.error(format!("`{word}` is no piece of the vocabulary"))),
            false => word
                .parse::<u32>()
                .map_err(|_| lines.error(format!("`{word}` is no number of a piece"))),
        };
        let ids: Vec<u32> = words.iter().map(id).collect::<ko_eval::Result<_>>()?;
        let text = vocabulary.decode(&ids).map_err(|error| lines.error(error.to_string()))?;
        writeln!(out, "{text}")?;
        out.flush()?;
    }
    Ok(())
}

/// Either kind of file.
enum Vocabulary {
    Json(Box<Subword>),
    SentencePiece(SentencePiece),
}

impl Vocabulary {
    fn open(path: &Path) -> Result<Self> {
        Ok(match is_model(path) {
            true => Self::SentencePiece(SentencePiece::from_file(path)?),
            false => Self::Json(Box::new(Subword::from_file(path)?)),
        })
    }

    fn tokenizer(&self) -> &dyn Tokenizer {
        match self {
            Self::Json(subword) => &**subword,
            Self::SentencePiece(model) => model,
        }
    }

    fn encode(&self, text: &str) -> ko_eval::Result<Vec<u32>> {
        match self {
            Self::Json(subword) => subword.encode(text),
            Self::SentencePiece(model) => model.encode(text),
        }
    }

    fn id(&self, piece: &str) -> Option<u32> {
        match self {
            Self::Json(subword) => subword.id(piece),
            Self::SentencePiece(model) => model.id(piece),
        }
    }

    fn decode(&self, ids: &[u32]) -> Result<String> {
        Ok(match self {
            Self::Json(subword) => subword.decode(ids)?,
            Self::SentencePiece(model) => model.decode(ids)?,
        })
    }
}

fn is_model(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "model")
}
