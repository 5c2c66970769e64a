//! An analyzer written in Java, as a scheme.

use super::{
    VERSION,
    error::{JvmError, missing},
    find, machine,
};
use crate::{Morpheme, MorphemeAnalyzer, Normalization, TagSet, fingerprint::fingerprint};
use jni::{Env, objects::JObject, refs::Global};
use ko_eval_core::{Result, Signature, Signed, Token, Tokenizer};
use ko_eval_io::home;
use std::{
    fmt,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// One of the tools that KoNLPy carries: [`KOMORAN`](super::KOMORAN), [`OKT`](super::OKT),
/// [`HANNANUM`](super::HANNANUM) or [`KKMA`](super::KKMA).
pub struct Tool {
    /// Its name in the registry.
    pub(super) name: &'static str,
    /// Its own version.
    pub(super) version: &'static str,
    /// What its units are: `surface` or `restored`.
    pub(super) form: &'static str,
    pub(super) tags: &'static TagSet,
    /// How many tags it writes, if it can also write another number by default.
    pub(super) ntags: Option<u8>,
    /// What it needs of KoNLPy's folder `java`.
    pub(super) files: &'static [&'static str],
    /// Makes the Java object that analyses.
    pub(super) make: Make,
    /// Has it analyse a text that is not blank.
    pub(super) analyze: Analyze,
    /// The object: one for the process, because the tools keep their dictionaries in one place anyway. They do not all
    /// bear two threads at once, so it is used by one at a time.
    pub(super) object: &'static Object,
}

pub(super) type Object = Mutex<Option<Global<JObject<'static>>>>;

pub(super) type Make =
    fn(&mut Env<'_>, &std::path::Path) -> Result<Global<JObject<'static>>, JvmError>;
pub(super) type Analyze =
    fn(&mut Env<'_>, &JObject<'_>, &str) -> Result<Vec<Morpheme<'static>>, JvmError>;

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.name)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// Cuts into morphemes as one of KoNLPy's tools does.
///
/// ```no_run
/// use ko_tokenize::{jvm::{JvmAnalyzer, OKT}, prelude::*};
///
/// let units = JvmAnalyzer::new(&OKT)?.tokenize("밥을 했다.")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["밥", "을", "했다", "."]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct JvmAnalyzer {
    tool: &'static Tool,
    /// KoNLPy's folder `java`.
    folder: PathBuf,
    checksum: String,
    norm: Normalization,
}

impl JvmAnalyzer {
    /// A tool as it was set up in [`home`]. Java starts, and the tool loads its dictionary, when the first text comes.
    ///
    /// # Errors
    /// When KoNLPy's files are missing, or Java is.
    pub fn new(tool: &'static Tool) -> Result<Self> {
        Self::in_folder(tool, home().join(format!("konlpy-{VERSION}")).join("java"))
    }

    /// A tool by the folder `java` of an unpacked KoNLPy. One process can use one such folder.
    ///
    /// # Errors
    /// As [`JvmAnalyzer::new`].
    pub fn in_folder(tool: &'static Tool, folder: impl Into<PathBuf>) -> Result<Self> {
        let folder = folder.into();
        if let Some(path) =
            tool.files.iter().map(|file| folder.join(file)).find(|path| !path.is_file())
        {
            return Err(missing(&path).into());
        }
        let checksum = fingerprint(&folder, tool.files)?;
        find::library()?;
        Ok(Self { tool, folder, checksum, norm: Normalization::default() })
    }

    /// Another normalisation.
    #[must_use]
    pub fn with_normalization(self, norm: Normalization) -> Self {
        Self { norm, ..self }
    }

    fn morphemes(&self, text: &str) -> Result<Vec<Morpheme<'static>>, JvmError> {
        // What Java calls blank: three of the four throw, or never come back.
        if text.chars().all(|c| c <= ' ' || c.is_whitespace()) {
            return Ok(Vec::new());
        }
        // A panic in between leaves the object as it was.
        let mut object = self.tool.object.lock().unwrap_or_else(PoisonError::into_inner);
        let found = machine::with(&self.folder, |env| {
            let object = match &mut *object {
                Some(object) => object,
                none => none.insert((self.tool.make)(env, &self.folder)?),
            };
            (self.tool.analyze)(env, object, text)
        });
        if let Err(JvmError::OutOfMemory { .. }) = &found {
            // Whatever it was in the middle of, nothing of it stays: the next text gets a new one.
            *object = None;
        }
        found
    }
}

impl Signed for JvmAnalyzer {
    fn signature(&self) -> Signature {
        let name = format!("{}@{}", self.tool.name, self.tool.version);
        let mut signature =
            Signature::new(name).with("files", &self.checksum).with("form", self.tool.form);
        if let Some(ntags) = self.tool.ntags {
            signature = signature.with("ntags", ntags);
        }
        self.norm.sign(signature)
    }
}

impl Tokenizer for JvmAnalyzer {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        Ok(self.analyze(text)?.into_iter().map(Token::from).collect())
    }
}

impl MorphemeAnalyzer for JvmAnalyzer {
    fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
        self.norm.analyze(text, |text| Ok(self.morphemes(text)?))
    }

    fn tag_set(&self) -> &'static TagSet {
        self.tool.tags
    }
}
