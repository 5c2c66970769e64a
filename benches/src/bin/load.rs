//! Sixty-four threads over one scorer and one analyzer, a million texts (or as many as the argument says), and the memory of the
//! process as it goes on; then as many segments that pass by one after the other, none of which is kept.
//!
//! `cargo run --release -p ko-eval-benches --bin load -- 1000000`

use ko_eval_benches::SENTENCES;
use ko_eval_core::{Keep, Library, OwnedSegment, Segment, Tokenizer};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

const THREADS: usize = 64;

/// Texts between two looks at the memory.
const STEP: usize = 100_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let texts: usize = std::env::args().nth(1).map_or(Ok(1_000_000), |text| text.parse())?;
    // The dictionary, where it is installed.
    let unit = ko_tokenize::by_name("mecab").or_else(|_| ko_tokenize::by_name("jamo"))?;
    println!("{THREADS} threads, {texts} texts, chrF over {}", unit.signature());
    let spec = "chrf:word-order=2".parse()?;
    let scorer = ko_eval_core::MetricEntry::build_from(
        ko_ngram_metrics::METRICS,
        &spec,
        Arc::clone(&unit) as Arc<dyn Tokenizer>,
    )?;
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= texts {
                        return;
                    }
                    if score(&*scorer, &*unit, number).is_err() {
                        failed.fetch_add(1, Ordering::Relaxed);
                    }
                    if number % STEP == 0 {
                        let seconds = start.elapsed().as_secs_f64();
                        println!("{number:>9} texts {seconds:>7.1} s {:>8} KiB", resident());
                    }
                }
            });
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    println!("{texts:>9} texts {seconds:>7.1} s {:>8} KiB", resident());
    println!("{} failed", failed.load(Ordering::Relaxed));
    stream(texts)
}

/// All segments one after the other, by several metrics that look at the same units.
fn stream(texts: usize) -> Result<(), Box<dyn std::error::Error>> {
    let library = Library {
        metrics: ko_ngram_metrics::METRICS,
        unit: ko_tokenize::by_name,
        unit_row: ko_tokenize::declared,
    };
    let metrics = ["bleu", "chrf", "ter", "rouge-l"];
    println!("\n{texts} segments streamed, {} over characters", metrics.join(", "));
    let panel = library.panel(metrics.map(|metric| (metric, "char")))?;
    let segments = (0..texts).map(|number| {
        let (text, sentence) = texts_of(number);
        OwnedSegment::new(text, [sentence])
    });
    let (start, mut done) = (Instant::now(), 0);
    let measured = panel.measure_stream(segments, Keep::Total, |some| {
        let before = done / STEP;
        done += some;
        if done / STEP > before || done == some {
            let seconds = start.elapsed().as_secs_f64();
            println!("{done:>9} segments {seconds:>7.1} s {:>8} KiB", resident());
        }
    })?;
    for (row, measured) in panel.rows().iter().zip(&measured) {
        println!("{}: {}", row.metric, measured.corpus_score()?.score.value);
    }
    Ok(())
}

/// A text that no other has, and the sentence in it.
fn texts_of(number: usize) -> (String, &'static str) {
    let sentence = SENTENCES.iter().cycle().nth(number % SENTENCES.len()).copied().unwrap_or("");
    (format!("{number}번째로 {sentence}"), sentence)
}

/// A text cut and scored.
fn score(
    scorer: &dyn ko_eval_core::Scorer,
    unit: &dyn Tokenizer,
    number: usize,
) -> ko_eval_core::Result<f64> {
    let (text, sentence) = texts_of(number);
    unit.tokenize(&text)?;
    Ok(scorer.segment_score(&Segment::new(text.as_str(), [sentence])?)?.value)
}

/// The memory of the process in KiB; 0 where it cannot be asked.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}
