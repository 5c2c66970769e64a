//! MeCab's compiled dictionary: the five files that `mecab-dict-index` writes, read back.
//!
//! Everything is little-endian. Nothing here trusts the files: a length or an offset that does not fit
//! is an error that names the file and what was found.

use super::dictionary::DictionaryError;
use crate::error::{Error, Result};
use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

/// The files of a compiled dictionary that matter for analysis.
pub(super) const FILES: [&str; 5] = ["sys.dic", "unk.dic", "matrix.bin", "char.bin", "dicrc"];

const MAGIC: u32 = 0xef71_8f77;
const VERSION: u32 = 102;
const HEADER: usize = 72;
const TOKEN: usize = 16;
const CATEGORY_NAME: usize = 32;

/// A file and its bytes, so that errors can name it.
struct File {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl File {
    fn read(folder: &Path, name: &str) -> Result<Self> {
        let path = folder.join(name);
        let bytes = fs::read(&path).map_err(Error::io(&path))?;
        Ok(Self { path, bytes })
    }

    fn bad(&self, reason: impl Into<String>) -> Error {
        DictionaryError::BadSource { path: self.path.clone(), reason: reason.into() }.into()
    }

    fn slice(&self, range: Range<usize>) -> Result<&[u8]> {
        self.bytes.get(range.clone()).ok_or_else(|| {
            let (len, end) = (self.bytes.len(), range.end);
            self.bad(format!("it has {len} bytes where at least {end} are needed"))
        })
    }

    fn u32(&self, at: usize) -> Result<u32> {
        Ok(self.slice(at..at.saturating_add(4))?.try_into().map_or(0, u32::from_le_bytes))
    }

    fn u16(&self, at: usize) -> Result<u16> {
        Ok(self.slice(at..at.saturating_add(2))?.try_into().map_or(0, u16::from_le_bytes))
    }

    /// The text up to the next NUL.
    fn text(&self, range: Range<usize>) -> Result<&str> {
        let at = range.start;
        let bytes = self.slice(range)?.split(|byte| *byte == 0).next().unwrap_or_default();
        std::str::from_utf8(bytes).map_err(|_| self.bad(format!("not UTF-8 at byte {at}")))
    }
}

/// One entry of a lexicon.
pub(super) struct Entry {
    pub(super) surface: String,
    pub(super) left: u16,
    pub(super) right: u16,
    /// The part-of-speech number that the space penalty goes by.
    pub(super) pos: u16,
    pub(super) cost: i16,
    /// Comma-separated, as it stood in the CSV.
    pub(super) features: String,
}

/// `sys.dic` or `unk.dic`: its entries in the order of their numbers.
pub(super) fn lexicon(folder: &Path, name: &str) -> Result<Vec<Entry>> {
    let file = File::read(folder, name)?;
    let size = file.bytes.len();
    if file.u32(0)? ^ MAGIC != u32::try_from(size).unwrap_or(0) {
        return Err(file.bad(format!(
            "not a dictionary of MeCab, or a truncated one: its first number does not fit its {size} bytes"
        )));
    }
    if file.u32(4)? != VERSION {
        return Err(file.bad(format!("version {}, where {VERSION} is expected", file.u32(4)?)));
    }
    let charset = file.text(40..HEADER)?;
    if !charset.eq_ignore_ascii_case("utf-8") && !charset.eq_ignore_ascii_case("utf8") {
        return Err(file.bad(format!("charset `{charset}`, where UTF-8 is expected")));
    }
    let array = HEADER..HEADER + file.u32(24)? as usize;
    let tokens = array.end..array.end + file.u32(28)? as usize;
    let features = tokens.end..tokens.end + file.u32(32)? as usize;
    file.slice(0..features.end)?;

    let count = (tokens.end - tokens.start) / TOKEN;
    let mut surfaces: Vec<Option<String>> = vec![None; count];
    for (surface, value) in keys(file.slice(array)?) {
        let surface = String::from_utf8(surface).map_err(|_| file.bad("a surface is not UTF-8"))?;
        // A leaf's value: its first token, and how many there are.
        let (first, run) = ((value >> 8) as usize, (value & 0xff) as usize);
        let slots = surfaces
            .get_mut(first..first + run)
            .ok_or_else(|| file.bad(format!("`{surface}` points beyond the tokens")))?;
        slots.fill(Some(surface));
    }
    let entry = |(number, surface): (usize, Option<String>)| {
        let at = tokens.start + number * TOKEN;
        let text = features.start + file.u32(at + 8)? as usize;
        Ok(Entry {
            surface: surface.ok_or_else(|| file.bad(format!("token {number} has no surface")))?,
            left: file.u16(at)?,
            right: file.u16(at + 2)?,
            pos: file.u16(at + 4)?,
            cost: file.u16(at + 6)?.cast_signed(),
            features: file.text(text..features.end.max(text))?.to_owned(),
        })
    };
    surfaces.into_iter().enumerate().map(entry).collect()
}

/// Every key of a double array with its value.
fn keys(array: &[u8]) -> Vec<(Vec<u8>, u32)> {
    let (units, _) = array.as_chunks::<8>();
    let unit = |index: u32| {
        let [a, b, c, d, e, f, g, h] = *units.get(index as usize)?;
        Some((i32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])))
    };
    let mut found = Vec::new();
    let root = unit(0).map(|(base, _)| (base.cast_unsigned(), Vec::new()));
    let mut open: Vec<(u32, Vec<u8>)> = root.into_iter().collect();
    // A tree visits no unit twice; a damaged array might go in circles.
    for _ in 0..=units.len() {
        let Some((base, key)) = open.pop() else { break };
        // The end of a key hangs at the base itself and holds -(value + 1).
        if let Some((leaf, check)) = unit(base)
            && check == base
            && leaf < 0
        {
            found.push((key.clone(), (-(leaf + 1)).cast_unsigned()));
        }
        for byte in 0..=u8::MAX {
            let child = base.wrapping_add(u32::from(byte) + 1);
            if let Some((next, check)) = unit(child)
                && check == base
                && next > 0
            {
                let mut longer = Vec::with_capacity(key.len() + 1);
                longer.extend_from_slice(&key);
                longer.push(byte);
                open.push((next.cast_unsigned(), longer));
            }
        }
    }
    found
}

/// `matrix.bin`: what it costs that a word with right id `r` stands before one with left id `l`, at
/// `r + rights × l`.
pub(super) struct Matrix {
    pub(super) rights: u16,
    pub(super) lefts: u16,
    pub(super) costs: Vec<i16>,
}

pub(super) fn matrix(folder: &Path) -> Result<Matrix> {
    let file = File::read(folder, "matrix.bin")?;
    let (rights, lefts) = (file.u16(0)?, file.u16(2)?);
    let cells = usize::from(rights) * usize::from(lefts);
    if cells == 0 || file.bytes.len() != 4 + 2 * cells {
        let len = file.bytes.len();
        return Err(file.bad(format!("{len} bytes do not hold {rights} × {lefts} costs")));
    }
    let (pairs, _) = file.slice(4..file.bytes.len())?.as_chunks::<2>();
    Ok(Matrix {
        rights,
        lefts,
        costs: pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect(),
    })
}

/// What `char.bin` says about one code point.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CharInfo(u32);

impl CharInfo {
    /// One bit per category it belongs to.
    pub(super) fn kinds(self) -> u32 {
        self.0 & ((1 << 18) - 1)
    }

    /// Whether it belongs to the category.
    #[cfg(feature = "lindera")]
    pub(super) fn is_in(self, category: usize) -> bool {
        category < 18 && self.0 >> category & 1 == 1
    }

    /// The category that unknown words take their entries from.
    pub(super) fn default_category(self) -> usize {
        (self.0 >> 18 & 0xff) as usize
    }

    /// How unknown words are made: (invoke, group, length).
    pub(super) fn unknown(self) -> (u32, u32, u32) {
        (self.0 >> 31, self.0 >> 30 & 1, self.0 >> 26 & 0xf)
    }
}

/// `char.bin`: the names of the categories, and each code point's from U+0000 on.
pub(super) fn characters(folder: &Path) -> Result<(Vec<String>, Vec<CharInfo>)> {
    let file = File::read(folder, "char.bin")?;
    let count = file.u32(0)? as usize;
    if count > 18 {
        return Err(file.bad(format!("{count} categories where at most 18 are possible")));
    }
    let start = 4 + count * CATEGORY_NAME;
    let names = (0..count).map(|index| {
        let at = 4 + index * CATEGORY_NAME;
        Ok(file.text(at..at + CATEGORY_NAME)?.to_owned())
    });
    let names: Vec<String> = names.collect::<Result<_>>()?;
    let (infos, rest) = file.slice(start..file.bytes.len().max(start))?.as_chunks::<4>();
    if !rest.is_empty() || infos.len() < 0xffff {
        let len = file.bytes.len();
        return Err(file.bad(format!("its {len} bytes do not hold the basic plane")));
    }
    let infos: Vec<_> = infos.iter().map(|info| CharInfo(u32::from_le_bytes(*info))).collect();
    if infos.iter().any(|info| info.default_category() >= count) {
        return Err(file.bad("a code point has a category without a name"));
    }
    Ok((names, infos))
}

/// `dicrc`: the cost added to a word after white space, by part-of-speech number.
pub(super) fn space_penalties(folder: &Path) -> Result<Vec<(u16, i32)>> {
    let file = File::read(folder, "dicrc")?;
    let text = String::from_utf8_lossy(&file.bytes);
    let Some(list) = text.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "left-space-penalty-factor").then_some(value)
    }) else {
        return Ok(Vec::new());
    };
    let numbers: Option<Vec<i32>> = list.split(',').map(|n| n.trim().parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.len().is_multiple_of(2));
    let pairs = numbers.map(|numbers| {
        let (pairs, _) = numbers.as_chunks::<2>();
        pairs.iter().map(|[pos, cost]| Some((u16::try_from(*pos).ok()?, *cost))).collect()
    });
    pairs
        .flatten()
        .ok_or_else(|| file.bad(format!("`{}` is not a list of numbers and costs", list.trim())))
}
