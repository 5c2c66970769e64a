//! Words that are looked up before the network is asked.

use super::{error::KhaiiiError, resource::File, trie::Trie};

/// `preanal.tri` and `preanal.val`: whole words, and beginnings of words, with the tags of their characters.
pub(super) struct Preanalysis {
    trie: Trie,
    tags: Vec<u16>,
}

impl Preanalysis {
    pub(super) fn read(trie: &File, values: &File, classes: usize) -> Result<Self, KhaiiiError> {
        let tags: Vec<_> =
            values.entries()?.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect();
        if let Some(at) = tags.iter().position(|tag| usize::from(*tag) >= classes) {
            return Err(values.damaged(at, format!("a tag number beyond {}", classes - 1)));
        }
        let trie = Trie::read(trie, |length, value| {
            let end = (value / 2) as usize + length;
            if end <= tags.len() {
                Ok(())
            } else {
                Err(format!("its tags end at {end} of {}", tags.len()))
            }
        })?;
        Ok(Self { trie, tags })
    }

    /// The tags of a word's first characters; 0 where the network decides.
    ///
    /// A value is twice the place of its tags; an even one holds for the whole word only, an odd one for any word that
    /// begins so. The longest that holds is taken.
    pub(super) fn find(&self, word: impl ExactSizeIterator<Item = char>) -> &[u16] {
        let whole = word.len();
        let accept = |length, value| value % 2 == 1 || length == whole;
        let Some((length, value)) = self.trie.longest(word.map(|c| c as i32), accept) else {
            return &[];
        };
        let start = (value / 2) as usize;
        self.tags.get(start..start + length).unwrap_or_default()
    }
}
