//! Small binary files for trained weights: little-endian, begun by a mark, read with every length checked.

use crate::Error;
use ko_eval_core::{Error as CoreError, Result};
use ko_eval_io::files::write_atomically;
use std::{io::Read, path::Path};

/// A 64-bit FNV-1a hash, written out because models on disk depend on it.
#[derive(Clone, Copy)]
pub(crate) struct Hash(u64);

impl Hash {
    pub(crate) fn new(template: u32) -> Self {
        Self(0xcbf2_9ce4_8422_2325).add(template)
    }

    #[must_use]
    pub(crate) fn add(self, number: u32) -> Self {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(number.to_le_bytes().into_iter().fold(self.0, step))
    }

    pub(crate) fn chars(self, chars: impl IntoIterator<Item = char>) -> Self {
        chars.into_iter().fold(self, |hash, c| hash.add(u32::from(c)))
    }

    pub(crate) fn value(self) -> u64 {
        // FNV's low bits mix poorly: fold the high ones in.
        self.0 ^ (self.0 >> 29)
    }
}

/// Gathers what a model file holds.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn new(mark: &[u8; 8]) -> Self {
        Self(mark.to_vec())
    }

    pub(crate) fn count(&mut self, n: usize) {
        self.0.extend(u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes());
    }

    pub(crate) fn key(&mut self, key: u64) {
        self.0.extend(key.to_le_bytes());
    }

    pub(crate) fn weight(&mut self, weight: f32) {
        self.0.extend(weight.to_le_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend(text.as_bytes());
    }

    pub(crate) fn save(self, path: &Path) -> Result<()> {
        write_atomically(path, &self.0)
    }
}

/// The greatest weight: far beyond what is learnt, and so small that sums of weights stay finite.
const MOST: f32 = 1e18;

/// Reads a model file piece by piece.
pub(crate) struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    /// # Errors
    /// [`Error::BadModel`] if the file does not begin with the mark.
    pub(crate) fn new(bytes: &'b [u8], mark: &[u8; 8]) -> Result<Self, Error> {
        let rest = bytes.strip_prefix(mark.as_slice());
        rest.map(Self).ok_or_else(|| Error::BadModel("it begins with another mark".into()))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (head, rest) = self.0.split_first_chunk().ok_or_else(ends_early)?;
        self.0 = rest;
        Ok(*head)
    }

    /// A number of things that take at least `size` bytes each.
    pub(crate) fn count(&mut self, size: usize) -> Result<usize, Error> {
        let count = u32::from_le_bytes(self.take()?) as usize;
        if count.saturating_mul(size) > self.0.len() {
            return Err(ends_early());
        }
        Ok(count)
    }

    pub(crate) fn key(&mut self) -> Result<u64, Error> {
        self.take().map(u64::from_le_bytes)
    }

    pub(crate) fn weight(&mut self) -> Result<f32, Error> {
        let weight = f32::from_le_bytes(self.take()?);
        if weight.abs() <= MOST {
            Ok(weight)
        } else {
            Err(Error::BadModel(format!("a weight is {weight}, which no training makes")))
        }
    }

    pub(crate) fn text(&mut self) -> Result<String, Error> {
        let len = self.count(1)?;
        let (head, rest) = self.0.split_at_checked(len).ok_or_else(ends_early)?;
        self.0 = rest;
        String::from_utf8(head.to_vec()).map_err(|_| Error::BadModel("a name is not UTF-8".into()))
    }

    pub(crate) fn end(self) -> Result<(), Error> {
        match self.0.len() {
            0 => Ok(()),
            more => Err(Error::BadModel(format!("{more} bytes are left over"))),
        }
    }
}

fn ends_early() -> Error {
    Error::BadModel("it ends too early".into())
}

/// Whether a file begins with the mark.
pub(crate) fn is_marked(path: &Path, mark: &[u8; 8]) -> Result<bool> {
    let mut begin = Vec::new();
    let file = std::fs::File::open(path).map_err(|e| CoreError::io(path, e))?;
    file.take(8).read_to_end(&mut begin).map_err(|e| CoreError::io(path, e))?;
    Ok(begin == mark)
}

/// Reads a file and has it parsed; an error names the file.
pub(crate) fn load<T>(path: &Path, parse: impl FnOnce(&[u8]) -> Result<T, Error>) -> Result<T> {
    let bytes = std::fs::read(path).map_err(|e| CoreError::io(path, e))?;
    parse(&bytes).map_err(|e| CoreError::source(path.display().to_string(), e))
}
