//! Which sentences are fit for the data set: plain Korean statements.
//!
//! A fit sentence ends in 다. and is written in Hangul syllables, spaces, commas and the full stop;
//! Latin letters only in words that Korean uses every day (TV), because the published sentences have
//! those and no others to speak of. White space at the ends goes and runs of it become one space.
//!
//! ```
//! use ko_commongen::{Clean, Unfit};
//!
//! let clean = Clean::new();
//! assert_eq!(clean.check("거실에서  TV를 본다. ").as_deref(), Ok("거실에서 TV를 본다."));
//! assert_eq!(clean.check("거실에서 TV를 보니?"), Err(Unfit::NotAStatement));
//! assert_eq!(clean.check("그는 weekend마다 온다."), Err(Unfit::ForeignWord));
//! assert_eq!(clean.check("값은 3,000₩이다."), Err(Unfit::Symbol));
//! ```

use crate::words::words_enum;
use std::borrow::Cow;

words_enum! {
    /// Why a sentence is not fit.
    pub enum Unfit ("reason") {
        /// Nothing but white space.
        Blank "blank",
        /// It does not end in 다.
        NotAStatement "not-a-statement",
        /// Latin letters, Hanja, kana and the like, beyond the words allowed.
        ForeignWord "foreign-word",
        /// Digits, brackets, emoji, lone jamo.
        Symbol "symbol",
    }
}

/// The first stage's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clean {
    foreign: Vec<String>,
}

impl Default for Clean {
    fn default() -> Self {
        Self::new()
    }
}

impl Clean {
    /// Latin words that the published sentences use.
    pub const FOREIGN: &[&str] = &["TV", "PC", "DVD", "OST", "SNS"];

    /// Allows [`Clean::FOREIGN`].
    pub fn new() -> Self {
        Self::allowing(Self::FOREIGN.iter().copied())
    }

    /// Allows these Latin words, in capitals or not.
    pub fn allowing<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Self {
        let foreign = words.into_iter().map(|word| word.into().to_lowercase()).collect();
        Self { foreign }
    }

    /// The words allowed, in small letters.
    pub fn foreign(&self) -> &[String] {
        &self.foreign
    }

    /// The sentence with its white space put in order, or why it is not fit.
    ///
    /// # Errors
    /// The first reason found.
    pub fn check<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, Unfit> {
        let text = ordered(text);
        let body = match text.strip_suffix("다.") {
            _ if text.is_empty() => return Err(Unfit::Blank),
            None => return Err(Unfit::NotAStatement),
            Some(body) => body,
        };
        let foreign = |c: char| c.is_alphabetic() && !is_hangul(c);
        let mut words = body.split(|c| !foreign(c)).filter(|word| !word.is_empty());
        if !words.all(|word| self.foreign.contains(&word.to_lowercase())) {
            return Err(Unfit::ForeignWord);
        }
        let plain = |c: char| is_syllable(c) || foreign(c) || matches!(c, ' ' | ',');
        if !body.chars().all(plain) {
            return Err(Unfit::Symbol);
        }
        Ok(text)
    }
}

/// One space between words, none at the ends.
fn ordered(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    let mut before = 'x';
    let tidy = trimmed.chars().all(|c| {
        let fine = !c.is_whitespace() || (c == ' ' && before != ' ');
        before = c;
        fine
    });
    if tidy {
        trimmed.into()
    } else {
        trimmed.split_whitespace().collect::<Vec<_>>().join(" ").into()
    }
}

fn is_syllable(c: char) -> bool {
    ('가'..='힣').contains(&c)
}

/// Syllables and jamo: a lone jamo is a symbol here, not a foreign letter.
fn is_hangul(c: char) -> bool {
    is_syllable(c)
        || matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{a960}'..='\u{a97c}' | '\u{d7b0}'..='\u{d7fb}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons() {
        let clean = Clean::new();
        for (text, reason) in [
            ("", Unfit::Blank),
            (" \t", Unfit::Blank),
            ("비가 온다", Unfit::NotAStatement),
            ("비가 온다!", Unfit::NotAStatement),
            ("漢字를 배운다.", Unfit::ForeignWord),
            ("かな를 배운다.", Unfit::ForeignWord),
            ("오늘은 3월이다.", Unfit::Symbol),
            ("재미있다ㅋㅋ 그렇다.", Unfit::Symbol),
            ("비가 온다. 눈도 온다.", Unfit::Symbol),
            ("(비가) 온다.", Unfit::Symbol),
        ] {
            assert_eq!(clean.check(text), Err(reason), "{text}");
        }
        assert!(clean.check("산, 들, 바다에 간다.").is_ok());
        assert!(Clean::allowing(["LED"]).check("led 등을 켠다.").is_ok());
    }
}
