//! Compares our units with those that somebody else wrote down.
//!
//! Reads JSON lines `{"text": "…", "units": {"13a": ["…"], …}}` from standard input: what each row's units should be. Says how many
//! texts were cut so, and shows the first few that were not.

use std::{
    collections::BTreeMap,
    io::{BufRead, stdin},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rows = BTreeMap::new();
    for line in stdin().lock().lines() {
        let case: serde_json::Value = serde_json::from_str(&line?)?;
        let text = case["text"].as_str().ok_or("a line without `text`")?;
        for (row, expected) in case["units"].as_object().ok_or("a line without `units`")? {
            if !rows.contains_key(row) {
                rows.insert(row.clone(), (ko_tokenize::by_name(row)?, 0, 0));
            }
            let Some((tokenizer, equal, all)) = rows.get_mut(row) else { continue };
            let units: serde_json::Value =
                tokenizer.tokenize(text)?.iter().map(|unit| unit.as_str()).collect();
            *all += 1;
            match units == *expected {
                true => *equal += 1,
                false if *all - *equal <= 5 => {
                    println!("{row}: {text:?}\n  ours   {units}\n  theirs {expected}");
                }
                false => {}
            }
        }
    }
    for (row, (_, equal, all)) in &rows {
        println!("{row}: {equal} of {all} equal");
    }
    Ok(())
}
