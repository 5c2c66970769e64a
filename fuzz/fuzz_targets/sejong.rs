//! The Sejong treebank's trees, damaged: errors at lines of the file, UTF-16 that is none, or sentences whose dependencies are a tree.
#![no_main]

use ko_eval_core::Error;
use ko_eval_fuzz::damaged;
use ko_probe::{conllu, sejong::Reader};
use libfuzzer_sys::fuzz_target;
use std::{io::Cursor, sync::LazyLock};

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let one = "; 그리고 거울을 향해 얼굴을 찌푸렸다.\n(S\t(AP 그리고/MAJ)\n\t(VP\t(VP\t(NP_OBJ 거울/NNG + 을/JKO)\n\t\t\t(VP 향하/VV + 아/EC))\n\t\t(VP\t(NP_OBJ 얼굴/NNG + 을/JKO)\n\t\t\t(VP 찌푸리/VV + 었/EP + 다/EF + ./SF))))\n\n";
    let two = "(S (NP_SBJ (NP_CNJ 언니/NNG + 와/JC) (NP_SBJ 동생/NNG + 이/JKS)) (VP (NP_OBJ \"/SS + 책/NNG + \"/SS + 을/JKO) (VP (VP 읽/VV + 고/EC) (VP 있/VX + 다/EF + ./SF))))\n";
    let around =
        format!("<!DOCTYPE tei.2 [\n]>\n<teiHeader>\n; 제목\n</teiHeader>\n<p>\n{one}</p>\n");
    let three = "; 큰 성(城)이 있다.\n(S (NP_SBJ (NP (VP_MOD 크/VA + ᆫ/ETM) (NP 성__02/NNG)) (NP_PRN (L (/SS) (NP_PRN (NP 城/SH) (R_PRN )/SS))) (X_SBJ 이/JKS)) (VP 있/VA + 다/EF + ./SF))\n";
    let utf16 = around.encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        one.into(),
        two.into(),
        three.into(),
        [one, two].concat().into_bytes(),
        around.into(),
        utf16,
    ]
});

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    let lines = bytes.split(|byte| *byte == b'\n').count();
    for sentence in Reader::new("a.tree", Cursor::new(bytes.clone())) {
        let sentence = match sentence {
            Ok(sentence) => sentence,
            Err(Error::BadLine { line, .. }) => {
                // Damaged UTF-16 may have more line ends than its bytes show.
                assert!(line <= lines || bytes.contains(&0), "line {line} of {lines}");
                continue;
            }
            Err(Error::Io { .. }) => return,
            Err(other) => panic!("{other}"),
        };
        let again = conllu::Reader::new("again", Cursor::new(conllu::write(&sentence))).next();
        let again = again.expect("a sentence").expect("a tree");
        assert_eq!(again.words.len(), sentence.words.len());
    }
});
