//! Okt (Open Korean Text 2.1.0): surfaces, neither normalised nor stemmed, as KoNLPy's `Okt().pos(text)` gives them.
//!
//! Tabs and line breaks inside a text are units of their own, as there. Spans are found by looking for the surfaces in
//! order.

use super::{
    analyzer::{Object, Tool},
    error::JvmError,
    machine,
};
use crate::{Morpheme, align::WordSearch, tag_set};
use jni::{Env, JValue, jni_sig, jni_str, objects::JObject, refs::Global};
use std::path::Path;

/// Open Korean Text 2.1.0.
pub static OKT: Tool = Tool {
    name: "okt",
    version: "2.1.0",
    form: "surface",
    tags: &tag_set::OKT,
    ntags: None,
    files: &[
        "bin/kr/lucypark/okt/OktInterface.class",
        "open-korean-text-2.1.0.jar",
        "scala-library-2.12.3.jar",
        "snakeyaml-1.12.jar",
        "twitter-text-1.14.7.jar",
    ],
    make,
    analyze,
    object: &OBJECT,
};

static OBJECT: Object = Object::new(None);

fn make(env: &mut Env<'_>, _: &Path) -> Result<Global<JObject<'static>>, JvmError> {
    let object = env.new_object(jni_str!("kr/lucypark/okt/OktInterface"), jni_sig!("()V"), &[])?;
    Ok(env.new_global_ref(object)?)
}

fn analyze(
    env: &mut Env<'_>,
    object: &JObject<'_>,
    text: &str,
) -> Result<Vec<Morpheme<'static>>, JvmError> {
    let sentence = env.new_string(text)?;
    let boolean = jni_str!("java/lang/Boolean");
    let signature = jni_sig!("(Z)Ljava/lang/Boolean;");
    let no =
        env.call_static_method(boolean, jni_str!("valueOf"), signature, &[JValue::Bool(false)])?;
    let no = no.l()?;
    let signature =
        jni_sig!("(Ljava/lang/String;Ljava/lang/Boolean;Ljava/lang/Boolean;)Ljava/util/List;");
    // Neither normalise nor stem.
    let arguments = [JValue::Object(&sentence), JValue::Object(&no), JValue::Object(&no)];
    let list = env.call_method(object, jni_str!("tokenize"), signature, &arguments)?.l()?;
    let mut words = WordSearch::new(text);
    let mut found = Vec::new();
    machine::for_each(env, &list, |env, token| {
        // 밥/Noun; a surface may hold a slash itself.
        let token = machine::text(env, token)?;
        let (form, tag) = token.rsplit_once('/').unwrap_or((&token, ""));
        found.push(Morpheme {
            span: words.next(form),
            form: form.to_owned().into(),
            tag: tag.to_owned().into(),
        });
        Ok(())
    })?;
    Ok(found)
}
