//! The everyday names of this crate and of the core: `use ko_neural::prelude::*;`.

#[doc(no_inline)]
pub use crate::{
    BertScore, Device, Kosmic, LongText, Pooling, Precision, Prompt, Rdass, by_name,
    kosmic::{Csl, KosmicWeights},
};
#[cfg(feature = "torch")]
#[doc(no_inline)]
pub use crate::{Embedder, Fic, Inference, Sts, Transformer};
#[doc(no_inline)]
pub use ko_eval_core::prelude::*;
#[doc(no_inline)]
pub use ko_eval_model::{Embeddings, Encoder, Encoding, PairMetric, PairScorer, SentenceEmbedder};
