//! Is a text polite? The speech level of its last sentence, and how well that does on labelled text.

use crate::{
    error::Result,
    grammar::{Answer, Grammar, SpeechLevel},
};
use ko_eval_core::{Error, par_map, read::Lines};
use ko_tokenize::MorphemeAnalyzer;
use std::{collections::BTreeMap, fmt, path::Path};

/// The speech level of a text: that of the last sentence that shows one.
///
/// # Errors
/// When the analyzer fails.
pub fn speech_level(
    text: &str,
    analyzer: &dyn MorphemeAnalyzer,
) -> ko_eval_core::Result<Option<Answer<SpeechLevel>>> {
    let mut sentences = Grammar::of_text(text, analyzer)?;
    Ok(std::iter::from_fn(|| sentences.pop()).find_map(|grammar| grammar.speech_level))
}

/// How often texts of two columns, one polite and one plain, were taken for what they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToneCheck {
    /// What was found in the polite column; `None` where no sentence shows a level.
    pub polite: BTreeMap<Option<SpeechLevel>, usize>,
    /// What was found in the plain column.
    pub plain: BTreeMap<Option<SpeechLevel>, usize>,
}

impl ToneCheck {
    /// Reads a TSV file whose first line names its columns, and judges two of them. Empty cells are
    /// passed over.
    ///
    /// # Errors
    /// A file that cannot be read, a column that is not there, a failing analyzer.
    pub fn of_tsv(
        path: impl AsRef<Path>,
        polite: &str,
        plain: &str,
        analyzer: &dyn MorphemeAnalyzer,
    ) -> Result<Self> {
        let mut lines = Lines::open(path.as_ref())?;
        let header = lines.next().transpose()?.unwrap_or_default();
        let column = |name: &str| {
            header.split('\t').position(|column| column == name).ok_or_else(|| {
                lines
                    .error(format!("no column `{name}`; there are: {}", header.replace('\t', ", ")))
            })
        };
        let (polite, plain) = (column(polite)?, column(plain)?);
        let rows = lines.collect::<Result<Vec<String>, Error>>()?;
        let judge = |column: usize| -> Result<BTreeMap<_, usize>> {
            let cells = rows.iter().filter_map(|row| row.split('\t').nth(column));
            let cells: Vec<&str> = cells.filter(|cell| !cell.trim().is_empty()).collect();
            let levels = par_map(&cells, |cell| speech_level(cell, analyzer))?;
            let mut counts = BTreeMap::new();
            for level in levels {
                *counts.entry(level.map(|level| level.value)).or_default() += 1;
            }
            Ok(counts)
        };
        Ok(Self { polite: judge(polite)?, plain: judge(plain)? })
    }

    /// The share of polite texts found polite, and of plain texts found plain.
    pub fn recalls(&self) -> (f64, f64) {
        let share = |counts: &BTreeMap<Option<SpeechLevel>, usize>, polite: bool| {
            let right =
                counts.iter().filter(|(level, _)| level.is_some_and(|l| l.is_polite() == polite));
            right.map(|(_, n)| n).sum::<usize>() as f64
                / counts.values().sum::<usize>().max(1) as f64
        };
        (share(&self.polite, true), share(&self.plain, false))
    }

    /// The share of all texts that were judged rightly; one without a level is not.
    pub fn accuracy(&self) -> f64 {
        let total = |counts: &BTreeMap<_, usize>| counts.values().sum::<usize>() as f64;
        let (polite, plain) = (total(&self.polite), total(&self.plain));
        let (found_polite, found_plain) = self.recalls();
        (found_polite * polite + found_plain * plain) / (polite + plain).max(1.0)
    }
}

impl fmt::Display for ToneCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (polite, plain) = self.recalls();
        let percent = |share: f64| share * 100.0;
        writeln!(f, "accuracy {:.2} %", percent(self.accuracy()))?;
        for (name, counts, recall) in
            [("polite", &self.polite, polite), ("plain", &self.plain, plain)]
        {
            write!(f, "{name}: {:.2} % right", percent(recall))?;
            for (level, n) in counts {
                write!(f, ", {} {n}", level.map_or("no level", SpeechLevel::name))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ko_eval_core::{Signature, Signed, Token, Tokenizer};
    use ko_tokenize::Morpheme;

    /// An analyzer for texts that carry their analysis: `가/VV 요/EF`.
    #[derive(Debug)]
    struct Written;

    impl Signed for Written {
        fn signature(&self) -> Signature {
            Signature::new("written")
        }
    }

    impl Tokenizer for Written {
        fn tokenize<'t>(&self, text: &'t str) -> ko_eval_core::Result<Vec<Token<'t>>> {
            Ok(self.analyze(text)?.into_iter().map(Token::from).collect())
        }
    }

    impl MorphemeAnalyzer for Written {
        fn analyze<'t>(&self, text: &'t str) -> ko_eval_core::Result<Vec<Morpheme<'t>>> {
            let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
            let morpheme = |word: &'t str| {
                let (form, tag) = word.rsplit_once('/')?;
                let span = place(word)..place(word) + word.len();
                Some(Morpheme { form: form.into(), tag: tag.into(), span })
            };
            Ok(text.split_whitespace().filter_map(morpheme).collect())
        }
    }

    #[test]
    fn the_last_sentence_with_a_level_speaks() {
        let level = |text| speech_level(text, &Written).unwrap().map(|level| level.value);
        assert_eq!(level("가요/VV+EF ./SF 응/IC ./SF"), Some(SpeechLevel::Hae));
        assert_eq!(level("가요/VV+EF ./SF 봄/NNG ./SF"), Some(SpeechLevel::Haeyo));
        assert_eq!(level("봄/NNG"), None);
    }

    #[test]
    fn columns_are_counted() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let rows =
            "formal\tinformal\nㅂ/NNG\t가/VV 아/EF\n해요/VV+EF\t\n합니다/VV+EF\t해요/VV+EF\n";
        std::fs::write(file.path(), rows).unwrap();
        let check = ToneCheck::of_tsv(file.path(), "formal", "informal", &Written).unwrap();
        assert_eq!(check.polite[&None], 1);
        assert_eq!(check.plain[&Some(SpeechLevel::Haeyo)], 1);
        assert_eq!((check.recalls(), check.accuracy()), ((2.0 / 3.0, 0.5), 0.6));
        let missing = ToneCheck::of_tsv(file.path(), "polite", "informal", &Written).unwrap_err();
        assert!(missing.to_string().contains("no column `polite`; there are: formal, informal"));
    }
}
