//! Texts cut once, for many metrics.

use ko_eval_core::{Result, Signature, Signed, Token, Tokenizer, par_map};
use ko_tokenize::MorphemeAnalyzer;
use rustc_hash::FxHashMap;
use std::{ops::Range, sync::Arc};

/// The surfaces of texts, found once; any other text is analysed when it comes.
#[derive(Debug)]
pub(crate) struct CutOnce {
    analyzer: Arc<dyn MorphemeAnalyzer>,
    known: FxHashMap<String, Vec<Piece>>,
}

/// A surface; its text is kept only where it is not what stands in the span.
#[derive(Debug)]
struct Piece {
    span: Range<usize>,
    form: Option<String>,
}

impl CutOnce {
    pub(crate) fn new(analyzer: Arc<dyn MorphemeAnalyzer>) -> Self {
        Self { analyzer, known: FxHashMap::default() }
    }

    /// Analyses these texts on all cores.
    pub(crate) fn learn(&mut self, texts: &[&str]) -> Result<()> {
        let analyses = par_map(texts, |text| {
            let morphemes = self.analyzer.analyze(text)?;
            let pieces = morphemes.into_iter().map(|m| Piece {
                form: (text.get(m.span.clone()) != Some(&*m.form)).then(|| m.form.into_owned()),
                span: m.span,
            });
            Ok(pieces.collect())
        })?;
        self.known.extend(texts.iter().map(|text| text.to_string()).zip(analyses));
        Ok(())
    }
}

impl Signed for CutOnce {
    fn signature(&self) -> Signature {
        self.analyzer.signature()
    }
}

impl Tokenizer for CutOnce {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        let token = |form: Option<String>, span: Range<usize>| match form {
            Some(form) => Token::new(form, span),
            None => Token::new(text.get(span.clone()).unwrap_or_default(), span),
        };
        Ok(match self.known.get(text) {
            Some(pieces) => pieces.iter().map(|p| token(p.form.clone(), p.span.clone())).collect(),
            None => self
                .analyzer
                .analyze(text)?
                .into_iter()
                .map(|m| token(Some(m.form.into_owned()), m.span))
                .collect(),
        })
    }
}
