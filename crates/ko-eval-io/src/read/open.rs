//! A file's bytes, whatever it was packed with.

use ko_eval_core::{Error, Result};
use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

/// How much is read at a time.
const BUFFER: usize = 1 << 16;

/// How a file can be packed, told by its first bytes.
const PACKED: &[(&[u8], &str)] = &[
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"PK\x03\x04", "zip (.xlsx files are zip archives as well: save the sheet as CSV)"),
];

/// Opens a file, or standard input for `-`. With the feature `compressed` what gzip or zstd packed is unpacked on the
/// way, told by its first bytes and not by its name.
///
/// ```
/// use ko_eval_io::read;
/// use std::io::BufRead;
///
/// let path = std::env::temp_dir().join("ko-eval-open-example.txt");
/// std::fs::write(&path, "비가 온다\n")?;
/// let mut line = String::new();
/// read::open(&path)?.read_line(&mut line)?;
/// assert_eq!(line, "비가 온다\n");
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Io`] if the file cannot be opened, [`Error::BadLine`] if it is packed otherwise.
pub fn open(path: &Path) -> Result<Box<dyn BufRead + Send>> {
    let mut reader: Box<dyn BufRead + Send> = if path == Path::new("-") {
        Box::new(BufReader::new(std::io::stdin()))
    } else {
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        Box::new(BufReader::with_capacity(BUFFER, file))
    };
    let start = reader.fill_buf().map_err(|e| Error::io(path, e))?;
    let packed = PACKED.iter().find(|(magic, _)| start.starts_with(magic));
    match packed {
        None => Ok(reader),
        #[cfg(feature = "compressed")]
        Some((_, "gzip")) => {
            let decoder = flate2::bufread::MultiGzDecoder::new(reader);
            Ok(Box::new(BufReader::with_capacity(BUFFER, decoder)))
        }
        #[cfg(feature = "compressed")]
        Some((_, "zstd")) => Ok(Box::new(BufReader::with_capacity(
            BUFFER,
            super::zstd::Frames::new(reader).map_err(|e| Error::io(path, e))?,
        ))),
        Some((_, how)) => Err(Error::BadLine {
            path: path.to_owned(),
            line: 1,
            reason: format!("not text, but compressed: {how}"),
        }),
    }
}
