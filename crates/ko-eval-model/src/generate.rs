//! Models that write: prompts in, ranked candidates out.

mod bridge;
mod kept;

pub use bridge::GeneratorBridge;
pub use kept::generate_kept;

use crate::Decoding;
use ko_eval_core::{Result, Signed};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt::Debug};

/// A sentence that a model offers; in JSON a text alone, or `{"text": "…", "score": -1.5}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "CandidateForm")]
pub struct Candidate {
    /// The sentence.
    pub text: String,
    /// The model's score, higher is better.
    #[serde(default)]
    pub score: Option<f64>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a candidate must be a sentence or {\"text\", \"score\"}")]
enum CandidateForm {
    Text(String),
    Scored {
        text: String,
        #[serde(default)]
        score: Option<f64>,
    },
}

impl From<CandidateForm> for Candidate {
    fn from(form: CandidateForm) -> Self {
        match form {
            CandidateForm::Text(text) => Self { text, score: None },
            CandidateForm::Scored { text, score } => Self { text, score },
        }
    }
}

/// What a generator is given: a text, and words that its answer must use.
///
/// ```
/// use ko_eval_model::Prompt;
///
/// let prompt = Prompt::new("야구 선수#공#쳤").must_use(["공"]).must_use(["쳤다", "친다", "치고"]);
/// assert_eq!(prompt.required.len(), 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prompt<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Of every list one must stand in each answer.
    pub required: Vec<Vec<String>>,
    /// What happens where no answer can use them all.
    pub unmeetable: Unmeetable,
}

/// What happens to a prompt whose words no answer can use, or none that was found uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unmeetable {
    /// It ends the generation, as [`Error::Unmeetable`](ko_eval_core::Error::Unmeetable).
    #[default]
    Error,
    /// It is answered as if no word were required.
    Free,
}

impl<'a> Prompt<'a> {
    /// A text alone.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The same, and one of these must stand in each answer: the forms of a word.
    #[must_use]
    pub fn must_use<F: Into<String>>(mut self, forms: impl IntoIterator<Item = F>) -> Self {
        self.required.push(forms.into_iter().map(Into::into).collect());
        self
    }

    /// The same, but answered freely where no answer can use all of its words.
    #[must_use]
    pub fn or_freely(self) -> Self {
        Self { unmeetable: Unmeetable::Free, ..self }
    }
}

/// Writes texts: a language model, a summariser.
///
/// ```
/// use ko_eval_core::{Result, Signature, Signed};
/// use ko_eval_model::{Candidate, Decoding, Generator, Prompt};
///
/// /// Ends every text politely.
/// #[derive(Debug)]
/// struct Polite;
/// # impl Signed for Polite { fn signature(&self) -> Signature { Signature::new("Polite") } }
/// impl Generator for Polite {
///     fn generate(&self, prompts: &[Prompt<'_>], _: &Decoding) -> Result<Vec<Vec<Candidate>>> {
///         let answer = |p: &Prompt<'_>| vec![Candidate { text: format!("{}요.", p.text), score: None }];
///         Ok(prompts.iter().map(answer).collect())
///     }
/// }
///
/// let answers = Polite.generate(&[Prompt::new("밥을 먹어")], &Decoding::greedy(8))?;
/// assert_eq!(answers[0][0].text, "밥을 먹어요.");
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
pub trait Generator: Signed + Debug + Send + Sync {
    /// The candidates of every prompt, best first, in the order of the prompts: at least one each, at most as many as asked for.
    ///
    /// # Errors
    /// Settings that make no sense, a prompt longer than the model reads, required words that cannot be met, rules that forbid every token, or
    /// a model that fails.
    fn generate(&self, prompts: &[Prompt<'_>], decoding: &Decoding) -> Result<Vec<Vec<Candidate>>>;

    /// How many tokens a text has for it, to tell how fast it writes; words unless it says otherwise.
    ///
    /// # Errors
    /// When the text cannot be cut.
    fn count_tokens(&self, text: &str) -> Result<usize> {
        Ok(text.split_whitespace().count())
    }
}
