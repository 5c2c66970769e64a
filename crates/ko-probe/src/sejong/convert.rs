//! Phrases to dependencies.

use super::{
    eojeols::{Spelt, of_leaves},
    tree::{Phrase, is_symbol},
};
use crate::sentence::{Origin, Sentence, Word};
use ko_tokenize::jamo::{Letter, compose, letters};

pub(super) fn convert(
    tree: &Phrase,
    text: Option<String>,
    origin: Origin,
) -> Result<Sentence, String> {
    let mut leaves = Vec::new();
    tree.leaves(&mut leaves);
    let spelt: Vec<String> = leaves.iter().map(|leaf| spelling(&leaf.morphs)).collect();
    let eojeols = of_leaves(text.as_deref(), spelt);
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

/// Words so far; the eojeols still to come.
struct WordsSoFar {
    eojeols: std::vec::IntoIter<Spelt>,
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
        // What only follows, a particle or something in brackets, leaves the head to what stands before it.
        let is_head = |(child, _): &(&Phrase, usize)| {
            !child.is_punctuation() && !child.is_particle() && child.function != "PRN"
        };
        if let Some(head) = members.iter().rposition(is_head) {
            chosen = head;
        }
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
                _ if child.is_particle() && place > chosen => "case",
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
        let spelt = self.eojeols.next();
        let Spelt { mut surface, joined } =
            spelt.unwrap_or_else(|| Spelt { surface: spelling(morphs), joined: false });
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
        let mark = |(form, tag): &(String, String), joined: bool| Word {
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
            joined: !after.is_empty() || joined,
        });
        for (place, morph) in after.iter().enumerate() {
            self.words.push(mark(morph, place + 1 < after.len() || joined));
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
