//! Treebanks in CoNLL-U, read a sentence at a time.
//!
//! [`rs_conllu`] takes a line apart; this reader adds what a probe must be able to trust: file and
//! line in every error, and a tree that is one.
//!
//! | broken | error at |
//! |---|---|
//! | not ten columns, an unreadable column | that line |
//! | ids that do not run 1, 2, 3 … (ranges `2-3` and empty nodes `2.1` may stand between) | that line |
//! | a head that no word has, or none at all | that line |
//! | two roots | the second |
//! | no root, a cycle | a word on the cycle |
//!
//! Ranges give their words' spelling to the text; empty nodes belong to enhanced graphs and are left out.
//!
//! ```
//! use ko_probe::conllu::Reader;
//!
//! let text = "# text = 비가 온다.\n\
//!     1\t비가\t비+가\tNOUN\tNNG+JKS\t_\t2\tnsubj\t_\t_\n\
//!     2\t온다\t오+ㄴ다\tVERB\tVV+EF\t_\t0\troot\t_\tSpaceAfter=No\n\
//!     3\t.\t.\tPUNCT\tSF\t_\t2\tpunct\t_\t_\n";
//! let sentences = Reader::new("비.conllu", text.as_bytes()).collect::<Result<Vec<_>, _>>()?;
//! assert_eq!((sentences[0].eojeols(), sentences[0].depth()), (2, 2));
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::sentence::{Origin, Sentence, Word, on_one_line};
use ko_eval_core::{Error, Result};
use ko_eval_io::read::Lines;
use rs_conllu::{Token, TokenID, parse_token};
use std::{
    io::BufRead,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Sentences of a CoNLL-U file in order; ends at the first error.
#[derive(Debug)]
pub struct Reader {
    lines: Lines,
    path: Arc<Path>,
    sentences: usize,
    failed: bool,
}

/// What is known of a sentence while its lines are read.
#[derive(Default)]
struct SentenceSoFar {
    start: usize,
    id: Option<String>,
    text: Option<String>,
    words: Vec<Word>,
    /// The line of each word, and its head as written.
    places: Vec<(usize, usize)>,
    /// The last range, with its spelling and whether a space follows it.
    range: Option<RangeInclusive<usize>>,
    /// What the text looks like: (form, joined) of ranges and of words outside them.
    spelling: Vec<Word>,
}

impl Reader {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be opened.
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
        let mut draft = SentenceSoFar::default();
        loop {
            let line = self.lines.next().transpose()?;
            let number = self.lines.number();
            let line = match line.as_deref().map(str::trim_end) {
                // A block of comments alone is no sentence.
                None if draft.is_empty() => return Ok(None),
                Some("") if draft.is_empty() => {
                    draft = SentenceSoFar::default();
                    continue;
                }
                None | Some("") => break,
                Some(line) => line,
            };
            if draft.start == 0 {
                draft.start = number;
            }
            match line.strip_prefix('#') {
                Some(comment) => draft.comment(comment),
                None => {
                    let token =
                        columns(line).and_then(|()| parse_token(line).map_err(|e| e.to_string()));
                    token
                        .and_then(|token| draft.token(token, number))
                        .map_err(|reason| self.error(number, &draft, reason))?;
                }
            }
        }
        draft.check().map_err(|(line, reason)| self.error(line, &draft, reason))?;
        self.sentences += 1;
        let id = self.name(&draft, 0);
        let text = draft.text.unwrap_or_else(|| Sentence::text_of(&draft.spelling));
        let origin = Origin { path: self.path.clone(), line: draft.start, id };
        Ok(Some(Sentence { origin, text, words: draft.words }))
    }

    fn name(&self, draft: &SentenceSoFar, next: usize) -> String {
        draft.id.clone().unwrap_or_else(|| (self.sentences + next).to_string())
    }

    fn error(&self, line: usize, draft: &SentenceSoFar, reason: impl std::fmt::Display) -> Error {
        let reason = format!("sentence `{}`: {reason}", self.name(draft, 1));
        Error::BadLine { path: self.path.to_path_buf(), line, reason }
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

/// A sentence as CoNLL-U, with the empty line that ends it.
pub fn write(sentence: &Sentence) -> String {
    let mut out = format!("# sent_id = {}\n# text = {}\n", sentence.origin.id, sentence.text);
    for (id, word) in (1..).zip(&sentence.words) {
        let or_none = |column: &Option<String>| column.clone().unwrap_or_else(|| "_".into());
        let columns = [
            id.to_string(),
            word.form.clone(),
            or_none(&word.lemma),
            or_none(&word.upos),
            or_none(&word.xpos),
            word.mood.as_ref().map_or_else(|| "_".into(), |mood| format!("Mood={mood}")),
            word.head.map_or(0, |head| head + 1).to_string(),
            word.relation.clone(),
            "_".into(),
            if word.joined { "SpaceAfter=No" } else { "_" }.into(),
        ];
        out += &columns.join("\t");
        out.push('\n');
    }
    out + "\n"
}

fn columns(line: &str) -> Result<(), String> {
    match line.split('\t').count() {
        10 => Ok(()),
        n => Err(format!("{n} columns instead of 10 separated by tabs")),
    }
}

impl SentenceSoFar {
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.range.is_none()
    }

    fn comment(&mut self, comment: &str) {
        let Some((key, value)) = comment.split_once('=') else { return };
        let value = value.trim().to_owned();
        match key.trim() {
            "sent_id" => self.id = Some(value),
            "text" if !value.is_empty() => self.text = Some(on_one_line(&value)),
            _ => {}
        }
    }

    fn token(&mut self, token: Token, line: usize) -> Result<(), String> {
        let next = self.words.len() + 1;
        let misc = token.misc.as_deref().unwrap_or_default();
        let said = |key: &str| {
            let pair = |part: &'_ str| part.split_once('=').is_some_and(|(k, _)| k == key);
            let part = misc.split('|').find(|part| pair(part))?;
            part.split_once('=').map(|(_, value)| value.to_owned())
        };
        let joined = said("SpaceAfter").is_some_and(|value| value == "No");
        let id = match token.id {
            TokenID::Single(id) => id,
            TokenID::Empty(after, _) if after < next => return Ok(()),
            TokenID::Empty(after, _) => {
                return Err(format!("an empty node after word {after}, which is still to come"));
            }
            TokenID::Range(first, last) => {
                if first != next || last < first {
                    return Err(format!("the range {first}-{last} does not start at {next}"));
                }
                self.range = Some(first..=last);
                self.spelling.push(Word { form: token.form, joined, ..Word::empty() });
                return Ok(());
            }
        };
        if id != next {
            return Err(format!("id {id} where {next} is expected"));
        }
        let head = match token.head {
            Some(TokenID::Single(head)) => head,
            Some(_) => return Err("the head is not a word's id".into()),
            None => return Err("the head is missing".into()),
        };
        // Words inside a range are written together, and as the range says.
        let inside = self.range.as_ref().filter(|range| range.contains(&id));
        let joined = match inside {
            Some(range) => {
                let last = self.spelling.last().is_some_and(|word| word.joined);
                id != *range.end() || last
            }
            None => joined,
        };
        let word = Word {
            form: token.form,
            // As in the column itself, `_` is none.
            lemma: said("OrigLemma")
                .filter(|lemma| !lemma.is_empty() && lemma != "_")
                .or(token.lemma),
            upos: token.upos.map(|upos| upos.to_string()),
            xpos: token.xpos,
            mood: token.features.and_then(|mut features| features.remove("Mood")),
            head: head.checked_sub(1),
            relation: token.deprel.ok_or("the relation is missing")?,
            joined,
        };
        if inside.is_none() {
            self.spelling.push(Word { form: word.form.clone(), joined, ..Word::empty() });
        }
        self.words.push(word);
        self.places.push((line, head));
        Ok(())
    }

    /// One root, every head a word, no cycle.
    fn check(&self) -> Result<(), (usize, String)> {
        let len = self.words.len();
        if let Some(range) = self.range.as_ref().filter(|range| *range.end() > len) {
            let line = self.places.last().map_or(self.start, |(line, _)| *line);
            return Err((line, format!("the range up to {} goes beyond word {len}", range.end())));
        }
        let mut root = None;
        for (id, (line, head)) in (1..).zip(&self.places) {
            match (*head, root) {
                (0, Some(first)) => {
                    return Err((*line, format!("two roots: words {first} and {id}")));
                }
                (0, None) => root = Some(id),
                (head, _) if head > len => {
                    return Err((*line, format!("head {head}, but the last word is {len}")));
                }
                _ => {}
            }
        }
        // Words from which the root is reached; a walk that meets itself is a cycle.
        let mut reaches_root = vec![false; len];
        for (start, (line, _)) in self.places.iter().enumerate() {
            let mut path = vec![start];
            let mut at = start;
            while let Some(head) = self.words.get(at).and_then(|word| word.head) {
                if reaches_root.get(head).copied().unwrap_or(false) {
                    break;
                }
                if path.contains(&head) {
                    let ids: Vec<_> = path.iter().map(|i| (i + 1).to_string()).collect();
                    return Err((*line, format!("a cycle: {} → {}", ids.join(" → "), head + 1)));
                }
                path.push(head);
                at = head;
            }
            for i in path {
                if let Some(done) = reaches_root.get_mut(i) {
                    *done = true;
                }
            }
        }
        match root {
            Some(_) => Ok(()),
            None => Err((self.start, "no root".into())),
        }
    }
}

impl Word {
    /// A word of which only the spelling matters.
    fn empty() -> Self {
        Self {
            form: String::new(),
            lemma: None,
            upos: None,
            xpos: None,
            mood: None,
            head: None,
            relation: String::new(),
            joined: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<Vec<Sentence>> {
        Reader::new("t.conllu", std::io::Cursor::new(text.to_owned())).collect()
    }

    fn line(id: &str, head: &str) -> String {
        format!("{id}\t말\t말\tNOUN\tNNG\t_\t{head}\tdep\t_\t_\n")
    }

    #[test]
    fn a_lemma_that_is_none_is_none_wherever_it_stands() {
        for (misc, lemma) in
            [("OrigLemma=_", Some("말")), ("OrigLemma=", Some("말")), ("OrigLemma=마", Some("마"))]
        {
            let line = line("1", "0").replace("dep\t_\t_", &format!("root\t_\t{misc}"));
            let sentence = read(&line).unwrap().remove(0);
            assert_eq!(sentence.words[0].lemma.as_deref(), lemma, "{misc}");
            assert_eq!(read(&write(&sentence)).unwrap()[0].words, sentence.words);
        }
    }

    #[test]
    fn errors_name_sentence_and_line() {
        let cases = [
            (line("1", "2") + &line("2", "1"), 3, "a cycle: 1 → 2 → 1"),
            (line("1", "1"), 3, "a cycle: 1 → 1"),
            (line("1", "0") + &line("2", "3") + &line("3", "2"), 4, "a cycle: 2 → 3 → 2"),
            (line("1", "0") + &line("2", "0"), 4, "two roots: words 1 and 2"),
            (line("1", "0") + &line("3", "1"), 4, "id 3 where 2 is expected"),
            (line("1", "0") + "2\t말\t말\tNOUN\tNNG\t_\t1\tdep\t_\n", 4, "9 columns"),
            (line("1", "0") + "말\n", 4, "1 columns"),
            (line("1", "7"), 3, "head 7, but the last word is 1"),
            (line("1", "_"), 3, "the head is missing"),
            (line("1", "x"), 3, "integer"),
            (line("1-3", "_") + &line("1", "0"), 4, "goes beyond word 1"),
            (line("2-3", "_") + &line("1", "0"), 3, "does not start at 1"),
        ];
        for (text, line, reason) in cases {
            // An unbroken sentence first: one line and an empty one.
            let text = format!("{}\n{text}", self::line("1", "0"));
            let error = read(&text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("t.conllu:{line}: sentence `2`: ")), "{error}");
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn ends_after_an_error() {
        let mut reader =
            Reader::new("t", std::io::Cursor::new(line("1", "1") + "\n" + &line("1", "0")));
        assert!(reader.next().unwrap().is_err());
        assert!(reader.next().is_none());
    }

    #[test]
    fn ranges_and_empty_nodes() {
        let text = "# sent_id = 가\n# newpar\n1-2\t사과를\t_\t_\t_\t_\t_\t_\t_\t_\n\
            1\t사과\t사과\tNOUN\tNNG\t_\t3\tobj\t_\t_\n2\t를\t를\tADP\tJKO\t_\t1\tcase\t_\t_\n\
            2.1\t내가\t_\t_\t_\t_\t_\t_\t3:nsubj\t_\n\
            3\t먹어\t먹+어\tVERB\tVV+EF\tMood=Imp\t0\troot\t0:root\tSpaceAfter=No\n\
            4\t.\t.\tPUNCT\tSF\t_\t3\tpunct\t_\t_\n";
        let sentences = read(&text.replace('\n', "\r\n")).unwrap();
        assert_eq!(sentences.len(), 1);
        let sentence = &sentences[0];
        assert_eq!(sentence.text, "사과를 먹어.");
        assert_eq!(sentence.words.len(), 4);
        assert_eq!(sentence.origin.to_string(), "t.conllu:1: sentence `가`");
        assert_eq!(sentence.eojeol_numbers(), [0, 0, 1, 1]);
        assert_eq!(sentence.words[2].mood.as_deref(), Some("Imp"));
        assert_eq!(sentence.depth(), 3);
    }

    #[test]
    fn blocks_of_comments_and_blank_lines_are_no_sentences() {
        assert_eq!(read("\n\n# generator = x\n\n\n").unwrap().len(), 0);
        assert_eq!(read("").unwrap().len(), 0);
    }

    #[test]
    fn a_text_holds_no_tab() {
        let text = format!("# text = 말\t말\n{}", line("1", "0"));
        assert_eq!(read(&text).unwrap()[0].text, "말 말");
    }

    proptest! {
        #[test]
        fn an_error_names_a_line_that_is_there(
            text in "([0-9._-]{0,4}\t|말|\n|#|a=b\\||\t|[0-3](-[1-4])?\t말\t말\tX\tN\t_\t[0-3_]\tdep\t_\t_\n){0,40}"
        ) {
            match read(&text) {
                Ok(sentences) => prop_assert!(sentences.iter().all(|s| s.root().is_some())),
                Err(Error::BadLine { line, .. }) => {
                    prop_assert!((1..=text.lines().count()).contains(&line), "{line} of {text:?}");
                }
                Err(other) => prop_assert!(false, "{other}"),
            }
        }
    }
}
