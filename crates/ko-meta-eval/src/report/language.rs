//! The language of a report.

/// The language that a report is written in, the headings of its tables included. JSON knows only one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// 한국어.
    Korean,
}

impl Language {
    /// The text of the two that is in this language.
    ///
    /// ```
    /// use ko_meta_eval::report::Language;
    ///
    /// assert_eq!(Language::Korean.say("unit", "단위"), "단위");
    /// ```
    pub fn say<'t>(self, english: &'t str, korean: &'t str) -> &'t str {
        match self {
            Self::English => english,
            Self::Korean => korean,
        }
    }

    /// As pages name it: `ko`.
    pub fn code(self) -> &'static str {
        self.say("en", "ko")
    }
}
