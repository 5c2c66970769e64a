//! `ko-eval metrics` and `ko-eval units`: the registries, as they are.

use crate::{
    cli::Format,
    lang::fill,
    output::{self, Cell, Report, hanging, width},
};
use anyhow::Result;
use ko_eval::Param;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

pub(crate) fn metrics(format: Format) -> Result<()> {
    let rows = ko_eval::METRICS.iter().map(|row| {
        let mut entry = described(row.params);
        entry["name"] = row.name.into();
        entry["summary"] = row.summary.into();
        entry["reference"] = row.reference.into();
        entry["argument"] = row.argument.map(|argument| argument.name).into();
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
        entry["argument"] = row.argument.map(|argument| argument.name).into();
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
    if format == Format::Table {
        return output::print(described_lines(entries, width()).as_bytes());
    }
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

/// Where the texts of a list begin.
const INDENT: usize = 22;

/// An entry after the other: its name, what it is, and a line per parameter.
fn described_lines<'a>(
    entries: impl Iterator<Item = (Vec<&'a str>, &'a [Param], Value)>,
    width: usize,
) -> String {
    let mut text = String::new();
    for (texts, params, _) in entries {
        let mut texts = texts.into_iter();
        let name = texts.next().unwrap_or_default();
        item(&mut text, name, texts.next().unwrap_or_default(), width);
        if let Some(reference) = texts.next().filter(|reference| !reference.is_empty()) {
            item(&mut text, "", &fill("equals {0}", &[reference]), width);
        }
        for param in params {
            item(&mut text, &format!("  {}={}", param.name, param.default), &help(param), width);
        }
        text.push('\n');
    }
    text.pop();
    text
}

/// A name, and what it is beside it, or below a name that is too long.
fn item(text: &mut String, name: &str, what: &str, width: usize) {
    if name.width() + 2 > INDENT {
        hanging(text, "  ", name.trim_start(), width);
        hanging(text, &" ".repeat(INDENT), what, width);
    } else {
        hanging(text, &format!("{name}{}", " ".repeat(INDENT - name.width())), what, width);
    }
}

/// What a parameter does and which values it takes.
fn help(param: &Param) -> String {
    format!("{} ({})", param.help, param.expected())
}
