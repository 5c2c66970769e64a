//! A value of a table that Arrow holds, as JSON and as a cell.

use crate::output::Cell;
use anyhow::Result;
use ko_eval_datafusion::datafusion::arrow::{
    array::{Array, AsArray},
    compute::cast,
    datatypes::{DataType, Float64Type, Int64Type, UInt64Type},
    util::display::array_value_to_string,
};
use serde_json::Value;

/// The value in a row of a column.
pub(super) fn value(column: &dyn Array, row: usize) -> Result<Value> {
    if column.is_null(row) {
        return Ok(Value::Null);
    }
    Ok(match column.data_type() {
        DataType::Boolean => column.as_boolean().value(row).into(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).into(),
        kind if kind.is_integer() => cast(&column.slice(row, 1), &DataType::Int64)?
            .as_primitive::<Int64Type>()
            .value(0)
            .into(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into(),
        kind if kind.is_floating() => cast(&column.slice(row, 1), &DataType::Float64)?
            .as_primitive::<Float64Type>()
            .value(0)
            .into(),
        DataType::Struct(fields) => {
            let parts = column.as_struct();
            let parts = fields
                .iter()
                .zip(parts.columns())
                .map(|(field, part)| Ok((field.name().clone(), value(part, row)?)));
            Value::Object(parts.collect::<Result<_>>()?)
        }
        DataType::List(_) => {
            let list = column.as_list::<i32>().value(row);
            Value::Array((0..list.len()).map(|place| value(&list, place)).collect::<Result<_>>()?)
        }
        // Texts of every kind, dates, and what else there is.
        _ => array_value_to_string(column, row)?.into(),
    })
}

/// The same for a table.
pub(super) fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Empty,
        Value::Number(number) if number.is_f64() => {
            number.as_f64().map_or(Cell::Empty, Cell::Number)
        }
        Value::String(text) => Cell::Text(text.clone()),
        other => Cell::Text(other.to_string()),
    }
}
