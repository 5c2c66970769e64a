// The guide's examples need the default features.
#![cfg_attr(
    all(feature = "embedded-dictionary", feature = "ngram", feature = "meta"),
    doc = include_str!("../README.md")
)]
#![cfg_attr(
    not(all(feature = "embedded-dictionary", feature = "ngram", feature = "meta")),
    doc = "How good is this Korean text? The guide stands here with the default features."
)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub use ko_eval_core::*;
pub use ko_eval_io::*;
pub use ko_eval_model::*;

#[cfg(feature = "commongen")]
pub use ko_commongen as commongen;
#[cfg(feature = "compare")]
pub use ko_compare as compare;
#[cfg(feature = "meta")]
pub use ko_meta_eval as meta;
#[cfg(feature = "neural")]
pub use ko_neural as neural;
#[cfg(feature = "ngram")]
pub use ko_ngram_metrics as ngram;
#[cfg(feature = "probe")]
pub use ko_probe as probe;
#[cfg(feature = "register")]
pub use ko_register as register;
#[cfg(feature = "tokenize")]
pub use ko_tokenize as tokenize;

#[cfg(all(feature = "ngram", feature = "tokenize"))]
mod meteor;
#[cfg(all(feature = "ngram", feature = "tokenize"))]
pub use meteor::AnalyzerStemmer;

/// Every metric that the enabled features bring, by its name: those that work over units, and those that stand alone.
#[cfg(all(feature = "ngram", feature = "tokenize"))]
pub const METRICS: &[MetricEntry] = &registry::replace(JOINED, meteor::ENTRY);
/// Every metric that the enabled features bring, by its name: those that work over units, and those that stand alone.
#[cfg(not(all(feature = "ngram", feature = "tokenize")))]
pub const METRICS: &[MetricEntry] = &JOINED;

const JOINED: [MetricEntry; registry::count(TABLES)] = registry::join(TABLES);

const TABLES: &[&[MetricEntry]] = &[
    #[cfg(feature = "ngram")]
    ko_ngram_metrics::METRICS,
    #[cfg(feature = "register")]
    ko_register::METRICS,
    #[cfg(feature = "neural")]
    ko_neural::METRICS,
];

/// Every metric over every unit: what [`metric`], [`panel`] and the command look names up in.
pub const LIBRARY: Library = Library { metrics: METRICS, unit, unit_row };

/// Every unit by its name, those that also tag among them; what a feature would bring says so when it is built.
#[cfg(feature = "tokenize")]
pub const UNITS: &[ko_tokenize::UnitEntry] = ko_tokenize::TOKENIZERS;

/// A metric over a unit, both as written on the command line: `metric("chrf:word-order=2", "word")`.
///
/// ```
/// # #[cfg(all(feature = "ngram", feature = "tokenize"))] {
/// use ko_eval::Segment;
///
/// let bleu = ko_eval::metric("bleu:order=2", "jamo")?;
/// let segment = Segment::new("나는 밥을 먹었다", ["나는 밥을 먹었어요"])?;
/// let score = bleu.segment_score(&segment)?;
/// assert!(score.value > 70.0);
/// # }
/// # Ok::<(), ko_eval::Error>(())
/// ```
///
/// # Errors
/// An unknown name or parameter (the error lists the known ones), a value that makes no sense, or
/// a unit that needs something which is not installed.
pub fn metric(metric: &str, unit: &str) -> Result<Box<dyn Scorer>> {
    LIBRARY.metric(metric, unit)
}

/// The metric that a signature of sacreBLEU 2.x describes: a published number's own instruction.
///
/// ```
/// use ko_eval::Segment;
///
/// let bleu = ko_eval::from_sacrebleu("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0")?;
/// let segment = Segment::new("나는 밥을 먹었다.", ["나는 밥을 먹었어요."])?;
/// assert!(bleu.segment_score(&segment)?.value > 0.0);
/// let error = ko_eval::from_sacrebleu("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|lang:en-ko|version:2.6.0");
/// assert!(error.unwrap_err().to_string().contains("`lang`"));
/// # Ok::<(), ko_eval::Error>(())
/// ```
///
/// # Errors
/// A text that is no signature of BLEU, chrF or TER, a field that cannot be honoured (the error names it; see
/// [`ngram::sacrebleu`](ko_ngram_metrics::sacrebleu)), or as [`metric`].
#[cfg(all(feature = "tokenize", feature = "ngram"))]
pub fn from_sacrebleu(signature: &str) -> Result<Box<dyn Scorer>> {
    let published: ko_ngram_metrics::sacrebleu::Published = signature.parse()?;
    metric(&published.metric, &published.unit)
}

/// Several metrics, each with its unit, measured together: every text is cut once per unit, however many metrics look at
/// it.
///
/// ```
/// # #[cfg(all(feature = "ngram", feature = "tokenize"))] {
/// use ko_eval::{Keep, Segment};
///
/// let panel = ko_eval::panel([("bleu:order=2", "char"), ("chrf", "char"), ("ter", "word")])?;
/// let segments = [Segment::new("나는 밥을 먹었다", ["나는 밥을 먹었어요"])?];
/// for (row, measured) in panel.rows().iter().zip(panel.measure(&segments, Keep::Total)?) {
///     println!("{:12} {:6.2}", row.metric, measured.corpus_score()?.score.value);
/// }
/// # }
/// # Ok::<(), ko_eval::Error>(())
/// ```
///
/// # Errors
/// As [`metric`]; every name and parameter is looked at before anything is opened.
pub fn panel<'s>(wanted: impl IntoIterator<Item = (&'s str, &'s str)>) -> Result<Panel> {
    LIBRARY.panel(wanted)
}

/// A unit by its name: `unit("jamo:form=split")`.
///
/// # Errors
/// As [`metric`].
#[cfg(feature = "tokenize")]
pub fn unit(unit: &str) -> Result<std::sync::Arc<dyn Tokenizer>> {
    ko_tokenize::by_name(unit)
}

/// What the row of a unit declares.
#[cfg(feature = "tokenize")]
fn unit_row(name: &str) -> Option<registry::Declared> {
    ko_tokenize::declared(name)
}

/// No unit without the feature `tokenize`.
#[cfg(not(feature = "tokenize"))]
fn unit_row(_: &str) -> Option<registry::Declared> {
    None
}

/// No unit without the feature `tokenize`.
///
/// # Errors
/// Always: [`Error::Missing`].
#[cfg(not(feature = "tokenize"))]
pub fn unit(unit: &str) -> Result<std::sync::Arc<dyn Tokenizer>> {
    let how_to_get_it = "build ko-eval with the cargo feature `tokenize`".to_owned();
    Err(Error::Missing { what: format!("the unit `{unit}`"), how_to_get_it })
}
