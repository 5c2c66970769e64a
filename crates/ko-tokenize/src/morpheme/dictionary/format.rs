//! The file of a dictionary, byte by byte.
//!
//! ```text
//! 8 bytes    magic, with the version of the format
//! 4 bytes    length of the header, little-endian
//! …          header: JSON, with the length of each section
//! …          sections, each at a multiple of 64 bytes
//! 64 bytes   SHA-256 of everything before, in hexadecimal digits
//! ```
//!
//! Everything is verified whenever a dictionary is opened, so that nothing has to be remembered or trusted: the checksum first,
//! then that every number which names something names something that is there.

use super::{context::Contexts, manifest::Manifest};
use ko_eval_core::Fingerprint;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Changes whenever what stands in the file does.
pub(super) const FORMAT: u32 = 2;
/// What every version begins with; the version and a line feed follow.
const MAGIC: &[u8; 6] = b"ko-dic";
pub(super) const CHECKSUM: usize = 64;
const ALIGNMENT: usize = 64;

/// What stands in the header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) manifest: Manifest,
    /// How many left numbers there are.
    pub(super) lefts: usize,
    /// How many right numbers there are.
    pub(super) rights: usize,
    pub(super) tags: Vec<String>,
    pub(super) contexts: Contexts,
    /// Bytes of each section.
    pub(super) sections: [usize; SECTIONS],
}

pub(super) const SECTIONS: usize = 12;

/// One of something for each section, in the order of the file.
#[derive(Debug, Clone)]
pub(super) struct Sections<T> {
    /// Connection costs: per left number one of two bytes for each right number.
    pub(super) matrix: T,
    /// Added after white space: four bytes per left number.
    pub(super) penalties: T,
    /// Every code point of the basic plane, a [`Character`](super::class::Character) each.
    pub(super) characters: T,
    /// Code points beyond it that words hold: number and code, four bytes each, in order.
    pub(super) astral: T,
    /// The [`Class`](super::class::Class)es of code points.
    pub(super) classes: T,
    /// Per category, the first and the number of its unknown words: two bytes each.
    pub(super) categories: T,
    /// The [trie](super::trie).
    pub(super) trie: T,
    /// The [`Kind`](super::word::Kind)s of words.
    pub(super) kinds: T,
    /// The [`Word`](super::word::Word)s.
    pub(super) words: T,
    /// Unknown words, as words.
    pub(super) unknown: T,
    /// Words whose morphemes can be restored, in order: number of the word, and where its text begins, four bytes each.
    pub(super) expressions: T,
    /// These texts.
    pub(super) texts: T,
}

impl<T> Sections<T> {
    fn into_array(self) -> [T; SECTIONS] {
        let Self { matrix, penalties, characters, astral, classes, categories, .. } = self;
        let Self { trie, kinds, words, unknown, expressions, texts, .. } = self;
        [
            matrix,
            penalties,
            characters,
            astral,
            classes,
            categories,
            trie,
            kinds,
            words,
            unknown,
            expressions,
            texts,
        ]
    }

    fn from_array(array: [T; SECTIONS]) -> Self {
        let [
            matrix,
            penalties,
            characters,
            astral,
            classes,
            categories,
            trie,
            kinds,
            words,
            unknown,
            expressions,
            texts,
        ] = array;
        Self {
            matrix,
            penalties,
            characters,
            astral,
            classes,
            categories,
            trie,
            kinds,
            words,
            unknown,
            expressions,
            texts,
        }
    }
}

/// The bytes of a file; the lengths in the header are filled in.
pub(super) fn write(mut header: Header, sections: Sections<Vec<u8>>) -> Vec<u8> {
    let sections = sections.into_array();
    header.sections = sections.each_ref().map(Vec::len);
    let json = serde_json::to_vec(&header).unwrap_or_default();
    let mut file = magic();
    file.extend((json.len() as u32).to_le_bytes());
    file.extend(json);
    for section in sections {
        file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
        file.extend(section);
    }
    seal(&mut file);
    file
}

fn magic() -> Vec<u8> {
    let mut magic = MAGIC.to_vec();
    magic.extend([b'0' + FORMAT as u8, b'\n']);
    magic
}

/// Adds the checksum.
fn seal(file: &mut Vec<u8>) {
    let checksum = Fingerprint::new().bytes(file).hex();
    file.extend(checksum.into_bytes());
}

/// The same bytes with the checksum that they ought to have.
pub(super) fn resealed(mut file: Vec<u8>) -> Vec<u8> {
    file.truncate(file.len().saturating_sub(CHECKSUM));
    seal(&mut file);
    file
}

/// What is done with a file's checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checksum {
    /// It must be right.
    Verified,
    /// It may be anything.
    #[cfg(fuzzing)]
    Unread,
}

/// What stands in a file: the header, and where the sections are.
pub(super) fn read(
    file: &[u8],
    stated: Checksum,
) -> Result<(Header, Sections<Range<usize>>), String> {
    let Some(rest) = file.strip_prefix(MAGIC.as_slice()) else {
        return Err("it is not a dictionary".into());
    };
    if !file.starts_with(&magic()) {
        let found = rest.first().copied().unwrap_or(b'?').escape_ascii();
        return Err(format!("it has format {found}, where {FORMAT} is expected"));
    }
    let (body, checksum) = file
        .split_last_chunk::<CHECKSUM>()
        .ok_or_else(|| format!("its {} bytes are too few", file.len()))?;
    if stated == Checksum::Verified && Fingerprint::new().bytes(body).hex().as_bytes() != checksum {
        return Err("its checksum is not that of its contents".into());
    }
    let (header, end) = header(body)?;
    let (sections, end) = layout(&header, end);
    if end != body.len() {
        return Err(format!("its sections end at byte {end} and not at {}", body.len()));
    }
    Ok((header, sections))
}

/// The header at the beginning of a file, and where it ends.
pub(super) fn header(file: &[u8]) -> Result<(Header, usize), String> {
    let start = magic().len() + 4;
    let length = file.get(start - 4..start).and_then(|length| length.try_into().ok());
    let length = length.map_or(0, u32::from_le_bytes) as usize;
    let json = file.get(start..start.saturating_add(length)).unwrap_or_default();
    let header = serde_json::from_slice(json).map_err(|error| format!("its header: {error}"))?;
    Ok((header, start + json.len()))
}

/// Where the sections lie behind a header that ends there, and where the last one ends.
pub(super) fn layout(header: &Header, mut end: usize) -> (Sections<Range<usize>>, usize) {
    let sections = header.sections.map(|length| {
        let start = end.checked_next_multiple_of(ALIGNMENT).unwrap_or(end);
        end = start.saturating_add(length);
        start..end
    });
    (Sections::from_array(sections), end)
}
