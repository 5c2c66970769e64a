//! Tables that fit the terminal: signatures are numbered and stand below, remarks are footnotes.

use super::{Cell, Report};
use crate::lang::tr;
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// A line above, below, and under the header.
const LINES: TableStyle = TableStyle::new()
    .top_border(LineStyle::new('─', '─', '─', '─'))
    .header_separator(LineStyle::new('─', '─', '─', '─'))
    .bottom_border(LineStyle::new('─', '─', '─', '─'));

/// What a table takes where nobody says how wide the terminal is.
const USUAL_WIDTH: usize = 80;
/// Narrower columns than this are no longer read as columns.
const NARROW: usize = 7;

/// How many columns a line has: what `COLUMNS` says, else the terminal, else 80.
pub(crate) fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let told = told.or_else(|| Table::new().width().map(usize::from));
    told.filter(|width| *width >= 20).unwrap_or(USUAL_WIDTH)
}

/// What stands below a table: each text once, called by its number or its mark.
#[derive(Default)]
struct Below {
    files: Vec<String>,
    signatures: Vec<String>,
    notes: Vec<String>,
}

impl Below {
    fn of(report: &Report) -> Self {
        let mut files: Vec<String> = report.rows.iter().flatten().filter_map(file).collect();
        files.sort_unstable();
        files.dedup();
        Self { files, ..Self::default() }
    }

    /// The cell as it stands in the table.
    fn shown(&mut self, cell: &Cell) -> String {
        match cell {
            Cell::Text(text) => text.clone(),
            Cell::File(path) => end_of(path, &self.files).to_owned(),
            Cell::Word(word) => tr(word).to_owned(),
            Cell::Number(number) => format!("{number:.4}"),
            Cell::Signature(text) => format!("[{}]", place(&mut self.signatures, text) + 1),
            Cell::Noted(cell, notes) => {
                let mut shown = self.shown(cell);
                for note in notes {
                    shown += &mark(place(&mut self.notes, note));
                }
                shown
            }
            Cell::Empty => String::new(),
        }
    }

    fn write(&self, text: &mut String, width: usize) {
        for (number, signature) in self.signatures.iter().enumerate() {
            hanging(text, &format!("[{}] ", number + 1), signature, width);
        }
        for (number, note) in self.notes.iter().enumerate() {
            hanging(text, &format!("{} ", mark(number)), note, width);
        }
    }
}

fn file(cell: &Cell) -> Option<String> {
    match cell {
        Cell::File(path) => Some(path.clone()),
        Cell::Noted(cell, _) => file(cell),
        _ => None,
    }
}

/// As much of a path's end as no other of the files has.
fn end_of<'p>(path: &'p str, files: &[String]) -> &'p str {
    let has_end = |file: &String, end: &str| {
        file.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
    };
    let starts = path.rmatch_indices(['/', '\\']).map(|(at, slash)| at + slash.len());
    let mut ends = starts.filter_map(|start| path.get(start..)).filter(|end| !end.is_empty());
    let alone = |end: &&str| files.iter().filter(|file| has_end(file, end)).count() < 2;
    ends.find(alone).unwrap_or(path)
}

/// Where a text stands in the list, to which it is added if it is new.
fn place(list: &mut Vec<String>, text: &str) -> usize {
    match list.iter().position(|known| known == text) {
        Some(place) => place,
        None => {
            list.push(text.to_owned());
            list.len() - 1
        }
    }
}

/// `*`, `†`, `‡`, then numbers.
fn mark(number: usize) -> String {
    match ["*", "†", "‡", "§"].get(number) {
        Some(mark) => (*mark).to_owned(),
        None => format!("*{}", number + 1),
    }
}

pub(super) fn render(report: &Report, width: usize) -> String {
    let mut below = Below::of(report);
    let columns: Vec<&str> = report.columns.iter().map(|column| tr(column)).collect();
    let rows: Vec<Vec<String>> =
        report.rows.iter().map(|row| row.iter().map(|cell| below.shown(cell)).collect()).collect();
    let mut text = if is_too_narrow(&columns, &rows, width) {
        records(&columns, &rows, width)
    } else {
        grid(report, &columns, &rows, width)
    };
    below.write(&mut text, width);
    text
}

/// How wide each column is where nothing has to be broken.
fn natural_widths(columns: &[&str], rows: &[Vec<String>]) -> Vec<usize> {
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(String::as_str);
        let lines = cells.chain(columns.get(column).copied()).flat_map(str::lines);
        lines.map(UnicodeWidthStr::width).max().unwrap_or(0)
    };
    (0..columns.len()).map(widest).collect()
}

/// Whether so many columns cannot stand side by side: what does not fit has to be broken, and too often.
fn is_too_narrow(columns: &[&str], rows: &[Vec<String>], width: usize) -> bool {
    let natural = natural_widths(columns, rows);
    let whole: usize = natural.iter().map(|width| width + 2).sum();
    let least: usize = natural.iter().map(|width| (*width).min(NARROW + 3) + 2).sum();
    whole > width && least > width
}

fn grid(report: &Report, columns: &[&str], rows: &[Vec<String>], width: usize) -> String {
    let mut table = Table::new();
    table.load_style(LINES).set_header(columns);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    for (cells, shown) in report.rows.iter().zip(rows) {
        table.add_row(cells.iter().zip(shown).map(|(cell, shown)| {
            let right = is_number(cell);
            let cell = comfy_table::Cell::new(shown);
            if right { cell.set_alignment(CellAlignment::Right) } else { cell }
        }));
    }
    // Columns stand three apart where there is room, and two where there is not.
    let whole: usize = natural_widths(columns, rows).iter().map(|width| width + 3).sum();
    // The first column stands one from the edge.
    if whole >= width {
        table.column_iter_mut().for_each(|column| {
            column.set_padding((0, 1));
        });
    }
    let lines = table.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

fn is_number(cell: &Cell) -> bool {
    match cell {
        Cell::Number(_) => true,
        Cell::Noted(cell, _) => is_number(cell),
        Cell::Text(_) | Cell::File(_) | Cell::Word(_) | Cell::Signature(_) | Cell::Empty => false,
    }
}

/// A row after the other, a line per cell.
fn records(columns: &[&str], rows: &[Vec<String>], width: usize) -> String {
    let name = columns.iter().map(|column| column.width()).max().unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        text += &"─".repeat(width);
        text.push('\n');
        for (column, cell) in columns.iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
            let pad = " ".repeat(name - column.width());
            hanging(&mut text, &format!("{column}{pad}  "), cell, width);
        }
    }
    text + &"─".repeat(width) + "\n"
}

/// Lines that begin with `head`, what follows the first standing under its end.
pub(crate) fn hanging(text: &mut String, head: &str, body: &str, width: usize) {
    let indent = head.width();
    let mut lines =
        body.lines().flat_map(|line| wrapped(line, width.saturating_sub(indent).max(10)));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{head}{}", lines.next().unwrap_or_default());
    for line in lines {
        let _ = writeln!(text, "{}{line}", " ".repeat(indent));
    }
}

/// A text in lines of at most `width` columns: broken at spaces, or after `|`, `,` and `/` where a word alone is longer.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in pieces(text, width) {
        let fits = lines.last().is_some_and(|line| {
            line.is_empty() || line.width() + piece.trim_end().width() <= width
        });
        match lines.last_mut() {
            Some(line) if fits => line.push_str(&piece),
            _ => lines.push(piece),
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// What a line may be broken between.
fn pieces(text: &str, width: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    for word in text.split_inclusive(' ') {
        if word.trim_end().width() <= width {
            pieces.push(word.to_owned());
            continue;
        }
        for part in word.split_inclusive(['|', ',', '/']) {
            let mut piece = String::new();
            for letter in part.chars() {
                if piece.width() >= width {
                    pieces.push(std::mem::take(&mut piece));
                }
                piece.push(letter);
            }
            pieces.push(piece);
        }
    }
    pieces
}

/// The same as a table of Markdown.
pub(super) fn markdown(report: &Report) -> String {
    let mut below = Below::of(report);
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace('\n', "<br>");
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(report.columns.iter().map(|column| escaped(tr(column))).collect());
    let is_right = |column: usize| {
        let cells: Vec<&Cell> = report.rows.iter().filter_map(|row| row.get(column)).collect();
        cells.iter().any(|cell| is_number(cell))
    };
    let rules = (0..report.columns.len()).map(|c| if is_right(c) { "---:" } else { "---" });
    text += &line(rules.map(str::to_owned).collect());
    for row in &report.rows {
        text += &line(row.iter().map(|cell| escaped(&below.shown(cell))).collect());
    }
    for (number, signature) in below.signatures.iter().enumerate() {
        let _ = write!(text, "\n[{}] `{signature}`\n", number + 1);
    }
    for (number, note) in below.notes.iter().enumerate() {
        let _ = write!(text, "\n{} {}\n", mark(number).replace('*', "\\*"), escaped(note));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_their_ends() {
        let files = ["runs/1/out.txt", "runs/2/out.txt", "ref.txt", "out"].map(str::to_owned);
        let shown = files.each_ref().map(|path| end_of(path, &files));
        assert_eq!(shown, ["1/out.txt", "2/out.txt", "ref.txt", "out"]);
        assert_eq!(end_of("a/b.txt", &["a/b.txt".to_owned(), "b.txt".to_owned()]), "a/b.txt");
        assert_eq!(end_of("far/away/ab.txt", &["b.txt".to_owned()]), "ab.txt");
    }

    #[test]
    fn headers_stay_whole_where_they_fit() {
        let columns = ["metric", "unit", "system", "signature"];
        let row = columns.map(|column| column.to_uppercase()).to_vec();
        let report = Report {
            columns: columns.map(str::to_owned).to_vec(),
            rows: vec![row.iter().cloned().map(Cell::from).collect()],
            json: serde_json::Value::Null,
        };
        for width in 36..50 {
            let text = grid(&report, &columns, std::slice::from_ref(&row), width);
            assert!(columns.iter().all(|column| text.contains(column)), "{width}:\n{text}");
        }
    }

    #[test]
    fn long_lines_are_broken_where_they_may_be() {
        assert_eq!(wrapped("하나 둘 셋", 7), ["하나 둘", "셋"]);
        assert_eq!(wrapped("BLEU|nrefs:1|tok:char", 13), ["BLEU|nrefs:1|", "tok:char"]);
        assert_eq!(wrapped("abcdef", 4), ["abcd", "ef"]);
        assert_eq!(wrapped("", 10), [""]);
    }
}
