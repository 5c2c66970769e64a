//! Times units over the lines of a file, on one thread: `time_units FILE UNIT…`.
//!
//! Prints a JSON line per unit: seconds for the whole file, the least of several rounds, with places (`tokenize`) and without (`cut`).

use ko_eval_core::Pieces;
use std::{hint::black_box, time::Instant};

const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = std::fs::read_to_string(arguments.next().ok_or("expected FILE UNIT…")?)?;
    let lines: Vec<&str> = text.lines().collect();
    for name in arguments {
        let unit = ko_tokenize::by_name(&name)?;
        let (mut tokenize, mut cut) = (f64::INFINITY, f64::INFINITY);
        let mut pieces = Pieces::new();
        for _ in 0..ROUNDS {
            let start = Instant::now();
            for line in &lines {
                black_box(unit.tokenize(line)?);
            }
            tokenize = tokenize.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            for line in &lines {
                pieces.clear();
                unit.cut(line, &mut pieces)?;
                black_box(&pieces);
            }
            cut = cut.min(start.elapsed().as_secs_f64());
        }
        println!("{}", serde_json::json!({ "unit": name, "tokenize": tokenize, "cut": cut }));
    }
    Ok(())
}
