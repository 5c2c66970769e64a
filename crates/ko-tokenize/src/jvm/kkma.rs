//! Kkma 2.0: restored morphemes, as KoNLPy's `Kkma().pos(text)` gives them.
//!
//! Kkma tries every way to cut a word, and needs time and memory accordingly: a text with over [`LONGEST_WORD`] syllables
//! without anything between them is refused. Where every syllable may be a word of its own, even fewer take it very long
//! (가 20 times: seconds; 30 times: minutes and more), here as there. Spans are found by looking for the words in order.

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
use jni::{Env, JValue, jni_sig, jni_str, objects::JObject, refs::Global};
use std::path::Path;

/// The longest run of Hangul syllables that Kkma is given.
pub const LONGEST_WORD: usize = 200;

/// Kkma 2.0.
pub static KKMA: Tool = Tool {
    name: "kkma",
    version: "2.0",
    form: "restored",
    tags: &tag_set::KKMA,
    ntags: None,
    files: &["bin/kr/lucypark/kkma/KkmaInterface.class", "kkma-2.0.jar"],
    make,
    analyze,
    object: &OBJECT,
};

static OBJECT: Object = Object::new(None);

fn make(env: &mut Env<'_>, _: &Path) -> Result<Global<JObject<'static>>, JvmError> {
    let object =
        env.new_object(jni_str!("kr/lucypark/kkma/KkmaInterface"), jni_sig!("()V"), &[])?;
    Ok(env.new_global_ref(object)?)
}

fn analyze(
    env: &mut Env<'_>,
    object: &JObject<'_>,
    text: &str,
) -> Result<Vec<Morpheme<'static>>, JvmError> {
    let words = text.split(|c| !matches!(c, '가'..='힣'));
    let longest = words.map(|word| word.chars().count()).max().unwrap_or(0);
    if longest > LONGEST_WORD {
        return Err(JvmError::LongWord { tool: "Kkma", syllables: longest, limit: LONGEST_WORD });
    }
    let sentence = env.new_string(text)?;
    let signature = jni_sig!("(Ljava/lang/String;)Ljava/util/List;");
    let arguments = [JValue::Object(&sentence)];
    let sentences =
        env.call_method(object, jni_str!("morphAnalyzer"), signature, &arguments)?.l()?;
    let mut words = WordSearch::new(text);
    let mut found = Vec::new();
    machine::for_each(env, &sentences, |env, sentence| {
        machine::for_each(env, &sentence, |env, word| {
            let place = words.next(&machine::get_text(env, &word, jni_str!("getExp"))?);
            let mut tagged = Vec::new();
            machine::for_each(env, &word, |env, morpheme| {
                let form = machine::get_text(env, &morpheme, jni_str!("getString"))?;
                tagged.push((form, machine::get_text(env, &morpheme, jni_str!("getTag"))?));
                Ok(())
            })?;
            let spans = in_word(text, place, tagged.iter().map(|(form, _)| form.as_str()));
            let morphemes = tagged.into_iter().zip(spans);
            found.extend(morphemes.map(|((form, tag), span)| Morpheme {
                form: form.into(),
                tag: tag.into(),
                span,
            }));
            Ok(())
        })
    })?;
    Ok(found)
}
