//! The Sejong treebank's phrase-structure trees as Universal Dependencies.
//!
//! Whoever holds the corpus can rebuild from it the treebank behind the paper's nine tasks. A tree is written
//! as below, after a line `; …` with the sentence itself; leaves are eojeols. Korean is head-final, so the head of a
//! phrase is its last child, and the function tag of every other child names its relation.
//!
//! | child | relation |
//! |---|---|
//! | `_SBJ` | nsubj; csubj of a clause |
//! | `_OBJ` | obj; ccomp of a clause |
//! | `_CMP` | xcomp; ccomp of a clause |
//! | `_AJT` | obl, advmod, advcl for NP, AP, clause |
//! | `_MOD` | nmod, det, advmod, acl for NP, DP, AP, clause; amod for a lone adjective |
//! | `_CNJ` | the first conjunct becomes the head, the others conj |
//! | `_INT`, `_PRN` | vocative or discourse, parataxis |
//! | none | DP det, AP advmod (cc for a conjunctive adverb), IP discourse; NP compound before a noun, else obl; clause advcl, acl before a noun |
//! | auxiliary (`VX`) after its verb | the verb is the head, the auxiliary aux |
//! | punctuation | a word of its own, punct |
//!
//! ```
//! use ko_probe::sejong::Reader;
//!
//! let tree = "; 나는 밥을 먹었다.\n\
//!     (S (NP_SBJ 나/NP + 는/JX) (VP (NP_OBJ 밥/NNG + 을/JKO) (VP 먹/VV + 었/EP + 다/EF + ./SF)))\n";
//! let sentence = Reader::new("나.tree", tree.as_bytes()).next().unwrap()?;
//! let relations: Vec<_> = sentence.words.iter().map(|w| (w.form.as_str(), w.relation.as_str())).collect();
//! assert_eq!(relations, [("나는", "nsubj"), ("밥을", "obj"), ("먹었다", "root"), (".", "punct")]);
//! assert!(ko_probe::conllu::write(&sentence).contains("먹+었+다\tVERB\tVV+EP+EF\t_\t0\troot"));
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! Without the line `; …` the text is put together from the morphemes, where contractions other than of a
//! final consonant (가+ㄴ다 → 간다) stay open.

use crate::sentence::{Origin, Sentence, Word};
use ko_eval_core::{Result, read::Lines};
use ko_tokenize::{
    Tag,
    jamo::{Letter, compose, letters},
};
use std::{
    io::BufRead,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Phrases inside phrases; deeper trees are taken for broken ones.
const MAX_DEPTH: usize = 256;

/// Converted sentences of a file of trees, in order; ends at the first error.
#[derive(Debug)]
pub struct Reader {
    lines: Lines,
    path: Arc<Path>,
    sentences: usize,
    failed: bool,
}

#[derive(Debug, Default)]
struct Phrase {
    category: String,
    function: String,
    children: Vec<Phrase>,
    /// Only leaves have morphemes.
    morphs: Vec<(String, String)>,
}

impl Reader {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// [`ko_eval_core::Error::Io`] if the file cannot be opened.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        Ok(Self::from_lines(Lines::open(path)?))
    }

    /// Reads anything; errors call it by `name`.
    pub fn new(name: impl Into<PathBuf>, reader: impl BufRead + Send + 'static) -> Self {
        Self::from_lines(Lines::from_reader(name, reader))
    }

    fn from_lines(lines: Lines) -> Self {
        let path = Arc::from(lines.path());
        Self { lines, path, sentences: 0, failed: false }
    }

    fn read(&mut self) -> Result<Option<Sentence>> {
        let mut text = None;
        let mut start = 0;
        let mut open: Vec<Phrase> = Vec::new();
        while let Some(line) = self.lines.next().transpose()? {
            if let Some(comment) = line.strip_prefix(';')
                && open.is_empty()
            {
                text = Some(comment.trim().to_owned());
                start = self.lines.number();
                continue;
            }
            for token in line.split_whitespace() {
                if start == 0 {
                    start = self.lines.number();
                }
                let done = take(token, &mut open).map_err(|reason| self.lines.error(reason))?;
                if let Some(tree) = done {
                    self.sentences += 1;
                    let id = self.sentences.to_string();
                    let origin = Origin { path: self.path.clone(), line: start, id };
                    let sentence = convert(&tree, text, origin);
                    return sentence.map(Some).map_err(|reason| self.lines.error(reason));
                }
            }
        }
        match open.is_empty() {
            true => Ok(None),
            false => Err(self.lines.error("the tree that began here or above is not closed")),
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Sentence>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let sentence = self.read().transpose();
        self.failed = matches!(sentence, Some(Err(_)));
        sentence
    }
}

/// Takes one token: `(NP_SBJ`, `나/NP`, `+`, `)`. Returns the tree when it closes.
fn take(token: &str, open: &mut Vec<Phrase>) -> Result<Option<Phrase>, String> {
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
            phrase.morphs.push((form.to_owned(), tag.to_owned()));
            rest.len() - tag.len()
        }
        None if token.chars().all(|c| c == ')') => token.len(),
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

fn convert(tree: &Phrase, text: Option<String>, origin: Origin) -> Result<Sentence, String> {
    let mut leaves = Vec::new();
    tree.leaves(&mut leaves);
    // The sentence's own eojeols, if they are as many as the leaves.
    let eojeols: Vec<String> = match &text {
        Some(text) if text.split_whitespace().count() == leaves.len() => {
            text.split_whitespace().map(str::to_owned).collect()
        }
        _ => leaves.iter().map(|leaf| spelling(&leaf.morphs)).collect(),
    };
    let mut draft = WordsSoFar { eojeols: eojeols.into_iter(), words: Vec::new() };
    draft.add(tree).ok_or("a tree without morphemes")?;
    let words = draft.words;
    let text = text.unwrap_or_else(|| Sentence::text_of(&words));
    Ok(Sentence { origin, text, words })
}

/// Morphemes written together; a final consonant joins the open syllable before it.
fn spelling(morphs: &[(String, String)]) -> String {
    let final_of = |letter: Letter| match letter {
        Letter::Other('ㄴ') => Letter::Final(4),
        Letter::Other('ㄹ') => Letter::Final(8),
        Letter::Other('ㅁ') => Letter::Final(16),
        Letter::Other('ㅂ') => Letter::Final(17),
        Letter::Other('ㅆ') => Letter::Final(20),
        other => other,
    };
    let joined: String = morphs.iter().map(|(form, _)| form.as_str()).collect();
    compose(letters(&joined).map(final_of)).collect()
}

impl Phrase {
    fn leaves<'p>(&'p self, out: &mut Vec<&'p Phrase>) {
        if !self.morphs.is_empty() {
            out.push(self);
        }
        self.children.iter().for_each(|child| child.leaves(out));
    }

    fn is_clause(&self) -> bool {
        matches!(self.category.as_str(), "S" | "VP" | "VNP")
    }

    /// The tags of its last leaf: those of its head.
    fn tags(&self) -> impl Iterator<Item = &str> {
        let mut last = self;
        while let Some(child) = last.children.last() {
            last = child;
        }
        last.morphs.iter().map(|(_, tag)| tag.as_str())
    }

    fn is_auxiliary(&self) -> bool {
        self.children.is_empty() && self.tags().next() == Some("VX")
    }

    fn is_punctuation(&self) -> bool {
        self.children.is_empty() && self.morphs.iter().all(|(_, tag)| is_symbol(tag))
    }

    /// What it is to the head of its phrase.
    fn relation(&self, head: &Phrase) -> &'static str {
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

fn is_symbol(tag: &str) -> bool {
    matches!(tag, "SF" | "SP" | "SS" | "SE" | "SO" | "SW" | "SSO" | "SSC" | "SC" | "SY")
}

/// Words so far; the eojeols still to come.
struct WordsSoFar {
    eojeols: std::vec::IntoIter<String>,
    words: Vec<Word>,
}

impl WordsSoFar {
    /// Adds a phrase and returns the place of its head.
    fn add(&mut self, phrase: &Phrase) -> Option<usize> {
        if !phrase.morphs.is_empty() {
            return self.add_eojeol(&phrase.morphs);
        }
        let mut members: Vec<(&Phrase, usize)> = Vec::new();
        for child in &phrase.children {
            if let Some(head) = self.add(child) {
                members.push((child, head));
            }
        }
        let last = members.iter().rposition(|(child, _)| !child.is_punctuation());
        let mut chosen = last.unwrap_or(members.len().checked_sub(1)?);
        // A chain of auxiliaries hangs on its verb.
        while let Some((before, _)) = chosen.checked_sub(1).and_then(|at| members.get(at)) {
            let leans = members.get(chosen).is_some_and(|(this, _)| this.is_auxiliary());
            if !leans || !before.is_clause() || !before.function.is_empty() {
                break;
            }
            chosen -= 1;
        }
        // UD's conjuncts hang on the first of them.
        let conjunct = |(child, _): &(&Phrase, usize)| child.function == "CNJ";
        let first = members.iter().take(chosen).position(conjunct);
        let (coordinated, chosen) = (first.is_some(), first.unwrap_or(chosen));
        let (head_phrase, head) = members.get(chosen).copied()?;
        for (place, (child, at)) in members.iter().enumerate() {
            let relation = match place {
                _ if place == chosen => continue,
                _ if child.is_punctuation() => "punct",
                _ if coordinated && place > chosen => "conj",
                _ if child.is_auxiliary() && place > chosen => "aux",
                _ => child.relation(head_phrase),
            };
            if let Some(word) = self.words.get_mut(*at) {
                word.head = Some(head);
                relation.clone_into(&mut word.relation);
            }
        }
        Some(head)
    }

    /// Adds an eojeol, the punctuation around it as words of their own.
    fn add_eojeol(&mut self, morphs: &[(String, String)]) -> Option<usize> {
        let mut surface = self.eojeols.next().unwrap_or_else(|| spelling(morphs));
        let symbols = |morphs: &mut dyn Iterator<Item = &(String, String)>| {
            morphs.take_while(|(_, tag)| is_symbol(tag)).count()
        };
        let (mut opening, mut closing) =
            (symbols(&mut morphs.iter()), symbols(&mut morphs.iter().rev()));
        if opening == morphs.len() {
            // Nothing but punctuation: its first mark is the word.
            (opening, closing) = (0, morphs.len() - 1);
        }
        let before = morphs.get(..opening)?;
        let after = morphs.get(morphs.len() - closing..)?;
        let core = morphs.get(opening..morphs.len() - closing)?;
        let spelt = |marks: &[(String, String)]| -> String {
            marks.iter().map(|(form, _)| form.as_str()).collect()
        };
        // Where the sentence spells its marks otherwise, the eojeol stays whole.
        let bare = surface
            .strip_prefix(spelt(before).as_str())
            .and_then(|rest| rest.strip_suffix(spelt(after).as_str()))
            .filter(|bare| !bare.is_empty())
            .map(str::to_owned);
        let (before, after) = match bare {
            Some(bare) => {
                surface = bare;
                (before, after)
            }
            None => (&[][..], &[][..]),
        };
        let head = self.words.len() + before.len();
        let mark = |(form, tag): &(String, String), joined| Word {
            form: form.clone(),
            lemma: Some(form.clone()),
            upos: Some("PUNCT".into()),
            xpos: Some(tag.clone()),
            mood: None,
            head: Some(head),
            relation: "punct".into(),
            joined,
        };
        self.words.extend(before.iter().map(|morph| mark(morph, true)));
        let join = |part: fn(&(String, String)) -> &str| {
            core.iter().map(part).collect::<Vec<_>>().join("+")
        };
        self.words.push(Word {
            form: surface,
            lemma: Some(join(|(form, _)| form)),
            upos: Some(upos(core).into()),
            xpos: Some(join(|(_, tag)| tag)),
            mood: None,
            head: None,
            relation: "root".into(),
            joined: !after.is_empty(),
        });
        for (place, morph) in after.iter().enumerate() {
            self.words.push(mark(morph, place + 1 < after.len()));
        }
        Some(head)
    }
}

/// The universal part of speech of an eojeol.
fn upos(morphs: &[(String, String)]) -> &'static str {
    let has = |wanted: &str| morphs.iter().any(|(_, tag)| tag == wanted);
    match morphs.first().map_or("", |(_, tag)| tag.as_str()) {
        _ if has("VCP") || has("XSV") => "VERB",
        _ if has("XSA") => "ADJ",
        "NNG" | "NNB" | "XR" | "XPN" | "NF" => "NOUN",
        "NNP" => "PROPN",
        "NP" => "PRON",
        "NR" | "SN" => "NUM",
        "VV" | "NV" => "VERB",
        "VA" | "VCN" => "ADJ",
        "VX" => "AUX",
        "MM" => "DET",
        "MAG" => "ADV",
        "MAJ" => "CCONJ",
        "IC" => "INTJ",
        tag if is_symbol(tag) => "PUNCT",
        tag if tag.starts_with('J') => "ADP",
        _ => "X",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conllu;

    fn read(text: &str) -> Result<Vec<Sentence>> {
        Reader::new("t.tree", std::io::Cursor::new(text.to_owned())).collect()
    }

    /// `form←governor:relation` of every word.
    fn arcs(text: &str) -> Vec<String> {
        let sentence = read(text).unwrap().remove(0);
        let governor =
            |word: &Word| word.head.map_or("", |head| &sentence.words[head].form).to_owned();
        let arcs =
            sentence.words.iter().map(|w| format!("{}←{}:{}", w.form, governor(w), w.relation));
        let arcs = arcs.collect();
        // Whatever is converted must be a tree that the CoNLL-U reader accepts.
        let written = conllu::write(&sentence);
        let again =
            conllu::Reader::new("again", std::io::Cursor::new(written)).next().unwrap().unwrap();
        assert_eq!(again.words, sentence.words);
        arcs
    }

    #[test]
    fn functions_become_relations() {
        let tree = "; 그리고 거울을 향해 잔뜩 얼굴을 찌푸렸다.\n(S\t(AP 그리고/MAJ)\n\t(VP\t(VP\t(NP_OBJ 거울/NNG + 을/JKO)\n\t\t\t(VP 향하/VV + 아/EC))\n\t\t(VP\t(AP 잔뜩/MAG)\n\t\t\t(VP\t(NP_OBJ 얼굴/NNG + 을/JKO)\n\t\t\t\t(VP 찌푸리/VV + 었/EP + 다/EF + ./SF)))))\n";
        assert_eq!(
            arcs(tree),
            [
                "그리고←찌푸렸다:cc",
                "거울을←향해:obj",
                "향해←찌푸렸다:advcl",
                "잔뜩←찌푸렸다:advmod",
                "얼굴을←찌푸렸다:obj",
                "찌푸렸다←:root",
                ".←찌푸렸다:punct",
            ]
        );
    }

    #[test]
    fn modifiers_conjuncts_and_auxiliaries() {
        let tree = "; 착한 영희의 언니와 동생이 \"책\"을 읽고 있다.\n(S (NP_SBJ (NP_CNJ (VP_MOD 착하/VA + ㄴ/ETM) (NP (NP_MOD 영희/NNP + 의/JKG) (NP_CNJ 언니/NNG + 와/JC))) (NP_SBJ 동생/NNG + 이/JKS)) (VP (VP (NP_OBJ \"/SS + 책/NNG + \"/SS + 을/JKO) (VP 읽/VV + 고/EC)) (VP 있/VX + 다/EF + ./SF)))";
        assert_eq!(
            arcs(tree),
            [
                "착한←언니와:amod",
                "영희의←언니와:nmod",
                "언니와←읽고:nsubj",
                "동생이←언니와:conj",
                "\"←책\"을:punct",
                "책\"을←읽고:obj",
                "읽고←:root",
                "있다←읽고:aux",
                ".←있다:punct",
            ]
        );
    }

    #[test]
    fn clauses_fragments_and_brackets() {
        let tree = "(S (NP_INT 얘/NP + 야/JKV + ,/SP) (S (S_CMP (NP_SBJ 비/NNG + 가/JKS) (VP 오/VV + ㄴ다고/EC)) (VP (NP_AJT (/SS + 집/NNG + )/SS + 에서/JKB) (VP 말하/VV + ㄴ다/EF))))";
        assert_eq!(
            arcs(tree),
            [
                "얘야←말한다:vocative",
                ",←얘야:punct",
                "비가←온다고:nsubj",
                "온다고←말한다:ccomp",
                "(←집)에서:punct",
                "집)에서←말한다:obl",
                "말한다←:root",
            ]
        );
        assert_eq!(read(tree).unwrap()[0].text, "얘야, 비가 온다고 (집)에서 말한다");
    }

    #[test]
    fn errors_name_the_line() {
        let cases = [
            ("; 가\n(S (VP 가/VV", "t.tree:2: the tree that began"),
            ("가/VV", "t.tree:1: `가/VV` outside a tree"),
            ("\n(S 가/ZZZ)", "t.tree:2: `가/ZZZ)` is not a morpheme"),
            ("(S 가)", "t.tree:1: `가)` is neither"),
            ("(S )", "t.tree:1: a tree without morphemes"),
            (")", "t.tree:1: a bracket closes"),
            ("(S 가/VV))", "t.tree:1: a bracket closes"),
        ];
        for (text, expected) in cases {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let deep = "(S ".repeat(100_000);
        assert!(read(&deep).unwrap_err().to_string().contains("nested"));
    }
}
