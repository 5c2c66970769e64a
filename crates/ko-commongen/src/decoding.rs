//! How the paper's models generate.

use ko_eval_model::Decoding;

/// Returns the paper's settings: ten beams, 10 to 30 tokens, no three tokens twice, five candidates.
///
/// ```
/// let paper = ko_commongen::decoding();
/// assert_eq!((paper.beams(), paper.min_tokens, paper.max_tokens), (10, 10, 30));
/// assert_eq!((paper.no_repeat_ngram, paper.candidates), (3, 5));
/// ```
pub fn decoding() -> Decoding {
    Decoding { min_tokens: 10, no_repeat_ngram: 3, candidates: 5, ..Decoding::beam(10, 30) }
}
