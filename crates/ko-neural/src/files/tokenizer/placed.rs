//! Tokens with their places in the text, for labels of tokens.

use super::{Inner, TextTokenizer, TokenIds, failed};
use crate::LongText;
use std::ops::Range;
use tokenizers::TruncationDirection;

/// A run of tokens, and which bytes of the text each stands for; marks such as `[CLS]` stand for none.
///
/// No two tokens stand for the same bytes: a character that several share, as its bytes or its letters, is the first one's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) tokens: TokenIds,
    pub(crate) places: Vec<Range<usize>>,
}

impl TextTokenizer {
    /// As [`TextTokenizer::encode`], with places. White space at a token's sides is none of its own.
    pub(crate) fn encode_placed(
        &self,
        text: &str,
        policy: LongText,
    ) -> ko_eval_core::Result<Vec<Placed>> {
        let room = self.limit - self.added.0;
        let too_long = |length: usize| match length > room && policy == LongText::Error {
            true => Err(self.too_long(length + self.added.0)),
            false => Ok(()),
        };
        let most = if policy == LongText::Chunk { usize::MAX } else { 1 };
        let mut runs = match &self.inner {
            Inner::File(tokenizer) => {
                let mut encoding = tokenizer.run(|t| t.encode(text, false)).map_err(failed)?;
                too_long(encoding.len())?;
                encoding.truncate(room, 0, TruncationDirection::Right);
                let rest = encoding.take_overflowing();
                let runs = std::iter::once(encoding).chain(rest).take(most);
                let finish = |run| -> ko_eval_core::Result<Placed> {
                    let run = tokenizer.run(|t| t.post_process(run, None, true)).map_err(failed)?;
                    let tokens = TokenIds::of(&run);
                    let own = run.get_tokens().iter().zip(run.get_offsets());
                    let places =
                        own.zip(&tokens.special).map(|((token, &(start, end)), special)| {
                            if *special || is_space(token) { 0..0 } else { start..end }
                        });
                    Ok(Placed { places: places.collect(), tokens })
                };
                runs.map(finish).collect::<Result<Vec<_>, _>>()?
            }
            Inner::Pieces(pieces) => {
                let placed = pieces.placed(text)?;
                too_long(placed.len())?;
                let (first, rest) = placed.split_at(placed.len().min(room));
                let runs = std::iter::once(first).chain(rest.chunks(room)).take(most);
                let frame = |run: &[(u32, Range<usize>)]| {
                    let ids: Vec<u32> = run.iter().map(|(id, _)| *id).collect();
                    let tokens = pieces.frame(&ids, None);
                    let mut own = run.iter();
                    let place = |special: &bool| match special {
                        true => 0..0,
                        false => own.next().map_or(0..0, |(_, at)| at.clone()),
                    };
                    Placed { places: tokens.special.iter().map(place).collect(), tokens }
                };
                runs.map(frame).collect()
            }
        };
        let mut taken = 0;
        for place in runs.iter_mut().flat_map(|run| &mut run.places) {
            *place = trimmed(text, place.start.max(taken)..place.end);
            taken = taken.max(place.end);
        }
        Ok(runs)
    }
}

/// Whether a token of a `tokenizer.json` is nothing but the mark of a space. One that is put before the text has the place of the first character.
fn is_space(token: &str) -> bool {
    token.chars().all(|c| matches!(c, '▁' | 'Ġ'))
}

/// The same bytes without white space at their ends; none where they are nothing else, or cut through a character.
fn trimmed(text: &str, place: Range<usize>) -> Range<usize> {
    let Some(surface) = text.get(place.clone()) else { return 0..0 };
    let start = place.start + surface.len() - surface.trim_start().len();
    start..start + surface.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::path::Path;

    fn surfaces(model: &str, text: &str, policy: LongText) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(model);
        surfaces_by(&folder, text, policy)
    }

    fn surfaces_by(folder: &Path, text: &str, policy: LongText) -> Vec<String> {
        let model = folder.display();
        let tokenizer = TextTokenizer::open(folder, 1000, 8).unwrap();
        let placed = tokenizer.encode_placed(text, policy).unwrap();
        let plain = tokenizer.encode(text, policy).unwrap();
        let tokens: Vec<TokenIds> = placed.iter().map(|run| run.tokens.clone()).collect();
        assert_eq!(tokens, plain, "{model}: {text}");
        placed
            .iter()
            .flat_map(|run| run.places.iter().zip(&run.tokens.special))
            .filter(|(_, special)| !**special)
            .map(|(place, _)| text[place.clone()].to_owned())
            .collect()
    }

    #[test]
    fn tokens_stand_where_they_were_cut() {
        let words = ["나", "는", "밥", "을", "먹", "었", "다", "."];
        let text = "나는  밥을 먹었다.";
        assert_eq!(surfaces("bert", text, LongText::Chunk), words);
        assert_eq!(surfaces("bert", text, LongText::Truncate), words[..6]);
        // What the vocabulary lacks is a token as a whole word.
        assert_eq!(surfaces("bert", "ABC 김치찌개", LongText::Chunk), ["ABC", "김치찌개"]);
    }

    #[test]
    fn pieces_stand_where_they_were_cut() {
        let texts =
            ["나는 밥을 먹었다.", "비가 온다", "  나는\t밥을 ", "ABC와 Café, ``3월'' 1일", ""];
        for model in ["xlm-roberta", "kobert"] {
            for text in texts {
                let found = surfaces(model, text, LongText::Chunk).concat();
                let bare: String = text.split_whitespace().collect();
                assert_eq!(found, bare, "{model}: {text}");
            }
        }
    }

    /// Surfaces by a `tokenizer.json` of these merges, and no other tokens than their halves.
    fn surfaces_of(parts: &Value, tokens: &[&str], merges: &[(&str, &str)], text: &str) -> String {
        let merged = merges.iter().map(|(a, b)| format!("{a}{b}"));
        let tokens = tokens.iter().map(|token| (*token).to_owned()).chain(merged);
        let vocabulary: Value = tokens
            .zip(0..)
            .map(|(token, id)| (token, json!(id)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let mut file = json!({
            "added_tokens": [],
            "model": { "type": "BPE", "vocab": vocabulary, "merges": merges, "byte_fallback": true },
        });
        for (name, part) in parts.as_object().unwrap() {
            file[name] = part.clone();
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tokenizer.json"), file.to_string()).unwrap();
        surfaces_by(folder.path(), text, LongText::Chunk).join("|")
    }

    #[test]
    fn a_character_of_several_tokens_is_the_first_ones() {
        // Bytes, also where a text is cut in the middle of a character.
        for text in ["민수는  부산에 산다.", "똠방각하 ☃ 🐶 é"] {
            let found = surfaces("qwen3", text, LongText::Chunk);
            assert!(found.iter().any(String::is_empty), "{found:?}");
            assert_eq!(found.concat(), text.split_whitespace().collect::<String>());
        }
        let bytes = ["는", "<0xEB>", "<0xAF>", "<0xBC>"];
        assert_eq!(surfaces_of(&json!({}), &bytes, &[], "민는"), "민|||는");
        // Letters; a token of letters of two syllables stands for the second.
        let letters = ["ᄒ", "ᅡ", "ᆫ", "ᄀ", "ᅮ", "ᆨ"];
        let parts = json!({ "normalizer": { "type": "NFD" } });
        assert_eq!(surfaces_of(&parts, &letters, &[("ᆫ", "ᄀ")], "한국"), "한||국||");
    }

    #[test]
    fn a_space_before_the_text_takes_nothing_from_it() {
        let tokens = ["▁", "민", "수", "는"];
        let space = json!({ "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always" });
        let parts = json!({ "pre_tokenizer": space });
        assert_eq!(surfaces_of(&parts, &tokens, &[("민", "수")], "민수는 민수"), "|민수|는||민수");
    }
}
