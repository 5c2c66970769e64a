#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]

/// mecab-ko-dic 2.1.1 as `ko_tokenize::morpheme::dictionary::pack` packs it; `None` in a checkout of the repository, where
/// `ko-eval setup dictionary` installs it instead.
///
/// ```
/// let packed = ko_tokenize_dictionary::MECAB_KO_DIC;
/// assert!(packed.is_none_or(|packed| packed.starts_with(b"ko-pack1")));
/// ```
pub const MECAB_KO_DIC: Option<&[u8]> = packed();

#[cfg(has_dictionary)]
const fn packed() -> Option<&'static [u8]> {
    Some(include_bytes!("../data/mecab-ko-dic-2.1.1"))
}

#[cfg(not(has_dictionary))]
const fn packed() -> Option<&'static [u8]> {
    None
}
