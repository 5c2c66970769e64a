//! The dictionary that this program carries.

use super::Dictionary;
use crate::error::Result;
use std::sync::Arc;

/// Whether there is one: a checkout of the repository has none until it is set up there.
pub(super) fn is_there() -> bool {
    #[cfg(feature = "embedded-dictionary")]
    return ko_tokenize_dictionary::MECAB_KO_DIC.is_some();
    #[cfg(not(feature = "embedded-dictionary"))]
    return false;
}

/// Unpacks it, once per process.
///
/// # Errors
/// When there is none, or it is not what was packed.
#[cfg(feature = "embedded-dictionary")]
pub(super) fn open() -> Result<Arc<Dictionary>> {
    use std::sync::{Mutex, PoisonError};

    static UNPACKED: Mutex<Option<Arc<Dictionary>>> = Mutex::new(None);
    // Held while unpacking: a second caller waits and shares.
    let mut unpacked = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(dictionary) = &*unpacked {
        return Ok(dictionary.clone());
    }
    let packed = ko_tokenize_dictionary::MECAB_KO_DIC.unwrap_or_default();
    let dictionary = Arc::new(Dictionary::from_packed(packed)?);
    *unpacked = Some(dictionary.clone());
    Ok(dictionary)
}

#[cfg(not(feature = "embedded-dictionary"))]
pub(super) fn open() -> Result<Arc<Dictionary>> {
    Err(super::missing(&super::MECAB_KO_DIC.folder()))
}
