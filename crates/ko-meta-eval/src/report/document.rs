//! A page of sections, its figures and tables as files beside it.

use super::{Figure, Language, Table, canvas::escape, table::plain, theme::page_style};
use crate::Result;
use ko_eval_io::{files::write_atomically, html::Page};
use std::path::{Path, PathBuf};

/// Sorts a table by the heading that was pressed; empty cells stay below.
const SCRIPT: &str = include_str!("document/sort.js");

/// A report: a title, a few sentences, and sections.
///
/// | file | what |
/// |---|---|
/// | `report.html` | everything, in one file that needs nothing else; light and dark, on any width |
/// | `report.md` | the tables |
/// | `figures/*.svg`, `figures/*.csv` | each figure with literal colours, and the numbers that it shows |
/// | `tables/*.csv` | each table in full precision |
///
/// ```
/// use ko_meta_eval::report::{Document, Entry, Language, Section, Table};
///
/// let mut table = Table::new("kappa", "평가자 일치도", ["기준", "κ"]);
/// table.row([Entry::text("문법"), Entry::number(0.3444, 4)]);
/// let document = Document::new("사람의 평가", Language::Korean)
///     .lead("세 사람이 0점부터 2점까지 매겼다.")
///     .section(Section::new("일치도").table(table));
/// assert!(document.html().contains("<html lang=\"ko\">"));
/// ```
#[derive(Debug, Clone)]
pub struct Document {
    title: String,
    language: Language,
    lead: Vec<(&'static str, String)>,
    sections: Vec<Section>,
}

/// A heading, a text, figures and tables.
#[derive(Debug, Clone, Default)]
pub struct Section {
    heading: String,
    text: String,
    figures: Vec<Figure>,
    tables: Vec<Table>,
    cases: Vec<Case>,
}

/// A text with what is said of it: one of the best or worst outputs, say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Case {
    /// What it is.
    pub title: String,
    /// The text itself.
    pub text: String,
    /// What it is compared with, a name and a text each.
    pub beside: Vec<(String, String)>,
    /// What is said of it, a name, a value and a remark each.
    pub figures: Vec<(String, String, String)>,
}

impl Section {
    /// An empty section.
    pub fn new(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), ..Self::default() }
    }

    /// The same with a text below its heading.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    /// The same with more figures, beside each other where there is room.
    #[must_use]
    pub fn figures(mut self, figures: impl IntoIterator<Item = Figure>) -> Self {
        self.figures.extend(figures);
        self
    }

    /// The same with one more table; an empty one is left out.
    #[must_use]
    pub fn table(mut self, table: Table) -> Self {
        if !table.is_empty() {
            self.tables.push(table);
        }
        self
    }

    /// The same with texts and what is said of them.
    #[must_use]
    pub fn cases(mut self, cases: impl IntoIterator<Item = Case>) -> Self {
        self.cases.extend(cases);
        self
    }

    fn is_empty(&self) -> bool {
        self.figures.is_empty() && self.tables.is_empty() && self.cases.is_empty()
    }

    fn html(&self, number: usize) -> String {
        let heading = escape(&self.heading);
        let mut out =
            format!("<section aria-labelledby=\"s{number}\"><h2 id=\"s{number}\">{heading}</h2>\n");
        if !self.text.is_empty() {
            out += &format!("<p class=\"soft\">{}</p>\n", escape(&self.text));
        }
        if !self.figures.is_empty() {
            let figures: String = self.figures.iter().map(Figure::inline).collect();
            out += &format!("<div class=\"row\">{figures}</div>\n");
        }
        for table in &self.tables {
            if table.heading != self.heading {
                out += &format!("<h3>{}</h3>", escape(&table.heading));
            }
            out += &format!("{}\n", table.html());
        }
        if !self.cases.is_empty() {
            let cases: String = self.cases.iter().map(Case::html).collect();
            out += &format!("<div class=\"cases\">{cases}</div>\n");
        }
        out + "</section>\n"
    }
}

impl Case {
    fn html(&self) -> String {
        let mut out = format!(
            "<article aria-label=\"{0}\"><h3>{0}</h3><p class=\"said\">{1}</p>",
            escape(&self.title),
            escape(&self.text)
        );
        out += "<dl class=\"beside\">";
        for (name, text) in &self.beside {
            out += &format!("<dt>{}</dt><dd>{}</dd>", escape(name), escape(text));
        }
        out += "</dl><ul>";
        for (name, value, remark) in &self.figures {
            let [name, value, remark] = [name, value, remark].map(|text| escape(text));
            out += &format!("<li><span>{name}</span> <b>{value}</b> <small>{remark}</small></li>");
        }
        out + "</ul></article>\n"
    }

    fn markdown(&self) -> String {
        let mut out = format!("### {}\n\n{}\n\n", plain(&self.title), plain(&self.text));
        for (name, text) in &self.beside {
            out += &format!("- {}: {}\n", plain(name), plain(text));
        }
        for (name, value, remark) in &self.figures {
            out += &format!("- {}: {} {}\n", plain(name), plain(value), plain(remark));
        }
        out
    }
}

impl Document {
    /// A document without sections.
    pub fn new(title: impl Into<String>, language: Language) -> Self {
        Self { title: title.into(), language, lead: Vec::new(), sections: Vec::new() }
    }

    /// The same with a sentence at its head: the answer.
    #[must_use]
    pub fn lead(mut self, text: impl Into<String>) -> Self {
        self.lead.push(("lead", text.into()));
        self
    }

    /// The same with a sentence below: what it rests on.
    #[must_use]
    pub fn remark(mut self, text: impl Into<String>) -> Self {
        self.lead.push(("soft", text.into()));
        self
    }

    /// The same with one more section; one without figures, tables and cases is left out.
    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        if !section.is_empty() {
            self.sections.push(section);
        }
        self
    }

    /// Every figure, in order.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.sections.iter().flat_map(|section| &section.figures)
    }

    /// Every table, in order.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.sections.iter().flat_map(|section| &section.tables)
    }

    /// The page.
    pub fn html(&self) -> String {
        let mut body = format!("<main>\n<h1>{}</h1>\n", escape(&self.title));
        for (class, text) in &self.lead {
            body += &format!("<p class=\"{class}\">{}</p>\n", escape(text));
        }
        if self.sections.len() > 2 {
            let label = self.language.say("Contents", "차례");
            let entries = self.sections.iter().enumerate();
            let entries: String = entries
                .map(|(number, section)| {
                    format!("<a href=\"#s{number}\">{}</a> ", escape(&section.heading))
                })
                .collect();
            body += &format!("<nav aria-label=\"{label}\">{entries}</nav>\n");
        }
        for (number, section) in self.sections.iter().enumerate() {
            body += &section.html(number);
        }
        body += "</main>";
        let (title, lang, style) = (&self.title, self.language.code(), &page_style());
        Page { title, lang, style, script: SCRIPT, body: &body, ..Page::default() }.render()
    }

    /// The tables and cases.
    pub fn markdown(&self) -> String {
        let mut out = format!("# {}\n", plain(&self.title));
        for (_, text) in &self.lead {
            out += &format!("\n{}\n", plain(text));
        }
        for section in &self.sections {
            for table in &section.tables {
                out += &format!("\n{}", table.markdown());
            }
            if !section.cases.is_empty() {
                out += &format!("\n## {}\n", plain(&section.heading));
            }
            for case in &section.cases {
                out += &format!("\n{}", case.markdown());
            }
        }
        out
    }

    /// Every file: its name in the folder, and what stands in it.
    ///
    /// # Errors
    /// None in practice: writing to memory.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let mut files = vec![
            ("report.html".to_owned(), self.html().into_bytes()),
            ("report.md".to_owned(), self.markdown().into_bytes()),
        ];
        for figure in self.figures() {
            files.push((format!("figures/{}.svg", figure.name), figure.to_svg().into_bytes()));
            files.push((format!("figures/{}.csv", figure.name), figure.csv()?));
        }
        for table in self.tables() {
            files.push((format!("tables/{}.csv", table.name), table.csv()?));
        }
        Ok(files)
    }

    /// Writes all files into a folder, which is made if it is not there, and says which.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        write_files(folder, self.files()?)
    }
}

/// Writes files, each whole or not at all, and says which.
pub(super) fn write_files(
    folder: &Path,
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
) -> Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    for (name, bytes) in files {
        let path = folder.join(name);
        write_atomically(&path, &bytes)?;
        written.push(path);
    }
    Ok(written)
}
