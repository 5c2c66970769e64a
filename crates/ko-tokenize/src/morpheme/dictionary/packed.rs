//! A dictionary's file in a seventh of its room, for programs that carry it.
//!
//! The file is made to be searched as it lies, which hides from a compressor what is regular in it. So it is taken apart into
//! columns first, and each is compressed by itself (zstd), so that all cores can unpack them:
//!
//! | section | columns |
//! |---|---|
//! | [matrix] | rows and columns in the order of their contents; low bytes apart from high ones |
//! | [trie] | the tree level by level: how many children, their labels, how far from the last ones they lie, which nodes end words |
//! | expressions | their lengths; which words have one is told by their kinds |
//! | words, and all other sections | as they are |
//!
//! ```text
//! 8 bytes    magic, with the version of the packing
//! 64 bytes   the checksum at the end of the file
//! 8 bytes    for each column, its length and its compressed length, little-endian
//! …          the columns
//! ```
//!
//! What comes out is the same file to the byte, and is verified like one.

mod matrix;
mod numbers;
mod trie;

use super::{
    error::DictionaryError,
    format::{self, CHECKSUM, Sections},
    word::{Kind, Word},
};
use crate::error::Result;
#[cfg(feature = "embedded-dictionary")]
use ko_eval_core::par_map;
use std::ops::Range;

const MAGIC: &[u8; 8] = b"ko-pack1";
const COLUMNS: usize = 10;
/// More than any dictionary: what is longer is none.
const LONGEST: usize = 1 << 28;

/// A file in columns.
struct Columns {
    /// All but the sections below, one after the other.
    rest: Vec<u8>,
    matrix: [Vec<u8>; 2],
    trie: [Vec<u8>; 5],
    words: Vec<u8>,
    expressions: Vec<u8>,
}

/// Packs the bytes of a dictionary's file; `compress` makes a zstd frame of some bytes.
///
/// # Errors
/// When the bytes are not those of a file that [`build`](super::build()) wrote.
pub fn pack(file: &[u8], compress: impl Fn(&[u8]) -> Vec<u8>) -> Result<Vec<u8>> {
    let damaged = |reason| DictionaryError::Damaged { path: super::FILE.into(), reason };
    format::read(file, format::Checksum::Verified).map_err(damaged)?;
    let columns = Columns::of(file)
        .filter(|columns| columns.to_file().as_deref() == Ok(file))
        .ok_or_else(|| damaged("it is not as `dictionary::build` writes it".into()))?
        .into_array();
    let mut packed = MAGIC.to_vec();
    packed.extend(file.last_chunk::<CHECKSUM>().into_iter().flatten());
    let compressed = columns.each_ref().map(|column| compress(column));
    for (column, compressed) in columns.iter().zip(&compressed) {
        packed.extend((column.len() as u32).to_le_bytes());
        packed.extend((compressed.len() as u32).to_le_bytes());
    }
    packed.extend(compressed.concat());
    Ok(packed)
}

/// The file that was packed, or what is wrong.
#[cfg(feature = "embedded-dictionary")]
pub(super) fn unpack(packed: &[u8]) -> Result<Vec<u8>, String> {
    let rest = packed.strip_prefix(MAGIC.as_slice()).ok_or("it is no packed dictionary")?;
    let truncated = || "it is truncated".to_owned();
    let lengths = rest.get(CHECKSUM..).and_then(|rest| rest.split_first_chunk());
    let (lengths, mut rest): (&[u8; 8 * COLUMNS], _) = lengths.ok_or_else(truncated)?;
    let mut frames = Vec::with_capacity(COLUMNS);
    for &[a, b, c, d, e, f, g, h] in lengths.as_chunks::<8>().0 {
        let [length, compressed] =
            [[a, b, c, d], [e, f, g, h]].map(|length| u32::from_le_bytes(length) as usize);
        let (frame, after) = rest.split_at_checked(compressed).ok_or_else(truncated)?;
        frames.push((frame, length));
        rest = after;
    }
    // All together, because a few bytes of zstd may stand for any number of them.
    let length: usize = frames.iter().map(|(_, length)| length).sum();
    if length > LONGEST {
        return Err(format!("its columns have {length} bytes"));
    }
    let columns = par_map(&frames, |(frame, length)| Ok(column(frame, *length)));
    let columns = columns.map_err(|error| error.to_string())?;
    let columns = columns.into_iter().collect::<Result<Vec<_>, String>>()?;
    Columns::from_array(columns.try_into().map_err(|_| truncated())?).to_file()
}

#[cfg(feature = "embedded-dictionary")]
fn column(frame: &[u8], length: usize) -> Result<Vec<u8>, String> {
    let mut column = Vec::with_capacity(length);
    ruzstd::decoding::FrameDecoder::new()
        .decode_all_to_vec(frame, &mut column)
        .map_err(|error| format!("a column of it: {error}"))?;
    Ok(column)
}

impl Columns {
    /// None of a file that was not made by [`build`](super::build()).
    fn of(file: &[u8]) -> Option<Self> {
        let (header, end) = format::header(file).ok()?;
        let (sections, _) = format::layout(&header, end);
        let section = |range: &Range<usize>| file.get(range.clone());
        let mut rest = Vec::new();
        for range in untouched(&sections, end, file.len()) {
            rest.extend(file.get(range)?);
        }
        let (expressions, _) = section(&sections.expressions)?.as_chunks::<8>();
        let starts = expressions.iter().map(|&[.., a, b, c, d]| u32::from_le_bytes([a, b, c, d]));
        let ends = starts.clone().skip(1).chain([sections.texts.len() as u32]);
        Some(Self {
            matrix: matrix::split(section(&sections.matrix)?, header.rights)?,
            trie: trie::split(section(&sections.trie)?)?,
            words: section(&sections.words)?.to_vec(),
            expressions: numbers::write(starts.zip(ends).map(|(a, b)| b.wrapping_sub(a))),
            rest,
        })
    }

    /// The file, or what is wrong.
    fn to_file(&self) -> Result<Vec<u8>, String> {
        let (header, start) = format::header(&self.rest)?;
        let (sections, end) = format::layout(&header, start);
        if end > LONGEST {
            return Err(format!("its sections end at byte {end}"));
        }
        let mut file = vec![0; end + CHECKSUM];
        let mut rest = self.rest.as_slice();
        for range in untouched(&sections, start, file.len()) {
            let (part, after) = rest.split_at_checked(range.len()).ok_or("a section is missing")?;
            file.get_mut(range).ok_or("a section is missing")?.copy_from_slice(part);
            rest = after;
        }
        let words: Vec<Word> =
            self.words.as_chunks().0.iter().map(|word| Word::unpack(*word)).collect();
        let kinds = file.get(sections.kinds.clone()).unwrap_or_default();
        let kinds: Vec<Kind> =
            kinds.as_chunks().0.iter().map(|kind| Kind::from_bytes(*kind)).collect();
        let mut section = |range: Range<usize>, fill: &dyn Fn(&mut [u8]) -> Option<()>, name| {
            let target = file.get_mut(range).unwrap_or_default();
            fill(target).ok_or_else(|| format!("its {name} do not fit"))
        };
        section(sections.words, &|target| same(&self.words, target), "words")?;
        section(
            sections.matrix,
            &|target| matrix::join(&self.matrix, header.rights, target),
            "costs",
        )?;
        section(sections.trie, &|target| trie::join(&self.trie, &words, target), "entries")?;
        section(
            sections.expressions,
            &|target| expressions(&self.expressions, &words, &kinds, target),
            "expressions",
        )?;
        Ok(file)
    }

    fn into_array(self) -> [Vec<u8>; COLUMNS] {
        let ([low, high], [counts, labels, ends, only, several]) = (self.matrix, self.trie);
        [self.rest, low, high, counts, labels, ends, only, several, self.words, self.expressions]
    }

    #[cfg(feature = "embedded-dictionary")]
    fn from_array(columns: [Vec<u8>; COLUMNS]) -> Self {
        let [rest, low, high, counts, labels, ends, only, several, words, expressions] = columns;
        let (matrix, trie) = ([low, high], [counts, labels, ends, only, several]);
        Self { rest, matrix, trie, words, expressions }
    }
}

/// What stands in [`Columns::rest`] of a file of this length whose header ends there.
fn untouched(sections: &Sections<Range<usize>>, header: usize, file: usize) -> [Range<usize>; 10] {
    let Sections { penalties, characters, astral, classes, categories, .. } = sections.clone();
    let Sections { kinds, unknown, texts, .. } = sections.clone();
    let checksum = file.saturating_sub(CHECKSUM)..file;
    let header = 0..header;
    [header, penalties, characters, astral, classes, categories, kinds, unknown, texts, checksum]
}

/// None where there is more or less to copy.
fn same(source: &[u8], target: &mut [u8]) -> Option<()> {
    (source.len() == target.len()).then(|| target.copy_from_slice(source))
}

/// Writes the number of each word that can be restored, and where its text begins. None where they are too few.
fn expressions(lengths: &[u8], words: &[Word], kinds: &[Kind], target: &mut [u8]) -> Option<()> {
    let restores =
        |word: &Word| kinds.get(usize::from(word.kind)).is_some_and(|kind| kind.restores);
    let mut numbers = (0_u32..).zip(words).filter(|(_, word)| restores(word));
    let mut lengths = numbers::read(lengths);
    let mut start = 0_u32;
    for entry in target.as_chunks_mut::<8>().0 {
        let (number, _) = numbers.next()?;
        *entry = (u64::from(number) | u64::from(start) << 32).to_le_bytes();
        start = start.wrapping_add(lengths.next()?);
    }
    Some(())
}
