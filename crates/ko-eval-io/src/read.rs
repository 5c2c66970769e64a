//! Reading segments from files, a line at a time: a byte-order mark and CRLF are no part of the
//! text, and what cannot be read is an error with file and line.

mod open;
#[cfg(feature = "compressed")]
mod zstd;

pub use open::open;

use ko_eval_core::{Error, Needs, OwnedSegment, Result};
use serde::de::DeserializeOwned;
use std::{
    io::{BufRead, Read},
    path::{Path, PathBuf},
};

/// The longest line in bytes. A file without line ends must not fill the memory before somebody notices that it is none of ours.
const LONGEST: u64 = 1 << 30;

/// The lines of a file; `-` is standard input. A line of more than 2³⁰ bytes is an error, and the last that is read.
pub struct Lines {
    path: PathBuf,
    reader: Box<dyn BufRead + Send>,
    number: usize,
    /// 0 once a line was too long or reading failed: what follows is no line, and a reader that failed may fail for ever.
    longest: u64,
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lines").field("path", &self.path).field("number", &self.number).finish()
    }
}

impl Lines {
    /// Opens a file, or standard input for `-`, as [`open`] does.
    ///
    /// # Errors
    /// As [`open`].
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        let reader = open(&path)?;
        Ok(Self { path, reader, number: 0, longest: LONGEST })
    }

    /// The lines of anything that can be read; errors call it by `name`.
    pub fn from_reader(name: impl Into<PathBuf>, reader: impl BufRead + Send + 'static) -> Self {
        Self { path: name.into(), reader: Box::new(reader), number: 0, longest: LONGEST }
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
        if self.longest == 0 {
            return Ok(None);
        }
        let read = Read::take(&mut self.reader, self.longest + 1).read_until(b'\n', &mut bytes);
        let failed = |e| {
            self.longest = 0;
            Error::io(&self.path, e)
        };
        if read.map_err(failed)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if bytes.len() as u64 > self.longest {
            let reason = format!("a line of more than {} bytes", self.longest);
            self.longest = 0;
            return Err(self.error(reason));
        }
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
            let at = e.utf8_error().valid_up_to() + 1;
            let guess = guessed_encoding(e.as_bytes());
            self.error(format!("not UTF-8: byte {at} of the line is invalid{guess}"))
        })
    }
}

/// What bytes that are no UTF-8 may be instead.
fn guessed_encoding(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return "; it looks like UTF-16";
    }
    let mut bytes = bytes.iter();
    while let Some(byte) = bytes.next() {
        // A letter is ASCII, or two bytes of these ranges.
        let is_second = |second: &u8| (0x41..=0xfe).contains(second);
        let is_letter = byte.is_ascii()
            || ((0x81..=0xfe).contains(byte) && bytes.next().is_some_and(is_second));
        if !is_letter {
            return "";
        }
    }
    "; it looks like CP949 (EUC-KR)"
}

impl Iterator for Lines {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// Values from a JSONL file, one per line; blank lines are passed over.
///
/// # Errors
/// [`Error::Io`] if the file cannot be opened; the iterator's items name file and line.
pub fn jsonl<T: DeserializeOwned>(
    path: impl Into<PathBuf>,
) -> Result<impl Iterator<Item = Result<T>> + Send> {
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

/// Segments from a JSONL file, `{"hyp": "…", "refs": ["…", …], "src": "…"}` per line; blank lines are passed over.
///
/// # Errors
/// As [`jsonl`].
pub fn pairs_jsonl(
    path: impl Into<PathBuf>,
) -> Result<impl Iterator<Item = Result<OwnedSegment>> + Send> {
    jsonl(path)
}

/// Rows of a tab-separated table with a header line, the named columns in the order asked for; blank lines are passed
/// over.
///
/// ```no_run
/// use ko_eval_io::read;
///
/// let pairs = read::table("sts.tsv", ["sentence1", "sentence2", "score"], |[first, second, score]| {
///     let score: f64 = score.parse().map_err(|_| format!("`{score}` is no number"))?;
///     Ok((first.to_owned(), second.to_owned(), score))
/// })?;
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
///
/// # Errors
/// A file that cannot be read, a missing column, or what `row` says of a line, with file and line.
pub fn table<T, const N: usize>(
    path: impl Into<PathBuf>,
    names: [&str; N],
    row: impl Fn([&str; N]) -> Result<T, String>,
) -> Result<Vec<T>> {
    table_rows(path, &names, |cells| match cells.try_into() {
        Ok(cells) => row(cells),
        Err(_) => Err(format!("{} cells, expected {N}", cells.len())),
    })
}

/// The same of columns whose number is known only when it runs.
///
/// # Errors
/// As [`table`].
pub fn table_rows<T>(
    path: impl Into<PathBuf>,
    names: &[&str],
    row: impl Fn(&[&str]) -> Result<T, String>,
) -> Result<Vec<T>> {
    let mut lines = Lines::open(path)?;
    let header = lines.next().transpose()?.unwrap_or_default();
    let columns: Vec<&str> = header.split('\t').collect();
    let mut places = Vec::with_capacity(names.len());
    for name in names {
        let place = columns.iter().position(|column| column == name);
        places.push(place.ok_or_else(|| lines.error(format!("no column `{name}` in the header")))?);
    }
    let mut rows = Vec::new();
    while let Some(line) = lines.next().transpose()? {
        if line.trim().is_empty() {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let mut cells = Vec::with_capacity(places.len());
        for &place in &places {
            cells.push(*fields.get(place).ok_or_else(|| {
                lines.error(format!("{} columns, expected {}", fields.len(), columns.len()))
            })?);
        }
        rows.push(row(&cells).map_err(|reason| lines.error(reason))?);
    }
    Ok(rows)
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

/// Parallel text files: a segment per line, its hypothesis, references and source each in a file of their own.
///
/// ```no_run
/// use ko_eval_io::read::Parallel;
///
/// let summaries = Parallel::new("summaries.txt").references(["reference.txt"]).source(Some("documents.txt"));
/// for segment in summaries.open()? {
///     println!("{}", segment?.as_segment().hypothesis());
/// }
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Parallel {
    hypotheses: PathBuf,
    references: Vec<PathBuf>,
    source: Option<PathBuf>,
}

impl Parallel {
    /// Hypotheses, one per line.
    pub fn new(hypotheses: impl Into<PathBuf>) -> Self {
        Self { hypotheses: hypotheses.into(), references: Vec::new(), source: None }
    }

    /// The same with references, a file for each of a segment.
    #[must_use]
    pub fn references<P: Into<PathBuf>>(self, files: impl IntoIterator<Item = P>) -> Self {
        Self { references: files.into_iter().map(Into::into).collect(), ..self }
    }

    /// The same with sources, if there is a file of them.
    #[must_use]
    pub fn source(self, file: Option<impl Into<PathBuf>>) -> Self {
        Self { source: file.map(Into::into), ..self }
    }

    /// Whether files that are or are not there can have what metrics need.
    ///
    /// # Errors
    /// [`Error::Missing`], before anything is read.
    pub fn check_needs(needs: Needs, references: bool, source: bool) -> Result<()> {
        let missing = |what: &str, flag: &str| {
            Err(Error::Missing {
                what: what.to_owned(),
                how_to_get_it: format!("a metric that was asked for needs it; give it with {flag}"),
            })
        };
        match needs {
            Needs { references: true, .. } if !references => {
                missing("a file of references", "--ref FILE")
            }
            Needs { source: true, .. } if !source => missing("a file of sources", "--src FILE"),
            _ => Ok(()),
        }
    }

    /// The segments, as they are read.
    ///
    /// # Errors
    /// [`Error::Io`] if a file cannot be opened; the iterator ends with [`Error::BadLine`] where one file ends before
    /// another.
    pub fn open(&self) -> Result<impl Iterator<Item = Result<OwnedSegment>> + Send + use<>> {
        self.open_by(&|path| Lines::open(path))
    }

    /// The same, each file opened by `lines`: where the text is not UTF-8, say.
    ///
    /// # Errors
    /// As [`Parallel::open`], or what `lines` says of a file.
    pub fn open_by(
        &self,
        lines: &dyn Fn(&Path) -> Result<Lines>,
    ) -> Result<impl Iterator<Item = Result<OwnedSegment>> + Send + use<>> {
        let mut hypotheses = lines(&self.hypotheses)?;
        let mut source = self.source.as_deref().map(lines).transpose()?;
        let mut references: Vec<Lines> =
            self.references.iter().map(|path| lines(path)).collect::<Result<_>>()?;
        Ok(std::iter::from_fn(move || {
            next_parallel(&mut hypotheses, &mut references, source.as_mut()).transpose()
        }))
    }
}

/// Segments from parallel text files: one of hypotheses, one or more of references, a segment per line.
///
/// # Errors
/// As [`Parallel::open`], or [`Error::NoReference`] without a reference file.
pub fn parallel_text<P: Into<PathBuf>>(
    hypotheses: impl Into<PathBuf>,
    references: impl IntoIterator<Item = P>,
) -> Result<impl Iterator<Item = Result<OwnedSegment>> + Send> {
    let files = Parallel::new(hypotheses).references(references);
    if files.references.is_empty() {
        return Err(Error::NoReference);
    }
    files.open()
}

fn next_parallel(
    hypotheses: &mut Lines,
    references: &mut [Lines],
    source: Option<&mut Lines>,
) -> Result<Option<OwnedSegment>> {
    let hypothesis = hypotheses.read()?;
    let has_source = source.is_some();
    let mut texts = Vec::with_capacity(references.len() + 1);
    for file in references.iter_mut().chain(source) {
        match (&hypothesis, file.read()?) {
            (Some(_), Some(text)) => texts.push(text),
            (None, None) => {}
            (Some(_), None) => return Err(unequal(hypotheses, file)),
            (None, Some(_)) => return Err(unequal(file, hypotheses)),
        }
    }
    let Some(hypothesis) = hypothesis else { return Ok(None) };
    let source = if has_source { texts.pop() } else { None };
    let segment = match texts.is_empty() {
        true => OwnedSegment::alone(hypothesis),
        false => OwnedSegment::new(hypothesis, texts)?,
    };
    Ok(Some(match source {
        Some(source) => segment.with_source(source),
        None => segment,
    }))
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
    fn a_reader_that_fails_ends_the_lines() {
        struct Broken;
        impl std::io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("the end of the packed part is missing"))
            }
        }
        let reader = std::io::Cursor::new("가\n나").chain(Broken);
        let lines = Lines::from_reader("broken", std::io::BufReader::new(reader));
        let lines: Vec<_> = lines.take(9).collect();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(matches!(lines[1], Err(Error::Io { .. })), "{lines:?}");
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

    #[cfg(feature = "compressed")]
    #[test]
    fn packed_files_are_told_by_their_bytes() {
        use std::io::Write;
        let text = "비가 온다\n눈이 온다\n".repeat(5000);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(text.as_bytes()).unwrap();
        let gzip = gzip.finish().unwrap();
        let zstd = ruzstd::encoding::compress_to_vec(
            text.as_bytes(),
            ruzstd::encoding::CompressionLevel::Fastest,
        );
        let skipped = [&b"\x50\x2a\x4d\x18\x03\0\0\0abc"[..], &zstd].concat();
        for (packed, copies) in [
            (gzip.repeat(2), 2),
            (gzip, 1),
            (zstd.clone(), 1),
            ([zstd.clone(), skipped].concat(), 2),
        ] {
            let packed = file(&packed);
            let lines: Vec<String> =
                Lines::open(packed.path()).unwrap().collect::<Result<_>>().unwrap();
            assert_eq!(lines.join("\n") + "\n", text.repeat(copies));
        }
        let cut = file(zstd.get(..zstd.len() / 2).unwrap());
        assert!(Lines::open(cut.path()).unwrap().any(|line| line.is_err()));
    }

    #[test]
    fn other_encodings_and_packings_are_named() {
        // CP949, UTF-16 and an archive.
        for (bytes, named) in [
            (&b"\xba\xf1\xb0\xa1 \xbf\xc2\xb4\xd9\n"[..], "CP949"),
            (b"\xff\xfe\x44\xbe\n\0", "UTF-16"),
            (b"PK\x03\x04abc", "zip"),
        ] {
            let file = file(bytes);
            let error = match Lines::open(file.path()) {
                Ok(mut lines) => lines.find_map(Result::err).unwrap(),
                Err(error) => error,
            };
            assert!(error.to_string().contains(named), "{error}");
        }
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let text = "가나\n가나다라마바사\n다\n";
        let lines = Lines::from_reader("글.txt", text.as_bytes());
        let read: Vec<_> = Lines { longest: 10, ..lines }.collect();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].as_ref().unwrap(), "가나");
        let error = read[1].as_ref().unwrap_err().to_string();
        assert_eq!(error, "글.txt:2: a line of more than 10 bytes");
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
