//! Corpora of one meaning in several tones: SmileStyle, StyleKQC, paraKQC, IWSLT's formality.

use super::Tone;
use ko_eval_core::Result;
use ko_eval_io::read::{Lines, table};
use std::path::PathBuf;

/// Sentences of one meaning, by tone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToneGroup {
    /// In 존댓말.
    pub formal: Vec<String>,
    /// In 반말.
    pub informal: Vec<String>,
}

impl ToneGroup {
    /// Sentences of one meaning whose tones nobody wrote down, by what tells whether one is formal; those that are neither are left out.
    ///
    /// # Errors
    /// That of the first tone that cannot be told.
    pub fn by(
        texts: impl IntoIterator<Item = String>,
        is_formal: impl Fn(&str) -> Result<Option<bool>>,
    ) -> Result<Self> {
        let mut group = Self::default();
        for text in texts {
            match is_formal(&text)? {
                Some(true) => group.formal.push(text),
                Some(false) => group.informal.push(text),
                None => {}
            }
        }
        Ok(group)
    }

    /// The sentences of one tone.
    pub fn of(&self, tone: Tone) -> &[String] {
        match tone {
            Tone::Formal => &self.formal,
            Tone::Informal => &self.informal,
        }
    }

    /// All sentences, the formal ones first.
    pub fn texts(&self) -> Vec<String> {
        [self.formal.as_slice(), &self.informal].concat()
    }

    /// Every sentence with its tone.
    pub fn sentences(&self) -> impl Iterator<Item = (&str, Tone)> {
        let formal = self.formal.iter().map(|text| (text.as_str(), Tone::Formal));
        formal.chain(self.informal.iter().map(|text| (text.as_str(), Tone::Informal)))
    }
}

/// [`smile_style_columns`] of `formal` and `informal` alone.
///
/// # Errors
/// As that.
pub fn smile_style_tsv(path: impl Into<PathBuf>) -> Result<Vec<Vec<ToneGroup>>> {
    smile_style_columns(path, &["formal"], &["informal"])
}

/// SmileStyle by dialogue: a table with a column per style; an empty row ends a dialogue. Of every utterance the styles named: `formal`
/// and `gentle` are in 존댓말, `informal`, `sosim` and others in 반말. The first of either kind must be there: utterances that lack one
/// of these two, or have the same text in both, are passed over, and so are dialogues without any other. Of the rest, empty cells are
/// left out.
///
/// # Errors
/// A file that cannot be read, or a missing column, with file and line.
pub fn smile_style_columns(
    path: impl Into<PathBuf>,
    formal: &[&str],
    informal: &[&str],
) -> Result<Vec<Vec<ToneGroup>>> {
    let mut lines = Lines::open(path)?;
    let header = lines.next().transpose()?.unwrap_or_default();
    let columns = |names: &[&str]| -> Result<Vec<usize>> {
        let column = |name: &&str| {
            let place = header.split('\t').position(|column| column.trim() == *name);
            place.ok_or_else(|| lines.error(format!("no column `{name}` in the header")))
        };
        names.iter().map(column).collect()
    };
    let (formal, informal) = (columns(formal)?, columns(informal)?);
    let (mut dialogues, mut dialogue) = (Vec::new(), Vec::new());
    while let Some(line) = lines.next().transpose()? {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let first = |places: &[usize]| {
            places.first().and_then(|&place| cells.get(place)).copied().unwrap_or_default()
        };
        let (one, other) = (first(&formal), first(&informal));
        if one.is_empty() && other.is_empty() {
            dialogues.push(std::mem::take(&mut dialogue));
        } else if !one.is_empty() && !other.is_empty() && one != other {
            let all = |places: &[usize]| -> Vec<String> {
                let cells = places.iter().filter_map(|&place| cells.get(place));
                cells.filter(|cell| !cell.is_empty()).map(|cell| (*cell).to_owned()).collect()
            };
            dialogue.push(ToneGroup { formal: all(&formal), informal: all(&informal) });
        }
    }
    dialogues.push(dialogue);
    dialogues.retain(|dialogue| !dialogue.is_empty());
    Ok(dialogues)
}

/// Lines of a group in StyleKQC and paraKQC.
const GROUP: usize = 10;

/// Sentences that come in groups of one act.
#[derive(Default)]
struct Groups {
    sentences: Vec<String>,
    act: String,
}

impl Groups {
    fn push(&mut self, act: &str, sentence: &str) -> Result<(), String> {
        let place = self.sentences.len() % GROUP;
        if place == 0 {
            act.clone_into(&mut self.act);
        } else if self.act != act {
            let line = place + 1;
            return Err(format!("act `{act}` on line {line} of a group of act `{}`", self.act));
        }
        self.sentences.push(sentence.to_owned());
        Ok(())
    }

    /// All of them at the end of a file; a group that is not full is an error there.
    fn end(&self, lines: &Lines) -> Result<impl Iterator<Item = &[String]>> {
        if !self.sentences.len().is_multiple_of(GROUP) {
            let count = self.sentences.len();
            return Err(lines.error(format!("{count} sentences do not make groups of {GROUP}")));
        }
        Ok(self.sentences.chunks_exact(GROUP))
    }
}

/// StyleKQC: a table with the columns `act` and `sentence`, ten lines of one meaning after the other, the first five formal.
///
/// # Errors
/// A file that cannot be read, a missing column, a group whose acts differ, or lines that do not fill a group, with file and line.
pub fn style_kqc_tsv(path: impl Into<PathBuf>) -> Result<Vec<ToneGroup>> {
    let mut lines = Lines::open(path)?;
    let header = lines.next().transpose()?.unwrap_or_default();
    let column = |name: &str| {
        let place = header.split('\t').position(|column| column == name);
        place.ok_or_else(|| lines.error(format!("no column `{name}` in the header")))
    };
    let (act, sentence) = (column("act")?, column("sentence")?);
    let mut groups = Groups::default();
    while let Some(line) = lines.next().transpose()? {
        if line.trim().is_empty() {
            continue;
        }
        let cells: Vec<&str> = line.split('\t').collect();
        let (Some(act), Some(sentence)) = (cells.get(act), cells.get(sentence)) else {
            let expected = header.split('\t').count();
            return Err(lines.error(format!("{} columns, expected {expected}", cells.len())));
        };
        groups.push(act, sentence).map_err(|reason| lines.error(reason))?;
    }
    let tones = |group: &[String]| {
        let (formal, informal) = group.split_at(GROUP / 2);
        ToneGroup { formal: formal.to_vec(), informal: informal.to_vec() }
    };
    Ok(groups.end(&lines)?.map(tones).collect())
}

/// Pairs of StyleKQC's sentences, tones mixed, and whether they mean the same: a table with the columns `similarity` (0 or 1), `sentence1`
/// and `sentence2`.
///
/// # Errors
/// A file that cannot be read, a missing column, or another similarity than 0 or 1, with file and line.
pub fn style_kqc_pairs_tsv(path: impl Into<PathBuf>) -> Result<Vec<(String, String, bool)>> {
    let names = ["similarity", "sentence1", "sentence2"];
    table(path.into(), names, |[similarity, first, second]| {
        let same = match similarity.trim() {
            "0" => false,
            "1" => true,
            other => return Err(format!("`{other}` is no similarity; expected 0 or 1")),
        };
        Ok((first.to_owned(), second.to_owned(), same))
    })
}

/// paraKQC: an act, a topic and a sentence per line without a header, ten lines of one meaning after the other; of these the paraphrases.
///
/// # Errors
/// A file that cannot be read, a line of other than three columns, a group whose acts differ, or lines that do not fill a group, with file and
/// line.
pub fn para_kqc_tsv(path: impl Into<PathBuf>) -> Result<Vec<Vec<String>>> {
    let mut lines = Lines::open(path)?;
    let mut groups = Groups::default();
    while let Some(line) = lines.next().transpose()? {
        if line.trim().is_empty() {
            continue;
        }
        let mut cells = line.split('\t');
        let (Some(act), Some(_), Some(sentence), None) =
            (cells.next(), cells.next(), cells.next(), cells.next())
        else {
            return Err(lines.error("expected three columns: act, topic, sentence"));
        };
        groups.push(act, sentence).map_err(|reason| lines.error(reason))?;
    }
    Ok(groups.end(&lines)?.map(<[String]>::to_vec).collect())
}

/// IWSLT's formality: two files of the same sentences, one per line, the one formal, the other informal. Of annotated files the marks
/// `[F]` and `[/F]` are taken away.
///
/// # Errors
/// A file that cannot be read, or files of unequal length.
pub fn formality_text(
    formal: impl Into<PathBuf>,
    informal: impl Into<PathBuf>,
) -> Result<Vec<ToneGroup>> {
    let (mut formal, mut informal) = (Lines::open(formal)?, Lines::open(informal)?);
    let plain = |line: String| line.replace("[F]", "").replace("[/F]", "").trim().to_owned();
    let mut all = Vec::new();
    loop {
        match (formal.next().transpose()?, informal.next().transpose()?) {
            (Some(one), Some(other)) => {
                let (formal, informal) = (vec![plain(one)], vec![plain(other)]);
                all.push(ToneGroup { formal, informal });
            }
            (None, None) => return Ok(all),
            (Some(_), None) => return Err(informal.error("the formal file goes on")),
            (None, Some(_)) => return Err(formal.error("the informal file goes on")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::tests::file;

    #[test]
    fn what_tells_tones_makes_a_group() {
        let texts = ["갑니다", "가요", "간다", "가기"].map(str::to_owned);
        let ends = |text: &str| Ok((text != "가기").then(|| text != "간다"));
        let group = ToneGroup::by(texts, ends).unwrap();
        assert_eq!(
            (group.formal, group.informal),
            (vec!["갑니다".into(), "가요".into()], vec!["간다".into()])
        );
    }

    #[test]
    fn dialogues_end_at_empty_rows() {
        let text = "formal\tking\tinformal\n밥 먹었어요\t\t밥 먹었어\n네\t\t네\n\t\t\n가요\t\t가\n갔어요\t\t\n";
        let found = smile_style_tsv(file(text).path()).unwrap();
        let counts: Vec<usize> = found.iter().map(Vec::len).collect();
        assert_eq!(counts, [1, 1]);
        assert_eq!(found[1][0].of(Tone::Informal), ["가"]);
        let text = "formal\tinformal\tgentle\n가요\t가\t갑니다\n와요\t와\t\n";
        let found = smile_style_columns(file(text).path(), &["formal", "gentle"], &["informal"]);
        let formal: Vec<Vec<String>> =
            found.unwrap().concat().into_iter().map(|group| group.formal).collect();
        assert_eq!(formal, [vec!["가요", "갑니다"], vec!["와요"]]);
        let error = smile_style_tsv(file("formal\n").path()).unwrap_err().to_string();
        assert!(error.contains(":1: no column `informal`"), "{error}");
    }

    #[test]
    fn groups_are_whole_and_of_one_act() {
        let rows = |acts: &[u8]| -> String {
            acts.iter().enumerate().map(|(i, act)| format!("{act}\t문장 {i}\n")).collect()
        };
        let text = format!("act\tsentence\n{}", rows(&[0; 10]) + &rows(&[1; 10]));
        let found = style_kqc_tsv(file(&text).path()).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].formal[4], "문장 4");
        assert_eq!(found[1].informal[0], "문장 5");
        assert_eq!(found[0].sentences().count(), 10);
        let odd = format!("act\tsentence\n{}", rows(&[0, 0, 1]));
        let error = style_kqc_tsv(file(&odd).path()).unwrap_err().to_string();
        assert!(error.contains(":4: act `1` on line 3"), "{error}");
        let short = format!("act\tsentence\n{}", rows(&[0; 9]));
        let error = style_kqc_tsv(file(&short).path()).unwrap_err().to_string();
        assert!(error.ends_with(":10: 9 sentences do not make groups of 10"), "{error}");
    }

    #[test]
    fn pairs_are_alike_or_not() {
        let pairs =
            file("similarity\tsentence1\tsentence2\n1\t비 오나요\t비 와\n0\t비 와\t눈 와\n");
        let alike: Vec<bool> =
            style_kqc_pairs_tsv(pairs.path()).unwrap().iter().map(|pair| pair.2).collect();
        assert_eq!(alike, [true, false]);
        let odd = file("similarity\tsentence1\tsentence2\n0.5\t가\t나\n");
        let error = style_kqc_pairs_tsv(odd.path()).unwrap_err().to_string();
        assert!(error.contains(":2: `0.5` is no similarity"), "{error}");
    }

    #[test]
    fn paraphrases_have_three_columns() {
        let text: String = (0..10).map(|i| format!("0\t2\t문장 {i}\n")).collect();
        assert_eq!(para_kqc_tsv(file(&text).path()).unwrap()[0][9], "문장 9");
        let error = para_kqc_tsv(file("0\t문장\n").path()).unwrap_err().to_string();
        assert!(error.contains(":1: expected three columns"), "{error}");
        let error = para_kqc_tsv(file("0\t2\t문장\n").path()).unwrap_err().to_string();
        assert!(error.ends_with(":1: 1 sentences do not make groups of 10"), "{error}");
    }

    #[test]
    fn two_files_of_one_length() {
        let (formal, informal) = (file("[F]갑니다[/F].\n"), file("가.\n"));
        let found = formality_text(formal.path(), informal.path()).unwrap();
        assert_eq!(found[0].formal, ["갑니다."]);
        let error = formality_text(formal.path(), file("").path()).unwrap_err().to_string();
        assert!(error.contains("the formal file goes on"), "{error}");
    }
}
