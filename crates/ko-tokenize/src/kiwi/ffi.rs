//! The thirteen functions of Kiwi's C API that an analysis needs. Calling them is unsafe; the only other unsafe code of the
//! crate is the product of matrices in `khaiii/matrix.rs` and the mapped file in `morpheme/dictionary/memory.rs`.
//!
//! Kiwi's header (`capi.h`, version 0.24.1) is what every declaration here was read from. The functions catch their own
//! C++ exceptions and report them through `kiwi_error`, which is kept per thread.
#![allow(unsafe_code)]

use super::{VERSION, error::KiwiError};
use libloading::Library;
use std::{
    ffi::{CStr, CString, c_char, c_float, c_int, c_void},
    path::Path,
    ptr,
};

/// `KIWI_BUILD_DEFAULT`: integrate allomorphs; the default, the multi-word and the typo dictionary.
const BUILD_DEFAULT: c_int = 15;
/// `KIWI_MATCH_ALL`: URL, e-mail address, hashtag, mention, serial number, emoji as one token each; codas that were
/// added to a word (`Z_CODA`) on their own.
const MATCH_ALL: c_int = 0b11_1111 | 1 << 23;
/// `KIWI_MATCH_OOV_CHR_MODEL`: unknown words by the model of characters.
const MATCH_OOV_CHARACTER_MODEL: c_int = 1 << 8;
/// No thread of Kiwi's own: the caller has threads.
const NO_THREADS: c_int = 0;
const STANDARD_DIALECT: c_int = 0;

/// `kiwi_analyze_option_t`, passed by value.
#[repr(C)]
struct AnalyzeOption {
    match_options: c_int,
    blocklist: *mut c_void,
    open_ending: c_int,
    allowed_dialects: c_int,
    dialect_cost: c_float,
    typo_transformer: *mut c_void,
    typo_threshold: c_float,
}

/// What kiwipiepy sets when it is told nothing.
const KIWIPIEPY_DEFAULTS: AnalyzeOption = AnalyzeOption {
    match_options: MATCH_ALL | MATCH_OOV_CHARACTER_MODEL,
    blocklist: ptr::null_mut(),
    open_ending: 0,
    allowed_dialects: STANDARD_DIALECT,
    dialect_cost: 3.0,
    typo_transformer: ptr::null_mut(),
    typo_threshold: 2.5,
};

type Handle = *mut c_void;
type Analysis = *mut c_void;

/// The functions, by their names in the library.
struct Api {
    version: unsafe extern "C" fn() -> *const c_char,
    error: unsafe extern "C" fn() -> *const c_char,
    clear_error: unsafe extern "C" fn(),
    init: unsafe extern "C" fn(*const c_char, c_int, c_int, c_int) -> Handle,
    close: unsafe extern "C" fn(Handle) -> c_int,
    analyze:
        unsafe extern "C" fn(Handle, *const c_char, c_int, AnalyzeOption, *mut c_void) -> Analysis,
    res_size: unsafe extern "C" fn(Analysis) -> c_int,
    res_word_num: unsafe extern "C" fn(Analysis, c_int) -> c_int,
    res_form: unsafe extern "C" fn(Analysis, c_int, c_int) -> *const c_char,
    res_tag: unsafe extern "C" fn(Analysis, c_int, c_int) -> *const c_char,
    res_position: unsafe extern "C" fn(Analysis, c_int, c_int) -> c_int,
    res_length: unsafe extern "C" fn(Analysis, c_int, c_int) -> c_int,
    res_close: unsafe extern "C" fn(Analysis) -> c_int,
}

/// A morpheme as Kiwi gives it.
pub(super) struct RawMorpheme {
    pub(super) form: String,
    pub(super) tag: String,
    /// In UTF-16 units of the text, as the length.
    pub(super) position: usize,
    pub(super) length: usize,
}

/// A loaded model.
pub(super) struct Engine {
    api: Api,
    /// Never null.
    handle: Handle,
}

// SAFETY: after `kiwi_init` the object is only read: `kiwi_analyze` calls `Kiwi::analyze`, a const function whose
// scratch space is thread-local; Kiwi's own thread pool calls it on one object from many threads in the same way.
unsafe impl Send for Engine {}
// SAFETY: as above.
unsafe impl Sync for Engine {}

impl Api {
    fn load(path: &Path) -> Result<Self, KiwiError> {
        // SAFETY: opening a library runs its initialisers. That the file is Kiwi's library is the caller's claim, as it
        // is with any shared library; the version is checked below before anything else is called.
        let library = unsafe { Library::new(path) }
            .map_err(|source| KiwiError::NoLibrary { path: path.to_owned(), source })?;
        // Never unloaded: threads may hold thread-local objects of the library whose destructors lie in it.
        let library: &'static Library = Box::leak(Box::new(library));
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the type that the field asks for is the one that Kiwi's header declares.
                *unsafe { library.get($name) }
                    .map_err(|_| KiwiError::NoSymbol { path: path.to_owned(), symbol: $name })?
            };
        }
        let api = Self {
            version: function!("kiwi_version"),
            error: function!("kiwi_error"),
            clear_error: function!("kiwi_clear_error"),
            init: function!("kiwi_init"),
            close: function!("kiwi_close"),
            analyze: function!("kiwi_analyze"),
            res_size: function!("kiwi_res_size"),
            res_word_num: function!("kiwi_res_word_num"),
            res_form: function!("kiwi_res_form"),
            res_tag: function!("kiwi_res_tag"),
            res_position: function!("kiwi_res_position"),
            res_length: function!("kiwi_res_length"),
            res_close: function!("kiwi_res_close"),
        };
        // SAFETY: takes nothing and returns a string that lives as long as the library.
        let found = unsafe { text((api.version)()) };
        match found == VERSION {
            true => Ok(api),
            false => Err(KiwiError::WrongVersion { path: path.to_owned(), found }),
        }
    }

    /// What Kiwi says about the last failure on this thread; it is forgotten then.
    fn take_error(&self) -> String {
        // SAFETY: null, or a string that lives until the error is cleared, after it was copied.
        unsafe {
            let message = text((self.error)());
            (self.clear_error)();
            message
        }
    }
}

impl Engine {
    /// Opens the library and has it load the model.
    pub(super) fn load(library: &Path, model: &Path) -> Result<Self, KiwiError> {
        let bad_path = || KiwiError::BadPath { path: model.to_owned() };
        let folder = CString::new(model.to_str().ok_or_else(bad_path)?).map_err(|_| bad_path())?;
        let api = Api::load(library)?;
        // SAFETY: the folder's name is a C string that outlives the call.
        let handle =
            unsafe { (api.init)(folder.as_ptr(), NO_THREADS, BUILD_DEFAULT, STANDARD_DIALECT) };
        if handle.is_null() {
            return Err(KiwiError::BadModel { path: model.to_owned(), message: api.take_error() });
        }
        Ok(Self { api, handle })
    }

    /// The best analysis of a text without U+0000.
    pub(super) fn analyze(&self, text: &CStr) -> Result<Vec<RawMorpheme>, KiwiError> {
        let failed =
            || KiwiError::Failed { bytes: text.to_bytes().len(), message: self.api.take_error() };
        // SAFETY: the handle is open as long as `self` lives; the text is a C string that outlives the call; null means
        // that nothing is cut beforehand.
        let analysis = unsafe {
            (self.api.analyze)(self.handle, text.as_ptr(), 1, KIWIPIEPY_DEFAULTS, ptr::null_mut())
        };
        if analysis.is_null() {
            return Err(failed());
        }
        let analysis = Guard { api: &self.api, analysis };
        analysis.morphemes().ok_or_else(failed)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: the handle came from `kiwi_init` and is closed once.
        unsafe { (self.api.close)(self.handle) };
    }
}

/// An analysis that is closed whatever happens.
struct Guard<'a> {
    api: &'a Api,
    analysis: Analysis,
}

impl Guard<'_> {
    /// Nothing if Kiwi does not answer.
    fn morphemes(&self) -> Option<Vec<RawMorpheme>> {
        let (api, analysis) = (self.api, self.analysis);
        // SAFETY: the analysis is open. Every function checks the numbers that it is given, and answers with null or a
        // negative number. A string is copied before the next call, which may move it.
        unsafe {
            if (api.res_size)(analysis) < 1 {
                return Some(Vec::new());
            }
            let count = (api.res_word_num)(analysis, 0);
            let mut morphemes = Vec::with_capacity(usize::try_from(count).ok()?);
            for number in 0..count {
                let form = text((api.res_form)(analysis, 0, number));
                // `kiwi_res_tag` looks at a form's last character without asking whether there is one.
                if form.is_empty() {
                    continue;
                }
                morphemes.push(RawMorpheme {
                    form,
                    tag: text((api.res_tag)(analysis, 0, number)),
                    position: usize::try_from((api.res_position)(analysis, 0, number)).ok()?,
                    length: usize::try_from((api.res_length)(analysis, 0, number)).ok()?,
                });
            }
            Some(morphemes)
        }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        // SAFETY: the analysis came from `kiwi_analyze` and is closed once.
        unsafe { (self.api.res_close)(self.analysis) };
    }
}

/// A copy of a C string; empty for null. Kiwi writes UTF-8, but for half a character, which becomes U+FFFD.
///
/// # Safety
/// `chars` is null or a C string.
unsafe fn text(chars: *const c_char) -> String {
    if chars.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(chars) }.to_string_lossy().into_owned()
}
