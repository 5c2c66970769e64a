//! What a character and its tag number stand for: 했 with one number is 하/VV and 였/EP.

use super::{
    error::KhaiiiError,
    resource::{File, TAGS},
};

/// How many parts of speech there are.
const PARTS: u16 = TAGS.len() as u16;

/// A character of a restored morpheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) c: char,
    /// The part of speech, from 1.
    pub(super) tag: u8,
    pub(super) joins: Joins,
}

/// Whether a piece belongs to the morpheme before it, if that has the same tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joins {
    Yes,
    No,
}

/// `restore.key`, `restore.val` and `restore.one`.
///
/// Tag numbers 1 to 46 are parts of speech that begin a morpheme beside another of the same kind, 47 to 92 the same that
/// begin or continue one; beyond that a number stands for several pieces that depend on the character.
pub(super) struct Restoration {
    /// Code point and tag number, in order.
    keys: Vec<u32>,
    /// Where the pieces of each key begin; one more, where the last end.
    starts: Vec<u32>,
    pieces: Vec<Piece>,
    /// By tag number: the simple number that stands in where the character is not known with it.
    simple: Vec<u8>,
}

impl Restoration {
    pub(super) fn read(keys: &File, values: &File, simple: File) -> Result<Self, KhaiiiError> {
        let numbers: Vec<_> =
            keys.entries()?.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        if let Some(at) = numbers.windows(2).position(|pair| pair.first() >= pair.last()) {
            return Err(keys.damaged(at + 1, "not in order"));
        }
        // At most four pieces a key.
        let quadruples = values.entries::<16>()?;
        if quadruples.len() != numbers.len() {
            return Err(values.size(format!(
                "{} (as {} says)",
                16 * numbers.len(),
                keys.path.display()
            )));
        }
        let (mut starts, mut pieces) = (vec![0], Vec::new());
        for (at, quadruple) in quadruples.iter().enumerate() {
            let values_of = quadruple.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
            let before = pieces.len();
            for value in values_of.take_while(|value| *value != 0) {
                let piece = Piece::from_value(value);
                pieces.push(
                    piece
                        .ok_or_else(|| values.damaged(at, format!("{value:#x} is not a piece")))?,
                );
            }
            if pieces.len() == before {
                return Err(values.damaged(at, "no piece"));
            }
            starts.push(pieces.len() as u32);
        }
        let compound = simple.bytes.iter().enumerate().skip(usize::from(2 * PARTS) + 1);
        if let Some((at, number)) =
            compound.clone().find(|(_, number)| !is_simple(u16::from(**number)))
        {
            return Err(simple.damaged(at, format!("{number} is not between 1 and {}", 2 * PARTS)));
        }
        if compound.len() == 0 {
            return Err(simple.size(format!("more than {}", 2 * PARTS + 1)));
        }
        Ok(Self { keys: numbers, starts, pieces, simple: simple.bytes })
    }

    /// One more than the greatest tag number.
    pub(super) fn classes(&self) -> usize {
        self.simple.len()
    }

    /// What a number beyond the simple ones stands for; `None` where the character is not known with it.
    fn compound(&self, c: char, tag: u16) -> Option<&[Piece]> {
        let at = self.keys.binary_search(&((c as u32) << 12 | u32::from(tag))).ok()?;
        let (start, end) = (*self.starts.get(at)?, *self.starts.get(at + 1)?);
        self.pieces.get(start as usize..end as usize)
    }

    /// The simple number that stands in for a compound one.
    fn simple(&self, tag: u16) -> u16 {
        self.simple.get(usize::from(tag)).map_or(tag, |simple| u16::from(*simple))
    }

    /// The tag number of a character, and the part of speech its last piece has, after a character whose last piece has
    /// the part of speech `before` (0 at a word's beginning).
    ///
    /// A compound number that the character is not known with becomes a simple one; and a number that begins a
    /// morpheme beside one of the same kind is only right where there is one.
    pub(super) fn revise(&self, c: char, tag: u16, before: u8) -> (u16, u8) {
        let tag = match is_simple(tag) {
            true => tag,
            false => match self.compound(c, tag).and_then(<[_]>::last) {
                Some(last) => return (tag, last.tag),
                None => self.simple(tag),
            },
        };
        let Piece { tag: part, joins, .. } = Piece::simple(c, tag);
        match joins {
            Joins::No if part != before => (tag + PARTS, part),
            _ => (tag, part),
        }
    }

    /// Calls `each` with the pieces that a character with this tag number stands for.
    pub(super) fn restore(&self, c: char, tag: u16, mut each: impl FnMut(Piece)) {
        if is_simple(tag) {
            return each(Piece::simple(c, tag));
        }
        match self.compound(c, tag) {
            Some(pieces) => pieces.iter().copied().for_each(each),
            None => each(Piece::simple(c, self.simple(tag))),
        }
    }
}

fn is_simple(tag: u16) -> bool {
    (1..=2 * PARTS).contains(&tag)
}

impl Piece {
    fn simple(c: char, tag: u16) -> Self {
        match tag > PARTS {
            true => Self { c, tag: (tag - PARTS) as u8, joins: Joins::Yes },
            false => Self { c, tag: tag as u8, joins: Joins::No },
        }
    }

    fn from_value(value: u32) -> Option<Self> {
        let tag = (value & 0x7f) as u8;
        let joins = if value & 0x80 == 0 { Joins::No } else { Joins::Yes };
        let c = char::from_u32(value >> 8)?;
        (1..=PARTS as u8).contains(&tag).then_some(Self { c, tag, joins })
    }
}
