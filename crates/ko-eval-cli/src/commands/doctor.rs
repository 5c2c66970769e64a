//! `ko-eval doctor`: what is said to be there is looked for, opened and asked.

use crate::{
    cli::Format,
    handover,
    models::{self, NoModels},
    output::{Cell, Report},
};
use anyhow::Result;
use ko_eval::{
    Signed,
    neural::libtorch,
    tokenize::{UnitEntry, morpheme::dictionary::MECAB_KO_DIC},
};
use ko_eval_setup::{RECIPES, Recipe, State, tools};
use serde_json::json;
use std::{env, path::Path};

/// Variables that name a file or a folder.
const PATHS: &[&str] = &["KHAIII_RESOURCE_DIR", "LIBTORCH", "JAVA_HOME", "KO_EVAL_JVM"];

/// What was looked at, and what was found or is missing.
type Check = (String, Result<String, String>);

pub(crate) fn run(format: Format) -> Result<()> {
    let home = ko_eval::home();
    let mut checks = vec![("folder".to_owned(), folder(&home))];
    checks.extend(PATHS.iter().filter_map(|name| named_by(name)));
    checks.extend(RECIPES.iter().map(|recipe| part(recipe, &home)));
    for row in ko_eval::UNITS.iter().filter(|row| row.argument.is_none()) {
        checks.push((format!("unit {}", row.name), unit(row)));
    }
    checks.push(("libtorch".to_owned(), torch()));
    checks.push(("models".to_owned(), models()));
    for (program, purpose, version) in tools::all() {
        let state = version.ok_or_else(|| format!("not found; it {purpose}"));
        checks.push((format!("program {program}"), state));
    }
    write(&checks, format)
}

/// Whether models run: in this program, or in the one that has libtorch.
fn models() -> Result<String, String> {
    let work = "bertscore, kosmic, rdass, embed and train work with model folders";
    match (models::devices(), handover::program()) {
        (Some(devices), _) => Ok(format!("{work}, on {devices}")),
        (None, Some(program)) => Ok(format!("{work}, by {}", program.display())),
        (None, None) => Err(NoModels.to_string()),
    }
}

fn write(checks: &[Check], format: Format) -> Result<()> {
    let rows = checks.iter().map(|(what, state)| {
        let (ready, text) = match state {
            Ok(text) => ("ready", text),
            Err(text) => ("missing", text),
        };
        vec![what.as_str().into(), Cell::Word(ready), text.as_str().into()]
    });
    Report {
        columns: ["what", "state", "details"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
        json: json!({ "checks": checks.iter().map(|(what, state)| json!({
            "what": what,
            "ready": state.is_ok(),
            "details": state.as_ref().unwrap_or_else(|text| text),
        })).collect::<Vec<_>>() }),
    }
    .write(format, None)
}

fn folder(home: &Path) -> Result<String, String> {
    match home.is_dir() {
        true => Ok(home.display().to_string()),
        false => Err(format!(
            "{} is no folder; the first `ko-eval setup` makes it (KO_EVAL_HOME names another)",
            home.display()
        )),
    }
}

/// Whether the path in a variable is one; none if the variable is not set.
fn named_by(name: &str) -> Option<Check> {
    let path = env::var_os(name).filter(|path| !path.is_empty())?;
    let text = Path::new(&path).display().to_string();
    let state = if Path::new(&path).exists() { Ok(text) } else { Err(format!("no {text}")) };
    Some((format!("variable {name}"), state))
}

/// Whether all files of a part are there; the units below tell whether they can be read.
fn part(recipe: &Recipe, home: &Path) -> Check {
    let state = match recipe.part.state(home) {
        State::Complete(_) => Ok(recipe.part.path(home).display().to_string()),
        State::Incomplete(missing) => Err(format!(
            "{} lacks {}; `{}` makes it again",
            recipe.part.path(home).display(),
            missing.join(", "),
            recipe.command()
        )),
        _ if recipe.part.name == "dictionary" && MECAB_KO_DIC.is_embedded() => {
            Ok("embedded in this program".to_owned())
        }
        _ => Err(format!("`{}` gets it ({} MB)", recipe.command(), recipe.megabytes())),
    };
    (format!("part {}", recipe.part.name), state)
}

/// The signature of what was built, or why it could not be.
fn unit(row: &UnitEntry) -> Result<String, String> {
    let built = ko_eval::unit(row.name);
    built
        .map(|unit| unit.signature().to_string())
        .map_err(|error| format!("{:#}", anyhow::Error::from(error)))
}

fn torch() -> Result<String, String> {
    let folder = libtorch::folder();
    let state = libtorch::check(&folder);
    state
        .map(|()| format!("{} in {}", libtorch::VERSION, folder.display()))
        .map_err(|error| format!("{:#}", anyhow::Error::from(error)))
}
