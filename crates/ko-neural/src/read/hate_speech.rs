//! Comments on news with two labels each: whether they are biased, and whether they hate (kocohub's `korean-hate-speech`).

use ko_eval_core::{Result, read::table};
use std::path::PathBuf;

/// Against whom a comment is biased.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bias {
    /// Nobody.
    None,
    /// A gender.
    Gender,
    /// Others.
    Others,
}

/// How a comment attacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hate {
    /// Not at all.
    None,
    /// It offends.
    Offensive,
    /// It hates.
    Hate,
}

/// A comment with both labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledComment {
    /// The comment.
    pub text: String,
    /// Its bias.
    pub bias: Bias,
    /// Its hate.
    pub hate: Hate,
}

impl LabelledComment {
    /// Whether either label says that it does harm.
    pub fn is_harmful(&self) -> bool {
        self.bias != Bias::None || self.hate != Hate::None
    }
}

/// Comments from a table with the columns `comments`, `bias` (`none`, `gender`, `others`) and `hate` (`none`, `offensive`, `hate`).
///
/// # Errors
/// A file that cannot be read, a missing column, or an unknown label, with file and line.
pub fn hate_speech_tsv(path: impl Into<PathBuf>) -> Result<Vec<LabelledComment>> {
    table(path.into(), ["comments", "bias", "hate"], |[text, bias, hate]| {
        let bias = match bias.trim() {
            "none" => Bias::None,
            "gender" => Bias::Gender,
            "others" => Bias::Others,
            other => return Err(format!("`{other}` is no bias; expected none, gender or others")),
        };
        let hate = match hate.trim() {
            "none" => Hate::None,
            "offensive" => Hate::Offensive,
            "hate" => Hate::Hate,
            other => return Err(format!("`{other}` is no hate; expected none, offensive or hate")),
        };
        Ok(LabelledComment { text: text.to_owned(), bias, hate })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_labels() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let rows = "comments\tcontain_gender_bias\tbias\thate\n좋은 글이네요\tFalse\tnone\tnone\n\
                    다 그 모양\tFalse\tothers\tnone\n";
        std::fs::write(file.path(), rows).unwrap();
        let found = hate_speech_tsv(file.path()).unwrap();
        assert!(!found[0].is_harmful() && found[1].is_harmful());
        std::fs::write(file.path(), "comments\tbias\thate\n글\tnone\tmaybe\n").unwrap();
        let error = hate_speech_tsv(file.path()).unwrap_err().to_string();
        assert!(error.contains(":2: `maybe` is no hate"), "{error}");
    }
}
