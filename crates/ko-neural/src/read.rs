//! Readers of the data that training and evaluation take.

mod damaged;
mod judged;
mod klue;
mod labelled;
mod ranked;
mod styles;
mod tone_pairs;
mod triples;
mod written;

pub use damaged::damaged;
pub use judged::{JudgedPair, judged_pairs_tsv};
pub use klue::{TaggedText, ner_tsv, nli, nli_json, sts, sts_json};
pub use labelled::{LabelledText, label_sets, labelled_tsv};
pub use ranked::{ranked, ranked_tsv};
pub use styles::{
    ToneGroup, formality_text, para_kqc_tsv, smile_style_columns, smile_style_tsv,
    style_kqc_pairs_tsv, style_kqc_tsv,
};
pub use tone_pairs::{TonePairing, tone_pairs};
pub use triples::{RankedText, paraphrases, triples};
pub use written::as_written;

use crate::bertscore::Match;
use ko_eval_core::Result;
use ko_eval_io::read::{Lines, jsonl, table};
use serde::{Deserialize, Deserializer, de::Error as _};
use std::path::PathBuf;

/// Two sentences and how alike people find them, 0 to 5.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredPair {
    /// The one.
    pub first: String,
    /// The other.
    pub second: String,
    /// The score.
    pub score: f64,
}

fn number(text: &str, range: std::ops::RangeInclusive<f64>) -> Result<f64, String> {
    let value = text.trim().parse::<f64>().ok().filter(|value| range.contains(value));
    value.ok_or_else(|| {
        format!("`{text}` is not a number from {} to {}", range.start(), range.end())
    })
}

/// Pairs from a table in KorSTS's form: columns `score` (0 to 5), `sentence1`, `sentence2`.
///
/// # Errors
/// A file that cannot be read, a missing column, or a score out of range, with file and line.
pub fn sts_tsv(path: impl Into<PathBuf>) -> Result<Vec<ScoredPair>> {
    table(path.into(), ["score", "sentence1", "sentence2"], |[score, first, second]| {
        let score = number(score, 0.0..=5.0)?;
        Ok(ScoredPair { first: first.to_owned(), second: second.to_owned(), score })
    })
}

/// How a sentence addresses its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tone {
    /// 존댓말.
    Formal,
    /// 반말.
    Informal,
}

/// Two sentences, how alike people find them, and the tone of each.
#[derive(Debug, Clone, PartialEq)]
pub struct TonedPair {
    /// The sentences and their score, 1 to 5.
    pub pair: ScoredPair,
    /// The first sentence's tone and the second's.
    pub tones: (Tone, Tone),
}

/// Pairs from a table in KTSEval1k's form: columns `sentence1`, `sentence2`, `score` (1 to 5), `formality1` and
/// `formality2` (`formal` or `informal`, or 1 or 0).
///
/// # Errors
/// A file that cannot be read, a missing column, or a value out of range, with file and line.
pub fn toned_tsv(path: impl Into<PathBuf>) -> Result<Vec<TonedPair>> {
    let names = ["sentence1", "sentence2", "score", "formality1", "formality2"];
    table(path.into(), names, |[first, second, score, one, two]| {
        let score = number(score, 1.0..=5.0)?;
        let pair = ScoredPair { first: first.to_owned(), second: second.to_owned(), score };
        Ok(TonedPair { pair, tones: (tone(one)?, tone(two)?) })
    })
}

fn tone(text: &str) -> Result<Tone, String> {
    match text.trim() {
        "formal" | "1" => Ok(Tone::Formal),
        "informal" | "0" => Ok(Tone::Informal),
        other => Err(format!("`{other}` is no formality; expected formal or informal")),
    }
}

/// Sentences with their tone, from a table with the columns `sentence` and `formality` (as in [`toned_tsv`]).
///
/// # Errors
/// A file that cannot be read, a missing column, or an unknown formality, with file and line.
pub fn tones_tsv(path: impl Into<PathBuf>) -> Result<Vec<(String, Tone)>> {
    table(path.into(), ["sentence", "formality"], |[text, formality]| {
        Ok((text.to_owned(), tone(formality)?))
    })
}

/// Pairs, and whether both sentences have one tone, from a table with the columns `sentence1`, `sentence2`, `formality1`
/// and `formality2` (as in [`toned_tsv`]).
///
/// # Errors
/// A file that cannot be read, a missing column, or an unknown formality, with file and line.
pub fn tone_pairs_tsv(path: impl Into<PathBuf>) -> Result<Vec<(String, String, bool)>> {
    let names = ["sentence1", "sentence2", "formality1", "formality2"];
    table(path.into(), names, |[first, second, one, two]| {
        Ok((first.to_owned(), second.to_owned(), tone(one)? == tone(two)?))
    })
}

/// Pairs of sentences from a file without a header: two columns per line.
///
/// # Errors
/// A file that cannot be read, or a line that has not two columns, with file and line.
pub fn sentence_pairs_tsv(path: impl Into<PathBuf>) -> Result<Vec<(String, String)>> {
    let mut lines = Lines::open(path)?;
    let mut pairs = Vec::new();
    while let Some(line) = lines.next().transpose()? {
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            [first, second] => pairs.push(((*first).to_owned(), (*second).to_owned())),
            fields => {
                return Err(lines.error(format!("{} columns, expected two", fields.len())));
            }
        }
    }
    Ok(pairs)
}

/// One layer's baseline of BERTScore, from a table with the columns `layer`, `P`, `R` and `F` in any order and case:
/// comma-separated as bert-score's, or in Markdown as KoBERTScore's.
///
/// # Errors
/// A file that cannot be read, a missing column or layer, or a value that is no number, with file and line.
pub fn baseline(path: impl Into<PathBuf>, layer: usize) -> Result<Match> {
    fn cells(line: &str) -> Vec<&str> {
        line.trim().trim_matches('|').split([',', '\t', '|']).map(str::trim).collect()
    }
    let mut lines = Lines::open(path)?;
    let header = lines.next().transpose()?.unwrap_or_default();
    let columns = cells(&header);
    let mut places = [0; 4];
    for (place, name) in places.iter_mut().zip(["layer", "P", "R", "F"]) {
        *place = columns
            .iter()
            .position(|column| column.eq_ignore_ascii_case(name))
            .ok_or_else(|| lines.error(format!("no column `{name}` in the header")))?;
    }
    while let Some(line) = lines.next().transpose()? {
        // Blank lines, and the rule under a header in Markdown.
        if line.chars().all(|c| "|-: ".contains(c)) {
            continue;
        }
        let fields = cells(&line);
        let mut values = [0.0; 4];
        for (value, place) in values.iter_mut().zip(places) {
            let text = fields.get(place).copied().unwrap_or_default();
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            *value = number.ok_or_else(|| lines.error(format!("`{text}` is no number")))?;
        }
        let [found, precision, recall, f1] = values;
        if found == layer as f64 {
            return Ok(Match { precision, recall, f1 });
        }
    }
    Err(lines.error(format!("no row of layer {layer}")))
}

/// A document, its reference summaries, and a summary: one line of [`summaries_jsonl`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SummaryLine {
    /// The document.
    pub document: String,
    /// At least one summary that people wrote.
    #[serde(deserialize_with = "at_least_one")]
    pub references: Vec<String>,
    /// The summary to be judged, or to be trained with.
    pub summary: String,
}

/// A list that is not empty.
fn at_least_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let texts = Vec::deserialize(deserializer)?;
    match texts.is_empty() {
        true => Err(D::Error::custom("no reference")),
        false => Ok(texts),
    }
}

/// Summaries from a JSONL file, `{"document": "…", "references": ["…"], "summary": "…"}` per line; blank lines are
/// passed over.
///
/// # Errors
/// A file that cannot be read, or a line that is not of this form, with file and line.
pub fn summaries_jsonl(path: impl Into<PathBuf>) -> Result<Vec<SummaryLine>> {
    jsonl(path)?.collect()
}

/// What the first sentence says of the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NliLabel {
    /// It follows.
    Entailment,
    /// It may be or not.
    Neutral,
    /// It cannot be.
    Contradiction,
}

/// A premise, a hypothesis, and what the one says of the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NliPair {
    /// The premise.
    pub premise: String,
    /// The hypothesis.
    pub hypothesis: String,
    /// The label.
    pub label: NliLabel,
}

fn nli_label(word: &str) -> Result<NliLabel, String> {
    match word.trim() {
        "entailment" => Ok(NliLabel::Entailment),
        "neutral" => Ok(NliLabel::Neutral),
        "contradiction" => Ok(NliLabel::Contradiction),
        other => Err(format!("`{other}` is no label of inference")),
    }
}

/// Pairs from a table in KorNLI's form: columns `sentence1`, `sentence2`, `gold_label`.
///
/// # Errors
/// A file that cannot be read, a missing column, or an unknown label, with file and line.
pub fn nli_tsv(path: impl Into<PathBuf>) -> Result<Vec<NliPair>> {
    table(path.into(), ["sentence1", "sentence2", "gold_label"], |[premise, hypothesis, label]| {
        let (label, premise, hypothesis) =
            (nli_label(label)?, premise.to_owned(), hypothesis.to_owned());
        Ok(NliPair { premise, hypothesis, label })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of this text.
    pub(super) fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn reads_by_column_name() {
        let table = file("genre\tscore\tsentence1\tsentence2\nx\t4.5\t비가 온다\t비 온다\n");
        let pairs = sts_tsv(table.path()).unwrap();
        assert_eq!((pairs[0].score, pairs[0].second.as_str()), (4.5, "비 온다"));
        let table = file(
            "sentence1\tsentence2\tscore\tformality1\tformality2\n밥 먹었어?\t진지 드셨어요?\t3\tinformal\t1\n",
        );
        assert_eq!(toned_tsv(table.path()).unwrap()[0].tones, (Tone::Informal, Tone::Formal));
        let table = file("sentence1\tsentence2\tgold_label\n가\t나\tneutral\n");
        assert_eq!(nli_tsv(table.path()).unwrap()[0].label, NliLabel::Neutral);
    }

    #[test]
    fn reads_baselines_of_both_packages() {
        let commas = file("LAYER,P,R,F\n0,0.1,0.2,0.15\n1,0.3,0.4,0.35\n");
        let first = Match { precision: 0.3, recall: 0.4, f1: 0.35 };
        assert_eq!(baseline(commas.path(), 1).unwrap(), first);
        let bars = "| layer | R | P | F |\n| --- | --- | --- | --- |\n|  1 | 0.4 | 0.3 | 0.35 |\n";
        assert_eq!(baseline(file(bars).path(), 1).unwrap(), first);
        let error = baseline(commas.path(), 7).unwrap_err().to_string();
        assert!(error.ends_with(":3: no row of layer 7"), "{error}");
        // As Rust parses numbers, the second and third are some.
        for text in ["x", "1e999", "NaN", ""] {
            let table = file(&format!("LAYER,P,R,F\n0,{text},1,1\n"));
            let error = baseline(table.path(), 0).unwrap_err().to_string();
            assert!(error.ends_with(&format!(":2: `{text}` is no number")), "{error}");
        }
    }

    #[test]
    fn reads_pairs() {
        let pairs = file("가\t나\n다\t라\n");
        assert_eq!(sentence_pairs_tsv(pairs.path()).unwrap()[1], ("다".into(), "라".into()));
        let error = sentence_pairs_tsv(file("가\t나\n다\n").path()).unwrap_err().to_string();
        assert!(error.ends_with(":2: 1 columns, expected two"), "{error}");
        let table = file("sentence1\tsentence2\tformality1\tformality2\n가\t나\tformal\t0\n");
        assert!(!tone_pairs_tsv(table.path()).unwrap()[0].2);
    }

    #[test]
    fn reads_tones_and_summaries() {
        let table = file("sentence\tformality\n진지 드셨어요?\tformal\n");
        assert_eq!(tones_tsv(table.path()).unwrap()[0].1, Tone::Formal);
        let lines = file(
            "{\"document\": \"긴 글\", \"references\": [\"글\"], \"summary\": \"짧은 글\"}\n\n",
        );
        assert_eq!(summaries_jsonl(lines.path()).unwrap()[0].references, ["글"]);
        let lines = file("{\"document\": \"글\", \"references\": [], \"summary\": \"글\"}\n");
        assert!(
            summaries_jsonl(lines.path()).unwrap_err().to_string().contains(":1: no reference")
        );
    }

    #[test]
    fn names_what_is_wrong_and_where() {
        for (text, part) in [
            ("score\tsentence1\n1\t가\n", "no column `sentence2`"),
            ("score\tsentence1\tsentence2\n5.5\t가\t나\n", "`5.5` is not a number from 0 to 5"),
            ("score\tsentence1\tsentence2\n1\t가\n", "2 columns, expected 3"),
            ("score\tsentence1\tsentence2\nNaN\t가\t나\n", "`NaN`"),
        ] {
            let error = sts_tsv(file(text).path()).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
