//! What stands in for something that is known only by its signature.

use crate::{Error, Result, Signature, Signed, Token, Tokenizer};

/// A tokenizer, an encoder, an embedder or a pair scorer of which only the signature is left.
///
/// Statistics that were measured elsewhere are scored by a metric over one: nothing is opened and nothing is run, so a
/// file that somebody sent can name any unit or model it likes. Whoever asks it to do its work gets an error.
///
/// ```
/// use ko_eval_core::{Recorded, Signature, Signed, Tokenizer};
///
/// let units = Recorded::new(Signature::new("mecab-ko@2.1.1").with("norm", "nfc"));
/// assert_eq!(units.signature().name(), "mecab-ko@2.1.1");
/// assert!(units.tokenize("비가 온다").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    signature: Signature,
}

impl Recorded {
    /// What has this signature.
    pub fn new(signature: Signature) -> Self {
        Self { signature }
    }

    /// What a metric's signature holds in a field: its tokenizer in `tok`.
    pub fn field(signature: &Signature, key: &str) -> Self {
        Self::new(Signature::new(signature.get(key).unwrap_or_default()))
    }

    /// The error of whoever asks it to work.
    ///
    /// # Errors
    /// Always: [`Error::Missing`].
    pub fn refuse<T>(&self) -> Result<T> {
        let what = format!("`{}`", self.signature);
        let how_to_get_it =
            "only its signature was recorded, so nothing can be measured with it".into();
        Err(Error::Missing { what, how_to_get_it })
    }
}

impl Signed for Recorded {
    fn signature(&self) -> Signature {
        self.signature.clone()
    }
}

impl Tokenizer for Recorded {
    fn tokenize<'t>(&self, _: &'t str) -> Result<Vec<Token<'t>>> {
        self.refuse()
    }
}
