//! Vectors that were computed elsewhere, found by their text.

use super::answer::{Answer, Checked};
use ko_eval_core::{Error, Fingerprint, Result, Signature, Signed};
use ko_eval_io::read::Lines;
use ko_eval_model::{Embeddings, Encoder, Encoding, SentenceEmbedder};
use rustc_hash::FxHashMap;
use std::path::Path;

/// Vectors from a file of JSON lines; see [the form](crate::outside).
///
/// ```
/// use ko_eval_model::SentenceEmbedder;
/// use ko_neural::VectorFile;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("vectors.jsonl");
/// std::fs::write(&path, r#"{"text": "비가 온다", "vector": [0.6, 0.8]}"#)?;
/// let vectors = VectorFile::open(&path)?;
/// assert_eq!(vectors.embed(&["비가 온다"])?.as_slice(), [0.6, 0.8]);
/// assert!(vectors.embed(&["눈이 온다"]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct VectorFile {
    name: String,
    digest: String,
    rows: FxHashMap<String, Checked>,
    dim: usize,
}

impl VectorFile {
    /// Reads a file; blank lines are passed over, and of a text that stands twice the last counts.
    ///
    /// # Errors
    /// A file that cannot be read or holds nothing, or a line that is not of the form, with file and line.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut lines = Lines::open(path)?;
        let (mut rows, mut dim) = (FxHashMap::default(), None);
        while let Some(line) = lines.next().transpose()? {
            if line.trim().is_empty() {
                continue;
            }
            let answer = serde_json::from_str::<Answer>(&line);
            let mut answer = answer.map_err(|error| lines.error(error.to_string()))?;
            let text = answer.text.take().ok_or_else(|| lines.error("no `text`"))?;
            let checked = answer.checked(dim).map_err(|reason| lines.error(reason))?;
            dim = dim.or(Some(checked.dim).filter(|dim| *dim > 0));
            rows.insert(text, checked);
        }
        if rows.is_empty() {
            return Err(lines.error("no vectors"));
        }
        let digest = Fingerprint::new().file(path)?.short();
        Ok(Self { name, digest, rows, dim: dim.unwrap_or(1) })
    }

    fn find<'f, T>(
        &'f self,
        text: &str,
        what: &str,
        part: impl Fn(&'f Checked) -> Option<T>,
    ) -> Result<T> {
        self.rows.get(text).and_then(part).ok_or_else(|| Error::Missing {
            what: format!("{what} of \"{text}\""),
            how_to_get_it: format!("add a line for this text to {}", self.name),
        })
    }
}

impl Signed for VectorFile {
    fn signature(&self) -> Signature {
        Signature::new(&self.name).with("digest", &self.digest)
    }
}

impl SentenceEmbedder for VectorFile {
    fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
        let mut data = Vec::with_capacity(texts.len() * self.dim);
        for text in texts {
            let vector = self.find(text, "the vector", |row| row.vector.as_deref())?;
            data.extend_from_slice(vector);
        }
        Embeddings::from_rows(self.dim, data)
    }
}

impl Encoder for VectorFile {
    fn encode(&self, texts: &[&str]) -> Result<Vec<Encoding>> {
        let encoding =
            |text: &&str| self.find(text, "the tokens' vectors", |row| row.encoding.clone());
        texts.iter().map(encoding).collect()
    }
}
