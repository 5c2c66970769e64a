//! Where the segments of a command come from.

use crate::input::{self, Encoding, EncodingArgs, Segments, TableArgs, is_table};
use anyhow::{Result, bail, ensure};
use clap::Args;
use ko_eval::{
    Corpus, Error, Needs, OwnedSegment, Panel,
    read::{Lines, Parallel},
};
use std::path::{Path, PathBuf};

/// Hypotheses with their references and sources: in one file, or in parallel files.
#[derive(Debug, Args)]
pub(crate) struct CorpusArgs {
    /// Pairs in one file: JSON lines of `{"hyp": "…", "refs": ["…"], "src": "…"}`, JSON with lists of `predictions` and
    /// `references`, or a .tsv or .csv file with a header; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["hyp", "reference", "source"])]
    pub(crate) pairs: Vec<PathBuf>,
    /// Hypotheses, one per line; repeat it for several systems; `-` reads standard input
    #[arg(long, short = 'i', visible_alias = "input", value_name = "FILE")]
    pub(crate) hyp: Vec<PathBuf>,
    /// References, one per line; repeat it for several references
    #[arg(long = "ref", value_name = "FILE")]
    pub(crate) reference: Vec<PathBuf>,
    /// Sources, one per line: the documents of summaries, the originals of translations
    #[arg(long = "src", value_name = "FILE")]
    pub(crate) source: Option<PathBuf>,
    /// Pairs in Parquet files, all parts of one system; --columns says which columns are what
    #[cfg(feature = "sql")]
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["pairs", "hyp", "reference", "source"])]
    pub(crate) parquet: Vec<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    encoding: EncodingArgs,
}

impl CorpusArgs {
    /// Texts, one per line, in the encoding that is asked for.
    pub(crate) fn texts(&self, path: &Path) -> Result<Vec<String>> {
        Ok(input::lines(path, self.encoding.encoding)?.collect::<ko_eval::Result<_>>()?)
    }

    /// The systems that are to be scored. Files without a flag are what the flags leave open: references beside `--hyp`,
    /// hypotheses beside `--ref`, pairs if they are tables.
    pub(crate) fn systems(&self, files: &[PathBuf]) -> Result<Vec<System<'_>>> {
        #[cfg(feature = "sql")]
        if !self.parquet.is_empty() {
            return self.parquet_system(files).map(|system| vec![system]);
        }
        let (mut pairs, mut hyp) = (self.pairs.clone(), self.hyp.clone());
        let mut references = self.reference.clone();
        match files {
            [] => {}
            _ if !pairs.is_empty() => bail!(
                "{}: beside --pairs there is nothing else to read",
                files.first().map(|path| path.display().to_string()).unwrap_or_default()
            ),
            _ if !hyp.is_empty() => references.extend_from_slice(files),
            _ if !references.is_empty() => hyp.extend_from_slice(files),
            _ if files.iter().all(|path| is_table(path) || path.as_os_str() == "-") => {
                pairs.extend_from_slice(files);
            }
            _ => bail!(
                "which files are hypotheses, and which references? `ko-eval score --hyp HYP REF…`, or \
                 `ko-eval score --ref REF HYP…`"
            ),
        }
        ensure!(
            !pairs.is_empty() || !hyp.is_empty(),
            "give --pairs FILE, or --hyp FILE with --ref FILE"
        );
        input::only_once(pairs.iter().chain(&hyp).chain(&references).chain(&self.source))?;
        let encoding = self.encoding.encoding;
        let system = |path: &PathBuf, from: From| System {
            name: path.display().to_string(),
            from,
            table: &self.table,
            encoding,
        };
        let tables = pairs.iter().map(|path| system(path, From::Pairs(path.clone())));
        let texts = hyp.iter().map(|path| {
            let files = Parallel::new(path).references(&references).source(self.source.as_ref());
            let paths = std::iter::once(path).chain(&references).chain(&self.source).cloned();
            let (references, source) = (!references.is_empty(), self.source.is_some());
            system(path, From::Texts { files, paths: paths.collect(), references, source })
        });
        Ok(tables.chain(texts).collect())
    }

    /// All Parquet files together.
    #[cfg(feature = "sql")]
    fn parquet_system(&self, files: &[PathBuf]) -> Result<System<'_>> {
        if let Some(other) = files.first() {
            bail!("{}: beside --parquet there is nothing else to read", other.display());
        }
        input::only_once(&self.parquet)?;
        let name = match self.parquet.as_slice() {
            [one] => one.display().to_string(),
            several => {
                let first = several.first().map(|path| path.display().to_string());
                format!("{} …", first.unwrap_or_default())
            }
        };
        let from = From::Parquet(self.parquet.clone());
        Ok(System { name, from, table: &self.table, encoding: self.encoding.encoding })
    }

    /// All segments of the only system.
    pub(crate) fn read(&self) -> Result<Corpus> {
        let systems = self.systems(&[])?;
        let [system] = systems.as_slice() else { bail!("one system at a time") };
        Ok(system
            .segments()?
            .map(|found| found.map(|(_, segment)| segment))
            .collect::<ko_eval::Result<_>>()?)
    }
}

/// A system's output with what it is compared with.
pub(crate) struct System<'a> {
    /// What it is called: its file.
    pub(crate) name: String,
    from: From,
    table: &'a TableArgs,
    encoding: Encoding,
}

enum From {
    Pairs(PathBuf),
    #[cfg(feature = "sql")]
    Parquet(Vec<PathBuf>),
    Texts {
        files: Parallel,
        paths: Vec<PathBuf>,
        references: bool,
        source: bool,
    },
}

impl System<'_> {
    /// Whether the files that are given can have what the metrics need.
    pub(crate) fn check(&self, needs: Needs) -> Result<()> {
        if let From::Texts { references, source, .. } = &self.from {
            Parallel::check_needs(needs, *references, *source)?;
        }
        Ok(())
    }

    /// The segments as they pass by; one that lacks what a metric needs is named by its line.
    pub(crate) fn stream<'p>(
        &'p self,
        panel: &'p Panel,
    ) -> Result<Box<dyn Iterator<Item = ko_eval::Result<OwnedSegment>> + 'p>> {
        let needs = panel.needs();
        let segments = self.segments()?.zip(1..);
        Ok(Box::new(segments.map(move |(found, number)| {
            let (line, owned) = found?;
            let segment = owned.as_segment();
            let lacks = (needs.references && segment.references().is_empty())
                || (needs.source && segment.source().is_none());
            if lacks {
                for row in panel.rows() {
                    let lacking = row.scorer.needs().check(
                        &row.scorer.signature(),
                        std::slice::from_ref(&segment),
                        number,
                    );
                    lacking.map_err(|error| Error::BadLine {
                        path: self.name.clone().into(),
                        line,
                        reason: error.to_string(),
                    })?;
                }
            }
            Ok(owned)
        })))
    }

    fn segments(&self) -> Result<Segments> {
        match &self.from {
            From::Pairs(path) => input::pairs(path, self.table, self.encoding),
            #[cfg(feature = "sql")]
            From::Parquet(paths) => input::parquet(paths, self.table),
            From::Texts { files, paths, .. } => {
                for path in paths.iter().filter(|path| path.as_os_str() != "-") {
                    input::refuse_table(path, self.encoding)?;
                }
                let segments = files.open_by(&|path| input::lines(path, self.encoding))?;
                Ok(Box::new(segments.zip(1..).map(|(segment, line)| Ok((line, segment?)))))
            }
        }
    }
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
