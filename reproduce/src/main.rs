//! Published numbers computed again, and compared with what is printed.
//!
//! What is expected is data, `tables/*.toml`; [`Report`] compares it with what the checks compute,
//! in `checks` and, with the feature `torch`, by models that are trained first, in `trained`. A
//! table is one of three kinds:
//!
//! | kind | a cell holds | and is |
//! |---|---|---|
//! | `[[printed]]` | the digits as they are printed, `"29.24"` | equal to as many digits, or within `tolerance` (relative) |
//! | | `"~2.06"` | printed for another version or other texts: shown beside ours, not compared |
//! | `[[bounds]]` | `">= 0.84"`, `"<= 45"`, `"> 0"`, `"finite"` | our own demand, with its reason in `why`; nobody printed it |
//! | `[[golden]]` | the specification of ours and the field of the golden file | equal value by value |
//!
//! `source` and `place` say where numbers come from, `check` which check computes them. An empty
//! cell expects nothing; `*` stands for all rows or columns. What is computed beyond the cells is
//! shown as a figure. A cell that is not computed fails, unless something that its row needs is not
//! installed. The metrics, units and analyzers that a check measures are rows as well.
//!
//! To add a paper, add a table whose values an existing check computes; if none does, add a
//! function that calls [`Report::value`], and a row of [`CHECKS`].
//!
//! `KO_EVAL_DATA` names the folder of the data; golden values are in `golden` beside it. Trained
//! models go to `neural` under `KO_EVAL_HOME`, those of a rehearsal (`--every`) to
//! `neural-rehearsal`. None of this is part of the repository.

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

/// A check's name, and what computes its values.
type Check = (&'static str, fn(&Context, &mut Report<'_>) -> Result<()>);

/// What takes minutes and trains nothing.
const CHECKS: &[Check] = &[
    ("mecab", analyzers::run),
    ("khaiii", analyzers::run),
    ("analyzers", analyzers::run),
    ("bench", analyzers::run_bench),
    ("ngram", ngram::run),
    ("translations", translations::run),
    ("levels", analyzers::run_levels),
    ("commongen", commongen::run),
    ("commongen study", commongen::run_study),
    ("units", units::run),
    ("meteor", units::run_meteor),
    ("register", register::run),
];

/// What takes longer: slow analyzers, many probes.
const LONG: &[Check] = &[
    ("translations and COMET", translations::run_all),
    ("all units", units::run_all),
    ("probe", probe::run),
];

/// After all trainings: trained models take part where they are.
const LAST: &[Check] = &[("paraphrases", paraphrases::run)];

#[cfg(feature = "torch")]
use trained::CHECKS as TRAINED;
#[cfg(not(feature = "torch"))]
const TRAINED: &[Check] = &[];

/// All checks, each with whether it is quick.
fn checks() -> impl Iterator<Item = (&'static Check, bool)> {
    let parts = [(CHECKS, true), (LONG, false), (TRAINED, false), (LAST, true)];
    parts.into_iter().flat_map(|(part, quick)| part.iter().map(move |check| (check, quick)))
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
    let known: Vec<&str> = checks().map(|((name, _), _)| *name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        let more = "those that train models need `--features torch`";
        bail!("unknown check `{name}`; known: {}; {more}", known.join(", "));
    }
    let tables = Table::load_all()?;
    let (mut found, mut failed) = (0, 0);
    for ((name, check), is_quick) in checks() {
        if names.iter().any(|wanted| wanted == name) || names.is_empty() && (is_quick || !quick) {
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

#[cfg(all(test, feature = "torch"))]
mod tests {
    use super::*;

    #[test]
    fn every_table_belongs_to_a_check() {
        for table in Table::load_all().unwrap() {
            for wanted in table.checks() {
                assert!(checks().any(|((name, _), _)| *name == wanted), "{}: {wanted}", table.name);
            }
        }
    }
}
