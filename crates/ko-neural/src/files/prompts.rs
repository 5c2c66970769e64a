//! `config_sentence_transformers.json`: the prompts that a model was trained with, by name, and the one to take unless told otherwise.

use super::config::Settings;
use crate::{
    Prompt,
    error::{Error, Result},
};
use serde_json::Value;
use std::{collections::BTreeMap, path::PathBuf};

/// What such a file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Prompts {
    path: PathBuf,
    texts: BTreeMap<String, String>,
    default: Option<String>,
}

/// The file's name.
pub(crate) const NAME: &str = "config_sentence_transformers.json";

impl Prompts {
    pub(crate) fn of(file: &Settings) -> Result<Self> {
        let mut texts = BTreeMap::new();
        if let Some(prompts) = file.get(&["prompts"]) {
            let bad = || file.bad(&["prompts"], "expected texts by their names");
            for (name, text) in prompts.as_object().ok_or_else(bad)? {
                let text = match text {
                    Value::String(text) => text.clone(),
                    Value::Null => String::new(),
                    _ => return Err(bad()),
                };
                texts.insert(name.clone(), text);
            }
        }
        let default = file.text(&["default_prompt_name"]).map(str::to_owned);
        let prompts = Self { path: file.path().into(), texts, default };
        // A default that is not there is found where the model is opened, not where a text is.
        prompts.text(&Prompt::AsTheFolderSays)?;
        Ok(prompts)
    }

    /// The text that is meant; empty for none.
    pub(crate) fn text<'p>(&'p self, prompt: &'p Prompt) -> Result<&'p str> {
        let name = match prompt {
            Prompt::None => return Ok(""),
            Prompt::Text(text) => return Ok(text),
            Prompt::Named(name) => name,
            Prompt::AsTheFolderSays => match &self.default {
                Some(name) => name,
                None => return Ok(""),
            },
        };
        self.texts.get(name).map(String::as_str).ok_or_else(|| {
            let known: Vec<&str> = self.texts.keys().map(String::as_str).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            Error::bad(&self.path, format!("no prompt `{name}`; known: {known}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Prompts> {
        Prompts::of(&Settings::parse(NAME.into(), json.as_bytes())?)
    }

    #[test]
    fn a_prompt_is_found_by_its_name() {
        let prompts = read(
            r#"{"prompts": {"query": "query: ", "document": null}, "default_prompt_name": "query"}"#,
        )
        .unwrap();
        let text = |prompt: Prompt| prompts.text(&prompt).map(str::to_owned);
        assert_eq!(text(Prompt::AsTheFolderSays).unwrap(), "query: ");
        assert_eq!(text(Prompt::Named("document".into())).unwrap(), "");
        assert_eq!(text(Prompt::None).unwrap(), "");
        assert_eq!(text(Prompt::Text("문장: ".into())).unwrap(), "문장: ");
        let error = text(Prompt::Named("passage".into())).unwrap_err().to_string();
        assert!(error.contains("no prompt `passage`; known: document, query"), "{error}");
        assert_eq!(read("{}").unwrap().text(&Prompt::AsTheFolderSays).unwrap(), "");
    }

    #[test]
    fn what_is_no_prompt_is_refused() {
        for json in [
            r#"{"prompts": ["query"]}"#,
            r#"{"prompts": {"query": 1}}"#,
            r#"{"default_prompt_name": "query"}"#,
        ] {
            let error = read(json).unwrap_err().to_string();
            assert!(error.contains(NAME), "{json}: {error}");
        }
    }
}
