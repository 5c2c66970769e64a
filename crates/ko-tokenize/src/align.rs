//! Where in the text a unit came from, for analyzers that do not say.
//!
//! Best effort: forms that stand in the text as they are get their place, in order; restored ones get what is left between
//! their neighbours, and share a neighbour's place where nothing is left. 했다 as 하 · 었 · 다 gives 다 its own syllable, and
//! 하 and 었 both the 했. So spans are in order and within the text, but where a form occurs by chance they may be off.

use std::ops::Range;

/// Where each form of a text stands. A form is looked for in the rest of the word at hand and in the next word, not beyond:
/// a restored form that happens to occur far away must not take all others with it.
pub(crate) fn in_text<'f>(
    text: &str,
    forms: impl IntoIterator<Item = &'f str>,
) -> Vec<Range<usize>> {
    align(text, 0..text.len(), forms, this_word_and_the_next)
}

/// Where each of a word's forms stands in the text, the word being at `word`.
#[cfg(feature = "jvm")]
pub(crate) fn in_word<'f>(
    text: &str,
    word: Range<usize>,
    forms: impl IntoIterator<Item = &'f str>,
) -> Vec<Range<usize>> {
    align(text, word, forms, str::len)
}

/// Looks for each form within `whole`, as far from the last one found as `reach` says.
fn align<'f>(
    text: &str,
    whole: Range<usize>,
    forms: impl IntoIterator<Item = &'f str>,
    reach: impl Fn(&str) -> usize,
) -> Vec<Range<usize>> {
    let within_reach = |at: usize| {
        let rest = text.get(at..whole.end).unwrap_or_default();
        at..at + reach(rest)
    };
    let mut spans = Vec::new();
    // How many at the end of `spans` were not found, and where the last found one ended.
    let (mut lost, mut at) = (0, whole.start);
    for form in forms {
        let near = text.get(within_reach(at)).unwrap_or_default();
        let Some(start) = near.find(form).filter(|_| !form.is_empty()) else {
            spans.push(whole.clone());
            lost += 1;
            continue;
        };
        let found = at + start..at + start + form.len();
        settle(text, at..found.start, &mut spans, lost, Some(&found));
        (lost, at) = (0, found.end);
        spans.push(found);
    }
    settle(text, within_reach(at), &mut spans, lost, None);
    spans
}

/// Gives the last `lost` spans what lies in `gap`, without the white space around it; where that is nothing, the place of
/// the form before them, or else of the one `after`.
fn settle(
    text: &str,
    gap: Range<usize>,
    spans: &mut [Range<usize>],
    lost: usize,
    after: Option<&Range<usize>>,
) {
    let inside = text.get(gap.clone()).unwrap_or_default();
    let start = gap.start + (inside.len() - inside.trim_start().len());
    let gap = start..start + inside.trim().len();
    let (found, lost) = spans.split_at_mut(spans.len().saturating_sub(lost));
    let place = if gap.is_empty() { found.last().or(after) } else { Some(&gap) };
    if let Some(place) = place {
        lost.fill(place.clone());
    }
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

/// The words of a text, in order, as an analyzer reports them.
#[cfg(feature = "jvm")]
pub(crate) struct WordSearch<'t> {
    text: &'t str,
    at: usize,
}

#[cfg(feature = "jvm")]
impl<'t> WordSearch<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Where a word stands that comes after the last one; what the analyzer rewrote gets the place of the text's next word,
    /// and the search goes on from there.
    pub(crate) fn next(&mut self, word: &str) -> Range<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn places<'t>(text: &'t str, forms: &[&str]) -> Vec<&'t str> {
        in_text(text, forms.iter().copied()).into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn forms_are_found_in_order() {
        assert_eq!(places("비가 온다.", &["비", "가", "온다", "."]), ["비", "가", "온다", "."]);
        // Restored ones get what lies between those that are found.
        assert_eq!(
            places("갔다 왔다", &["가", "았", "다", "오", "았", "다"]),
            ["갔", "갔", "다", "왔", "왔", "다"]
        );
        assert_eq!(places("해 나", &["하", "여", "나"]), ["해", "해", "나"]);
        assert_eq!(places("비가 와", &["비", "가", "오", "아"]), ["비", "가", "와", "와"]);
        // 하 is no part of the first two words: it is not looked for beyond.
        assert_eq!(places("해 주신 하늘", &["하", "여", "주", "시", "ㄴ", "하늘"])[5], "하늘");
        assert_eq!(places("가", &["나", "다"]), ["가", "가"]);
        assert!(places("", &[]).is_empty());
    }

    #[test]
    fn where_nothing_is_left_a_neighbours_place_is_shared() {
        assert_eq!(places("가", &["가", "아"]), ["가", "가"]);
        assert_eq!(places("가", &["나", "가"]), ["가", "가"]);
        assert_eq!(places("밥 가", &["밥", "을", "가", "아"]), ["밥", "밥", "가", "가"]);
        assert_eq!(places("", &["가"]), [""]);
    }

    #[cfg(feature = "jvm")]
    #[test]
    fn inside_a_word_forms_are_looked_for_to_its_end() {
        let places = |word: &str, forms: &[&str]| -> Vec<String> {
            let spans = in_word(word, 0..word.len(), forms.iter().copied());
            spans.into_iter().map(|span| word[span].to_owned()).collect()
        };
        assert_eq!(places("밥을", &["밥", "을"]), ["밥", "을"]);
        assert_eq!(places("했다", &["하", "었", "다"]), ["했", "했", "다"]);
        assert_eq!(places("위해", &["위하", "어"]), ["위해", "위해"]);
        assert_eq!(places("가", &["가", "아"]), ["가", "가"]);
        assert_eq!(places("힘든", &["힘들", "ㄴ"]), ["힘든", "힘든"]);
        assert_eq!(places("", &["가"]), [""]);
        // The word's own place is the frame, whatever stands around it.
        assert_eq!(in_word("하늘 했다 하늘", 7..13, ["하", "었", "다"]), [7..10, 7..10, 10..13]);
    }

    #[cfg(feature = "jvm")]
    #[test]
    fn words_come_in_order_and_a_rewritten_one_loses_nobody() {
        let text = "밥을 밥을 먹자";
        let mut words = WordSearch::new(text);
        assert_eq!(words.next("밥을"), 0..6);
        assert_eq!(words.next("밥을"), 7..13);
        assert_eq!(&text[words.next("묵자")], "먹자");
        assert_eq!(&text[words.next("먹자")], "먹자");
        assert_eq!(words.next("없다"), text.len()..text.len());
    }
}
