//! Tercom's tokenizer: what sacreBLEU's TER does to a text before it splits at white space.
//!
//! By default it only folds white space. It can put spaces around Western punctuation and undo XML
//! escapes ([`Normalization::Western`]), remove punctuation ([`Punctuation::Removed`]), and do both
//! also with Chinese and Japanese characters ([`Script::Asian`]). **Hangul is never split**: for
//! Tercom, a Korean word is a word.
//!
//! Equals sacreBLEU 2.6.0's `TercomTokenizer`. Two of its rules can never apply and are left out: the
//! one for a possessive at the end of the text and those for runs of kana, both anchored to an end
//! where a space was put before. Linear in the text.
//!
//! ```
//! use ko_ngram_metrics::{Case, ter::{Normalization, Punctuation, Script, Tercom}};
//!
//! let western = Tercom { normalization: Normalization::Western, ..Tercom::default() };
//! assert_eq!(western.apply("값은 1,000원(약 $0.7)이다."), "값은 1,000원 ( 약 $ 0.7 ) 이다 .");
//! let asian = Tercom { punctuation: Punctuation::Removed, script: Script::Asian, ..western };
//! assert_eq!(asian.apply("漢字와 한글。"), "漢 字 와 한글");
//! let lower = Tercom { case: Case::Lower, ..Tercom::default() };
//! assert_eq!(lower.apply(" AI  번역\t"), "ai 번역");
//! ```

use crate::{kernel::units::Case, settings::CASE};
use ko_eval_core::{Signature, setting::Choice};

/// Whether Western punctuation is set apart and XML escapes are undone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Normalization {
    /// The text stays as it is.
    #[default]
    None,
    /// Spaces around punctuation, except inside numbers; `&amp;` and its like undone; lines joined.
    Western,
}

/// What becomes of punctuation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Punctuation {
    /// It stays.
    #[default]
    Kept,
    /// `. , ? : ; ! " ( )` go.
    Removed,
}

/// Which characters [`Normalization`] and [`Punctuation`] know.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Script {
    /// Only the Western ones.
    #[default]
    Western,
    /// Also Chinese characters, which normalisation splits, and full-width punctuation.
    Asian,
}

pub(crate) const NORMALIZED: Choice<Normalization> = Choice::new(
    "normalized",
    &[("no", Normalization::None), ("yes", Normalization::Western)],
    "set Western punctuation apart",
);

pub(crate) const NO_PUNCT: Choice<Punctuation> = Choice::new(
    "no-punct",
    &[("no", Punctuation::Kept), ("yes", Punctuation::Removed)],
    "remove punctuation",
);

pub(crate) const ASIAN_SUPPORT: Choice<Script> = Choice::new(
    "asian-support",
    &[("no", Script::Western), ("yes", Script::Asian)],
    "with the two before: split Chinese characters too, know full-width punctuation",
);

/// Tercom's tokenizer with its settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Tercom {
    /// Whether punctuation is set apart.
    pub normalization: Normalization,
    /// Whether punctuation is removed.
    pub punctuation: Punctuation,
    /// Whether Chinese and Japanese characters count.
    pub script: Script,
    /// Whether upper and lower case differ.
    pub case: Case,
}

impl Tercom {
    /// The text with one space between its words.
    pub fn apply(&self, text: &str) -> String {
        fold(&self.prepare(text.to_owned()))
    }

    /// The text, to be split at white space.
    pub(super) fn prepare(&self, mut text: String) -> String {
        let asian = self.script == Script::Asian;
        if self.case == Case::Lower {
            text = text.to_lowercase();
        }
        if self.normalization == Normalization::Western {
            text = western(&text);
            if asian {
                text = set_apart(&text, |c| is_ideographic(c) || is_asian_punctuation(c));
            }
        }
        if self.punctuation == Punctuation::Removed {
            let removed = ['.', ',', '?', ':', ';', '!', '"', '(', ')'];
            text.retain(|c| !(removed.contains(&c) || asian && is_asian_punctuation(c)));
        }
        text
    }

    /// Adds the settings to a signature.
    pub(super) fn sign(&self, signature: Signature) -> Signature {
        let kept = self.punctuation == Punctuation::Kept;
        signature
            .with("case", CASE.word(&self.case))
            .with("norm", NORMALIZED.word(&self.normalization))
            .with("punct", if kept { "yes" } else { "no" })
            .with("asian", ASIAN_SUPPORT.word(&self.script))
    }
}

/// The words with one space between them.
pub(super) fn fold(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

/// What stands between white space, the four separators of ASCII included (as in Python).
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_space = |c: char| c.is_whitespace() || matches!(c, '\x1c'..='\x1f');
    text.split(is_space).filter(|word| !word.is_empty())
}

fn western(text: &str) -> String {
    let text = text
        .replace("\n-", "")
        .replace('\n', " ")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">");
    let text = set_apart(
        &format!(" {text} "),
        |c| matches!(c, ' '..='&' | '('..='+' | '/' | ':'..='@' | '['..='`' | '{'..='~'),
    );
    let text = text.replace("'s ", " 's ");
    // Points and commas stay only inside numbers, a dash only where no digit stands before it.
    let is_point = |c| matches!(c, '.' | ',');
    let is_digit = |c: char| c.is_ascii_digit();
    let text = rewrite_pairs(&text, |a, b| !is_digit(a) && is_point(b), ["", " ", " "]);
    let text = rewrite_pairs(&text, |a, b| is_point(a) && !is_digit(b), [" ", " ", ""]);
    rewrite_pairs(&text, |a, b| is_digit(a) && b == '-', ["", " ", " "])
}

/// A space on both sides of certain characters.
fn set_apart(text: &str, apart: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for c in text.chars() {
        if apart(c) {
            out.extend([' ', c, ' ']);
        } else {
            out.push(c);
        }
    }
    out
}

/// Puts `around` before, between and after pairs of neighbours, from the left; no character is in two
/// pairs.
fn rewrite_pairs(text: &str, fits: impl Fn(char, char) -> bool, around: [&str; 3]) -> String {
    let [before, between, after] = around;
    let mut out = String::with_capacity(text.len() * 2);
    let mut chars = text.chars().peekable();
    while let Some(a) = chars.next() {
        match chars.next_if(|&b| fits(a, b)) {
            Some(b) => {
                out.push_str(before);
                out.push(a);
                out.push_str(between);
                out.push(b);
                out.push_str(after);
            }
            None => out.push(a),
        }
    }
    out
}

/// Chinese characters, their parts and their compatibility forms: what normalisation splits.
fn is_ideographic(c: char) -> bool {
    matches!(
        c,
        '\u{2e80}'..='\u{2eff}'
            | '\u{31c0}'..='\u{31ef}'
            | '\u{3200}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{fe30}'..='\u{fe4f}'
    )
}

fn is_asian_punctuation(c: char) -> bool {
    matches!(
        c,
        '、' | '。' | '〈'..='】' | '〔'..='〟' | '｡'..='･' | '・'
            | '．' | '，' | '？' | '：' | '；' | '！' | '＂' | '（' | '）'
    )
}
