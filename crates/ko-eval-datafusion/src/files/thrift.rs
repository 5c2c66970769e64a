//! A walk through values of Thrift's compact protocol, none of which may be longer than what is left.

use std::{
    fs::File,
    io::{BufReader, Read, Seek, SeekFrom},
};

/// What kind of value a field has.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Flag,
    Byte,
    Number,
    Double,
    Text,
    List(&'static Kind),
    Structure(&'static Shape),
}

/// The fields of a structure that are known. Readers go by a field's number alone, so that one of another kind would lead them elsewhere.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) fields: &'static [(i64, Kind)],
}

/// Values within values.
const DEEPEST: usize = 64;

pub(super) type Result<T> = std::result::Result<T, String>;

/// Hears the name of a structure, the number of a field and its number; the field 0 is the structure's end.
pub(super) type Seen<'s> = dyn FnMut(&'static str, i64, i64) + 's;

impl Kind {
    /// Whether a value that says to be of such a kind is.
    fn is(self, told: u8) -> bool {
        match self {
            Self::Flag => matches!(told, 1 | 2),
            Self::Byte => told == 3,
            Self::Number => matches!(told, 4..=6),
            Self::Double => told == 7,
            Self::Text => told == 8,
            Self::List(_) => told == 9,
            Self::Structure(_) => told == 12,
        }
    }
}

/// The walk, and how many bytes are left of it.
#[derive(Debug)]
pub(super) struct Walk<'f> {
    reader: BufReader<&'f File>,
    left: u64,
}

impl<'f> Walk<'f> {
    pub(super) fn new(file: &'f File) -> Self {
        Self { reader: BufReader::new(file), left: 0 }
    }

    /// From there, with nothing behind `end`.
    pub(super) fn go(&mut self, start: u64, end: u64) -> Result<()> {
        self.left = end.checked_sub(start).ok_or("it points behind its own end")?;
        self.reader.seek(SeekFrom::Start(start)).map(drop).map_err(|error| error.to_string())
    }

    pub(super) fn left(&self) -> u64 {
        self.left
    }

    fn take(&mut self, count: u64) -> Result<()> {
        let left = self.left;
        let rest = left.checked_sub(count);
        self.left = rest.ok_or_else(|| format!("{count} bytes, where {left} are left"))?;
        Ok(())
    }

    pub(super) fn bytes<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.take(N as u64)?;
        let mut bytes = [0; N];
        self.reader.read_exact(&mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    /// Passes over so many bytes.
    pub(super) fn pass(&mut self, count: u64) -> Result<()> {
        self.take(count)?;
        let count = i64::try_from(count).map_err(|error| error.to_string())?;
        self.reader.seek_relative(count).map_err(|error| error.to_string())
    }

    /// Seven bits a byte, the lowest first.
    fn whole(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.bytes()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("a number of more than 64 bits".into())
    }

    /// A number with a sign, whatever its width.
    fn number(&mut self) -> Result<i64> {
        let number = self.whole()?;
        Ok((number >> 1).cast_signed() ^ (number & 1).cast_signed().wrapping_neg())
    }

    /// A list's kind and length; every element has a byte at least.
    fn list(&mut self) -> Result<(u8, u64)> {
        let [head] = self.bytes()?;
        let count = match head >> 4 {
            15 => self.whole()?,
            few => few.into(),
        };
        match count <= self.left {
            true => Ok((head & 0x0f, count)),
            false => Err(format!("a list of {count}, where {} bytes are left", self.left)),
        }
    }

    /// Walks through a structure that ought to have this shape.
    pub(super) fn structure(&mut self, shape: &'static Shape, seen: &mut Seen<'_>) -> Result<()> {
        let mut number = 0_i64;
        loop {
            let [head] = self.bytes()?;
            if head == 0 {
                seen(shape.name, 0, 0);
                return Ok(());
            }
            number = match head >> 4 {
                0 => self.number()?,
                step => number.wrapping_add(step.into()),
            };
            let told = head & 0x0f;
            match shape.fields.iter().find(|(known, _)| *known == number) {
                None => self.skip(told, 0)?,
                Some((_, kind)) if !kind.is(told) => {
                    return Err(format!("field {number} of a {} is of kind {told}", shape.name));
                }
                Some((_, Kind::Number)) => seen(shape.name, number, self.number()?),
                // Its kind is its value.
                Some((_, Kind::Flag)) => {}
                Some((_, kind)) => self.value(*kind, seen)?,
            }
        }
    }

    /// Walks through a value.
    fn value(&mut self, kind: Kind, seen: &mut Seen<'_>) -> Result<()> {
        match kind {
            Kind::Structure(shape) => self.structure(shape, seen),
            Kind::List(kind) => {
                let (told, count) = self.list()?;
                if count > 0 && !kind.is(told) {
                    return Err(format!("a list of values of kind {told}"));
                }
                (0..count).try_for_each(|_| self.value(*kind, seen))
            }
            Kind::Flag | Kind::Byte => self.skip(3, 0),
            Kind::Number => self.skip(6, 0),
            Kind::Double => self.skip(7, 0),
            Kind::Text => self.skip(8, 0),
        }
    }

    /// Passes over a value of which nothing is known but the kind that it says.
    fn skip(&mut self, told: u8, depth: usize) -> Result<()> {
        if depth > DEEPEST {
            return Err(format!("more than {DEEPEST} values within values"));
        }
        match told {
            1 | 2 => Ok(()),
            3 => self.pass(1),
            4..=6 => self.whole().map(drop),
            7 => self.pass(8),
            8 => {
                let length = self.whole()?;
                self.pass(length)
            }
            9 | 10 => {
                let (told, count) = self.list()?;
                (0..count).try_for_each(|_| match told {
                    1 | 2 => self.pass(1),
                    told => self.skip(told, depth + 1),
                })
            }
            12 => loop {
                let [head] = self.bytes()?;
                match (head, head >> 4) {
                    (0, _) => return Ok(()),
                    (_, 0) => drop(self.whole()?),
                    _ => {}
                }
                self.skip(head & 0x0f, depth + 1)?;
            },
            told => Err(format!("a value of the unknown kind {told}")),
        }
    }
}
