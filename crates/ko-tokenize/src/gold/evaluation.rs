//! Counting what gold and analysis have in common.

use super::{Asked, Gold, GoldMorpheme, GoldSentence};
use crate::{
    MorphemeAnalyzer, Normalization, Tag, TagSet,
    jamo::{Letter, Writing},
    tag_set,
};
use ko_eval_core::{Error, Result, par_map};
use std::collections::{HashMap, HashSet};

/// What makes a morpheme of the analysis equal to a gold one, beside its form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Matching {
    /// The same tag of Sejong's set ([`TagSet::sejong`], [`Tag::sejong`]), whichever set it is written in.
    #[default]
    Tags,
    /// The same letters of the tags as written: the first two of a predicate's (`V…`), the first of any other.
    Letters,
    /// Nothing.
    Forms,
}

impl Matching {
    /// Every way, by its name on the command line.
    pub const ALL: &[(&str, Matching)] =
        &[("tags", Self::Tags), ("letters", Self::Letters), ("forms", Self::Forms)];

    /// What is compared; nothing for a tag of no set.
    fn key(self, form: &str, tag: &str, sejong: Option<Tag>) -> Option<Key> {
        let tag = match self {
            Self::Tags => sejong?.sejong().as_str().to_owned(),
            Self::Letters => tag.chars().take(if tag.starts_with('V') { 2 } else { 1 }).collect(),
            Self::Forms => String::new(),
        };
        Some(Key { form: plain_form(form), tag })
    }
}

/// What of a morpheme is compared.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    form: String,
    tag: String,
}

/// The form in NFC, lone conjoining jamo as compatibility jamo.
fn plain_form(form: &str) -> String {
    Normalization::default().apply(form).chars().map(compatible).collect()
}

fn compatible(c: char) -> char {
    // Each range is as long as the letters of its kind; a final's numbers begin at 1.
    let from = |first: u32| u8::try_from(c as u32 - first).unwrap_or(u8::MAX);
    let letter = match c {
        '\u{1100}'..='\u{1112}' => Letter::Initial(from(0x1100)),
        '\u{1161}'..='\u{1175}' => Letter::Medial(from(0x1161)),
        '\u{11a8}'..='\u{11c2}' => Letter::Final(from(0x11a7)),
        _ => return c,
    };
    Writing::Compatibility.write(letter).chars().next().unwrap_or(c)
}

/// How many morphemes there are, and how many of them are right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Gold morphemes.
    pub gold: usize,
    /// Morphemes of the analyses; none are counted where one is asked for.
    pub analysed: usize,
    /// Those that both have.
    pub right: usize,
    /// Gold morphemes whose like stands somewhere in the analysis, however often gold has it.
    pub somewhere: usize,
}

impl Counts {
    /// The share of the analysed morphemes that are right; none where one morpheme is asked for.
    pub fn precision(&self) -> Option<f64> {
        (self.analysed > 0).then(|| self.right as f64 / self.analysed as f64)
    }

    /// The share of the gold morphemes that were found.
    pub fn recall(&self) -> f64 {
        self.right as f64 / self.gold.max(1) as f64
    }

    /// The harmonic mean of both; none where one morpheme is asked for.
    pub fn f1(&self) -> Option<f64> {
        let both = self.analysed + self.gold;
        (self.analysed > 0).then(|| 2.0 * self.right as f64 / both as f64)
    }

    /// The share of the gold morphemes that stand somewhere in the analysis of their sentence.
    pub fn accuracy(&self) -> f64 {
        self.somewhere as f64 / self.gold.max(1) as f64
    }

    fn add(&mut self, other: Self) {
        self.gold += other.gold;
        self.analysed += other.analysed;
        self.right += other.right;
        self.somewhere += other.somewhere;
    }
}

/// A sentence that was not analysed as gold says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Its line in the gold file, from 1.
    pub line: usize,
    /// The sentence.
    pub text: String,
    /// Gold morphemes that the analysis lacks.
    pub missed: Vec<GoldMorpheme>,
    /// Morphemes of the analysis that gold lacks; all of them where one is asked for.
    pub extra: Vec<GoldMorpheme>,
}

/// How an analyzer did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// How many sentences there are.
    pub sentences: usize,
    /// The figures of all of them together.
    pub counts: Counts,
    /// The sentences with a morpheme missed or too many, in order.
    pub wrong: Vec<Wrong>,
}

impl Gold {
    /// Analyses every sentence, on all cores, and compares.
    ///
    /// # Errors
    /// When the analyzer fails on a sentence; the error names the line.
    pub fn evaluate(
        &self,
        analyzer: &dyn MorphemeAnalyzer,
        matching: Matching,
    ) -> Result<Evaluation> {
        let sentences = par_map(self.sentences(), |sentence| {
            let analysis = analyzer.analyze(&sentence.text).map_err(|error| {
                Error::source(format!("{}:{}", self.path().display(), sentence.line), error)
            })?;
            let analysis = analysis.into_iter().map(|morpheme| GoldMorpheme {
                form: morpheme.form.into_owned(),
                tag: morpheme.tag.into_owned(),
            });
            Ok(self.compare(sentence, analysis.collect(), matching, analyzer.tag_set()))
        })?;
        let mut evaluation =
            Evaluation { sentences: sentences.len(), counts: Counts::default(), wrong: Vec::new() };
        for (counts, wrong) in sentences {
            evaluation.counts.add(counts);
            if !wrong.missed.is_empty() || !wrong.extra.is_empty() {
                evaluation.wrong.push(wrong);
            }
        }
        Ok(evaluation)
    }

    fn compare(
        &self,
        sentence: &GoldSentence,
        analysis: Vec<GoldMorpheme>,
        matching: Matching,
        tags: &TagSet,
    ) -> (Counts, Wrong) {
        let gold_key =
            |m: &GoldMorpheme| matching.key(&m.form, &m.tag, tag_set::any_sejong(&m.tag));
        let own_key = |m: &GoldMorpheme| matching.key(&m.form, &m.tag, tags.sejong(&m.tag));
        let mut left: HashMap<Key, usize> = HashMap::new();
        for key in sentence.morphemes.iter().filter_map(gold_key) {
            *left.entry(key).or_default() += 1;
        }
        let analysed = analysis.len();
        let (mut extra, mut seen) = (Vec::new(), HashSet::new());
        for morpheme in analysis {
            let key = own_key(&morpheme);
            match key.as_ref().and_then(|key| left.get_mut(key)).filter(|left| **left > 0) {
                Some(left) => *left -= 1,
                None => extra.push(morpheme),
            }
            seen.extend(key);
        }
        let (mut missed, mut somewhere) = (Vec::new(), 0);
        // From the end, so that of several equal ones the last are missed.
        for morpheme in sentence.morphemes.iter().rev() {
            let Some(key) = gold_key(morpheme) else { continue };
            somewhere += usize::from(seen.contains(&key));
            if let Some(left) = left.get_mut(&key).filter(|left| **left > 0) {
                *left -= 1;
                missed.push(morpheme.clone());
            }
        }
        missed.reverse();
        let gold = sentence.morphemes.len();
        let right = gold - missed.len();
        let mut counts = Counts { gold, analysed, right, somewhere };
        if self.asked() == Asked::One {
            counts.analysed = 0;
            if missed.is_empty() {
                extra.clear();
            }
        }
        let (line, text) = (sentence.line, sentence.text.clone());
        (counts, Wrong { line, text, missed, extra })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Morpheme;
    use ko_eval_core::{Signature, Signed, Token, Tokenizer};
    use ko_eval_io::read::Lines;

    /// Gives what stands in the text already, as `form/TAG form/TAG`.
    #[derive(Debug)]
    struct Written(&'static str, &'static TagSet);

    impl Signed for Written {
        fn signature(&self) -> Signature {
            Signature::new("written")
        }
    }

    impl Tokenizer for Written {
        fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
            Ok(self.analyze(text)?.into_iter().map(Token::from).collect())
        }
    }

    impl MorphemeAnalyzer for Written {
        fn analyze<'t>(&self, _: &'t str) -> Result<Vec<Morpheme<'t>>> {
            let items = self.0.split_whitespace().filter_map(|item| item.rsplit_once('/'));
            let morpheme = |(form, tag): (&'static str, &'static str)| Morpheme {
                form: form.into(),
                tag: tag.into(),
                span: 0..0,
            };
            Ok(items.map(morpheme).collect())
        }

        fn tag_set(&self) -> &'static TagSet {
            self.1
        }
    }

    fn evaluate(
        gold: &'static str,
        analysis: &'static str,
        tags: &'static TagSet,
        matching: Matching,
    ) -> Evaluation {
        let gold = Gold::from_lines(Lines::from_reader("gold", gold.as_bytes())).unwrap();
        gold.evaluate(&Written(analysis, tags), matching).unwrap()
    }

    fn texts(morphemes: &[GoldMorpheme]) -> Vec<String> {
        morphemes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_is_counted_as_often_as_both_have_it() {
        let found = evaluate(
            "밥 밥 밥\t밥/NNG 밥/NNG 밥/NNG ./SF",
            "밥/NNG 밥/VV 밥/NNG",
            &tag_set::SEJONG,
            Matching::Tags,
        );
        assert_eq!(found.counts, Counts { gold: 4, analysed: 3, right: 2, somewhere: 3 });
        assert_eq!(found.counts.precision(), Some(2.0 / 3.0));
        assert_eq!(found.counts.recall(), 0.5);
        assert_eq!(found.counts.f1(), Some(4.0 / 7.0));
        assert_eq!(found.counts.accuracy(), 0.75);
        assert_eq!(texts(&found.wrong[0].missed), ["밥/NNG", "./SF"]);
        assert_eq!(texts(&found.wrong[0].extra), ["밥/VV"]);
    }

    #[test]
    fn tags_of_other_sets_and_other_jamo_are_equal() {
        let gold = "간다.\t가/VV-R ᆫ다/EF (/SSO 개/NNB ./SF";
        let found =
            evaluate(gold, "가/VV ㄴ다/EF (/SS 개/NNBC ./SF", &tag_set::SEJONG, Matching::Tags);
        assert_eq!((found.counts.right, found.wrong.len()), (5, 0));
        let kkma =
            evaluate(gold, "가/VV ㄴ다/EFN (/SS 개/NNM ./SF", &tag_set::KKMA, Matching::Tags);
        assert_eq!(kkma.counts.right, 5);
        // A fused tag is no tag of Sejong's, but has a first letter.
        let fused = |matching| {
            let found = evaluate("간다\t가/VV", "가/VV+EC", &tag_set::SEJONG, matching);
            found.counts.right
        };
        assert_eq!([Matching::Tags, Matching::Letters, Matching::Forms].map(fused), [0, 1, 1]);
    }

    #[test]
    fn letters_tell_predicates_by_two_and_others_by_one() {
        let right = |gold, analysis| {
            evaluate(gold, analysis, &tag_set::KKMA, Matching::Letters).counts.right
        };
        assert_eq!(right("굽은 길\t굽/VA", "굽/VV 길/NNG"), 0);
        assert_eq!(right("굽은 길\t길/NNP", "굽/VV 길/NNG"), 1);
        // Kkma's guess of a noun begins with another letter, though it is a noun by its tag set.
        assert_eq!(right("굽은 길\t길/NNG", "굽/VV 길/UN"), 0);
    }

    #[test]
    fn one_morpheme_has_no_precision() {
        let gold = "걷/VV\t길을 걸어 걸었다";
        let found = evaluate(gold, "걷/VV 걷/VV 다/EF", &tag_set::SEJONG, Matching::Letters);
        assert_eq!(found.counts, Counts { gold: 1, analysed: 0, right: 1, somewhere: 1 });
        assert_eq!((found.counts.precision(), found.counts.f1()), (None, None));
        assert!(found.wrong.is_empty());
        let found = evaluate(gold, "걸/VV 다/EF", &tag_set::SEJONG, Matching::Letters);
        assert_eq!(texts(&found.wrong[0].extra), ["걸/VV", "다/EF"]);
    }
}
