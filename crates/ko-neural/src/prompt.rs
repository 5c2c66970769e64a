//! What stands before every text that a sentence model reads: `query: ` and `passage: ` of the E5 family, an instruction of others.

/// Which text is put before every text.
///
/// ```
/// use ko_neural::Prompt;
///
/// let by_name = Prompt::Named("query".into());
/// let as_written = Prompt::Text("query: ".into());
/// assert_ne!(by_name, as_written);
/// assert_eq!(Prompt::default(), Prompt::AsTheFolderSays);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Prompt {
    /// The one that `config_sentence_transformers.json` calls the default one; none, if it names none.
    #[default]
    AsTheFolderSays,
    /// None, whatever the folder says.
    None,
    /// The one of this name in `config_sentence_transformers.json`.
    Named(String),
    /// This text as it is, a space at its end included.
    Text(String),
}
