//! Files as somebody damaged them: a whole one of ours, and what was done to it.
//!
//! An input is a recipe: which file, and a few changes. So a fuzzer needs no corpus to get beyond a file's first bytes, and a small
//! input does what a format fears: lengths that lie, fields that are missing, cut short, doubled, or hold the odd number.

use arbitrary::{Arbitrary, Result, Unstructured};

/// The most changes of one file.
const MOST_CHANGES: usize = 8;

/// How many bytes a file may grow by: more of the same takes time and shows nothing new.
const MOST_GROWTH: usize = 1 << 13;

/// What is put where a number or a text was.
const ODD: &[&str] = &[
    "",
    "0",
    "1",
    "2",
    "-1",
    "-0.0",
    "1.5",
    "1e308",
    "-1e308",
    "1e-320",
    "1e999",
    "NaN",
    "inf",
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"가\"",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "9007199254740993",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "가",
    "\u{feff}",
    "\u{0}",
    "\r\n",
    "\n\n",
    "\t",
    "\t\t",
    " ",
    "|",
    ":",
    "=",
    "#",
    "/",
    "\\",
    "..",
    "../x",
    "_",
    "+",
    "((((((((",
    "[[[[[[[[[[[[[[[[",
    "{\"a\":{\"a\":{\"a\":",
    "\u{10ffff}",
    "e\u{301}",
    "\u{1100}\u{1161}",
    "😀",
];

/// Whether a byte stands between the fields of a text.
const BETWEEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut bytes: &[u8] = b"\t\n\r ,:;|=#/[]{}()\"'+";
    while let [first, rest @ ..] = bytes {
        table[*first as usize] = true;
        bytes = rest;
    }
    table
};

/// One thing that was done to a file.
#[derive(Debug, Arbitrary)]
enum Change {
    /// A byte is another.
    Byte { at: u32, value: u8 },
    /// A bit is turned.
    Bit { at: u32, bit: u8 },
    /// A little-endian number of one to eight bytes is another.
    Number { at: u32, width: u8, value: u64 },
    /// A number grows or shrinks by a little.
    Step { at: u32, width: u8, by: i8 },
    /// Bytes are put in.
    Insert { at: u32, bytes: [u8; 4], count: u8 },
    /// Bytes are taken out.
    Delete { at: u32, count: u16 },
    /// Bytes stand several times.
    Repeat { at: u32, count: u16, times: u8 },
    /// Bytes of one place stand at another.
    Copy { from: u32, count: u16, to: u32 },
    /// A field of a text is something else.
    Field { number: u16, odd: u8 },
    /// A field of a text is another field of it.
    Swap { number: u16, other: u16 },
    /// A field and what follows it, up to the next, are missing.
    Lose { number: u16 },
    /// The rest is missing.
    Cut { at: u32 },
    /// The rest is another file's.
    Splice { at: u32, other: u8 },
}

/// Whether a reader would unpack them: what was packed has lines of its own, and may end in the middle of one.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1f\x8b") || bytes.starts_with(b"\x28\xb5\x2f\xfd")
}

/// A file that the fuzzer made of one of `seeds`; an input that begins with 0xFF is taken as it is.
pub fn damaged(data: &[u8], seeds: &[Vec<u8>]) -> Vec<u8> {
    if let Some(raw) = data.strip_prefix(&[0xff]) {
        return raw.to_vec();
    }
    make(&mut Unstructured::new(data), seeds).unwrap_or_default()
}

/// The same as a text: what is not UTF-8 in it is replaced.
pub fn text(data: &[u8], seeds: &[Vec<u8>]) -> String {
    String::from_utf8_lossy(&damaged(data, seeds)).into_owned()
}

fn make(u: &mut Unstructured<'_>, seeds: &[Vec<u8>]) -> Result<Vec<u8>> {
    let mut file = u.choose(seeds)?.clone();
    let longest = file.len() + MOST_GROWTH;
    for _ in 0..u.int_in_range(0..=MOST_CHANGES)? {
        apply(&mut file, Change::arbitrary(u)?, seeds);
        file.truncate(longest);
    }
    Ok(file)
}

fn apply(file: &mut Vec<u8>, change: Change, seeds: &[Vec<u8>]) {
    let place = |at: u32| at as usize % file.len().max(1);
    let part = |at: u32, count: u16| place(at)..(place(at) + usize::from(count)).min(file.len());
    match change {
        Change::Byte { at, value } => {
            let at = place(at);
            file.iter_mut().skip(at).take(1).for_each(|byte| *byte = value);
        }
        Change::Bit { at, bit } => {
            let at = place(at);
            file.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << (bit % 8));
        }
        Change::Number { at, width, value } => {
            let (at, width) = (place(at), usize::from(width % 8) + 1);
            let bytes = value.to_le_bytes();
            file.iter_mut().skip(at).zip(&bytes[..width]).for_each(|(byte, new)| *byte = *new);
        }
        Change::Step { at, width, by } => {
            let (at, width) = (place(at), usize::from(width % 8) + 1);
            let old =
                file.iter().skip(at).take(width).rev().fold(0u64, |n, b| n << 8 | u64::from(*b));
            let new = old.wrapping_add_signed(i64::from(by)).to_le_bytes();
            file.iter_mut().skip(at).zip(&new[..width]).for_each(|(byte, new)| *byte = *new);
        }
        Change::Insert { at, bytes, count } => {
            let at = place(at);
            file.splice(at..at, bytes.iter().copied().cycle().take(usize::from(count)));
        }
        Change::Delete { at, count } => {
            let part = part(at, count);
            file.drain(part);
        }
        Change::Repeat { at, count, times } => {
            let part = part(at, count);
            let times = usize::from(times).min(MOST_GROWTH / part.len().max(1));
            let copies = file[part.clone()].repeat(times);
            file.splice(part.end..part.end, copies);
        }
        Change::Copy { from, count, to } => {
            let bytes = file[part(from, count)].to_vec();
            let to = place(to);
            file.splice(to..to, bytes);
        }
        Change::Field { number, odd } => {
            let field = field(file, number);
            file.splice(field, ODD[usize::from(odd) % ODD.len()].bytes());
        }
        Change::Swap { number, other } => {
            let bytes = file[field(file, other)].to_vec();
            let field = field(file, number);
            file.splice(field, bytes);
        }
        Change::Lose { number } => {
            let (this, next) = (field(file, number), field(file, number.wrapping_add(1)));
            file.drain(this.start..next.start.max(this.end));
        }
        Change::Cut { at } => {
            let at = place(at);
            file.truncate(at);
        }
        Change::Splice { at, other } => {
            let at = place(at);
            let other = &seeds[usize::from(other) % seeds.len()];
            file.truncate(at);
            file.extend(other.iter().skip(at));
        }
    }
}

/// One of a text's fields: a longest run without what stands between fields.
fn field(file: &[u8], number: u16) -> std::ops::Range<usize> {
    let is_between = |at: usize| file.get(at).is_none_or(|byte| BETWEEN[usize::from(*byte)]);
    let is_start = |at: &usize| !is_between(*at) && (*at == 0 || is_between(at - 1));
    let count = (0..file.len()).filter(is_start).count();
    let Some(start) = (0..file.len()).filter(is_start).nth(usize::from(number) % count.max(1))
    else {
        return 0..0;
    };
    let end = (start..file.len()).find(|at| is_between(*at)).unwrap_or(file.len());
    start..end
}
