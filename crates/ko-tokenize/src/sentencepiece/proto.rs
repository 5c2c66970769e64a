//! The parts of a model file that decide how text is cut (`sentencepiece_model.proto`).

use super::{
    SentencePieceError,
    wire::{Fields, Malformed, Value},
};

/// How pieces are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The most probable pieces under a unigram language model.
    Unigram,
    /// Byte-pair encoding.
    Bpe,
    /// Whole words.
    Word,
    /// Characters.
    Char,
}

impl Kind {
    /// The word for signatures.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unigram => "unigram",
            Self::Bpe => "bpe",
            Self::Word => "word",
            Self::Char => "char",
        }
    }
}

/// What a piece is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Normal,
    Unknown,
    Control,
    UserDefined,
    Unused,
    Byte,
}

/// One entry of the vocabulary; its number is its place.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) text: String,
    pub(super) score: f32,
    pub(super) role: Role,
}

/// What is done to a text before it is cut.
#[derive(Debug, Clone)]
pub(super) struct NormalizerSpec {
    /// The name of the rule, for errors.
    pub(super) name: String,
    pub(super) charsmap: Vec<u8>,
    pub(super) add_dummy_prefix: bool,
    pub(super) remove_extra_whitespaces: bool,
    pub(super) escape_whitespaces: bool,
}

impl Default for NormalizerSpec {
    fn default() -> Self {
        Self {
            name: String::new(),
            charsmap: Vec::new(),
            add_dummy_prefix: true,
            remove_extra_whitespaces: true,
            escape_whitespaces: true,
        }
    }
}

/// A model file.
#[derive(Debug, Clone)]
pub(super) struct ModelProto {
    pub(super) entries: Vec<Entry>,
    pub(super) kind: Kind,
    pub(super) byte_fallback: bool,
    pub(super) whitespace_as_suffix: bool,
    /// What an unknown piece is written as when numbers become text again.
    pub(super) unknown_surface: String,
    pub(super) normalizer: NormalizerSpec,
    pub(super) denormalizer: NormalizerSpec,
    /// Texts and what they must be cut into, as whoever made the model wrote them.
    pub(super) self_test: Vec<(String, String)>,
}

/// What went wrong while reading: bytes that are no message, or a message that is no model.
enum Fault {
    Foreign(String),
    Unusable(String),
}

impl From<Malformed> for Fault {
    fn from(Malformed { left }: Malformed) -> Self {
        Self::Foreign(format!("the bytes make no sense {left} bytes before the end of a message"))
    }
}

impl ModelProto {
    /// Reads a model file; `name` is for errors.
    pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Self, SentencePieceError> {
        Self::parse(bytes).map_err(|fault| match fault {
            Fault::Foreign(reason) => SentencePieceError::Foreign { name: name.to_owned(), reason },
            Fault::Unusable(reason) => {
                SentencePieceError::Unusable { name: name.to_owned(), reason }
            }
        })
    }

    fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let mut model = Self {
            entries: Vec::new(),
            kind: Kind::Unigram,
            byte_fallback: false,
            whitespace_as_suffix: false,
            unknown_surface: " \u{2047} ".to_owned(),
            normalizer: NormalizerSpec::default(),
            denormalizer: NormalizerSpec::default(),
            self_test: Vec::new(),
        };
        let (mut trained, mut normalized) = (false, false);
        for field in Fields::new(bytes) {
            match field? {
                (1, Value::Bytes(entry)) => model.entries.push(entry_of(entry)?),
                (2, Value::Bytes(trainer)) => {
                    model.read_trainer(trainer)?;
                    trained = true;
                }
                (3, Value::Bytes(spec)) => {
                    model.normalizer.read(spec)?;
                    normalized = true;
                }
                (4, Value::Bytes(samples)) => model.read_self_test(samples)?,
                (5, Value::Bytes(spec)) => model.denormalizer.read(spec)?,
                (1..=5, _) => return Err(Fault::Foreign("a field of another type".into())),
                _ => {}
            }
        }
        // A file that was cut between two fields still reads as a message: what every trainer writes must be there.
        if model.entries.is_empty() {
            return Err(Fault::Foreign("it has no pieces".into()));
        }
        if !trained || !normalized {
            let what = if trained { "normalisation rule" } else { "trainer's settings" };
            return Err(Fault::Foreign(format!("it has no {what}")));
        }
        Ok(model)
    }

    fn read_trainer(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        for field in Fields::new(bytes) {
            match field? {
                (3, Value::Number(kind)) => {
                    self.kind = match kind {
                        1 => Kind::Unigram,
                        2 => Kind::Bpe,
                        3 => Kind::Word,
                        4 => Kind::Char,
                        other => {
                            let reason = format!("unknown type of model {other}");
                            return Err(Fault::Unusable(reason));
                        }
                    }
                }
                (24, Value::Number(yes)) => self.whitespace_as_suffix = yes != 0,
                (35, Value::Number(yes)) => self.byte_fallback = yes != 0,
                (44, Value::Bytes(text)) => self.unknown_surface = string(text)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn read_self_test(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        for field in Fields::new(bytes) {
            let (1, Value::Bytes(sample)) = field? else { continue };
            let (mut input, mut expected) = (String::new(), String::new());
            for field in Fields::new(sample) {
                match field? {
                    (1, Value::Bytes(text)) => input = string(text)?,
                    (2, Value::Bytes(text)) => expected = string(text)?,
                    _ => {}
                }
            }
            self.self_test.push((input, expected));
        }
        Ok(())
    }
}

impl NormalizerSpec {
    fn read(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        for field in Fields::new(bytes) {
            match field? {
                (1, Value::Bytes(name)) => self.name = string(name)?,
                (2, Value::Bytes(map)) => self.charsmap = map.to_vec(),
                (3, Value::Number(yes)) => self.add_dummy_prefix = yes != 0,
                (4, Value::Number(yes)) => self.remove_extra_whitespaces = yes != 0,
                (5, Value::Number(yes)) => self.escape_whitespaces = yes != 0,
                _ => {}
            }
        }
        Ok(())
    }
}

fn entry_of(bytes: &[u8]) -> Result<Entry, Fault> {
    let mut entry = Entry { text: String::new(), score: 0.0, role: Role::Normal };
    for field in Fields::new(bytes) {
        match field? {
            (1, Value::Bytes(text)) => entry.text = string(text)?,
            (2, Value::Float(score)) => entry.score = score,
            (3, Value::Number(role)) => {
                entry.role = match role {
                    1 => Role::Normal,
                    2 => Role::Unknown,
                    3 => Role::Control,
                    4 => Role::UserDefined,
                    5 => Role::Unused,
                    6 => Role::Byte,
                    other => {
                        let reason = format!("`{}` has the unknown type {other}", entry.text);
                        return Err(Fault::Unusable(reason));
                    }
                }
            }
            (1..=3, _) => return Err(Fault::Foreign("a piece's field has another type".into())),
            _ => {}
        }
    }
    Ok(entry)
}

fn string(bytes: &[u8]) -> Result<String, Fault> {
    let text = std::str::from_utf8(bytes);
    text.map(str::to_owned).map_err(|_| Fault::Foreign("a text in it is not UTF-8".into()))
}
