//! Morphemes in one form, whoever wrote them.
//!
//! UD Kaist writes `가+았+다` with `pvg+ep+ef`, UD GSD with `VV+EP+EF`, MeCab-ko gives `갔/VV+EP 다/EF`. Here
//! all are Sejong tags over a text; one text may carry several tags where the surface is fused. Rules
//! look at letters, so that 합니다/XSV+EF and 하/XSV + ㅂ니다/EF end alike.

use ko_eval_core::Result;
use ko_tokenize::{
    MorphemeAnalyzer, Tag,
    jamo::{Letter, Writing, letters},
};
use serde::Serialize;
use smallvec::SmallVec;
use smol_str::SmolStr;
use std::{cell::RefCell, fmt, ops::Range};

/// A morpheme, or several in one surface. Made for every word of a text and copied into every piece of evidence, so that what
/// is short, as nearly all are, needs no memory of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Morph {
    pub(crate) text: SmolStr,
    tags: SmallVec<[Tag; 8]>,
    /// The same tags as a set.
    set: u64,
    /// The number of its eojeol from 0.
    pub eojeol: usize,
    /// Where it stands in its text, in characters; empty where the text is not known.
    pub span: Range<usize>,
    /// The same in bytes.
    pub(crate) bytes: Range<usize>,
    /// The text in compatibility jamo.
    letters: SmolStr,
}

/// Written as corpora do: `았/EP`, `했/VV+EP`.
impl fmt::Display for Morph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tags: Vec<_> = self.tags.iter().map(|tag| tag.as_str()).collect();
        write!(f, "{}/{}", self.text, tags.join("+"))
    }
}

impl Serialize for Morph {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Morph {
    /// A morpheme of the eojeol with this number; tags joined by `+`, Sejong's or KAIST's.
    pub fn new(text: &str, tags: &str, eojeol: usize) -> Self {
        Self::tagged(text, tags.split('+').filter_map(sejong_tag), eojeol)
    }

    fn tagged(text: &str, tags: impl Iterator<Item = Tag>, eojeol: usize) -> Self {
        let (letters, text) = (compatibility_jamo(text), text.into());
        let tags = tags.collect::<SmallVec<[Tag; 8]>>();
        let set = set_of(&tags);
        Self { text, tags, set, eojeol, span: 0..0, bytes: 0..0, letters }
    }

    /// As the corpus or the analyzer writes it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its Sejong tags; several if the surface is fused, none if the tag is unknown.
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// Whether one of its tags is one of these.
    pub fn is_any(&self, tags: &[Tag]) -> bool {
        self.set & set_of(tags) != 0
    }

    /// Whether it has tags, and all of them are among these.
    pub(crate) fn is_only(&self, tags: &[Tag]) -> bool {
        self.set != 0 && self.set & !set_of(tags) == 0
    }

    /// Whether several morphemes share the surface.
    pub fn is_fused(&self) -> bool {
        self.tags.len() > 1
    }

    /// Whether it is, or begins with, something that predicates.
    pub fn is_predicate(&self) -> bool {
        self.is_any(&[Tag::Vv, Tag::Va, Tag::Vx, Tag::Vcp, Tag::Vcn, Tag::Xsv, Tag::Xsa])
    }

    /// Whether the predicate stem is one of these. A fused surface only has to begin with the stem,
    /// or with what it contracts to: 드렸 with 드리, 몰라 with 모르, 마 with 말.
    pub fn has_stem(&self, stems: &[&str]) -> bool {
        let begins = |stem: &&str| {
            let stem = compatibility_jamo(stem);
            let stem = stem.as_str();
            let contracted = |(end, becomes): &(&str, &[&str])| {
                let rest = stem.strip_suffix(end).and_then(|kept| self.letters.strip_prefix(kept));
                rest.is_some_and(|rest| becomes.iter().any(|start| rest.starts_with(start)))
            };
            self.letters.starts_with(stem) || CONTRACTIONS.iter().any(contracted)
        };
        match self.is_fused() {
            false => self.is_predicate() && stems.contains(&self.text.as_str()),
            true => {
                let first = self.text.chars().next().and_then(initial);
                let may = |stem: &&&str| stem.chars().next().and_then(initial) == first;
                self.is_predicate() && stems.iter().filter(may).any(begins)
            }
        }
    }

    /// The text in compatibility jamo.
    pub(crate) fn letters(&self) -> &str {
        &self.letters
    }

    /// Punctuation, symbols, emoticons: nothing that a sentence's grammar could end in.
    pub(crate) fn is_mark(&self) -> bool {
        const MARKS: &[Tag] = &[
            Tag::Sf,
            Tag::Se,
            Tag::Ss,
            Tag::Sso,
            Tag::Ssc,
            Tag::Sp,
            Tag::Sc,
            Tag::So,
            Tag::Sw,
            Tag::Sy,
        ];
        if self.text.starts_with(|c| matches!(c, '가'..='힣')) {
            return false;
        }
        let laugh = |c: char| matches!(c, 'ㅋ' | 'ㅎ' | 'ㅠ' | 'ㅜ' | 'ㅡ' | '^' | '~');
        self.is_any(MARKS)
            || self.text.chars().all(laugh)
            || !self.text.chars().any(char::is_alphanumeric)
    }
}

/// Tags as a set: a bit for each. The compiler sees to those that are written out where they are asked for.
fn set_of(tags: &[Tag]) -> u64 {
    const { assert!(Tag::ALL.len() <= u64::BITS as usize) };
    tags.iter().fold(0, |set, &tag| set | 1 << tag as u64)
}

/// The number of a syllable's first consonant, which no contraction changes: what is unlike there need not be looked at.
fn initial(c: char) -> Option<u32> {
    const SYLLABLES_PER_INITIAL: u32 = 588;
    matches!(c, '가'..='힣').then(|| (c as u32 - '가' as u32) / SYLLABLES_PER_INITIAL)
}

/// How stems end before an ending, and what that becomes when the two contract.
const CONTRACTIONS: &[(&str, &[&str])] = &[
    ("ㅣ", &["ㅕ", "ㅔ", "ㅑ", "ㅖ"]), // 드려, 계세요, 아냐, 아녜요
    ("ㅜ", &["ㅝ"]),
    ("ㅗ", &["ㅘ"]),
    ("ㅚ", &["ㅙ"]),
    ("ㅎㅏ", &["ㅎㅐ"]),
    ("ㄹㅡ", &["ㄹㄹ"]),   // 몰라
    ("ㅁㅏㄹ", &["ㅁㅏ"]), // 말다 drops its ㄹ: 마, 맙시다
];

/// A text in compatibility jamo; lone conjoining jamo (Kiwi's and mecab-ko-dic's ᆫ) as well.
pub(crate) fn compatibility_jamo(text: &str) -> SmolStr {
    thread_local! {
        static SPELLED: RefCell<String> = const { RefCell::new(String::new()) };
    }
    // What is written in the same place each time is allocated once.
    SPELLED.with_borrow_mut(|out| {
        out.clear();
        spell(text, out);
        SmolStr::new(out)
    })
}

fn spell(text: &str, out: &mut String) {
    for letter in letters(text) {
        let letter = match letter {
            Letter::Other(c @ '\u{1100}'..='\u{1112}') => {
                Letter::Initial((c as u32 - 0x1100) as u8)
            }
            Letter::Other(c @ '\u{1161}'..='\u{1175}') => Letter::Medial((c as u32 - 0x1161) as u8),
            Letter::Other(c @ '\u{11a8}'..='\u{11c2}') => Letter::Final((c as u32 - 0x11a7) as u8),
            other => other,
        };
        match letter {
            Letter::Other(c) => out.push(c),
            letter => out.push_str(Writing::Compatibility.write(letter)),
        }
    }
}

/// The Sejong tag of a Sejong or KAIST tag.
///
/// ```
/// use ko_register::sejong_tag;
/// use ko_tokenize::Tag;
///
/// assert_eq!(sejong_tag("NNG"), Some(Tag::Nng));
/// assert_eq!(sejong_tag("pvg"), Some(Tag::Vv));
/// assert_eq!(sejong_tag("VBZ"), None);
/// ```
pub fn sejong_tag(tag: &str) -> Option<Tag> {
    if let Ok(tag) = tag.parse() {
        return Some(tag);
    }
    // The KAIST set: a class of one or two letters, then finer distinctions.
    Some(match tag {
        "f" => Tag::Sl,
        "sp" => Tag::Sp,
        "sf" => Tag::Sf,
        "sl" | "sr" => Tag::Ss,
        "sd" => Tag::So,
        "se" => Tag::Se,
        "su" | "sy" => Tag::Sw,
        "jp" => Tag::Vcp,
        "jcs" => Tag::Jks,
        "jcc" => Tag::Jkc,
        "jcm" => Tag::Jkg,
        "jco" => Tag::Jko,
        "jca" | "jct" => Tag::Jkb,
        "jcv" => Tag::Jkv,
        "jcr" => Tag::Jkq,
        "jcj" => Tag::Jc,
        "jxc" | "jxf" | "jxt" => Tag::Jx,
        "ep" => Tag::Ep,
        "ef" => Tag::Ef,
        "ecc" | "ecs" | "ecx" => Tag::Ec,
        "etn" => Tag::Etn,
        "etm" => Tag::Etm,
        "px" => Tag::Vx,
        "maj" => Tag::Maj,
        "mag" | "mad" => Tag::Mag,
        "mmd" | "mma" => Tag::Mm,
        "ii" => Tag::Ic,
        "xp" => Tag::Xpn,
        "nbu" => Tag::Nnbc,
        _ => {
            const PREFIXES: &[(&str, Tag)] = &[
                ("pv", Tag::Vv),
                ("pa", Tag::Va),
                ("nc", Tag::Nng),
                ("nq", Tag::Nnp),
                ("nb", Tag::Nnb),
                ("np", Tag::Np),
                ("nn", Tag::Nr),
                ("xsn", Tag::Xsn),
                ("xsv", Tag::Xsv),
                ("xsm", Tag::Xsa),
                ("xsa", Tag::Mag),
            ];
            PREFIXES.iter().find(|(prefix, _)| tag.starts_with(prefix))?.1
        }
    })
}

/// The morphemes that an analyzer finds in a text.
///
/// # Errors
/// When the analyzer fails.
pub fn from_text(text: &str, analyzer: &dyn MorphemeAnalyzer) -> Result<Vec<Morph>> {
    let mut eojeol = 0;
    // The end of the last morpheme, in bytes and in characters.
    let mut end = (0, 0);
    let morphemes = analyzer.analyze(text)?;
    let tag_set = analyzer.tag_set();
    let found = morphemes.iter().map(|morpheme| {
        let between = text.get(end.0..morpheme.span.start).unwrap_or_default();
        eojeol += usize::from(between.contains(char::is_whitespace));
        // Restored morphemes of one surface share their place.
        let start = match between.is_empty() {
            false => end.1 + between.chars().count(),
            true => text
                .get(morpheme.span.start..end.0)
                .map_or(end.1, |back| end.1 - back.chars().count()),
        };
        let length = text.get(morpheme.span.clone()).map_or(0, |surface| surface.chars().count());
        end = (morpheme.span.end, start + length);
        let sejong = |tag| tag_set.sejong(tag).or_else(|| sejong_tag(tag));
        let tags = morpheme.tag.split('+').filter_map(sejong);
        let mut morph = Morph::tagged(&morpheme.form, tags, eojeol);
        (morph.span, morph.bytes) = (start..start + length, morpheme.span.clone());
        morph
    });
    Ok(found.collect())
}
