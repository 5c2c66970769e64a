#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod archive;
mod checksum;
mod error;
mod fetch;
mod lines;
mod lock;
mod package;
mod part;
mod recipe;
mod recipes;
mod setup;
pub mod tools;
mod work;

pub use {
    error::{Error, Result},
    lines::Lines,
    package::{Kind, Package},
    part::{Part, State},
    recipe::{Licence, Limits, Recipe},
    recipes::RECIPES,
    setup::{Outcome, Setup},
    work::Convert,
};

/// The recipe of a part by its name.
///
/// ```
/// let recipe = ko_eval_setup::by_name("dictionary")?;
/// assert_eq!(recipe.part.folder, "mecab-ko-dic-2.1.1-format2");
/// assert!(ko_eval_setup::by_name("dictionery").is_err());
/// # Ok::<(), ko_eval_setup::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unknown`], which lists the known ones.
pub fn by_name(name: &str) -> Result<&'static Recipe> {
    RECIPES.iter().find(|recipe| recipe.part.name == name).ok_or_else(|| Error::Unknown {
        name: name.to_owned(),
        known: RECIPES.iter().map(|recipe| recipe.part.name).collect::<Vec<_>>().join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_part_lists_the_known_ones() {
        let error = by_name("dictionery").unwrap_err().to_string();
        assert!(
            error.contains("`dictionery`") && error.contains("sacrebleu-dictionary"),
            "{error}"
        );
    }
}
