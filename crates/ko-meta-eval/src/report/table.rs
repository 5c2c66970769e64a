//! Tables once, written as HTML that sorts, as Markdown and as CSV.

use super::{
    bars::duration,
    canvas::{escape, number},
    csv_of, full,
};
use crate::Result;

/// Rows under headings.
///
/// ```
/// use ko_meta_eval::report::{Entry, Table};
///
/// let mut table = Table::new("systems", "시스템", ["이름", "점수"]);
/// table.row([Entry::text("갑"), Entry::number(0.5163, 2)]);
/// assert!(table.markdown().contains("| 갑 | 0.52 |"));
/// assert!(String::from_utf8(table.csv()?)?.contains("갑,0.5163"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The name of its file.
    pub name: String,
    /// What stands above it.
    pub heading: String,
    note: String,
    columns: Vec<String>,
    rows: Vec<Vec<Entry>>,
}

/// What stands in a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The number to sort by, and for CSV.
    key: Option<f64>,
    shown: String,
    /// A text of several words, which may break.
    prose: bool,
}

impl Entry {
    /// A name.
    pub fn text(text: impl Into<String>) -> Self {
        Self { key: None, shown: text.into(), prose: false }
    }

    /// A sentence or more: its lines may break.
    pub fn prose(text: impl Into<String>) -> Self {
        Self { prose: true, ..Self::text(text) }
    }

    /// A number with so many decimals; in full in CSV.
    pub fn number(value: f64, decimals: usize) -> Self {
        Self::shown_as(value, format!("{value:.decimals$}").replace('-', "−"))
    }

    /// A number that is written in its own way.
    pub fn shown_as(value: f64, shown: impl Into<String>) -> Self {
        if !value.is_finite() {
            return Self::empty();
        }
        Self { key: Some(value), shown: shown.into(), prose: false }
    }

    /// How many.
    pub fn count(count: usize) -> Self {
        Self::shown_as(count as f64, count.to_string())
    }

    /// A coefficient, or nothing.
    pub fn coefficient(value: Option<f64>) -> Self {
        value.map_or_else(Self::empty, |v| Self::shown_as(v, number(v)))
    }

    /// A probability.
    pub fn probability(p: f64) -> Self {
        let shown =
            if p < 0.001 { format!("{p:.1e}").replace('-', "−") } else { format!("{p:.3}") };
        Self::shown_as(p, shown)
    }

    /// Seconds.
    pub fn duration(seconds: f64) -> Self {
        Self::shown_as(seconds, duration(seconds))
    }

    /// Nothing.
    pub fn empty() -> Self {
        Self { key: None, shown: String::new(), prose: false }
    }

    fn shown(&self) -> &str {
        if self.shown.is_empty() { "–" } else { &self.shown }
    }

    fn full(&self) -> String {
        self.key.map_or_else(|| self.shown.clone(), full)
    }
}

impl Table {
    /// No rows yet: the file's name, the heading, and the headings of the columns.
    pub fn new(
        name: impl Into<String>,
        heading: impl Into<String>,
        columns: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self {
            name: name.into(),
            heading: heading.into(),
            note: String::new(),
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// The same with a sentence above it.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// One more row.
    pub fn row(&mut self, entries: impl IntoIterator<Item = Entry>) {
        self.rows.push(entries.into_iter().collect());
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// A table that sorts when its headings are pressed.
    pub(super) fn html(&self) -> String {
        let numeric = |column: usize| {
            let mut entries = self.rows.iter().filter_map(|row| row.get(column));
            entries.any(|entry| entry.key.is_some())
        };
        let class = |column: usize, prose: bool| match (numeric(column), prose) {
            (true, _) => " class=\"n\"",
            (false, true) => " class=\"prose\"",
            (false, false) => "",
        };
        let mut out = String::new();
        if !self.note.is_empty() {
            out += &format!("<p class=\"soft\">{}</p>", escape(&self.note));
        }
        let heading = escape(&self.heading);
        out += &format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{heading}\"><table><thead><tr>"
        );
        for (number, column) in self.columns.iter().enumerate() {
            let (class, column) = (class(number, false), escape(column));
            out +=
                &format!("<th{class} scope=\"col\"><button type=\"button\">{column}</button></th>");
        }
        out += "</tr></thead><tbody>";
        for row in &self.rows {
            out += "<tr>";
            for (number, entry) in row.iter().enumerate() {
                let (class, shown) = (class(number, entry.prose), escape(entry.shown()));
                let key = match entry.key {
                    Some(key) => format!(" data-v=\"{key}\""),
                    None if entry.shown.is_empty() => " data-v=\"\"".to_owned(),
                    None => String::new(),
                };
                out += &format!("<td{class}{key}>{shown}</td>");
            }
            out += "</tr>";
        }
        out + "</tbody></table></div>"
    }

    /// For a document.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut out = format!("## {}\n\n", plain(&self.heading));
        if !self.note.is_empty() {
            out += &format!("{}\n\n", plain(&self.note));
        }
        out += &line(self.columns.iter().map(|c| plain(c)).collect());
        out += &line(vec!["---".to_owned(); self.columns.len()]);
        for row in &self.rows {
            out += &line(row.iter().map(|entry| plain(entry.shown())).collect());
        }
        out
    }

    /// For programs: numbers in full precision.
    ///
    /// # Errors
    /// None in practice: writing to memory.
    pub fn csv(&self) -> Result<Vec<u8>> {
        let mut rows = vec![self.columns.clone()];
        rows.extend(self.rows.iter().map(|row| row.iter().map(Entry::full).collect()));
        csv_of(&rows)
    }
}

/// Text that Markdown takes as it stands.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            '\\' | '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '#' | '&' => {
                out.extend(['\\', c]);
            }
            c => out.push(c),
        }
    }
    out
}
