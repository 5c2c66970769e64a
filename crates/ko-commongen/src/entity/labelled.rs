//! Sentences whose entities are known: inline (`<민수:PS>가 왔다.`), and in the form of KLUE-NER.

use super::Entity;
use crate::Error;
use ko_eval_core::Result;
use ko_eval_io::read::Lines;
use std::{path::Path, str::FromStr};

/// A sentence with its entities.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelledSentence {
    text: String,
    entities: Vec<Entity>,
}

impl LabelledSentence {
    /// The sentence.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its entities, in order.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }
}

impl FromStr for LabelledSentence {
    type Err = Error;

    /// Reads KLUE's inline form: `<민수:PS>가 왔다.`
    fn from_str(line: &str) -> Result<Self, Error> {
        let mut sentence = Self::default();
        let mut rest = line;
        while let Some((before, inside)) = rest.split_once('<') {
            sentence.text.push_str(before);
            let entity =
                inside.split_once('>').and_then(|(e, after)| Some((e.rsplit_once(':')?, after)));
            let ((form, kind), after) = entity
                .ok_or_else(|| Error::BadForm(format!("`<{inside}` is not `<text:KIND>`")))?;
            let start = sentence.text.len();
            sentence.text.push_str(form);
            let span = start..sentence.text.len();
            sentence.entities.push(Entity { kind: kind.to_owned(), span });
            rest = after;
        }
        sentence.text.push_str(rest);
        Ok(sentence)
    }
}

/// Reads a file in the form of KLUE-NER: a character, a tab and its label per line, a blank line
/// after each sentence, comments after `##`.
///
/// # Errors
/// When the file cannot be read, or a line has no label that fits.
pub fn read_klue(path: &Path) -> Result<Vec<LabelledSentence>> {
    let mut sentences = Vec::new();
    let mut current = LabelledSentence::default();
    let mut lines = Lines::open(path)?;
    while let Some(line) = lines.next() {
        let line = line?;
        if line.starts_with("##") {
            continue;
        }
        if line.is_empty() {
            if !current.text.is_empty() {
                sentences.push(std::mem::take(&mut current));
            }
            continue;
        }
        let Some((character, label)) = line.rsplit_once('\t') else {
            return Err(lines.error("expected a character, a tab and a label"));
        };
        let start = current.text.len();
        current.text.push_str(character);
        let end = current.text.len();
        match label.split_once('-') {
            None if label == "O" => {}
            Some(("B", kind)) => {
                current.entities.push(Entity { kind: kind.to_owned(), span: start..end });
            }
            Some(("I", kind)) => match current.entities.last_mut() {
                Some(entity) if entity.kind == kind && entity.span.end == start => {
                    entity.span.end = end;
                }
                _ => return Err(lines.error(format!("`{label}` continues nothing"))),
            },
            _ => return Err(lines.error(format!("`{label}` is none of O, B-KIND, I-KIND"))),
        }
    }
    if !current.text.is_empty() {
        sentences.push(current);
    }
    Ok(sentences)
}

#[cfg(test)]
mod tests {
    use super::{super::BioTagger, *};

    #[test]
    fn reads_the_published_form() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "## 주석\n부\tB-LC\n산\tI-LC\n \tO\n#\tO\n\n비\tO").unwrap();
        let sentences = read_klue(file.path()).unwrap();
        assert_eq!(sentences[0], "<부산:LC> #".parse().unwrap());
        assert_eq!(sentences[1].text(), "비");
        assert_eq!(BioTagger::open(file.path()).unwrap().kinds(), ["LC"]);
        std::fs::write(file.path(), "부\tB-LC\n산\tI-PS\n").unwrap();
        let error = read_klue(file.path()).unwrap_err().to_string();
        assert!(error.contains(":2:") && error.contains("I-PS"), "{error}");
    }
}
