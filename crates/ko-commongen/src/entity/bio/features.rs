//! What the tagger sees of a character: hashes of what stands around it.

use crate::model_file::Hash;

/// The features of every character of a text.
#[allow(clippy::indexing_slicing, reason = "places are those of characters, or the end")]
pub(super) fn features(text: &str) -> Vec<Vec<u64>> {
    let chars: Vec<char> = text.chars().map(folded).collect();
    let get =
        |i: isize| usize::try_from(i).ok().and_then(|i| chars.get(i)).copied().unwrap_or('\0');
    let mut all = Vec::with_capacity(chars.len());
    for (i, _) in chars.iter().enumerate() {
        let word_from = chars[..i].iter().rposition(|c| *c == ' ').map_or(0, |p| p + 1);
        let word_to = chars[i..].iter().position(|c| *c == ' ').map_or(chars.len(), |p| i + p);
        let word_to = word_to.max(word_from);
        let at = i as isize;
        let window = |template: u32, offsets: std::ops::RangeInclusive<isize>| {
            Hash::new(template).chars(offsets.map(|o| get(at + o))).value()
        };
        let mut keys = vec![
            window(0, 0..=0),
            window(1, -1..=-1),
            window(2, 1..=1),
            window(3, -2..=-2),
            window(4, 2..=2),
            window(5, -1..=0),
            window(6, 0..=1),
            window(7, -2..=-1),
            window(8, 1..=2),
            window(9, -2..=0),
            window(10, -1..=1),
            window(11, 0..=2),
            window(12, -3..=0),
            window(13, 0..=3),
            window(14, -1..=2),
            window(15, -2..=1),
            Hash::new(16).chars((-2..=2).map(|o| class(get(at + o)))).value(),
            Hash::new(17).chars((-1..=1).map(|o| class(get(at + o)))).chars([get(at)]).value(),
        ];
        // The word, and where in it the character stands.
        let place = (i - word_from.min(i)) as u32;
        let left = (word_to - i.min(word_to)) as u32;
        keys.push(Hash::new(18).add(place.min(4)).add(left.min(4)).value());
        let word = |from: usize, to: usize| chars.get(from..to).unwrap_or_default().iter().copied();
        keys.push(Hash::new(19).add(place).chars(word(word_from, word_to)).value());
        keys.push(Hash::new(20).chars(word(word_from, i + 1)).value());
        keys.push(Hash::new(21).chars(word(i, word_to)).value());
        keys.push(
            Hash::new(22).add(place.min(6)).chars(word(word_to.saturating_sub(2), word_to)).value(),
        );
        // The words beside it.
        let before_to = word_from.saturating_sub(1);
        let before_from = chars[..before_to].iter().rposition(|c| *c == ' ').map_or(0, |p| p + 1);
        keys.push(Hash::new(23).add(place.min(1)).chars(word(before_from, before_to)).value());
        let after_from = (word_to + 1).min(chars.len());
        let after = chars[after_from..].iter().position(|c| *c == ' ');
        let after_to = after.map_or(chars.len(), |p| after_from + p);
        keys.push(Hash::new(24).add(left.min(2)).chars(word(after_from, after_to)).value());
        all.push(keys);
    }
    all
}

/// Digits are alike.
fn folded(c: char) -> char {
    if c.is_ascii_digit() { '0' } else { c }
}

/// What sort of character it is.
fn class(c: char) -> char {
    match c {
        '\0' => '^',
        ' ' => ' ',
        '0' => '0',
        '가'..='힣' => '가',
        c if c.is_ascii_uppercase() => 'A',
        c if c.is_ascii_lowercase() => 'a',
        '\u{4e00}'..='\u{9fff}' => '漢',
        '(' | '[' | '‘' | '“' | '<' | '\'' | '"' => '(',
        ')' | ']' | '’' | '”' | '>' => ')',
        _ => '.',
    }
}
