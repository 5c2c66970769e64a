//! `ko-eval tone`

use crate::{
    cli::Format,
    input::{self, EncodingArgs},
    lang::{fill, tr, tr_in},
};
use anyhow::{Result, bail, ensure};
use ko_eval::{
    Error,
    register::{
        Marker, Register, RegisterAnalyzer, SentenceRegister, SpeechLevel,
        metrics::{Slip, SlipKind, Target, analyzer_by_name},
    },
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{BufWriter, Write, stdout},
    path::PathBuf,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The analyzer: mecab, kiwi, … (see `ko-eval units`), or `endings`, which needs no dictionary. Left
    /// out: mecab, or `endings` where its dictionary is not installed
    #[arg(long, value_name = "SPEC")]
    analyzer: Option<String>,
    /// The register that was asked for: polite, plain, or a level such as 해요체. Slips are measured from it;
    /// left out, from the level that most sentences of a text have
    #[arg(long, value_name = "REGISTER")]
    target: Option<Target>,
    /// Tell which words carry the wrong level
    #[arg(long)]
    fix_hints: bool,
    /// How the answers are written; JSON is one object per line of input
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    encoding: EncodingArgs,
    /// The texts, one per line, of any number of sentences; `-` is standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

/// What is asked unless `--analyzer` says otherwise.
const DEFAULT: &str = "mecab";
/// What is always there.
const FALLBACK: &str = "endings";

pub(crate) fn run(args: &Args) -> Result<()> {
    let separator = match args.format {
        Format::Csv => Some(b','),
        Format::Tsv => Some(b'\t'),
        Format::Table | Format::Json => None,
        Format::Markdown => bail!("expected --format table, json, csv or tsv"),
    };
    ensure!(
        separator.is_none() || (args.target.is_none() && !args.fix_hints),
        "CSV has a line per sentence and no slips; --format json has both"
    );
    let analyzer = analyzer(args.analyzer.as_deref())?;
    let mut out = BufWriter::new(stdout().lock());
    let mut summary = Summary::default();
    match args.format {
        Format::Table => writeln!(
            out,
            "{}",
            row([
                "line",
                "level",
                "polite",
                "mood",
                "tense",
                "polarity",
                "honours",
                tr("sentence")
            ])
        )?,
        Format::Csv | Format::Tsv | Format::Markdown | Format::Json => {}
    }
    if let Some(separator) = separator {
        separated(&mut out, separator).write_record(SENTENCE_COLUMNS)?;
    }
    for (number, line) in input::lines(&args.file, args.encoding.encoding)?.enumerate() {
        let register = analyzer.analyze(&line?)?;
        let slips = slips(&register, args.target);
        match args.format {
            Format::Table => table(&mut out, number + 1, &register, &slips, args.fix_hints)?,
            Format::Csv | Format::Tsv | Format::Markdown => {
                csv(&mut out, separator.unwrap_or(b','), number + 1, &register)?;
            }
            Format::Json => {
                let slips = slips.iter().map(|slip| JsonSlip::of(slip, args.fix_hints)).collect();
                writeln!(
                    out,
                    "{}",
                    serde_json::to_string(&JsonText { register: &register, slips })?
                )?;
            }
        }
        summary.add(&register, &slips);
        // Whoever types line after line wants to see each at once.
        out.flush()?;
    }
    if args.format == Format::Table {
        summary.write(&mut out)?;
        out.flush()?;
    }
    Ok(())
}

/// The analyzer that was asked for; where none was, the best that is there.
pub(crate) fn analyzer(name: Option<&str>) -> Result<RegisterAnalyzer> {
    let analyzer = match (name, analyzer_by_name(name.unwrap_or(DEFAULT))) {
        (None, Err(error @ Error::Missing { .. })) => {
            eprintln!("ko-eval: judged by endings alone, without a dictionary: {error}");
            analyzer_by_name(FALLBACK)?
        }
        (_, found) => found?,
    };
    Ok(RegisterAnalyzer::new(analyzer))
}

/// The sentences that are not as they should be.
fn slips(register: &Register, target: Option<Target>) -> Vec<Slip> {
    let usual = register.usual_level();
    let expected = match target {
        None => usual,
        Some(Target::Level(level)) => Some(level),
        Some(Target::Polite) => {
            Some(usual.filter(|level| level.is_polite()).unwrap_or(SpeechLevel::Haeyo))
        }
        Some(Target::Plain) => {
            Some(usual.filter(|level| !level.is_polite()).unwrap_or(SpeechLevel::Hae))
        }
    };
    let mut slips = expected.map(|level| register.slips_from(level)).unwrap_or_default();
    // Whoever asked for politeness did not ask for one level.
    if matches!(target, Some(Target::Polite | Target::Plain)) {
        slips.retain(|slip| slip.kind == SlipKind::Politeness);
    }
    slips
}

/// The words of a slip that carry what is wrong, each with what it carries.
fn hints(slip: &Slip) -> impl Iterator<Item = (&str, &'static str)> {
    let politeness = slip.kind == SlipKind::Politeness;
    slip.words.iter().filter_map(move |word| match word.shows {
        Marker::Ending => Some((word.text.as_str(), slip.level.name())),
        Marker::Raising if politeness && !slip.expected.is_polite() => {
            Some((word.text.as_str(), "raises"))
        }
        Marker::Familiar if politeness && slip.expected.is_polite() => {
            Some((word.text.as_str(), "familiar"))
        }
        Marker::Raising | Marker::Familiar => None,
    })
}

#[derive(Serialize)]
struct JsonText<'r> {
    #[serde(flatten)]
    register: &'r Register,
    slips: Vec<JsonSlip<'r>>,
}

#[derive(Serialize)]
struct JsonSlip<'r> {
    sentence: usize,
    text: &'r str,
    start: usize,
    end: usize,
    level: SpeechLevel,
    expected: SpeechLevel,
    kind: SlipKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    hints: Option<Vec<&'r str>>,
}

impl<'r> JsonSlip<'r> {
    fn of(slip: &'r Slip, with_hints: bool) -> Self {
        let hints = with_hints.then(|| hints(slip).map(|(word, _)| word).collect());
        let Slip { sentence, text, start, end, level, expected, kind, .. } = slip;
        Self {
            sentence: *sentence,
            text,
            start: *start,
            end: *end,
            level: *level,
            expected: *expected,
            kind: *kind,
            hints,
        }
    }
}

fn table(
    out: &mut dyn Write,
    line: usize,
    register: &Register,
    slips: &[Slip],
    with_hints: bool,
) -> Result<()> {
    if register.sentences.is_empty() {
        writeln!(out, "{}", row([&line.to_string(), "none", "-", "-", "-", "-", "-", ""]))?;
    }
    for sentence in &register.sentences {
        let [level, polite, mood, tense, negated] = figures(sentence);
        let honours = match (sentence.grammar.honours_subject(), sentence.grammar.honours_object())
        {
            (Some(_), Some(_)) => tr_in("honours", "both"),
            (Some(_), None) => tr_in("honours", "subject"),
            (None, Some(_)) => tr_in("honours", "object"),
            (None, None) => "-",
        };
        writeln!(
            out,
            "{}",
            row([
                &line.to_string(),
                &level,
                &polite,
                &mood,
                &tense,
                &negated,
                honours,
                &sentence.text
            ])
        )?;
    }
    for slip in slips {
        let kind = match slip.kind {
            SlipKind::Politeness => "politeness",
            SlipKind::Level => "level",
        };
        let (start, end) = (slip.start.to_string(), slip.end.to_string());
        let values =
            [tr(kind), slip.level.name(), slip.expected.name(), &start, &end, slip.text.as_str()];
        writeln!(out, "      {}", fill(SLIP, &values))?;
        if with_hints {
            for (word, carries) in hints(slip) {
                writeln!(out, "        {}", fill("change {0} ({1})", &[word, tr(carries)]))?;
            }
        }
    }
    Ok(())
}

const SLIP: &str = "slip of {0}: {1} where {2} is expected, characters {3} to {4}: {5}";

/// The columns of a row per sentence.
const SENTENCE_COLUMNS: [&str; 12] = [
    "line", "sentence", "start", "end", "level", "polite", "mood", "tense", "polarity", "subject",
    "object", "text",
];

fn separated<W: Write>(out: W, separator: u8) -> csv::Writer<W> {
    csv::WriterBuilder::new().delimiter(separator).from_writer(out)
}

fn csv(out: &mut dyn Write, separator: u8, line: usize, register: &Register) -> Result<()> {
    let mut writer = separated(out, separator);
    for (number, sentence) in register.sentences.iter().enumerate() {
        let [level, polite, mood, tense, polarity] = figures(sentence);
        let honoured = |yes: bool| if yes { "honoured" } else { "plain" };
        writer.write_record([
            line.to_string().as_str(),
            number.to_string().as_str(),
            sentence.start.to_string().as_str(),
            sentence.end.to_string().as_str(),
            &level,
            &polite,
            &mood,
            &tense,
            &polarity,
            honoured(sentence.grammar.honours_subject().is_some()),
            honoured(sentence.grammar.honours_object().is_some()),
            &sentence.text,
        ])?;
    }
    writer.flush()?;
    Ok(())
}

/// Level, politeness, mood, tense and polarity as words; `none` or `-` where the sentence does not say.
fn figures(sentence: &SentenceRegister) -> [String; 5] {
    let grammar = &sentence.grammar;
    // The names that JSON has as well.
    fn word<T: Serialize>(value: Option<T>) -> String {
        let value = value.and_then(|value| serde_json::to_value(value).ok());
        value.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_else(|| "-".to_owned())
    }
    let polite = match sentence.polite {
        Some(true) => "yes",
        Some(false) => "no",
        None => "-",
    };
    [
        sentence.level.map_or("none", SpeechLevel::name).to_owned(),
        polite.to_owned(),
        word(grammar.mood.as_ref().map(|mood| mood.value)),
        word(grammar.tense.as_ref().map(|tense| tense.value)),
        word(grammar.polarity.as_ref().map(|polarity| polarity.value)),
    ]
}

/// Cells side by side; a Hangul syllable is two columns wide. All but the last are words of ours.
fn row(cells: [&str; 8]) -> String {
    const WIDTHS: [usize; 7] = [5, 10, 6, 13, 8, 11, 7];
    let mut text = String::new();
    for (cell, width) in cells.into_iter().zip(WIDTHS) {
        // What is translated already is not in the table.
        let cell = tr(cell);
        let columns: usize = cell.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
        text.push_str(cell);
        text.extend(std::iter::repeat_n(' ', width.saturating_sub(columns) + 1));
    }
    text.push_str(cells.last().copied().unwrap_or_default());
    text
}

/// Counts over all lines.
#[derive(Default)]
struct Summary {
    texts: usize,
    sentences: usize,
    levels: BTreeMap<Option<SpeechLevel>, usize>,
    /// Texts that are polite, plain, neither.
    polite: BTreeMap<Option<bool>, usize>,
    slips: usize,
    texts_with_slips: usize,
}

impl Summary {
    fn add(&mut self, register: &Register, slips: &[Slip]) {
        self.texts += 1;
        self.sentences += register.sentences.len();
        for sentence in &register.sentences {
            *self.levels.entry(sentence.level).or_default() += 1;
        }
        *self.polite.entry(register.polite).or_default() += 1;
        self.slips += slips.len();
        self.texts_with_slips += usize::from(!slips.is_empty());
    }

    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let texts = |polite| self.polite.get(&polite).copied().unwrap_or_default().to_string();
        let polite = [Some(true), Some(false), None].map(texts);
        let [polite, plain, neither] = polite.each_ref().map(String::as_str);
        let all = counted(self.texts, "text");
        let said = fill(
            "{0}: {1} polite, {2} plain, {3} without a level",
            &[&all, polite, plain, neither],
        );
        writeln!(out, "\n{said}")?;
        let mut levels: Vec<_> = self.levels.iter().collect();
        levels.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let levels: Vec<_> = levels
            .iter()
            .map(|(level, count)| {
                format!("{} {count}", level.map_or(tr("none"), |level| level.name()))
            })
            .collect();
        writeln!(out, "{}: {}", counted(self.sentences, "sentence"), levels.join(", "))?;
        let (slips, texts) = (counted(self.slips, "slip"), counted(self.texts_with_slips, "text"));
        writeln!(out, "{}", fill("{0} in {1}", &[&slips, &texts]))?;
        Ok(())
    }
}

/// `1 text`, `2 texts`.
fn counted(count: usize, what: &str) -> String {
    let english = format!("{{0}} {what}{}", if count == 1 { "" } else { "s" });
    fill(&english, &[&count.to_string()])
}
