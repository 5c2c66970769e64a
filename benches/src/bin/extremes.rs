//! The worst cases: ever longer texts cut by every unit that is at hand, and pairs of them by every metric over three units, until a case
//! would take longer than the seconds given as the argument (10 by default). Prints the longest text that was done, as powers of ten.
//!
//! `cargo run --release -p ko-eval-benches --bin extremes -- 10`

use ko_eval_core::{BuildMetric, Error, Scorer, Segment};
use std::time::Instant;

/// Characters of a text, as powers of ten.
const POWERS: [u32; 5] = [3, 4, 5, 6, 7];

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
    let shapes = SHAPES.map(|(name, _)| name).join(" | ");
    println!("| unit | {shapes} |\n|---|---|---|---|");
    for row in ko_tokenize::TOKENIZERS {
        // Those that need a file or another program are as quick as it is.
        let Ok(unit) = ko_tokenize::by_name(row.name) else { continue };
        let cells = SHAPES
            .map(|shape| worst(shape, budget, |hypothesis, _| unit.tokenize(hypothesis).map(drop)));
        println!("| {} | {} |", row.name, cells.join(" | "));
    }
    println!("\n| metric | unit | {shapes} |\n|---|---|---|---|---|");
    for row in ko_ngram_metrics::METRICS {
        for unit in ["word", "char", "jamo"] {
            let BuildMetric::OverUnits(build) = row.build else { continue };
            let params = row.name.parse::<ko_eval_core::Spec>()?.params;
            scores(row.name, unit, &*build(&params, ko_tokenize::by_name(unit)?)?, budget);
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
        scores(row.name, "–", &*open(&params, &library)?, budget);
    }
    Ok(())
}

/// One metric's line.
fn scores(metric: &str, unit: &str, scorer: &dyn Scorer, budget: f64) {
    let cells = SHAPES.map(|shape| {
        worst(shape, budget, |hypothesis, reference| {
            scorer.segment_score(&Segment::new(hypothesis, [reference])?).map(drop)
        })
    });
    println!("| {metric} | {unit} | {} |", cells.join(" | "));
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

/// The longest text of a shape that was done, its seconds, and what became of one that is ten times as long.
fn worst(
    (_, make): Shape,
    budget: f64,
    attempt: impl Fn(&str, &str) -> Result<(), Error>,
) -> String {
    let clock = Clock(Instant::now());
    let mut told = "none".to_owned();
    for power in POWERS {
        let (hypothesis, reference) = make(10_usize.pow(power));
        let start = clock.now();
        let done = attempt(&hypothesis, &reference);
        let took = clock.now() - start;
        match done {
            Ok(()) => told = format!("10^{power}: {took:.2} s"),
            Err(Error::TooLong { .. }) => return format!("{told}; 10^{power}: refused"),
            Err(error) => return format!("{told}; 10^{power}: unexpected: {error}"),
        }
        // Ten times the length takes at least ten times as long.
        if took * 10.0 > budget && power < POWERS[POWERS.len() - 1] {
            return format!("{told}; 10^{}: longer than {budget} s", power + 1);
        }
    }
    told
}
