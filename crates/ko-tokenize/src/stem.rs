//! The stem of a word by any analyzer: what is left of it without particles, endings and symbols.
//!
//! | word | morphemes of Khaiii | stem |
//! |---|---|---|
//! | 학교에서는 | 학교/NNG 에서/JKB 는/JX | 학교 |
//! | 먹었습니다 | 먹/VV 었/EP 습니다/EF | 먹 |
//! | 사랑했다. | 사랑/NNG 하/XSV 였/EP 다/EF ./SF | 사랑하 |
//!
//! A predicate's stem has no 다, as Korean WordNets write it. Analyzers must restore: of a fused surface such as MeCab-ko's 했/XSV+EP nothing can be taken
//! off, so `mecab` stands for `mecab:form=morpheme` here.

use crate::{MorphemeAnalyzer, analyzer_by_name};
use ko_eval_core::{Result, Signature, Signed, Spec};
use std::sync::Arc;

/// Stems by an analyzer.
#[derive(Debug, Clone)]
pub struct Stems {
    analyzer: Arc<dyn MorphemeAnalyzer>,
}

impl Stems {
    /// By an analyzer that restores.
    pub fn new(analyzer: Arc<dyn MorphemeAnalyzer>) -> Self {
        Self { analyzer }
    }

    /// By an analyzer's name, such as `khaiii`; `mecab` restores unless a form is named.
    ///
    /// # Errors
    /// As [`analyzer_by_name`].
    pub fn by_name(spec: &str) -> Result<Self> {
        let parsed: Spec = spec.parse()?;
        let surfaces = parsed.name() == crate::morpheme::MECAB.name;
        match surfaces && parsed.params.get("form").is_none() {
            true => {
                let separator = if spec.contains(':') { ',' } else { ':' };
                Ok(Self::new(analyzer_by_name(&format!("{spec}{separator}form=morpheme"))?))
            }
            false => Ok(Self::new(analyzer_by_name(spec)?)),
        }
    }

    /// The stem of a word; none if nothing is left of it.
    ///
    /// # Errors
    /// When the analyzer fails on it.
    pub fn stem(&self, word: &str) -> Result<Option<String>> {
        let tags = self.analyzer.tag_set();
        let morphemes = self.analyzer.analyze(word)?;
        let is_left = |tag: &str| {
            let tag = tags.sejong(tag.split('+').next().unwrap_or_default());
            !tag.is_some_and(|tag| tag.is_particle() || tag.is_ending() || tag.is_symbol())
        };
        let left = morphemes.iter().filter(|morpheme| is_left(&morpheme.tag));
        let stem: String = left.map(|morpheme| &*morpheme.form).collect();
        Ok((!stem.is_empty()).then_some(stem))
    }
}

impl Signed for Stems {
    fn signature(&self) -> Signature {
        self.analyzer.signature()
    }
}
