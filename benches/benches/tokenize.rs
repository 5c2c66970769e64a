//! Bytes of UTF-8 per second through each scheme, lindera's own segmenter beside ours.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ko_eval_benches::SENTENCES;
use ko_eval_core::Error;
use ko_tokenize::{by_name, tokenize_all};
use std::{hint::black_box, time::Duration};

fn schemes(c: &mut Criterion) {
    let bytes = SENTENCES.iter().map(|sentence| sentence.len() as u64).sum();
    let mut group = c.benchmark_group("tokenize");
    group.throughput(Throughput::Bytes(bytes));
    let ours = ["word", "char", "jamo", "mecab", "mecab:form=morpheme", "lindera-ko"];
    // These are installed at the user's request.
    let others = ["khaiii", "kiwi", "komoran", "okt", "hannanum", "kkma"];
    for spec in ours.into_iter().chain(others) {
        let tokenizer = match by_name(spec) {
            Ok(tokenizer) => tokenizer,
            Err(error @ Error::Missing { .. }) if others.contains(&spec) => {
                eprintln!("left out: {error}");
                continue;
            }
            Err(error) => panic!("{spec}: {error}"),
        };
        group.bench_function(spec, |b| {
            b.iter(|| {
                for sentence in SENTENCES {
                    black_box(tokenizer.tokenize(sentence)).expect("it cuts every text");
                }
            });
        });
    }
    group.finish();
}

fn batch(c: &mut Criterion) {
    let texts: Vec<&str> = SENTENCES.iter().copied().cycle().take(4000).collect();
    let mecab = by_name("mecab").unwrap_or_else(|error| panic!("{error}"));
    let mut group = c.benchmark_group("batch");
    group.throughput(Throughput::Bytes(texts.iter().map(|text| text.len() as u64).sum()));
    group.bench_function("one core", |b| {
        b.iter(|| {
            texts
                .iter()
                .map(|text| mecab.tokenize(text).map_or(0, |units| units.len()))
                .sum::<usize>()
        });
    });
    group.bench_function("all cores", |b| b.iter(|| tokenize_all(&mecab, &texts)));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = schemes, batch
}
criterion_main!(benches);
