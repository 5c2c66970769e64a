//! Komoran 3.0: restored morphemes, by a hidden Markov model over jamo. Words may hold spaces: 버스 정류장/NNP.
//!
//! As KoNLPy does, a text is analysed line by line. Spans are Komoran's own.

use super::{
    analyzer::{Object, Tool},
    error::JvmError,
    machine,
};
use crate::{Morpheme, tag_set, utf16::Utf16Offsets};
use jni::{Env, JValue, jni_sig, jni_str, objects::JObject, refs::Global};
use std::path::Path;

/// Komoran 3.0.
pub static KOMORAN: Tool = Tool {
    name: "komoran",
    version: "3.0",
    form: "restored",
    tags: &tag_set::KOMORAN,
    ntags: None,
    files: &[
        "aho-corasick.jar",
        "komoran-3.0.jar",
        "shineware-common-1.0.jar",
        "shineware-ds-1.0.jar",
        "data/models/irregular.model",
        "data/models/observation.model",
        "data/models/pos.table",
        "data/models/transition.model",
    ],
    make,
    analyze,
    object: &OBJECT,
};

static OBJECT: Object = Object::new(None);

fn make(env: &mut Env<'_>, folder: &Path) -> Result<Global<JObject<'static>>, JvmError> {
    let models = env.new_string(folder.join("data").join("models").to_string_lossy())?;
    let class = jni_str!("kr/co/shineware/nlp/komoran/core/Komoran");
    let object =
        env.new_object(class, jni_sig!("(Ljava/lang/String;)V"), &[JValue::Object(&models)])?;
    Ok(env.new_global_ref(object)?)
}

fn analyze(
    env: &mut Env<'_>,
    object: &JObject<'_>,
    text: &str,
) -> Result<Vec<Morpheme<'static>>, JvmError> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        // Komoran throws at a blank line.
        if !line.trim().is_empty() {
            analyze_line(env, object, line, at, &mut found)?;
        }
        at += line.len() + 1;
    }
    Ok(found)
}

fn analyze_line(
    env: &mut Env<'_>,
    object: &JObject<'_>,
    line: &str,
    at: usize,
    found: &mut Vec<Morpheme<'static>>,
) -> Result<(), JvmError> {
    let offsets = Utf16Offsets::new(line);
    let line = env.new_string(line)?;
    let signature =
        jni_sig!("(Ljava/lang/String;)Lkr/co/shineware/nlp/komoran/model/KomoranResult;");
    let arguments = [JValue::Object(&line)];
    let result = env.call_method(object, jni_str!("analyze"), signature, &arguments)?.l()?;
    let signature = jni_sig!("()Ljava/util/List;");
    let list = env.call_method(&result, jni_str!("getTokenList"), signature, &[])?.l()?;
    machine::for_each(env, &list, |env, token| {
        let begin = machine::get_number(env, &token, jni_str!("getBeginIndex"))?;
        let end = machine::get_number(env, &token, jni_str!("getEndIndex"))?;
        let span = offsets.bytes(begin, end.saturating_sub(begin));
        found.push(Morpheme {
            form: machine::get_text(env, &token, jni_str!("getMorph"))?.into(),
            tag: machine::get_text(env, &token, jni_str!("getPos"))?.into(),
            span: at + span.start..at + span.end,
        });
        Ok(())
    })
}
