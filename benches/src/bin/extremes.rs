//! The worst cases: one pair of ever longer texts, by every metric over every unit, until a case takes longer than the seconds
//! given as the argument (10 by default). Prints the longest text that was scored, or the error that refused a longer one.
//!
//! `cargo run --release -p ko-eval-benches --bin extremes -- 10`

use ko_eval_core::{BuildMetric, Error, MetricEntry, Scorer, Segment};
use std::time::Instant;

const LENGTHS: [usize; 5] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// A way to make two texts of so many characters.
type Shape = (&'static str, fn(usize) -> (String, String));

const SHAPES: [Shape; 3] = [
    // Nothing repeats much, and all words are there, in another order.
    ("shuffled", |length| {
        let words = |step: usize| {
            let count = length / 5;
            let number = move |n: usize| n.wrapping_mul(step) % count.max(1);
            (0..count).map(|n| format!("{} ", word(number(n)))).collect::<String>()
        };
        (words(1), words(7_919))
    }),
    // Everything repeats.
    ("repeated", |length| ("가 ".repeat(length / 2), "가 ".repeat(length / 2 + 1))),
    // One word without a space.
    ("unbroken", |length| ("가나다".repeat(length / 3), "가다나".repeat(length / 3))),
];

/// A word of four syllables for a number.
fn word(number: usize) -> String {
    let syllable = |digit: usize| char::from_u32(0xAC00 + digit as u32 % 2048).unwrap_or('가');
    [number, number / 2048, number / 7, number / 31].map(syllable).iter().collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let budget: f64 = std::env::args().nth(1).map_or(Ok(10.0), |text| text.parse())?;
    println!("| metric | unit | shape | characters | s | then |\n|---|---|---|---|---|---|");
    for row in ko_ngram_metrics::METRICS {
        for unit in ["word", "char", "jamo"] {
            let BuildMetric::OverUnits(build) = row.build else { continue };
            let tokenizer = ko_tokenize::by_name(unit)?;
            let params = row.name.parse::<ko_eval_core::Spec>()?.params;
            for shape in &SHAPES {
                measure(row, unit, shape, build(&params, tokenizer.clone())?.as_ref(), budget);
            }
        }
    }
    for row in ko_register::METRICS {
        let library = ko_eval_core::Library {
            metrics: ko_ngram_metrics::METRICS,
            unit: ko_tokenize::by_name,
            unit_row: ko_tokenize::declared,
        };
        let BuildMetric::Alone { open, .. } = row.build else { continue };
        let params = row.name.parse::<ko_eval_core::Spec>()?.params;
        for shape in &SHAPES {
            measure(row, "–", shape, open(&params, &library)?.as_ref(), budget);
        }
    }
    Ok(())
}

/// The time that this thread has had a processor, so that other work on the machine does not count; elsewhere than on Linux
/// the time of day.
struct Clock(Instant);

impl Clock {
    fn now(&self) -> f64 {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let nanoseconds = told.split(' ').next().and_then(|text| text.parse::<f64>().ok());
        nanoseconds.map_or_else(|| self.0.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
    }
}

fn measure(row: &MetricEntry, unit: &str, shape: &Shape, scorer: &dyn Scorer, budget: f64) {
    let (name, make) = shape;
    let clock = Clock(Instant::now());
    let (mut longest, mut seconds, mut then) = (0, 0.0, "".to_owned());
    for length in LENGTHS {
        let (hypothesis, reference) = make(length);
        let Ok(segment) = Segment::new(&hypothesis, [&reference]) else { continue };
        let start = clock.now();
        let scored = scorer.segment_score(&segment);
        let took = clock.now() - start;
        match scored {
            Ok(_) => (longest, seconds) = (length, took),
            Err(error @ Error::TooLong { .. }) => then = format!("{length}: {error}"),
            Err(error) => then = format!("{length}: unexpected: {error}"),
        }
        // Ten times the length takes at least ten times as long.
        if took * 10.0 > budget || !then.is_empty() {
            break;
        }
    }
    println!("| {} | {unit} | {name} | {longest} | {seconds:.2} | {then} |", row.name);
}
