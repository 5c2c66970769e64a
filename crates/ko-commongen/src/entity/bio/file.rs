//! The tagger as a file.

use super::{
    super::{TaggerTraining, read_klue},
    BioTagger,
    labels::Labels,
};
use crate::{
    Error,
    model_file::{self, Reader, Writer},
};
use ko_eval_core::Result;
use rustc_hash::FxHashMap;
use std::path::Path;

/// What a model's file begins with.
const MARK: &[u8; 8] = b"KOCGNER1";

impl BioTagger {
    /// Writes the model to a file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let mut out = Writer::new(MARK);
        out.count(self.labels.kinds.len());
        self.labels.kinds.iter().for_each(|kind| out.text(kind));
        self.transitions.iter().for_each(|&w| out.weight(w));
        out.count(self.rows.len());
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_unstable();
        let width = self.labels.len();
        for (&key, &row) in rows {
            out.key(key);
            let weights = self.weights.iter().skip(row as usize * width).take(width);
            weights.for_each(|&w| out.weight(w));
        }
        out.save(path)
    }

    /// Reads a model, or learns from a file of labelled sentences, whichever the file is.
    ///
    /// # Errors
    /// As [`BioTagger::load`], [`read_klue`] and [`BioTagger::train`].
    pub fn open(path: &Path) -> Result<Self> {
        if model_file::is_marked(path, MARK)? {
            return Self::load(path);
        }
        Ok(Self::train(&read_klue(path)?, &TaggerTraining::default())?)
    }

    /// Reads a model that [`BioTagger::save`] wrote.
    ///
    /// # Errors
    /// When the file cannot be read or is no such model.
    pub fn load(path: &Path) -> Result<Self> {
        model_file::load(path, Self::from_bytes)
    }

    /// Reads the bytes of such a file.
    ///
    /// # Errors
    /// [`Error::BadModel`] when they are no such model.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut file = Reader::new(bytes, MARK)?;
        let kinds = (0..file.count(4)?).map(|_| file.text()).collect::<Result<_, _>>()?;
        let labels = Labels { kinds };
        let width = labels.len();
        let transitions =
            (0..(width + 1) * width).map(|_| file.weight()).collect::<Result<_, _>>()?;
        let count = file.count(8 + 4 * width)?;
        let mut rows = FxHashMap::default();
        let mut weights = Vec::with_capacity(count * width);
        for row in 0..count {
            rows.insert(file.key()?, row as u32);
            for _ in 0..width {
                weights.push(file.weight()?);
            }
        }
        file.end()?;
        Ok(Self { labels, rows, weights, transitions })
    }
}
