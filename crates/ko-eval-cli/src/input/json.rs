//! JSON lines, and JSON documents as Hugging Face's tools write them: a segment per line, or lists of predictions and
//! references.

use super::{
    Segments,
    columns::{Columns, quoted, segment},
};
use ko_eval::{Error, OwnedSegment, Result, read::Lines};
use serde_json::{Map, Value};

/// The segments of JSON lines, a line at a time; a document over many lines is read whole.
pub(super) fn segments(mut lines: Lines, columns: Option<&Columns>) -> Segments {
    let columns = columns.cloned();
    // What a line held beyond its first segment.
    let mut waiting: std::vec::IntoIter<(usize, OwnedSegment)> = Vec::new().into_iter();
    let mut first = true;
    Box::new(std::iter::from_fn(move || {
        loop {
            if let Some(segment) = waiting.next() {
                return Some(Ok(segment));
            }
            let line = match lines.next()? {
                Ok(line) if line.trim().is_empty() => continue,
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            // The usual line, without a detour.
            if columns.is_none()
                && let Ok(segment) = serde_json::from_str(&line)
            {
                first = false;
                return Some(Ok((lines.number(), segment)));
            }
            let whole = std::mem::take(&mut first);
            match value(&mut lines, line, whole)
                .and_then(|value| read(&lines, value, columns.as_ref()))
            {
                Ok(found) => {
                    let number = lines.number();
                    let found: Vec<_> = found.into_iter().map(|found| (number, found)).collect();
                    waiting = found.into_iter();
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }))
}

/// The value of a line, or of the whole file if its first line is only the beginning of one.
fn value(lines: &mut Lines, line: String, may_go_on: bool) -> Result<Value> {
    let begin = lines.number();
    match serde_json::from_str(&line) {
        Ok(value) => Ok(value),
        Err(error) if error.is_eof() && may_go_on => {
            let mut text = line;
            while let Some(line) = lines.next().transpose()? {
                text.push('\n');
                text += &line;
            }
            serde_json::from_str(&text).map_err(|error| Error::BadLine {
                path: lines.path().to_owned(),
                line: begin + error.line().saturating_sub(1),
                reason: error.to_string(),
            })
        }
        Err(error) => Err(lines.error(error.to_string())),
    }
}

/// One segment, or those of a list or a batch.
fn read(lines: &Lines, value: Value, columns: Option<&Columns>) -> Result<Vec<OwnedSegment>> {
    match value {
        Value::Array(items) => {
            let mut all = Vec::with_capacity(items.len());
            for (place, item) in items.into_iter().enumerate() {
                let found = of_object(item, columns);
                let named = |reason| lines.error(format!("item {}: {reason}", place + 1));
                all.extend(found.map_err(named)?);
            }
            Ok(all)
        }
        value => of_object(value, columns).map_err(|reason| lines.error(reason)),
    }
}

fn of_object(
    value: Value,
    columns: Option<&Columns>,
) -> std::result::Result<Vec<OwnedSegment>, String> {
    let Value::Object(mut object) = value else {
        return Err("expected an object such as {\"hyp\": \"…\", \"refs\": [\"…\"]}".into());
    };
    let keys: Vec<String> = object.keys().cloned().collect();
    let columns = match columns {
        Some(told) => told.clone(),
        None => Columns::usual(&keys).ok_or_else(|| unnamed(&keys))?,
    };
    let hypothesis = take(&mut object, &columns.hypothesis)?;
    let mut references = Vec::new();
    for key in &columns.references {
        references.push((key.as_str(), take(&mut object, key)?));
    }
    let source = match &columns.source {
        Some(key) => Some((key.as_str(), take(&mut object, key)?)),
        None => None,
    };
    match hypothesis {
        Value::Array(hypotheses) => batch(&columns.hypothesis, hypotheses, references, source),
        hypothesis => {
            let hypothesis = text(&columns.hypothesis, hypothesis)?;
            let given = !references.is_empty();
            let mut all = Vec::new();
            for (key, value) in references {
                all.extend(texts(key, value)?);
            }
            if given && all.is_empty() {
                return Err(Error::NoReference.to_string());
            }
            let source = source.map(|(key, value)| text(key, value)).transpose()?;
            Ok(vec![segment(hypothesis, all, source).map_err(|error| error.to_string())?])
        }
    }
}

/// Lists of predictions, references (a text or several of each) and sources, of the same length.
fn batch(
    key: &str,
    hypotheses: Vec<Value>,
    references: Vec<(&str, Value)>,
    source: Option<(&str, Value)>,
) -> std::result::Result<Vec<OwnedSegment>, String> {
    let length = hypotheses.len();
    let list = |name: &str, value: Value| match value {
        Value::Array(list) if list.len() == length => Ok(list),
        Value::Array(list) => {
            Err(format!("`{key}` has {length} items, but `{name}` has {}", list.len()))
        }
        _ => Err(format!("`{key}` is a list, but `{name}` is none")),
    };
    let mut columns = Vec::new();
    for (name, value) in references {
        columns.push((name, list(name, value)?.into_iter()));
    }
    let mut sources = match source {
        Some((name, value)) => Some((name, list(name, value)?.into_iter())),
        None => None,
    };
    let mut all = Vec::with_capacity(length);
    for (place, hypothesis) in hypotheses.into_iter().enumerate() {
        let at = |reason: String| format!("item {}: {reason}", place + 1);
        let mut references = Vec::new();
        for (name, column) in &mut columns {
            let value = column.next().unwrap_or_default();
            references.extend(texts(name, value).map_err(at)?);
        }
        let source = match &mut sources {
            Some((name, column)) => {
                Some(text(name, column.next().unwrap_or_default()).map_err(at)?)
            }
            None => None,
        };
        let found = segment(text(key, hypothesis).map_err(at)?, references, source);
        all.push(found.map_err(|error| at(error.to_string()))?);
    }
    Ok(all)
}

fn take(object: &mut Map<String, Value>, key: &str) -> std::result::Result<Value, String> {
    let keys: Vec<String> = object.keys().cloned().collect();
    object.remove(key).ok_or_else(|| format!("no key `{key}` among {}", quoted(&keys)))
}

fn text(key: &str, value: Value) -> std::result::Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(format!("`{key}` is {}, expected a text", kind(&other))),
    }
}

/// A text, or a list of texts.
fn texts(key: &str, value: Value) -> std::result::Result<Vec<String>, String> {
    match value {
        Value::Array(list) => list.into_iter().map(|value| text(key, value)).collect(),
        value => Ok(vec![text(key, value)?]),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn unnamed(keys: &[String]) -> String {
    format!(
        "the keys {} have none of the usual names (hyp, refs, src; predictions, references); name them: --columns hyp=…,ref=…",
        quoted(keys)
    )
}
