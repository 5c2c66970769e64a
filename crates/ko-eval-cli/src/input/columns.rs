//! Which columns of a table, or keys of JSON, are hypothesis, references and source.

use ko_eval::{OwnedSegment, Result};
use std::str::FromStr;

/// The usual names of a hypothesis.
const HYPOTHESIS: &[&str] = &[
    "hyp",
    "hypothesis",
    "prediction",
    "predictions",
    "pred",
    "candidate",
    "mt",
    "output",
    "generated",
    "예측",
];
/// The usual names of a reference; numbers may follow (`ref1`, `ref_2`).
const REFERENCE: &[&str] =
    &["ref", "refs", "reference", "references", "target", "gold", "answer", "정답", "참조"];
/// The usual names of a source.
const SOURCE: &[&str] = &["src", "source", "sources", "document", "input", "original", "원문"];

/// What `--columns` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(super) hypothesis: String,
    pub(super) references: Vec<String>,
    pub(super) source: Option<String>,
}

impl FromStr for Columns {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (mut hypothesis, mut references, mut source) = (None, Vec::new(), None);
        for part in text.split(',') {
            let (what, name) = part
                .split_once('=')
                .ok_or_else(|| format!("`{part}`: expected hyp=NAME, ref=NAME or src=NAME"))?;
            let name = name.to_owned();
            match what.trim().to_ascii_lowercase().as_str() {
                "hyp" if hypothesis.is_none() => hypothesis = Some(name),
                "ref" | "refs" => references.push(name),
                "src" if source.is_none() => source = Some(name),
                "hyp" | "src" => return Err(format!("`{what}` is there twice")),
                _ => return Err(format!("`{what}`: expected hyp=NAME, ref=NAME or src=NAME")),
            }
        }
        let hypothesis = hypothesis.ok_or("no hypothesis; expected hyp=NAME")?;
        Ok(Self { hypothesis, references, source })
    }
}

impl Columns {
    /// The usual names among these; none without a hypothesis.
    pub(super) fn usual<S: AsRef<str>>(names: &[S]) -> Option<Self> {
        let names = names.iter().map(AsRef::as_ref);
        let find = |known: &[&str]| {
            // The order of the names known, not of the columns: `hyp` comes before `output`.
            known
                .iter()
                .find_map(|known| names.clone().find(|name| name.eq_ignore_ascii_case(known)))
        };
        let hypothesis = find(HYPOTHESIS)?.to_owned();
        let is_reference = |name: &&str| {
            let name = name.to_ascii_lowercase();
            let stem =
                name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '_' | '-' | ' '));
            REFERENCE.contains(&stem)
        };
        let references = names.clone().filter(is_reference).map(str::to_owned).collect();
        Some(Self { hypothesis, references, source: find(SOURCE).map(str::to_owned) })
    }

    /// Columns by number, of a table without a header.
    pub(super) fn numbers(&self) -> Option<Places> {
        let place =
            |name: &String| name.trim().parse().ok().filter(|n: &usize| *n > 0).map(|n| n - 1);
        Some(Places {
            hypothesis: place(&self.hypothesis)?,
            references: self.references.iter().map(place).collect::<Option<_>>()?,
            source: self.source.as_ref().map(|name| place(name).ok_or(())).transpose().ok()?,
        })
    }

    /// Where the columns stand in a header.
    pub(super) fn places(&self, header: &[String]) -> std::result::Result<Places, String> {
        let place = |name: &String| {
            let exact = header.iter().position(|column| column == name);
            exact
                .or_else(|| {
                    header.iter().position(|column| column.eq_ignore_ascii_case(name.trim()))
                })
                .ok_or_else(|| {
                    format!("no column `{name}` in the header; there are {}", quoted(header))
                })
        };
        Ok(Places {
            hypothesis: place(&self.hypothesis)?,
            references: self.references.iter().map(place).collect::<std::result::Result<_, _>>()?,
            source: self.source.as_ref().map(place).transpose()?,
        })
    }
}

/// Where the columns stand, from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) hypothesis: usize,
    pub(super) references: Vec<usize>,
    pub(super) source: Option<usize>,
}

impl Places {
    /// The segment of a row.
    pub(super) fn segment(&self, row: &[String]) -> std::result::Result<OwnedSegment, String> {
        let cell = |place: usize| {
            row.get(place)
                .map(String::as_str)
                .ok_or_else(|| format!("{} columns, but column {} is wanted", row.len(), place + 1))
        };
        let references: Vec<&str> = self
            .references
            .iter()
            .map(|place| cell(*place))
            .collect::<std::result::Result<_, _>>()?;
        let source = self.source.map(cell).transpose()?;
        segment(cell(self.hypothesis)?, references, source).map_err(|error| error.to_string())
    }
}

/// A segment of what is there.
pub(super) fn segment<S: Into<String>>(
    hypothesis: impl Into<String>,
    references: Vec<S>,
    source: Option<impl Into<String>>,
) -> Result<OwnedSegment> {
    let segment = match references.is_empty() {
        true => OwnedSegment::alone(hypothesis),
        false => OwnedSegment::new(hypothesis, references)?,
    };
    Ok(match source {
        Some(source) => segment.with_source(source),
        None => segment,
    })
}

/// Names as a message has them.
pub(super) fn quoted<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_names_are_found_in_any_order_and_case() {
        let columns = |names: &[&str]| Columns::usual(names);
        let found = columns(&["id", "Source", "ref_1", "Prediction", "ref_2"]).unwrap();
        assert_eq!(found.hypothesis, "Prediction");
        assert_eq!(found.references, ["ref_1", "ref_2"]);
        assert_eq!(found.source.as_deref(), Some("Source"));
        assert_eq!(columns(&["문장", "정답"]), None);
    }

    #[test]
    fn columns_are_told_by_name_or_number() {
        let told: Columns = "hyp=2,ref=3,ref=4".parse().unwrap();
        let places = told.numbers().unwrap();
        assert_eq!((places.hypothesis, places.references), (1, vec![2, 3]));
        assert!("ref=a".parse::<Columns>().unwrap_err().contains("hyp=NAME"));
        assert!("hyp=a,gold=b".parse::<Columns>().unwrap_err().contains("`gold`"));
        let header = ["a".to_owned(), "b".to_owned()];
        let missing = "hyp=a,ref=c".parse::<Columns>().unwrap().places(&header).unwrap_err();
        assert!(missing.contains("no column `c`") && missing.contains("`a`, `b`"), "{missing}");
    }
}
