//! The dictionary of MeCab-ko, as a file and packed, damaged: an error; whatever its checksum, an error or a dictionary whose morphemes
//! lie in the text.
#![no_main]

use ko_eval_fuzz::{Folder, damaged};
use ko_tokenize::{
    MorphemeAnalyzer,
    morpheme::{
        Dictionary, MecabForm, MecabKo,
        dictionary::{FILE, build, pack},
    },
};
use libfuzzer_sys::fuzz_target;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::{ops::Range, sync::Arc, sync::LazyLock};

#[path = "../../crates/ko-tokenize/tests/it/small.rs"]
mod small;

/// Bytes of the table of characters, nearly all of a small dictionary.
const CHARACTERS: usize = 4 << 16;

/// A file in two parts, so that changes hit more than the table of characters.
struct Whole {
    file: Vec<u8>,
    /// The table of characters.
    middle: Range<usize>,
    /// All but the table of characters.
    rest: Vec<Vec<u8>>,
}

impl Whole {
    fn new(file: Vec<u8>, middle: Range<usize>) -> Self {
        let rest = [&file[..middle.start], &file[middle.end..]].concat();
        Self { file, middle, rest: vec![rest] }
    }

    fn damaged(&self, choice: u8, data: &[u8]) -> Vec<u8> {
        if choice.is_multiple_of(4) {
            return damaged(data, std::slice::from_ref(&self.file));
        }
        let rest = damaged(data, &self.rest);
        let (before, after) = rest.split_at(self.middle.start.min(rest.len()));
        [before, &self.file[self.middle.clone()], after].concat()
    }
}

static WHOLE: LazyLock<Whole> = LazyLock::new(|| {
    let folder = Folder::new();
    small::write(folder.path());
    let target = folder.path().join("dictionary");
    build(folder.path(), &target, "small", "1").expect("a dictionary of MeCab's");
    let file = std::fs::read(target.join(FILE)).expect("what was written");
    let characters = characters(&file);
    Whole::new(file, characters)
});

/// Packed without compression, so that changes are changes of columns.
static PACKED: LazyLock<Whole> = LazyLock::new(|| {
    let raw = |column: &[u8]| compress_to_vec(column, CompressionLevel::Uncompressed);
    let packed = pack(&WHOLE.file, raw).expect("a dictionary that was built");
    // The first column is nearly all characters; what is before and behind them in it is far less than this.
    let margin = 1 << 13;
    let first = u32::from_le_bytes(packed[76..80].try_into().expect("four bytes")) as usize;
    let middle = 152 + margin..152 + first - margin;
    Whole::new(packed, middle)
});

/// What the whole dictionary finds.
static FOUND: LazyLock<Vec<String>> = LazyLock::new(|| {
    let dictionary = Dictionary::from_bytes(WHOLE.file.clone()).expect("what was written");
    analyses(dictionary)
});

/// The morphemes of all texts, which lie in them.
fn analyses(dictionary: Dictionary) -> Vec<String> {
    let mecab = MecabKo::builder().dictionary(Arc::new(dictionary)).form(MecabForm::Morpheme);
    let mecab = mecab.build().expect("a dictionary that was verified");
    let analysis = |text: &&str| {
        let morphemes = mecab.analyze(text).expect("a short text");
        assert!(morphemes.iter().all(|morpheme| text.get(morpheme.span.clone()).is_some()));
        format!("{morphemes:?}")
    };
    small::TEXTS.iter().map(analysis).collect()
}

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
    let (packed, choice) = (choice % 3 == 0, choice / 3);
    let whole: &Whole = if packed { &PACKED } else { &WHOLE };
    let file = whole.damaged(choice, data);
    // As a file, whose checksum must be right; and what lies behind it.
    match (packed, choice % 8) {
        (false, 0 | 1) => {
            let is_whole = file == whole.file;
            let opened = Dictionary::from_bytes(file);
            assert_eq!(opened.is_ok(), is_whole, "a change that the checksum does not see");
        }
        // The packing has bits that mean nothing; the file in it has not.
        (true, 0 | 1) => {
            if let Ok(dictionary) = Dictionary::from_packed(&file) {
                assert_eq!(analyses(dictionary), *FOUND);
            }
        }
        (false, _) => drop(Dictionary::from_unsealed_bytes(file).map(analyses)),
        (true, _) => drop(Dictionary::from_unsealed_packed(&file).map(analyses)),
    }
});
