//! Where in the text a morpheme came from, for tools that do not say.
//!
//! Best effort: the words that a tool reports are looked for in the text in order; inside a word, forms that stand there
//! as they are get their place, and restored ones what is left between their neighbours. 했다 as 하 · 었 · 다 gives 다 its
//! own syllable, and 하 and 었 both the 했.

use std::ops::Range;

/// The words of a text, in order.
pub(super) struct Words<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Words<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Where a word stands that comes after the last one; what the tool rewrote gets the place of the text's next word,
    /// and the search goes on from there.
    pub(super) fn next(&mut self, word: &str) -> Range<usize> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if let Some(found) = rest.find(word).filter(|_| !word.is_empty()) {
            let start = self.at + found;
            self.at = start + word.len();
            return start..self.at;
        }
        let start = self.at + (rest.len() - rest.trim_start().len());
        let tail = self.text.get(start..).unwrap_or_default();
        start..start + tail.find(char::is_whitespace).unwrap_or(tail.len())
    }
}

/// Where each of a word's forms stands in the text, the word being at `word`.
pub(super) fn in_word<'f>(
    text: &str,
    word: Range<usize>,
    forms: impl IntoIterator<Item = &'f str>,
) -> Vec<Range<usize>> {
    let mut at = word.start;
    let mut anchor = |form: &str| {
        let rest = text.get(at..word.end)?;
        let start = at + rest.find(form).filter(|_| !form.is_empty())?;
        at = start + form.len();
        Some(start..at)
    };
    let anchors: Vec<_> = forms.into_iter().map(&mut anchor).collect();
    let place = |(number, anchor): (usize, &Option<Range<usize>>)| {
        let (before, after) = anchors.split_at(number);
        if let Some(place) = anchor {
            return place.clone();
        }
        let before = before.iter().rev().flatten().next();
        let after = after.iter().flatten().next();
        let gap = before.map_or(word.start, |r| r.end)..after.map_or(word.end, |r| r.start);
        match gap.is_empty() {
            false => gap,
            true => before.or(after).unwrap_or(&word).clone(),
        }
    };
    anchors.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(word: &str, forms: &[&str]) -> Vec<String> {
        let spans = in_word(word, 0..word.len(), forms.iter().copied());
        spans.into_iter().map(|span| word[span].to_owned()).collect()
    }

    #[test]
    fn restored_forms_get_what_is_left() {
        assert_eq!(places("밥을", &["밥", "을"]), ["밥", "을"]);
        assert_eq!(places("했다", &["하", "었", "다"]), ["했", "했", "다"]);
        assert_eq!(places("위해", &["위하", "어"]), ["위해", "위해"]);
        assert_eq!(places("가", &["가", "아"]), ["가", "가"]);
        assert_eq!(places("힘든", &["힘들", "ㄴ"]), ["힘든", "힘든"]);
        assert_eq!(places("", &["가"]), [""]);
    }

    #[test]
    fn words_come_in_order_and_a_rewritten_one_loses_nobody() {
        let text = "밥을 밥을 먹자";
        let mut words = Words::new(text);
        assert_eq!(words.next("밥을"), 0..6);
        assert_eq!(words.next("밥을"), 7..13);
        assert_eq!(&text[words.next("묵자")], "먹자");
        assert_eq!(&text[words.next("먹자")], "먹자");
        assert_eq!(words.next("없다"), text.len()..text.len());
    }
}
