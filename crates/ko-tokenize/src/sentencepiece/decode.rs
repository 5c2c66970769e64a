//! From pieces back to text.

use super::{
    SentencePieceError,
    model::{Model, byte_of},
    normalizer::{Normalized, Normalizer, SPACE},
    proto::{ModelProto, Role},
    trie::Trie,
};

/// What a model says about decoding.
pub(super) struct Decoding {
    /// What stands for unknown text.
    unknown_surface: String,
    /// Whether a space before the text is the model's own, or white space that it would have removed.
    drops_first_space: bool,
    drops_all_first_spaces: bool,
    denormalizer: Option<Normalizer>,
}

impl Decoding {
    pub(super) fn new(proto: &ModelProto) -> Result<Self, String> {
        let spec = &proto.normalizer;
        let denormalizer = match proto.denormalizer.charsmap.is_empty() {
            true => None,
            false => Some(Normalizer::new(&proto.denormalizer, false)?),
        };
        Ok(Self {
            unknown_surface: proto.unknown_surface.clone(),
            drops_first_space: spec.add_dummy_prefix || spec.remove_extra_whitespaces,
            drops_all_first_spaces: spec.remove_extra_whitespaces,
            denormalizer,
        })
    }
}

impl Model {
    pub(super) fn decode(&self, ids: &[u32]) -> Result<String, SentencePieceError> {
        let mut text = String::new();
        let mut bytes = Vec::new();
        // Whether a space that stands first is to be dropped still.
        let mut at_start = true;
        for &id in ids {
            let (Some(piece), Some(role)) = (self.piece(id), self.role(id)) else {
                let pieces = self.len();
                return Err(SentencePieceError::NoSuchPiece {
                    name: self.name.clone(),
                    id,
                    pieces,
                });
            };
            if role == Role::Byte {
                bytes.extend(byte_of(piece));
                continue;
            }
            flush(&mut bytes, &mut text);
            at_start &= text.is_empty();
            match role {
                Role::Control => {}
                Role::Unknown => text.push_str(&self.decoding.unknown_surface),
                _ => {
                    let mut rest = piece;
                    if at_start
                        && self.decoding.drops_first_space
                        && let Some(shorter) = piece.strip_prefix(SPACE)
                    {
                        rest = shorter;
                        at_start = self.decoding.drops_all_first_spaces;
                    }
                    text.push_str(&rest.replace(SPACE, " "));
                }
            }
        }
        flush(&mut bytes, &mut text);
        Ok(match &self.decoding.denormalizer {
            None => text,
            Some(denormalizer) => {
                let mut normalized = Normalized::default();
                let done = denormalizer.normalize(&text, &Trie::default(), &mut normalized);
                done.map_err(|error| SentencePieceError::Unusable {
                    name: self.name.clone(),
                    reason: error.to_string(),
                })?;
                normalized.text
            }
        })
    }
}

/// Bytes that make no character become U+FFFD, one each.
fn flush(bytes: &mut Vec<u8>, text: &mut String) {
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '\u{fffd}'));
    }
    bytes.clear();
}
