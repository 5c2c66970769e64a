//! Whether the sizes that a Parquet file announces can be true.
//!
//! The `parquet` crate makes room for what a file announces: for two thousand million row groups, or for a text that is longer than any disk.
//! Room that is not there ends the process, and nobody can catch that. So every list and every text of the footer, of the headers of pages and
//! of their indexes must fit into what is left of the file, the columns must be a tree that is not too deep, rows must be as many as can be
//! counted, and a dictionary or a list of lengths no longer than its page can hold, before the file is opened.

use super::{
    definition::{FILE, PAGE, PLACES, VALUES},
    delta,
    thrift::{Result, Walk},
};
use std::fs::File;

/// Bytes of a page once it is unpacked; a page usually has a megabyte.
const MOST_UNPACKED: i64 = 1 << 28;

/// The numbers of the encodings that begin with the lengths of texts.
const LENGTHS: [i64; 2] = [6, 7];

/// Groups within groups.
const DEEPEST: usize = 64;

/// What ends a file, after the length of its footer.
const MAGIC: [u8; 4] = *b"PAR1";

/// Looks at every size in a file. What is no Parquet at all passes: whoever reads it says so.
pub(super) fn check(file: &File) -> Result<()> {
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    let Some(end) = length.checked_sub(8) else { return Ok(()) };
    let mut walk = Walk::new(file);
    walk.go(end, length)?;
    let footer: u64 = u32::from_le_bytes(walk.bytes()?).into();
    if walk.bytes()? != MAGIC || footer > end {
        return Ok(());
    }
    walk.go(end - footer, end)?;
    let (mut children, mut columns, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let (mut group, mut column) = (0, Column::default());
    walk.structure(&FILE, &mut |name, field, number| match (name, field) {
        ("column", 5) => group = number,
        ("column", 0) => children.push(std::mem::take(&mut group)),
        ("row group", 3) => rows.push(number),
        ("chunk", 4) => column.places = number,
        ("chunk", 6) => column.values = number,
        ("chunk's description", 7) => column.bytes = number,
        ("chunk's description", 9) => column.data = number,
        ("chunk's description", 11) => column.dictionary = number,
        ("chunk", 0) => columns.push(std::mem::take(&mut column)),
        _ => {}
    })?;
    tree(&children)?;
    countable(&rows)?;
    let packed = columns.iter().map(|column| column.check(&mut walk, length));
    let packed = packed.collect::<Result<Vec<_>>>()?;
    if packed.contains(&true) { delta::check(file, &packed) } else { Ok(()) }
}

/// Columns with their groups, in the order of a walk through their tree: how many children each has.
fn tree(children: &[i64]) -> Result<()> {
    // How many children are still to come, of each group that is open.
    let mut open: Vec<usize> = Vec::new();
    for count in children {
        while open.last() == Some(&0) {
            open.pop();
        }
        if let Some(last) = open.last_mut() {
            *last -= 1;
        }
        match usize::try_from(*count) {
            Ok(0) => {}
            Ok(some) if some < children.len() => open.push(some),
            _ => return Err(format!("a group of {count} columns among {}", children.len())),
        }
        if open.len() > DEEPEST {
            return Err(format!("more than {DEEPEST} groups within groups"));
        }
    }
    Ok(())
}

/// Rows of every row group, which whoever reads them adds up.
fn countable(rows: &[i64]) -> Result<()> {
    if let Some(rows) = rows.iter().find(|rows| **rows < 0) {
        return Err(format!("a row group of {rows} rows"));
    }
    let sum = rows.iter().try_fold(0_i64, |sum, rows| sum.checked_add(*rows));
    sum.map(drop).ok_or_else(|| "more rows than can be counted".into())
}

/// Where a column's pages and indexes lie.
#[derive(Debug, Default)]
struct Column {
    dictionary: i64,
    data: i64,
    bytes: i64,
    /// The index of places.
    places: i64,
    /// The index of values.
    values: i64,
}

impl Column {
    /// Walks through the headers of its pages, and through its indexes. Tells whether lengths of texts are packed in any page.
    fn check(&self, walk: &mut Walk<'_>, length: u64) -> Result<bool> {
        for (offset, shape) in [(self.places, &PLACES), (self.values, &VALUES)] {
            if offset != 0 {
                walk.go(place(offset)?, length)?;
                walk.structure(shape, &mut |_, _, _| {})?;
            }
        }
        let start = place(if self.dictionary > 0 { self.dictionary } else { self.data })?;
        let end = start.saturating_add(place(self.bytes)?);
        if end > length {
            return Err(format!("a column ends at byte {end} of {length}"));
        }
        walk.go(start, length)?;
        let mut has_lengths = false;
        while walk.left() > length - end {
            has_lengths |= page(walk)?;
        }
        Ok(has_lengths)
    }
}

/// Passes over a page, its header first. Tells whether lengths of texts are packed in it.
fn page(walk: &mut Walk<'_>) -> Result<bool> {
    let (mut unpacked, mut packed, mut entries, mut encoding) = (0, 0, 0, 0);
    walk.structure(&PAGE, &mut |name, field, number| match (name, field) {
        ("page", 2) => unpacked = number,
        ("page", 3) => packed = number,
        ("page of data", 2) | ("page of data, version 2", 4) => encoding = number,
        ("dictionary", 1) => entries = number,
        _ => {}
    })?;
    if !(0..=MOST_UNPACKED).contains(&unpacked) {
        return Err(format!("a page of {unpacked} bytes"));
    }
    if !(0..=unpacked).contains(&entries) {
        return Err(format!("a dictionary of {entries} in {unpacked} bytes"));
    }
    walk.pass(place(packed)?)?;
    Ok(LENGTHS.contains(&encoding))
}

fn place(offset: i64) -> Result<u64> {
    u64::try_from(offset).map_err(|_| format!("something at byte {offset}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_a_tree() {
        // A table of a text and a list of texts, as a list is written.
        tree(&[2, 0, 1, 1, 0]).unwrap();
        tree(&[1, 0]).unwrap();
        assert!(tree(&[9, 0]).unwrap_err().contains("a group of 9 columns among 2"));
        assert!(tree(&[1; 100]).unwrap_err().contains("more than 64 groups"));
    }

    #[test]
    fn rows_can_be_counted() {
        countable(&[]).unwrap();
        countable(&[i64::MAX, 0]).unwrap();
        assert_eq!(countable(&[2, -1]).unwrap_err(), "a row group of -1 rows");
        assert_eq!(countable(&[i64::MAX, 1]).unwrap_err(), "more rows than can be counted");
    }
}
