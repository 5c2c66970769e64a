//! A file that zstd packed: one frame after the other.

use ruzstd::decoding::{
    BlockDecodingStrategy, FrameDecoder,
    errors::{FrameDecoderError, ReadFrameHeaderError},
};
use std::io::{self, BufRead, Read};

/// All frames of a file, as one stream: programs that pack on several cores write many.
pub(super) struct Frames<R> {
    packed: R,
    decoder: FrameDecoder,
}

impl<R: BufRead> Frames<R> {
    pub(super) fn new(packed: R) -> io::Result<Self> {
        let mut frames = Self { packed, decoder: FrameDecoder::new() };
        frames.begin_frame()?;
        Ok(frames)
    }

    /// Whether there is another frame with data; those without are passed over.
    fn begin_frame(&mut self) -> io::Result<bool> {
        loop {
            if self.packed.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.init(&mut self.packed) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(&mut (&mut self.packed).take(length.into()), &mut io::sink())?;
                }
                Err(error) => return Err(broken(error)),
            }
        }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if self.decoder.is_finished() {
                if !self.begin_frame()? {
                    return Ok(0);
                }
                continue;
            }
            let one = BlockDecodingStrategy::UptoBlocks(1);
            self.decoder.decode_blocks(&mut self.packed, one).map_err(broken)?;
        }
        self.decoder.read(buffer)
    }
}

fn broken(error: FrameDecoderError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
