//! Pieces with their places in a text that is cleaned before it is cut.

use super::{Part, SentencePieces, Style};
use ko_eval_core::Tokenizer;
use std::ops::Range;
use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class};

impl SentencePieces {
    /// The numbers of a text without special tokens around it, each with the bytes that it stands for.
    pub(in crate::files) fn placed(
        &self,
        text: &str,
    ) -> ko_eval_core::Result<Vec<(u32, Range<usize>)>> {
        let mut placed = Vec::new();
        for part in self.parts(text) {
            match part {
                Part::Special { at, length, id } => placed.push((id, at..at + length)),
                Part::Text { at, text } => {
                    let (cleaned, origins) = match self.style {
                        Style::Albert | Style::KoBert => (self.clean(text), self.origins(text)),
                        Style::Deberta if self.lower_case => {
                            (text.to_lowercase(), lower_case(text))
                        }
                        Style::Deberta | Style::XlmRoberta | Style::T5 => {
                            (text.to_owned(), each_byte(text))
                        }
                    };
                    let numbers = self.model.encode(&cleaned)?;
                    for (piece, number) in self.model.tokenize(&cleaned)?.iter().zip(numbers) {
                        let mut ids = Vec::new();
                        match self.style {
                            Style::Albert | Style::Deberta | Style::T5 => ids.push(number),
                            Style::XlmRoberta => ids.push(self.fairseq(number)),
                            Style::KoBert => self.push_kobert(piece.as_str(), &mut ids)?,
                        }
                        let own = origins.get(piece.span()).unwrap_or_default();
                        let start = own.first().map_or(0, |origin| origin.start);
                        let end = own.last().map_or(start, |origin| origin.end);
                        placed.extend(ids.into_iter().map(|id| (id, at + start..at + end)));
                    }
                }
            }
        }
        Ok(placed)
    }

    /// For every byte of the cleaned text the character that it comes from: [`SentencePieces::clean`] character by character.
    fn origins(&self, text: &str) -> Vec<Range<usize>> {
        let mut origins = Vec::with_capacity(text.len());
        let mut rest = text.char_indices().peekable();
        let mut after_word = false;
        while let Some((at, c)) = rest.next() {
            let mut end = at + c.len_utf8();
            let mut pushed = c.to_string();
            if self.style == Style::KoBert && c.is_whitespace() {
                // A run of white space between words is one space.
                while let Some((next, c)) = rest.next_if(|(_, c)| c.is_whitespace()) {
                    end = next + c.len_utf8();
                }
                if !after_word || rest.peek().is_none() {
                    continue;
                }
                pushed = " ".into();
            } else if matches!(c, '`' | '\'') && rest.next_if(|(_, next)| *next == c).is_some() {
                end += 1;
                pushed = "\"".into();
            }
            after_word = true;
            if self.strip_accents {
                pushed = pushed.nfkd().filter(|c| canonical_combining_class(*c) == 0).collect();
            }
            if self.lower_case {
                pushed = pushed.to_lowercase();
            }
            origins.extend(std::iter::repeat_n(at..end, pushed.len()));
        }
        origins
    }
}

/// Every byte with the character that it is of.
fn each_byte(text: &str) -> Vec<Range<usize>> {
    let characters = text.char_indices();
    characters
        .flat_map(|(at, c)| std::iter::repeat_n(at..at + c.len_utf8(), c.len_utf8()))
        .collect()
}

/// For every byte of the text in small letters the character that it comes from.
fn lower_case(text: &str) -> Vec<Range<usize>> {
    let characters = text.char_indices();
    characters
        .flat_map(|(at, c)| {
            let length = c.to_lowercase().map(char::len_utf8).sum();
            std::iter::repeat_n(at..at + c.len_utf8(), length)
        })
        .collect()
}
