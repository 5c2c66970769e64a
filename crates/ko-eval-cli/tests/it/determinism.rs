//! The same bytes on any number of threads, in any number of shards, and, of what is promised so, in any order of segments.
//!
//! Corpus scores do not depend on the order of segments. Intervals and *p*-values do: a resample draws segments by their
//! number, so the same seed draws other segments from another order.

use crate::common::{
    command,
    jobs::{self, Job, files, meta_results, next},
    sample,
};
use ko_eval::{
    LIBRARY, METRICS, MetricEntry, OwnedSegment, Segment, Shard,
    significance::{Bootstrap, PairedTest},
};
use std::path::Path;

/// Segments that are all different.
fn corpus(count: usize) -> Vec<OwnedSegment> {
    let words =
        ["비가", "눈이", "바람이", "어제", "오늘", "많이", "조금", "왔다", "분다", "그쳤다"];
    let text = |seed: u64| {
        let mut state = seed;
        let length = 3 + seed as usize % 9;
        let word = |_| {
            state = next(state);
            words[state as usize % words.len()]
        };
        (0..length).map(word).collect::<Vec<_>>().join(" ")
    };
    (0..count as u64)
        .map(|n| OwnedSegment::new(text(n), [text(n + 1), text(3 * n + 7)]).unwrap())
        .collect()
}

fn shuffled<T>(items: &mut [T], mut state: u64) {
    for end in (1..items.len()).rev() {
        state = next(state);
        items.swap(end, state as usize % (end + 1));
    }
}

fn borrowed(segments: &[OwnedSegment]) -> Vec<Segment<'_>> {
    segments.iter().map(OwnedSegment::as_segment).collect()
}

fn needs_a_model(row: &MetricEntry) -> bool {
    ko_eval::neural::METRICS.iter().any(|model| model.name == row.name)
}

/// Every metric that needs no model, on two units.
fn scorers() -> Vec<(String, Box<dyn ko_eval::Scorer>)> {
    let mut all = Vec::new();
    for row in METRICS.iter().filter(|row| !needs_a_model(row)) {
        let units: &[&str] = if row.is_over_units() { &["word", "jamo"] } else { &["word"] };
        for unit in units {
            let name = format!("{} {unit}", row.name);
            let scorer = ko_eval::metric(row.name, unit);
            let scorer = scorer.unwrap_or_else(|error| panic!("{name}: {error}"));
            all.push((name, scorer));
        }
    }
    assert!(all.len() > 30, "{}", all.len());
    all
}

/// A score to the last bit, with its details and its signature.
fn bytes(score: &ko_eval::CorpusScore) -> String {
    let details: Vec<_> =
        score.score.details.iter().map(|d| (d.name.to_string(), d.value.to_bits())).collect();
    format!("{:x} {details:?} {}", score.score.value.to_bits(), score.signature)
}

#[test]
fn one_to_fifty_shards_in_any_order_are_the_whole() {
    let corpus = corpus(101);
    for (name, scorer) in scorers() {
        let whole = bytes(&scorer.corpus_score(&borrowed(&corpus)).unwrap());
        for (round, count) in [1, 2, 3, 7, 20, 50].into_iter().enumerate() {
            let mut segments = corpus.clone();
            shuffled(&mut segments, round as u64);
            let pieces = segments.chunks(segments.len().div_ceil(count));
            let mut shards: Vec<Shard> = pieces
                .map(|piece| {
                    let json = serde_json::to_string(&scorer.shard(&borrowed(piece)).unwrap());
                    serde_json::from_str(&json.unwrap()).unwrap()
                })
                .collect();
            shuffled(&mut shards, 77 + round as u64);
            let merged = scorer.merge_shards(&shards).unwrap();
            assert_eq!(bytes(&merged), whole, "{name} in {count} shards");
            let row = name.split(' ').next().unwrap();
            let recorded = LIBRARY.recorded(row, &shards[0]).unwrap();
            assert_eq!(bytes(&recorded.merge_shards(&shards).unwrap()), whole, "{name}");
        }
    }
}

#[test]
fn the_order_of_segments_changes_no_score() {
    let corpus = corpus(101);
    for (name, scorer) in scorers() {
        let whole = bytes(&scorer.corpus_score(&borrowed(&corpus)).unwrap());
        let single: Vec<_> = scorer.segment_scores(&borrowed(&corpus)).unwrap();
        for round in 0..3 {
            let mut order: Vec<usize> = (0..corpus.len()).collect();
            shuffled(&mut order, round);
            let segments: Vec<_> = order.iter().map(|&i| corpus[i].clone()).collect();
            let scores = scorer.segment_scores(&borrowed(&segments)).unwrap();
            assert_eq!(bytes(&scorer.corpus_score(&borrowed(&segments)).unwrap()), whole, "{name}");
            for (score, &place) in scores.iter().zip(&order) {
                assert_eq!(score.value.to_bits(), single[place].value.to_bits(), "{name}");
            }
        }
    }
}

#[test]
fn a_seed_decides_every_interval_and_every_test() {
    let (corpus, mut other) = (corpus(60), corpus(60));
    shuffled(&mut other, 5);
    let segments: Vec<_> = corpus
        .iter()
        .zip(&other)
        .map(|(segment, other)| {
            let references = segment.as_segment().references().to_vec();
            let references: Vec<String> = references.into_iter().map(str::to_owned).collect();
            OwnedSegment::new(other.as_segment().hypothesis(), references).unwrap()
        })
        .collect();
    for (name, scorer) in scorers() {
        let ask = || {
            let system = scorer.measure(&borrowed(&corpus)).unwrap();
            let baseline = scorer.measure(&borrowed(&segments)).unwrap();
            let bootstrap = Bootstrap::new(200, 7).unwrap();
            let tests = [PairedTest::bootstrap(200, 7), PairedTest::randomization(200, 7)];
            let tests = tests.map(|test| system.compare(&*baseline, &test.unwrap()).unwrap());
            (system.interval(&bootstrap).unwrap(), tests)
        };
        assert_eq!(format!("{:?}", ask()), format!("{:?}", ask()), "{name}");
    }
}

/// What a command prints with so many threads.
fn printed(line: &str, paths: &[&Path], threads: usize) -> Vec<u8> {
    let mut command = command(line, paths);
    let output = command.env("RAYON_NUM_THREADS", threads.to_string()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn threads_change_no_byte() {
    let (good, poor, reference) = (sample("good.txt"), sample("poor.txt"), sample("reference.txt"));
    let metrics =
        METRICS.iter().filter(|row| row.is_over_units()).map(|row| format!(" -m {}", row.name));
    let metrics: String = metrics.collect();
    let score = format!(
        "score --hyp {{}} --ref {{}} -u word -u jamo --segments --ci --samples 100 --format json{metrics}"
    );
    let compare =
        "compare --baseline {} --system {} --ref {} -m bleu -m ter -m ribes --format json --test";
    let lines: [(&str, Vec<&Path>); 3] = [
        (&score, vec![&good, &reference]),
        (&format!("{compare} bootstrap"), vec![&poor, &good, &reference]),
        (&format!("{compare} randomization"), vec![&poor, &good, &reference]),
    ];
    for (line, paths) in &lines {
        let one = printed(line, paths, 1);
        for threads in [2, 7] {
            assert!(printed(line, paths, threads) == one, "{threads} threads: {line}");
        }
    }
    let desk = tempfile::tempdir().unwrap();
    let check = |job: &Job, results: &dyn Fn(&Path) -> String| {
        let found = [1, 2, 7].map(|threads| {
            let folder = desk.path().join(format!("{} {threads}", job.name));
            let mut command = job.command(&folder);
            let output = command.env("RAYON_NUM_THREADS", threads.to_string()).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            results(&folder)
        });
        assert!(found.iter().all(|one| *one == found[0]), "{}", job.name);
    };
    check(&jobs::meta(), &|folder| format!("{:?}", meta_results(folder)));
    check(&jobs::probe(&desk), &|folder| format!("{:?}", files(folder)));
    check(&jobs::commongen(&desk), &|folder| format!("{:?}", files(folder)));
}

/// Sixty-four threads over one scorer and one analyzer.
#[test]
fn many_threads_share_one_scorer_and_one_analyzer() {
    let corpus = corpus(64);
    let unit = ko_eval::unit("mecab").unwrap();
    let scorer = ko_eval::metric("chrf", "mecab").unwrap();
    let answer = |segment: &OwnedSegment| {
        let segment = segment.as_segment();
        let units: Vec<String> = unit
            .tokenize(segment.hypothesis())
            .unwrap()
            .iter()
            .map(|token| token.as_str().to_owned())
            .collect();
        (units, scorer.segment_score(&segment).unwrap().value.to_bits())
    };
    let expected: Vec<_> = corpus.iter().map(answer).collect();
    std::thread::scope(|scope| {
        for thread in 0..64 {
            let (corpus, expected, answer) = (&corpus, &expected, &answer);
            scope.spawn(move || {
                for number in 0..corpus.len() {
                    let place = (number * 7 + thread) % corpus.len();
                    assert_eq!(answer(&corpus[place]), expected[place]);
                }
            });
        }
    });
}
