//! Which characters are numbers, punctuation and symbols.

use super::category_ranges::{NUMBERS, PUNCTUATION, SYMBOLS};
use std::sync::LazyLock;

/// A general category of Unicode, as far as `intl` asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Category {
    Number,
    Punctuation,
    Symbol,
    Other,
}

/// The categories of U+0000 to U+FFFF, which are looked up; beyond, the ranges are searched.
static FIRST_PLANE: LazyLock<Vec<Category>> = LazyLock::new(|| (0..=0xffff).map(search).collect());

/// The category of a character.
#[inline]
pub(super) fn category(c: char) -> Category {
    if ('가'..='힣').contains(&c) {
        return Category::Other;
    }
    let point = u32::from(c);
    FIRST_PLANE.get(point as usize).copied().unwrap_or_else(|| search(point))
}

fn search(point: u32) -> Category {
    let tables = [
        (NUMBERS, Category::Number),
        (PUNCTUATION, Category::Punctuation),
        (SYMBOLS, Category::Symbol),
    ];
    let found = tables.iter().find(|(ranges, _)| {
        // First and last code points in turn: inside a range after an odd number of them.
        let starts_before = ranges.partition_point(|&bound| bound < point);
        starts_before % 2 == 1 || ranges.get(starts_before) == Some(&point)
    });
    found.map_or(Category::Other, |(_, category)| *category)
}
