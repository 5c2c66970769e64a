//! `generation_config.json`: a model's marks, and how it writes unless told otherwise.

use super::{config::Settings, tokenizer::TextTokenizer};
use crate::error::{Error, Result};
use ko_eval_model::{Decoding, EarlyStopping, Search};
use serde_json::Value;
#[cfg(feature = "torch")]
use serde_json::json;
use std::path::Path;

/// The marks of a model that writes, as token numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    /// What ends a text, at least one.
    pub(crate) end: Vec<u32>,
    /// What a decoder with an encoder begins with.
    pub(crate) start: Option<u32>,
    pub(crate) padding: Option<u32>,
    /// The first token, and the last one of a text that would be too long.
    pub(crate) forced_first: Option<u32>,
    pub(crate) forced_last: Option<u32>,
}

impl Marks {
    /// `generation_config.json` of a model with these marks below an encoder, whose texts have at most so many tokens.
    #[cfg(feature = "torch")]
    pub(crate) fn generation(&self, longest: usize) -> Value {
        json!({
            "decoder_start_token_id": self.start,
            "eos_token_id": self.end,
            "pad_token_id": self.padding,
            "max_new_tokens": longest,
        })
    }

    /// Refuses marks by which a model of so many tokens cannot write: none that ends a text, none to begin with where an encoder reads, or one
    /// beyond its vocabulary.
    pub(crate) fn check(&self, folder: &Path, reads: bool, vocabulary: usize) -> Result<()> {
        if self.end.is_empty() {
            return Err(Error::NoEndToken { folder: folder.into() });
        }
        let all = self.end.iter().chain(&self.start).chain(&self.forced_first);
        if let Some(&id) = all.chain(&self.forced_last).find(|id| **id as usize >= vocabulary) {
            let (path, token) = (folder.join("generation_config.json"), "a mark".into());
            return Err(Error::VocabularyMismatch { path, token, id, rows: vocabulary });
        }
        if reads && self.start.is_none() {
            let config = Settings::open(folder, "config.json")?;
            return Err(config.bad(&["decoder_start_token_id"], "expected a token's number"));
        }
        Ok(())
    }
}

/// What would change what is written, and is not there; each with the number at which it does nothing, if there is one.
const UNKNOWN: &[(&str, Option<f64>)] = &[
    ("bad_words_ids", None),
    ("begin_suppress_tokens", None),
    ("constraints", None),
    ("diversity_penalty", Some(0.0)),
    ("dola_layers", None),
    ("encoder_no_repeat_ngram_size", Some(0.0)),
    ("encoder_repetition_penalty", Some(1.0)),
    ("epsilon_cutoff", Some(0.0)),
    ("eta_cutoff", Some(0.0)),
    ("exponential_decay_length_penalty", None),
    ("force_words_ids", None),
    ("forced_decoder_ids", None),
    ("guidance_scale", Some(1.0)),
    ("max_time", None),
    ("min_p", Some(0.0)),
    ("num_beam_groups", Some(1.0)),
    ("penalty_alpha", Some(0.0)),
    ("renormalize_logits", None),
    ("sequence_bias", None),
    ("stop_strings", None),
    ("suppress_tokens", None),
    ("token_healing", None),
    ("top_h", None),
    ("typical_p", Some(1.0)),
    ("watermarking_config", None),
];

/// What a folder says of how its model writes: `generation_config.json`, or `config.json` without one. `new_from` is how many tokens a
/// decoder begins with that count as written there.
fn read(folder: &Path, new_from: usize) -> Result<(Marks, Decoding)> {
    let config = Settings::open(folder, "config.json")?;
    let own = Settings::open_or_empty(folder, "generation_config.json")?;
    of(&config, &own, new_from)
}

/// The same of a model with so many tokens, which reads by an encoder or continues: its marks are checked, and the tokenizer may name the one that
/// ends a text.
pub(crate) fn of_model(
    folder: &Path,
    tokenizer: &TextTokenizer,
    reads: bool,
    vocabulary: usize,
) -> Result<(Marks, Decoding)> {
    // Where an encoder reads, what starts a text was written there.
    let (mut marks, decoding) = read(folder, usize::from(reads))?;
    if marks.end.is_empty() {
        let config = Settings::open_or_empty(folder, "tokenizer_config.json")?;
        marks.end.extend(config.text(&["eos_token"]).and_then(|token| tokenizer.id(token)));
    }
    marks.check(folder, reads, vocabulary)?;
    Ok((marks, decoding))
}

/// What these two files say.
pub(crate) fn of(config: &Settings, own: &Settings, new_from: usize) -> Result<(Marks, Decoding)> {
    let file = if own.json().is_null() { config } else { own };
    if let Some((key, _)) = UNKNOWN.iter().find(|(key, off)| is_active(file, key, *off)) {
        let reason = "this setting is not known here; without it the model writes other texts";
        return Err(file.bad(&[key], reason));
    }
    // Marks that are no choice are looked for in both.
    let mark = |key: &str| -> Result<Option<u32>> {
        let both = [file, config].into_iter().find(|file| file.get(&[key]).is_some());
        both.and_then(|file| Some((file, file.get(&[key])?)))
            .map(|(file, value)| {
                number(value).ok_or_else(|| file.bad(&[key], "expected a token's number"))
            })
            .transpose()
    };
    let chosen = |key: &str| -> Result<Option<u32>> {
        let value = file.get(&[key]).map(|value| {
            number(value).ok_or_else(|| file.bad(&[key], "expected a token's number"))
        });
        value.transpose()
    };
    let end =
        [file, config].into_iter().find_map(|file| Some((file, file.get(&["eos_token_id"])?)));
    let end = match end {
        None => Vec::new(),
        Some((file, Value::Array(all))) => all
            .iter()
            .map(|value| {
                number(value).ok_or_else(|| file.bad(&["eos_token_id"], "expected tokens' numbers"))
            })
            .collect::<Result<_>>()?,
        Some(_) => mark("eos_token_id")?.into_iter().collect(),
    };
    let start = match mark("decoder_start_token_id")? {
        Some(start) => Some(start),
        None => mark("bos_token_id")?,
    };
    let marks = Marks {
        end,
        start,
        padding: mark("pad_token_id")?,
        forced_first: chosen("forced_bos_token_id")?,
        forced_last: chosen("forced_eos_token_id")?,
    };
    Ok((marks, decoding(file, new_from)?))
}

/// Whether a setting is there and does something.
fn is_active(file: &Settings, key: &str, off: Option<f64>) -> bool {
    file.get(&[key]).is_some_and(|value| match value {
        Value::Array(list) => !list.is_empty(),
        Value::Number(number) => off.is_none() || number.as_f64() != off,
        Value::Bool(yes) => *yes,
        _ => true,
    })
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}

fn decoding(file: &Settings, new_from: usize) -> Result<Decoding> {
    let whole = |key: &str, default: usize| -> Result<usize> {
        let Some(value) = file.get(&[key]) else { return Ok(default) };
        let value = value.as_u64().and_then(|value| usize::try_from(value).ok());
        value.ok_or_else(|| file.bad(&[key], "expected a whole number"))
    };
    let real = |key: &str, default: f64| -> Result<f64> {
        let value = file.get(&[key]).map_or(Some(default), Value::as_f64);
        value.ok_or_else(|| file.bad(&[key], "expected a number"))
    };
    let beams = whole("num_beams", 1)?.max(1);
    let sampled = file.yes(&["do_sample"], false);
    let search = match (beams, sampled) {
        (2.., true) => {
            return Err(file.bad(&["do_sample"], "beams that are drawn are not known here"));
        }
        (_, true) => Search::Sample {
            temperature: real("temperature", 1.0)?,
            top_k: whole("top_k", 50)?,
            top_p: real("top_p", 1.0)?,
            seed: 1,
        },
        (1, false) => Search::Greedy,
        (beams, false) => Search::Beam {
            beams,
            length_penalty: real("length_penalty", 1.0)?,
            early_stopping: match file.get(&["early_stopping"]) {
                Some(Value::Bool(true)) => EarlyStopping::Full,
                Some(Value::String(word)) if word == "never" => EarlyStopping::Never,
                None | Some(Value::Bool(false)) => EarlyStopping::Heuristic,
                Some(_) => {
                    return Err(file.bad(&["early_stopping"], "expected true, false or \"never\""));
                }
            },
        },
    };
    let length = |new: &str, all: &str, default: usize| -> Result<usize> {
        match file.get(&[new]) {
            Some(_) => whole(new, default),
            None if file.get(&[all]).is_some() => {
                Ok(whole(all, default)?.saturating_sub(new_from).max(usize::from(default > 0)))
            }
            None => Ok(default),
        }
    };
    Ok(Decoding {
        search,
        min_tokens: length("min_new_tokens", "min_length", 0)?,
        max_tokens: length("max_new_tokens", "max_length", 20)?,
        no_repeat_ngram: whole("no_repeat_ngram_size", 0)?,
        repetition_penalty: real("repetition_penalty", 1.0)?,
        first_token: None,
        candidates: whole("num_return_sequences", 1)?.max(1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(config: &str, generation: Option<&str>) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config.json"), config).unwrap();
        if let Some(text) = generation {
            std::fs::write(folder.path().join("generation_config.json"), text).unwrap();
        }
        folder
    }

    #[test]
    fn settings_and_marks_are_read() {
        let file = r#"{"eos_token_id": [1, 2], "decoder_start_token_id": 0, "num_beams": 4, "max_length": 31, "min_length": 6,
            "early_stopping": true, "length_penalty": 2.0, "no_repeat_ngram_size": 3, "forced_eos_token_id": 1}"#;
        let (marks, decoding) =
            read(folder(r#"{"pad_token_id": 3}"#, Some(file)).path(), 1).unwrap();
        assert_eq!((marks.end, marks.start, marks.padding), (vec![1, 2], Some(0), Some(3)));
        assert_eq!((marks.forced_first, marks.forced_last), (None, Some(1)));
        assert_eq!(
            (decoding.min_tokens, decoding.max_tokens, decoding.no_repeat_ngram),
            (5, 30, 3)
        );
        let early_stopping = EarlyStopping::Full;
        assert_eq!(decoding.search, Search::Beam { beams: 4, length_penalty: 2.0, early_stopping });
        // Without the file, the configuration has them.
        let (marks, decoding) = read(folder(r#"{"eos_token_id": 7}"#, None).path(), 0).unwrap();
        assert_eq!((marks.end, decoding), (vec![7], Decoding::greedy(20)));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for (text, key) in [
            (r#"{"bad_words_ids": [[3]]}"#, "bad_words_ids"),
            (r#"{"encoder_repetition_penalty": 1.5}"#, "encoder_repetition_penalty"),
            (r#"{"eos_token_id": "end"}"#, "eos_token_id"),
            (r#"{"num_beams": 3, "do_sample": true}"#, "do_sample"),
            (r#"{"max_length": -3}"#, "max_length"),
            (r#"{"num_beam_groups": 2}"#, "num_beam_groups"),
            (r#"{"diversity_penalty": 1.0}"#, "diversity_penalty"),
            (r#"{"typical_p": 0.9}"#, "typical_p"),
            (r#"{"epsilon_cutoff": 0.1}"#, "epsilon_cutoff"),
            (r#"{"eta_cutoff": 0.1}"#, "eta_cutoff"),
            (r#"{"top_h": 0.4}"#, "top_h"),
            (r#"{"stop_strings": "."}"#, "stop_strings"),
            (r#"{"max_time": 1}"#, "max_time"),
            (r#"{"renormalize_logits": true}"#, "renormalize_logits"),
            (r#"{"watermarking_config": {"bias": 2.0}}"#, "watermarking_config"),
            (r#"{"dola_layers": "high"}"#, "dola_layers"),
            (r#"{"penalty_alpha": 1.0}"#, "penalty_alpha"),
        ] {
            let error = read(folder("{}", Some(text)).path(), 1).unwrap_err();
            assert!(
                matches!(&error, Error::BadConfig { key: found, .. } if found == key),
                "{error}"
            );
        }
        let silent = r#"{"bad_words_ids": null, "guidance_scale": 1.0, "encoder_no_repeat_ngram_size": 0, "num_beam_groups": 1,
            "diversity_penalty": 0.0, "typical_p": 1.0, "epsilon_cutoff": 0.0, "eta_cutoff": 0.0, "penalty_alpha": 0, "max_time": null,
            "renormalize_logits": false}"#;
        read(folder("{}", Some(silent)).path(), 1).unwrap();
    }

    #[test]
    fn marks_by_which_nothing_can_be_written_are_refused() {
        let folder = folder("{}", None);
        let (marks, _) = read(folder.path(), 1).unwrap();
        let error = marks.check(folder.path(), true, 9).unwrap_err();
        assert!(matches!(error, Error::NoEndToken { .. }), "{error}");
        let marks = Marks { end: vec![2], ..marks };
        marks.check(folder.path(), false, 3).unwrap();
        let error = marks.check(folder.path(), false, 2).unwrap_err();
        assert!(matches!(error, Error::VocabularyMismatch { id: 2, rows: 2, .. }), "{error}");
        let error = marks.check(folder.path(), true, 3).unwrap_err();
        assert!(
            matches!(&error, Error::BadConfig { key, .. } if key == "decoder_start_token_id"),
            "{error}"
        );
    }
}
