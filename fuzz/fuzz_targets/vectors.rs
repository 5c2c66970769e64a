//! Stores of vectors, damaged: an error, or a store in which every vector is whole and made of numbers.
#![no_main]

use ko_eval_fuzz::{Folder, damaged};
use ko_probe::{Example, Origin, Part, Vectors, embedders::BagOfJamo};
use libfuzzer_sys::fuzz_target;
use std::{fs, path::Path, path::PathBuf, sync::LazyLock};

const TEXTS: [&str; 3] = ["가", "나다", "비가 온다"];

static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);
static SEED: LazyLock<(PathBuf, Vec<Vec<u8>>)> = LazyLock::new(|| {
    let embedder = BagOfJamo::new();
    let example = |text: &&str| Example {
        text: (*text).into(),
        class: 0,
        part: Part::Train,
        origin: Origin { path: Path::new("t").into(), line: 1, id: "1".into() },
    };
    let examples: Vec<Example> = TEXTS.iter().map(example).collect();
    let mut store = Vectors::open(FOLDER.path(), &embedder).expect("a new store");
    store.fill(&examples, &embedder, |_, _| {}).expect("vectors");
    drop(store);
    let files =
        fs::read_dir(FOLDER.path()).expect("a folder").map(|file| file.expect("a file").path());
    let path = files.into_iter().find(|path| path.extension().is_some_and(|end| end == "vectors"));
    let path = path.expect("the store");
    let bytes = fs::read(&path).expect("what was written");
    (path, vec![bytes])
});

fuzz_target!(|data: &[u8]| {
    let (path, seeds) = &*SEED;
    fs::write(path, damaged(data, seeds)).expect("room for a small file");
    let Ok(store) = Vectors::open(FOLDER.path(), &BagOfJamo::new()) else { return };
    for text in TEXTS {
        if let Some(vector) = store.get(text) {
            assert_eq!(vector.len(), store.dim());
            assert!(vector.iter().all(|number| number.is_finite()));
        }
    }
});
