//! CoNLL-U, damaged: an error at a line of the file, or sentences that are the same when they are written and read again.
#![no_main]

use ko_eval_core::Error;
use ko_eval_fuzz::damaged;
use ko_probe::conllu::{Reader, write};
use libfuzzer_sys::fuzz_target;
use std::{io::Cursor, sync::LazyLock};

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let plain = "# sent_id = 1\n# text = 비가 온다.\n1\t비가\t비+가\tNOUN\tNNG+JKS\tCase=Nom|Mood=Ind\t2\tnsubj\t_\t_\n2\t온다\t오+ㄴ다\tVERB\tVV+EF\t_\t0\troot\t_\tSpaceAfter=No\n3\t.\t.\tPUNCT\tSF\t_\t2\tpunct\t_\t_\n\n";
    let ranges = "\u{feff}# 하나\r\n1-2\t먹었다\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\r\n1\t먹었\t먹+었\tVERB\tVV+EP\t_\t0\troot\t0:root\tOrigLemma=먹\r\n2\t다\t다\tPART\tEF\t_\t1\tdep\t_\t_\r\n2.1\t나\t나\tPRON\tNP\t_\t_\t_\t1:nsubj\t_\r\n";
    vec![plain.into(), ranges.into(), [plain, ranges].concat().into_bytes()]
});

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    let lines = bytes.split(|byte| *byte == b'\n').count();
    for sentence in Reader::new("a.conllu", Cursor::new(bytes)) {
        let sentence = match sentence {
            Ok(sentence) => sentence,
            Err(Error::BadLine { line, .. }) => {
                assert!((1..=lines).contains(&line), "line {line} of {lines}");
                return;
            }
            Err(other) => panic!("{other}"),
        };
        assert!(sentence.depth() <= sentence.words.len());
        let again = Reader::new("again", Cursor::new(write(&sentence))).next();
        assert_eq!(again.expect("a sentence").expect("what was read before").words, sentence.words);
    }
});
