//! How well does an analyzer analyse? Its morphemes against those that somebody wrote down by hand.
//!
//! A gold file holds a sentence per line, in one of two forms; the first line that is not blank decides which:
//!
//! | a line | what is asked of the analyzer |
//! |---|---|
//! | `그 길을 걸었다.` tab `그/MM 길/NNG 을/JKO 걷/VV 었/EP 다/EF ./SF` | every morpheme |
//! | `걷/VV` tab `그 길을 걸었다.` | one morpheme, anywhere in the analysis |
//!
//! Further columns, blank lines, and sense numbers behind a form (`배__3/NNG`) are passed over. Tags are those of any [tag set](crate::tag_set)
//! that this crate knows.
//!
//! Of one sentence, as many morphemes are right as gold and analysis have in common, each counted as often as both have
//! it; with *g* gold morphemes, *a* analysed and *r* right in all sentences together,
//!
//! > precision = r / a, recall = r / g, F1 = 2 r / (a + g)
//!
//! Forms are compared in NFC, with a lone conjoining jamo as the compatibility jamo that it looks like, because
//! analyzers write the same ending as ᆫ다 and as ㄴ다. What makes tags equal is a [`Matching`].
//!
//! ```
//! use ko_eval_core::{Result, Signature, Signed, Token, Tokenizer};
//! use ko_eval_io::read::Lines;
//! use ko_tokenize::{Morpheme, MorphemeAnalyzer, gold::{Gold, Matching}};
//!
//! /// Knows one sentence, and one verb too few.
//! #[derive(Debug)]
//! struct Parrot;
//! # impl Signed for Parrot {
//! #     fn signature(&self) -> Signature { Signature::new("parrot") }
//! # }
//! # impl Tokenizer for Parrot {
//! #     fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
//! #         Ok(self.analyze(text)?.into_iter().map(Token::from).collect())
//! #     }
//! # }
//! impl MorphemeAnalyzer for Parrot {
//!     fn analyze<'t>(&self, _: &'t str) -> Result<Vec<Morpheme<'t>>> {
//!         let known = [("길", "NNG"), ("을", "JKO"), ("걸", "VV"), ("었", "EP"), ("다", "EF")];
//!         Ok(known.map(|(form, tag)| Morpheme { form: form.into(), tag: tag.into(), span: 0..0 }).into())
//!     }
//! }
//!
//! let file = "길을 걸었다\t길/NNG 을/JKO 걷/VV 었/EP 다/EF\n";
//! let gold = Gold::from_lines(Lines::from_reader("gold.tsv", file.as_bytes()))?;
//! let evaluation = gold.evaluate(&Parrot, Matching::Tags)?;
//! assert_eq!(evaluation.counts.f1(), Some(0.8));
//! assert_eq!(evaluation.wrong[0].missed[0].to_string(), "걷/VV");
//! assert_eq!(evaluation.wrong[0].extra[0].to_string(), "걸/VV");
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

mod evaluation;

pub use evaluation::{Counts, Evaluation, Matching, Wrong};

use crate::tag_set;
use ko_eval_core::Result;
use ko_eval_io::read::Lines;
use std::{
    fmt,
    path::{Path, PathBuf},
};

/// A morpheme as somebody wrote it down.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GoldMorpheme {
    /// Its form, without a sense number.
    pub form: String,
    /// Its tag as written.
    pub tag: String,
}

impl fmt::Display for GoldMorpheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.form, self.tag)
    }
}

/// A sentence and its gold morphemes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldSentence {
    /// The line in the file, from 1.
    pub line: usize,
    /// The sentence.
    pub text: String,
    /// All of its morphemes, or the one that is asked for.
    pub morphemes: Vec<GoldMorpheme>,
}

/// What a gold file asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Every morpheme of each sentence.
    All,
    /// One morpheme of each sentence, wherever it stands.
    One,
}

/// The sentences of a gold file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gold {
    path: PathBuf,
    asked: Asked,
    sentences: Vec<GoldSentence>,
}

impl Gold {
    /// Reads a gold file; `-` is standard input.
    ///
    /// # Errors
    /// A file that cannot be read or holds no sentence, or a line that is not of the form of the first; the error names the line
    /// and what is wrong with it.
    pub fn read(path: impl Into<PathBuf>) -> Result<Self> {
        Self::from_lines(Lines::open(path)?)
    }

    /// Reads gold lines from anywhere.
    ///
    /// # Errors
    /// As [`Gold::read`].
    pub fn from_lines(mut lines: Lines) -> Result<Self> {
        let mut asked = None;
        let mut sentences = Vec::new();
        while let Some(line) = lines.next().transpose()? {
            let line = line.trim_end();
            if line.is_empty() {
                continue;
            }
            let Some((first, rest)) = line.split_once('\t') else {
                return Err(lines.error(format!("no tab; {EXPECTED}")));
            };
            let second = rest.split('\t').next().unwrap_or_default();
            let asked = match asked {
                Some(asked) => asked,
                None => *asked.insert(Asked::by_first_line(first, second)),
            };
            let (text, gold) = match asked {
                Asked::All => (first, second),
                Asked::One => (second, first),
            };
            let morphemes = gold.split_whitespace().map(morpheme).collect::<Result<Vec<_>, _>>();
            let morphemes = morphemes.map_err(|reason| lines.error(reason))?;
            match (asked, morphemes.len()) {
                (_, 0) => return Err(lines.error(format!("no morpheme; {EXPECTED}"))),
                (Asked::One, 2..) => {
                    let reason = "several morphemes where the first line has one";
                    return Err(lines.error(reason));
                }
                _ => {}
            }
            if text.trim().is_empty() {
                return Err(lines.error("no sentence"));
            }
            sentences.push(GoldSentence { line: lines.number(), text: text.to_owned(), morphemes });
        }
        match asked {
            Some(asked) => Ok(Self { path: lines.path().to_owned(), asked, sentences }),
            None => Err(lines.error(format!("nothing but blank lines; {EXPECTED}"))),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it asks for.
    pub fn asked(&self) -> Asked {
        self.asked
    }

    /// Its sentences, in order.
    pub fn sentences(&self) -> &[GoldSentence] {
        &self.sentences
    }
}

const EXPECTED: &str = "expected a sentence, a tab and its morphemes (`먹/VV 다/EF`), or a morpheme, a tab and a sentence";

impl Asked {
    /// A sentence is hardly ever made of morphemes with tags alone.
    fn by_first_line(first: &str, second: &str) -> Self {
        let is_gold = |text: &str| {
            !text.trim().is_empty() && text.split_whitespace().all(|item| morpheme(item).is_ok())
        };
        match is_gold(first) && !is_gold(second) {
            true => Self::One,
            false => Self::All,
        }
    }
}

/// Reads `form/TAG`; the form itself may hold slashes.
fn morpheme(item: &str) -> Result<GoldMorpheme, String> {
    let Some((form, tag)) = item.rsplit_once('/').filter(|(form, _)| !form.is_empty()) else {
        return Err(format!("`{item}` is no morpheme with a tag; {EXPECTED}"));
    };
    if tag_set::any_sejong(tag).is_none() {
        return Err(format!("`{tag}` in `{item}` is not a tag of any known tag set"));
    }
    Ok(GoldMorpheme { form: without_sense(form).to_owned(), tag: tag.to_owned() })
}

/// 배 of `배__3`.
fn without_sense(form: &str) -> &str {
    match form.rsplit_once("__") {
        Some((before, number))
            if !before.is_empty()
                && !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            before
        }
        _ => form,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> Result<Gold> {
        Gold::from_lines(Lines::from_reader("gold.tsv", text.as_bytes()))
    }

    fn refused(text: &'static str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn both_forms_are_read() {
        let all = read(
            "\u{feff}밥을 먹다.\t밥__2/NNG 을/JKO 먹/VV 다/EF ./SF\t표준말\r\n\n반/반\t반/NNG //SP 반/NNG\t\n",
        );
        let all = all.unwrap();
        assert_eq!(all.asked(), Asked::All);
        let written: Vec<String> =
            all.sentences().iter().flat_map(|s| &s.morphemes).map(ToString::to_string).collect();
        let expected = ["밥/NNG", "을/JKO", "먹/VV", "다/EF", "./SF", "반/NNG", "//SP", "반/NNG"];
        assert_eq!(written, expected);
        assert_eq!(all.sentences()[1].line, 3);

        let one = read("걷/VV\t길을 걸어라.\n\n묻/VV-I\t길을 물어라.\n").unwrap();
        assert_eq!(one.asked(), Asked::One);
        assert_eq!(one.sentences()[1].morphemes[0].to_string(), "묻/VV-I");
    }

    #[test]
    fn only_numbers_are_senses() {
        assert_eq!(without_sense("배__12"), "배");
        for form in ["배__", "배__a", "__3", "배_3", "배"] {
            assert_eq!(without_sense(form), form);
        }
    }

    #[test]
    fn a_bad_line_is_named() {
        let cases = [
            ("", "gold.tsv:0: nothing but blank lines"),
            ("밥을 먹다\n", "gold.tsv:1: no tab"),
            ("밥\t밥/NNG\n밥을 먹다\n", "gold.tsv:2: no tab"),
            ("밥\t밥/NNG\n밥을\t밥/NNG 을\n", "gold.tsv:2: `을` is no morpheme with a tag"),
            ("밥\t밥/NNG\n밥을\t밥/NNG 을/JQQ\n", "gold.tsv:2: `JQQ` in `을/JQQ`"),
            ("밥\t밥/NNG\n밥을\t/NNG\n", "gold.tsv:2: `/NNG` is no morpheme"),
            ("밥\t밥/NNG\n밥을\t \t밥\n", "gold.tsv:2: no morpheme"),
            ("밥\t밥/NNG\n\t밥/NNG\n", "gold.tsv:2: no sentence"),
            ("밥/NNG\t밥을\n밥/NNG 을/JKO\t밥을\n", "gold.tsv:2: several morphemes"),
            ("밥을\t먹자\n", "gold.tsv:1: `먹자` is no morpheme"),
        ];
        for (text, expected) in cases {
            let error = refused(text);
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
    }
}
