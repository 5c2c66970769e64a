//! Reading segments from files, a line at a time: a byte-order mark and CRLF are no part of the
//! text, and what cannot be read is an error with file and line.

use crate::{Error, OwnedSegment, Result};
use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

/// The lines of a file; `-` is standard input.
pub struct Lines {
    path: PathBuf,
    reader: Box<dyn BufRead + Send>,
    number: usize,
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lines").field("path", &self.path).field("number", &self.number).finish()
    }
}

impl Lines {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be opened.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        let reader: Box<dyn BufRead + Send> = if path == Path::new("-") {
            Box::new(BufReader::new(std::io::stdin()))
        } else {
            let file = File::open(&path).map_err(|e| Error::io(&path, e))?;
            Box::new(BufReader::with_capacity(1 << 16, file))
        };
        Ok(Self { path, reader, number: 0 })
    }

    /// The lines of anything that can be read; errors call it by `name`.
    pub fn from_reader(name: impl Into<PathBuf>, reader: impl BufRead + Send + 'static) -> Self {
        Self { path: name.into(), reader: Box::new(reader), number: 0 }
    }

    /// An error about the line that was read last.
    pub fn error(&self, reason: impl Into<String>) -> Error {
        Error::BadLine { path: self.path.clone(), line: self.number, reason: reason.into() }
    }

    /// The number of the line that was read last, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn read(&mut self) -> Result<Option<String>> {
        let mut bytes = Vec::new();
        let read = self.reader.read_until(b'\n', &mut bytes);
        if read.map_err(|e| Error::io(&self.path, e))? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if bytes.ends_with(b"\n") {
            bytes.pop();
            if bytes.ends_with(b"\r") {
                bytes.pop();
            }
        }
        if self.number == 1 && bytes.starts_with("\u{feff}".as_bytes()) {
            bytes.drain(..3);
        }
        String::from_utf8(bytes).map(Some).map_err(|e| {
            let at = e.utf8_error().valid_up_to();
            self.error(format!("not UTF-8: byte {} of the line is invalid", at + 1))
        })
    }
}

impl Iterator for Lines {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// Segments from a JSONL file, `{"hyp": "…", "refs": ["…", …]}` per line; blank lines are passed over.
///
/// # Errors
/// [`Error::Io`] if the file cannot be opened; the iterator's items name file and line.
pub fn pairs_jsonl(
    path: impl Into<PathBuf>,
) -> Result<impl Iterator<Item = Result<OwnedSegment>> + Send> {
    let mut lines = Lines::open(path)?;
    Ok(std::iter::from_fn(move || {
        loop {
            match lines.next()? {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => {
                    let parsed = serde_json::from_str(&line);
                    return Some(parsed.map_err(|e| lines.error(e.to_string())));
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }))
}

/// Segments from a TSV file: the hypothesis, then one reference or more per line.
///
/// # Errors
/// [`Error::Io`] if the file cannot be opened; the iterator's items name file and line.
pub fn pairs_tsv(
    path: impl Into<PathBuf>,
) -> Result<impl Iterator<Item = Result<OwnedSegment>> + Send> {
    let mut lines = Lines::open(path)?;
    Ok(std::iter::from_fn(move || {
        Some(lines.next()?.and_then(|line| {
            let mut fields = line.split('\t');
            let hypothesis = fields.next().unwrap_or_default();
            OwnedSegment::new(hypothesis, fields).map_err(|e| lines.error(e.to_string()))
        }))
    }))
}

/// Segments from parallel text files: one of hypotheses, one or more of references, a segment per line.
///
/// # Errors
/// [`Error::Io`] if a file cannot be opened, [`Error::NoReference`] without a reference file; the
/// iterator ends with [`Error::BadLine`] where one file ends before another.
pub fn parallel_text<P: Into<PathBuf>>(
    hypotheses: impl Into<PathBuf>,
    references: impl IntoIterator<Item = P>,
) -> Result<impl Iterator<Item = Result<OwnedSegment>> + Send> {
    let mut hypotheses = Lines::open(hypotheses)?;
    let mut references: Vec<Lines> =
        references.into_iter().map(Lines::open).collect::<Result<_>>()?;
    if references.is_empty() {
        return Err(Error::NoReference);
    }
    Ok(std::iter::from_fn(move || next_parallel(&mut hypotheses, &mut references).transpose()))
}

fn next_parallel(hypotheses: &mut Lines, references: &mut [Lines]) -> Result<Option<OwnedSegment>> {
    let hypothesis = hypotheses.read()?;
    let mut texts = Vec::with_capacity(references.len());
    for file in references.iter_mut() {
        match (&hypothesis, file.read()?) {
            (Some(_), Some(text)) => texts.push(text),
            (None, None) => {}
            (Some(_), None) => return Err(unequal(hypotheses, file)),
            (None, Some(_)) => return Err(unequal(file, hypotheses)),
        }
    }
    hypothesis.map(|text| OwnedSegment::new(text, texts)).transpose()
}

/// Counts both files to their ends, so that the error can name both lengths.
fn unequal(longer: &mut Lines, shorter: &Lines) -> Error {
    let (line, short) = (longer.number, shorter.number);
    while let Ok(Some(_)) = longer.read() {}
    let reason = format!(
        "{} has {} lines, but {} has only {short}",
        longer.path.display(),
        longer.number,
        shorter.path.display(),
    );
    Error::BadLine { path: longer.path.clone(), line, reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        file
    }

    fn segment(hyp: &str, refs: &[&str]) -> OwnedSegment {
        OwnedSegment::new(hyp, refs.iter().copied()).unwrap()
    }

    #[test]
    fn reads_marks_and_line_ends_of_any_system() {
        let pairs = file("\u{feff}{\"hyp\": \"가\", \"refs\": [\"나\"]}\r\n\n{\"hyp\": \"\", \"refs\": [\"다\", \"라\"]}".as_bytes());
        let read: Vec<_> = pairs_jsonl(pairs.path()).unwrap().collect::<Result<_>>().unwrap();
        assert_eq!(read, [segment("가", &["나"]), segment("", &["다", "라"])]);
        let table = file("가\t나\r\n다\t라\t마".as_bytes());
        let read: Vec<_> = pairs_tsv(table.path()).unwrap().collect::<Result<_>>().unwrap();
        assert_eq!(read, [segment("가", &["나"]), segment("다", &["라", "마"])]);
    }

    #[test]
    fn names_the_broken_line() {
        for bytes in [
            &b"{\"hyp\": \"a\", \"refs\": [\"b\"]}\n{\"hyp\""[..],
            b"{\"hyp\": \"a\", \"refs\": [\"b\"]}\n\xff",
            b"{\"hyp\": \"a\", \"refs\": [\"b\"]}\n{\"hyp\": \"a\", \"refs\": []}",
        ] {
            let broken = file(bytes);
            let error = pairs_jsonl(broken.path()).unwrap().find_map(Result::err).unwrap();
            assert!(matches!(error, Error::BadLine { line: 2, .. }), "{error}");
        }
    }

    #[test]
    fn unequal_files_name_both_lengths() {
        let (long, short) = (file("가\n나\n다\n라\n".as_bytes()), file("가\n나\n".as_bytes()));
        for (hyp, reference) in [(&long, &short), (&short, &long)] {
            let error =
                parallel_text(hyp.path(), [reference.path()]).unwrap().find_map(Result::err);
            let text = error.unwrap().to_string();
            assert!(text.contains("has 4 lines") && text.contains("only 2"), "{text}");
        }
    }
}
