//! Tokens with their places in the text, for labels of tokens.

use super::{Inner, TextTokenizer, TokenIds, failed};
use crate::LongText;
use std::ops::Range;
use tokenizers::TruncationDirection;

/// A run of tokens, and which bytes of the text each stands for; marks such as `[CLS]` stand for none.
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
        match &self.inner {
            Inner::File(tokenizer) => {
                let mut encoding = tokenizer.run(|t| t.encode(text, false)).map_err(failed)?;
                too_long(encoding.len())?;
                encoding.truncate(room, 0, TruncationDirection::Right);
                let rest = encoding.take_overflowing();
                let runs = std::iter::once(encoding).chain(rest).take(most);
                let finish = |run| -> ko_eval_core::Result<Placed> {
                    let run = tokenizer.run(|t| t.post_process(run, None, true)).map_err(failed)?;
                    let tokens = TokenIds::of(&run);
                    let places = run.get_offsets().iter().zip(&tokens.special);
                    let places = places.map(|(&(start, end), special)| match special {
                        true => 0..0,
                        false => trimmed(text, start..end),
                    });
                    Ok(Placed { places: places.collect(), tokens })
                };
                runs.map(finish).collect()
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
                        false => own.next().map_or(0..0, |(_, at)| trimmed(text, at.clone())),
                    };
                    Placed { places: tokens.special.iter().map(place).collect(), tokens }
                };
                Ok(runs.map(frame).collect())
            }
        }
    }
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
    use std::path::Path;

    fn surfaces(model: &str, text: &str, policy: LongText) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(model);
        let tokenizer = TextTokenizer::open(&folder, 1000, 8).unwrap();
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
}
