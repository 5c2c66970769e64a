//! Whose vectors are looked into.

use crate::{dataset::Example, error::Result, vectors::Vectors};
use ko_eval_core::Signature;
use ko_eval_model::{LayeredEmbedder, SentenceEmbedder};
use std::{path::Path, sync::Arc};

/// An encoder to look into: its sentence vectors, or several of its layers.
#[derive(Debug, Clone)]
pub struct Subject {
    /// What tables call it.
    pub name: String,
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    Sentences { embedder: Arc<dyn SentenceEmbedder>, layer: Option<usize> },
    Layers(Arc<dyn LayeredEmbedder>),
}

/// A row of a table: an encoder, or one layer of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) encoder: String,
    pub(crate) layer: Option<usize>,
    pub(crate) signature: Signature,
}

impl Row {
    /// The name with the layer: `KoBERT/12`.
    pub(crate) fn title(&self) -> String {
        match self.layer {
            Some(layer) => format!("{}/{layer}", self.encoder),
            None => self.encoder.clone(),
        }
    }
}

impl Subject {
    /// An encoder's sentence vectors.
    pub fn new(name: impl Into<String>, embedder: Arc<dyn SentenceEmbedder>) -> Self {
        Self { name: name.into(), source: Source::Sentences { embedder, layer: None } }
    }

    /// Every layer that an embedder has vectors of, a row of the table each.
    pub fn layers(name: impl Into<String>, embedder: Arc<dyn LayeredEmbedder>) -> Self {
        Self { name: name.into(), source: Source::Layers(embedder) }
    }

    /// The same sentence vectors, said to come from this layer. An embedder of layers says so itself and stays as it is.
    #[must_use]
    pub fn layer(self, layer: usize) -> Self {
        let source = match self.source {
            Source::Sentences { embedder, .. } => {
                Source::Sentences { embedder, layer: Some(layer) }
            }
            layers @ Source::Layers(_) => layers,
        };
        Self { source, ..self }
    }

    /// The rows that it has in a table.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let row = |layer, signature| Row { encoder: self.name.clone(), layer, signature };
        match &self.source {
            Source::Sentences { embedder, layer } => vec![row(*layer, embedder.signature())],
            Source::Layers(embedder) => {
                let layers = embedder.layers().iter();
                layers.map(|layer| row(Some(*layer), embedder.layer_signature(*layer))).collect()
            }
        }
    }

    /// The vectors of all examples, a store per row, in a folder if there is one.
    pub(crate) fn vectors<'e>(
        &self,
        folder: Option<&Path>,
        examples: impl IntoIterator<Item = &'e Example>,
        progress: impl FnMut(usize, usize),
    ) -> Result<Vec<Vectors>> {
        let open = |row: Row| match folder {
            Some(folder) => Vectors::of_signature(folder, &row.signature),
            None => Ok(Vectors::in_memory()),
        };
        let mut stores = self.rows().into_iter().map(open).collect::<Result<Vec<_>>>()?;
        match &self.source {
            Source::Layers(embedder) => {
                Vectors::fill_layers(&mut stores, examples, embedder.as_ref(), progress)?;
            }
            Source::Sentences { embedder, .. } => {
                if let Some(store) = stores.first_mut() {
                    store.fill(examples, embedder.as_ref(), progress)?;
                }
            }
        }
        Ok(stores)
    }
}
