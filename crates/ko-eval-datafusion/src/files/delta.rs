//! Whether the numbers of lengths in pages of texts can be true.
//!
//! Two encodings put the lengths of all texts of a page before the texts, and before the lengths how many there are: the `parquet` crate makes
//! room for that many. Unlike a header they may be compressed, so pages are unpacked to look at them, but only pages of these encodings.

use super::thrift::Result;
use datafusion::parquet::{
    basic::Encoding,
    column::page::Page,
    file::{metadata::ParquetMetaDataReader, serialized_reader::SerializedPageReader},
    schema::types::ColumnDescriptor,
};
use std::{
    fs::File,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

/// Lengths that a byte stands for at most. A block of equal ones is a few bytes; writers have blocks of 128 to 2,048.
const DENSEST: u64 = 2048;

/// Looks at the chunks of columns that are marked, in the order of the file. What cannot be read at all passes: whoever reads it says so.
pub(super) fn check(file: &File, marked: &[bool]) -> Result<()> {
    let file = Arc::new(file.try_clone().map_err(|error| error.to_string())?);
    let walk = || chunks(&file, marked);
    catch_unwind(AssertUnwindSafe(walk)).unwrap_or_else(|_| Err("pages that contradict".into()))
}

fn chunks(file: &Arc<File>, marked: &[bool]) -> Result<()> {
    let Ok(footer) = ParquetMetaDataReader::new().parse_and_finish(&**file) else { return Ok(()) };
    let mut marked = marked.iter();
    for group in footer.row_groups() {
        let rows = usize::try_from(group.num_rows()).unwrap_or_default();
        for (chunk, marked) in group.columns().iter().zip(marked.by_ref()) {
            let pages = SerializedPageReader::new(Arc::clone(file), chunk, rows, None);
            let (true, Ok(pages)) = (*marked, pages) else { continue };
            for page in pages.map_while(std::result::Result::ok) {
                let lists = match page.encoding() {
                    Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
                    // What a text has in common with the one before, and then the lengths of the rests.
                    Encoding::DELTA_BYTE_ARRAY => 2,
                    _ => continue,
                };
                if let Some(values) = values(&page, chunk.column_descr()) {
                    plausible(values, lists, page.num_values().into())?;
                }
            }
        }
    }
    Ok(())
}

/// What is behind the levels of a page.
fn values<'p>(page: &'p Page, column: &ColumnDescriptor) -> Option<&'p [u8]> {
    match page {
        Page::DictionaryPage { .. } => None,
        Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
            buf.get(rep_levels_byte_len.checked_add(*def_levels_byte_len)? as usize..)
        }
        Page::DataPage { buf, num_values, def_level_encoding, rep_level_encoding, .. } => {
            let mut rest: &[u8] = buf;
            for (most, encoding) in [
                (column.max_rep_level(), rep_level_encoding),
                (column.max_def_level(), def_level_encoding),
            ] {
                rest = match encoding {
                    _ if most == 0 => rest,
                    Encoding::RLE => {
                        let (length, levels) = rest.split_first_chunk()?;
                        levels.get(u32::from_le_bytes(*length) as usize..)?
                    }
                    // The only other one: as many bits each as the highest level needs.
                    _ => {
                        let bits = u64::from(i16::BITS - most.leading_zeros());
                        let bytes = (u64::from(*num_values) * bits).div_ceil(8);
                        rest.get(usize::try_from(bytes).ok()?..)?
                    }
                };
            }
            Some(rest)
        }
    }
}

/// Looks at so many lists of packed lengths, one after the other.
fn plausible(values: &[u8], lists: usize, texts: u64) -> Result<()> {
    let mut rest = values;
    for _ in 0..lists {
        let Some(list) = List::read(rest) else { return Ok(()) };
        if list.count > texts || list.count > DENSEST.saturating_mul(rest.len() as u64) {
            let (count, bytes) = (list.count, rest.len());
            return Err(format!("{count} lengths of {texts} texts in {bytes} bytes"));
        }
        match list.end() {
            Some(end) => rest = end,
            None => return Ok(()),
        }
    }
    Ok(())
}

/// Numbers packed as differences: the first one, and blocks of small ones of so many bits each.
#[derive(Debug)]
struct List<'b> {
    /// Numbers of a block.
    block: u64,
    /// Parts of a block, each with a number of bits of its own.
    parts: u64,
    count: u64,
    blocks: &'b [u8],
}

impl<'b> List<'b> {
    /// Its head; nothing where bytes break off.
    fn read(bytes: &'b [u8]) -> Option<Self> {
        let (block, bytes) = whole(bytes)?;
        let (parts, bytes) = whole(bytes)?;
        let (count, bytes) = whole(bytes)?;
        let (_first, blocks) = whole(bytes)?;
        Some(Self { block, parts, count, blocks })
    }

    /// What comes behind it.
    fn end(&self) -> Option<&'b [u8]> {
        let each = self.block.checked_div(self.parts)?;
        let mut left = self.count.saturating_sub(1);
        let mut rest = self.blocks;
        while left > 0 {
            let (_least, bytes) = whole(rest).filter(|_| each > 0)?;
            let (bits, bytes) = bytes.split_at_checked(usize::try_from(self.parts).ok()?)?;
            rest = bytes;
            for bits in bits {
                if left > 0 {
                    let bytes = each.checked_mul((*bits).into())? / 8;
                    rest = rest.get(usize::try_from(bytes).ok()?..)?;
                    left = left.saturating_sub(each);
                }
            }
        }
        Some(rest)
    }
}

/// Seven bits a byte, the lowest first, and what comes behind.
fn whole(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (place, byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7f) << (7 * place);
        if *byte < 0x80 {
            return Some((number, bytes.get(place + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of 128 in four parts, so many numbers, the first of them 3 (with a sign, hence 6).
    const HEAD: [u8; 3] = [0x80, 1, 4];
    /// All differences are one of two: 32 bits of one bit each in the first part, none in the others.
    const BLOCK: [u8; 9] = [0, 1, 0, 0, 0, 0xaa, 0xaa, 0xaa, 0xaa];

    #[test]
    fn a_list_ends_behind_its_last_part() {
        let list = [&HEAD[..], &[33, 6], &BLOCK, b"abc"].concat();
        assert_eq!(List::read(&list).unwrap().end().unwrap(), b"abc");
        // A single number has no block; the bits of parts that hold nothing do not count.
        let list = [&HEAD[..], &[1, 6], b"abc"].concat();
        assert_eq!(List::read(&list).unwrap().end().unwrap(), b"abc");
        let list = [&HEAD[..], &[33, 6], &[0, 1, 32, 32, 32], &BLOCK[5..], b"abc"].concat();
        assert_eq!(List::read(&list).unwrap().end().unwrap(), b"abc");
        assert!(List::read(&HEAD).is_none());
        let broken = [&HEAD[..], &[33, 6], &BLOCK[..7]].concat();
        assert!(List::read(&broken).unwrap().end().is_none());
    }

    #[test]
    fn as_many_lengths_as_texts() {
        let list = |count: &[u8]| [&HEAD[..], count, &[6], &BLOCK].concat();
        let both = |second: &[u8]| [list(&[33]), list(second)].concat();
        plausible(&both(&[33]), 2, 33).unwrap();
        // A page counts what is NULL, too.
        plausible(&both(&[33]), 2, 40).unwrap();
        let error = plausible(&both(&[34]), 2, 33).unwrap_err();
        assert_eq!(error, "34 lengths of 33 texts in 14 bytes");
        plausible(&both(&[34]), 1, 33).unwrap();
        let many = [0xff, 0xff, 0xff, 0xff, 0x0f];
        let error = plausible(&list(&many), 1, u32::MAX.into()).unwrap_err();
        assert_eq!(error, "4294967295 lengths of 4294967295 texts in 18 bytes");
    }
}
