//! A comparison as a page to look into: one file, its data once as JSON, drawn by a script of its own.

mod data;

use crate::{Error, Findings, Lineup, Result, Speech};
use data::Data;
use ko_eval_io::{files::write_atomically, html::Page};
use std::path::{Path, PathBuf};

const BODY: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const WORDS: &str = include_str!("page/words.js");
const ALIGN: &str = include_str!("page/align.js");
const SCRIPT: &str = include_str!("page/page.js");

/// The language a page opens in; the reader can change it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    /// 한국어.
    #[default]
    Korean,
    /// English.
    English,
}

impl Language {
    fn code(self) -> &'static str {
        match self {
            Self::Korean => "ko",
            Self::English => "en",
        }
    }
}

/// A page for 2 to 10 systems: scores with intervals and tests, groups, a scatter plot, and every segment.
///
/// The page asks nothing of any server, and its content policy forbids it to; no text of a system becomes markup.
///
/// ```
/// use ko_compare::{ComparisonPage, Findings, Grouping, Lineup, Speech, Trial};
/// use ko_eval_core::{Keep, OwnedSegment, Panel};
/// use ko_register::RegisterAnalyzer;
///
/// let outputs = |text| Ok::<_, ko_eval_core::Error>(vec![OwnedSegment::new(text, ["할머니께서 오셨습니다."])?]);
/// let systems = [("하나", outputs("할머니께서 가셨습니다.")?), ("둘", outputs("<b>할머니가 왔어.</b>")?)];
///
/// let mut panel = Panel::default();
/// let chrf = ko_ngram_metrics::Chrf::new(std::sync::Arc::new(ko_tokenize::Character::new()));
/// panel.push("chrf", Some("char"), Box::new(chrf));
/// let mut measured = Vec::new();
/// for (_, segments) in &systems {
///     let segments: Vec<_> = segments.iter().map(OwnedSegment::as_segment).collect();
///     measured.push(panel.measure(&segments, Keep::Segments)?);
/// }
/// let lineup = Lineup::new(systems.clone())?;
/// let speech = Speech::analyze(&lineup, &RegisterAnalyzer::without_dictionary())?;
/// let groupings = [Grouping::by_length(&lineup), Grouping::by_register(&speech)];
/// let findings = Findings::new(panel.rows(), &measured, &groupings, &Trial::bootstrap(100, 1)?)?;
///
/// let page = ComparisonPage::new(&lineup, &findings)?.speech(&speech).title("두 번역기").html()?;
/// assert!(!page.contains("<b>할머니"));
/// # Ok::<(), ko_compare::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ComparisonPage<'a> {
    lineup: &'a Lineup,
    findings: &'a Findings,
    speech: Option<&'a Speech>,
    title: Option<String>,
    language: Language,
}

impl<'a> ComparisonPage<'a> {
    /// A page of what was found.
    ///
    /// # Errors
    /// [`Error::Systems`] of a single system.
    pub fn new(lineup: &'a Lineup, findings: &'a Findings) -> Result<Self> {
        match lineup.names().len() {
            2.. => Ok(Self {
                lineup,
                findings,
                speech: None,
                title: None,
                language: Language::default(),
            }),
            count => Err(Error::Systems { count, least: 2, most: Lineup::MOST }),
        }
    }

    /// The same with the register of all texts, and their morphemes.
    #[must_use]
    pub fn speech(self, speech: &'a Speech) -> Self {
        Self { speech: Some(speech), ..self }
    }

    /// The same under a title of its own.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    /// The same in another language.
    #[must_use]
    pub fn language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// The page.
    ///
    /// # Errors
    /// None in practice: writing to memory.
    pub fn html(&self) -> Result<String> {
        let data = serde_json::to_string(&Data::of(self));
        let data = data.map_err(|e| ko_eval_core::Error::source("writing the page's data", e))?;
        let script = format!("'use strict';(()=>{{\n{WORDS}\n{ALIGN}\n{SCRIPT}\n}})();");
        let title = self.title.as_deref().unwrap_or(match self.language {
            Language::Korean => "시스템 비교",
            Language::English => "Systems compared",
        });
        let lang = self.language.code();
        let page = Page { title, lang, style: STYLE, script: &script, data: &data, body: BODY };
        Ok(page.render())
    }

    /// Writes `index.html` into a folder, which is made if it is not there; the page appears whole or not at all.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf> {
        let path = folder.join("index.html");
        write_atomically(&path, self.html()?.as_bytes())?;
        Ok(path)
    }
}
