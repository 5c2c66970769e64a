//! Words as grammarians count them: how much of a Korean word is a word of its own.
//!
//! Grammars of Korean disagree about particles and endings. To some an eojeol is a word as it stands; to most a particle is
//! a word but an ending is not; to others both are. A [`Leveled`] analyzer takes the morphemes of any other one and joins
//! those that are no words at the [`Level`] asked for:
//!
//! | level | 책을 읽었다. | a unit is |
//! |---|---|---|
//! | (the unit `word`) | 책을 · 읽었다. | what stands between white space |
//! | `particle` | 책 · 을 · 읽었다 · . | a particle, or what is left of an eojeol |
//! | `ending` | 책 · 을 · 읽 · 었 · 다 · . | a particle, an ending, or what is left |
//! | `morpheme` | 책 · 을 · 읽 · 었 · 다 · . | a morpheme |
//!
//! The last two differ in what is left: 사랑하다 is 사랑 · 하 · 다 in morphemes, and 사랑하 · 다 by its ending.
//! Punctuation and other symbols are units of their own at every level; foreign letters and digits are not.
//!
//! What is joined is the piece of the text; where an analyzer restores, and a border falls inside of a syllable (난 is 나 · ㄴ),
//! it is the restored forms. Tags are joined by `+`. What is a particle or an ending is asked of the analyzer's
//! [tag set](crate::tag_set), by the first tag of a fused surface: MeCab-ko's 했/XSV+EP belongs to what stands before it. Okt, which
//! leaves endings on their predicates, gives the same at `particle` and `ending`.
//!
//! ```no_run
//! use ko_eval_core::Tokenizer;
//!
//! let units = ko_tokenize::by_name("khaiii:level=particle")?.tokenize("나는 책을 사랑했다.")?;
//! assert_eq!(units.iter().map(|u| u.as_str()).collect::<Vec<_>>(), ["나", "는", "책", "을", "사랑했다", "."]);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{Morpheme, MorphemeAnalyzer, Tag, TagSet};
use ko_eval_core::{Params, Result, Signature, Signed, Token, Tokenizer, setting::Choice};

use std::{ops::Range, sync::Arc};
use unicode_normalization::UnicodeNormalization;

/// The parameter that every row of an analyzer has.
pub(crate) const LEVEL: Choice<Level> = Choice::new(
    "level",
    &[("morpheme", Level::Morpheme), ("ending", Level::Ending), ("particle", Level::Particle)],
    "words as grammarians count them: morpheme, ending (읽 · 었 · 다) or particle (책 · 을 · 읽었다)",
);

/// What is a unit of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Level {
    /// Particles.
    Particle,
    /// Particles and endings.
    Ending,
    /// Every morpheme.
    #[default]
    Morpheme,
}

impl Level {
    /// Whether a morpheme with this tag is a unit of its own.
    fn is_word(self, tag: Option<Tag>) -> bool {
        let Some(tag) = tag else { return self == Self::Morpheme };
        match self {
            Self::Particle => tag.is_particle() || tag.is_symbol(),
            Self::Ending => tag.is_particle() || tag.is_ending() || tag.is_symbol(),
            Self::Morpheme => true,
        }
    }
}

/// Whether the parameters ask for another level than that of morphemes.
pub(crate) fn is_asked(params: &Params) -> Result<bool> {
    Ok(params.read(&LEVEL)? != Level::Morpheme)
}

/// The analyzer at the level that the parameters ask for.
pub(crate) fn apply(
    params: &Params,
    analyzer: Arc<dyn MorphemeAnalyzer>,
) -> Result<Arc<dyn MorphemeAnalyzer>> {
    Ok(match params.read(&LEVEL)? {
        Level::Morpheme => analyzer,
        level => Arc::new(Leveled::new(analyzer, level)),
    })
}

/// An analyzer whose morphemes are joined to words.
///
/// ```no_run
/// use ko_tokenize::{Leveled, prelude::*};
///
/// let words = Leveled::new(analyzer_by_name("khaiii")?, Level::Particle);
/// let units = words.tokenize("나는 책을 사랑했다.")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["나", "는", "책", "을", "사랑했다", "."]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Leveled {
    analyzer: Arc<dyn MorphemeAnalyzer>,
    level: Level,
}

impl Leveled {
    /// Joins what another analyzer finds.
    pub fn new(analyzer: Arc<dyn MorphemeAnalyzer>, level: Level) -> Self {
        Self { analyzer, level }
    }

    /// Whether a morpheme is a unit of its own.
    fn is_word(&self, morpheme: &Morpheme<'_>) -> bool {
        let first = morpheme.tag.split('+').next().unwrap_or_default();
        self.level.is_word(self.tag_set().sejong(first))
    }
}

impl Signed for Leveled {
    fn signature(&self) -> Signature {
        self.analyzer.signature().with("level", LEVEL.word(&self.level))
    }
}

impl Tokenizer for Leveled {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        Ok(self.analyze(text)?.into_iter().map(Token::from).collect())
    }
}

impl MorphemeAnalyzer for Leveled {
    fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
        let mut groups: Vec<Vec<Morpheme<'t>>> = Vec::new();
        // Whether the next morpheme may join the last group.
        let mut is_open = false;
        for morpheme in self.analyzer.analyze(text)? {
            let is_word = self.is_word(&morpheme);
            let last = groups.last_mut().filter(|group| {
                let end = group.last().map(|before| before.span.end);
                is_open
                    && !is_word
                    && end.is_some_and(|end| !is_apart(text, end..morpheme.span.start))
            });
            match last {
                Some(group) => group.push(morpheme),
                None => groups.push(vec![morpheme]),
            }
            is_open = !is_word;
        }
        let spans: Vec<Range<usize>> = groups.iter().map(|group| span(group)).collect();
        let joined = groups.into_iter().enumerate().map(|(index, group)| {
            let own = span(&group);
            let before = index.checked_sub(1).and_then(|index| spans.get(index));
            let shares = before.is_some_and(|before| before.end > own.start)
                || spans.get(index + 1).is_some_and(|after| after.start < own.end);
            join(text, group, own, shares)
        });
        Ok(joined.collect())
    }

    fn tag_set(&self) -> &'static TagSet {
        self.analyzer.tag_set()
    }
}

/// Whether white space stands between two morphemes; those of one syllable overlap.
fn is_apart(text: &str, between: Range<usize>) -> bool {
    text.get(between).is_some_and(|between| between.contains(char::is_whitespace))
}

fn span(group: &[Morpheme<'_>]) -> Range<usize> {
    let start = group.iter().map(|morpheme| morpheme.span.start).min().unwrap_or_default();
    let end = group.iter().map(|morpheme| morpheme.span.end).max().unwrap_or_default();
    start..end
}

/// One unit of several morphemes; `shares` tells that a neighbour has a part of its span.
fn join<'t>(
    text: &'t str,
    mut group: Vec<Morpheme<'t>>,
    span: Range<usize>,
    shares: bool,
) -> Morpheme<'t> {
    if group.len() == 1
        && let Some(only) = group.pop()
    {
        return only;
    }
    let forms: String = group.iter().map(|morpheme| &*morpheme.form).collect();
    // Restored morphemes are joined as they were written; others as the analyzer normalised them.
    let is_written = |piece: &&str| !shares && !piece.nfkc().eq(forms.nfkc());
    let form = match text.get(span.clone()).filter(is_written) {
        Some(piece) => piece.nfc().collect::<String>().into(),
        None => forms.into(),
    };
    let tags: Vec<&str> = group.iter().map(|morpheme| &*morpheme.tag).collect();
    Morpheme { form, tag: tags.join("+").into(), span }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tag_set;

    /// Reads `form/TAG@piece` per morpheme out of what it was told, and finds the pieces in the text in order; a piece that begins with `=`
    /// is the one before it once more.
    #[derive(Debug)]
    struct Told(&'static str, &'static TagSet);

    impl Signed for Told {
        fn signature(&self) -> Signature {
            Signature::new("told").with("norm", "none")
        }
    }

    impl Tokenizer for Told {
        fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
            Ok(self.analyze(text)?.into_iter().map(Token::from).collect())
        }
    }

    impl MorphemeAnalyzer for Told {
        fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
            let mut last = 0..0;
            Ok(self
                .0
                .split_whitespace()
                .map(|item| {
                    let (form, rest) = item.split_once('/').unwrap();
                    let (tag, piece) = rest.split_once('@').unwrap_or((rest, form));
                    if piece != "=" {
                        let start = last.end + text[last.end..].find(piece).unwrap();
                        last = start..start + piece.len();
                    }
                    Morpheme { form: form.into(), tag: tag.into(), span: last.clone() }
                })
                .collect())
        }

        fn tag_set(&self) -> &'static TagSet {
            self.1
        }
    }

    fn units(text: &str, told: &'static str, set: &'static TagSet, level: Level) -> String {
        let units = Leveled::new(Arc::new(Told(told, set)), level).tokenize(text).unwrap();
        units.iter().map(|unit| unit.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn restored_morphemes_become_words() {
        let text = "난 학교에서도 사랑했다.";
        let told = "나/NP@난 ㄴ/JX@= 학교/NNG 에서/JKB 도/JX 사랑/NNG 하/XSV@했 였/EP@= 다/EF ./SF";
        let at = |level| units(text, told, &tag_set::SEJONG, level);
        assert_eq!(at(Level::Particle), "나 ㄴ 학교 에서 도 사랑했다 .");
        assert_eq!(at(Level::Ending), "나 ㄴ 학교 에서 도 사랑하 였 다 .");
        assert_eq!(at(Level::Morpheme), "나 ㄴ 학교 에서 도 사랑 하 였 다 .");
    }

    #[test]
    fn a_fused_surface_goes_by_its_first_tag() {
        let text = "책이니까 사랑했다";
        let told = "책/NNG 이/VCP 니까/EC 사랑/NNG 했/XSV+EP 다/EF";
        let at = |level| units(text, told, &tag_set::SEJONG, level);
        assert_eq!(at(Level::Particle), "책이니까 사랑했다");
        assert_eq!(at(Level::Ending), "책이 니까 사랑했 다");
        let morphemes = Leveled::new(Arc::new(Told(told, &tag_set::SEJONG)), Level::Ending);
        let morphemes = morphemes.analyze(text).unwrap();
        assert_eq!(morphemes[2].tag, "NNG+XSV+EP");
        assert_eq!(&text[morphemes[2].span.clone()], "사랑했");
    }

    #[test]
    fn spaces_and_symbols_divide_and_foreign_letters_do_not() {
        let told = "K/SL 팝/NNG (/SSO 팝/NNG )/SSC 3/SN 개/NNBC 새/MM 책/NNG";
        let at = |level| units("K팝(팝) 3개 새 책", told, &tag_set::SEJONG, level);
        assert_eq!(at(Level::Particle), "K팝 ( 팝 ) 3개 새 책");
        assert_eq!(at(Level::Ending), at(Level::Particle));
    }

    #[test]
    fn the_analyzers_own_tags_decide() {
        let told = "밥/Noun 을/Josa 먹었다/Verb ./Punctuation";
        assert_eq!(units("밥을 먹었다.", told, &tag_set::OKT, Level::Ending), "밥 을 먹었다 .");
        // The copula is a particle of Hannanum's nine tags, and none of its twenty-two.
        let nine = units("책이다", "책/N 이/J 다/E", &tag_set::HANNANUM, Level::Particle);
        let more = units("책이다", "책/NC 이/JP 다/EF", &tag_set::HANNANUM_22, Level::Particle);
        assert_eq!((nine.as_str(), more.as_str()), ("책 이 다", "책이다"));
    }

    #[test]
    fn the_level_is_signed() {
        let signature = |level| {
            Leveled::new(Arc::new(Told("", &tag_set::SEJONG)), level).signature().to_string()
        };
        assert_ne!(signature(Level::Particle), signature(Level::Ending));
        assert!(signature(Level::Particle).contains("level:particle"));
    }
}
