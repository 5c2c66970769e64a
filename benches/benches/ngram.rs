//! Every row of the n-gram metrics over words, characters and jamo: one segment, a longer one, more of them.
//!
//! The groups' names are read by `peers/compare.py`: `segment-UNIT`, `sacrebleu-rs-UNIT`, `length-METRIC`,
//! `corpus-METRIC`.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ko_eval_benches::pairs;
use ko_eval_core::{Scorer, Segment, Tokenizer};
use ko_ngram_metrics::{METRICS, by_name};
use std::{hint::black_box, sync::Arc, time::Duration};

const UNITS: &[&str] = &["word", "char", "jamo"];

fn unit(name: &str) -> Arc<dyn Tokenizer> {
    ko_tokenize::by_name(name).expect("a unit of the table")
}

fn metric(name: &str, unit_name: &str) -> Box<dyn Scorer> {
    by_name(name, unit(unit_name)).expect("a row of the table")
}

fn score_all(metric: &dyn Scorer, segments: &[Segment<'_>]) -> f64 {
    let score = |segment| metric.segment_score(segment).expect("short Korean text").value;
    segments.iter().map(score).sum()
}

/// All pairs, segment by segment, on one thread: divide by the number of pairs.
fn segments(c: &mut Criterion) {
    let pairs = pairs();
    let segments: Vec<_> =
        pairs.iter().map(|(hyp, r)| Segment::new(hyp, [r]).expect("a reference")).collect();
    for unit in UNITS {
        let mut group = c.benchmark_group(format!("segment-{unit}"));
        for row in METRICS {
            let metric = metric(row.name, unit);
            group
                .bench_function(row.name, |b| b.iter(|| score_all(&*metric, black_box(&segments))));
        }
        let metric = metric("chrf:word-order=2", unit);
        group.bench_function("chrf++", |b| b.iter(|| score_all(&*metric, black_box(&segments))));
    }
}

/// The Rust peer on the same units, joined by spaces as it wants them.
fn sacrebleu_rs(c: &mut Criterion) {
    use sacrebleu_rs::{Bleu, Chrf, Ter};
    for name in UNITS {
        let unit = unit(name);
        let join = |text: &String| {
            let tokens = unit.tokenize(text).expect("short Korean text");
            tokens.iter().map(|t| t.as_str()).collect::<Vec<_>>().join(" ")
        };
        let pairs: Vec<_> = pairs().iter().map(|(hyp, r)| (join(hyp), vec![join(r)])).collect();
        let mut group = c.benchmark_group(format!("sacrebleu-rs-{name}"));
        let bleu = Bleu { effective_order: true, tokenize: "none".to_owned(), ..Bleu::default() };
        group.bench_function("bleu", |b| {
            b.iter(|| pairs.iter().map(|(h, r)| bleu.sentence_score(h, r).score).sum::<f64>());
        });
        let chrf = Chrf::default();
        group.bench_function("chrf", |b| {
            b.iter(|| pairs.iter().map(|(h, r)| chrf.sentence_score(h, r).score).sum::<f64>());
        });
        let ter = Ter { case_sensitive: true, ..Ter::default() };
        group.bench_function("ter", |b| {
            b.iter(|| pairs.iter().map(|(h, r)| ter.sentence_score(h, r).score).sum::<f64>());
        });
    }
}

/// One pair of characters, twice as long each time.
fn doubled_length(c: &mut Criterion) {
    let pairs = pairs();
    for row in METRICS {
        let metric = metric(row.name, "char");
        let mut group = c.benchmark_group(format!("length-{}", row.name));
        for times in [1, 2, 4, 8] {
            let repeat = |side: fn(&(String, String)) -> &String| {
                pairs.iter().take(times).map(side).cloned().collect::<Vec<_>>().join(" ")
            };
            let (hypothesis, reference) = (repeat(|p| &p.0), repeat(|p| &p.1));
            let segment = [Segment::new(&hypothesis, [&reference]).expect("a reference")];
            group.bench_function(BenchmarkId::from_parameter(times), |b| {
                b.iter(|| score_all(&*metric, black_box(&segment)));
            });
        }
    }
}

/// A corpus of words, twice as large each time, on all cores.
fn doubled_corpus(c: &mut Criterion) {
    let pairs = pairs();
    for row in METRICS {
        let metric = metric(row.name, "word");
        let mut group = c.benchmark_group(format!("corpus-{}", row.name));
        for times in [32, 64, 128, 256] {
            let corpus: Vec<_> = pairs.iter().cycle().take(pairs.len() * times).collect();
            let segments: Vec<_> = corpus
                .iter()
                .map(|(hyp, r)| Segment::new(hyp, [r]).expect("a reference"))
                .collect();
            group.bench_function(BenchmarkId::from_parameter(times), |b| {
                b.iter(|| metric.corpus_score(black_box(&segments)).expect("segments").score.value);
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400));
    targets = segments, sacrebleu_rs, doubled_length, doubled_corpus
}
criterion_main!(benches);
