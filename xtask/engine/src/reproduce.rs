//! The table of checks against public references.
//!
//! Data and golden values are no part of the repository: `KO_EVAL_DATA` names the folder of the data, and
//! `golden` lies beside it.

mod analyzer_bench;
mod analyzers;
mod commongen;
mod commongen_judged;
mod commongen_study;
mod khaiii;
mod levels;
mod mecab;
mod meteor;
mod ngram;
mod paraphrases;
mod probe;
mod register;
mod translations;

use anyhow::{Context, Result, bail};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// Every check. A new one is a file and a row.
const CHECKS: &[Check] = &[
    Check { name: "mecab", effort: Effort::Quick, run: mecab::run },
    Check { name: "khaiii", effort: Effort::Quick, run: khaiii::run },
    Check { name: "analyzers", effort: Effort::Quick, run: analyzers::run },
    Check { name: "bench", effort: Effort::Quick, run: analyzer_bench::run },
    Check { name: "ngram", effort: Effort::Quick, run: ngram::run },
    Check { name: "translations", effort: Effort::Quick, run: translations::run },
    Check { name: "translations and COMET", effort: Effort::Long, run: translations::run_all },
    Check { name: "levels", effort: Effort::Quick, run: levels::run },
    Check { name: "commongen", effort: Effort::Quick, run: commongen::run },
    Check { name: "commongen study", effort: Effort::Quick, run: commongen_study::run },
    Check { name: "units", effort: Effort::Quick, run: commongen_judged::run },
    Check { name: "meteor", effort: Effort::Quick, run: meteor::run },
    Check { name: "all units", effort: Effort::Long, run: commongen_judged::run_all },
    Check { name: "register", effort: Effort::Quick, run: register::run },
    Check { name: "paraphrases", effort: Effort::Quick, run: paraphrases::run },
    Check { name: "probe", effort: Effort::Long, run: probe::run },
];

struct Check {
    name: &'static str,
    effort: Effort,
    run: fn(&Data) -> Result<Vec<Finding>>,
}

/// How long a check takes.
#[derive(PartialEq)]
enum Effort {
    /// No training: seconds to minutes.
    Quick,
    /// Training, or slow analyzers: minutes to hours.
    Long,
}

/// The folders that checks read from.
struct Data {
    folder: PathBuf,
    golden: PathBuf,
}

impl Data {
    fn golden(&self, file: &str) -> Result<String> {
        read(&self.golden.join(file))
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// How one thing compares with its reference.
struct Finding {
    /// What was compared.
    name: String,
    /// How many values.
    compared: usize,
    /// How many were not equal, within the tolerance.
    failed: usize,
    /// The greatest relative error, where values are numbers.
    worst: Option<f64>,
    /// The first failure, or why nothing could be compared.
    note: Option<String>,
}

impl Finding {
    fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), compared: 0, failed: 0, worst: None, note: None }
    }

    /// A thing that could not be compared at all.
    fn missing(name: impl Into<String>, why: impl Into<String>) -> Self {
        Self { note: Some(why.into()), ..Self::new(name) }
    }

    fn add(&mut self, equal: bool, describe: impl FnOnce() -> String) {
        self.compared += 1;
        if !equal {
            self.failed += 1;
            self.note.get_or_insert_with(describe);
        }
    }

    /// Compares two numbers: the relative error, absolute where the reference is 0.
    fn add_number(
        &mut self,
        ours: f64,
        reference: f64,
        tolerance: f64,
        place: impl FnOnce() -> String,
    ) {
        let scale = if reference == 0.0 { 1.0 } else { reference.abs() };
        let error = (ours - reference).abs() / scale;
        self.worst = Some(self.worst.unwrap_or(0.0).max(error));
        // Not `error > tolerance`: that would pass what is not a number.
        let equal = error <= tolerance;
        self.add(equal, || format!("{}: {ours} where the reference has {reference}", place()));
    }

    /// Compares a number with a printed one, to the digits that were printed.
    fn add_rounded(
        &mut self,
        ours: f64,
        printed: f64,
        digits: usize,
        place: impl FnOnce() -> String,
    ) {
        let (ours, printed) = (format!("{ours:.digits$}"), format!("{printed:.digits$}"));
        self.add(ours == printed, || format!("{}: {ours} where {printed} is printed", place()));
    }

    fn holds(&self) -> bool {
        self.failed == 0 && self.compared > 0
    }
}

/// Runs the checks that are named, or all: those that take long only if they are named or `quick` is not asked for.
pub(crate) fn run(quick: bool, only: &[String]) -> Result<()> {
    if let Some(name) = only.iter().find(|name| CHECKS.iter().all(|check| check.name != **name)) {
        let known: Vec<_> = CHECKS.iter().map(|check| check.name).collect();
        bail!(
            "unknown check `{name}`; known: {}; a proof that trains models is `cargo run --release -p xtask-neural --features torch -- \
             reproduce NAME`",
            known.join(", ")
        );
    }
    let data = env::var_os("KO_EVAL_DATA").map_or("../shared/data".into(), PathBuf::from);
    let data = Data { golden: data.join("../golden"), folder: data };
    let mut failed = 0;
    for check in CHECKS.iter().filter(|check| match only.is_empty() {
        true => !quick || check.effort == Effort::Quick,
        false => only.iter().any(|name| name == check.name),
    }) {
        let findings = (check.run)(&data)
            .unwrap_or_else(|error| vec![Finding::missing(check.name, format!("{error:#}"))]);
        for finding in findings {
            let verdict = if finding.holds() { "ok" } else { "FAILED" };
            let equal = finding.compared - finding.failed;
            print!("{verdict:<7} {:<24} {equal}/{} equal", finding.name, finding.compared);
            if let Some(worst) = finding.worst {
                print!(", greatest relative error {worst:.1e}");
            }
            println!("{}", finding.note.as_ref().map_or(String::new(), |note| format!("; {note}")));
            failed += usize::from(!finding.holds());
        }
    }
    match failed {
        0 => Ok(()),
        _ => bail!("{failed} checks failed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(ours: f64, reference: f64) -> Finding {
        let mut finding = Finding::new("x");
        finding.add_number(ours, reference, 1e-9, || "here".into());
        finding
    }

    #[test]
    fn a_difference_is_found() {
        assert!(compare(100.0, 100.00000001).holds());
        assert!(!compare(100.0, 100.0000002).holds());
        assert!(!compare(1e-8, 0.0).holds());
        assert!(!compare(f64::NAN, 1.0).holds());
        let note = compare(1.0, 2.0).note;
        assert_eq!(note.as_deref(), Some("here: 1 where the reference has 2"));
    }

    #[test]
    fn nothing_compared_is_no_success() {
        assert!(!Finding::new("x").holds());
        assert!(!Finding::missing("x", "no such row").holds());
    }
}
