//! What a pair costs as an aggregate function sees it, and what a group's sums weigh on the way between machines: the figures of docs/SCALE.md.
//!
//! `cargo run --release -p ko-eval-benches --bin scale -- HYP REF [ROWS …]` takes the lines of two files in turn until there are as many rows. Processor time, on
//! one thread; machines may be busy.

use ko_eval_core::{Aggregate, Scorer, Segment, significance::Poisson};
use std::{env, error::Error, fs, sync::Arc};

/// Rows of a batch, as DataFusion hands them over.
const BATCH: usize = 8192;
const GROUPS: usize = 3;

const METRICS: &[&str] = &["bleu", "chrf", "ter", "rouge-l", "nist"];
const UNITS: &[&str] = &["word", "char", "mecab"];

/// Nanoseconds that all threads of this process have run.
fn processor_time() -> u64 {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return 0 };
    let of = |folder: std::path::PathBuf| {
        let text = fs::read_to_string(folder.join("schedstat")).unwrap_or_default();
        text.split(' ').next().and_then(|first| first.parse::<u64>().ok()).unwrap_or(0)
    };
    threads.flatten().map(|entry| of(entry.path())).sum()
}

/// Microseconds a row, and the bytes of a group's sums.
fn measure(
    metric: &Arc<dyn Scorer>,
    rows: &[Segment<'_>],
    count: usize,
    poisson: Option<Poisson>,
) -> Result<(f64, usize), Box<dyn Error>> {
    let before = processor_time();
    let mut totals = metric.totals(poisson)?;
    totals.resize(GROUPS);
    let mut done = 0;
    while done < count {
        let batch = BATCH.min(count - done);
        let segments: Vec<Segment<'_>> =
            (done..done + batch).filter_map(|row| rows.get(row % rows.len()).cloned()).collect();
        let groups: Vec<usize> = (done..done + batch).map(|row| row % GROUPS).collect();
        let keys: Vec<u64> = (done..done + batch).map(|row| row as u64).collect();
        metric.add_to(&mut totals, &segments, &groups, &keys)?;
        done += batch;
    }
    let bytes = metric.to_bytes(&totals, 0)?;
    let mut merged = metric.totals(poisson)?;
    merged.resize(1);
    metric.merge_into(&mut merged, 0, &bytes)?;
    metric.outcome(&merged, 0)?.ok_or("no rows")?;
    let nanoseconds = processor_time() - before;
    Ok((nanoseconds as f64 / 1000.0 / count as f64, bytes.len()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [hypotheses, references, counts @ ..] = arguments.as_slice() else {
        return Err("scale HYP REF [ROWS …]".into());
    };
    let counts: Vec<usize> = match counts {
        [] => vec![10_000, 100_000, 1_000_000],
        counts => counts.iter().map(|count| count.parse()).collect::<Result<_, _>>()?,
    };
    let (hypotheses, references) =
        (fs::read_to_string(hypotheses)?, fs::read_to_string(references)?);
    let rows: Vec<Segment<'_>> = hypotheses
        .lines()
        .zip(references.lines())
        .map(|(hypothesis, reference)| Segment::new(hypothesis, [reference]))
        .collect::<Result<_, _>>()?;
    let letters: usize = rows.iter().flat_map(Segment::texts).map(str::len).sum();
    println!("{} pairs of {} bytes each\n", rows.len(), letters / rows.len().max(1));
    let heads: Vec<String> = counts.iter().map(|count| format!("{count} rows")).collect();
    println!("| metric | unit | {} |", heads.join(" | "));
    println!("|---|---|{}", "---|".repeat(counts.len()));
    let resamples = Poisson::new(1000, 12345)?;
    for unit in UNITS {
        let tokenizer = ko_tokenize::by_name(unit)?;
        let rows_of = |name: &str, poisson| -> Result<(), Box<dyn Error>> {
            let metric = ko_ngram_metrics::by_name(name, Arc::clone(&tokenizer))?;
            let metric: Arc<dyn Scorer> = metric.into();
            let mut cells = Vec::new();
            for count in &counts {
                let (microseconds, bytes) = measure(&metric, &rows, *count, poisson)?;
                cells.push(format!("{microseconds:.2} µs, {bytes} B"));
            }
            let ci = if poisson.is_some() { " with 1,000 resamples" } else { "" };
            println!("| {name}{ci} | {unit} | {} |", cells.join(" | "));
            Ok(())
        };
        for name in METRICS {
            rows_of(name, None)?;
        }
        if *unit == "char" {
            rows_of("bleu", Some(resamples))?;
        }
    }
    Ok(())
}
