//! The files of a test set.

use super::{BySystem, Scope};
use crate::{Error, Result, wmt::mqm};
use ko_eval_core::Error as CoreError;
use ko_eval_io::read::Lines;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// A line that says that a system gave nothing.
const NO_TRANSLATION: &str = "[No translation supplied]";

pub(super) struct Folder<'a> {
    path: &'a Path,
    pair: &'a str,
}

impl<'a> Folder<'a> {
    pub(super) fn new(path: &'a Path, pair: &'a str) -> Result<Self> {
        let known = Self::pairs(path)?;
        if known.iter().any(|own| own == pair) {
            return Ok(Self { path, pair });
        }
        let near: Vec<&String> = known.iter().filter(|own| own.starts_with(pair)).collect();
        let hint = match near.as_slice() {
            [one] => format!("{one}, or one of {}", known.join(", ")),
            _ => format!("one of {}", known.join(", ")),
        };
        Err(Error::invalid("language pair", pair, hint))
    }

    /// The language pairs that have sources.
    pub(super) fn pairs(path: &Path) -> Result<Vec<String>> {
        let folder = path.join("sources");
        let mut pairs = Vec::new();
        for file in list(&folder)? {
            if let Some((pair, "txt" | "jsonl")) = file_name(&file).rsplit_once('.') {
                pairs.push(pair.to_owned());
            }
        }
        pairs.sort_unstable();
        if pairs.is_empty() {
            let what = format!("sources in {}", folder.display());
            let how_to_get_it =
                "give the folder of one test set of mt-metrics-eval, such as mt-metrics-eval-v2/wmt25".into();
            return Err(CoreError::Missing { what, how_to_get_it }.into());
        }
        Ok(pairs)
    }

    pub(super) fn name(&self) -> String {
        // `wmt25/.` and `.` have names, too.
        let whole = self.path.canonicalize().unwrap_or_else(|_| self.path.to_owned());
        file_name(&whole)
    }

    pub(super) fn sources(&self) -> Result<Vec<String>> {
        let text = self.path.join("sources").join(format!("{}.txt", self.pair));
        let packed = self.path.join("sources").join(format!("{}.jsonl", self.pair));
        if text.exists() { texts(&text, "source") } else { texts(&packed, "source") }
    }

    pub(super) fn references(&self) -> Result<BTreeMap<String, Vec<String>>> {
        let mut all = BTreeMap::new();
        for file in list(&self.path.join("references"))? {
            let name = file_name(&file);
            let rest = name.strip_prefix(self.pair).and_then(|rest| rest.strip_prefix('.'));
            let Some((reference, "txt" | "jsonl")) = rest.and_then(|rest| rest.rsplit_once('.'))
            else {
                continue;
            };
            if all.insert(reference.to_owned(), texts(&file, "target")?).is_some() {
                return Err(Error::invalid("reference", reference, "one file of this name"));
            }
        }
        Ok(all)
    }

    pub(super) fn outputs(&self) -> Result<BTreeMap<String, Vec<String>>> {
        let mut all = BTreeMap::new();
        for file in list(&self.path.join("system-outputs").join(self.pair))? {
            if let Some((system, "txt" | "jsonl")) = file_name(&file).rsplit_once('.') {
                all.insert(system.to_owned(), texts(&file, "hypothesis")?);
            }
        }
        Ok(all)
    }

    /// The domain of each segment; none where documents are not described.
    pub(super) fn domains(&self, segments: usize) -> Result<Vec<String>> {
        let path = self.path.join("documents").join(format!("{}.docs", self.pair));
        if !path.exists() {
            return Ok(Vec::new());
        }
        let mut lines = Lines::open(&path)?;
        let mut domains = Vec::new();
        while let Some(line) = lines.next().transpose()? {
            let mut words = line.split_whitespace();
            let domain = words.next().zip(words.next()).map(|(domain, _)| domain.to_owned());
            domains.push(domain.ok_or_else(|| lines.error("expected a domain and a document"))?);
        }
        self.check_length(&path.display().to_string(), domains.len(), segments)?;
        Ok(domains)
    }

    pub(super) fn check_length(&self, name: &str, length: usize, segments: usize) -> Result<()> {
        crate::error::same_length(
            (&format!("the sources of {}", self.pair), segments),
            (name, length),
        )
    }

    pub(super) fn human_scores(
        &self,
        systems: &BTreeSet<&str>,
        segments: usize,
    ) -> Result<BTreeMap<(String, Scope), BySystem>> {
        let mut all = BTreeMap::new();
        let list = list(&self.path.join("human-scores"))?;
        for file in &list {
            let name = file_name(file);
            let rest = name.strip_prefix(self.pair).and_then(|rest| rest.strip_prefix('.'));
            if let Some((name, scope)) = rest.and_then(scored) {
                let scores = scores(file, scope, systems, segments, Missing::Allowed)?;
                all.insert((name.to_owned(), scope), scores);
            } else if let Some(name) = rest.and_then(|rest| rest.strip_suffix(".seg.rating")) {
                // Scores that were published win over what ratings give.
                if !list
                    .iter()
                    .any(|other| file_name(other) == format!("{}.{name}.seg.score", self.pair))
                {
                    let scores = mqm::read_ratings(file, &mqm::Weights::default())?;
                    check(file, &scores, Scope::Segment, segments)?;
                    all.insert((name.to_owned(), Scope::Segment), scores);
                }
            }
        }
        Ok(all)
    }

    pub(super) fn metric_scores(
        &self,
        systems: &BTreeSet<&str>,
        segments: usize,
    ) -> Result<BTreeMap<(String, Scope), BySystem>> {
        let folder = self.path.join("metric-scores").join(self.pair);
        let mut all = BTreeMap::new();
        if !folder.exists() {
            return Ok(all);
        }
        for file in list(&folder)? {
            let name = file_name(&file);
            if let Some((name, scope)) = scored(&name) {
                let scores = scores(&file, scope, systems, segments, Missing::Refused)?;
                all.insert((name.to_owned(), scope), scores);
            }
        }
        Ok(all)
    }
}

/// Name and scope of `NAME.seg.score`; scores of documents and domains are passed over.
fn scored(name: &str) -> Option<(&str, Scope)> {
    let (name, level) = name.strip_suffix(".score")?.rsplit_once('.')?;
    match level {
        "seg" => Some((name, Scope::Segment)),
        "sys" => Some((name, Scope::System)),
        _ => None,
    }
}

/// Whether scores may be missing.
#[derive(Clone, Copy, PartialEq)]
enum Missing {
    Allowed,
    Refused,
}

/// Lines of system and score.
fn scores(
    path: &Path,
    scope: Scope,
    systems: &BTreeSet<&str>,
    segments: usize,
    missing: Missing,
) -> Result<BySystem> {
    let mut lines = Lines::open(path)?;
    let mut all = BySystem::new();
    while let Some(line) = lines.next().transpose()? {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [system, score] = words.as_slice() else {
            return Err(lines.error("expected a system and a score").into());
        };
        if !systems.contains(system) {
            let reason = format!("no outputs of a system `{system}` are there");
            return Err(lines.error(reason).into());
        }
        let score = match (*score, missing) {
            ("None", Missing::Allowed) => None,
            (text, _) => match text.parse::<f64>().ok().filter(|score| score.is_finite()) {
                Some(score) => Some(score),
                None => return Err(lines.error(format!("`{text}` is not a finite number")).into()),
            },
        };
        all.entry((*system).to_owned()).or_default().push(score);
    }
    check(path, &all, scope, segments)?;
    Ok(all)
}

/// The scores of a metric that is no part of the test set.
pub(super) fn added(path: &Path, systems: &BTreeSet<&str>, segments: usize) -> Result<BySystem> {
    scores(path, Scope::Segment, systems, segments, Missing::Refused)
}

/// Refuses another number of scores than there are segments.
fn check(path: &Path, all: &BySystem, scope: Scope, segments: usize) -> Result<()> {
    let wanted = if scope == Scope::System { 1 } else { segments };
    for (system, scores) in all {
        if scores.len() != wanted {
            let value = format!("{} scores of {system}", scores.len());
            return Err(Error::invalid(path.display().to_string(), value, format!("{wanted}")));
        }
    }
    Ok(())
}

/// Texts, one per line, or under `key` in JSON; nothing where a system gave nothing.
fn texts(path: &Path, key: &str) -> Result<Vec<String>> {
    let mut lines = Lines::open(path)?;
    let json = path.extension().is_some_and(|extension| extension == "jsonl");
    let mut texts = Vec::new();
    while let Some(line) = lines.next().transpose()? {
        let text = if json {
            let object: serde_json::Value =
                serde_json::from_str(&line).map_err(|error| lines.error(error.to_string()))?;
            match object.get(key) {
                Some(serde_json::Value::String(text)) => text.clone(),
                Some(serde_json::Value::Null) => String::new(),
                _ => {
                    return Err(lines
                        .error(format!("expected an object with a text `{key}`"))
                        .into());
                }
            }
        } else {
            line.trim_end().to_owned()
        };
        texts.push(if text == NO_TRANSLATION { String::new() } else { text });
    }
    Ok(texts)
}

/// The files of a folder in the order of their names.
fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| CoreError::io(folder, error))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort_unstable();
    Ok(files)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
