//! Known mistakes of the network, and what stands there instead.

use super::{decoder::Letter, error::KhaiiiError, resource::File, trie::Trie};

/// `errpatch.tri`, `errpatch.len` and `errpatch.val`: runs of characters with their tags, and the right tags.
pub(super) struct ErrorPatches {
    trie: Trie,
    /// Where each patch's tags begin.
    starts: Vec<usize>,
    tags: Vec<i16>,
}

/// What stands between words, and at both ends of a text.
const BETWEEN_WORDS: i32 = -1;
const END: i32 = -2;

/// One element of the sequence that patches are looked for in.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    key: i32,
    /// The letter whose tag it is; nothing at a boundary.
    letter: Option<u32>,
}

impl ErrorPatches {
    pub(super) fn read(
        trie: &File,
        lengths: &File,
        values: &File,
        classes: usize,
    ) -> Result<Self, KhaiiiError> {
        let tags: Vec<_> =
            values.entries()?.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect();
        let known = END..classes as i32;
        if let Some(at) = tags.iter().position(|tag| !known.contains(&i32::from(*tag))) {
            return Err(values.damaged(at, format!("a tag number beyond {}", classes - 1)));
        }
        let mut end = 0;
        let mut starts = Vec::with_capacity(lengths.bytes.len());
        for length in &lengths.bytes {
            starts.push(end);
            // A zero follows each.
            end += usize::from(*length) + 1;
        }
        if end != tags.len() {
            return Err(values.size(format!("{} (as {} says)", 2 * end, lengths.path.display())));
        }
        let trie = Trie::read(trie, |length, value| match lengths.bytes.get(value as usize) {
            Some(found) if usize::from(*found) >= length => Ok(()),
            Some(found) => Err(format!("a key of {length} for a patch of {found}")),
            None => Err(format!("patch {value} of {}", lengths.bytes.len())),
        })?;
        Ok(Self { trie, starts, tags })
    }

    /// Corrects tags where a patch fits, from left to right, the longest first.
    pub(super) fn apply(&self, letters: &mut [Letter], marks: &mut Vec<Mark>) {
        marks.clear();
        marks.push(Mark { key: END, letter: None });
        for (number, letter) in letters.iter().enumerate() {
            if number > 0 && letter.from_start == 0 {
                marks.push(Mark { key: BETWEEN_WORDS, letter: None });
            }
            // The program's numbers have 32 bits as well: beyond U+FFFFF the topmost are lost.
            let key = (letter.c as u32) << 12 | u32::from(letter.tag);
            marks.push(Mark { key: key as i32, letter: Some(number as u32) });
        }
        marks.push(Mark { key: END, letter: None });
        let mut rest = marks.as_slice();
        while !rest.is_empty() {
            let found = self.trie.longest(rest.iter().map(|mark| mark.key), |_, _| true);
            let (length, patch) = found.unwrap_or((1, 0));
            if patch > 0 {
                let start = self.starts.get(patch as usize).copied().unwrap_or_default();
                let tags = self.tags.get(start..start + length).unwrap_or_default();
                for (mark, tag) in rest.iter().zip(tags) {
                    let letter = mark.letter.and_then(|number| letters.get_mut(number as usize));
                    if let (Some(letter), 1..) = (letter, *tag) {
                        letter.tag = *tag as u16;
                    }
                }
            }
            rest = rest.get(length..).unwrap_or_default();
        }
    }
}
