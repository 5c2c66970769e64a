//! Khaiii's resource folder, one file of it damaged: an error, or an analyzer whose morphemes lie in the text.
#![no_main]

use ko_eval_fuzz::damaged;
use ko_tokenize::{
    MorphemeAnalyzer,
    khaiii::{Khaiii, Resource},
};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};

const NNG: u16 = 20 + 46;
const SF: u16 = 25 + 46;
/// A compound: 했 is 하/VV and 였/EP.
const VV_EP: u16 = 95;

fn floats(numbers: impl IntoIterator<Item = f32>) -> Vec<u8> {
    numbers.into_iter().flat_map(f32::to_le_bytes).collect()
}

fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn halves(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A trie of one key: a root, and a node below each other for its parts.
fn trie(keys: &[i32], value: u32) -> Vec<u8> {
    let nodes = std::iter::once(&0).chain(keys).enumerate().flat_map(|(at, key)| {
        let more = i32::from(at < keys.len());
        let value = if more == 0 { value } else { 0 };
        [*key, value as i32, more, more]
    });
    nodes.flat_map(i32::to_le_bytes).collect()
}

fn mixed(c: char, tag: u16) -> u32 {
    (c as u32) << 12 | u32::from(tag)
}

/// A network that calls everything a noun but a full stop; a known word, a known mistake, a compound.
static FILES: LazyLock<Vec<(&str, Vec<u8>)>> = LazyLock::new(|| {
    let config = r#"{"vocab_size": 6, "embed_dim": 1, "window": 1, "hidden_dim": 1, "class_num": 99, "conv_kernels": [1]}"#;
    let characters = words(&[0, 0, 0, 0, '.' as u32, '가' as u32]);
    let weights = (1..=99).map(|tag| f32::from(tag == SF));
    let biases = (1..=99).map(|tag| f32::from(tag == NNG));
    let piece = |c: char, tag: u32| (c as u32) << 8 | 0x80 | tag;
    vec![
        ("config.json", config.as_bytes().to_vec()),
        ("embed.bin", [characters, floats([0.0, 0.0, 0.0, 0.0, 100.0, 0.0])].concat()),
        ("conv.1.fil", floats([1.0, 0.0])),
        ("cnv2hdn.lin", floats([1.0, -10.0])),
        ("hdn2tag.lin", floats(weights.chain(biases))),
        ("preanal.val", halves(&[0, 0, VV_EP, SF, 0])),
        ("preanal.tri", trie(&['했' as i32, '다' as i32], 2 * 2)),
        ("errpatch.tri", trie(&[-2, mixed('가', NNG) as i32, -1], 1)),
        ("errpatch.len", vec![0, 3]),
        ("errpatch.val", halves(&[0, -2i16 as u16, SF, -1i16 as u16, 0])),
        ("restore.key", words(&[mixed('했', VV_EP)])),
        ("restore.val", words(&[piece('하', 37), piece('였', 3), 0, 0])),
        ("restore.one", (0..=99).map(|tag| if tag > 92 { NNG as u8 } else { tag }).collect()),
    ]
});

fuzz_target!(|data: &[u8]| {
    let Some((choice, data)) = data.split_first() else { return };
    let (changed, whole) = &FILES[usize::from(*choice) % FILES.len()];
    let damaged = damaged(data, std::slice::from_ref(whole));
    let file = |name: &str| match name == *changed {
        true => Some(damaged.clone()),
        false => FILES.iter().find(|(other, _)| *other == name).map(|(_, bytes)| bytes.clone()),
    };
    let Ok(resource) = Resource::from_memory(&file) else {
        assert!(damaged != *whole, "a whole folder");
        return;
    };
    let khaiii = Khaiii::builder().resource(Arc::new(resource)).build().expect("what was read");
    for text in ["가나 했다.", "", "가 다 \u{0}😀 e\u{301}"] {
        let morphemes = khaiii.analyze(text).expect("a short text");
        assert!(morphemes.iter().all(|morpheme| text.get(morpheme.span.clone()).is_some()));
    }
});
