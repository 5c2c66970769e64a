//! Every sentence's vector, computed once and kept on disk.
//!
//! A store is a file that only grows: a header, then a record (hash of the sentence, vector, check) per
//! sentence, appended batch by batch. Header and records carry a check, a part of their SHA-256: after an interruption
//! whatever was written whole is used, and from the first record on that was cut short or damaged everything is computed
//! anew. The file is locked while it is open. Numbers are little-endian, so stores travel between machines.

use crate::{
    dataset::Example,
    error::{Error, Result},
};
use ko_eval_core::{Error as CoreError, Fingerprint, Signature};
use ko_eval_model::{Embeddings, LayeredEmbedder, SentenceEmbedder};
use rustc_hash::FxHashMap;
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{ErrorKind, Read, Write},
    path::{Path, PathBuf},
};

const MAGIC: &[u8; 8] = b"ko-vec2\n";
/// The format before this one, which had no checks.
const UNCHECKED: &[u8; 8] = b"ko-vec1\n";
const KEY: usize = 16;
const CHECK: usize = 8;
/// Magic, length of the vectors, whose they are, check.
const HEADER: usize = MAGIC.len() + 4 + KEY + CHECK;
/// Sentences given to an embedder at a time.
const BATCH: usize = 256;

/// What an embedder made of sentences.
#[derive(Debug)]
pub struct Vectors {
    /// Whose vectors they are: a hash of the embedder's signature.
    owner: [u8; KEY],
    dim: usize,
    rows: FxHashMap<[u8; KEY], usize>,
    data: Vec<f32>,
    file: Option<(PathBuf, File)>,
}

impl Vectors {
    /// A store in memory only.
    pub fn in_memory() -> Self {
        Self { owner: [0; KEY], dim: 0, rows: FxHashMap::default(), data: Vec::new(), file: None }
    }

    /// The store of an embedder in a folder; made if there is none, and locked until this is dropped.
    ///
    /// # Errors
    /// A file that cannot be read or written, is no store, or that another process has open.
    pub fn open(folder: &Path, embedder: &dyn SentenceEmbedder) -> Result<Self> {
        Self::of_signature(folder, &embedder.signature())
    }

    /// The store of a layer's vectors, or of whatever else has this signature; as [`open`](Self::open).
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn of_signature(folder: &Path, signature: &Signature) -> Result<Self> {
        let digest = Fingerprint::new().bytes(signature.to_string().as_bytes()).digits(12);
        let safe = |c: char| if c.is_alphanumeric() { c } else { '-' };
        let name: String = signature.name().chars().map(safe).take(40).collect();
        let path = folder.join(format!("{name}-{digest}.vectors"));
        let io = |error| CoreError::io(&path, error);
        fs::create_dir_all(folder).map_err(io)?;
        let mut options = OpenOptions::new();
        let mut file = options.create(true).read(true).append(true).open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = "another process".to_owned();
                return Err(CoreError::InUse { path, holder }.into());
            }
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(io(error).into()),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let mut store = Self { owner: key(&signature.to_string()), ..Self::in_memory() };
        let whole = store.load(&bytes).ok_or_else(|| {
            let reason = "not a store of vectors; remove it to start anew".to_owned();
            CoreError::Damaged { path: path.clone(), reason }
        })?;
        file.set_len(whole as u64).map_err(io)?;
        store.file = Some((path, file));
        Ok(store)
    }

    /// Reads whole records up to the first that is not as it was written; returns where they end, or `None` if this is no
    /// store.
    fn load(&mut self, bytes: &[u8]) -> Option<usize> {
        let Some((head, rest)) = bytes.split_at_checked(HEADER) else {
            // Empty, or cut short within the header: nothing is lost by starting anew.
            let start = bytes.get(..bytes.len().min(MAGIC.len()))?;
            return (MAGIC.starts_with(start) || UNCHECKED.starts_with(start)).then_some(0);
        };
        if head.starts_with(UNCHECKED) {
            return Some(0);
        }
        let dim = head.strip_prefix(MAGIC)?.first_chunk::<4>()?;
        let dim = u32::from_le_bytes(*dim) as usize;
        let record = KEY.checked_add(dim.checked_mul(4)?)?.checked_add(CHECK)?;
        if dim == 0 || head != self.header(dim) {
            return Some(0);
        }
        self.dim = dim;
        let mut whole = head.len();
        for record in rest.chunks_exact(record) {
            let (content, check) = record.split_at_checked(record.len() - CHECK)?;
            let (key, numbers) = content.split_at_checked(KEY)?;
            let numbers = numbers.chunks_exact(4).filter_map(|n| n.try_into().ok());
            if check != self.check(content) {
                break;
            }
            self.rows.insert(key.try_into().ok()?, self.data.len() / dim);
            self.data.extend(numbers.map(f32::from_le_bytes));
            whole += record.len();
        }
        Some(whole)
    }

    /// The beginning of a store of vectors of this length.
    fn header(&self, dim: usize) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&(dim as u32).to_le_bytes());
        bytes.extend_from_slice(&self.owner);
        let check = self.check(&bytes);
        bytes.extend_from_slice(&check);
        bytes
    }

    /// What tells that bytes of this store are as they were written.
    fn check(&self, bytes: &[u8]) -> [u8; CHECK] {
        first(Fingerprint::new().bytes(&self.owner).bytes(bytes))
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
        let name = embedder.signature().to_string();
        let missing = missing(std::slice::from_ref(self), examples);
        let mut done = 0;
        for batch in missing.chunks(BATCH) {
            let vectors = embedder.embed(&texts(batch))?;
            self.add(batch, &vectors, &name)?;
            done += batch.len();
            progress(done, missing.len());
        }
        Ok(())
    }

    /// The same for the stores of an embedder's layers, in its order: every text is read once for all of them.
    ///
    /// # Errors
    /// As [`fill`](Self::fill); also as many layers in answer as there are stores.
    pub fn fill_layers<'e>(
        stores: &mut [Self],
        examples: impl IntoIterator<Item = &'e Example>,
        embedder: &dyn LayeredEmbedder,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<()> {
        let names: Vec<String> =
            embedder.layers().iter().map(|l| embedder.layer_signature(*l).to_string()).collect();
        let missing = missing(stores, examples);
        let mut done = 0;
        for batch in missing.chunks(BATCH) {
            let layers = embedder.embed_layers(&texts(batch))?;
            if layers.len() != stores.len() || names.len() != stores.len() {
                return Err(CoreError::LengthMismatch {
                    left: "the list of stores".into(),
                    left_len: stores.len(),
                    right: "the list of layers".into(),
                    right_len: layers.len(),
                }
                .into());
            }
            for ((store, vectors), name) in stores.iter_mut().zip(&layers).zip(&names) {
                store.add(batch, vectors, name)?;
            }
            done += batch.len();
            progress(done, missing.len());
        }
        Ok(())
    }

    /// Takes the vectors of a batch; those that are here already are passed over.
    fn add(&mut self, batch: &[&Example], vectors: &Embeddings, name: &str) -> Result<()> {
        let embedder = || name.to_owned();
        let Some(first) = batch.first() else { return Ok(()) };
        if vectors.len() != batch.len() {
            return Err(Error::VectorCount {
                embedder: embedder(),
                first: Box::new(first.origin.clone()),
                got: vectors.len(),
                wanted: batch.len(),
            });
        }
        if self.dim != 0 && vectors.dim() != self.dim {
            let origin = Box::new(first.origin.clone());
            let (got, wanted) = (vectors.dim(), self.dim);
            return Err(Error::Dimension { embedder: embedder(), origin, got, wanted });
        }
        for (example, row) in batch.iter().zip(vectors.rows()) {
            if let Some((place, value)) = row.iter().enumerate().find(|(_, n)| !n.is_finite()) {
                let origin = Box::new(example.origin.clone());
                let value = *value;
                return Err(Error::NotFinite { embedder: embedder(), origin, place, value });
            }
        }
        let mut bytes = Vec::new();
        if self.dim == 0 {
            self.dim = vectors.dim();
            bytes = self.header(self.dim);
        }
        for (example, row) in batch.iter().zip(vectors.rows()) {
            let key = key(&example.text);
            if self.rows.contains_key(&key) {
                continue;
            }
            self.rows.insert(key, self.rows.len());
            self.data.extend_from_slice(row);
            let mut content = key.to_vec();
            row.iter().for_each(|number| content.extend_from_slice(&number.to_le_bytes()));
            let check = self.check(&content);
            bytes.extend(content);
            bytes.extend(check);
        }
        if let Some((path, file)) = &mut self.file {
            file.write_all(&bytes).map_err(|error| CoreError::io(&*path, error))?;
        }
        Ok(())
    }
}

/// The examples that at least one of the stores lacks, each text once.
fn missing<'e>(
    stores: &[Vectors],
    examples: impl IntoIterator<Item = &'e Example>,
) -> Vec<&'e Example> {
    let mut missing: Vec<&Example> = Vec::new();
    let mut asked = rustc_hash::FxHashSet::default();
    for example in examples {
        let key = key(&example.text);
        let known = stores.iter().all(|store| store.rows.contains_key(&key));
        if !known && asked.insert(key) {
            missing.push(example);
        }
    }
    // Sentences of like length together: encoders pad to the longest of a batch.
    missing.sort_by_key(|example| example.text.len());
    missing
}

fn texts<'e>(batch: &[&'e Example]) -> Vec<&'e str> {
    batch.iter().map(|example| example.text.as_str()).collect()
}

fn key(text: &str) -> [u8; KEY] {
    first(Fingerprint::new().bytes(text.as_bytes()))
}

/// The first bytes of a fingerprint.
fn first<const N: usize>(fingerprint: Fingerprint) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.iter_mut().zip(fingerprint.digest()).for_each(|(byte, digest)| *byte = digest);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{dataset::Part, embedders::BagOfJamo, sentence::Origin};
    use ko_eval_core::Signed;

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
        drop(store);
        fs::write(&path, "something else entirely").unwrap();
        let error = Vectors::open(folder.path(), &jamo).unwrap_err().to_string();
        assert!(error.contains("not a store of vectors"), "{error}");
    }

    #[test]
    fn no_changed_byte_changes_a_vector() {
        let folder = tempfile::tempdir().unwrap();
        let jamo = BagOfJamo::new();
        let examples = [example("가", 1), example("나다", 2), example("라마", 3)];
        let mut store = Vectors::open(folder.path(), &jamo).unwrap();
        store.fill(&examples, &jamo, |_, _| {}).unwrap();
        let path = store.file.as_ref().unwrap().0.clone();
        assert!(
            matches!(
                Vectors::open(folder.path(), &jamo),
                Err(Error::Core(CoreError::InUse { .. }))
            ),
            "one at a time"
        );
        let bytes = fs::read(&path).unwrap();
        let all: Vec<_> = examples.iter().map(|e| store.get(&e.text).unwrap().to_vec()).collect();
        drop(store);
        // The header whole; of what follows, at night every byte.
        let rest = (HEADER..bytes.len()).step_by(ko_eval_testing::cases(31, 1));
        for place in (0..HEADER).chain(rest) {
            let mut changed = bytes.clone();
            changed[place] ^= 0x40;
            fs::write(&path, changed).unwrap();
            // Within the magic it is no store; elsewhere what is damaged is computed anew.
            let Ok(mut store) = Vectors::open(folder.path(), &jamo) else {
                assert!(place < MAGIC.len());
                continue;
            };
            assert!(store.len() < 3, "byte {place} has no check");
            store.fill(&examples, &jamo, |_, _| {}).unwrap();
            for (example, vector) in examples.iter().zip(&all) {
                assert_eq!(store.get(&example.text).unwrap(), vector);
            }
            drop(store);
            assert_eq!(fs::read(&path).unwrap(), bytes, "byte {place}");
        }
    }

    /// Three layers, and how many texts they were asked for.
    #[derive(Debug, Default)]
    struct Layers(std::sync::Mutex<Vec<usize>>);

    impl LayeredEmbedder for Layers {
        fn layers(&self) -> &[usize] {
            &[0, 1, 3]
        }

        fn layer_signature(&self, layer: usize) -> Signature {
            Signature::new("layers").with("layer", layer)
        }

        fn embed_layers(&self, texts: &[&str]) -> ko_eval_core::Result<Vec<Embeddings>> {
            self.0.lock().unwrap().push(texts.len());
            let row = |layer: usize| texts.iter().map(move |t| (t.len() * 10 + layer) as f32);
            [0, 1, 3]
                .map(|layer| Embeddings::from_rows(1, row(layer).collect()))
                .into_iter()
                .collect()
        }
    }

    #[test]
    fn layers_are_filled_by_one_reading_and_kept_apart() {
        let folder = tempfile::tempdir().unwrap();
        let embedder = Layers::default();
        let open = || -> Vec<Vectors> {
            let signatures = embedder.layers().iter().map(|layer| embedder.layer_signature(*layer));
            signatures.map(|s| Vectors::of_signature(folder.path(), &s).unwrap()).collect()
        };
        let examples = [example("가", 1), example("나다", 2), example("라마", 3)];
        let mut stores = open();
        Vectors::fill_layers(&mut stores, &examples[..2], &embedder, |_, _| {}).unwrap();
        assert_eq!(stores[2].get("가"), Some(&[33.0][..]));
        // A layer's store is lost: only what is missing somewhere is read again, and nothing is kept twice.
        let path = stores[1].file.as_ref().unwrap().0.clone();
        let whole = fs::read(stores[0].file.as_ref().unwrap().0.clone()).unwrap();
        drop(stores);
        fs::remove_file(path).unwrap();
        let mut stores = open();
        Vectors::fill_layers(&mut stores, &examples[..2], &embedder, |_, _| {}).unwrap();
        assert_eq!(fs::read(stores[0].file.as_ref().unwrap().0.clone()).unwrap(), whole);
        Vectors::fill_layers(&mut stores, &examples, &embedder, |_, _| {}).unwrap();
        assert_eq!(*embedder.0.lock().unwrap(), [2, 2, 1]);
        let values = stores.iter().map(|store| store.get("나다").unwrap()[0]);
        assert_eq!(values.collect::<Vec<_>>(), [60.0, 61.0, 63.0]);
        let error =
            Vectors::fill_layers(&mut stores[..2], &[example("바", 4)], &embedder, |_, _| {});
        assert!(error.unwrap_err().to_string().contains("the list of layers"));
    }

    #[test]
    fn a_store_of_the_format_without_checks_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let jamo = BagOfJamo::new();
        let path = Vectors::open(folder.path(), &jamo).unwrap().file.unwrap().0;
        fs::write(&path, b"ko-vec1\n\x02\0\0\0aaaaaaaaaaaaaaaabbbbbbbbaaaaaaaaaaaaaaaacccccccc")
            .unwrap();
        assert!(Vectors::open(folder.path(), &jamo).unwrap().is_empty());
    }
}
