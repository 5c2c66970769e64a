//! Protocol buffers, as far as a SentencePiece model needs them: fields one after the other, never read beyond the end.
//!
//! <https://protobuf.dev/programming-guides/encoding/>

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value<'b> {
    Number(u64),
    Float(f32),
    Bytes(&'b [u8]),
    /// Eight bytes, which no field that is read has.
    Long,
}

/// The fields of a message.
#[derive(Debug, Clone)]
pub(super) struct Fields<'b> {
    bytes: &'b [u8],
}

/// Where the bytes stopped making sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed {
    /// How many bytes of the message were left.
    pub(super) left: usize,
}

impl<'b> Fields<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    fn field(&mut self) -> Option<(u64, Value<'b>)> {
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Number(self.varint()?),
            1 => self.take(8).map(|_| Value::Long)?,
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                Value::Bytes(self.take(length)?)
            }
            5 => Value::Float(f32::from_le_bytes(self.take(4)?.try_into().ok()?)),
            _ => return None,
        };
        // No message has a field 0.
        (key >> 3 > 0).then_some((key >> 3, value))
    }

    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (head, tail) = self.bytes.split_at_checked(count)?;
        self.bytes = tail;
        Some(head)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = Result<(u64, Value<'b>), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.bytes.is_empty() {
            return None;
        }
        let left = self.bytes.len();
        let field = self.field();
        if field.is_none() {
            self.bytes = &[];
        }
        Some(field.ok_or(Malformed { left }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_and_ends_are_kept() {
        let bytes = [0x0a, 2, b'h', b'i', 0x18, 0x96, 0x01, 0x15, 0, 0, 0x80, 0x3f];
        let fields: Vec<_> = Fields::new(&bytes).map(Result::unwrap).collect();
        let expected = [(1, Value::Bytes(b"hi")), (3, Value::Number(150)), (2, Value::Float(1.0))];
        assert_eq!(fields, expected);
        for end in [1, 3, 5, 9] {
            assert!(Fields::new(&bytes[..end]).any(|field| field.is_err()), "{end}");
        }
        // A length beyond the end, a number that never ends, a group.
        for bytes in [&[0x0a, 0xff, 0xff, 0x7f][..], &[0xff; 12], &[0x0b]] {
            assert!(Fields::new(bytes).next().unwrap().is_err());
        }
    }
}
