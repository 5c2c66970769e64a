//! Every sentence's vector, computed once and kept on disk.
//!
//! A store is a file that only grows: a header, then a record (hash of the sentence, vector) per
//! sentence, appended batch by batch. After an interruption whatever was written whole is used, and a record that
//! was cut short is dropped. Numbers are little-endian, so stores travel between machines.

use crate::{
    dataset::Example,
    error::{Error, Result},
};
use ko_eval_core::{Error as CoreError, Fingerprint, SentenceEmbedder};
use rustc_hash::FxHashMap;
use std::{
    fs::{self, File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
};

const MAGIC: &[u8; 8] = b"ko-vec1\n";
const KEY: usize = 16;
/// Sentences given to an embedder at a time.
const BATCH: usize = 256;

/// What an embedder made of sentences.
#[derive(Debug)]
pub struct Vectors {
    dim: usize,
    rows: FxHashMap<[u8; KEY], usize>,
    data: Vec<f32>,
    file: Option<(PathBuf, File)>,
}

impl Vectors {
    /// A store in memory only.
    pub fn in_memory() -> Self {
        Self { dim: 0, rows: FxHashMap::default(), data: Vec::new(), file: None }
    }

    /// The store of an embedder in a folder; made if there is none.
    ///
    /// # Errors
    /// A file that cannot be read or written, or is no store.
    pub fn open(folder: &Path, embedder: &dyn SentenceEmbedder) -> Result<Self> {
        let signature = embedder.signature();
        let digest = Fingerprint::new().bytes(signature.to_string().as_bytes()).digits(12);
        let safe = |c: char| if c.is_alphanumeric() { c } else { '-' };
        let name: String = signature.name().chars().map(safe).take(40).collect();
        let path = folder.join(format!("{name}-{digest}.vectors"));
        let io = |error| CoreError::io(&path, error);
        fs::create_dir_all(folder).map_err(io)?;
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(io(error).into()),
        };
        let mut store = Self::in_memory();
        let whole = store.load(&bytes).ok_or_else(|| {
            CoreError::io(
                &path,
                std::io::Error::other("not a store of vectors; remove it to start anew"),
            )
        })?;
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(io)?;
        file.set_len(whole as u64).map_err(io)?;
        store.file = Some((path, file));
        Ok(store)
    }

    /// Reads whole records; returns where they end, or `None` if this is no store.
    fn load(&mut self, bytes: &[u8]) -> Option<usize> {
        let Some((head, rest)) = bytes.split_at_checked(MAGIC.len() + 4) else {
            // Empty, or cut short within the header: nothing is lost by starting anew.
            return MAGIC.starts_with(bytes.get(..bytes.len().min(MAGIC.len()))?).then_some(0);
        };
        let dim = u32::from_le_bytes(head.strip_prefix(MAGIC)?.try_into().ok()?) as usize;
        self.dim = dim;
        let record = KEY.checked_add(dim.checked_mul(4)?)?;
        let records = rest.chunks_exact(record);
        let whole = head.len() + rest.len() - records.remainder().len();
        for record in records {
            let (key, numbers) = record.split_at_checked(KEY)?;
            let numbers = numbers.chunks_exact(4).filter_map(|n| n.try_into().ok());
            self.rows.insert(key.try_into().ok()?, self.rows.len());
            self.data.extend(numbers.map(f32::from_le_bytes));
        }
        Some(whole)
    }

    /// The length of the vectors; 0 while there are none.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// How many sentences have vectors.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// One sentence's vector.
    pub fn get(&self, text: &str) -> Option<&[f32]> {
        let row = *self.rows.get(&key(text))?;
        self.data.get(row * self.dim..(row + 1) * self.dim)
    }

    /// Computes what is missing. `progress` hears, after every batch, how many of the missing
    /// sentences are done, and how many were missing.
    ///
    /// # Errors
    /// The embedder's own, or what is wrong with its vectors, naming the sentence.
    pub fn fill<'e>(
        &mut self,
        examples: impl IntoIterator<Item = &'e Example>,
        embedder: &dyn SentenceEmbedder,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<()> {
        let mut missing: Vec<&Example> = Vec::new();
        let mut asked = rustc_hash::FxHashSet::default();
        for example in examples {
            let key = key(&example.text);
            if !self.rows.contains_key(&key) && asked.insert(key) {
                missing.push(example);
            }
        }
        // Sentences of like length together: encoders pad to the longest of a batch.
        missing.sort_by_key(|example| example.text.len());
        let mut done = 0;
        for batch in missing.chunks(BATCH) {
            self.add(batch, embedder)?;
            done += batch.len();
            progress(done, missing.len());
        }
        Ok(())
    }

    fn add(&mut self, batch: &[&Example], embedder: &dyn SentenceEmbedder) -> Result<()> {
        let name = || embedder.signature().to_string();
        let Some(first) = batch.first() else { return Ok(()) };
        let texts: Vec<&str> = batch.iter().map(|example| example.text.as_str()).collect();
        let vectors = embedder.embed(&texts)?;
        if vectors.len() != batch.len() {
            return Err(Error::VectorCount {
                embedder: name(),
                first: Box::new(first.origin.clone()),
                got: vectors.len(),
                wanted: batch.len(),
            });
        }
        if self.dim != 0 && vectors.dim() != self.dim {
            let origin = Box::new(first.origin.clone());
            let (got, wanted) = (vectors.dim(), self.dim);
            return Err(Error::Dimension { embedder: name(), origin, got, wanted });
        }
        for (example, row) in batch.iter().zip(vectors.rows()) {
            if let Some((place, value)) = row.iter().enumerate().find(|(_, n)| !n.is_finite()) {
                let origin = Box::new(example.origin.clone());
                return Err(Error::NotFinite { embedder: name(), origin, place, value: *value });
            }
        }
        let mut bytes = Vec::new();
        if self.dim == 0 {
            self.dim = vectors.dim();
            bytes.extend_from_slice(MAGIC);
            bytes.extend_from_slice(&(self.dim as u32).to_le_bytes());
        }
        for (text, row) in texts.iter().zip(vectors.rows()) {
            let key = key(text);
            self.rows.insert(key, self.rows.len());
            bytes.extend_from_slice(&key);
            row.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        }
        self.data.extend_from_slice(vectors.as_slice());
        if let Some((path, file)) = &mut self.file {
            file.write_all(&bytes).map_err(|error| CoreError::io(&*path, error))?;
        }
        Ok(())
    }
}

fn key(text: &str) -> [u8; KEY] {
    let digest = Fingerprint::new().bytes(text.as_bytes()).digest();
    let mut key = [0; KEY];
    key.iter_mut().zip(digest).for_each(|(k, d)| *k = d);
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{dataset::Part, embedders::BagOfJamo, sentence::Origin};
    use ko_eval_core::{Embeddings, Signature, Signed};

    fn example(text: &str, line: usize) -> Example {
        let origin = Origin { path: Path::new("t.txt").into(), line, id: line.to_string() };
        Example { text: text.into(), class: 0, part: Part::Train, origin }
    }

    /// Wrong in a way of one's choice.
    #[derive(Debug)]
    struct Broken(fn(&[&str]) -> (usize, Vec<f32>));

    impl Signed for Broken {
        fn signature(&self) -> Signature {
            Signature::new("broken")
        }
    }

    impl SentenceEmbedder for Broken {
        fn embed(&self, texts: &[&str]) -> ko_eval_core::Result<Embeddings> {
            let (dim, data) = (self.0)(texts);
            Embeddings::from_rows(dim, data)
        }
    }

    #[test]
    fn broken_vectors_are_refused_by_sentence_and_line() {
        let examples = [example("가", 3), example("나다", 7)];
        let fill = |embedder: Broken| {
            Vectors::in_memory().fill(&examples, &embedder, |_, _| {}).unwrap_err().to_string()
        };
        let few = fill(Broken(|_| (2, vec![0.0; 2])));
        assert_eq!(
            few,
            "t.txt:3: sentence `3`: `broken` gave 1 vectors for the 2 sentences from here on"
        );
        let nan = fill(Broken(|_| (2, vec![0.0, 0.0, 0.0, f32::NAN])));
        assert_eq!(nan, "t.txt:7: sentence `7`: `broken` gave NaN at place 1 of the vector");
        let mut store = Vectors::in_memory();
        store.fill(&examples[..1], &Broken(|t| (2, vec![0.0; 2 * t.len()])), |_, _| {}).unwrap();
        let error = store.fill(&examples[1..], &Broken(|t| (3, vec![0.0; 3 * t.len()])), |_, _| {});
        assert!(
            error
                .unwrap_err()
                .to_string()
                .starts_with("t.txt:7: sentence `7`: `broken` gave a vector of 3")
        );
    }

    #[test]
    fn nothing_is_computed_twice_and_a_torn_record_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let jamo = BagOfJamo::new();
        let examples = [example("가", 1), example("나다", 2), example("가", 3)];
        let mut seen = Vec::new();
        let mut store = Vectors::open(folder.path(), &jamo).unwrap();
        store.fill(&examples, &jamo, |done, of| seen.push((done, of))).unwrap();
        assert_eq!(seen, [(2, 2)]);
        let kept = store.get("나다").unwrap().to_vec();
        let path = store.file.as_ref().unwrap().0.clone();
        drop(store);
        // Cut the second record in half.
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
        let mut store = Vectors::open(folder.path(), &jamo).unwrap();
        assert_eq!(store.len(), 1);
        store.fill(&examples, &jamo, |done, of| seen.push((done, of))).unwrap();
        assert_eq!(seen, [(2, 2), (1, 1)]);
        drop(store);
        let store = Vectors::open(folder.path(), &jamo).unwrap();
        assert_eq!((store.len(), store.get("나다")), (2, Some(kept.as_slice())));
        fs::write(&path, "something else entirely").unwrap();
        let error = Vectors::open(folder.path(), &jamo).unwrap_err().to_string();
        assert!(error.contains("not a store of vectors"), "{error}");
    }
}
