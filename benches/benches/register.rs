//! Sentences per second: what the register costs beyond the analyzer's own time.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ko_eval_benches::SENTENCES;
use ko_register::{Endings, RegisterAnalyzer};
use ko_tokenize::{MorphemeAnalyzer, morpheme::MecabKo};
use std::{hint::black_box, sync::Arc, time::Duration};

fn registers(c: &mut Criterion) {
    let mut group = c.benchmark_group("register");
    group.throughput(Throughput::Elements(SENTENCES.len() as u64));
    let mecab = MecabKo::new().unwrap_or_else(|error| panic!("{error}"));
    let analyzers: [(&str, Arc<dyn MorphemeAnalyzer>); 2] =
        [("mecab", Arc::new(mecab)), ("endings", Arc::new(Endings))];
    for (name, analyzer) in analyzers {
        group.bench_function(format!("{name}, morphemes alone"), |b| {
            b.iter(|| {
                for sentence in SENTENCES {
                    black_box(analyzer.analyze(sentence)).expect("it cuts every text");
                }
            });
        });
        let register = RegisterAnalyzer::new(Arc::clone(&analyzer));
        group.bench_function(format!("{name}, with the register"), |b| {
            b.iter(|| {
                for sentence in SENTENCES {
                    black_box(register.analyze(sentence)).expect("it judges every text");
                }
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = registers
}
criterion_main!(benches);
