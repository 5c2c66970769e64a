//! `ko-eval doctor`: every row of the registries is asked whether it works here.

use crate::{cli::Format, models::HOW_TO_GET_MODELS, output::Report};
use anyhow::Result;
use ko_eval::{Signed, neural::libtorch, tokenize::UnitEntry};
use serde_json::json;

pub(crate) fn run(format: Format) -> Result<()> {
    let mut checks = vec![("folder".to_owned(), Ok(ko_eval::home().display().to_string()))];
    for row in ko_eval::UNITS.iter().filter(|row| row.argument.is_none()) {
        checks.push((format!("unit {}", row.name), state(row)));
    }
    let libtorch = libtorch::folder();
    let state = libtorch::check(&libtorch);
    let state = state.map(|()| format!("{} in {}", libtorch::VERSION, libtorch.display()));
    checks.push((
        "libtorch".to_owned(),
        state.map_err(|error| format!("{:#}", anyhow::Error::from(error))),
    ));
    let models = if cfg!(feature = "torch") {
        Ok("bertscore, kosmic, rdass, embed and train work with model folders".to_owned())
    } else {
        Err(HOW_TO_GET_MODELS.to_owned())
    };
    checks.push(("models".to_owned(), models));
    let rows = checks.iter().map(|(what, state)| {
        let (ready, text) = match state {
            Ok(text) => ("ready", text),
            Err(text) => ("missing", text),
        };
        vec![what.as_str().into(), ready.into(), text.as_str().into()]
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

/// The signature of what was built, or why it could not be.
fn state(row: &UnitEntry) -> Result<String, String> {
    let built = ko_eval::unit(row.name);
    built
        .map(|unit| unit.signature().to_string())
        .map_err(|error| format!("{:#}", anyhow::Error::from(error)))
}
