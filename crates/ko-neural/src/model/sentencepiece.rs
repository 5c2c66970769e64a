//! A SentencePiece unigram model as a `tokenizer.json`: pieces and scores out of its protocol buffer.

use super::{
    config::Settings,
    tokenizer::{added_tokens, template},
};
use crate::error::{Error, Result};
use serde_json::{Value, json};
use std::path::Path;

/// Whose special tokens and numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `[CLS]`, `[SEP]`; numbers as in the file.
    Albert,
    /// `<s>`, `</s>`; fairseq's numbers, one above the file's, and `<mask>` at the end.
    XlmRoberta,
}

/// The tokenizer over a model file.
pub(super) fn tokenizer(path: &Path, style: Style, settings: &Settings) -> Result<Value> {
    let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
    let model = Model::parse(&bytes)
        .ok_or_else(|| Error::bad(path, "not a SentencePiece model, or truncated"))?;
    if model.kind != UNIGRAM {
        return Err(Error::bad(path, "a SentencePiece model of another kind than unigram"));
    }
    let mut pieces = model.pieces;
    let (cls, sep) = match style {
        Style::Albert => ("[CLS]", "[SEP]"),
        Style::XlmRoberta => {
            // The file begins <unk> <s> </s>; fairseq begins <s> <pad> </s> <unk>.
            pieces = ["<s>", "<pad>", "</s>", "<unk>"]
                .into_iter()
                .map(|token| (token.to_owned(), 0.0))
                .chain(pieces.into_iter().skip(3))
                .chain([("<mask>".to_owned(), 0.0)])
                .collect();
            ("<s>", "</s>")
        }
    };
    let find = |token: &str| pieces.iter().position(|(piece, _)| piece == token);
    let id = |token: &str| find(token).ok_or_else(|| Error::bad(path, format!("no `{token}`")));
    let (unknown, cls, sep) = (id("<unk>")?, (cls, id(cls)?), (sep, id(sep)?));
    let mut special = vec![("<unk>", unknown), cls, sep];
    special.extend(
        ["<pad>", "[MASK]", "<mask>"].into_iter().filter_map(|t| find(t).map(|id| (t, id))),
    );
    let mut steps = Vec::new();
    if style == Style::Albert {
        // ALBERT's own cleaning comes before the model's.
        steps.push(json!({ "type": "Replace", "pattern": { "String": "``" }, "content": "\"" }));
        steps.push(json!({ "type": "Replace", "pattern": { "String": "''" }, "content": "\"" }));
        if !settings.yes(&["keep_accents"], false) {
            steps.push(json!({ "type": "NFKD" }));
            steps.push(json!({ "type": "StripAccents" }));
        }
        if settings.yes(&["do_lower_case"], true) {
            steps.push(json!({ "type": "Lowercase" }));
        }
    }
    if !model.characters.is_empty() {
        let map = base64(&model.characters);
        steps.push(json!({ "type": "Precompiled", "precompiled_charsmap": map }));
    }
    steps.push(json!({ "type": "Replace", "pattern": { "Regex": " {2,}" }, "content": " " }));
    Ok(json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added_tokens(&special),
        "normalizer": { "type": "Sequence", "normalizers": steps },
        "pre_tokenizer": {
            "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true,
        },
        "post_processor": template(cls, sep, style == Style::XlmRoberta),
        "decoder": null,
        "model": { "type": "Unigram", "unk_id": unknown, "byte_fallback": false, "vocab": pieces },
    }))
}

const UNIGRAM: u64 = 1;

struct Model {
    pieces: Vec<(String, f64)>,
    kind: u64,
    /// The compiled character map.
    characters: Vec<u8>,
}

impl Model {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let mut model = Self { pieces: Vec::new(), kind: UNIGRAM, characters: Vec::new() };
        let mut reader = Reader(bytes);
        while let Some(field) = reader.field() {
            match field? {
                (1, Field::Bytes(piece)) => model.pieces.push(parse_piece(piece)?),
                (2, Field::Bytes(trainer)) => {
                    let mut reader = Reader(trainer);
                    while let Some(field) = reader.field() {
                        if let (3, Field::Number(kind)) = field? {
                            model.kind = kind;
                        }
                    }
                }
                (3, Field::Bytes(normalizer)) => {
                    let mut reader = Reader(normalizer);
                    while let Some(field) = reader.field() {
                        if let (2, Field::Bytes(map)) = field? {
                            model.characters = map.to_vec();
                        }
                    }
                }
                _ => {}
            }
        }
        (!model.pieces.is_empty()).then_some(model)
    }
}

fn parse_piece(bytes: &[u8]) -> Option<(String, f64)> {
    let (mut text, mut score) = (String::new(), 0.0);
    let mut reader = Reader(bytes);
    while let Some(field) = reader.field() {
        match field? {
            (1, Field::Bytes(bytes)) => text = std::str::from_utf8(bytes).ok()?.to_owned(),
            (2, Field::Fixed(bits)) => score = f64::from(f32::from_bits(bits)),
            _ => {}
        }
    }
    Some((text, score))
}

enum Field<'b> {
    Number(u64),
    Fixed(u32),
    Bytes(&'b [u8]),
}

/// Protocol-buffer fields, one after the other.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    /// `None` at the end, `Some(None)` where the bytes make no sense.
    fn field(&mut self) -> Option<Option<(u64, Field<'b>)>> {
        if self.0.is_empty() { None } else { Some(self.next_field()) }
    }

    fn next_field(&mut self) -> Option<(u64, Field<'b>)> {
        let key = self.varint()?;
        let field = match key & 7 {
            0 => Field::Number(self.varint()?),
            1 => {
                self.take(8)?;
                Field::Number(0)
            }
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                Field::Bytes(self.take(length)?)
            }
            5 => Field::Fixed(u32::from_le_bytes(self.take(4)?.try_into().ok()?)),
            _ => return None,
        };
        Some((key >> 3, field))
    }

    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (head, tail) = self.0.split_at_checked(count)?;
        self.0 = tail;
        Some(head)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.take(1)?.first()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

/// RFC 4648, as `tokenizer.json` keeps the character map.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte))
            << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let index = (bits >> (18 - 6 * place) & 63) as usize;
            match ALPHABET.get(index) {
                Some(&letter) if place <= chunk.len() => text.push(char::from(letter)),
                _ => text.push('='),
            }
        }
    }
    text
}
