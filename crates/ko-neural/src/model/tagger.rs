//! A model folder that gives tokens labels: `…ForTokenClassification`.

use super::{
    classification::{LabelModel, Level, TokenLabels},
    inference::Inference,
    tokenizer::{Placed, TokenIds},
};
use crate::error::Result;
use ko_eval_core::{Signature, Signed};
use ko_eval_model::{Entity, EntityTagger, TagScheme};
use std::{ops::Range, path::Path};

/// A transformer that labels tokens, and finds entities by labels such as `B-PS`, `I-PS`, `O`.
///
/// Reads a local Hugging Face folder of BERT, ALBERT, RoBERTa, XLM-R, ELECTRA, ModernBERT or DeBERTa. A vocabulary of whole words has tokens such as 경찰은, of
/// which only 경찰 is an entity; [`train_tagger`](crate::train::train_tagger) then gives tokens a second label, how many of their last characters lie beyond.
///
/// ```no_run
/// use ko_eval_model::EntityTagger;
/// use ko_neural::{Inference, Tagger};
///
/// let model = Tagger::open("klue-ner", &Inference::new())?;
/// let text = "민수가 부산에 산다.";
/// for entity in model.entities(text)? {
///     println!("{} {}", entity.kind, &text[entity.span]);
/// }
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Tagger {
    model: LabelModel,
    labels: TokenLabels,
    scheme: TagScheme,
}

/// A token and its likeliest tag.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenTag {
    /// The token's bytes in the text, without what lies beyond an entity.
    pub span: Range<usize>,
    /// The tag.
    pub label: String,
    /// How likely it is, 0 to 1.
    pub probability: f64,
}

impl TokenTag {
    /// The entities that tags of tokens say.
    pub(crate) fn entities(tags: Vec<Self>, scheme: TagScheme) -> Vec<Entity> {
        let (labels, places): (Vec<String>, Vec<_>) =
            tags.into_iter().map(|tag| (tag.label, tag.span)).unzip();
        scheme.entities(&labels, &places)
    }
}

impl Tagger {
    /// Loads a folder that [`train_tagger`](crate::train::train_tagger) wrote, or transformers.
    ///
    /// # Errors
    /// What is wrong with the folder: the file, the tensor and its expected shape.
    pub fn open(folder: impl AsRef<Path>, inference: &Inference) -> Result<Self> {
        let (model, names) = LabelModel::open(folder.as_ref(), Level::Token, inference)?;
        let labels = TokenLabels::of_names(names);
        Ok(Self { model, labels, scheme: TagScheme::default() })
    }

    /// The same with another reading of labels as entities.
    #[must_use]
    pub fn reading(self, scheme: TagScheme) -> Self {
        Self { scheme, ..self }
    }

    /// The tags that a token may have.
    pub fn labels(&self) -> &[String] {
        self.labels.tags()
    }

    /// The tokens of each text with their tags; what a policy cuts off has none. Of tokens that are parts of one character, as bytes are, only the first
    /// is told.
    ///
    /// # Errors
    /// When the model fails, or a text is longer than the policy allows.
    pub fn tags(&self, texts: &[&str]) -> ko_eval_core::Result<Vec<Vec<TokenTag>>> {
        let runs: Vec<Vec<Placed>> = ko_eval_core::par_map(texts, |text| {
            self.model.tokenizer.encode_placed(text, self.model.inference.long_text)
        })?;
        let tokens: Vec<TokenIds> = runs.iter().flatten().map(|run| run.tokens.clone()).collect();
        let mut numbers = self.model.numbers(&tokens)?.into_iter();
        let tags = |(text, runs): (&&str, &Vec<Placed>)| {
            let own = runs.iter().zip(numbers.by_ref());
            own.flat_map(|(run, numbers)| self.labels.read(text, run, &numbers)).collect()
        };
        Ok(texts.iter().zip(&runs).map(tags).collect())
    }
}

impl Signed for Tagger {
    fn signature(&self) -> Signature {
        let scheme = match self.scheme {
            TagScheme::Conll => "conll",
            TagScheme::Iob2 => "iob2",
        };
        self.model.sign(Signature::new("tagger").with("scheme", scheme))
    }
}

impl EntityTagger for Tagger {
    fn known_kinds(&self) -> Option<Vec<String>> {
        Some(TagScheme::kinds(self.labels.tags()))
    }

    fn entities(&self, text: &str) -> ko_eval_core::Result<Vec<Entity>> {
        Ok(self.entities_of(&[text])?.into_iter().flatten().collect())
    }

    fn entities_of(&self, texts: &[&str]) -> ko_eval_core::Result<Vec<Vec<Entity>>> {
        let tags = self.tags(texts)?;
        Ok(tags.into_iter().map(|tags| TokenTag::entities(tags, self.scheme)).collect())
    }
}
