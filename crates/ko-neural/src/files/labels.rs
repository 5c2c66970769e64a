//! The labels of a model that classifies, as `config.json` has them: `id2label`.
//!
//! A model with several sets of labels, of each of which a text has one, writes them one after the other as `SET=LABEL`; to other programs
//! they are the labels of one model.

use super::config::Settings;
use crate::error::Result;
use ko_eval_model::LabelSet;
use serde_json::{Map, Value, json};

/// The labels in the order of their numbers. A file without them has two, as transformers has it.
pub(crate) fn read(config: &Settings) -> Result<Vec<String>> {
    let bad = |reason: &str| config.bad(&["id2label"], reason);
    let Some(value) = config.get(&["id2label"]) else {
        return Ok(["LABEL_0", "LABEL_1"].map(str::to_owned).to_vec());
    };
    let map = value.as_object().ok_or_else(|| bad("expected labels by their numbers"))?;
    let label = |number: usize| {
        let text = map.get(&number.to_string()).and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| bad(&format!("no label of number {number}")))
    };
    let labels: Vec<String> = (0..map.len()).map(label).collect::<Result<_>>()?;
    let mut sorted: Vec<&String> = labels.iter().collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair.first() == pair.last()).and_then(<[_]>::first) {
        Some(twice) => Err(bad(&format!("the label `{twice}` is there twice"))),
        None => Ok(labels),
    }
}

/// What `config.json` says of labels.
pub(crate) fn write(labels: &[String], config: &mut Map<String, Value>) {
    let numbered = || labels.iter().enumerate();
    let by_number: Map<_, _> = numbered().map(|(n, label)| (n.to_string(), json!(label))).collect();
    let by_label: Map<_, _> = numbered().map(|(n, label)| (label.clone(), json!(n))).collect();
    config.insert("id2label".into(), by_number.into());
    config.insert("label2id".into(), by_label.into());
}

/// The sets that labels are of: by what stands before `=` if every label has that and no set is scattered, otherwise one.
pub(crate) fn sets(labels: &[String]) -> Vec<LabelSet> {
    let mut sets: Vec<LabelSet> = Vec::new();
    for label in labels {
        let Some((name, label)) = label.split_once('=') else { return one(labels) };
        let is_known = sets.iter().any(|set| set.name == name);
        match sets.last_mut() {
            Some(set) if set.name == name => set.labels.push(label.to_owned()),
            _ if is_known => return one(labels),
            _ => sets.push(LabelSet { name: name.to_owned(), labels: vec![label.to_owned()] }),
        }
    }
    sets
}

fn one(labels: &[String]) -> Vec<LabelSet> {
    vec![LabelSet { name: String::new(), labels: labels.to_vec() }]
}

/// The labels of sets, one set after the other.
pub(crate) fn joined(sets: &[LabelSet]) -> Vec<String> {
    let full = |set: &LabelSet, label: &String| match set.name.is_empty() {
        true => label.clone(),
        false => format!("{}={label}", set.name),
    };
    sets.iter().flat_map(|set| set.labels.iter().map(move |label| full(set, label))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(json: &str) -> Result<Vec<String>> {
        read(&Settings::parse("config.json".into(), json.as_bytes()).unwrap())
    }

    #[test]
    fn labels_are_read_by_number() {
        let many: Map<String, Value> =
            (0..12).map(|n| (n.to_string(), json!(format!("K{n}")))).collect();
        let read = labels(&json!({ "id2label": many }).to_string()).unwrap();
        assert_eq!((read[2].as_str(), read[10].as_str()), ("K2", "K10"));
        assert_eq!(labels("{}").unwrap(), ["LABEL_0", "LABEL_1"]);
        for (json, part) in [
            (r#"{"id2label": {"0": "O", "2": "B-PS"}}"#, "no label of number 1"),
            (r#"{"id2label": {"0": "O", "1": "O"}}"#, "`O` is there twice"),
            (r#"{"id2label": ["O"]}"#, "expected labels by their numbers"),
        ] {
            let error = labels(json).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn sets_come_back_as_written() {
        let set = |name: &str, labels: &[&str]| LabelSet {
            name: name.into(),
            labels: labels.iter().map(|label| (*label).into()).collect(),
        };
        for expected in [
            vec![set("bias", &["none", "gender"]), set("hate", &["none", "offensive", "hate"])],
            vec![set("", &["O", "B-PS"])],
        ] {
            assert_eq!(sets(&joined(&expected)), expected);
        }
        let scattered = ["a=1", "b=1", "a=2"].map(str::to_owned);
        assert_eq!(sets(&scattered), [set("", &["a=1", "b=1", "a=2"])]);
    }
}
