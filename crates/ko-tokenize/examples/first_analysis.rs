//! How long it takes until a process has its first morphemes: `first_analysis [UNIT]`.
//!
//! With an empty `KO_EVAL_HOME` the dictionary is the one within the program.

use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let unit = std::env::args().nth(1).unwrap_or("mecab".into());
    let start = Instant::now();
    let unit = ko_tokenize::by_name(&unit)?;
    let opened = start.elapsed();
    let units: Vec<String> =
        unit.tokenize("밥을 먹었어요.")?.iter().map(ToString::to_string).collect();
    println!("{opened:.1?} to open, {:.1?} in all: {}", start.elapsed(), units.join(" · "));
    Ok(())
}
