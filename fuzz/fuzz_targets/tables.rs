//! Tables of sentences, pairs and labels, damaged: an error at a line of the file, or rows whose numbers are some.
#![no_main]

use ko_eval_core::Error;
use ko_eval_io::read;
use ko_eval_fuzz::{Folder, damaged};
use ko_neural::read as neural;
use ko_ngram_metrics::synonyms::SynonymTable;
use libfuzzer_sys::fuzz_target;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let texts = [
        "\u{feff}genre\tscore\tsentence1\tsentence2\tformality1\tformality2\tgold_label\r\nx\t4.5\t비가 온다\t비 온다\tformal\t0\tneutral\n",
        "sentence\tformality\n진지 드셨어요?\tformal\n",
        "LAYER,P,R,F\n0,0.1,0.2,0.15\n1,0.3,0.4,0.35\n",
        "| layer | R | P | F |\n| --- | --- | --- | --- |\n|  1 | 0.4 | 0.3 | 0.35 |\n",
        "{\"hyp\": \"비 온다\", \"refs\": [\"비가 온다\"], \"src\": \"it rains\"}\n{\"document\": \"글\", \"references\": [\"글\"], \"summary\": \"글\"}\n",
        "비가 온다\t비 온다\n다\t라\n",
        "sentence1\tsentence2\tformality1\tformality2\tjudge1\tjudge2\tsimilarity\n비 와요\t비 와\tformal\t0\t3\t\t1\n",
        "anchor\tpositive\tnegative\n비가 온다\t비 온다\t눈이 온다\n비 와\t비 오니\t\n",
        "formal\tinformal\tgentle\n가요\t가\t갑니다\n\t\t\n와요\t와\t\n",
        "comments\tcontain_gender_bias\tbias\thate\n비가 온다\tFalse\tnone\toffensive\n눈\tTrue\tgender\thate\n",
        "## klue-ner-v1_train_00000-nsmc\t<한글:LC>이다\n한\tB-LC\n글\tI-LC\n이\tO\n다\tO\n\n비\tO\n",
        "formal\tinformal\tandroid\n비가 옵니다.\t비 와.\t비. 온다.\n\t\t\n갑니다.\t가.\t간다.\n",
        "[{\"guid\": \"1\", \"premise\": \"비가 온다\", \"hypothesis\": \"비 온다\", \"gold_label\": \"entailment\"}]",
        "[{\"guid\": \"1\", \"sentence1\": \"비가 온다\", \"sentence2\": \"비 온다\", \"labels\": {\"label\": 3.7, \"real-label\": 3.714, \"binary-label\": 1}}]",
    ];
    let mut seeds = texts.map(|text| text.as_bytes().to_vec()).to_vec();
    // Packed, as any table may be.
    let pairs = seeds[5].repeat(20);
    seeds.push(compress_to_vec(pairs.as_slice(), CompressionLevel::Fastest));
    seeds.push(gzip(&pairs));
    seeds
});

/// As gzip packs what it cannot make smaller: one block as it is, between a header and a checksum.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut crc = !0u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        (0..8).for_each(|_| crc = crc >> 1 ^ (crc & 1).wrapping_neg() & 0xedb8_8320);
    }
    let length = u16::try_from(bytes.len()).expect("a short table");
    let mut file = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x01".to_vec();
    file.extend([length.to_le_bytes(), (!length).to_le_bytes()].concat());
    file.extend(bytes);
    file.extend([(!crc).to_le_bytes(), u32::from(length).to_le_bytes()].concat());
    file
}
static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);

fn located<T>(result: Result<T, Error>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        // What was packed may end or change in the middle of it.
        Err(Error::BadLine { .. } | Error::Io { .. }) => None,
        Err(other) => panic!("{other}"),
    }
}

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    let path = FOLDER.write("table", &bytes);
    if let Some(pairs) = located(neural::sts_tsv(&path)) {
        assert!(pairs.iter().all(|pair| (0.0..=5.0).contains(&pair.score)));
    }
    if let Some(pairs) = located(neural::toned_tsv(&path)) {
        assert!(pairs.iter().all(|toned| (1.0..=5.0).contains(&toned.pair.score)));
    }
    located(neural::tones_tsv(&path));
    located(neural::tone_pairs_tsv(&path));
    located(neural::sentence_pairs_tsv(&path));
    located(neural::style_kqc_pairs_tsv(&path));
    if let Some(pairs) = located(neural::judged_pairs_tsv(&path)) {
        let mut ratings = pairs.iter().flat_map(|pair| pair.ratings.iter().flatten());
        assert!(ratings.all(|rating| (0.0..=5.0).contains(rating)));
    }
    if let Some(dialogues) = located(neural::smile_style_tsv(&path)) {
        let mut groups = dialogues.iter().flatten();
        assert!(groups.all(|group| !group.formal.is_empty() && !group.informal.is_empty()));
    }
    located(neural::nli_tsv(&path));
    if let Some(texts) = located(neural::ner_tsv(&path)) {
        assert!(texts.iter().all(|tagged| tagged.text.chars().count() == tagged.tags.len()));
    }
    located(neural::style_kqc_tsv(&path));
    located(neural::para_kqc_tsv(&path));
    located(neural::ranked(&path));
    if let Some(texts) = located(neural::ranked_tsv(&path)) {
        assert!(texts.iter().all(|text| !text.anchor.is_empty() && !text.positive.is_empty()));
    }
    located(neural::nli_json(&path));
    if let Some(pairs) = located(neural::sts_json(&path)) {
        assert!(pairs.iter().all(|pair| (0.0..=5.0).contains(&pair.score)));
    }
    if let Some(line) = located(neural::baseline(&path, 1)) {
        assert!([line.precision, line.recall, line.f1].iter().all(|number| number.is_finite()));
    }
    if let Some(lines) = located(neural::summaries_jsonl(&path)) {
        assert!(lines.iter().all(|line| !line.references.is_empty()));
    }
    let segments = located(read::pairs_jsonl(&path)).into_iter().flatten();
    segments.for_each(|segment| drop(located(segment)));
    let segments = located(read::pairs_tsv(&path)).into_iter().flatten();
    segments.for_each(|segment| drop(located(segment)));
    let _ = SynonymTable::from_text("synonyms", &String::from_utf8_lossy(&bytes));
});
