//! Pairs of texts that models that write learn from, and where each of them stands.

use anyhow::Result;
use ko_eval::{
    Error,
    commongen::{BadLines, read_items},
    neural::{self, read::damaged, train::TextPair},
    read::{self, Lines},
};
use std::path::{Path, PathBuf};

/// How a source is written: what stands around it, and between the concepts of a data set.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    pub(super) template: &'a str,
    pub(super) between: &'a str,
}

/// The source alone.
pub(super) const PLAIN: Written<'static> = Written { template: "{}", between: "#" };

/// Sources and targets of some files, one file after the other.
#[derive(Default)]
pub(super) struct Pairs {
    texts: Vec<(String, String)>,
    /// How many are of which file.
    files: Vec<(PathBuf, usize)>,
}

impl Pairs {
    pub(super) fn read<'p>(
        paths: impl IntoIterator<Item = &'p PathBuf>,
        written: Written<'_>,
    ) -> Result<Self> {
        let mut all = Self::default();
        for path in paths {
            let texts = of_file(path, written)?;
            all.files.push((path.clone(), texts.len()));
            all.texts.extend(texts);
        }
        Ok(all)
    }

    /// What noise leaves of the targets becomes their sources.
    pub(super) fn restore(&mut self, written: Written<'_>, seed: u64) {
        let targets: Vec<&str> = self.texts.iter().map(|(_, target)| target.as_str()).collect();
        let sources = damaged(&targets, written.between, seed);
        for ((source, _), damaged) in self.texts.iter_mut().zip(sources) {
            *source = written.template.replace("{}", &damaged);
        }
    }

    pub(super) fn as_pairs(&self) -> Vec<TextPair<'_>> {
        self.texts.iter().map(|(source, target)| TextPair { source, target }).collect()
    }

    /// The file and the line of a pair, counted from 1, if it stands in a table.
    fn place(&self, number: usize) -> Option<(PathBuf, usize)> {
        let mut row = number.checked_sub(1)?;
        let (path, _) = self.files.iter().find(|(_, rows)| {
            let is_here = row < *rows;
            row -= if is_here { 0 } else { *rows };
            is_here
        })?;
        if !is_table(path) {
            return None;
        }
        let lines = (1..).zip(Lines::open(path.clone()).ok()?).skip(1);
        let mut rows = lines.filter(|(_, line)| line.as_ref().is_ok_and(|l| !l.trim().is_empty()));
        let (line, _) = rows.nth(row)?;
        Some((path.clone(), line))
    }
}

/// An example that cannot be learned, with its file and line where they are known.
pub(super) fn located(error: neural::Error, train: &Pairs, dev: &Pairs) -> neural::Error {
    let neural::Error::BadExample { set, number, reason } = error else { return error };
    let pairs = if set == "training" { train } else { dev };
    match pairs.place(number) {
        Some((path, line)) => Error::BadLine { path, line, reason: reason.into() }.into(),
        None => error,
    }
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "tsv")
}

/// Sources and targets of a table, or concepts and references of a data set.
fn of_file(path: &Path, written: Written<'_>) -> Result<Vec<(String, String)>> {
    let source = |text: &str| written.template.replace("{}", text);
    if is_table(path) {
        let pairs = read::table(path.to_owned(), ["source", "target"], |[from, to]| {
            Ok((source(from), to.to_owned()))
        });
        return Ok(pairs?);
    }
    let items = read_items(path, BadLines::Refuse)?.into_values();
    let pairs = items.iter().flat_map(|item| {
        let concepts = source(&item.concepts().join(written.between));
        item.references().iter().map(move |reference| (concepts.clone(), reference.clone()))
    });
    Ok(pairs.collect())
}
