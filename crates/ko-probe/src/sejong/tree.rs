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

/// Takes one token: `(NP_SBJ`, `나/NP`, `+`, `)`. Returns the tree when it closes.
pub(super) fn take(token: &str, open: &mut Vec<Phrase>) -> Result<Option<Phrase>, String> {
    if token == "+" {
        return Ok(None);
    }
    if let Some(label) = token.strip_prefix('(').filter(|rest| !rest.starts_with('/')) {
        if open.len() >= MAX_DEPTH {
            return Err(format!("phrases are nested more than {MAX_DEPTH} deep"));
        }
        let (category, function) = label.split_once('_').unwrap_or((label, ""));
        open.push(Phrase {
            category: category.into(),
            function: function.into(),
            ..Phrase::default()
        });
        return Ok(None);
    }
    // A morpheme may itself hold brackets and slashes: `)/SS`, `//SP`. Its tag ends it.
    let closing = match token.rsplit_once('/') {
        Some((form, rest)) => {
            let tag = rest.trim_end_matches(')');
            let phrase = open.last_mut().ok_or_else(|| format!("`{token}` outside a tree"))?;
            if form.is_empty() || tag.parse::<Tag>().is_err() {
                return Err(format!("`{token}` is not a morpheme with a Sejong tag"));
            }
            phrase.morphs.push((plain(form), tag.to_owned()));
            rest.len() - tag.len()
        }
        // Some leaves end with a plus and no morpheme after it.
        None if token.trim_start_matches('+').chars().all(|c| c == ')') => {
            token.trim_start_matches('+').len()
        }
        None => return Err(format!("`{token}` is neither a phrase nor a morpheme")),
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

/// Without the number of its sense, a final consonant alone as compatibility jamo.
fn plain(form: &str) -> String {
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
