//! Which part of the sentence each leaf is.
//!
//! Usually a leaf is an eojeol. Where there are more leaves than eojeols, each eojeol takes as many neighbouring leaves as look most like it,
//! and is cut between them in the same way: least edits between letters, because leaves are spelt by their morphemes (`가았다`)
//! and sentences as they are read (`갔다`).

use ko_tokenize::jamo::{Letter, letters};

/// A leaf as the sentence spells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spelt {
    pub(super) surface: String,
    /// Whether the next leaf is written onto it.
    pub(super) joined: bool,
}

/// More leaves than eojeols by so many: no sentence is written so.
const MOST_EXTRA: usize = 64;

/// Every leaf, by its morphemes' spelling, as a part of the sentence; as it is where there is no sentence or they do not fit.
pub(super) fn of_leaves(text: Option<&str>, leaves: Vec<String>) -> Vec<Spelt> {
    let eojeols: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
    let alone = |surface: String| Spelt { surface, joined: false };
    match leaves.len().checked_sub(eojeols.len()) {
        Some(0) => eojeols.into_iter().map(|eojeol| alone(eojeol.to_owned())).collect(),
        Some(1..=MOST_EXTRA) if text.is_some() => {
            shared(&eojeols, &leaves).unwrap_or_else(|| leaves.into_iter().map(alone).collect())
        }
        _ => leaves.into_iter().map(alone).collect(),
    }
}

fn shared(eojeols: &[&str], leaves: &[String]) -> Option<Vec<Spelt>> {
    let most = leaves.len() - eojeols.len() + 1;
    let sizes = divide(eojeols.len(), leaves.len(), most, |eojeol, from, to| {
        let spelt = leaves.get(from..to).unwrap_or_default().concat();
        edits(eojeols.get(eojeol).copied().unwrap_or_default(), &spelt)
    })?;
    let mut spelt = Vec::with_capacity(leaves.len());
    let mut rest = leaves;
    for (eojeol, size) in eojeols.iter().zip(sizes) {
        let (own, others) = rest.split_at_checked(size)?;
        rest = others;
        let chars: Vec<char> = eojeol.chars().collect();
        let part = |from: usize, to: usize| -> String {
            chars.get(from..to).unwrap_or_default().iter().collect()
        };
        let lengths = divide(own.len(), chars.len(), chars.len(), |leaf, from, to| {
            edits(&part(from, to), own.get(leaf).map_or("", String::as_str))
        })?;
        let mut from = 0;
        for (place, length) in lengths.into_iter().enumerate() {
            let surface = part(from, from + length);
            from += length;
            spelt.push(Spelt { surface, joined: place + 1 < own.len() });
        }
    }
    Some(spelt)
}

/// Divides items in order among parts, one at least and `most` at the most to each, so that the costs' sum is least; the
/// first of equals. How many each part gets, or nothing if they cannot be divided.
fn divide(
    parts: usize,
    items: usize,
    most: usize,
    cost: impl Fn(usize, usize, usize) -> usize,
) -> Option<Vec<usize>> {
    // best[part][item]: the least cost of the parts before `part` on the items before `item`, and the size of the last part.
    let mut best = vec![vec![None; items + 1]; parts + 1];
    *best.first_mut()?.first_mut()? = Some((0, 0));
    for part in 0..parts {
        for from in 0..items {
            let Some((before, _)) = *best.get(part)?.get(from)? else { continue };
            for to in from + 1..=items.min(from + most) {
                // The parts that are left need one item each.
                if items - to < parts - part - 1 {
                    break;
                }
                let sum = before + cost(part, from, to);
                let slot = best.get_mut(part + 1)?.get_mut(to)?;
                if slot.is_none_or(|(known, _)| sum < known) {
                    *slot = Some((sum, to - from));
                }
            }
        }
    }
    let (mut sizes, mut item) = (vec![0; parts], items);
    for part in (0..parts).rev() {
        let (_, size) = (*best.get(part + 1)?.get(item)?)?;
        *sizes.get_mut(part)? = size;
        item -= size;
    }
    (item == 0).then_some(sizes)
}

/// Letters to change, add or take away until two texts are one.
fn edits(one: &str, other: &str) -> usize {
    let (one, other): (Vec<Letter>, Vec<Letter>) =
        (letters(one).collect(), letters(other).collect());
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.iter().enumerate() {
        let (mut left, mut corner) = (line + 1, line);
        for (above, same) in row.iter_mut().skip(1).zip(other.iter().map(|l| l == letter)) {
            // `left` and `corner` are of this line and the one before; `above` becomes this line's.
            let next = (corner + usize::from(!same)).min(left + 1).min(*above + 1);
            corner = std::mem::replace(above, next);
            left = next;
        }
        if let Some(first) = row.first_mut() {
            *first = line + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted_in_letters() {
        for (one, other, wanted) in [
            ("갔다", "가았다", 2),
            ("책", "책", 0),
            ("", "가", 2),
            ("가나", "", 4),
            ("각", "간", 1),
        ] {
            assert_eq!((edits(one, other), edits(other, one)), (wanted, wanted), "{one} {other}");
        }
    }

    fn spelt(text: &str, leaves: &[&str]) -> Vec<(String, bool)> {
        let leaves = leaves.iter().map(|leaf| (*leaf).to_owned()).collect();
        of_leaves(Some(text), leaves).into_iter().map(|s| (s.surface, s.joined)).collect()
    }

    #[test]
    fn leaves_share_an_eojeol_where_there_are_more() {
        let found = spelt(
            "새 책(新刊 圖書)이 \"나왔다\"고 한다.",
            &["새", "책", "(", "新刊", "圖書", ")", "이", "\"", "나오았다", "\"", "고", "하ㄴ다."],
        );
        let wanted = [
            ("새", false),
            ("책", true),
            ("(", true),
            ("新刊", false),
            ("圖書", true),
            (")", true),
            ("이", false),
            ("\"", true),
            ("나왔다", true),
            ("\"", true),
            ("고", false),
            ("한다.", false),
        ];
        assert_eq!(found, wanted.map(|(surface, joined)| (surface.to_owned(), joined)));
    }

    #[test]
    fn what_does_not_fit_stays_as_it_is_spelt() {
        let plain =
            |leaves: &[&str]| leaves.iter().map(|l| ((*l).to_owned(), false)).collect::<Vec<_>>();
        assert_eq!(spelt("가 나 다", &["가나", "다"]), plain(&["가나", "다"]), "too few leaves");
        assert_eq!(spelt("가", &["가", "나", "다"]), plain(&["가", "나", "다"]), "too few letters");
        assert_eq!(spelt("", &["가"]), plain(&["가"]));
        let many = vec!["가"; 200];
        assert_eq!(spelt("가가", &many), plain(&many));
    }
}
