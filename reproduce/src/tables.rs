//! What is expected, as `tables/*.toml` says it.

use crate::prelude::*;

/// Stands for every row or every column.
const ALL: &str = "*";
/// The column of a table that has one.
pub(crate) const VALUE: &str = "value";

/// Where expected values come from.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    #[default]
    Printed,
    Bounds,
    Golden,
}

/// Cells by row and column, and where they come from.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Table {
    #[serde(skip)]
    pub(crate) kind: Kind,
    pub(crate) name: String,
    /// The paper, or the program with its version.
    #[serde(default)]
    source: String,
    /// The table or figure of the paper, or the golden file.
    #[serde(default)]
    pub(crate) place: String,
    /// The reason of a bound.
    #[serde(default)]
    why: String,
    check: String,
    /// Further checks that compute these columns of it; all if none is named.
    #[serde(default)]
    also: BTreeMap<String, Vec<String>>,
    /// Greatest relative error, where it is not the printed digits that must be equal.
    pub(crate) tolerance: Option<f64>,
    /// Each row is a finding of its own.
    #[serde(default)]
    by_row: bool,
    /// What is not installed is left out instead of failing.
    #[serde(default)]
    pub(crate) optional: bool,
    #[serde(default = "one_column")]
    columns: Vec<String>,
    pub(crate) rows: BTreeMap<String, Vec<String>>,
}

fn one_column() -> Vec<String> {
    vec![VALUE.to_owned()]
}

impl Table {
    /// Reads every file of `tables`, in the order of their names.
    pub(crate) fn load_all() -> Result<Vec<Self>> {
        let mut tables = Vec::new();
        for path in files(concat!(env!("CARGO_MANIFEST_DIR"), "/tables/*.toml").as_ref())? {
            let found = Self::parse(&read(&path)?);
            tables.extend(found.with_context(|| path.display().to_string())?);
        }
        Ok(tables)
    }

    fn parse(text: &str) -> Result<Vec<Self>> {
        let kinds: BTreeMap<Kind, Vec<Self>> = toml::from_str(text)?;
        let of_kind = |(kind, tables): (_, Vec<Self>)| {
            tables.into_iter().map(move |table| Self { kind, ..table })
        };
        let tables: Vec<Self> = kinds.into_iter().flat_map(of_kind).collect();
        for table in &tables {
            table.validate().with_context(|| format!("table `{}`", table.name))?;
        }
        Ok(tables)
    }

    fn validate(&self) -> Result<()> {
        let printed = !self.source.is_empty() && !self.place.is_empty();
        let told = if self.kind == Kind::Bounds { !self.why.is_empty() } else { printed };
        ensure!(told, "bounds need `why`, the others `source` and `place`");
        for (row, cells) in &self.rows {
            let (ours, columns) = (cells.len(), self.columns.len());
            ensure!(ours == columns, "row `{row}` has {ours} cells for {columns} columns");
            for cell in cells {
                self.holds(cell, 0.0).with_context(|| format!("row `{row}`"))?;
            }
        }
        Ok(())
    }

    /// Returns the checks that compute it.
    pub(crate) fn checks(&self) -> impl Iterator<Item = &str> {
        [&self.check].into_iter().chain(self.also.keys()).map(String::as_str)
    }

    /// Returns the name of the finding that a check's value in this row counts for.
    pub(crate) fn finding(&self, check: &str, row: &str) -> String {
        match (self.check == check, self.by_row) {
            (true, false) => self.name.clone(),
            (true, true) => format!("{}, {row}", self.name),
            (false, _) => format!("{check}: {}", self.name),
        }
    }

    /// Returns what is expected of a check there, empty if nothing is.
    pub(crate) fn cell(&self, check: &str, row: &str, column: &str) -> &str {
        let computed = self.also.get(check).filter(|columns| !columns.is_empty());
        if computed.is_some_and(|columns| columns.iter().all(|known| known != column)) {
            return "";
        }
        let place = |name: &str| self.columns.iter().position(|known| known == name);
        let cells = self.rows.get(row).or_else(|| self.rows.get(ALL));
        let cell = cells.zip(place(column).or_else(|| place(ALL)));
        cell.and_then(|(cells, place)| cells.get(place)).map_or("", String::as_str)
    }

    /// Returns the rows and columns that a check must compute.
    pub(crate) fn demands(&self, check: &str) -> Vec<(&str, &str)> {
        let columns = |row| self.columns.iter().map(move |column: &String| (row, column.as_str()));
        let all = self.rows.keys().flat_map(|row| columns(row.as_str()));
        let compared = all.filter(|(row, column)| {
            let cell = self.cell(check, row, column);
            let (one, decides) = (![row, column].contains(&&ALL), !cell.starts_with('~'));
            self.kind != Kind::Golden && one && decides && !cell.is_empty()
        });
        compared.collect()
    }

    /// Returns whether a value is what a cell expects, nothing if it expects nothing.
    pub(crate) fn holds(&self, cell: &str, value: f64) -> Result<Option<bool>> {
        Ok(match (self.kind, self.tolerance) {
            (Kind::Golden, _) => None,
            _ if cell.is_empty() || cell.starts_with('~') => None,
            (Kind::Bounds, _) => Some(in_bound(cell, value)?),
            (_, Some(tolerance)) => Some(relative_error(value, parse(cell)?) <= tolerance),
            (_, None) => Some(is_printed(cell, value)?),
        })
    }
}

fn parse(number: &str) -> Result<f64> {
    number.trim().parse().with_context(|| format!("not a number: `{number}`"))
}

/// Returns whether a value is printed so: equal once both are rounded to the printed digits.
pub(crate) fn is_printed(printed: &str, value: f64) -> Result<bool> {
    let digits = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    Ok(format!("{value:.digits$}") == format!("{:.digits$}", parse(printed)?))
}

/// Returns the relative error, absolute where the reference is 0.
pub(crate) fn relative_error(ours: f64, reference: f64) -> f64 {
    (ours - reference).abs() / if reference == 0.0 { 1.0 } else { reference.abs() }
}

fn in_bound(bound: &str, value: f64) -> Result<bool> {
    let (sign, number) = bound.split_once(' ').unwrap_or((bound, "0"));
    let number = parse(number)?;
    Ok(match sign {
        ">=" => value >= number,
        "<=" => value <= number,
        ">" => value > number,
        "finite" => value.is_finite(),
        _ => bail!("not a bound: `{bound}`; write `>= 0.5`, `<= 3`, `> 0` or `finite`"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_digits_as_printed_are_compared() {
        for (value, equal) in [(0.6664, true), (0.6666, false), (0.6656, true), (f64::NAN, false)] {
            assert_eq!(is_printed(".666", value).unwrap(), equal, "{value}");
        }
        assert!(is_printed("334", 334.0).unwrap());
        assert!(is_printed("twelve", 12.0).is_err());
    }

    #[test]
    fn bounds_exclude_what_is_not_a_number() {
        for bound in [">= 1", "> 0.5", "<= 1", "finite"] {
            assert!(
                in_bound(bound, 1.0).unwrap() && !in_bound(bound, f64::NAN).unwrap(),
                "{bound}"
            );
        }
        assert!(!in_bound("> 1", 1.0).unwrap() && !in_bound("<= 1", 1.5).unwrap());
        assert!(in_bound("0.5", 1.0).is_err());
    }

    #[test]
    fn a_table_says_what_it_lacks() {
        for (kind, rest, wanted) in [
            ("printed", "rows = { a = ['1'] }", "`source` and `place`"),
            ("bounds", "rows = { a = ['> 1'] }", "need `why`"),
            ("bounds", "why = 'x'\nrows = { a = ['1'] }", "not a bound"),
            ("bounds", "why = 'x'\nrows = { a = [] }", "0 cells"),
        ] {
            let table = Table::parse(&format!("[[{kind}]]\nname = 'x'\ncheck = 'x'\n{rest}"));
            let error = format!("{:#}", table.err().unwrap());
            assert!(error.contains(wanted), "{error}");
        }
    }
}
