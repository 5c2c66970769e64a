//! Segments in buckets: by length, with or without numbers, by register, by anything that the user knows of them.

use crate::{Error, Lineup, Result, Speech};
use serde::Serialize;
use std::collections::BTreeMap;

/// More buckets than this nobody reads.
const MOST: usize = 40;
/// Buckets of equally many segments by length.
const BY_LENGTH: usize = 4;
/// What a segment is called that shows no speech level.
const NO_LEVEL: &str = "–";

/// What a grouping goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Characters of the first reference.
    Length,
    /// Whether the first reference holds a digit; the labels are `with` and `without`.
    Numbers,
    /// The speech level of the first reference.
    Register,
    /// A column of the user's.
    Column,
}

/// Every segment in a bucket.
///
/// ```
/// use ko_compare::Grouping;
///
/// let domains = ["뉴스", "대화", "뉴스"].map(String::from);
/// let grouping = Grouping::by_column("분야", &domains)?;
/// assert_eq!(grouping.labels(), ["뉴스", "대화"]);
/// assert_eq!(grouping.of(), [0, 1, 0]);
/// # Ok::<(), ko_compare::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grouping {
    name: String,
    kind: Kind,
    labels: Vec<String>,
    of: Vec<usize>,
}

impl Grouping {
    /// Quarters by length: equally many segments each, as far as equal lengths stay together.
    pub fn by_length(lineup: &Lineup) -> Self {
        let lengths: Vec<usize> = lineup.texts().map(|text| text.chars().count()).collect();
        let mut sorted = lengths.clone();
        sorted.sort_unstable();
        // The greatest length of each bucket.
        let mut ends: Vec<usize> = (1..=BY_LENGTH)
            .filter_map(|quarter| {
                sorted.get((sorted.len() * quarter / BY_LENGTH).max(1) - 1).copied()
            })
            .collect();
        ends.dedup();
        let bucket = |length: &usize| ends.iter().position(|end| length <= end).unwrap_or_default();
        let of = lengths.iter().map(bucket).collect();
        let mut from = sorted.first().copied().unwrap_or_default();
        let mut labels = Vec::with_capacity(ends.len());
        for end in &ends {
            labels.push(if from == *end { end.to_string() } else { format!("{from}–{end}") });
            from = end + 1;
        }
        Self { name: "length".into(), kind: Kind::Length, labels, of }
    }

    /// Segments whose first reference holds a digit, and the others.
    pub fn by_numbers(lineup: &Lineup) -> Self {
        let values = lineup.texts().map(|text| match text.chars().any(char::is_numeric) {
            true => "with",
            false => "without",
        });
        Self::by_value("numbers", Kind::Numbers, values)
    }

    /// By the speech level of the first reference.
    pub fn by_register(speech: &Speech) -> Self {
        let values = speech.levels().map(|level| level.map_or(NO_LEVEL, |level| level.name()));
        Self::by_value("register", Kind::Register, values)
    }

    /// By a column of the user's: a value per segment.
    ///
    /// # Errors
    /// More different values than can be shown.
    pub fn by_column(name: impl Into<String>, values: &[String]) -> Result<Self> {
        let grouping = Self::by_value(name, Kind::Column, values.iter().map(String::as_str));
        let count = grouping.labels.len();
        if count > MOST {
            return Err(Error::Groups { name: grouping.name, count, most: MOST });
        }
        Ok(grouping)
    }

    fn by_value<'v>(
        name: impl Into<String>,
        kind: Kind,
        values: impl Iterator<Item = &'v str>,
    ) -> Self {
        let values: Vec<&str> = values.collect();
        let mut places = BTreeMap::new();
        for value in &values {
            places.insert(*value, 0);
        }
        places.values_mut().zip(0..).for_each(|(place, number)| *place = number);
        let of = values.iter().filter_map(|value| places.get(value).copied()).collect();
        let labels = places.into_keys().map(str::to_owned).collect();
        Self { name: name.into(), kind, labels, of }
    }

    /// Its name: `length`, `numbers`, `register`, or the column's.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it goes by.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The buckets, none of them empty.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The bucket of each segment.
    pub fn of(&self) -> &[usize] {
        &self.of
    }
}
