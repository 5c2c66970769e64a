//! Bytes as UTF-8: the corpus is distributed in UTF-16.

use std::io::{self, BufRead, Read};

/// Bytes read at a time.
const CHUNK: usize = 1 << 16;

/// A file in UTF-16, told by its first bytes, as UTF-8; any other as it is.
pub(super) struct Decoded<R> {
    inner: R,
    form: Form,
    ready: Vec<u8>,
    taken: usize,
    /// The first byte of a unit whose second is still to come.
    half: Option<u8>,
    /// The first unit of a pair whose second is still to come.
    high: Option<u16>,
    line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Unknown,
    /// UTF-8, or whatever else.
    Plain,
    Utf16(Order),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    LowFirst,
    HighFirst,
}

impl Order {
    fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::LowFirst => u16::from_le_bytes(bytes),
            Self::HighFirst => u16::from_be_bytes(bytes),
        }
    }
}

impl<R: BufRead> Decoded<R> {
    pub(super) fn new(inner: R) -> Self {
        let (form, ready) = (Form::Unknown, Vec::new());
        Self { inner, form, ready, taken: 0, half: None, high: None, line: 1 }
    }

    /// By a byte-order mark, or by the ASCII that every file begins with: a tag, a semicolon, a bracket, a line's end.
    fn recognise(&mut self) -> io::Result<()> {
        let start = self.inner.fill_buf()?;
        self.form = match start {
            [0xff, 0xfe, ..] | [1..=0x7f, 0, ..] => Form::Utf16(Order::LowFirst),
            [0xfe, 0xff, ..] | [0, 1..=0x7f, ..] => Form::Utf16(Order::HighFirst),
            _ => Form::Plain,
        };
        Ok(())
    }

    /// Decodes the next bytes.
    fn more(&mut self, order: Order) -> io::Result<()> {
        let mut bytes: Vec<u8> = self.half.take().into_iter().collect();
        let read = Read::take(&mut self.inner, CHUNK as u64).read_to_end(&mut bytes)?;
        let bad = |line: usize, what: &str| {
            io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is no UTF-16: {what}"))
        };
        let (pairs, rest) = bytes.as_chunks::<2>();
        let mut units: Vec<u16> = self.high.take().into_iter().collect();
        units.extend(pairs.iter().map(|pair| order.unit(*pair)));
        if read == 0 && !rest.is_empty() {
            return Err(bad(self.line, "half a letter at the end of the file"));
        }
        self.half = rest.first().copied();
        if read > 0 && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
            self.high = units.pop();
        }
        (self.ready, self.taken) = (Vec::with_capacity(units.len() * 3), 0);
        for letter in char::decode_utf16(units) {
            let letter = letter.map_err(|_| bad(self.line, "half of a pair of surrogates"))?;
            self.line += usize::from(letter == '\n');
            self.ready.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Decoded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Decoded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.form == Form::Unknown {
            self.recognise()?;
        }
        let Form::Utf16(order) = self.form else { return self.inner.fill_buf() };
        // A chunk of half a letter decodes to nothing, which would seem to be the end.
        while self.taken >= self.ready.len() {
            self.more(order)?;
            if self.ready.is_empty() && self.half.is_none() && self.high.is_none() {
                break;
            }
        }
        Ok(self.ready.get(self.taken..).unwrap_or_default())
    }

    fn consume(&mut self, read: usize) {
        match self.form {
            Form::Utf16(_) => self.taken += read,
            _ => self.inner.consume(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    fn read(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        Decoded::new(bytes).read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn utf16_is_told_by_its_first_bytes() {
        // A pair of surrogates across the border of two chunks, too.
        let text = format!("; {}𠮷 비가 온다.\r\n", "가".repeat(CHUNK / 2 - 4));
        for text in [text.as_str(), "<tei.2>\n𠮷", ";", "\r\n(S 가"] {
            let marked = format!("\u{feff}{text}");
            for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
                assert_eq!(read(&utf16(text, bytes)).unwrap(), text);
                assert_eq!(read(&utf16(&marked, bytes)).unwrap(), marked);
            }
            assert_eq!(read(text.as_bytes()).unwrap(), text);
        }
        assert_eq!(read(b"").unwrap(), "");
    }

    #[test]
    fn broken_utf16_names_its_line() {
        let mut bytes = utf16("<a>\n가", u16::to_le_bytes);
        bytes.push(0xac);
        assert!(read(&bytes).unwrap_err().to_string().contains("line 2 is no UTF-16"));
        bytes.truncate(8);
        bytes.extend([0x00, 0xd8, b'a', 0]);
        assert!(read(&bytes).unwrap_err().to_string().contains("line 2 is no UTF-16"));
        bytes.truncate(10);
        assert!(read(&bytes).unwrap_err().to_string().contains("surrogates"));
    }
}
