//! `ko-eval setup`: what is too large for a crate, fetched, verified and put into one folder.

use crate::{
    cli::{Format, offline},
    output::{self, Cell, Report},
    progress::Shown,
};
use anyhow::{Result, bail};
use clap::builder::PossibleValuesParser;
use ko_eval::{
    Progress,
    tokenize::morpheme::dictionary::{self, MECAB_KO_DIC, Release},
};
use ko_eval_setup::{Error, Licence, Lines, Outcome, RECIPES, Recipe, Setup, State};
use serde_json::json;
use std::{
    env,
    io::{IsTerminal, stderr},
    path::Path,
};

/// Every part that can be had.
const ALL: &str = "all";
const LIBTORCH: &str = "libtorch";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to install
    #[arg(
        value_name = "PART",
        default_value = "dictionary",
        value_parser = PossibleValuesParser::new(RECIPES.iter().map(|recipe| recipe.part.name).chain([ALL]))
    )]
    parts: Vec<String>,
    /// Accept the GPL-3, which konlpy's analyzers are under
    #[arg(long)]
    accept_gpl: bool,
    /// Only list the parts, what each is for, how much is fetched, and whether it is there
    #[arg(long)]
    list: bool,
    /// Print the variables that programs built with libtorch need, as NAME=VALUE lines
    #[arg(long, conflicts_with = "list")]
    env: bool,
    /// How the list is written
    #[arg(long, value_enum, default_value_t, requires = "list")]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.list {
        return list(args.format);
    }
    let shown = shown();
    let mut setup = Setup::new(&convert).progress(&*shown).offline(offline());
    if args.accept_gpl {
        setup = setup.accept(Licence::Gpl3);
    }
    if args.env {
        let outcome = setup.install(LIBTORCH)?;
        drop(shown);
        return output::print(variables(outcome.folder())?.as_bytes());
    }
    if !args.parts.iter().any(|part| part == ALL) {
        let mut told = String::new();
        for part in &args.parts {
            told += &tell(part, &setup.install(part)?);
        }
        drop(shown);
        return output::print(told.as_bytes());
    }
    let (mut told, mut failed) = (String::new(), Vec::new());
    for part in RECIPES.iter().map(|recipe| recipe.part.name) {
        match setup.install(part) {
            Ok(outcome) => told += &tell(part, &outcome),
            // Neither is a failure of "all that can be had".
            Err(error @ (Error::Licence { .. } | Error::WrongMachine { .. })) => {
                told += &format!("{part} is left out: {error}\n");
            }
            Err(error) => {
                told += &format!("{part} is not there: {error}\n");
                failed.push(part);
            }
        }
    }
    drop(shown);
    output::print(told.as_bytes())?;
    match failed.as_slice() {
        [] => Ok(()),
        _ => bail!("not set up: {}", failed.join(", ")),
    }
}

/// Sets up mecab-ko-dic where a unit asks for it and no one has: a provider for the tokenizers.
///
/// # Errors
/// What set-up cannot fetch, verify or write.
pub(crate) fn provide(
    release: &Release,
) -> Result<(), Box<dyn std::error::Error + Send + Sync + 'static>> {
    if *release == MECAB_KO_DIC {
        Setup::new(&convert).progress(&*shown()).install("dictionary")?;
    }
    Ok(())
}

/// Progress that is dropped before an error is shown, so that no bar hides what pip says.
fn shown() -> Box<dyn Progress> {
    match stderr().is_terminal() {
        true => Box::new(Shown::new()),
        false => Box::new(Lines::new(|line| eprintln!("ko-eval: {line}"))),
    }
}

/// Where libtorch is, for builds and programs, and what keeps it from instructions that this processor lacks.
fn variables(libtorch: &Path) -> Result<String> {
    let search = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let others = env::split_paths(&search).filter(|path| !path.as_os_str().is_empty());
    let search = env::join_paths([libtorch.join("lib")].into_iter().chain(others))?;
    let mut lines =
        format!("LIBTORCH={}\nLD_LIBRARY_PATH={}\n", libtorch.display(), search.to_string_lossy());
    lines.extend(ko_eval::amx_workaround().map(|(name, value)| format!("{name}={value}\n")));
    Ok(lines)
}

/// What the library converts, here and now.
fn convert(
    source: &Path,
    target: &Path,
    version: &str,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    dictionary::build(source, target, MECAB_KO_DIC.name, version)?;
    Ok(())
}

/// Where a part is, and what to do with it.
fn tell(part: &str, outcome: &Outcome) -> String {
    let folder = outcome.folder().display();
    let now = match outcome {
        Outcome::Found(_) => "is",
        Outcome::Made(_) => "is now",
    };
    let next = match part {
        LIBTORCH => {
            format!("  to build with it: LIBTORCH={folder} cargo install ko-eval-torch\n")
        }
        _ => String::new(),
    };
    format!("{part} {now} in {folder}\n{next}")
}

fn list(format: Format) -> Result<()> {
    let home = ko_eval::home();
    let state = |recipe: &Recipe| match recipe.part.state(&home) {
        State::Complete(_) => "ready",
        _ => "missing",
    };
    let rows = RECIPES.iter().map(|recipe| -> Vec<Cell> {
        vec![
            recipe.part.name.into(),
            state(recipe).into(),
            format!("{} MB", recipe.megabytes()).into(),
            recipe.part.summary.into(),
        ]
    });
    Report {
        columns: ["part", "state", "fetched", "what it is"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
        json: json!({ "parts": RECIPES.iter().map(|recipe| json!({
            "part": recipe.part.name,
            "ready": state(recipe) == "ready",
            "megabytes": recipe.megabytes(),
            "folder": recipe.part.path(&home),
            "summary": recipe.part.summary,
            "get": recipe.command(),
        })).collect::<Vec<_>>() }),
    }
    .write(format, None)
}
