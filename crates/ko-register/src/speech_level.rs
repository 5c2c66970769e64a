//! Speech levels: the ending tells to whom a sentence is said.

use crate::{
    Answer,
    ending::Ending,
    morph::Morph,
    predicate::{Predicate, end_of},
};
use ko_tokenize::Tag;
use serde::Serialize;
use std::fmt;

/// The six levels of Korean, from the most to the least deferential within formal and informal style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum SpeechLevel {
    /// 하십시오체, also 합쇼체: 맞습니다. Formal, deferential.
    #[serde(rename = "하십시오체")]
    Hapsyo,
    /// 해요체: 맞아요. Informal, polite.
    #[serde(rename = "해요체")]
    Haeyo,
    /// 하오체: 맞소.
    #[serde(rename = "하오체")]
    Hao,
    /// 하게체: 맞네, 가게.
    #[serde(rename = "하게체")]
    Hage,
    /// 해라체: 맞다. The neutral level of writing.
    #[serde(rename = "해라체")]
    Haera,
    /// 해체: 맞아. Talk among friends.
    #[serde(rename = "해체")]
    Hae,
}

impl SpeechLevel {
    /// All six.
    pub const ALL: &[SpeechLevel] =
        &[Self::Hapsyo, Self::Haeyo, Self::Hao, Self::Hage, Self::Haera, Self::Hae];

    /// Its Korean name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hapsyo => "하십시오체",
            Self::Haeyo => "해요체",
            Self::Hao => "하오체",
            Self::Hage => "하게체",
            Self::Haera => "해라체",
            Self::Hae => "해체",
        }
    }

    /// Whether it raises the listener (높임): 하십시오체, 해요체 and, moderately, 하오체.
    pub fn is_polite(self) -> bool {
        matches!(self, Self::Hapsyo | Self::Haeyo | Self::Hao)
    }
}

impl fmt::Display for SpeechLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

pub(crate) fn judge(
    morphs: &[Morph],
    predicate: Option<&Predicate>,
    ending: Option<Ending>,
) -> Option<Answer<SpeechLevel>> {
    if let (Some(predicate), Some(ending)) = (predicate, ending) {
        let evidence = morphs.get(predicate.ending..predicate.span.end).unwrap_or_default();
        return Some(Answer::new(ending.level, evidence));
    }
    let upto = morphs.get(..end_of(morphs))?;
    let last = upto.last()?;
    let first = upto.iter().position(|morph| morph.eojeol == last.eojeol)?;
    match last.text.as_str() {
        // A fragment made polite: "우산을 두 개나요?"
        "요" if last.is_any(&[Tag::Jx, Tag::Ef, Tag::Ic]) => {
            Some(Answer::new(SpeechLevel::Haeyo, [last]))
        }
        // Answers and greetings of one word.
        "네" | "예" | "아니요" if first == 0 && last.is_any(&[Tag::Ic]) => {
            Some(Answer::new(SpeechLevel::Haeyo, [last]))
        }
        "응" | "어" | "그래" | "아니" | "안녕" if first == 0 && last.is_any(&[Tag::Ic]) => {
            Some(Answer::new(SpeechLevel::Hae, [last]))
        }
        _ => None,
    }
}
