//! Text that is not UTF-8, decoded as it is read.

use super::Source;
use encoding_rs::{CoderResult, Decoder};
use ko_eval::read;
use std::{
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

/// In which encoding text is read.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct EncodingArgs {
    /// Encoding of the text that is read: utf-8, cp949 (EUC-KR), utf-16 or another label of the Encoding Standard
    #[arg(long, value_name = "NAME", default_value = "utf-8", value_parser = parse)]
    pub(crate) encoding: Encoding,
}

/// An encoding of text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Encoding(&'static encoding_rs::Encoding);

fn parse(name: &str) -> Result<Encoding, String> {
    let label = match name.to_ascii_lowercase().as_str() {
        "cp949" | "uhc" | "ms949" => "euc-kr",
        label => label,
    }
    .to_owned();
    encoding_rs::Encoding::for_label(label.as_bytes()).map(Encoding).ok_or_else(|| {
        "expected utf-8, cp949, utf-16 or another label of the Encoding Standard".into()
    })
}

impl Default for Encoding {
    fn default() -> Self {
        Self(encoding_rs::UTF_8)
    }
}

impl Encoding {
    /// A file as UTF-8; `-` is standard input.
    pub(crate) fn open(self, path: &Path) -> ko_eval::Result<Source> {
        let bytes = read::open(path)?;
        if self.0 == encoding_rs::UTF_8 {
            // What is no UTF-8 is found where lines are made, which have numbers.
            return Ok(bytes);
        }
        let decoded = Decoded {
            bytes,
            decoder: self.0.new_decoder(),
            name: self.0.name(),
            line: 1,
            ready: Vec::new(),
            taken: 0,
            ended: false,
        };
        Ok(Box::new(BufReader::new(decoded)))
    }
}

/// UTF-8 from bytes in another encoding.
struct Decoded {
    bytes: Source,
    decoder: Decoder,
    name: &'static str,
    line: usize,
    ready: Vec<u8>,
    taken: usize,
    ended: bool,
}

impl Decoded {
    fn more(&mut self) -> io::Result<()> {
        self.taken = 0;
        let bytes = self.bytes.fill_buf()?;
        let last = bytes.is_empty();
        // A character may go on in the next bytes.
        let is_utf8 = std::str::from_utf8(bytes).map_or_else(|e| e.error_len().is_none(), |_| true);
        let room = self.decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(1 << 20);
        self.ready.resize(room, 0);
        let (result, read, written, wrong) =
            self.decoder.decode_to_utf8(bytes, &mut self.ready, last);
        self.bytes.consume(read);
        self.ready.truncate(written);
        self.ended = last && result == CoderResult::InputEmpty;
        let lines = self.ready.iter().filter(|byte| **byte == b'\n').count();
        if wrong {
            let text = String::from_utf8_lossy(&self.ready);
            let before = text.split('\u{fffd}').next().unwrap_or_default();
            let line = self.line + before.matches('\n').count();
            let mut reason = format!("line {line} is not {}", self.name);
            if is_utf8 {
                reason += ", it looks like UTF-8; --encoding is meant for every file: convert one, for \
                    example by `iconv`";
            }
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        self.line += lines;
        Ok(())
    }
}

impl Read for Decoded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.ready.len() && !self.ended {
            self.more()?;
        }
        let mut left = self.ready.get(self.taken..).unwrap_or_default();
        let read = left.read(buffer)?;
        self.taken += read;
        Ok(read)
    }
}
