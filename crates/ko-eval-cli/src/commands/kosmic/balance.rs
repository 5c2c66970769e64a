//! `ko-eval kosmic --check-balance`: is a benchmark built as KTSEval1k is? No model is needed.

use crate::output::{Cell, OutputArgs, Report};
use anyhow::Result;
use ko_eval::{
    meta::balance::{Balance, Fault, RatedItem, Required, measure},
    neural::read::{JudgedPair, Tone, judged_pairs_tsv},
};
use serde_json::json;
use std::{
    fmt,
    path::{Path, PathBuf},
};

#[derive(Debug, clap::Args)]
pub(super) struct BalanceArgs {
    /// Check whether a benchmark of pairs is built as KTSEval1k is: as many pairs of each formality, enough judges,
    /// judges who agree. A table with the columns sentence1, sentence2, formality1, formality2, and a column
    /// judge… per judge; no model is needed
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["sts", "fic", "csl", "first", "methods", "evaluate", "evaluate_tone", "tune", "weights",
                                "ModelArgs"])]
    pub(super) check_balance: Option<PathBuf>,
    /// The fewest judges of a pair
    #[arg(long, value_name = "N", default_value_t = Required::default().judges, requires = "check_balance")]
    judges: usize,
    /// The least agreement of the judges, by Krippendorff's alpha over intervals
    #[arg(long, value_name = "X", default_value_t = Required::default().agreement, value_parser = finite, requires = "check_balance")]
    agreement: f64,
    /// By how much of its equal share the number of pairs of one formality may differ
    #[arg(long, value_name = "X", default_value_t = Required::default().deviation, value_parser = finite, requires = "check_balance")]
    deviation: f64,
}

/// Nothing is above or below NaN, so no benchmark would have a fault.
fn finite(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "expected a number".to_owned())
}

/// The formality of a pair, first sentence first.
const KINDS: [&str; 4] =
    ["formal, formal", "formal, informal", "informal, formal", "informal, informal"];

fn kind(tones: (Tone, Tone)) -> &'static str {
    let [both, formal, informal, neither] = KINDS;
    match tones {
        (Tone::Formal, Tone::Formal) => both,
        (Tone::Formal, Tone::Informal) => formal,
        (Tone::Informal, Tone::Formal) => informal,
        (Tone::Informal, Tone::Informal) => neither,
    }
}

/// A benchmark lacks what was required.
#[derive(Debug)]
pub(crate) struct Unbalanced(Vec<Fault>);

impl fmt::Display for Unbalanced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults: Vec<String> = self.0.iter().map(Fault::to_string).collect();
        write!(f, "the benchmark is not balanced: {}", faults.join("; "))
    }
}

impl std::error::Error for Unbalanced {}

pub(super) fn run(path: &Path, args: &BalanceArgs, output: &OutputArgs) -> Result<()> {
    let rated =
        |pair: JudgedPair| RatedItem { kind: kind(pair.tones).to_owned(), ratings: pair.ratings };
    let items: Vec<RatedItem> = judged_pairs_tsv(path)?.into_iter().map(rated).collect();
    if items.is_empty() {
        return Err(ko_eval::Error::EmptyCorpus.into());
    }
    let balance = measure(&items, &KINDS)?;
    let BalanceArgs { judges, agreement, deviation, .. } = *args;
    let faults = balance.faults(&Required { deviation, judges, agreement });
    output.write(&report(&balance, &faults, args)?)?;
    if faults.is_empty() { Ok(()) } else { Err(Unbalanced(faults).into()) }
}

fn report(balance: &Balance, faults: &[Fault], args: &BalanceArgs) -> Result<Report> {
    let row = |what: &str, value: Cell, wanted: f64, holds: bool| {
        vec![what.into(), value, wanted.into(), Cell::Word(if holds { "yes" } else { "no" })]
    };
    let is_even = |kind: &str| {
        !faults.iter().any(|fault| matches!(fault, Fault::Uneven { kind: of, .. } if of == kind))
    };
    let mut rows: Vec<Vec<Cell>> = balance
        .kinds
        .iter()
        .map(|kind| {
            let what = format!("share of pairs: {}", kind.kind);
            row(&what, kind.share.into(), balance.equal_share(), is_even(&kind.kind))
        })
        .collect();
    let enough = balance.fewest_judges >= args.judges;
    let judges = balance.fewest_judges as f64;
    rows.push(row("fewest judges of a pair", judges.into(), args.judges as f64, enough));
    let agrees = balance.agreement.is_some_and(|alpha| alpha >= args.agreement);
    let alpha = balance.agreement.map_or(Cell::Empty, Cell::from);
    rows.push(row("Krippendorff's alpha", alpha, args.agreement, agrees));
    let columns = ["what", "value", "expected", "holds"];
    let mut json = serde_json::to_value(balance)?;
    json["faults"] = json!(faults.iter().map(Fault::to_string).collect::<Vec<_>>());
    Ok(Report { columns: columns.map(str::to_owned).to_vec(), rows, json })
}
