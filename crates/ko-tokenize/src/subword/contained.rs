//! A `tokenizers::Tokenizer` from a file, whose panics are errors.
//!
//! The crate trusts its files: a template that names a special token which is not there, or a compiled map that was cut short, is a panic when
//! the first text is cut. What is known is looked for before a file is handed over; what is left is caught here, and nowhere else.
//! A tokenizer that panicked once may be half changed, so it is never asked again.

use serde_json::Value;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tokenizers::Tokenizer;

/// A tokenizer that can fail, but not panic.
#[derive(Debug, Clone)]
pub struct Contained {
    tokenizer: Tokenizer,
    broken: Arc<AtomicBool>,
}

impl Contained {
    /// Reads a `tokenizer.json`; its padding and truncation, which somebody may have frozen for batches of their own, are taken off.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let json: Value = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
        if let Some(processor) = json.get("post_processor") {
            check_processor(processor)?;
        }
        let read = || {
            let mut tokenizer = Tokenizer::from_bytes(bytes)?;
            tokenizer.with_padding(None);
            tokenizer.with_truncation(None)?;
            Ok(tokenizer)
        };
        let tokenizer = contain(read)?;
        Ok(Self { tokenizer, broken: Arc::default() })
    }

    /// Has the tokenizer do something.
    ///
    /// # Errors
    /// The tokenizer's own, or that it panicked, now or before.
    pub fn run<T>(
        &self,
        work: impl FnOnce(&Tokenizer) -> tokenizers::Result<T>,
    ) -> Result<T, String> {
        if self.broken.load(Ordering::Relaxed) {
            return Err("the tokenizer failed before and is not used again".into());
        }
        let mut panicked = true;
        let result = contain(|| {
            let result = work(&self.tokenizer);
            panicked = false;
            result
        });
        if panicked {
            self.broken.store(true, Ordering::Relaxed);
        }
        result
    }

    /// The tokenizer, for questions about its settings; texts are cut by [`Contained::run`].
    pub fn settings(&self) -> &Tokenizer {
        &self.tokenizer
    }
}

/// The one place where a panic is caught.
fn contain<T>(work: impl FnOnce() -> tokenizers::Result<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            Err(format!("its own steps fail: {}", text.unwrap_or("for no stated reason")))
        }
    }
}

/// Whether templates name only what is there.
fn check_processor(processor: &Value) -> Result<(), String> {
    if let Some(Value::Array(inner)) = processor.get("processors") {
        return inner.iter().try_for_each(check_processor);
    }
    if processor.get("type").and_then(Value::as_str) != Some("TemplateProcessing") {
        return Ok(());
    }
    let known = processor.get("special_tokens");
    for template in ["single", "pair"] {
        for piece in processor.get(template).and_then(Value::as_array).into_iter().flatten() {
            let id = |kind: &str| piece.get(kind)?.get("id")?.as_str();
            if let Some(token) = id("SpecialToken") {
                let entry = known.and_then(|tokens| tokens.get(token));
                let entry = entry.ok_or_else(|| {
                    format!("the template `{template}` names `{token}`, which is no special token")
                })?;
                let count = |key: &str| entry.get(key).and_then(Value::as_array).map(Vec::len);
                if count("ids") != count("tokens") {
                    return Err(format!(
                        "the special token `{token}` has not as many tokens as numbers"
                    ));
                }
            }
            if template == "single" && id("Sequence") == Some("B") {
                return Err("the template of a single text names a second one".into());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_template(single: &str, special: &str) -> Vec<u8> {
        format!(
            r#"{{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":null,"pre_tokenizer":null,
            "post_processor":{{"type":"Sequence","processors":[{{"type":"TemplateProcessing","single":{single},"pair":[],"special_tokens":{special}}}]}},
            "decoder":null,"model":{{"type":"WordLevel","vocab":{{"가":0,"[CLS]":1}},"unk_token":"가"}}}}"#
        )
        .into_bytes()
    }

    #[test]
    fn templates_name_what_is_there() {
        let cls =
            r#"[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}}]"#;
        let known = r#"{"[CLS]":{"id":"[CLS]","ids":[1],"tokens":["[CLS]"]}}"#;
        let whole = Contained::from_bytes(&with_template(cls, known)).unwrap();
        assert_eq!(whole.run(|t| Ok(t.encode("가", true)?.get_ids().to_vec())), Ok(vec![1, 0]));
        let second = r#"[{"Sequence":{"id":"B","type_id":0}}]"#;
        let uneven = r#"{"[CLS]":{"id":"[CLS]","ids":[1,1],"tokens":["[CLS]"]}}"#;
        for (single, special, reason) in [
            (cls, "{}", "names `[CLS]`, which is no special token"),
            (second, known, "names a second one"),
            (cls, uneven, "not as many tokens as numbers"),
        ] {
            let error = Contained::from_bytes(&with_template(single, special)).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn what_panicked_is_not_asked_again() {
        let tokenizer = Contained::from_bytes(&with_template("[]", "{}")).unwrap();
        let twin = tokenizer.clone();
        assert!(tokenizer.run(|t| Ok(t.get_vocab_size(true))).is_ok());
        let error = tokenizer.run(|_| -> tokenizers::Result<()> { panic!("on purpose") });
        assert_eq!(error.unwrap_err(), "its own steps fail: on purpose");
        assert!(twin.run(|t| Ok(t.get_vocab_size(true))).unwrap_err().contains("failed before"));
    }
}
