//! Which words of a sentence are its concepts.
//!
//! The paper prints a list of tags; its files follow a shorter one. Both are here by name, and the
//! two of the paper's ablation:
//!
//! | rule | a morpheme is kept if its first tag is |
//! |---|---|
//! | `as-published-files` | NNG, VV, VA, MAG, MM |
//! | `as-printed` | those, NNB, NNBC, MAJ, VX, VCP, VCN, XR, IC |
//! | `free-morphemes` | NNG, MAG, MM |
//! | `nouns-and-verbs` | NNG, VV |
//!
//! 1. The sentence is analysed by MeCab-ko **without** the left-space penalty; a fused surface
//!    (`VV+EC`) counts by its first tag and is kept whole.
//! 2. 대해 and 대해서 are dropped.
//! 3. Neighbouring common nouns become one concept: the text from the first place where the first of
//!    them occurs to the end of the first place where the last one does; where that is nothing, the
//!    surfaces glued together.
//! 4. A set: what comes again is dropped.
//!
//! With `as-published-files` 2,039 of the 2,040 published test sets come out equal, and all 1,083
//! of the reformulated test.
//!
//! ```
//! use ko_commongen::Rule;
//! use ko_tokenize::Morpheme;
//!
//! let morpheme = |form: &'static str, tag: &'static str, start: usize| Morpheme {
//!     form: form.into(),
//!     tag: tag.into(),
//!     span: start..start + form.len(),
//! };
//! let text = "야구 선수가 공을 쳤다.";
//! let morphemes = [
//!     morpheme("야구", "NNG", 0),
//!     morpheme("선수", "NNG", 7),
//!     morpheme("가", "JKS", 13),
//!     morpheme("공", "NNG", 17),
//!     morpheme("을", "JKO", 20),
//!     morpheme("쳤", "VV+EP", 24),
//!     morpheme("다", "EF", 27),
//!     morpheme(".", "SF", 30),
//! ];
//! assert_eq!(Rule::AsPublishedFiles.concepts(text, &morphemes), ["야구 선수", "공", "쳤"]);
//! ```

use crate::words::words_enum;
use ko_eval_core::{Result, Signature, Signed, par_map};
use ko_eval_io::Progress;
use ko_tokenize::{Morpheme, MorphemeAnalyzer, Tag};
use std::sync::Arc;

/// How many sentences are in memory at once.
const CHUNK: usize = 4096;

words_enum! {
    /// How concepts are taken from an analysed sentence.
    pub enum Rule ("concept rule") {
        /// What the published files follow.
        AsPublishedFiles "as-published-files",
        /// The tags that the paper lists.
        AsPrinted "as-printed",
        /// Only morphemes that can stand alone.
        FreeMorphemes "free-morphemes",
        /// Only common nouns and verbs.
        NounsAndVerbs "nouns-and-verbs",
    }
}

impl Rule {
    /// The tags that make a morpheme a concept.
    pub fn tags(self) -> &'static [Tag] {
        use Tag::*;
        match self {
            Rule::AsPublishedFiles => &[Nng, Vv, Va, Mag, Mm],
            Rule::AsPrinted => &[Nng, Vv, Va, Mag, Mm, Nnb, Nnbc, Maj, Vx, Vcp, Vcn, Xr, Ic],
            Rule::FreeMorphemes => &[Nng, Mag, Mm],
            Rule::NounsAndVerbs => &[Nng, Vv],
        }
    }

    /// The concepts of a sentence, in order, each once. `morphemes` are the surfaces of `text`.
    pub fn concepts(self, text: &str, morphemes: &[Morpheme<'_>]) -> Vec<String> {
        let mut concepts: Vec<String> = Vec::new();
        let mut add = |concept: String| {
            if !concepts.contains(&concept) {
                concepts.push(concept);
            }
        };
        let mut rest = morphemes;
        while let [morpheme, others @ ..] = rest {
            let nouns = rest.iter().take_while(|m| first_tag(m) == Some(Tag::Nng) && !dropped(m));
            let run = nouns.count();
            if run > 1 {
                let (nouns, after) = rest.split_at(run);
                add(compound(text, nouns));
                rest = after;
                continue;
            }
            if first_tag(morpheme).is_some_and(|tag| self.tags().contains(&tag))
                && !dropped(morpheme)
            {
                add(morpheme.form.to_string());
            }
            rest = others;
        }
        concepts
    }
}

/// Takes concepts from plain sentences.
#[derive(Debug, Clone)]
pub struct Extractor {
    analyzer: Arc<dyn MorphemeAnalyzer>,
    rule: Rule,
}

impl Extractor {
    /// By the rule, over an analyzer: MeCab-ko without its left-space penalty, as published.
    pub fn new(analyzer: Arc<dyn MorphemeAnalyzer>, rule: Rule) -> Self {
        Self { analyzer, rule }
    }

    /// The concepts of a sentence.
    ///
    /// # Errors
    /// When the sentence cannot be analysed.
    pub fn concepts(&self, text: &str) -> Result<Vec<String>> {
        Ok(self.rule.concepts(text, &self.analyzer.analyze(text)?))
    }

    /// The concepts of sentences that pass by, on all cores; `sink` gets them in order.
    ///
    /// # Errors
    /// The first error of the sentences, the analyzer or the sink.
    pub fn stream(
        &self,
        sentences: impl IntoIterator<Item = Result<String>>,
        sink: &mut dyn FnMut(Vec<String>) -> Result<()>,
        progress: &dyn Progress,
    ) -> Result<usize> {
        let mut sentences = sentences.into_iter();
        let mut done = 0;
        progress.begin("extract", None);
        loop {
            let chunk: Vec<String> = sentences.by_ref().take(CHUNK).collect::<Result<_>>()?;
            if chunk.is_empty() {
                return Ok(done);
            }
            par_map(&chunk, |text| self.concepts(text))?.into_iter().try_for_each(&mut *sink)?;
            done += chunk.len();
            progress.advance(chunk.len() as u64);
        }
    }
}

impl Signed for Extractor {
    fn signature(&self) -> Signature {
        Signature::new("concepts")
            .with("rule", self.rule)
            .with_nested("tok", &self.analyzer.signature())
    }
}

fn first_tag(morpheme: &Morpheme<'_>) -> Option<Tag> {
    morpheme.tag.split('+').next().and_then(|tag| tag.parse().ok())
}

fn dropped(morpheme: &Morpheme<'_>) -> bool {
    matches!(&*morpheme.form, "대해" | "대해서")
}

/// Neighbouring nouns as one concept; see the module's third step.
fn compound(text: &str, nouns: &[Morpheme<'_>]) -> String {
    let from = nouns.first().and_then(|first| text.find(&*first.form));
    let to = nouns.last().and_then(|last| Some(text.find(&*last.form)? + last.form.len()));
    match from.zip(to).and_then(|(from, to)| text.get(from..to)) {
        Some(piece) if !piece.is_empty() => piece.to_owned(),
        _ => nouns.iter().map(|noun| &*noun.form).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `surface/TAG` pieces as MeCab-ko gives them without its left-space penalty.
    fn analysed<'t>(text: &'t str, pieces: &'t str) -> Vec<Morpheme<'t>> {
        let mut at = 0;
        let mut place = |form: &'t str| {
            let start = at + text[at..].find(form).unwrap();
            at = start + form.len();
            start..at
        };
        let pieces = pieces.split(' ').map(|piece| piece.rsplit_once('/').unwrap());
        pieces
            .map(|(form, tag)| Morpheme { form: form.into(), tag: tag.into(), span: place(form) })
            .collect()
    }

    #[test]
    fn rules_differ_in_their_tags() {
        let text = "빨간 우산을 든 아이가 아주 천천히 걷고 있다.";
        let pieces = "빨간/VA+ETM 우산/NNG 을/JKO 든/VV+ETM 아이/NNG 가/JKS 아주/MAG 천천히/MAG 걷/VV 고/EC 있/VX 다/EF ./SF";
        let morphemes = analysed(text, pieces);
        let concepts = |rule: Rule| rule.concepts(text, &morphemes).join("#");
        assert_eq!(concepts(Rule::AsPublishedFiles), "빨간#우산#든#아이#아주#천천히#걷");
        assert_eq!(concepts(Rule::AsPrinted), "빨간#우산#든#아이#아주#천천히#걷#있");
        assert_eq!(concepts(Rule::FreeMorphemes), "우산#아이#아주#천천히");
        assert_eq!(concepts(Rule::NounsAndVerbs), "우산#든#아이#걷");
    }

    #[test]
    fn a_compound_is_found_by_its_first_places() {
        // The last noun occurs before the first one: nothing to take, so the surfaces are glued.
        let text = "경기에서 배구 경기를 본다.";
        let morphemes = analysed(text, "경기/NNG 에서/JKB 배구/NNG 경기/NNG 를/JKO 본다/VV+EC");
        let concepts = Rule::AsPublishedFiles.concepts(text, &morphemes);
        assert_eq!(concepts, ["경기", "배구경기", "본다"]);
    }

    #[test]
    fn particles_of_topic_are_no_concepts() {
        let text = "날씨에 대해 말한다.";
        let morphemes = analysed(text, "날씨/NNG 에/JKB 대해/VV+EC 말/NNG 한다/XSV+EC");
        assert_eq!(Rule::AsPublishedFiles.concepts(text, &morphemes), ["날씨", "말"]);
    }

    #[test]
    fn names_parse_back() {
        for rule in Rule::ALL {
            assert_eq!(rule.as_str().parse::<Rule>().unwrap(), *rule);
        }
        let error = "published".parse::<Rule>().unwrap_err().to_string();
        assert!(error.contains("as-published-files"), "{error}");
    }
}
