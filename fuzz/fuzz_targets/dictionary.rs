//! The dictionary of MeCab-ko, damaged: an error; whatever its checksum, an error or a dictionary whose morphemes lie in the text.
#![no_main]

use ko_eval_fuzz::{Folder, damaged};
use ko_tokenize::{
    MorphemeAnalyzer,
    morpheme::{
        Dictionary, MecabForm, MecabKo,
        dictionary::{FILE, build},
    },
};
use libfuzzer_sys::fuzz_target;
use std::{ops::Range, sync::Arc, sync::LazyLock};

#[path = "../../crates/ko-tokenize/tests/small/mod.rs"]
mod small;

/// Bytes of the table of characters, nearly all of a small dictionary.
const CHARACTERS: usize = 4 << 16;

/// A dictionary's file in two parts, so that changes hit more than the table of characters.
struct Whole {
    file: Vec<u8>,
    characters: Range<usize>,
    /// All but the table of characters.
    rest: Vec<Vec<u8>>,
}

static WHOLE: LazyLock<Whole> = LazyLock::new(|| {
    let folder = Folder::new();
    small::write(folder.path());
    let target = folder.path().join("dictionary");
    build(folder.path(), &target, "small", "1").expect("a dictionary of MeCab's");
    let file = std::fs::read(target.join(FILE)).expect("what was written");
    let characters = characters(&file);
    let rest = [&file[..characters.start], &file[characters.end..]].concat();
    Whole { file, characters, rest: vec![rest] }
});

/// Where the table of characters lies: sections follow the header, each at a multiple of 64 bytes.
fn characters(file: &[u8]) -> Range<usize> {
    let length = u32::from_le_bytes(file[8..12].try_into().expect("four bytes")) as usize;
    let header: serde_json::Value =
        serde_json::from_slice(&file[12..12 + length]).expect("a header");
    let mut end = 12 + length;
    for section in header["sections"].as_array().expect("lengths") {
        let start = end.next_multiple_of(64);
        end = start + section.as_u64().expect("a length") as usize;
        if end - start == CHARACTERS {
            return start..end;
        }
    }
    unreachable!("a dictionary has a table of characters")
}

fuzz_target!(|data: &[u8]| {
    let Some((choice, data)) = data.split_first() else { return };
    let whole = &*WHOLE;
    let file = match choice % 4 {
        0 => damaged(data, std::slice::from_ref(&whole.file)),
        _ => {
            let rest = damaged(data, &whole.rest);
            let (before, after) = rest.split_at(whole.characters.start.min(rest.len()));
            [before, &whole.file[whole.characters.clone()], after].concat()
        }
    };
    // As a file, whose checksum must be right; and what lies behind it.
    let dictionary = match choice % 8 {
        0 | 1 => {
            let is_whole = file == whole.file;
            let dictionary = Dictionary::from_bytes(file);
            assert_eq!(dictionary.is_ok(), is_whole, "a change that the checksum does not see");
            dictionary
        }
        _ => Dictionary::from_unsealed_bytes(file),
    };
    let Ok(dictionary) = dictionary else { return };
    let mecab = MecabKo::builder().dictionary(Arc::new(dictionary)).form(MecabForm::Morpheme);
    let mecab = mecab.build().expect("a dictionary that was verified");
    for text in small::TEXTS {
        let morphemes = mecab.analyze(text).expect("a short text");
        assert!(morphemes.iter().all(|morpheme| text.get(morpheme.span.clone()).is_some()));
    }
});
