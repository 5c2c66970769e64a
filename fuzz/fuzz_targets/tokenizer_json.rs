//! A model folder's `tokenizer.json` and `vocab.txt`, damaged: an error, or a tokenizer whose numbers all have an embedding.
#![no_main]

use ko_eval_fuzz::{Folder, damaged};
use ko_neural::fuzzing::tokens;
use ko_tokenize::subword::{Algorithm, VocabularyTraining};
use libfuzzer_sys::fuzz_target;
use std::{panic, sync::LazyLock};

const ROWS: usize = 256;
const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n나는\n밥\n##을\n먹\n##었다\n";

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = Folder::new();
    let mut seeds = Vec::new();
    for algorithm in [Algorithm::Bpe, Algorithm::Unigram, Algorithm::JamoBpe] {
        let learned =
            VocabularyTraining::new(algorithm, 120).learn(["나는 밥을 먹었다", "밥을 먹는다"]);
        let path = folder.path().join("learned.json");
        learned.expect("texts to learn from").save(&path).expect("a folder to write to");
        let json = std::fs::read_to_string(path).expect("what was written");
        let template = r#""post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}},{"Sequence":{"id":"B","type_id":1}}],"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[0],"tokens":["[CLS]"]},"[SEP]":{"id":"[SEP]","ids":[1],"tokens":["[SEP]"]}}}"#;
        seeds.push(json.replacen(r#""post_processor":null"#, template, 1).into_bytes());
        seeds.push(json.into_bytes());
    }
    let rules = r###"{"version":"1.0","truncation":{"direction":"Right","max_length":4,"strategy":"LongestFirst","stride":0},"padding":null,
        "added_tokens":[{"id":0,"content":"[UNK]","single_word":false,"lstrip":true,"rstrip":false,"normalized":false,"special":true}],
        "normalizer":{"type":"Sequence","normalizers":[{"type":"NFKC"},{"type":"Replace","pattern":{"Regex":"나+"},"content":"너"},{"type":"Lowercase"},{"type":"StripAccents"},{"type":"Prepend","prepend":"▁"}]},
        "pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true},{"type":"Split","pattern":{"String":"밥"},"behavior":"Isolated","invert":false},{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true}]},
        "post_processor":{"type":"RobertaProcessing","sep":["[UNK]",0],"cls":["[UNK]",0],"trim_offsets":true,"add_prefix_space":true},
        "decoder":{"type":"ByteLevel"},"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":5,"vocab":{"[UNK]":0,"가":1,"##나":2}}}"###;
    seeds.push(rules.as_bytes().to_vec());
    seeds.push(VOCABULARY.as_bytes().to_vec());
    // A panic of the `tokenizers` crate is an error by the time it reaches us; one that does not become one still ends the fuzzer.
    panic::set_hook(Box::new(|_| {}));
    seeds
});
static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    // A vocabulary is no object.
    let json = bytes.first() == Some(&b'{');
    let (name, other) =
        if json { ("tokenizer.json", "vocab.txt") } else { ("vocab.txt", "tokenizer.json") };
    FOLDER.write(name, &bytes);
    let _ = std::fs::remove_file(FOLDER.path().join(other));
    let texts = ["나는 밥을 먹었다.", "", " e\u{301}\u{0} 😀 [CLS]나나"];
    let ids = tokens(FOLDER.path(), ROWS, &texts).unwrap_or_default();
    assert!(ids.iter().all(|id| (*id as usize) < ROWS), "{ids:?}");
});
