//! A benchmark of pairs before its ratings are summed up: every judge in a column.

use super::{Tone, number, tone};
use ko_eval_core::Result;
use ko_eval_io::read::Lines;
use std::path::PathBuf;

/// Two sentences, the tone of each, and what each judge thinks of them.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedPair {
    /// The first sentence and the second.
    pub texts: (String, String),
    /// Their tones.
    pub tones: (Tone, Tone),
    /// A rating of 0 to 5 per judge; none where a judge's cell is empty.
    pub ratings: Vec<Option<f64>>,
}

/// Columns of judges begin with this: `judge1`, `judge-minji`.
const JUDGE: &str = "judge";

/// Pairs from a table with the columns `sentence1`, `sentence2`, `formality1` and `formality2` (`formal` or `informal`, or 1 or 0), and a
/// column per judge, each with a name that begins with `judge`.
///
/// # Errors
/// A file that cannot be read, a missing column, no judge, or a value out of range, with file and line.
pub fn judged_pairs_tsv(path: impl Into<PathBuf>) -> Result<Vec<JudgedPair>> {
    let mut lines = Lines::open(path)?;
    let header = lines.next().transpose()?.unwrap_or_default();
    let columns: Vec<&str> = header.split('\t').collect();
    let mut places = [0; 4];
    for (place, name) in
        places.iter_mut().zip(["sentence1", "sentence2", "formality1", "formality2"])
    {
        let found = columns.iter().position(|column| *column == name);
        *place = found.ok_or_else(|| lines.error(format!("no column `{name}` in the header")))?;
    }
    let judges: Vec<usize> = (0..columns.len())
        .filter(|&place| columns.get(place).is_some_and(|name| name.starts_with(JUDGE)))
        .collect();
    if judges.is_empty() {
        return Err(lines.error(format!("no column whose name begins with `{JUDGE}`")));
    }
    let mut pairs = Vec::new();
    while let Some(line) = lines.next().transpose()? {
        if line.trim().is_empty() {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        if fields.len() < columns.len() {
            let reason = format!("{} columns, expected {}", fields.len(), columns.len());
            return Err(lines.error(reason));
        }
        let cell = |place: usize| fields.get(place).copied().unwrap_or_default();
        let [first, second, one, two] = places.map(cell);
        let rating = |&place: &usize| match cell(place).trim() {
            "" => Ok(None),
            text => number(text, 0.0..=5.0).map(Some),
        };
        let pair = || -> Result<JudgedPair, String> {
            Ok(JudgedPair {
                texts: (first.to_owned(), second.to_owned()),
                tones: (tone(one)?, tone(two)?),
                ratings: judges.iter().map(rating).collect::<Result<_, _>>()?,
            })
        };
        pairs.push(pair().map_err(|reason| lines.error(reason))?);
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::tests::file;

    const HEADER: &str = "sentence1\tsentence2\tformality1\tformality2\tjudge1\tnote\tjudge-민지\n";

    #[test]
    fn every_judge_has_a_column() {
        let rows = format!(
            "{HEADER}비 와요\t비 와\tformal\tinformal\t3\t-\t4.5\n\n비 와\t비 오냐\t0\t0\t5\t\t\n"
        );
        let found = judged_pairs_tsv(file(&rows).path()).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].tones, (Tone::Formal, Tone::Informal));
        assert_eq!(found[0].ratings, [Some(3.0), Some(4.5)]);
        assert_eq!(found[1].ratings, [Some(5.0), None]);
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for (text, part) in [
            ("sentence1\tsentence2\tformality1\n".to_owned(), ":1: no column `formality2`"),
            (HEADER.replace("judge", "rater"), ":1: no column whose name begins with `judge`"),
            (format!("{HEADER}가\t나\t1\t1\t3\n"), ":2: 5 columns, expected 7"),
            (format!("{HEADER}가\t나\t1\t1\t6\t\t1\n"), ":2: `6` is not a number from 0 to 5"),
            (format!("{HEADER}가\t나\t1\tx\t3\t\t1\n"), ":2: `x` is no formality"),
        ] {
            let error = judged_pairs_tsv(file(&text).path()).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
