//! What an embedder can learn to rank by, in any of the forms in which it is found.

use super::{
    RankedText, klue::is_json, nli_json, nli_tsv, para_kqc_tsv, paraphrases, style_kqc_tsv, triples,
};
use ko_eval_core::Result;
use ko_eval_io::read::{Lines, table_rows};
use std::path::PathBuf;

/// Texts and what should lie near them, by what a file is: one that ends in `.json`, or a table with a column `gold_label`, has inference labels
/// ([`triples`]); a table with the columns `anchor` and `positive` is [`ranked_tsv`]; one with the columns `act` and `sentence` is
/// StyleKQC, one of three columns that begins with a number paraKQC (a pair of every group, [`paraphrases`]).
///
/// # Errors
/// A file that cannot be read or is none of these, with file and line.
pub fn ranked(path: impl Into<PathBuf>) -> Result<Vec<RankedText>> {
    let path = path.into();
    if is_json(&path) {
        return Ok(triples(&nli_json(path)?));
    }
    let mut lines = Lines::open(&path)?;
    let first = lines.next().transpose()?.unwrap_or_default();
    let columns: Vec<&str> = first.split('\t').collect();
    let has = |names: &[&str]| names.iter().all(|name| columns.contains(name));
    if has(&["gold_label"]) {
        Ok(triples(&nli_tsv(path)?))
    } else if has(&["anchor", "positive"]) {
        ranked_tsv(path)
    } else if has(&["act", "sentence"]) {
        Ok(paraphrases(style_kqc_tsv(path)?.iter().map(|group| group.texts())))
    } else if columns.len() == 3 && columns.first().is_some_and(|act| act.parse::<u32>().is_ok()) {
        Ok(paraphrases(para_kqc_tsv(path)?))
    } else {
        Err(lines.error(
            "expected a column gold_label, columns anchor and positive, StyleKQC's act and sentence, or a line of paraKQC",
        ))
    }
}

/// Texts from a table with the columns `anchor`, `positive` and perhaps `negative`, whose cells may be empty.
///
/// # Errors
/// A file that cannot be read, a missing column, or an anchor or positive without a text, with file and line.
pub fn ranked_tsv(path: impl Into<PathBuf>) -> Result<Vec<RankedText>> {
    let path = path.into();
    let header = Lines::open(&path)?.next().transpose()?.unwrap_or_default();
    let mut names = vec!["anchor", "positive"];
    names.extend(header.split('\t').any(|column| column == "negative").then_some("negative"));
    table_rows(path, &names, |cells| {
        let cell = |place: usize| cells.get(place).map(|text| text.trim()).unwrap_or_default();
        let text = |place: usize| Some(cell(place)).filter(|text| !text.is_empty());
        let wanted = |place: usize, name: &str| {
            text(place).map(str::to_owned).ok_or_else(|| format!("no {name}"))
        };
        Ok(RankedText {
            anchor: wanted(0, "anchor")?,
            positive: wanted(1, "positive")?,
            negative: text(2).map(str::to_owned),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::tests::file;

    #[test]
    fn the_header_tells() {
        let read = |text: &str| -> Vec<(String, Option<String>)> {
            let found = ranked(file(text).path()).unwrap();
            found.into_iter().map(|text| (text.positive, text.negative)).collect()
        };
        let nli = "sentence1\tsentence2\tgold_label\n비\t날씨\tentailment\n비\t해\tcontradiction\n";
        assert_eq!(read(nli), [("날씨".into(), Some("해".into()))]);
        let table = "positive\tanchor\tnegative\n비 온다\t비가 온다\t눈이 온다\n비 와\t비 오니\t\n";
        assert_eq!(
            read(table),
            [("비 온다".into(), Some("눈이 온다".into())), ("비 와".into(), None)]
        );
        assert_eq!(read("anchor\tpositive\n비\t비요\n"), [("비요".into(), None)]);
        let group =
            |before: &str| -> String { (0..10).map(|i| format!("{before}글 {i}\n")).collect() };
        assert_eq!(read(&format!("act\tsentence\n{}", group("0\t"))), [("글 5".into(), None)]);
        assert_eq!(read(&group("0\t2\t")), [("글 5".into(), None)]);
        for (text, part) in [
            ("가\t나\n", ":1: expected a column gold_label"),
            ("anchor\tpositive\n가\t \n", ":2: no positive"),
            ("anchor\tpositive\tnegative\n가\t나\n", ":2: 2 columns, expected 3"),
        ] {
            let error = ranked(file(text).path()).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
