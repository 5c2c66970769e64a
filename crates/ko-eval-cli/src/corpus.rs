//! Where the segments of a command come from.

use anyhow::{Result, bail};
use clap::Args;
use ko_eval::{
    Corpus, Needs, OwnedSegment,
    read::{self, Lines, Parallel},
};
use std::path::{Path, PathBuf};

/// Hypotheses with their references and sources: in one file, or in parallel files.
#[derive(Debug, Args)]
pub(crate) struct CorpusArgs {
    /// Pairs: `{"hyp": "…", "refs": ["…"], "src": "…"}` per line (JSONL), or a `.tsv` of
    /// hypothesis and references; `-` reads JSONL from standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["hyp", "reference", "source"])]
    pub(crate) pairs: Option<PathBuf>,
    /// Hypotheses, one per line; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) hyp: Option<PathBuf>,
    /// References, one per line; repeat it for several references
    #[arg(long = "ref", value_name = "FILE")]
    pub(crate) reference: Vec<PathBuf>,
    /// Sources, one per line: the documents of summaries, the originals of translations
    #[arg(long = "src", value_name = "FILE", requires = "hyp")]
    pub(crate) source: Option<PathBuf>,
}

impl CorpusArgs {
    /// The segments as they pass by.
    pub(crate) fn stream(
        &self,
    ) -> Result<Box<dyn Iterator<Item = ko_eval::Result<OwnedSegment>> + '_>> {
        Ok(match (&self.pairs, &self.hyp) {
            (Some(path), _) if is_tsv(path) => Box::new(read::pairs_tsv(path)?),
            (Some(path), _) => Box::new(read::pairs_jsonl(path)?),
            (None, Some(hyp)) => Box::new(
                Parallel::new(hyp)
                    .references(&self.reference)
                    .source(self.source.as_ref())
                    .open()?,
            ),
            (None, None) => bail!("give --pairs FILE, or --hyp FILE with --ref FILE"),
        })
    }

    /// Whether the files that are given can have what the metrics need.
    pub(crate) fn check(&self, needs: Needs) -> Result<()> {
        if self.hyp.is_some() {
            Parallel::check_needs(needs, !self.reference.is_empty(), self.source.is_some())?;
        }
        Ok(())
    }

    /// All segments.
    pub(crate) fn read(&self) -> Result<Corpus> {
        Ok(self.stream()?.collect::<ko_eval::Result<_>>()?)
    }
}

fn is_tsv(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tsv"))
}

/// Texts, one per line.
pub(crate) fn texts(path: &Path) -> Result<Vec<String>> {
    Ok(Lines::open(path)?.collect::<ko_eval::Result<_>>()?)
}

/// Numbers, one per line.
pub(crate) fn numbers(path: &Path) -> Result<Vec<f64>> {
    let mut lines = Lines::open(path)?;
    let mut numbers = Vec::new();
    while let Some(line) = lines.next().transpose()? {
        let number = line.trim().parse().ok().filter(|number: &f64| number.is_finite());
        numbers.push(number.ok_or_else(|| lines.error(format!("`{line}` is no number")))?);
    }
    Ok(numbers)
}
