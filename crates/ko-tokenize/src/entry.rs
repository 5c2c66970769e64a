//! The shape of a row of [`TOKENIZERS`](crate::TOKENIZERS).

use crate::{MorphemeAnalyzer, level};
use ko_eval_core::{
    Entry, Error, Param, Params, Result, Spec, Tokenizer,
    registry::{Argument, Declared},
};
use std::{fmt, sync::Arc};

/// A row of the table of units.
#[derive(Clone, Copy)]
pub struct UnitEntry {
    /// The name on the command line.
    pub name: &'static str,
    /// What a unit is, in one line.
    pub summary: &'static str,
    /// What the bare argument is (`FILE` in `subword:FILE`), if the row takes one.
    pub argument: Option<Argument>,
    /// What can be set.
    pub params: &'static [Param],
    /// Builds it, or says what is missing.
    pub build: Build,
    /// Why a comparison of all units leaves this one out, if it does.
    pub not_compared: Option<&'static str>,
}

/// How a row builds what it names.
#[derive(Clone, Copy)]
pub enum Build {
    /// It cuts.
    Tokenizer(BuildTokenizer),
    /// It cuts and tags: an analyzer is a tokenizer, too.
    Analyzer(BuildAnalyzer),
    /// It tags only when it is asked to, which makes other units, so that there are two ways to build it.
    Either {
        /// Without tags.
        tokenizer: BuildTokenizer,
        /// With tags.
        analyzer: BuildAnalyzer,
    },
}

/// Builds a tokenizer; `Params` holds only names listed in the row's `params`.
pub type BuildTokenizer = fn(&Params) -> Result<Arc<dyn Tokenizer>>;

/// Builds an analyzer; `Params` holds only names listed in the row's `params`.
pub type BuildAnalyzer = fn(&Params) -> Result<Arc<dyn MorphemeAnalyzer>>;

impl UnitEntry {
    /// Whether it also tags, so that [`analyzer_by_name`](crate::analyzer_by_name) knows it.
    pub fn is_analyzer(&self) -> bool {
        self.analyzer().is_some()
    }

    /// Why a comparison of all units has to do without this one: it is no unit of its own, or needs an argument.
    ///
    /// ```
    /// let reason = |name| {
    ///     let row = ko_tokenize::TOKENIZERS.iter().find(|row| row.name == name);
    ///     row.and_then(|row| row.why_not_compared())
    /// };
    /// assert_eq!(reason("jamo"), None);
    /// assert_eq!(reason("subword").unwrap(), "it needs an argument: subword:FILE");
    /// assert!(reason("none").unwrap().contains("already"));
    /// ```
    pub fn why_not_compared(&self) -> Option<String> {
        let needs = |argument: Argument| format!("it needs an argument: {}:{argument}", self.name);
        self.not_compared.map(str::to_owned).or_else(|| self.argument.map(needs))
    }

    /// What the row declares about its settings.
    pub fn declared(&self) -> Declared {
        Declared { argument: self.argument, params: self.params }
    }

    /// The tokenizer that `spec` asks for.
    pub(crate) fn build_tokenizer(&self, spec: &Spec) -> Result<Arc<dyn Tokenizer>> {
        match self.build {
            Build::Tokenizer(build) => Entry::pick(UNIT, &[self.with(build)], spec),
            // What is joined must have tags.
            Build::Either { tokenizer: build, .. } if !level::is_asked(&spec.params)? => {
                Entry::pick(UNIT, &[self.with(build)], spec)
            }
            Build::Analyzer(build) | Build::Either { analyzer: build, .. } => {
                let analyzer = Entry::pick(UNIT, &[self.with(build)], spec)?;
                Ok(level::apply(&spec.params, analyzer)?)
            }
        }
    }

    /// The analyzer that `spec` asks for; nothing if the row does not tag.
    pub(crate) fn build_analyzer(&self, spec: &Spec) -> Option<Result<Arc<dyn MorphemeAnalyzer>>> {
        let analyzer = Entry::pick(ANALYZER, &[self.with(self.analyzer()?)], spec);
        Some(analyzer.and_then(|analyzer| level::apply(&spec.params, analyzer)))
    }

    fn analyzer(&self) -> Option<BuildAnalyzer> {
        match self.build {
            Build::Tokenizer(_) => None,
            Build::Analyzer(build) | Build::Either { analyzer: build, .. } => Some(build),
        }
    }

    /// The core's row, which checks the parameters before it builds.
    fn with<T: ?Sized>(&self, build: fn(&Params) -> Result<Arc<T>>) -> Entry<T> {
        let Self { name, summary, argument, params, .. } = *self;
        Entry { name, summary, argument, params, build }
    }
}

/// What errors call a row.
const UNIT: &str = "unit";
const ANALYZER: &str = "analyzer";

/// The tokenizer that `spec` asks for.
pub(crate) fn tokenizer(table: &[UnitEntry], spec: &Spec) -> Result<Arc<dyn Tokenizer>> {
    let row = table.iter().find(|row| row.name == spec.name());
    row.ok_or_else(|| unknown(UNIT, spec, table.iter()))?.build_tokenizer(spec)
}

/// The analyzer that `spec` asks for.
pub(crate) fn analyzer(table: &[UnitEntry], spec: &Spec) -> Result<Arc<dyn MorphemeAnalyzer>> {
    let row = table.iter().find(|row| row.name == spec.name());
    let built = row.and_then(|row| row.build_analyzer(spec));
    let analyzers = || table.iter().filter(|row| row.is_analyzer());
    built.unwrap_or_else(|| Err(unknown(ANALYZER, spec, analyzers())))
}

fn unknown<'t>(
    kind: &'static str,
    spec: &Spec,
    known: impl Iterator<Item = &'t UnitEntry>,
) -> Error {
    let known = known.map(|row| row.name).collect::<Vec<_>>().join(", ");
    Error::UnknownName { kind, name: spec.name().to_owned(), known }
}

/// What a row builds that is not compiled in: the error that names the cargo feature.
#[cfg(not(all(
    feature = "lindera",
    feature = "khaiii",
    feature = "kiwi",
    feature = "jvm",
    feature = "subword"
)))]
pub(crate) fn lacking<T: ?Sized>(what: &str, feature: &str) -> Result<Arc<T>> {
    Err(Error::Missing {
        what: what.into(),
        how_to_get_it: format!("build ko-tokenize with the cargo feature `{feature}`"),
    })
}

impl fmt::Debug for UnitEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnitEntry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tokenizer(_) => "Tokenizer",
            Self::Analyzer(_) => "Analyzer",
            Self::Either { .. } => "Either",
        })
    }
}
