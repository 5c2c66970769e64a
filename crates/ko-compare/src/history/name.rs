//! What a run is called, and when it was.

use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A name that is a plain file name on every system: letters of any script, digits, `-`, `_` and `.`, which is not the first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunName(String);

/// A day, or a day and a time: `2026-11-17`, `2026-11-17T08:30`, `2026-11-17T08:30:00Z`. Dates sort by what they say.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date(String);

impl FromStr for RunName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        if (1..=100).contains(&text.len()) && text.chars().all(plain) && !text.starts_with('.') {
            return Ok(Self(text.to_owned()));
        }
        let expected =
            "letters, digits, `-`, `_` and `.`, at most 100 bytes, not beginning with `.`";
        Err(Error::Named { what: "name of a run", value: text.to_owned(), expected })
    }
}

impl FromStr for Date {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if is_date(text) {
            return Ok(Self(text.to_owned()));
        }
        let expected = "YYYY-MM-DD, or YYYY-MM-DDTHH:MM[:SS][Z]";
        Err(Error::Named { what: "date", value: text.to_owned(), expected })
    }
}

fn is_date(text: &str) -> bool {
    let (day, time) = text.split_once('T').map_or((text, None), |(day, time)| (day, Some(time)));
    let number = |part: Option<&str>, digits: usize, range: std::ops::RangeInclusive<u16>| {
        part.filter(|p| p.len() == digits && p.bytes().all(|b| b.is_ascii_digit()))
            .and_then(|p| p.parse().ok())
            .is_some_and(|n: u16| range.contains(&n))
    };
    let mut parts = day.split('-');
    let day = number(parts.next(), 4, 0..=9999)
        && number(parts.next(), 2, 1..=12)
        && number(parts.next(), 2, 1..=31)
        && parts.next().is_none();
    let time = time.is_none_or(|time| {
        let mut parts = time.strip_suffix('Z').unwrap_or(time).split(':');
        number(parts.next(), 2, 0..=23)
            && number(parts.next(), 2, 0..=59)
            && parts.next().is_none_or(|seconds| number(Some(seconds), 2, 0..=60))
            && parts.next().is_none()
    });
    day && time
}

macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl TryFrom<String> for $type {
            type Error = Error;

            fn try_from(text: String) -> Result<Self> {
                text.parse()
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> Self {
                value.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

as_text!(RunName, Date);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_file_names_and_dates_are_dates() {
        for good in ["2026-11-17", "2026-11-17T08:30", "2026-01-31T23:59:60Z"] {
            assert_eq!(good.parse::<Date>().unwrap().to_string(), good);
        }
        for bad in [
            "",
            "2026-13-01",
            "2026-1-01",
            "2026-11-17 08:30",
            "2026-11-17T8:30",
            "2026-11-17-1",
            "2026-11-17T08:30:00:00",
        ] {
            assert!(bad.parse::<Date>().is_err(), "{bad}");
        }
        for bad in ["", "a/b", "..", ".hidden", "a b", "a\\b", "a\0b"] {
            assert!(bad.parse::<RunName>().is_err(), "{bad}");
        }
        assert!("판-1.2_가".parse::<RunName>().is_ok());
    }
}
