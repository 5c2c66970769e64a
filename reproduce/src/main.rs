//! Published numbers computed again, and compared with what is printed.
//!
//! | part | contains |
//! |---|---|
//! | `tables/*.toml` | what is expected: printed numbers, our own bounds, files of golden values |
//! | `src/tables.rs` | reads the tables and decides whether a value is the expected one |
//! | `src/report.rs` | the runner: receives values, compares each with its cell, prints a line per finding |
//! | `src/checks/` | the checks: each computes values and hands them to the report by table, row and column |
//! | `src/trained/` | the checks that train models first, the same way; feature `torch`, needs libtorch |
//!
//! A table is one of three kinds:
//!
//! | kind | a cell holds | and is |
//! |---|---|---|
//! | `[[printed]]` | the digits as they are printed, `"29.24"` | equal to as many digits, or within `tolerance` (relative) |
//! | | `"~2.06"` | printed for another version or other texts: shown beside ours, not compared |
//! | `[[bounds]]` | `">= 0.84"`, `"<= 45"`, `"> 0"`, `"finite"` | our own demand, with its reason in `why`; nobody printed it |
//! | `[[golden]]` | the specification of ours and the field of the golden file | equal value by value |
//!
//! `source` and `place` say where numbers come from, `check` which check computes them. An empty cell expects nothing; the row
//! or column `*` stands for all. What a check computes beyond the cells is shown as a figure. A cell that its check does not
//! compute is a failure, unless the check says that something it needs is not installed.
//!
//! What a check measures (metrics, units, analyzers) are rows and columns of its tables as well. To add a paper, add a table whose
//! values an existing check computes; if none does, add a function that calls [`Report::value`], and a row of [`CHECKS`].
//!
//! Neither data nor golden values are part of the repository: `KO_EVAL_DATA` names the folder of the data, and `golden`
//! is beside it. Trained models go to `neural` under `KO_EVAL_HOME`, those of a rehearsal (`--every`) to `neural-rehearsal`.

mod checks;
mod context;
mod prelude;
mod report;
mod tables;
#[cfg(feature = "torch")]
mod trained;

use checks::*;
use clap::Parser;
use prelude::*;
use std::{process::ExitCode, time::Instant};

#[derive(Parser)]
#[command(about = "Compute published numbers again, and compare")]
struct Arguments {
    /// Only these checks [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Only what takes minutes and trains nothing
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    context: Context,
}

/// A check: its name, how long it takes, and what computes its values.
type Check = (&'static str, Effort, fn(&Context, &mut Report<'_>) -> Result<()>);

/// How long a check takes.
#[derive(PartialEq)]
enum Effort {
    /// Seconds to minutes.
    Quick,
    /// Many minutes, or hours where models are not trained yet.
    Long,
}
use Effort::{Long, Quick};

/// Every check that trains nothing.
const CHECKS: &[Check] = &[
    ("mecab", Quick, analyzers::run),
    ("khaiii", Quick, analyzers::run),
    ("analyzers", Quick, analyzers::run),
    ("bench", Quick, analyzers::run_bench),
    ("ngram", Quick, ngram::run),
    ("translations", Quick, translations::run),
    ("translations and COMET", Long, translations::run_all),
    ("levels", Quick, analyzers::run_levels),
    ("commongen", Quick, commongen::run),
    ("commongen study", Quick, commongen::run_study),
    ("units", Quick, units::run),
    ("meteor", Quick, units::run_meteor),
    ("all units", Long, units::run_all),
    ("register", Quick, register::run),
    ("probe", Long, probe::run),
];

/// After all trainings: trained models take part where they are.
const LAST: &[Check] = &[("paraphrases", Quick, paraphrases::run)];

#[cfg(feature = "torch")]
use trained::CHECKS as TRAINED;
#[cfg(not(feature = "torch"))]
const TRAINED: &[Check] = &[];

fn checks() -> impl Iterator<Item = &'static Check> {
    CHECKS.iter().chain(TRAINED).chain(LAST)
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The causes in order, one a line.
            error.chain().for_each(|cause| eprintln!("error: {cause}"));
            ExitCode::FAILURE
        }
    }
}

fn run(Arguments { names, quick, context }: &Arguments) -> Result<()> {
    let known: Vec<&str> = checks().map(|(name, ..)| *name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        let more = "those that train models need `--features torch`";
        bail!("unknown check `{name}`; known: {}; {more}", known.join(", "));
    }
    let tables = Table::load_all()?;
    let (mut found, mut failed) = (0, 0);
    for (name, effort, check) in checks() {
        let wanted = match names.is_empty() {
            true => !quick || *effort == Quick,
            false => names.iter().any(|wanted| wanted == name),
        };
        if wanted {
            let start = Instant::now();
            let mut report = Report::new(name, &tables);
            let outcome = check(context, &mut report);
            let findings = report.close(&outcome)?;
            found += findings.len();
            failed += findings.iter().filter(|finding| !finding.holds()).count();
            println!("        {name}: {:.1} s", start.elapsed().as_secs_f64());
        }
    }
    println!("{} of {found} findings ok", found - failed);
    ensure!(failed == 0, "{failed} findings failed");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "torch")]
    fn every_table_belongs_to_a_check() {
        for table in Table::load_all().unwrap() {
            for wanted in table.checks() {
                assert!(checks().any(|(name, ..)| *name == wanted), "{}: {wanted}", table.name);
            }
        }
    }
}
