//! SentEval's text format: part (`tr`, `va`, `te`), label and sentence, separated by tabs, a line each.
//!
//! ```
//! use ko_probe::senteval;
//!
//! let text = "tr\tpast\t비가 왔다.\nva\tnon-past\t비가 온다.\nte\tpast\t눈이 왔다.\n";
//! let data = senteval::read("Tense", "tense.txt", text.as_bytes())?;
//! assert_eq!(data.classes, ["past", "non-past"]);
//! let mut written = Vec::new();
//! senteval::write(&data, &mut written)?;
//! assert_eq!(written, text.as_bytes());
//! # Ok::<(), ko_probe::Error>(())
//! ```

use crate::{
    dataset::{Dataset, Example, Part},
    error::Result,
    sentence::Origin,
};
use ko_eval_core::Error;
use ko_eval_io::read::Lines;
use std::{
    io::{BufRead, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Reads a data set; errors call the input by `name`.
///
/// # Errors
/// A line that is not part, label and sentence.
pub fn read(
    task: &str,
    name: impl Into<PathBuf>,
    reader: impl BufRead + Send + 'static,
) -> Result<Dataset> {
    from_lines(task, Lines::from_reader(name, reader))
}

/// Reads a data set from a file.
///
/// # Errors
/// A file that cannot be opened, or a line that is not part, label and sentence.
pub fn open(task: &str, path: impl AsRef<Path>) -> Result<Dataset> {
    from_lines(task, Lines::open(path.as_ref())?)
}

fn from_lines(task: &str, mut lines: Lines) -> Result<Dataset> {
    let mut data = Dataset::new(task);
    let path: Arc<Path> = Arc::from(lines.path());
    while let Some(line) = lines.next() {
        let line = line?;
        if line.is_empty() {
            continue;
        }
        let mut columns = line.splitn(3, '\t');
        let (Some(part), Some(label), Some(text)) =
            (columns.next(), columns.next(), columns.next())
        else {
            return Err(lines.error("expected part, label and sentence, separated by tabs").into());
        };
        let Some(part) = Part::ALL.iter().copied().find(|known| known.code() == part) else {
            return Err(lines.error(format!("`{part}` is not `tr`, `va` or `te`")).into());
        };
        let class = data.class(label);
        let line = lines.number();
        let origin = Origin { path: path.clone(), line, id: line.to_string() };
        data.examples.push(Example { text: text.to_owned(), class, part, origin });
    }
    Ok(data)
}

/// Writes a data set, in its own order.
///
/// # Errors
/// When writing fails, or a label or sentence holds a tab or a line break.
pub fn write(data: &Dataset, mut out: impl Write) -> Result<()> {
    for example in &data.examples {
        let label = data.classes.get(example.class).map_or("", String::as_str);
        if label.contains(['\t', '\n', '\r']) || example.text.contains(['\t', '\n', '\r']) {
            let Origin { path, line, .. } = &example.origin;
            let reason = "a tab or a line break cannot be written in this format".into();
            return Err(Error::BadLine { path: path.to_path_buf(), line: *line, reason }.into());
        }
        writeln!(out, "{}\t{label}\t{}", example.part.code(), example.text)
            .map_err(|e| Error::io(format!("{}.txt", data.task), e))?;
    }
    Ok(())
}

/// Writes a data set to `<dir>/<task>.txt` and returns the path.
///
/// # Errors
/// As [`write()`].
pub fn save(data: &Dataset, dir: impl AsRef<Path>) -> Result<PathBuf> {
    let path = dir.as_ref().join(format!("{}.txt", data.task));
    ko_eval_io::files::stream_atomically(&path, |out| write(data, out))?;
    Ok(path)
}
