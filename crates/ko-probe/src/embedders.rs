//! Embedders that need no model: what a probe finds in these is on the surface.
//!
//! ```
//! use ko_eval_model::SentenceEmbedder;
//! use ko_probe::embedders;
//!
//! let jamo = embedders::by_name("jamo")?;
//! let vectors = jamo.embed(&["각 각", "나"])?;
//! assert_eq!(vectors.row(0).map(|row| row.iter().sum::<f32>()), Some(7.0));
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use ko_eval_core::{
    Error, Fingerprint, Result, Signature, Signed, registry::Entry, setting::Whole,
};
use ko_eval_io::read::Lines;
use ko_eval_model::{Embeddings, SentenceEmbedder};
use ko_tokenize::jamo::{Letter, letters};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::{path::PathBuf, sync::Arc};

/// Every embedder that needs no model.
pub const EMBEDDERS: &[Entry<dyn SentenceEmbedder>] = &[
    Entry {
        name: "ngrams",
        summary: "counts of character n-grams of lengths 1 to 3, hashed",
        argument: None,
        params: &[DIM.param()],
        build: |params| Ok(Arc::new(HashedNgrams::new(params.read(&DIM)?)?)),
    },
    Entry {
        name: "jamo",
        summary: "counts of letters by their place in the syllable",
        argument: None,
        params: &[],
        build: |_| Ok(Arc::new(BagOfJamo::new())),
    },
    Entry {
        name: "random",
        summary: "random numbers: what a probe learns by heart",
        argument: None,
        params: &[DIM.param()],
        build: |params| Ok(Arc::new(RandomVectors::new(params.read(&DIM)?, SEED)?)),
    },
];

const DIM: Whole = Whole::new("dim", 512, 1, 1 << 20, "the length of the vectors");
const SEED: u64 = 12345;

/// Builds the embedder that a text such as `ngrams:dim=256` names.
///
/// # Errors
/// An unknown name or parameter, or a dimension of 0.
pub fn by_name(spec: &str) -> Result<Arc<dyn SentenceEmbedder>> {
    Entry::pick("embedder", EMBEDDERS, &spec.parse()?)
}

fn rows(texts: &[&str], dim: usize, fill: impl Fn(&str, &mut [f32])) -> Result<Embeddings> {
    let mut data = vec![0.0; texts.len() * dim];
    for (text, row) in texts.iter().zip(data.chunks_exact_mut(dim.max(1))) {
        fill(text, row);
    }
    Embeddings::from_rows(dim, data)
}

fn add_one(row: &mut [f32], place: usize) {
    if let Some(count) = row.get_mut(place) {
        *count += 1.0;
    }
}

fn positive(owner: &str, dim: usize) -> Result<usize> {
    match dim {
        0 => Err(Error::invalid(owner, "dim", dim, "at least 1")),
        dim => Ok(dim),
    }
}

/// Counts of character n-grams of lengths 1 to 3, white space included, hashed into a vector.
#[derive(Debug, Clone, Copy)]
pub struct HashedNgrams {
    dim: usize,
}

impl HashedNgrams {
    /// Vectors of this length.
    ///
    /// # Errors
    /// A length of 0.
    pub fn new(dim: usize) -> Result<Self> {
        Ok(Self { dim: positive("ngrams", dim)? })
    }
}

impl Signed for HashedNgrams {
    fn signature(&self) -> Signature {
        Signature::new("ngrams").with("n", "1-3").with("dim", self.dim)
    }
}

impl SentenceEmbedder for HashedNgrams {
    fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
        rows(texts, self.dim, |text, row| {
            let chars: Vec<char> = text.chars().collect();
            for n in 1..=3 {
                for gram in chars.windows(n) {
                    add_one(row, (fnv(gram) % self.dim as u64) as usize);
                }
            }
        })
    }
}

/// FNV-1a over code points, with its bits mixed once more so that the low ones are good.
fn fnv(gram: &[char]) -> u64 {
    let hash = gram.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, c| {
        (hash ^ u64::from(u32::from(*c))).wrapping_mul(0x0100_0000_01b3)
    });
    hash ^ (hash >> 32)
}

/// Counts of the 19 initials, 21 vowels and 27 finals, of white space and of everything else.
#[derive(Debug, Clone, Copy, Default)]
pub struct BagOfJamo {
    _private: (),
}

impl BagOfJamo {
    const DIM: usize = 19 + 21 + 27 + 2;

    /// The only one there is.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Signed for BagOfJamo {
    fn signature(&self) -> Signature {
        Signature::new("jamo").with("dim", Self::DIM)
    }
}

impl SentenceEmbedder for BagOfJamo {
    fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
        rows(texts, Self::DIM, |text, row| {
            for letter in letters(text) {
                let place = match letter {
                    Letter::Initial(n) => usize::from(n),
                    Letter::Medial(n) => 19 + usize::from(n),
                    Letter::Final(n) => 39 + usize::from(n),
                    Letter::Other(c) if c.is_whitespace() => 67,
                    Letter::Other(_) => 68,
                };
                add_one(row, place);
            }
        })
    }
}

/// Numbers between −1 and 1 that depend on the sentence, and on nothing in it.
#[derive(Debug, Clone, Copy)]
pub struct RandomVectors {
    dim: usize,
    seed: u64,
}

impl RandomVectors {
    /// Vectors of this length from this seed.
    ///
    /// # Errors
    /// A length of 0.
    pub fn new(dim: usize, seed: u64) -> Result<Self> {
        Ok(Self { dim: positive("random", dim)?, seed })
    }
}

impl Signed for RandomVectors {
    fn signature(&self) -> Signature {
        Signature::new("random").with("dim", self.dim).with("seed", self.seed)
    }
}

impl SentenceEmbedder for RandomVectors {
    fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
        rows(texts, self.dim, |text, row| {
            let own = Fingerprint::new().bytes(&self.seed.to_le_bytes()).bytes(text.as_bytes());
            let mut rng = ChaCha8Rng::from_seed(own.digest());
            row.fill_with(|| rng.random::<f32>() * 2.0 - 1.0);
        })
    }
}

/// Vectors that were computed elsewhere, found by their sentence.
#[derive(Debug, Clone)]
pub struct Precomputed {
    name: String,
    rows: FxHashMap<String, usize>,
    vectors: Embeddings,
    /// Of sentences and numbers: two files under one name must not share kept vectors, nor two that give the same numbers to other sentences.
    digest: String,
}

impl Precomputed {
    /// The vectors of these sentences, in order.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there is not one vector per sentence.
    pub fn new<T: Into<String>>(
        name: impl Into<String>,
        sentences: impl IntoIterator<Item = T>,
        vectors: Embeddings,
    ) -> Result<Self> {
        let sentences: Vec<String> = sentences.into_iter().map(Into::into).collect();
        if sentences.len() != vectors.len() {
            return Err(Error::LengthMismatch {
                left: "the list of sentences".into(),
                left_len: sentences.len(),
                right: "the matrix of vectors".into(),
                right_len: vectors.len(),
            });
        }
        let of_sentences = sentences.iter().fold(Fingerprint::new(), |all, text| all.text(text));
        let numbers = vectors.as_slice().iter();
        let digest = numbers.fold(of_sentences, |all, number| all.bytes(&number.to_le_bytes()));
        let rows = sentences.into_iter().zip(0..).collect();
        Ok(Self { name: name.into(), rows, vectors, digest: digest.short() })
    }

    /// The vectors of a JSONL file, `{"text": "…", "vector": […]}` per line; blank lines are passed over.
    ///
    /// # Errors
    /// A file that cannot be read, or a line that is not of this form or has a vector of another length than the
    /// first, with file and line.
    pub fn from_jsonl(name: impl Into<String>, path: impl Into<PathBuf>) -> Result<Self> {
        #[derive(Deserialize)]
        struct Row {
            text: String,
            vector: Vec<f32>,
        }
        let mut lines = Lines::open(path)?;
        let (mut sentences, mut data, mut dim) = (Vec::new(), Vec::new(), 0);
        while let Some(line) = lines.next().transpose()? {
            if line.trim().is_empty() {
                continue;
            }
            let row: Row = serde_json::from_str(&line).map_err(|e| lines.error(e.to_string()))?;
            if sentences.is_empty() {
                dim = row.vector.len();
            }
            if row.vector.len() != dim || dim == 0 {
                let got = row.vector.len();
                return Err(lines.error(format!("a vector of {got} numbers, expected {dim}")));
            }
            sentences.push(row.text);
            data.extend(row.vector);
        }
        if sentences.is_empty() {
            return Err(lines.error("no vectors"));
        }
        Self::new(name, sentences, Embeddings::from_rows(dim, data)?)
    }
}

impl Signed for Precomputed {
    fn signature(&self) -> Signature {
        Signature::new(&self.name).with("dim", self.vectors.dim()).with("sha256", &self.digest)
    }
}

impl SentenceEmbedder for Precomputed {
    fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
        let mut data = Vec::with_capacity(texts.len() * self.vectors.dim());
        for text in texts {
            let row = self.rows.get(*text).and_then(|row| self.vectors.row(*row));
            data.extend_from_slice(row.ok_or_else(|| Error::Missing {
                what: format!("the vector of \"{text}\""),
                how_to_get_it: format!("add the sentence to the matrix `{}`", self.name),
            })?);
        }
        Embeddings::from_rows(self.vectors.dim(), data)
    }
}
