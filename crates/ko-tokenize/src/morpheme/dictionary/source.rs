//! MeCab's compiled dictionary as a whole, checked.

use super::error::{DictionaryError, missing};
use crate::{
    error::{Error, Result},
    morpheme::compiled::{self, CharInfo, Entry},
};
use ko_eval_core::Fingerprint;
use std::{collections::BTreeMap, fs, path::Path};

/// Everything that a dictionary is made of.
pub(in crate::morpheme) struct Source {
    pub(in crate::morpheme) lexicon: Vec<Entry>,
    pub(in crate::morpheme) unknown: Vec<Entry>,
    pub(in crate::morpheme) matrix: compiled::Matrix,
    pub(in crate::morpheme) categories: Vec<String>,
    pub(in crate::morpheme) characters: Vec<CharInfo>,
    /// The cost added to a word after white space, by left id.
    pub(super) space_penalty: Vec<i32>,
    /// The same by part-of-speech number, as it is written.
    by_pos: BTreeMap<u16, i32>,
}

/// The file that is at fault, and why.
type Fault = (&'static str, String);

impl Source {
    /// Reads a folder, and refuses what contradicts itself.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let lexicon = compiled::lexicon(folder, "sys.dic")?;
        let unknown = compiled::lexicon(folder, "unk.dic")?;
        let matrix = compiled::matrix(folder)?;
        let (categories, characters) = compiled::characters(folder)?;
        let by_pos = compiled::space_penalties(folder)?.into_iter().collect();
        let space_penalty = Vec::new();
        let mut source =
            Self { lexicon, unknown, matrix, categories, characters, space_penalty, by_pos };
        let bad = |(file, reason)| DictionaryError::BadSource { path: folder.join(file), reason };
        source.check().map_err(bad)?;
        source.space_penalty = source.penalty_by_left_id().map_err(bad)?;
        Ok(source)
    }

    fn check(&self) -> Result<(), Fault> {
        let Self { unknown, matrix, .. } = self;
        if let Some(stray) =
            self.entries().find(|e| e.left >= matrix.lefts || e.right >= matrix.rights)
        {
            let (left, right) = (stray.left, stray.right);
            let reason =
                format!("`{}` has ids {left} and {right} beyond the matrix", stray.surface);
            return Err(("sys.dic", reason));
        }
        let has_unknown = |category: &String| unknown.iter().any(|e| e.surface == *category);
        if let Some(category) = self.categories.iter().find(|category| !has_unknown(category)) {
            return Err(("unk.dic", format!("category `{category}` has no unknown word")));
        }
        Ok(())
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.lexicon.iter().chain(&self.unknown)
    }

    fn penalty(&self, entry: &Entry) -> i32 {
        self.by_pos.get(&entry.pos).copied().unwrap_or(0)
    }

    /// The space penalty as a function of the left id, which every published mecab-ko-dic makes it.
    fn penalty_by_left_id(&self) -> Result<Vec<i32>, Fault> {
        let mut by_left: Vec<Option<i32>> = vec![None; usize::from(self.matrix.lefts)];
        for entry in self.entries() {
            let Some(slot) = by_left.get_mut(usize::from(entry.left)) else { continue };
            let cost = self.penalty(entry);
            if slot.is_some_and(|other| other != cost) {
                let left = entry.left;
                let reason = format!("left id {left} has words with and without space penalty");
                return Err(("sys.dic", reason));
            }
            *slot = Some(cost);
        }
        Ok(by_left.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// The space penalty as lindera's own segmenter wants it: by first tag.
    #[cfg(feature = "lindera")]
    pub(in crate::morpheme) fn penalty_by_tag(&self) -> BTreeMap<&str, i32> {
        self.entries().map(|entry| (first_tag(&entry.features), self.penalty(entry))).collect()
    }
}

#[cfg(feature = "lindera")]
fn first_tag(features: &str) -> &str {
    features.split(['+', ',']).next().unwrap_or_default()
}

/// SHA-256 over the names, lengths and bytes of the source's files.
pub(super) fn checksum(source: &Path) -> Result<String> {
    if !source.exists() {
        return Err(missing(source));
    }
    let mut all = Fingerprint::new();
    for name in compiled::FILES {
        let path = source.join(name);
        let bytes = fs::read(&path).map_err(Error::io(&path))?;
        all = all.bytes(format!("{name} {}\n", bytes.len()).as_bytes()).bytes(&bytes);
    }
    Ok(all.hex())
}
