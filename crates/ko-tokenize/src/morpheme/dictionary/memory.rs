//! Where a dictionary's bytes lie while it is used: in memory of the process's own, or in memory that all processes share.

use std::{borrow::Cow, ops::Deref};
#[cfg(feature = "shared-dictionary")]
use {
    super::DictionaryError,
    crate::error::{Error, Result},
    std::{fs::File, path::Path},
};

/// The variable that chooses [`Memory::Shared`] for a whole process, if it is `shared`.
#[cfg(feature = "shared-dictionary")]
const VARIABLE: &str = "KO_EVAL_DICTIONARY_MEMORY";

/// Where a dictionary lies while it is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Memory {
    /// In the process's own memory, some 28 MB: whatever happens to the file later, the process does not notice.
    #[default]
    Own,
    /// In the file itself, mapped: processes that use the same one have it in memory once.
    ///
    /// A file that is shortened under a process that has it mapped ends that process. [`build`](super::build()) and set-up never write into a
    /// dictionary that is there: they put a new file in its place, and the old one lives as long as somebody has it. So that nobody else
    /// does, either, only a file that nobody may write is mapped (`chmod a-w FILE`); any other one is refused.
    #[cfg(feature = "shared-dictionary")]
    #[cfg_attr(docsrs, doc(cfg(feature = "shared-dictionary")))]
    Shared,
}

impl Memory {
    /// What the environment asks for: `KO_EVAL_DICTIONARY_MEMORY=shared`, or else memory of its own.
    pub(super) fn wanted() -> Self {
        #[cfg(feature = "shared-dictionary")]
        if std::env::var_os(VARIABLE).is_some_and(|value| value == "shared") {
            return Self::Shared;
        }
        Self::Own
    }
}

/// A dictionary's bytes.
pub(in crate::morpheme) enum Bytes {
    Own(Cow<'static, [u8]>),
    #[cfg(feature = "shared-dictionary")]
    Mapped(memmap2::Mmap),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Own(bytes) => bytes,
            #[cfg(feature = "shared-dictionary")]
            Self::Mapped(bytes) => bytes,
        }
    }
}

impl<B: Into<Cow<'static, [u8]>>> From<B> for Bytes {
    fn from(bytes: B) -> Self {
        Self::Own(bytes.into())
    }
}

#[cfg(feature = "shared-dictionary")]
impl Bytes {
    /// Maps a file that nobody may write.
    pub(super) fn map(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(Error::io(path))?;
        // Asked of the file that is open: another one may have its name by now.
        if !file.metadata().map_err(Error::io(path))?.permissions().readonly() {
            return Err(DictionaryError::Writable { path: path.to_owned() }.into());
        }
        // SAFETY: the bytes must not change while they are borrowed. Nobody may write the file; and were it written all the same, after its permissions were changed back,
        // then what is read here is checked where it is used: numbers by their bounds, texts by their encoding.
        #[allow(unsafe_code)]
        let bytes = unsafe { memmap2::Mmap::map(&file) }.map_err(Error::io(path))?;
        Ok(Self::Mapped(bytes))
    }
}
