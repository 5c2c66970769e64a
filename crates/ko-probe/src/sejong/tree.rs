//! A tree as it is written: brackets, labels, morphemes.

use ko_tokenize::{
    Tag,
    jamo::{Letter, Writing},
};

/// Phrases inside phrases; deeper trees are taken for broken ones.
const MAX_DEPTH: usize = 256;

/// A phrase, or an eojeol as a leaf.
#[derive(Debug, Default)]
pub(super) struct Phrase {
    pub(super) category: String,
    pub(super) function: String,
    pub(super) children: Vec<Phrase>,
    /// Only leaves have morphemes.
    pub(super) morphs: Vec<(String, String)>,
}

/// What phrases the guidelines of the corpus know.
const CATEGORIES: [&str; 11] = ["S", "Q", "NP", "VP", "VNP", "AP", "DP", "IP", "X", "L", "R"];

/// What a phrase may be to the one around it.
const FUNCTIONS: [&str; 8] = ["SBJ", "OBJ", "CMP", "MOD", "AJT", "CNJ", "INT", "PRN"];

/// Takes one token: `(NP_SBJ`, `나/NP`, `+`, `)`. Returns the tree when it closes.
pub(super) fn take(token: &str, open: &mut Vec<Phrase>) -> Result<Option<Phrase>, String> {
    if token == "+" {
        return Ok(None);
    }
    if let Some(label) = token.strip_prefix('(').filter(|rest| !rest.starts_with('/')) {
        if open.len() >= MAX_DEPTH {
            return Err(format!("phrases are nested more than {MAX_DEPTH} deep"));
        }
        if open.last().is_some_and(|phrase| !phrase.morphs.is_empty()) {
            return Err(format!("`{token}` within a leaf: a phrase has morphemes or phrases"));
        }
        let (category, function) = labels(label)?;
        open.push(Phrase {
            category: category.into(),
            function: function.into(),
            ..Phrase::default()
        });
        return Ok(None);
    }
    let closing = match token.contains('/') {
        true => {
            let phrase = open.last_mut().ok_or_else(|| format!("`{token}` outside a tree"))?;
            let (morphs, closing) = morphemes(token)
                .ok_or_else(|| format!("`{token}` is not a morpheme with a Sejong tag"))?;
            if !phrase.children.is_empty() {
                return Err(format!("`{token}` beside a phrase: it needs a leaf of its own"));
            }
            phrase.morphs.extend(morphs.iter().map(|(form, tag)| (plain(form), (*tag).to_owned())));
            closing
        }
        // Some leaves end with a plus and no morpheme after it.
        false => {
            let closing = token.trim_start_matches('+');
            if !closes(closing) {
                return Err(format!("`{token}` is neither a phrase nor a morpheme"));
            }
            closing.len()
        }
    };
    let mut root = None;
    for _ in 0..closing {
        let phrase = open.pop().ok_or("a bracket closes what was not opened")?;
        match open.last_mut() {
            Some(parent) => parent.children.push(phrase),
            None if root.is_none() => root = Some(phrase),
            None => return Err("a bracket closes what was not opened".into()),
        }
    }
    Ok(root)
}

/// Category and function of a label, `NP_SBJ`; here and there it is written `NP-SBJ`.
fn labels(label: &str) -> Result<(&str, &str), String> {
    let (category, function) = label.split_once(['_', '-']).unwrap_or((label, ""));
    if !CATEGORIES.contains(&category) {
        let known = CATEGORIES.join(", ");
        return Err(format!("`({label}`: `{category}` is no phrase; expected one of {known}"));
    }
    if !function.is_empty() && !FUNCTIONS.contains(&function) {
        let known = FUNCTIONS.join(", ");
        return Err(format!("`({label}`: `{function}` is no function; expected one of {known}"));
    }
    Ok((category, function))
}

/// A form and its tag.
type Morpheme<'t> = (&'t str, &'t str);

/// The morphemes of a token, and how many brackets it closes. There are several where no space stands around a plus: `나/NP+는/JX`.
fn morphemes(token: &str) -> Option<(Vec<Morpheme<'_>>, usize)> {
    let joined = token.strip_prefix('+').filter(|rest| !rest.starts_with(['+', '/']));
    let mut rest = joined.unwrap_or(token);
    let mut found = Vec::new();
    while found.is_empty() || !closes(rest) {
        let (morpheme, after) = first_morpheme(rest)?;
        found.push(morpheme);
        rest = after.strip_prefix('+').unwrap_or(after);
    }
    Some((found, rest.len()))
}

/// The first morpheme and what follows it. A form may itself hold slashes, brackets and pluses (`//SP`, `)/SS`, `+/SW`), so only a tag
/// before a closing bracket, or before a plus and another morpheme, ends it.
fn first_morpheme(text: &str) -> Option<(Morpheme<'_>, &str)> {
    let ends_with_tag = |at: usize| {
        let (form, rest) = (text.get(..at)?, text.get(at + 1..)?);
        let letters = rest.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(rest.len());
        let (tag, after) = rest.split_at_checked(letters)?;
        let ends = match after.strip_prefix('+') {
            Some(next) => closes(next) || next.rfind('/').is_some_and(|slash| slash > 0),
            None => closes(after),
        };
        (ends && tag.parse::<Tag>().is_ok()).then_some(((form, tag), after))
    };
    text.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0).find_map(ends_with_tag)
}

/// Whether there is nothing but closing brackets.
fn closes(text: &str) -> bool {
    text.bytes().all(|byte| byte == b')')
}

/// Without the number of its sense and the annotators' asterisk (`과*/NNG`), a final consonant alone as compatibility jamo.
fn plain(form: &str) -> String {
    let form = match form.strip_suffix('*') {
        Some(form) if !form.is_empty() && !form.ends_with('*') => form,
        _ => form,
    };
    let form = match form.rsplit_once("__") {
        Some((form, sense)) if !form.is_empty() && sense.parse::<u32>().is_ok() => form,
        _ => form,
    };
    let letter = |c: char| match c {
        '\u{11a8}'..='\u{11c2}' => {
            let last = Letter::Final((c as u32 - 0x11a7) as u8);
            Writing::Compatibility.write(last).chars().next().unwrap_or(c)
        }
        c => c,
    };
    form.chars().map(letter).collect()
}

impl Phrase {
    pub(super) fn leaves<'p>(&'p self, out: &mut Vec<&'p Phrase>) {
        if !self.morphs.is_empty() {
            out.push(self);
        }
        self.children.iter().for_each(|child| child.leaves(out));
    }

    pub(super) fn is_clause(&self) -> bool {
        matches!(self.category.as_str(), "S" | "VP" | "VNP")
    }

    /// The tags of its last leaf: those of its head.
    pub(super) fn tags(&self) -> impl Iterator<Item = &str> {
        let mut last = self;
        while let Some(child) = last.children.last() {
            last = child;
        }
        last.morphs.iter().map(|(_, tag)| tag.as_str())
    }

    /// Nothing but particles: they belong to what stands before them.
    pub(super) fn is_particle(&self) -> bool {
        let mut tags =
            self.morphs.iter().map(|(_, tag)| tag).filter(|tag| !is_symbol(tag)).peekable();
        self.children.is_empty() && tags.peek().is_some() && tags.all(|tag| tag.starts_with('J'))
    }

    pub(super) fn is_auxiliary(&self) -> bool {
        self.children.is_empty() && self.tags().next() == Some("VX")
    }

    pub(super) fn is_punctuation(&self) -> bool {
        self.children.is_empty() && self.morphs.iter().all(|(_, tag)| is_symbol(tag))
    }

    /// What it is to the head of its phrase.
    pub(super) fn relation(&self, head: &Phrase) -> &'static str {
        let clause = self.is_clause();
        let before_noun = head.category == "NP";
        match (self.function.as_str(), self.category.as_str()) {
            _ if self.is_punctuation() => "punct",
            ("SBJ", _) => {
                if clause {
                    "csubj"
                } else {
                    "nsubj"
                }
            }
            ("OBJ", _) => {
                if clause {
                    "ccomp"
                } else {
                    "obj"
                }
            }
            ("CMP", _) => {
                if clause {
                    "ccomp"
                } else {
                    "xcomp"
                }
            }
            ("INT", "IP") | ("", "IP") => "discourse",
            ("INT", _) => "vocative",
            ("PRN", _) => "parataxis",
            (_, "DP") => "det",
            (_, "AP") if self.tags().any(|tag| tag == "MAJ") => "cc",
            (_, "AP") => "advmod",
            ("MOD", "NP") => "nmod",
            ("MOD", _) if clause => {
                let adjective = self.children.is_empty() && self.tags().next() == Some("VA");
                if adjective { "amod" } else { "acl" }
            }
            ("AJT", "NP") => "obl",
            ("", "NP") => {
                if before_noun {
                    "compound"
                } else {
                    "obl"
                }
            }
            (_, _) if clause => {
                if before_noun {
                    "acl"
                } else {
                    "advcl"
                }
            }
            _ => "dep",
        }
    }
}

pub(super) fn is_symbol(tag: &str) -> bool {
    matches!(tag, "SF" | "SP" | "SS" | "SE" | "SO" | "SW" | "SSO" | "SSC" | "SC" | "SY")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(text: &str) -> Vec<String> {
        let mut open = Vec::new();
        let mut tokens = text.split_whitespace();
        let tree = tokens.find_map(|token| take(token, &mut open).unwrap()).unwrap();
        assert!(tokens.next().is_none(), "{text}");
        tree.morphs.iter().map(|(form, tag)| format!("{form} {tag}")).collect()
    }

    #[test]
    fn morphemes_are_split_at_the_plus_after_a_tag() {
        for (written, wanted) in [
            ("나/NP+는/JX", &["나 NP", "는 JX"][..]),
            ("나/NP +는/JX", &["나 NP", "는 JX"]),
            ("나/NP+ 는/JX", &["나 NP", "는 JX"]),
            ("나/NP+는/JX+", &["나 NP", "는 JX"]),
            ("1/SN + +/SW + 2/SN", &["1 SN", "+ SW", "2 SN"]),
            ("1/SN++/SW+2/SN", &["1 SN", "+ SW", "2 SN"]),
            ("C++/SL+은/JX", &["C++ SL", "은 JX"]),
            ("//SP", &["/ SP"]),
            ("가/NNG+//SP+나/NNG", &["가 NNG", "/ SP", "나 NNG"]),
            ("TCP/IP/SL + 를/JKO", &["TCP/IP SL", "를 JKO"]),
            ("(/SS + 가/NNG + )/SS", &["( SS", "가 NNG", ") SS"]),
            ("(/SS+가/NNG+)/SS", &["( SS", "가 NNG", ") SS"]),
            ("（/SS + ＋/SW + ，/SP", &["（ SS", "＋ SW", "， SP"]),
            ("과*/NNG + */SW + **/SW", &["과 NNG", "* SW", "** SW"]),
            ("하__02/VV+ᆫ/ETM", &["하 VV", "ㄴ ETM"]),
        ] {
            assert_eq!(leaf(&format!("(NP {written})")), wanted, "{written}");
        }
        for broken in ["/NNG", "나/", "나/NP+는", "나/np"] {
            let error = take(broken, &mut vec![Phrase::default()]).unwrap_err();
            assert!(error.contains("is not a morpheme"), "{error}");
        }
    }

    #[test]
    fn labels_are_those_of_the_guidelines() {
        for (label, wanted) in [
            ("NP_SBJ", ("NP", "SBJ")),
            ("NP-SBJ", ("NP", "SBJ")),
            ("VNP", ("VNP", "")),
            ("S-", ("S", "")),
            ("X_AJT", ("X", "AJT")),
            ("Q_CMP", ("Q", "CMP")),
        ] {
            assert_eq!(labels(label), Ok(wanted));
        }
        for label in ["", "NPSBJ", "NP_ATJ", "NP_SBJ_OBJ", "np_sbj", "VPP_CMP", "VP(NP"] {
            assert!(labels(label).is_err(), "{label}");
        }
    }
}
