//! Every n-gram and edit metric on every golden corpus, in words, characters and jamo.

use super::{Data, Finding, read};
use anyhow::{Context, Result};
use ko_eval::{Flag, OwnedSegment, Score, Segment};
use serde::Deserialize;
use std::{collections::BTreeMap, fs, path::PathBuf};

/// The metric's name in the golden files, how this project writes it, and how equal it must be.
const METRICS: &[(&str, &str, f64)] = &[
    ("bleu1", "bleu:order=1", EXACT),
    ("bleu2", "bleu:order=2", EXACT),
    ("bleu3", "bleu:order=3", EXACT),
    ("bleu4", "bleu:order=4", EXACT),
    ("bleu5", "bleu:order=5", EXACT),
    ("bleu4-floor", "bleu:smooth=floor,smooth-value=0.1,effective-order=never", EXACT),
    ("bleu4-add-k", "bleu:smooth=add-k,smooth-value=1,effective-order=never", EXACT),
    ("bleu4-none", "bleu:smooth=none,effective-order=never", EXACT),
    ("chrf", "chrf", EXACT),
    ("chrf-c3", "chrf:char-order=3", EXACT),
    ("chrf++", "chrf:word-order=2", EXACT),
    ("chrf-ws", "chrf:whitespace=yes", EXACT),
    ("chrf-eps", "chrf:eps-smoothing=yes", EXACT),
    ("ter", "ter", EXACT),
    ("nltk-bleu-method1", "nltk-bleu:smooth=method1", EXACT),
    ("nltk-bleu-method3", "nltk-bleu:smooth=method3", EXACT),
    ("gleu", "gleu", EXACT),
    ("nist", "nist", EXACT),
    ("ribes", "ribes", EXACT),
    ("meteor", "meteor", EXACT),
    // The reference computes in single precision.
    ("character", "character", 1e-6),
    ("eed", "eed", EXACT),
    ("rouge1", "rouge-1", EXACT),
    ("rouge2", "rouge-2", EXACT),
    ("rougeL", "rouge-l", EXACT),
];
const EXACT: f64 = 1e-9;

/// The units of the golden files. The references read texts without normalising them.
const UNITS: &[(&str, &str)] =
    &[("word", "word:norm=none"), ("char", "char:norm=none"), ("jamo", "jamo:norm=none")];

#[derive(Deserialize)]
struct Golden {
    pairs: Vec<Pair>,
    /// By `unit/metric`.
    scores: BTreeMap<String, Values>,
}

#[derive(Deserialize)]
struct Pair {
    hyp: String,
    refs: Vec<String>,
}

/// Nothing where the reference divides by zero.
#[derive(Deserialize)]
struct Values {
    corpus: Option<f64>,
    segments: Vec<Option<f64>>,
}

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let mut findings: Vec<_> = METRICS.iter().map(|(name, ..)| Finding::new(*name)).collect();
    let mut strangers = Vec::new();
    for path in golden_files(data)? {
        let file = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let golden: Golden =
            serde_json::from_str(&read(&path)?).with_context(|| path.display().to_string())?;
        for (unit, spec) in UNITS {
            let cut = cut(&golden.pairs, spec)?;
            let segments: Vec<_> = cut.iter().map(OwnedSegment::as_segment).collect();
            for ((name, spec, tolerance), finding) in METRICS.iter().zip(&mut findings) {
                let key = format!("{unit}/{name}");
                let Some(values) = golden.scores.get(&key) else {
                    finding.add(false, || format!("{file} has no {key}"));
                    continue;
                };
                if let Err(error) = compare(finding, spec, &segments, values, *tolerance, |place| {
                    format!("{file} {key} {place}")
                }) {
                    finding.add(false, || error.to_string());
                }
            }
        }
        let known = |key: &str| {
            key.split_once('/').is_some_and(|(unit, metric)| {
                UNITS.iter().any(|(u, _)| *u == unit) && METRICS.iter().any(|(m, ..)| *m == metric)
            })
        };
        let unknown = golden.scores.keys().filter(|key| !known(key));
        strangers.extend(unknown.map(|key| Finding::missing(key, format!("only in {file}"))));
    }
    findings.extend(strangers);
    Ok(findings)
}

fn golden_files(data: &Data) -> Result<Vec<PathBuf>> {
    let folder = || data.golden.display().to_string();
    let mut files: Vec<_> = fs::read_dir(&data.golden)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>())
        .with_context(folder)?;
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("ngram_") && name.ends_with(".json")
    });
    files.sort();
    Ok(files)
}

/// The texts as the references got them: units joined by one space.
fn cut(pairs: &[Pair], spec: &str) -> Result<Vec<OwnedSegment>> {
    let unit = ko_eval::unit(spec)?;
    let join = |text: &String| -> Result<String> {
        let tokens = unit.tokenize(text)?;
        Ok(tokens.iter().map(|token| token.as_str()).collect::<Vec<_>>().join(" "))
    };
    let segment = |pair: &Pair| {
        let references = pair.refs.iter().map(join).collect::<Result<Vec<_>>>()?;
        Ok(OwnedSegment::new(join(&pair.hyp)?, references)?)
    };
    pairs.iter().map(segment).collect()
}

fn compare(
    finding: &mut Finding,
    spec: &str,
    segments: &[Segment<'_>],
    values: &Values,
    tolerance: f64,
    place: impl Fn(&str) -> String,
) -> Result<()> {
    let evaluation = ko_eval::metric(spec, "none")?.evaluate(&segments)?;
    let mut value =
        |ours: &Score, reference: Option<f64>, place: &dyn Fn() -> String| match reference {
            Some(reference) => finding.add_number(ours.value, reference, tolerance, place),
            None => finding.add(ours.flags.contains(&Flag::Undefined), || {
                format!(
                    "{}: {} without a flag where the reference has no value",
                    place(),
                    ours.value
                )
            }),
        };
    value(&evaluation.corpus.score, values.corpus, &|| place("corpus"));
    for (index, (ours, reference)) in evaluation.segments.iter().zip(&values.segments).enumerate() {
        value(ours, *reference, &|| place(&format!("segment {index}")));
    }
    Ok(())
}
