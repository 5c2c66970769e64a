//! Korean CommonGen: sentences through the first stages, and a system scored on 2,040 items.
//!
//! Needs mecab-ko-dic (`ko-eval setup dictionary`); without it there is nothing to measure.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ko_commongen::{
    Clean, Concepts, Evaluator, Item, Pairs, Pipeline, Protocol, Rule, Source, WithoutTags,
};
use ko_tokenize::MorphemeAnalyzer;
use std::sync::Arc;

const WHO: &[&str] =
    &["아이가", "할머니가", "학생들이", "젊은 남자가", "강아지 두 마리가", "선생님이"];
const WHERE: &[&str] = &[
    "넓은 공원에서",
    "시장 골목에서",
    "조용한 도서관에서",
    "부엌 식탁 앞에서",
    "눈 덮인 산길에서",
];
const HOW: &[&str] =
    &["천천히", "아주 즐겁게", "혼자", "친구와 함께", "말없이", "서둘러", "오늘도"];
const WHAT: &[&str] = &[
    "빨간 공을 던진다.",
    "따뜻한 국을 먹고 있다.",
    "두꺼운 책을 읽으며 웃는다.",
    "자전거를 타고 집으로 돌아갔다.",
    "비를 맞으며 버스를 기다린다.",
];

/// Different sentences of ours, as many as there are combinations at most.
fn sentences(count: usize) -> Vec<String> {
    let pick = |words: &[&'static str], i: usize| words.get(i % words.len()).copied().unwrap_or("");
    (0..count)
        .map(|i| {
            // Coprime lengths: consecutive numbers differ in every part.
            [pick(WHO, i / 7), pick(WHERE, i / 3), pick(HOW, i), pick(WHAT, i / 2)].join(" ")
        })
        .collect()
}

fn analyzer(spec: &str) -> Option<Arc<dyn MorphemeAnalyzer>> {
    ko_tokenize::analyzer_by_name(spec).map_err(|error| eprintln!("not measured: {error}")).ok()
}

fn extraction(c: &mut Criterion) {
    let Some(analyzer) = analyzer("mecab:penalty=off") else { return };
    let pipeline = Pipeline::new()
        .stage(Clean::new())
        .stage(Concepts::new(analyzer, Rule::AsPublishedFiles))
        .stage(WithoutTags::as_published_files());
    let sentences = sentences(10_000);
    let mut group = c.benchmark_group("commongen");
    group.throughput(Throughput::Elements(sentences.len() as u64)).sample_size(10);
    group.bench_function("clean, concepts, tags", |b| {
        b.iter(|| {
            let input = sentences.iter().map(|text| Ok((Source::Caption, text.clone())));
            pipeline.run(input, &mut |_| Ok(()), &()).map(|report| report.sentences)
        });
    });
    group.finish();
}

fn scoring(c: &mut Criterion) {
    let Some(analyzer) = analyzer("mecab") else { return };
    let all = sentences(2040 * 4);
    let (items, system): (Vec<Item>, Vec<String>) = all
        .chunks_exact(4)
        .filter_map(|texts| {
            let (hypothesis, references) = texts.split_first()?;
            let concepts = hypothesis.split([' ', '.']).filter(|word| !word.is_empty());
            Some((Item::new(concepts, references).ok()?, hypothesis.clone()))
        })
        .unzip();
    let Ok(pairs) = Pairs::new(items, system) else { return };
    let evaluator = Evaluator::new(analyzer, Protocol::Paper);
    let mut group = c.benchmark_group("commongen");
    group.throughput(Throughput::Elements(pairs.items().len() as u64)).sample_size(10);
    group.bench_function("score 2,040 × 3", |b| {
        b.iter(|| evaluator.evaluate(&pairs, &()).map(|scores| scores.columns));
    });
    group.finish();
}

criterion_group!(benches, extraction, scoring);
criterion_main!(benches);
