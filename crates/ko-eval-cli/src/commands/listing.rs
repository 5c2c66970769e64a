//! `ko-eval metrics` and `ko-eval units`: the registries, as they are.

use crate::{
    cli::Format,
    output::{Cell, Report},
};
use anyhow::Result;
use ko_eval::Param;
use serde_json::{Value, json};

pub(crate) fn metrics(format: Format) -> Result<()> {
    let rows = ko_eval::METRICS.iter().map(|row| {
        let mut entry = described(row.params);
        entry["name"] = row.name.into();
        entry["summary"] = row.summary.into();
        entry["reference"] = row.reference.into();
        entry["argument"] = row.argument.into();
        entry["over_units"] = row.is_over_units().into();
        (vec![row.name, row.summary, row.reference], row.params, entry)
    });
    list(["metric", "what it measures", "equals"].to_vec(), "metrics", rows, format)
}

pub(crate) fn units(format: Format) -> Result<()> {
    let rows = ko_eval::UNITS.iter().map(|row| {
        let mut entry = described(row.params);
        entry["name"] = row.name.into();
        entry["summary"] = row.summary.into();
        entry["argument"] = row.argument.into();
        (vec![row.name, row.summary], row.params, entry)
    });
    list(["unit", "what a unit is"].to_vec(), "units", rows, format)
}

fn described(params: &[Param]) -> Value {
    let params: Vec<_> = params
        .iter()
        .map(|p| json!({
            "name": p.name, "default": p.default.to_string(), "values": p.expected(), "help": p.help,
        }))
        .collect();
    json!({ "params": params })
}

fn list<'a>(
    mut columns: Vec<&str>,
    key: &str,
    entries: impl Iterator<Item = (Vec<&'a str>, &'a [Param], Value)>,
    format: Format,
) -> Result<()> {
    columns.push("parameters");
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for (texts, params, value) in entries {
        let params: Vec<_> =
            params.iter().map(|p| format!("{}={}  {}", p.name, p.default, help(p))).collect();
        let mut cells: Vec<Cell> = texts.into_iter().map(Cell::from).collect();
        cells.push(params.join("\n").into());
        rows.push(cells);
        values.push(value);
    }
    let columns = columns.into_iter().map(str::to_owned).collect();
    Report { columns, rows, json: json!({ key: values }) }.write(format, None)
}

/// What a parameter does and which values it takes.
fn help(param: &Param) -> String {
    format!("{} ({})", param.help, param.expected())
}
