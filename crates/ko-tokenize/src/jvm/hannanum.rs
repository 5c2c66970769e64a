//! Hannanum 0.8.4: restored morphemes with nine tags, as KoNLPy's `Hannanum().pos(text)` gives them, or with twenty-two (`ntags=22`).
//!
//! The two are not one analysis with coarse and fine tags: of nine, endings are one morpheme (었다/E), of twenty-two they are several (었/EP · 다/EF).
//!
//! Hannanum answers in one text: a paragraph per word, the word first, then its morphemes (`먹/P+었다/E`). KoNLPy reads it
//! by a regular expression that stumbles over slashes in the text (`Marat/Sade` has the tag `Sade`); here it is read in the
//! same way, so that the units are the same. Spans are found by looking for the words in order.
//!
//! Where Hannanum fails (it holds some 1,000 readings of a word, and 10,000 of a text), KoNLPy returns no units; here it is
//! an error.

use super::{
    analyzer::{Object, Tool},
    error::JvmError,
    machine,
};
use crate::{
    Morpheme,
    align::{WordSearch, in_word},
    tag_set,
};
use jni::{Env, JValue, jni_sig, jni_str, objects::JObject, refs::Global, strings::JNIStr};
use std::path::Path;

/// Hannanum 0.8.4.
pub static HANNANUM: Tool = Tool {
    name: "hannanum",
    version: "0.8.4",
    form: "restored",
    tags: &tag_set::HANNANUM,
    ntags: None,
    files: FILES,
    make,
    analyze: |env, object, text| analyze(env, object, jni_str!("simplePos09"), text),
    object: &OBJECT,
};

/// The same with twenty-two tags.
pub static HANNANUM_22: Tool = Tool {
    name: "hannanum",
    version: "0.8.4",
    form: "restored",
    tags: &tag_set::HANNANUM_22,
    ntags: Some(22),
    files: FILES,
    make,
    analyze: |env, object, text| analyze(env, object, jni_str!("simplePos22"), text),
    // One object answers both.
    object: &OBJECT,
};

static OBJECT: Object = Object::new(None);

const FILES: &[&str] = &[
    "bin/kr/lucypark/jhannanum/comm/HannanumInterface.class",
    "bin/kr/lucypark/jhannanum/hannanum/WorkflowFactory.class",
    "jhannanum-0.8.4.jar",
    "conf/plugin/MajorPlugin/MorphAnalyzer/ChartMorphAnalyzer.json",
    "conf/plugin/MajorPlugin/PosTagger/HmmPosTagger.json",
    "data/kE/connections.txt",
    "data/kE/connections_not.txt",
    "data/kE/dic_analyzed.txt",
    "data/kE/dic_system.txt",
    "data/kE/dic_user.txt",
    "data/kE/tag_set.txt",
    "data/stat/PTT.pos",
    "data/stat/PTT.wp",
    "data/stat/PWT.pos",
];

fn make(env: &mut Env<'_>, _: &Path) -> Result<Global<JObject<'static>>, JvmError> {
    let class = jni_str!("kr/lucypark/jhannanum/comm/HannanumInterface");
    let object = env.new_object(class, jni_sig!("()V"), &[])?;
    Ok(env.new_global_ref(object)?)
}

fn analyze(
    env: &mut Env<'_>,
    object: &JObject<'_>,
    method: &JNIStr,
    text: &str,
) -> Result<Vec<Morpheme<'static>>, JvmError> {
    let sentence = env.new_string(text)?;
    let signature = jni_sig!("(Ljava/lang/String;)Ljava/lang/String;");
    let arguments = [JValue::Object(&sentence)];
    let answer = env.call_method(object, method, signature, &arguments)?.l()?;
    if answer.is_null() {
        // It has caught its exception itself, and written it to standard error.
        return Err(JvmError::Refused { tool: "Hannanum", bytes: text.len() });
    }
    Ok(read(&machine::text(env, answer)?, text))
}

/// The morphemes of an answer.
fn read(answer: &str, text: &str) -> Vec<Morpheme<'static>> {
    let mut found = Vec::new();
    let mut words = WordSearch::new(text);
    let mut word = None;
    for line in answer.trim().split(is_line_break) {
        let line = line.trim();
        if line.is_empty() {
            word = None;
        } else if let Some(word) = &word {
            let tagged = morphemes(line);
            let spans =
                in_word(text, std::ops::Range::clone(word), tagged.iter().map(|(form, _)| *form));
            found.extend(tagged.iter().zip(spans).map(|((form, tag), span)| Morpheme {
                form: (*form).to_owned().into(),
                tag: (*tag).to_owned().into(),
                span,
            }));
        } else {
            word = Some(words.next(line));
        }
    }
    found
}

/// What Python's `splitlines` splits at.
fn is_line_break(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// What KoNLPy's `(.+?\/\w+)\+?` finds in a line, each cut at its last slash.
fn morphemes(line: &str) -> Vec<(&str, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = line;
    loop {
        // A slash that something stands before and a letter after.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let tag = rest.match_indices('/').map(|(at, _)| at).find(|at| {
            *at >= first && rest.get(at + 1..).is_some_and(|tail| tail.starts_with(is_word))
        });
        let Some((form, tag)) = tag.and_then(|at| Some((rest.get(..at)?, rest.get(at + 1..)?)))
        else {
            return found;
        };
        let length = tag.find(|c| !is_word(c)).unwrap_or(tag.len());
        let (tag, tail) = tag.split_at(length);
        found.push((form, tag));
        rest = tail.strip_prefix('+').unwrap_or(tail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_as_konlpy_reads_it() {
        assert_eq!(morphemes("먹/P+었다/E+./S"), [("먹", "P"), ("었다", "E"), (".", "S")]);
        assert_eq!(morphemes("//S"), [("/", "S")]);
        assert_eq!(morphemes("+/N"), [("+", "N")]);
        assert_eq!(
            morphemes("사드(Marat/Sade)/N+에서/J"),
            [("사드(Marat", "Sade"), (")", "N"), ("에서", "J")]
        );
        assert_eq!(morphemes("a/b+c/d/F"), [("a", "b"), ("c", "d"), ("", "")].split_at(2).0);
        assert_eq!(morphemes("밥"), []);
        assert_eq!(morphemes(""), []);
    }

    #[test]
    fn words_and_their_morphemes_get_their_places() {
        let text = "밥을 먹었다.";
        let answer = "밥을\n\t밥/N+을/J\n\n먹었다.\n\t먹/P+었다/E+./S\n\n";
        let found = read(answer, text);
        let places: Vec<_> = found.iter().map(|f| (&*f.form, &text[f.span.clone()])).collect();
        assert_eq!(
            places,
            [("밥", "밥"), ("을", "을"), ("먹", "먹"), ("었다", "었다"), (".", ".")]
        );
    }
}
