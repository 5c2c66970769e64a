//! Heads that label texts or tokens, as transformers puts them on encoders: `…ForSequenceClassification`, `…ForTokenClassification`.

mod folder;
mod form;
mod layers;
mod model;
mod tokens;

pub(crate) use folder::{open_for_training, save};
pub(crate) use form::Level;
pub(crate) use layers::{ClassificationHead, greatest, softmax};
pub(crate) use model::LabelModel;
pub(crate) use tokens::{OUTSIDE, TokenLabels};
