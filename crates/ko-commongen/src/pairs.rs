//! A test set beside a system's output.

use crate::item::{BadLines, Item, Reading, read_items};
use ko_eval_core::{Error, Result, Segment};
use ko_eval_io::read::Lines;
use std::path::{Path, PathBuf};

/// Items, and what a system wrote for each.
#[derive(Debug)]
pub struct Pairs {
    items: Vec<Item>,
    hypotheses: Vec<String>,
    skipped: Vec<Error>,
}

impl Pairs {
    /// Items and hypotheses of the same number.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], or [`Error::EmptyCorpus`] if there are none.
    pub fn new(items: Vec<Item>, hypotheses: Vec<String>) -> Result<Self> {
        if items.len() != hypotheses.len() {
            return Err(Error::LengthMismatch {
                left: "the test set".into(),
                left_len: items.len(),
                right: "the system".into(),
                right_len: hypotheses.len(),
            });
        }
        if items.is_empty() {
            return Err(Error::EmptyCorpus);
        }
        Ok(Self { items, hypotheses, skipped: Vec::new() })
    }

    /// Reads a test set, in either published form, and a system's output, a sentence per line.
    /// A blank line of the system is an empty sentence.
    ///
    /// With [`BadLines::Skip`] a line that is broken or missing on one side is left out on both.
    ///
    /// # Errors
    /// A broken line, or files of different length: the error names file, line and both lengths.
    pub fn read(test: &Path, system: &Path, bad_lines: BadLines) -> Result<Self> {
        let items = read_items(test, bad_lines)?;
        let outputs = read_outputs(system, bad_lines)?;
        let mut skipped = Vec::new();
        if items.lines != outputs.lines {
            let reason = format!(
                "{} has {} lines, but {} has {}",
                system.display(),
                outputs.lines,
                test.display(),
                items.lines
            );
            let line = outputs.lines.min(items.lines + 1).max(1);
            let error = Error::BadLine { path: system.into(), line, reason };
            match bad_lines {
                BadLines::Refuse => return Err(error),
                BadLines::Skip => skipped.push(error),
            }
        }
        skipped.extend(items.skipped);
        skipped.extend(outputs.skipped);
        let mut outputs = outputs.rows.into_iter().peekable();
        let mut pairs = (Vec::new(), Vec::new());
        for (line, item) in items.rows {
            while outputs.next_if(|(number, _)| *number < line).is_some() {}
            if let Some((_, output)) = outputs.next_if(|(number, _)| *number == line) {
                pairs.0.push(item);
                pairs.1.push(output);
            }
        }
        Ok(Self { skipped, ..Self::new(pairs.0, pairs.1)? })
    }

    /// The items.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// What the system wrote, in the items' order.
    pub fn hypotheses(&self) -> &[String] {
        &self.hypotheses
    }

    /// Why lines were left out, an error each.
    pub fn skipped(&self) -> &[Error] {
        &self.skipped
    }

    /// The same as segments, for any metric.
    ///
    /// # Errors
    /// None in practice: an item always has a reference.
    pub fn segments(&self) -> Result<Vec<Segment<'_>>> {
        let pairs = self.items.iter().zip(&self.hypotheses);
        pairs.map(|(item, hypothesis)| Segment::new(hypothesis, item.references())).collect()
    }
}

fn read_outputs(path: impl Into<PathBuf>, bad_lines: BadLines) -> Result<Reading<String>> {
    let mut lines = Lines::open(path)?;
    let mut reading = Reading { rows: Vec::new(), lines: 0, skipped: Vec::new() };
    while let Some(line) = lines.next() {
        reading.lines = lines.number();
        match line {
            Ok(line) => reading.rows.push((lines.number(), line)),
            Err(error @ Error::BadLine { .. }) if bad_lines == BadLines::Skip => {
                reading.skipped.push(error);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(reading)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::tests::file;

    const TEST: &str =
        "[SOS] 비 = 비가 온다. [EOS]\n[SOS] 눈 = 눈이 온다. [EOS]\n[SOS] 해 = 해가 뜬다. [EOS]\n";

    #[test]
    fn a_file_of_another_length_is_refused_with_both_counts() {
        let test = file(TEST);
        for (text, count) in
            [("비다.\n눈이다.\n", "has 2 lines"), ("비다.\n\n해다.\n\n", "has 4 lines")]
        {
            let system = file(text);
            let error = Pairs::read(test.path(), system.path(), BadLines::Refuse).unwrap_err();
            let text = error.to_string();
            assert!(text.contains(count) && text.contains("has 3"), "{text}");
        }
    }

    #[test]
    fn skipping_keeps_the_rest_aligned() {
        let test = file(&TEST.replace("[SOS] 눈", "눈"));
        let system = file("비다.\n눈이다.\n해다.\n달이다.\n");
        let pairs = Pairs::read(test.path(), system.path(), BadLines::Skip).unwrap();
        assert_eq!(pairs.hypotheses(), ["비다.", "해다."]);
        assert_eq!(pairs.items()[1].concepts(), ["해"]);
        assert_eq!(pairs.skipped().len(), 2);
    }
}
