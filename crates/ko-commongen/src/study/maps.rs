//! Metric × metric, and metric × criterion: how they rise and fall together, with the probability of that by chance.

use ko_meta_eval::{
    Correlation, Estimate,
    report::{Figure, HeatCell, HeatMap},
};
use serde::{Deserialize, Serialize};

/// Coefficients of rows with columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CorrelationMap {
    /// Which coefficient.
    pub correlation: Correlation,
    /// The names of the rows.
    pub rows: Vec<String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// `cells[row][column]`; none where a side does not vary.
    pub cells: Vec<Vec<Option<Estimate>>>,
}

/// Values with a name.
pub(super) type Named<'v> = (&'v str, &'v [f64]);

impl CorrelationMap {
    /// Every row with every column, over the same segments.
    pub(super) fn of(correlation: Correlation, rows: &[Named<'_>], columns: &[Named<'_>]) -> Self {
        let cell = |x: &[f64], y: &[f64]| correlation.of(x, y).ok();
        let names = |list: &[Named<'_>]| list.iter().map(|(name, _)| (*name).to_owned()).collect();
        let row = |(_, x): &Named<'_>| columns.iter().map(|(_, y)| cell(x, y)).collect();
        Self {
            correlation,
            rows: names(rows),
            columns: names(columns),
            cells: rows.iter().map(row).collect(),
        }
    }

    /// The coefficient of a row with a column, by their names.
    pub fn get(&self, row: &str, column: &str) -> Option<Estimate> {
        let row = self.rows.iter().position(|name| name == row)?;
        let column = self.columns.iter().position(|name| name == column)?;
        *self.cells.get(row)?.get(column)?
    }

    pub(super) fn draw(&self, name: &str, title: &str, columns: &[String]) -> Option<Figure> {
        let mut map = HeatMap::new(name, title, &self.rows, columns);
        for (row, cells) in self.cells.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                // A metric with itself says nothing.
                let itself = self.rows.get(row) == self.columns.get(column);
                if let Some(estimate) = cell.filter(|_| !itself) {
                    map.cell(row, column, HeatCell::new(estimate.value).p_value(estimate.p_value));
                }
            }
        }
        map.draw()
    }
}
