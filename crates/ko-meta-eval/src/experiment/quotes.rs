//! Quotation marks in one form, so that typography decides no score.

use ko_eval_core::OwnedSegment;
use serde::{Deserialize, Serialize};

/// What becomes of quotation marks and backticks before anything is cut.
///
/// People and machines write “ ” and ‘ ’, programs ` " ` and ` ' `, some `` ` ``; a metric that compares characters sees
/// other ones each time. Whoever wants that out of the way says so, and every signature says it, too.
///
/// ```
/// use ko_meta_eval::experiment::Quotes;
///
/// assert_eq!(Quotes::Straight.apply("“네”라고 ‘그’가 ``또'' 말했다"), "\"네\"라고 '그'가 \"또\" 말했다");
/// assert_eq!(Quotes::AsTheyAre.apply("“네”"), "“네”");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quotes {
    /// Nothing.
    #[default]
    AsTheyAre,
    /// Typographic and full-width marks, backticks and acute accents become ` ' ` and ` " `; two single ones in a row are a
    /// double one.
    Straight,
}

impl Quotes {
    /// A text in this form.
    pub fn apply(self, text: &str) -> String {
        if self == Self::AsTheyAre {
            return text.to_owned();
        }
        let straight = |c: char| match c {
            '“' | '”' | '„' | '‟' | '＂' => '"',
            '‘' | '’' | '‚' | '‛' | '`' | '´' | '＇' => '\'',
            c => c,
        };
        text.chars().map(straight).collect::<String>().replace("''", "\"")
    }

    /// What signatures say; nothing of texts that are left as they are.
    pub(crate) fn signed(self) -> Option<&'static str> {
        (self == Self::Straight).then_some("straight")
    }

    /// A segment in this form.
    pub(super) fn segment(self, segment: &OwnedSegment) -> OwnedSegment {
        if self == Self::AsTheyAre {
            return segment.clone();
        }
        let view = segment.as_segment();
        let references = view.references().iter().map(|text| self.apply(text));
        let hypothesis = self.apply(view.hypothesis());
        let changed = OwnedSegment::new(hypothesis.clone(), references)
            .unwrap_or_else(|_| OwnedSegment::alone(hypothesis));
        match view.source() {
            Some(source) => changed.with_source(self.apply(source)),
            None => changed,
        }
    }
}
