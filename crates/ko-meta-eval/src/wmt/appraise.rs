//! Direct assessment (DA) and error span annotation (ESA) as Appraise exports them.
//!
//! A line is one judgement: annotator, system, number of the item in the annotator's task, its kind (`TGT`, or another one for quality
//! control), source and target language, score from 0 to 100, document, and more that is not looked at here (spans, times). Which segment of the test
//! set an item is follows from its document and its place in it, so the documents must be known: a file with domain and document of each segment, as
//! mt-metrics-eval has it.

use crate::{Error, Result, judgement::Judgement};
use ko_eval_core::Error as CoreError;
use ko_eval_io::read::open;
use std::{collections::BTreeMap, ops::Range, path::Path};

/// The kind of items that are no checks.
const TARGET: &str = "TGT";

/// What an export holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Appraised {
    /// The judgements of outputs, each annotator's in the order in which the items were shown.
    pub judgements: Vec<Judgement>,
    /// Items for quality control, by annotator.
    pub checks: BTreeMap<String, usize>,
}

/// The segments of each document, from a file with domain and document per segment.
///
/// # Errors
/// A file that cannot be read, a broken line, or a document in several places.
pub fn read_documents(path: &Path) -> Result<BTreeMap<String, Range<usize>>> {
    let mut lines = ko_eval_io::read::Lines::open(path)?;
    let mut documents = BTreeMap::<String, Range<usize>>::new();
    let mut segment = 0;
    while let Some(line) = lines.next().transpose()? {
        let Some(name) = line.split_whitespace().nth(1) else {
            return Err(lines.error("expected a domain and a document").into());
        };
        match documents.get_mut(name) {
            Some(range) if range.end == segment => range.end += 1,
            Some(_) => return Err(lines.error(format!("`{name}` is in several places")).into()),
            None => {
                documents.insert(name.to_owned(), segment..segment + 1);
            }
        }
        segment += 1;
    }
    Ok(documents)
}

/// One line.
struct Item {
    line: u64,
    judge: String,
    system: String,
    number: usize,
    score: f64,
    document: String,
}

/// Reads an export.
///
/// # Errors
/// A file that cannot be read, a broken line, an unknown document, or one that was not shown whole, so that nobody knows which
/// segments were judged.
pub fn read(path: &Path, documents: &BTreeMap<String, Range<usize>>) -> Result<Appraised> {
    let reader = open(path)?;
    let mut table = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(reader);
    let mut checks = BTreeMap::new();
    let mut items = Vec::new();
    for (number, record) in table.records().enumerate() {
        let line = number as u64 + 1;
        let wrong = |reason: String| CoreError::BadLine {
            path: path.to_owned(),
            line: usize::try_from(line).unwrap_or(usize::MAX),
            reason,
        };
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let field = |at: usize| {
            let text = record.get(at).map(str::trim);
            text.ok_or_else(|| {
                wrong(format!("{} fields where at least 9 are expected", record.len()))
            })
        };
        // The last of the nine says whether it is the score of a whole document.
        if field(8)?.eq_ignore_ascii_case("true") {
            continue;
        }
        let (judge, system, kind) = (field(0)?.to_owned(), field(1)?, field(3)?);
        if kind != TARGET {
            *checks.entry(judge).or_insert(0) += 1;
            continue;
        }
        let number = field(2)?;
        let score = field(6)?;
        items.push(Item {
            line,
            judge,
            // `wmt23.NAME` names the test set as well.
            system: system.split_once('.').map_or(system, |(_, name)| name).to_owned(),
            number: number.parse().map_err(|_| wrong(format!("`{number}` is no item number")))?,
            score: score
                .parse::<f64>()
                .ok()
                .filter(|score| score.is_finite())
                .ok_or_else(|| wrong(format!("`{score}` is not a finite number")))?,
            document: field(7)?.split('#').next().unwrap_or_default().to_owned(),
        });
    }
    Ok(Appraised { judgements: placed(path, items, documents)?, checks })
}

/// Items at their places in the test set.
fn placed(
    path: &Path,
    items: Vec<Item>,
    documents: &BTreeMap<String, Range<usize>>,
) -> Result<Vec<Judgement>> {
    let mut shown = BTreeMap::<(String, String, String), Vec<Item>>::new();
    for item in items {
        let key = (item.judge.clone(), item.system.clone(), item.document.clone());
        shown.entry(key).or_default().push(item);
    }
    let mut judgements = Vec::new();
    for ((judge, system, document), mut items) in shown {
        items.sort_by_key(|item| item.number);
        let line = items.iter().map(|item| item.line).min().unwrap_or_default();
        let what = format!("{}:{line}: document", path.display());
        let Some(range) = documents.get(&document) else {
            return Err(Error::invalid(what, document, "a document of the test set"));
        };
        if items.len() != range.len() {
            let value = format!("{document}, {} items by {judge} of {system}", items.len());
            return Err(Error::invalid(
                what,
                value,
                format!("all of its {} segments", range.len()),
            ));
        }
        for (item, segment) in items.into_iter().zip(range.clone()) {
            let (judge, system, scores) = (judge.clone(), system.clone(), vec![Some(item.score)]);
            judgements.push((item.number, Judgement { system, segment, judge, scores }));
        }
    }
    // In the order in which each annotator saw them, for what drops the first.
    judgements.sort_by(|a, b| (&a.1.judge, a.0).cmp(&(&b.1.judge, b.0)));
    Ok(judgements.into_iter().map(|(_, judgement)| judgement).collect())
}
