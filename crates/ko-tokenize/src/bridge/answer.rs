//! Reading an answer, and finding its units in the text.

use super::Form;
use std::ops::Range;

/// A unit as a program wrote it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) form: String,
    /// Empty where none was asked for.
    pub(super) tag: String,
}

/// The units of an answer, or what is wrong with it.
pub(super) fn units(answer: &str, form: Form) -> Result<Vec<Unit>, String> {
    let pieces = answer.split('\t').map(str::trim).filter(|piece| !piece.is_empty());
    let unit = |piece: &str| match form {
        Form::Tokens => Ok(Unit { form: piece.to_owned(), tag: String::new() }),
        Form::Tagged => match piece.rsplit_once('/') {
            Some((form, tag)) if !form.is_empty() && !tag.is_empty() => {
                Ok(Unit { form: form.to_owned(), tag: tag.to_owned() })
            }
            _ => Err(format!("`{piece}` is not `morpheme/TAG`")),
        },
    };
    pieces.map(unit).collect()
}

/// Where each unit stands: in order, within the text.
pub(super) fn align<'u>(text: &str, units: impl Iterator<Item = &'u str>) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    // How many at the end of `spans` were not found, and where the last found one ended.
    let (mut lost, mut at) = (0, 0);
    for unit in units {
        let near = text.get(at..at + this_word_and_the_next(text.get(at..).unwrap_or_default()));
        let found = near.and_then(|near| near.find(unit)).map(|start| at + start);
        let Some(start) = found else {
            spans.push(at..at);
            lost += 1;
            continue;
        };
        between(text, at..start, &mut spans, lost);
        (lost, at) = (0, start + unit.len());
        spans.push(start..at);
    }
    let rest = at..at + this_word_and_the_next(text.get(at..).unwrap_or_default());
    between(text, rest, &mut spans, lost);
    spans
}

/// Gives the last `lost` spans what lies in `gap`, without the white space around it.
fn between(text: &str, gap: Range<usize>, spans: &mut [Range<usize>], lost: usize) {
    let inside = text.get(gap.clone()).unwrap_or_default();
    let start = gap.start + (inside.len() - inside.trim_start().len());
    let span = start..start + inside.trim().len();
    spans.iter_mut().rev().take(lost).for_each(|lost| *lost = span.clone());
}

/// The length of the rest of a word and of the word after it.
fn this_word_and_the_next(text: &str) -> usize {
    let mut words = 0;
    let pieces = text.split_inclusive(char::is_whitespace).take_while(|piece| {
        let wanted = words < 2;
        words += usize::from(!piece.trim().is_empty());
        wanted
    });
    pieces.map(str::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned<'t>(text: &'t str, units: &[&str]) -> Vec<&'t str> {
        align(text, units.iter().copied()).into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn units_are_found_in_order() {
        assert_eq!(aligned("비가 온다.", &["비", "가", "온다", "."]), ["비", "가", "온다", "."]);
        // Restored ones get what lies between those that are found.
        assert_eq!(
            aligned("갔다 왔다", &["가", "았", "다", "오", "았", "다"]),
            ["갔", "갔", "다", "왔", "왔", "다"]
        );
        assert_eq!(aligned("해 나", &["하", "여", "나"]), ["해", "해", "나"]);
        assert_eq!(aligned("비가 와", &["비", "가", "오", "아"]), ["비", "가", "와", "와"]);
        // 하 is no part of the first two words: it is not looked for beyond.
        assert_eq!(aligned("해 주신 하늘", &["하", "여", "주", "시", "ㄴ", "하늘"])[5], "하늘");
        assert_eq!(aligned("가", &["나", "다"]), ["가", "가"]);
        assert_eq!(aligned("가", &["가", "나"]), ["가", ""]);
        assert!(aligned("", &[]).is_empty());
    }

    #[test]
    fn the_last_slash_separates() {
        let tagged = |answer| units(answer, Form::Tagged);
        let unit = |form: &str, tag: &str| Unit { form: form.into(), tag: tag.into() };
        assert_eq!(tagged("1/2/SN\t//SP\t"), Ok(vec![unit("1/2", "SN"), unit("/", "SP")]));
        for bad in ["가", "/NNG", "가/", "가/NNG\t나"] {
            assert!(tagged(bad).unwrap_err().contains("is not `morpheme/TAG`"), "{bad}");
        }
        assert_eq!(units("1/2\t \t나", Form::Tokens).unwrap().len(), 2);
        assert_eq!(units("", Form::Tokens), Ok(vec![]));
    }
}
