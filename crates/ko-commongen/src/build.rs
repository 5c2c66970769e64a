//! Building the data set, phase by phase, so that a run that was stopped goes on where it was.
//!
//! | phase | reads | writes |
//! |---|---|---|
//! | `sentences` | the inputs | `sentences.jsonl`: what came through the [`Pipeline`] |
//! | `select` | that | `selected.jsonl`: the most typical of each concept ([`Selection`]) |
//! | `ethics` | that | `kept.jsonl`, and `review.tsv`: what was flagged, for people to decide |
//! | `split` | that | `train`, `validation`, `test` as `.jsonl` and `.txt`; `high-level-SEED.jsonl` |
//!
//! A phase notes its settings, its outcome and the digests of its files in `PHASE.json`. It runs again only if its
//! settings, the phase before it, or one of its files changed. The folder is locked while it is built. Edit the first column of `review.tsv` and build again: what people
//! marked `keep` comes back, and the rest stays out. A decision is never lost: its row stays in the file whatever later builds flag, and what people marked `drop` stays
//! out even where it is no longer flagged.

use crate::{
    BadLines, Draft, Flagger, Input, ItemForm, Pipeline, Selection, SetStatistics, Similarity,
    Split,
    ethics::{Decision, Flagged, read_review, write_review},
    item::{read_rows, write_items},
    pipeline::PipelineReport,
    split::{HIGH_LEVEL_SEEDS, high_level},
};
use ko_eval_core::{Error, Fingerprint, Result, Signature, Signed};
use ko_eval_io::{
    Progress,
    files::{FolderLock, is_same, stream_atomically, write_atomically},
};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

/// What is built from, and where to.
#[derive(Debug, Clone)]
pub struct BuildOptions {
    /// Files of sentences.
    pub inputs: Vec<Input>,
    /// The folder of results; made if need be.
    pub folder: PathBuf,
    /// How many sentences of a concept are compared and kept.
    pub selection: Selection,
    /// How the sentences are divided.
    pub split: Split,
    /// Lines that cannot be read.
    pub bad_lines: BadLines,
}

/// What does the work. Phases without a part pass everything on.
#[derive(Debug, Clone, Copy)]
pub struct BuildParts<'p> {
    /// Cleaning, concepts, tags, entities.
    pub pipeline: &'p Pipeline,
    /// Compares sentences.
    pub similarity: Option<&'p dyn Similarity>,
    /// Flags what is offensive.
    pub flagger: Option<&'p dyn Flagger>,
}

/// What the phases did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BuildReport {
    /// The pipeline's counts.
    pub sentences: PipelineReport,
    /// Lines of the inputs that could not be read.
    pub skipped: Vec<String>,
    /// Sentences kept by the selection.
    pub selected: usize,
    /// What the flagger and people did.
    pub ethics: EthicsReport,
    /// The sets.
    pub sets: SetStatistics,
    /// The phases that had been done before and were not run again.
    pub resumed: Vec<String>,
}

/// What the flagger and people did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EthicsReport {
    /// Sentences that were flagged.
    pub flagged: usize,
    /// Of these, how many were flagged for each label: for bias, for hate. One may be flagged for several.
    #[serde(default)]
    pub by_label: BTreeMap<String, usize>,
    /// Of these, flagged for more than one label: for bias and hate.
    #[serde(default)]
    pub by_several: usize,
    /// Of these, kept by people.
    pub kept_by_people: usize,
    /// Of these, still to be looked at.
    pub open: usize,
    /// Sentences that people marked `drop`, flagged by this build or not.
    #[serde(default)]
    pub dropped_by_people: usize,
    /// Sentences that went on.
    pub kept: usize,
}

/// What the first phase notes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct SentencesReport {
    report: PipelineReport,
    skipped: Vec<String>,
}

/// Builds a data set.
///
/// # Errors
/// When an input is broken or would be overwritten, a part fails, a file cannot be written, or another process works in
/// the folder.
pub fn build(
    options: &BuildOptions,
    parts: &BuildParts<'_>,
    progress: &dyn Progress,
) -> Result<BuildReport> {
    let folder = options.folder.as_path();
    let _held = FolderLock::take(folder)?;
    refuse_own_inputs(options)?;
    let mut phases = Phases { folder, key: String::new(), resumed: Vec::new() };

    let mut settings = vec![parts.pipeline.signature().to_string()];
    settings.extend(options.inputs.iter().map(input_state));
    let sentences = phases.run("sentences", &["sentences.jsonl"], settings, || {
        sentences_phase(options, parts.pipeline, progress)
    })?;

    let similarity = signed(parts.similarity.map(|s| s.signature()));
    let selected = phases.run(
        "select",
        &["selected.jsonl"],
        [similarity, format!("{:?}", options.selection)],
        || {
            let drafts = read_drafts(&folder.join("sentences.jsonl"))?;
            let kept: Vec<Draft> = match parts.similarity {
                None => drafts,
                Some(similarity) => {
                    let numbers = options.selection.select(&drafts, similarity, progress)?;
                    numbers.into_iter().filter_map(|i| drafts.get(i).cloned()).collect()
                }
            };
            write_drafts(&folder.join("selected.jsonl"), &kept)?;
            Ok(kept.len())
        },
    )?;

    let decided = decisions(&folder.join("review.tsv"))?;
    let key = |row: &Flagged| format!("{} {}", row.decision, row.text);
    let mut settings: Vec<_> = decided.iter().map(key).collect();
    settings.sort_unstable();
    settings.push(signed(parts.flagger.map(|f| f.signature())));
    let ethics = phases.run(
        "ethics",
        // Not review.tsv, which people edit.
        &["kept.jsonl"],
        settings,
        || ethics_phase(folder, parts.flagger, &decided, progress),
    )?;

    let names = split_names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let sets = phases.run("split", &names, [format!("{:?}", options.split)], || {
        split_phase(folder, &options.split)
    })?;
    Ok(BuildReport {
        sentences: sentences.report,
        skipped: sentences.skipped,
        selected,
        ethics,
        sets,
        resumed: phases.resumed,
    })
}

/// The files of the last phase.
fn split_names() -> Vec<String> {
    let sets = ["train", "validation", "test"].into_iter();
    let sets = sets.flat_map(|set| ["jsonl", "txt"].map(|form| format!("{set}.{form}")));
    sets.chain(HIGH_LEVEL_SEEDS.iter().map(|seed| format!("high-level-{seed}.jsonl"))).collect()
}

/// An input that lies in the folder under a name that a phase writes to would be lost.
fn refuse_own_inputs(options: &BuildOptions) -> Result<()> {
    let names = ["sentences.jsonl", "selected.jsonl", "kept.jsonl", "review.tsv"];
    let written: Vec<PathBuf> = names
        .map(str::to_owned)
        .into_iter()
        .chain(split_names())
        .map(|name| options.folder.join(name))
        .collect();
    for input in &options.inputs {
        if let Some(path) = written.iter().find(|path| is_same(path, &input.path)) {
            let expected = "a file that the build does not write";
            return Err(Error::invalid("build", "input", path.display(), expected));
        }
    }
    Ok(())
}

fn signed(signature: Option<Signature>) -> String {
    signature.map(|s| s.to_string()).unwrap_or_default()
}

fn sentences_phase(
    options: &BuildOptions,
    pipeline: &Pipeline,
    progress: &dyn Progress,
) -> Result<SentencesReport> {
    let skipped = std::cell::RefCell::new(Vec::new());
    let path = options.folder.join("sentences.jsonl");
    let note = |error: Error| skipped.borrow_mut().push(error.to_string());
    let inputs: Vec<_> = options
        .inputs
        .iter()
        .map(|input| input.sentences(options.bad_lines, note))
        .collect::<Result<_>>()?;
    let report = stream_atomically(&path, |out| {
        let mut write = |draft: Draft| {
            writeln!(out, "{}", draft_line(&draft)?).map_err(|e| Error::io(&path, e))
        };
        pipeline.run(inputs.into_iter().flatten(), &mut write, progress)
    })?;
    Ok(SentencesReport { report, skipped: skipped.into_inner() })
}

fn ethics_phase(
    folder: &Path,
    flagger: Option<&dyn Flagger>,
    decided: &[Flagged],
    progress: &dyn Progress,
) -> Result<EthicsReport> {
    let decisions: FxHashMap<&str, Decision> =
        decided.iter().map(|row| (row.text.as_str(), row.decision)).collect();
    let drafts = read_drafts(&folder.join("selected.jsonl"))?;
    let mut report = EthicsReport::default();
    let mut flagged = Vec::new();
    let mut kept = Vec::new();
    progress.begin("ethics", Some(drafts.len() as u64));
    let labels = flagger.map(|flagger| flagger.labels()).unwrap_or_default();
    report.by_label = labels.iter().map(|label| (label.clone(), 0)).collect();
    for chunk in drafts.chunks(4096) {
        let texts: Vec<&str> = chunk.iter().map(|draft| draft.text.as_str()).collect();
        let judged = match flagger {
            Some(flagger) => flagger.probabilities(&texts)?,
            None => vec![Vec::new(); chunk.len()],
        };
        for (draft, probabilities) in chunk.iter().zip(judged) {
            let is_flag = |p: &f64| flagger.is_some_and(|flagger| *p >= flagger.threshold());
            let reasons = labels.iter().zip(&probabilities).filter(|(_, p)| is_flag(p));
            let reasons: Vec<String> = reasons.map(|(label, _)| label.clone()).collect();
            let decision = decisions.get(draft.text.as_str()).copied().unwrap_or(Decision::Open);
            report.dropped_by_people += usize::from(decision == Decision::Drop);
            if reasons.is_empty() {
                if decision != Decision::Drop {
                    kept.push(draft.clone());
                }
                continue;
            }
            for label in &reasons {
                *report.by_label.entry(label.clone()).or_default() += 1;
            }
            report.by_several += usize::from(reasons.len() > 1);
            let probability = probabilities.iter().copied().fold(0.0, f64::max);
            let text = draft.text.clone();
            flagged.push(Flagged { decision, probability, labels: reasons, text });
            match decision {
                Decision::Keep => {
                    report.kept_by_people += 1;
                    kept.push(draft.clone());
                }
                Decision::Open => report.open += 1,
                Decision::Drop => {}
            }
        }
        progress.advance(chunk.len() as u64);
    }
    report.flagged = flagged.len();
    report.kept = kept.len();
    let again: FxHashSet<String> = flagged.iter().map(|row| row.text.clone()).collect();
    flagged.extend(decided.iter().filter(|row| !again.contains(&row.text)).cloned());
    // The likeliest first: people read from the top.
    flagged.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    write_review(&folder.join("review.tsv"), &flagged)?;
    write_drafts(&folder.join("kept.jsonl"), &kept)?;
    Ok(report)
}

/// What people decided so far.
fn decisions(path: &Path) -> Result<Vec<Flagged>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut rows = read_review(path)?;
    rows.retain(|row| row.decision != Decision::Open);
    Ok(rows)
}

fn split_phase(folder: &Path, split: &Split) -> Result<SetStatistics> {
    let drafts = read_drafts(&folder.join("kept.jsonl"))?;
    let sets = split.apply(&drafts)?;
    for (name, items) in
        [("train", &sets.train), ("validation", &sets.validation), ("test", &sets.test)]
    {
        write_items(&folder.join(format!("{name}.jsonl")), ItemForm::Jsonl, items)?;
        write_items(&folder.join(format!("{name}.txt")), ItemForm::Text, items)?;
    }
    for seed in HIGH_LEVEL_SEEDS {
        let items = high_level(&sets.train, seed)?;
        write_items(&folder.join(format!("high-level-{seed}.jsonl")), ItemForm::Jsonl, &items)?;
    }
    Ok(sets.statistics())
}

/// Runs phases, or takes what they noted before.
struct Phases<'f> {
    folder: &'f Path,
    /// A fingerprint of all settings so far.
    key: String,
    resumed: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Note<T> {
    settings: String,
    /// The digest of each file that the phase wrote; without one the phase runs again.
    #[serde(default)]
    files: BTreeMap<String, String>,
    outcome: T,
}

impl Phases<'_> {
    fn run<T: Serialize + DeserializeOwned>(
        &mut self,
        name: &str,
        files: &[&str],
        settings: impl IntoIterator<Item = String>,
        phase: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let key = Fingerprint::new().text(&self.key);
        self.key = settings.into_iter().fold(key, |key, setting| key.text(&setting)).hex();
        let path = self.folder.join(format!("{name}.json"));
        let note =
            std::fs::read(&path).ok().and_then(|b| serde_json::from_slice::<Note<T>>(&b).ok());
        let is_whole =
            |note: &Note<T>| self.digests(files).is_ok_and(|digests| digests == note.files);
        if let Some(note) = note.filter(|note| note.settings == self.key).filter(is_whole) {
            self.resumed.push(name.to_owned());
            return Ok(note.outcome);
        }
        if path.exists() {
            std::fs::remove_file(&path).map_err(|e| Error::io(&path, e))?;
        }
        let outcome = phase()?;
        let note = Note { settings: self.key.clone(), files: self.digests(files)?, outcome };
        let text = serde_json::to_vec_pretty(&note)
            .map_err(|e| Error::source(format!("writing {}", path.display()), e))?;
        write_atomically(&path, &text)?;
        Ok(note.outcome)
    }

    fn digests(&self, files: &[&str]) -> Result<BTreeMap<String, String>> {
        let digest = |name: &&str| {
            Ok(((*name).to_owned(), Fingerprint::new().file(&self.folder.join(name))?.hex()))
        };
        files.iter().map(digest).collect()
    }
}

/// What changes when an input does: path, form, length and time.
fn input_state(input: &Input) -> String {
    let file = std::fs::metadata(&input.path).ok();
    let time = file.as_ref().and_then(|f| f.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    format!("{input:?} {:?} {:?}", file.map(|f| f.len()), time.map(|t| t.as_nanos()))
}

fn draft_line(draft: &Draft) -> Result<String> {
    serde_json::to_string(draft).map_err(|e| Error::source("writing a sentence", e))
}

fn write_drafts(path: &Path, drafts: &[Draft]) -> Result<()> {
    let lines: Vec<String> = drafts.iter().map(draft_line).collect::<Result<_>>()?;
    write_atomically(
        path,
        lines.iter().flat_map(|line| [line, "\n"]).collect::<String>().as_bytes(),
    )
}

fn read_drafts(path: &Path) -> Result<Vec<Draft>> {
    let parse = |line: &str| serde_json::from_str(line).map_err(|e| e.to_string());
    Ok(read_rows(path, BadLines::Refuse, parse)?.into_values())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_same_whatever_compiled_them() {
        let folder = tempfile::tempdir().unwrap();
        let mut phases = Phases { folder: folder.path(), key: String::new(), resumed: Vec::new() };
        let settings = ["말뭉치", "seed=42"].map(str::to_owned);
        phases.run("first", &[], settings, || Ok(1)).unwrap();
        phases.run("second", &[], [], || Ok(2)).unwrap();
        // SHA-256 of each setting after its length in eight bytes, the key before them first.
        let keys = [
            "a06d987a69352100a7531e89bf0a5e0d06e071184b12ad3b1f73abf12a5ed57d",
            "d3079817fbc047b702ce6a14356368499a73bba65bea490cb21c5f757d3567f7",
        ];
        for (name, key) in ["first", "second"].into_iter().zip(keys) {
            let note = std::fs::read(folder.path().join(format!("{name}.json"))).unwrap();
            assert_eq!(serde_json::from_slice::<Note<u8>>(&note).unwrap().settings, key);
        }
    }
}
