//! The Sejong treebank's phrase-structure trees as Universal Dependencies.
//!
//! Whoever holds the corpus can rebuild from it the treebank behind the paper's nine tasks. Files are read as they are distributed: in
//! UTF-16 (or UTF-8), with a document type, a `<teiHeader>` and tags around the trees. A tree is written
//! as below, after a line `; …` with the sentence itself; leaves are eojeols, or parts of one where a bracket, a quotation or what
//! follows it has a leaf of its own. Korean is head-final, so the head of a
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
//! | `_INT`, `_PRN` | vocative or discourse, parataxis; what follows a phrase in brackets is not its head |
//! | none | DP det, AP advmod (cc for a conjunctive adverb), IP discourse; NP compound before a noun, else obl; clause advcl, acl before a noun |
//! | auxiliary (`VX`) after its verb | the verb is the head, the auxiliary aux |
//! | particle with a leaf of its own (`X_SBJ`, after a bracket or quotation) | what stands before it is the head, the particle case |
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
//! final consonant (가+ㄴ다 → 간다) stay open; so are the words where the sentence has fewer eojeols than it could have by its leaves, or more. A
//! final consonant alone is written as compatibility jamo (ㄴ/ETM); numbers of senses (`의상__01/NNG`) and asterisks (`과*/NNG`) are left
//! out, and a tab within the sentence is a space. Labels may have a hyphen (`NP-SBJ`), and pluses no spaces (`나/NP+는/JX`).
//!
//! The corpus has broken trees (brackets that do not match, tags and labels that are none, sentences without a tree). Each is an error with
//! file and line, and the reader goes on with the next sentence. What is wrong with a file as a whole ends it: text that is neither UTF-16
//! nor UTF-8, a header that is never closed, not a single sentence.

mod convert;
mod decoded;
mod eojeols;
mod markup;
mod tree;

use crate::sentence::{Origin, Sentence, on_one_line};
use convert::convert;
use decoded::Decoded;
use ko_eval_core::{Error, Result};
use ko_eval_io::read::{self, Lines};
use markup::Markup;
use std::{
    io::{self, BufRead},
    path::{Path, PathBuf},
    sync::Arc,
};
use tree::{Phrase, take};

/// Converted sentences of a file of trees, in order.
///
/// A broken tree is an [`Error::BadLine`] and is passed over. An [`Error::Io`] is the last that comes: the file cannot be read, is neither
/// UTF-16 nor UTF-8, does not close its header, or holds no sentence.
#[derive(Debug)]
pub struct Reader {
    lines: Lines,
    path: Arc<Path>,
    markup: Markup,
    sentences: usize,
    /// What is wrong with the first broken tree.
    broken: Option<String>,
    /// The line that was read too early.
    pending: Option<String>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Reading,
    /// After a broken tree: up to where the next one begins.
    Recovering,
    Ended,
}

impl Reader {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// [`ko_eval_core::Error::Io`] if the file cannot be opened.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        let reader = read::open(&path)?;
        Ok(Self::new(path, reader))
    }

    /// Reads anything; errors call it by `name`.
    pub fn new(name: impl Into<PathBuf>, reader: impl BufRead + Send + 'static) -> Self {
        let lines = Lines::from_reader(name, Decoded::new(reader));
        let path = Arc::from(lines.path());
        let (markup, state) = (Markup::default(), State::Reading);
        Self { lines, path, markup, sentences: 0, broken: None, pending: None, state }
    }

    /// The next line that is no markup.
    fn line(&mut self) -> Result<Option<String>> {
        if self.pending.is_some() {
            return Ok(self.pending.take());
        }
        while let Some(line) = self.lines.next() {
            let line = line.map_err(|error| match error {
                // Where one line is in another encoding, all are.
                Error::BadLine { line, reason, .. } => self.unreadable(format!(
                    "line {line}: {reason}; trees are read in UTF-16 or UTF-8, to which `iconv` converts"
                )),
                error => error,
            })?;
            if !self.markup.hides(&line, self.lines.number()) {
                return Ok(Some(line));
            }
        }
        match self.markup {
            Markup::Within { start, end, line } => Err(self.unreadable(format!(
                "line {line}: `{start}` begins here and no `{end}` follows, so that the rest of the file is hidden"
            ))),
            Markup::Outside => Ok(None),
        }
    }

    /// An error of the whole file.
    fn unreadable(&self, reason: String) -> Error {
        Error::io(&*self.path, io::Error::new(io::ErrorKind::InvalidData, reason))
    }

    fn bad_line(&self, line: usize, reason: impl Into<String>) -> Error {
        Error::BadLine { path: self.path.to_path_buf(), line, reason: reason.into() }
    }

    /// Whether the next line belongs to the tree above it, as an indented or a closing bracket does.
    fn goes_on(&mut self) -> Result<bool> {
        self.pending = self.line()?;
        Ok(self.pending.as_deref().is_some_and(|line| {
            let bracket = line.trim_start();
            bracket.starts_with(')') || bracket.starts_with('(') && bracket.len() < line.len()
        }))
    }

    fn read(&mut self) -> Result<Option<Sentence>> {
        let mut text = None;
        // Where the sentence begins, once it has.
        let mut start = None;
        let mut open: Vec<Phrase> = Vec::new();
        while let Some(line) = self.line()? {
            if self.state == State::Recovering {
                if !line.starts_with([';', '(']) {
                    continue;
                }
                self.state = State::Reading;
            }
            let number = self.lines.number();
            if let Some(comment) = line.strip_prefix(';') {
                if let Some(start) = start {
                    let error = match open.is_empty() {
                        true => self.bad_line(start, NO_TREE),
                        false => self
                            .bad_line(number, "a sentence begins before the tree above is closed"),
                    };
                    self.pending = Some(line);
                    return Err(error);
                }
                text = Some(on_one_line(comment.trim())).filter(|text| !text.is_empty());
                start = Some(number);
                continue;
            }
            let mut tokens = line.split_whitespace();
            while let Some(token) = tokens.next() {
                let start = *start.get_or_insert(number);
                let done =
                    take(token, &mut open).map_err(|reason| self.bad_line(number, reason))?;
                let Some(tree) = done else { continue };
                // Half a tree would pass for a whole one.
                if tokens.next().is_some() || self.goes_on()? {
                    return Err(self.bad_line(number, "the tree is closed here, but it goes on"));
                }
                let origin = Origin { path: self.path.clone(), line: start, id: self.id() };
                let sentence = convert(&tree, text, origin);
                let sentence = sentence.map_err(|reason| self.bad_line(number, reason))?;
                self.sentences += 1;
                return Ok(Some(sentence));
            }
        }
        match start {
            None => Ok(None),
            Some(start) if open.is_empty() => Err(self.bad_line(start, NO_TREE)),
            Some(_) => Err(self.lines.error("the tree that began here or above is not closed")),
        }
    }

    /// The file's name and the number of the next sentence in it: `BGAA0001-12`.
    fn id(&self) -> String {
        let name = self.path.file_stem().map(|name| name.to_string_lossy());
        format!("{}-{}", name.unwrap_or_default(), self.sentences + 1)
    }
}

/// Trees of other treebanks, or something else.
const NO_SENTENCE: &str = "not a single sentence: expected lines `; …`, each with a tree below, `(S (NP_SBJ 나/NP + 는/JX) …)`";

const NO_TREE: &str = "no tree follows the sentence";

impl Iterator for Reader {
    type Item = Result<Sentence>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::Ended {
            return None;
        }
        let sentence = self.read().transpose();
        self.state = match &sentence {
            Some(Ok(_)) => State::Reading,
            // What is wrong with a line is over with it.
            Some(Err(Error::BadLine { line, reason, .. })) => {
                self.broken.get_or_insert_with(|| format!("line {line}: {reason}"));
                State::Recovering
            }
            _ => State::Ended,
        };
        if sentence.is_none() && self.sentences == 0 {
            return Some(Err(self.unreadable(match &self.broken {
                Some(first) => {
                    format!("not a single sentence: every tree is broken, the first at {first}")
                }
                None => NO_SENTENCE.into(),
            })));
        }
        sentence
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{conllu, sentence::Word};

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
    fn particles_and_brackets_leave_the_head_to_the_noun() {
        let tree = "; 그 도시에 오래된 성(城)이 있었다.\n(S (NP_AJT (DP 그/MM) (NP_AJT 도시/NNG + 에/JKB)) (S (NP_SBJ (NP (VP_MOD 오래되/VA + ᆫ/ETM) (NP 성/NNG)) (NP_PRN (L (/SS) (NP_PRN (NP 城/SH) (R_PRN )/SS))) (X_SBJ 이/JKS)) (VP 있/VA + 었/EP + 다/EF + ./SF)))";
        assert_eq!(
            arcs(tree),
            [
                "그←도시에:det",
                "도시에←있었다:obl",
                "오래된←성:amod",
                "성←있었다:nsubj",
                "(←城:punct",
                "城←성:parataxis",
                ")←城:punct",
                "이←성:case",
                "있었다←:root",
                ".←있었다:punct",
            ]
        );
        let sentence = read(tree).unwrap().remove(0);
        assert_eq!(Sentence::text_of(&sentence.words), sentence.text);
        assert_eq!(sentence.words[2].lemma.as_deref(), Some("오래되+ㄴ"));
    }

    #[test]
    fn broken_trees_are_passed_over() {
        let text = "; 하나\n(S (NP 하나/NR)\n; 둘\n(NP 둘/NR)\n; 셋\n(NP 셋/QQ)\n\t(NP 나머지/NNG)\n; 넷\n(NP 넷__02/NR +)\n다섯\n(NP 여섯/NR)\n";
        let found: Vec<String> = Reader::new("t.tree", std::io::Cursor::new(text))
            .map(|sentence| match sentence {
                Ok(Sentence { origin, text, words }) => {
                    format!("{} {text} {}", origin.id, words[0].lemma.clone().unwrap())
                }
                Err(error) => error.to_string(),
            })
            .collect();
        assert_eq!(
            found,
            [
                "t.tree:3: a sentence begins before the tree above is closed",
                "t-1 둘 둘",
                "t.tree:6: `셋/QQ)` is not a morpheme with a Sejong tag",
                "t-2 넷 넷",
                "t.tree:10: `다섯` is neither a phrase nor a morpheme",
                "t-3 여섯 여섯",
            ]
        );
    }

    /// A bracket too many cuts a tree in two, each of which would pass for a sentence.
    #[test]
    fn halves_of_a_tree_are_no_sentences() {
        let whole = "; 둘\n(NP 둘/NR)\n";
        for (broken, line) in [
            ("; 나는 간다.\n(S\t(NP_SBJ 나/NP + 는/JX))\n\t(VP 가/VV + ㄴ다/EF + ./SF)\n", 2),
            ("; 나는 간다.\n(S\t(NP_SBJ 나/NP + 는/JX)\n\t(VP 가/VV + ㄴ다/EF + ./SF))\n)\n", 3),
            ("; 간다.\n(VP 가/VV + ㄴ다/EF) (VP 가/VV + ㄴ다/EF)\n", 2),
        ] {
            let text = format!("{broken}{whole}");
            let read: Vec<_> = Reader::new("t.tree", std::io::Cursor::new(text)).collect();
            let [Err(error), Ok(sentence)] = read.as_slice() else { panic!("{read:?}") };
            let told = format!("t.tree:{line}: the tree is closed here, but it goes on");
            assert_eq!((error.to_string(), sentence.text.as_str()), (told, "둘"));
        }
    }

    #[test]
    fn sentences_without_a_tree_are_told_of() {
        let text = "; 하나\n\n; 둘\n(NP 둘/NR)\n; 셋\n";
        let read: Vec<_> = Reader::new("t.tree", std::io::Cursor::new(text)).collect();
        let [Err(first), Ok(two), Err(last)] = read.as_slice() else { panic!("{read:?}") };
        assert_eq!(first.to_string(), "t.tree:1: no tree follows the sentence");
        assert_eq!(two.text, "둘");
        assert_eq!(last.to_string(), "t.tree:5: no tree follows the sentence");
    }

    #[test]
    fn a_text_holds_no_tab() {
        let read = read("; 나는\t 간다.\n(S (NP_SBJ 나/NP + 는/JX) (VP 가/VV + ㄴ다/EF + ./SF))\n");
        assert_eq!(read.unwrap()[0].text, "나는  간다.");
        // An empty line of the sentence is none.
        assert_eq!(self::read(";\n(VP 가/VV + 아/EF)\n").unwrap()[0].text, "가아");
    }

    #[test]
    fn what_is_wrong_with_a_whole_file_ends_it() {
        let sentence = "; 둘\n(NP 둘/NR)\n";
        let hidden = "no `</teiheader>` follows, so that the rest of the file is hidden";
        for (bytes, reason) in [
            (format!("<tei.2>\n<teiHeader>\n<title>\n{sentence}").into_bytes(), hidden),
            (format!("{sentence}<!-- \n{sentence}").into_bytes(), "line 3: `<!--` begins here"),
            // CP949: 비가 온다.
            (
                b"<tei.2>\n; \xba\xf1\xb0\xa1 \xbf\xc2\xb4\xd9.\n(S".to_vec(),
                "line 2: not UTF-8: byte 3 of the line is invalid; it looks like CP949 (EUC-KR); trees are read in",
            ),
            (b"<tei.2>\n</tei.2>\n".to_vec(), "not a single sentence: expected lines `; "),
            (Vec::new(), "not a single sentence: expected lines `; "),
            (
                b"(NP 1/QQ)\n(NP 2/QQ)\n".to_vec(),
                "not a single sentence: every tree is broken, the first at line 1: `1/QQ)` is not",
            ),
        ] {
            let mut reader = Reader::new("t.tree", std::io::Cursor::new(bytes));
            let errors = reader.by_ref().filter_map(Result::err);
            let whole = errors.filter(|error| !matches!(error, Error::BadLine { .. }));
            let told: Vec<String> = whole.map(|error| error.to_string()).collect();
            let [told] = told.as_slice() else { panic!("{told:?}") };
            assert!(told.starts_with("t.tree: ") && told.contains(reason), "{told}");
            assert!(reader.next().is_none());
        }
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
            ("(NP_SUJ 가/VV)", "t.tree:1: `(NP_SUJ`: `SUJ` is no function; expected one of SBJ, "),
            ("(NPSBJ 가/VV)", "t.tree:1: `(NPSBJ`: `NPSBJ` is no phrase; expected one of S, "),
            ("(S 가/VV (VP 나/VV))", "t.tree:1: `(VP` within a leaf"),
            ("(S (VP 나/VV) 가/VV)", "t.tree:1: `가/VV)` beside a phrase"),
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
