//! How long the tests of WMT's statistics take: 36 systems, 2,000 segments, 40 metrics, 1,000 permutations at most.
//!
//! `cargo run --release -p ko-eval-benches --bin permutations [STATISTIC[:GROUPING] …]`

use ko_meta_eval::wmt::{Grouping, PermutationTest, ScoreTable, Statistic};
use std::time::Instant;

const SYSTEMS: usize = 36;
const SEGMENTS: usize = 2000;
const METRICS: usize = 40;

/// Random enough for scores, the same each time.
struct Noise(u64);

impl Noise {
    /// About normal: the sum of twelve numbers from 0 to 1, less six.
    fn next(&mut self) -> f64 {
        let one = |state: &mut u64| {
            *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*state >> 33) as f64 / f64::from(1u32 << 31)
        };
        (0..12).map(|_| one(&mut self.0)).sum::<f64>() - 6.0
    }
}

/// Systems that differ, people who count errors, and metrics that know more and less of them.
fn table() -> ko_meta_eval::Result<ScoreTable> {
    let mut noise = Noise(2025);
    let mut gold = Vec::with_capacity(SYSTEMS * SEGMENTS);
    for system in 0..SYSTEMS {
        let level = system as f64 / 6.0;
        gold.extend((0..SEGMENTS).map(|_| -(level + 3.0 * noise.next()).abs().round()));
    }
    let mut table = ScoreTable::new(SYSTEMS, gold.iter().map(|score| Some(*score)).collect())?;
    for metric in 0..METRICS {
        let width = 2.0 + metric as f64 / 4.0;
        let scores = gold.iter().map(|score| score + width * noise.next()).collect();
        table = table.metric(format!("metric {metric}"), scores)?;
    }
    Ok(table)
}

/// Processor seconds of all threads so far, where the system tells them.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

fn main() -> ko_meta_eval::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let usual = [
        "soft-pairwise-accuracy",
        "calibrated-accuracy:item",
        "pearson",
        "pearson:item",
        "pearson:system",
    ];
    let wanted = if wanted.is_empty() { usual.map(String::from).to_vec() } else { wanted };
    let table = table()?;
    println!("{SYSTEMS} systems, {SEGMENTS} segments, {METRICS} metrics");
    for (what, test) in [
        ("1,000 at most, in blocks of 100", PermutationTest::default()),
        ("1,000 each", PermutationTest::all(1000, 12345)),
    ] {
        for name in &wanted {
            let (statistic, grouping) = name.split_once(':').unwrap_or((name, "global"));
            let (statistic, grouping): (Statistic, Grouping) =
                (statistic.parse()?, grouping.parse()?);
            let (start, before) = (Instant::now(), processor_seconds());
            let standing = table.standing("", statistic, grouping, Some(&test), &())?;
            let clusters = standing.metrics.last().map_or(0, |metric| metric.rank);
            let processor =
                processor_seconds().zip(before).map_or(f64::NAN, |(now, then)| now - then);
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{name}, {what}: {processor:.1} s of processors, {seconds:.1} s, {clusters} clusters"
            );
        }
    }
    Ok(())
}
