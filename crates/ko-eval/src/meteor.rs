//! METEOR with stems: the metric knows no units, and the units no metric.

use ko_eval_core::{BuildMetric, MetricEntry, Result, Signature, Signed};
use ko_ngram_metrics::meteor::{self, MeteorSettings, Stemmer};
use ko_tokenize::stem::Stems;
use std::{borrow::Cow, sync::Arc};

/// The row of METEOR, with `stem=UNIT`.
pub(crate) const ENTRY: MetricEntry = MetricEntry {
    build: BuildMetric::OverUnits(|params, tokenizer| {
        let mut settings = MeteorSettings::read(params)?;
        if let Some(unit) = params.read(&meteor::STEM)? {
            settings = settings.stemmer(match params.recorded("stemmer") {
                Some(recorded) => Arc::new(recorded),
                None => Arc::new(AnalyzerStemmer(Stems::by_name(&unit)?)),
            });
        }
        Ok(Box::new(settings.build(tokenizer)?))
    }),
    ..meteor::ENTRY
};

/// Stems by a morphological analyzer, for METEOR. A word of which nothing is left is its own stem.
///
/// ```no_run
/// use ko_eval::{AnalyzerStemmer, ngram::meteor::Stemmer, tokenize::stem::Stems};
///
/// let stemmer = AnalyzerStemmer(Stems::by_name("mecab")?);
/// assert_eq!(stemmer.stem("학교에서는")?, "학교");
/// # Ok::<(), ko_eval::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct AnalyzerStemmer(pub Stems);

impl Signed for AnalyzerStemmer {
    fn signature(&self) -> Signature {
        self.0.signature()
    }
}

impl Stemmer for AnalyzerStemmer {
    fn stem<'w>(&self, word: &'w str) -> Result<Cow<'w, str>> {
        Ok(self.0.stem(word)?.map_or(Cow::Borrowed(word), Cow::Owned))
    }
}
