//! What a killed generation left, damaged: the answers are the generator's own, or the folder is refused.
#![no_main]

use ko_eval_core::{Result, Signature, Signed};
use ko_eval_model::{Candidate, Decoding, Generator, Prompt, generate::generate_kept};
use ko_eval_fuzz::{Folder, damaged};
use libfuzzer_sys::fuzz_target;
use std::{fs, path::PathBuf, sync::LazyLock};

const PROMPTS: usize = 70;

/// Answers at once, and always the same.
#[derive(Debug)]
struct Quick;

impl Signed for Quick {
    fn signature(&self) -> Signature {
        Signature::new("quick")
    }
}

impl Generator for Quick {
    fn generate(&self, prompts: &[Prompt<'_>], _: &Decoding) -> Result<Vec<Vec<Candidate>>> {
        let answer = |prompt: &Prompt<'_>| {
            let text = |end| Candidate { text: format!("{}{end}", prompt.text), score: Some(-0.1) };
            vec![text("다"), Candidate { score: None, ..text("요") }]
        };
        Ok(prompts.iter().map(answer).collect())
    }
}

static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);

fn go_on() -> Result<Vec<Vec<Candidate>>> {
    let prompts: Vec<Prompt<'_>> = (0..PROMPTS).map(|n| Prompt::new(format!("글{n}"))).collect();
    generate_kept(&Quick, &prompts, &Decoding::beam(2, 5), Some(FOLDER.path()), &())
}

/// The file, what stands in it after a whole generation, and the answers.
static WHOLE: LazyLock<(PathBuf, Vec<Vec<u8>>, Vec<Vec<Candidate>>)> = LazyLock::new(|| {
    let answers = go_on().expect("a folder of our own");
    let path = FOLDER.path().join("candidates.jsonl");
    let bytes = fs::read(&path).expect("what was written");
    (path, vec![bytes], answers)
});

fuzz_target!(|data: &[u8]| {
    let (path, seeds, answers) = &*WHOLE;
    fs::write(path, damaged(data, seeds)).expect("room for a small file");
    match go_on() {
        Ok(found) => assert_eq!(found, *answers),
        Err(error) => assert!(error.to_string().contains("candidates.jsonl"), "{error}"),
    }
});
