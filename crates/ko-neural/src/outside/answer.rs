//! One object: what a file's line and a program's answer have in common.

use ko_eval_model::{Embeddings, Encoding};
use serde::Deserialize;

/// As it is written.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Answer {
    /// The text that it is for: always there in a file, and looked at where a program tells it.
    pub(super) text: Option<String>,
    vector: Option<Vec<f32>>,
    tokens: Option<Vec<String>>,
    special: Option<Vec<bool>>,
    vectors: Option<Vec<Vec<f32>>>,
}

impl Answer {
    /// Its numbers, checked: all vectors of one length, all numbers finite. `known` is the length that others had.
    pub(super) fn checked(self, known: Option<usize>) -> Result<Checked, String> {
        let vector = self.vector.as_ref().into_iter();
        let all = || vector.clone().chain(self.vectors.iter().flatten());
        let dim = known.or_else(|| all().map(Vec::len).next()).unwrap_or(0);
        for vector in all() {
            if vector.len() != dim || dim == 0 {
                return Err(format!("a vector of {} numbers, expected {dim}", vector.len()));
            }
            if let Some(number) = vector.iter().find(|number| !number.is_finite()) {
                return Err(format!("a vector holds {number}"));
            }
        }
        let encoding = match (self.tokens, self.vectors) {
            (Some(tokens), Some(vectors)) => {
                let special = self.special.unwrap_or_else(|| vec![false; tokens.len()]);
                let vectors = Embeddings::from_rows(dim.max(1), vectors.concat());
                let encoding = vectors.and_then(|vectors| Encoding::new(tokens, special, vectors));
                Some(encoding.map_err(|error| error.to_string())?)
            }
            (None, None) => None,
            _ => return Err("`tokens` and `vectors` belong together".into()),
        };
        if self.vector.is_none() && encoding.is_none() {
            return Err("neither `vector` nor `tokens` with `vectors`".into());
        }
        Ok(Checked { vector: self.vector, encoding, dim })
    }
}

/// What it says.
#[derive(Debug, Clone)]
pub(super) struct Checked {
    pub(super) vector: Option<Vec<f32>>,
    pub(super) encoding: Option<Encoding>,
    /// The length of its vectors; 0 if there is none.
    pub(super) dim: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Checked, String> {
        serde_json::from_str::<Answer>(json).map_err(|error| error.to_string())?.checked(Some(2))
    }

    #[test]
    fn an_answer_has_vectors_of_one_length() {
        let both = r#"{"vector": [1, 2], "tokens": ["가", "나"], "special": [true, false], "vectors": [[1, 0], [0, 1]]}"#;
        let both = read(both).unwrap();
        assert_eq!(both.vector, Some(vec![1.0, 2.0]));
        assert_eq!(both.encoding.unwrap().special, [true, false]);
        let none = read(r#"{"tokens": [], "vectors": []}"#).unwrap();
        assert!(none.encoding.unwrap().tokens.is_empty());
    }

    #[test]
    fn what_is_no_answer_says_why() {
        for (json, why) in [
            ("{}", "neither `vector`"),
            (r#"{"vector": []}"#, "a vector of 0 numbers, expected 2"),
            (r#"{"vector": [1]}"#, "a vector of 1 numbers, expected 2"),
            (r#"{"vector": [1e39, 0]}"#, "out of range"),
            (r#"{"tokens": ["가"]}"#, "belong together"),
            (r#"{"tokens": ["가"], "vectors": []}"#, "the list of vectors"),
            (r#"{"tokens": ["가"], "special": [], "vectors": [[1, 2]]}"#, "the list of marks"),
            (r#"{"vector": "far"}"#, "expected"),
            ("[1, 2]", "expected"),
        ] {
            let error = read(json).unwrap_err();
            assert!(error.contains(why), "{json}: {error}");
        }
    }
}
