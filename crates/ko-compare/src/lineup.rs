//! Systems side by side: the same segments, an output of each.

use crate::{Error, Result};
use ko_eval_core::{OwnedSegment, Segment};
use std::collections::BTreeSet;

/// Named systems over the same segments.
///
/// ```
/// use ko_compare::Lineup;
/// use ko_eval_core::OwnedSegment;
///
/// let outputs = |text| Ok::<_, ko_eval_core::Error>(vec![OwnedSegment::new(text, ["비가 옵니다."])?]);
/// let lineup = Lineup::new([("하나", outputs("비가 온다.")?), ("둘", outputs("비 와요.")?)])?;
/// assert_eq!(lineup.names(), ["하나", "둘"]);
/// let twice = Lineup::new([("하나", outputs("비가 온다.")?), ("하나", outputs("비 와요.")?)]);
/// assert!(twice.unwrap_err().to_string().contains("`하나` is given twice"));
/// # Ok::<(), ko_compare::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lineup {
    names: Vec<String>,
    /// `outputs[system][segment]`.
    outputs: Vec<Vec<String>>,
    /// `references[segment]`.
    references: Vec<Vec<String>>,
    sources: Vec<Option<String>>,
}

impl Lineup {
    /// More systems than a reader can keep apart.
    pub const MOST: usize = 10;

    /// Systems by name, the baseline first; all have the same references and sources.
    ///
    /// # Errors
    /// No system or more than [`Lineup::MOST`], a name twice, a system without segments, unequal lengths, or different references.
    pub fn new<N: Into<String>>(
        systems: impl IntoIterator<Item = (N, Vec<OwnedSegment>)>,
    ) -> Result<Self> {
        let mut lineup = Self {
            names: Vec::new(),
            outputs: Vec::new(),
            references: Vec::new(),
            sources: Vec::new(),
        };
        for (name, segments) in systems {
            lineup.add(name.into(), &segments)?;
        }
        lineup.check_names()?;
        Ok(lineup)
    }

    fn add(&mut self, name: String, segments: &[OwnedSegment]) -> Result<()> {
        if segments.is_empty() {
            return Err(Error::EmptySystem { name });
        }
        let borrowed: Vec<Segment<'_>> = segments.iter().map(OwnedSegment::as_segment).collect();
        match self.names.first() {
            None => {
                let owned = |text: &&str| (*text).to_owned();
                self.references =
                    borrowed.iter().map(|s| s.references().iter().map(owned).collect()).collect();
                self.sources = borrowed.iter().map(|s| s.source().map(str::to_owned)).collect();
            }
            Some(first) if self.len() != segments.len() => {
                return Err(Error::Lengths {
                    first: first.clone(),
                    first_len: self.len(),
                    second: name,
                    second_len: segments.len(),
                });
            }
            Some(first) => {
                let known = self.references.iter().zip(&self.sources);
                let differs =
                    borrowed.iter().zip(known).position(|(segment, (references, source))| {
                        segment.references() != references.as_slice()
                            || segment.source() != source.as_deref()
                    });
                if let Some(place) = differs {
                    let first = first.clone();
                    return Err(Error::References { first, second: name, segment: place + 1 });
                }
            }
        }
        self.names.push(name);
        self.outputs.push(borrowed.iter().map(|s| s.hypothesis().to_owned()).collect());
        Ok(())
    }

    fn check_names(&self) -> Result<()> {
        let count = self.names.len();
        if !(1..=Self::MOST).contains(&count) {
            return Err(Error::Systems { count, least: 1, most: Self::MOST });
        }
        let mut seen = BTreeSet::new();
        for (number, name) in self.names.iter().enumerate() {
            if name.trim().is_empty() {
                return Err(Error::NoName { number: number + 1 });
            }
            if !seen.insert(name) {
                return Err(Error::NameTwice { name: name.clone() });
            }
        }
        Ok(())
    }

    /// How many segments there are.
    pub fn len(&self) -> usize {
        self.references.len()
    }

    /// Whether there are none; never.
    pub fn is_empty(&self) -> bool {
        self.references.is_empty()
    }

    /// The systems' names, the baseline's first.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// `outputs[system][segment]`.
    pub fn outputs(&self) -> &[Vec<String>] {
        &self.outputs
    }

    /// The references of each segment.
    pub fn references(&self) -> &[Vec<String>] {
        &self.references
    }

    /// The source of each segment, where there is one.
    pub fn sources(&self) -> &[Option<String>] {
        &self.sources
    }

    /// What a segment says: its first reference, or the baseline's output where it has none.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let baseline = self.outputs.first().map(Vec::as_slice).unwrap_or_default();
        let pairs = self.references.iter().zip(baseline);
        pairs.map(|(references, output)| references.first().unwrap_or(output).as_str())
    }
}
