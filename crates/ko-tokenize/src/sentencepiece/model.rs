//! A model that is ready to cut.

use super::{
    SentencePieceError,
    bpe::{self, Bpe},
    normalizer::{Normalized, Normalizer, SPACE},
    proto::{Entry, Kind, ModelProto, Role},
    trie::Trie,
    unigram::{Step, Unigram},
};
use std::{collections::HashMap, ops::Range};

pub(super) struct Model {
    pub(super) name: String,
    kind: Kind,
    pub(super) entries: Vec<Entry>,
    /// Control symbols, the unknown piece, bytes: what text is never cut into by its look.
    reserved: HashMap<String, u32>,
    /// The bytes that they begin with: most pieces need not be looked for there.
    reserved_begin: Vec<bool>,
    /// All other pieces.
    pieces: Trie,
    user_defined: Trie,
    unknown: u32,
    /// The numbers of `<0x00>` to `<0xFF>`, under byte fallback.
    bytes: Option<Vec<u32>>,
    normalizer: Normalizer,
    engine: Engine,
    pub(super) decoding: super::decode::Decoding,
}

enum Engine {
    Unigram(Unigram),
    Bpe(Bpe),
    Word,
    Char,
}

/// Something the text was cut into; spans are those of the normalised text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    Piece {
        span: Range<usize>,
        id: u32,
    },
    Unknown {
        span: Range<usize>,
        id: u32,
    },
    /// A byte of an unknown character; only the last one has a span that is not empty.
    Byte {
        span: Range<usize>,
        id: u32,
    },
}

impl Found {
    pub(super) fn id(&self) -> u32 {
        match self {
            Self::Piece { id, .. } | Self::Unknown { id, .. } | Self::Byte { id, .. } => *id,
        }
    }

    pub(super) fn span(&self) -> Range<usize> {
        match self {
            Self::Piece { span, .. } | Self::Unknown { span, .. } | Self::Byte { span, .. } => {
                span.clone()
            }
        }
    }
}

/// Memory that is used again and again.
#[derive(Default)]
pub(super) struct Workspace {
    normalized: Normalized,
    steps: Vec<Step>,
    bpe: bpe::Workspace,
    cuts: Vec<(u32, u32)>,
}

impl Workspace {
    /// Whether it shall remember where the normalised text came from.
    pub(super) fn trace(&mut self, traced: bool) {
        self.normalized.trace(traced);
    }
}

impl Model {
    pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Self, SentencePieceError> {
        let proto = ModelProto::read(name, bytes)?;
        let self_test = proto.self_test.clone();
        let unusable =
            |reason: String| SentencePieceError::Unusable { name: name.to_owned(), reason };
        let model = Self::new(name, proto).map_err(unusable)?;
        for (input, expected) in self_test {
            let mut pieces = Vec::new();
            model
                .cut(&input, &mut Workspace::default(), |found, normalized| {
                    pieces.push(match &found {
                        Found::Byte { id, .. } => model.piece(*id).unwrap_or_default().to_owned(),
                        _ => normalized.text.get(found.span()).unwrap_or_default().to_owned(),
                    });
                })
                .map_err(|error| unusable(format!("its self-test: {error}")))?;
            let found = pieces.join(" ");
            if found != expected {
                let reason = format!("its self-test expects `{expected}` and gets `{found}`");
                return Err(unusable(reason));
            }
        }
        Ok(model)
    }

    fn new(name: &str, proto: ModelProto) -> Result<Self, String> {
        let decoding = super::decode::Decoding::new(&proto)?;
        let ModelProto { entries, kind, byte_fallback, whitespace_as_suffix, normalizer, .. } =
            proto;
        let normalizer = Normalizer::new(&normalizer, whitespace_as_suffix)?;
        let mut reserved = HashMap::new();
        let mut cut = HashMap::new();
        let mut unknown = None;
        let mut bytes = vec![None; 256];
        for (entry, id) in entries.iter().zip(0u32..) {
            let Entry { text, role, score } = entry;
            if text.is_empty() {
                return Err(format!("piece {id} is empty"));
            }
            if score.is_nan() {
                return Err(format!("the score of `{text}` is not a number"));
            }
            let table = match role {
                Role::Normal | Role::UserDefined | Role::Unused => &mut cut,
                Role::Unknown | Role::Control | Role::Byte => &mut reserved,
            };
            if table.insert(text.clone(), id).is_some() {
                return Err(format!("`{text}` is there twice"));
            }
            match role {
                Role::Unknown if unknown.replace(id).is_some() => {
                    return Err("there are two pieces for unknown text".into());
                }
                Role::Byte => {
                    let place = byte_of(text).and_then(|byte| bytes.get_mut(usize::from(byte)));
                    let place = place.filter(|_| byte_fallback);
                    *place.ok_or_else(|| format!("`{text}` is a byte that has no use"))? = Some(id);
                }
                _ => {}
            }
        }
        let unknown = unknown.ok_or("there is no piece for unknown text")?;
        let bytes = match byte_fallback {
            true => {
                Some(bytes.into_iter().collect::<Option<_>>().ok_or("not all bytes have a piece")?)
            }
            false => None,
        };
        let trie = |texts: &HashMap<String, u32>| {
            Trie::new(texts.iter().map(|(text, id)| (text.as_str(), *id)))
        };
        let pieces = trie(&cut);
        let is_user_defined =
            |id: u32| entries.get(id as usize).is_some_and(|entry| entry.role == Role::UserDefined);
        cut.retain(|_, id| is_user_defined(*id));
        let user_defined = trie(&cut);
        let engine = match kind {
            Kind::Unigram => Engine::Unigram(Unigram::new(&entries, pieces.clone(), unknown)),
            Kind::Bpe => Engine::Bpe(Bpe::new(&entries, pieces.clone())),
            Kind::Word => Engine::Word,
            Kind::Char => Engine::Char,
        };
        let name = name.to_owned();
        let begins = |byte: u8| reserved.keys().any(|text| text.as_bytes().first() == Some(&byte));
        let reserved_begin = (0..=u8::MAX).map(begins).collect();
        Ok(Self {
            reserved_begin,
            name,
            kind,
            entries,
            reserved,
            pieces,
            user_defined,
            unknown,
            bytes,
            normalizer,
            engine,
            decoding,
        })
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn unknown(&self) -> u32 {
        self.unknown
    }

    pub(super) fn piece(&self, id: u32) -> Option<&str> {
        self.entries.get(id as usize).map(|entry| entry.text.as_str())
    }

    pub(super) fn role(&self, id: u32) -> Option<Role> {
        self.entries.get(id as usize).map(|entry| entry.role)
    }

    pub(super) fn id(&self, piece: &str) -> Option<u32> {
        let first = piece.as_bytes().first().copied().unwrap_or_default();
        match self.reserved_begin.get(usize::from(first)) {
            Some(true) => self.reserved.get(piece).copied().or_else(|| self.pieces.get(piece)),
            _ => self.pieces.get(piece),
        }
    }

    fn id_or_unknown(&self, piece: &str) -> u32 {
        self.id(piece).unwrap_or(self.unknown)
    }

    /// Cuts a text, and hands over what was found together with the normalised text.
    pub(super) fn cut(
        &self,
        text: &str,
        work: &mut Workspace,
        mut each: impl FnMut(Found, &Normalized),
    ) -> ko_eval_core::Result<()> {
        let Workspace { normalized, steps, bpe, cuts } = work;
        self.normalizer.normalize(text, &self.user_defined, normalized)?;
        let text = normalized.text.as_str();
        cuts.clear();
        let mut push = |span: Range<usize>| {
            let id = self.id_or_unknown(text.get(span.clone()).unwrap_or_default());
            cuts.push((span.end as u32, id));
        };
        match &self.engine {
            Engine::Unigram(unigram) => {
                unigram.cut_backwards(text, steps, |span, id| cuts.push((span.end as u32, id)));
                cuts.reverse();
            }
            Engine::Bpe(bpe_model) => bpe_model.cut(text, &self.user_defined, bpe, push),
            Engine::Word => words(text, push),
            Engine::Char => {
                let mut at = 0;
                while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
                    let symbol = self.user_defined.longest(text.get(at..).unwrap_or_default());
                    let length = symbol.map_or(c.len_utf8(), |(length, _)| length);
                    push(at..at + length);
                    at += length;
                }
            }
        }
        self.hand_over(cuts, normalized, &mut each)
    }

    /// Joins unknown neighbours, or spells them in bytes.
    fn hand_over(
        &self,
        cuts: &[(u32, u32)],
        normalized: &Normalized,
        each: &mut impl FnMut(Found, &Normalized),
    ) -> ko_eval_core::Result<()> {
        let mut start = 0;
        let mut run: Option<Range<usize>> = None;
        for &(end, id) in cuts {
            let span = start..end as usize;
            start = span.end;
            if id == self.unknown {
                match &self.bytes {
                    Some(bytes) => self.spell(span, bytes, normalized, each),
                    None => run = Some(run.map_or(span.start, |run| run.start)..span.end),
                }
                continue;
            }
            if let Some(span) = run.take() {
                each(Found::Unknown { span, id: self.unknown }, normalized);
            }
            if self.role(id) == Some(Role::Control) {
                let symbol = self.piece(id).unwrap_or_default().to_owned();
                let name = self.name.clone();
                return Err(SentencePieceError::ControlSymbol { name, symbol }.into());
            }
            each(Found::Piece { span, id }, normalized);
        }
        if let Some(span) = run {
            each(Found::Unknown { span, id: self.unknown }, normalized);
        }
        Ok(())
    }

    fn spell(
        &self,
        span: Range<usize>,
        ids: &[u32],
        normalized: &Normalized,
        each: &mut impl FnMut(Found, &Normalized),
    ) {
        let text = normalized.text.as_bytes().get(span.clone()).unwrap_or_default();
        for (at, &byte) in text.iter().enumerate() {
            let id = ids.get(usize::from(byte)).copied().unwrap_or(self.unknown);
            let span = if at + 1 == text.len() { span.clone() } else { span.start..span.start };
            each(Found::Byte { span, id }, normalized);
        }
    }
}

/// Whole words: each begins with `▁`, but for the first.
fn words(text: &str, mut each: impl FnMut(Range<usize>)) {
    let mut start = 0;
    while start < text.len() {
        let rest = text.get(start..).unwrap_or_default();
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let next = rest.get(first..).and_then(|rest| rest.find(SPACE));
        let end = next.map_or(text.len(), |at| start + first + at);
        each(start..end);
        start = end;
    }
}

/// `<0xEA>` is the byte 0xEA.
pub(super) fn byte_of(piece: &str) -> Option<u8> {
    let digits = piece.strip_prefix("<0x")?.strip_suffix('>')?;
    let is_digit = |c: u8| c.is_ascii_digit() || (b'A'..=b'F').contains(&c);
    let valid = digits.len() == 2 && digits.bytes().all(is_digit);
    u8::from_str_radix(digits, 16).ok().filter(|_| valid)
}
