//! Texts as vectors: what neural metrics and probes receive.

use ko_eval_core::{Error, Result, Signature, Signed};
use std::fmt::Debug;

/// Vectors of one length, one per row.
///
/// ```
/// use ko_eval_model::Embeddings;
///
/// let vectors = Embeddings::from_rows(2, vec![1.0, 0.0, 0.6, 0.8])?;
/// assert_eq!(vectors.rows().nth(1), Some(&[0.6, 0.8][..]));
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    dim: usize,
    data: Vec<f32>,
}

impl Embeddings {
    /// Rows laid one after the other.
    ///
    /// # Errors
    /// When `data` is not a whole number of rows of `dim` numbers, or `dim` is 0.
    pub fn from_rows(dim: usize, data: Vec<f32>) -> Result<Self> {
        if dim == 0 || !data.len().is_multiple_of(dim) {
            return Err(Error::invalid(
                "embeddings",
                "data",
                format!("{} numbers", data.len()),
                format!("a multiple of the dimension {dim}, which is at least 1"),
            ));
        }
        Ok(Self { dim, data })
    }

    /// The length of every vector.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.data.len() / self.dim
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// One vector.
    pub fn row(&self, index: usize) -> Option<&[f32]> {
        self.data.chunks_exact(self.dim).nth(index)
    }

    /// All vectors in order.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f32> {
        self.data.chunks_exact(self.dim)
    }

    /// All numbers, row after row.
    pub fn as_slice(&self) -> &[f32] {
        &self.data
    }
}

/// One text as an encoder sees it: its tokens and a vector for each.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Encoding {
    /// The encoder's own tokens.
    pub tokens: Vec<String>,
    /// Which of them are not text but marks such as `[CLS]`.
    pub special: Vec<bool>,
    /// A vector per token.
    pub vectors: Embeddings,
}

impl Encoding {
    /// Tokens, which of them are marks, and a vector for each.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the three are not equally many.
    pub fn new(tokens: Vec<String>, special: Vec<bool>, vectors: Embeddings) -> Result<Self> {
        for (right, right_len) in [("marks", special.len()), ("vectors", vectors.len())] {
            if right_len != tokens.len() {
                let (left, right) = ("the list of tokens".into(), format!("the list of {right}"));
                return Err(Error::LengthMismatch {
                    left,
                    left_len: tokens.len(),
                    right,
                    right_len,
                });
            }
        }
        Ok(Self { tokens, special, vectors })
    }
}

/// Gives every token of a text a vector: what BERTScore compares.
pub trait Encoder: Signed + Debug + Send + Sync {
    /// The texts' encodings, in order.
    ///
    /// # Errors
    /// When the model fails, or a text is longer than the policy allows.
    fn encode(&self, texts: &[&str]) -> Result<Vec<Encoding>>;

    /// The texts' tokens alone, in order. An encoder that need not run its model for them says so here.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    fn tokens(&self, texts: &[&str]) -> Result<Vec<Vec<String>>> {
        Ok(self.encode(texts)?.into_iter().map(|encoding| encoding.tokens).collect())
    }
}

/// Gives every text one vector: what RDASS compares and probes look into.
pub trait SentenceEmbedder: Signed + Debug + Send + Sync {
    /// One row per text, in order.
    ///
    /// # Errors
    /// When the model fails, or a text is longer than the policy allows.
    fn embed(&self, texts: &[&str]) -> Result<Embeddings>;
}

/// Gives every text a vector from each of several layers and reads it only once: what probes compare layers by.
pub trait LayeredEmbedder: Debug + Send + Sync {
    /// The layers as the model numbers them, from the first to the last; 0 is the embeddings.
    fn layers(&self) -> &[usize];

    /// How a layer's vectors come about.
    fn layer_signature(&self, layer: usize) -> Signature;

    /// For every layer of [`layers`](Self::layers), one row per text, in order.
    ///
    /// # Errors
    /// When the model fails, or a text is longer than the policy allows.
    fn embed_layers(&self, texts: &[&str]) -> Result<Vec<Embeddings>>;
}
