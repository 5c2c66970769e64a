//! The register of labelled text, by mecab and without a dictionary: formality, StyleKQC, SmileStyle, 3i4k.
//!
//! Every figure is given for the even and the odd groups of lines (translations of one sentence, paraphrases of one
//! meaning) and for both: rules that fit one half only would show.

use super::{Data, Finding, read};
use anyhow::{Context, Result};
use ko_eval::register::{Act, Register, RegisterAnalyzer, SpeechLevel};
use ko_tokenize::morpheme::MecabKo;
use std::{collections::BTreeMap, ops::AddAssign, path::Path, sync::Arc};

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let mecab = RegisterAnalyzer::new(Arc::new(MecabKo::new()?));
    let endings = RegisterAnalyzer::without_dictionary();
    let mut findings = Vec::new();
    for (name, analyzer, strict) in [("mecab", &mecab, true), ("endings", &endings, false)] {
        let bench = Bench { data, analyzer };
        println!("register by {name}: share of texts on the right side, even / odd / all groups");
        let mut finding = Finding::new(format!("register, {name}"));
        let mut expect = |what: &str, value: f64, least: f64| {
            // Without a dictionary the figures are reported, not promised.
            let least = if strict { least } else { 0.5 };
            finding.add(value >= least, || format!("{what}: {value:.4}, expected {least}"));
        };
        let (sides, words) = bench.formality()?;
        expect("formality", sides.show("formality"), 0.99);
        expect("marked words", words.show("words that carry formality"), 0.85);
        expect("StyleKQC", bench.stylekqc("act-dev")?.show("StyleKQC act-dev"), 0.97);
        expect("StyleKQC", bench.stylekqc("act-train")?.show("StyleKQC act-train"), 0.97);
        expect("SmileStyle", bench.smilestyle()?.show("SmileStyle"), 0.98);
        let (all, clear) = bench.intentions()?;
        all.show("3i4k, all statements, questions, commands");
        expect("3i4k", clear.show("3i4k, those that intonation does not decide"), 0.9);
        findings.push(finding);
    }
    Ok(findings)
}

/// How many of how many were right, in even and in odd groups.
#[derive(Default)]
struct Halves([(usize, usize); 2]);

impl Halves {
    fn add(&mut self, group: usize, right: bool) {
        if let Some((hits, total)) = self.0.get_mut(group % 2) {
            *hits += usize::from(right);
            *total += 1;
        }
    }

    fn show(&self, name: &str) -> f64 {
        let share = |hits: usize, total: usize| hits as f64 / total.max(1) as f64;
        let [(even, evens), (odd, odds)] = self.0;
        let all = share(even + odd, evens + odds);
        println!(
            "  {:.4} / {:.4} / {all:.4} of {} {name}",
            share(even, evens),
            share(odd, odds),
            evens + odds
        );
        all
    }
}

/// Words found and words marked, in even and in odd groups.
#[derive(Default)]
struct Marked([[usize; 3]; 2]);

impl Marked {
    fn add(&mut self, group: usize, marked: bool, found: bool) {
        if let Some([both, marks, finds]) = self.0.get_mut(group % 2) {
            *both += usize::from(marked && found);
            *marks += usize::from(marked);
            *finds += usize::from(found);
        }
    }

    fn show(&self, name: &str) -> f64 {
        let [even, odd] = self.0;
        let all = [even[0] + odd[0], even[1] + odd[1], even[2] + odd[2]];
        let f1 =
            |[both, marks, finds]: [usize; 3]| 2.0 * both as f64 / (marks + finds).max(1) as f64;
        let share = |of: usize| all[0] as f64 / of.max(1) as f64;
        println!(
            "  F1 {:.4} / {:.4} / {:.4} of {name}; precision {:.4}, recall {:.4}",
            f1(even),
            f1(odd),
            f1(all),
            share(all[2]),
            share(all[1])
        );
        f1(all)
    }
}

struct Bench<'a> {
    data: &'a Data,
    analyzer: &'a RegisterAnalyzer,
}

impl Bench<'_> {
    fn judge(&self, texts: &[String]) -> Result<Vec<Register>> {
        Ok(ko_eval::par_map(texts, |text| self.analyzer.analyze(text))?)
    }

    fn lines(&self, file: &str) -> Result<Vec<String>> {
        lines(&self.data.folder.join(file))
    }

    /// Two translations of each sentence, the words that make the difference between `[F]` and `[/F]`.
    fn formality(&self) -> Result<(Halves, Marked)> {
        let (mut sides, mut words) = (Halves::default(), Marked::default());
        for topic in ["telephony", "topical_chat"] {
            for (side, polite) in [("formal", true), ("informal", false)] {
                let annotated = self.lines(&format!("formality/{topic}.{side}.annotated.ko"))?;
                let (texts, marks): (Vec<_>, Vec<_>) =
                    annotated.iter().map(|line| unmark(line)).unzip();
                for (group, (register, (text, marks))) in
                    self.judge(&texts)?.iter().zip(texts.iter().zip(&marks)).enumerate()
                {
                    sides.add(group, register.polite == Some(polite));
                    for (start, end) in eojeols(text) {
                        let marked = marks.iter().skip(start).take(end - start).any(|mark| *mark);
                        let found = register
                            .evidence
                            .iter()
                            .any(|word| word.start < end && start < word.end);
                        words.add(group, marked, found);
                    }
                }
            }
        }
        Ok((sides, words))
    }

    /// Groups of ten: five formal, five informal. No level counts as wrong.
    fn stylekqc(&self, part: &str) -> Result<Halves> {
        let sentences: Vec<_> = stylekqc_sentences(self.data, part)?;
        let mut sides = Halves::default();
        for (number, register) in self.judge(&sentences)?.iter().enumerate() {
            sides.add(number / 10, register.polite == Some(is_formal(number)));
        }
        Ok(sides)
    }

    /// Two of the styles have a side; all have levels.
    fn smilestyle(&self) -> Result<Halves> {
        let lines = self.lines("smilestyle/smilestyle_dataset.tsv")?;
        let mut lines = lines.iter();
        let header: Vec<&str> = lines.next().context("an empty file")?.split('\t').collect();
        let mut sides = Halves::default();
        let mut table: BTreeMap<&str, BTreeMap<Option<SpeechLevel>, usize>> = BTreeMap::new();
        let rows: Vec<&String> = lines.collect();
        for (column, style) in header.iter().enumerate() {
            let cells = rows.iter().enumerate().filter_map(|(row, line)| {
                let cell = line.split('\t').nth(column).filter(|cell| !cell.trim().is_empty())?;
                Some((row, cell.to_owned()))
            });
            let (numbers, texts): (Vec<usize>, Vec<String>) = cells.unzip();
            let wanted = match *style {
                "formal" => Some(true),
                "informal" => Some(false),
                _ => None,
            };
            for (row, register) in numbers.iter().zip(self.judge(&texts)?) {
                table.entry(style).or_default().entry(register.level).or_default().add_assign(1);
                if let Some(polite) = wanted {
                    sides.add(*row, register.polite == Some(polite));
                }
            }
        }
        println!("  level of every style of SmileStyle, in texts:");
        let levels = || SpeechLevel::ALL.iter().map(|level| Some(*level)).chain([None]);
        let names: Vec<_> = levels().map(|level| level.map_or("none", SpeechLevel::name)).collect();
        println!("    {:<12} {}", "", names.join(" "));
        for (style, counts) in &table {
            let cells: Vec<_> = levels()
                .map(|level| counts.get(&level).copied().unwrap_or_default().to_string())
                .collect();
            println!("    {style:<12} {}", cells.join(" "));
        }
        Ok(sides)
    }

    /// What an utterance wants: all of them, and those that intonation does not decide.
    fn intentions(&self) -> Result<(Halves, Halves)> {
        let lines = self.lines("3i4k/fci_train_val.txt")?;
        let wanted = |label: &str| match label {
            "1" => Some(Act::Statement),
            "2" => Some(Act::Question),
            "3" => Some(Act::Command),
            _ => None,
        };
        let rows = lines.iter().filter_map(|line| {
            let (label, text) = line.split_once('\t')?;
            Some((wanted(label)?, text.trim().to_owned()))
        });
        let (acts, texts): (Vec<Act>, Vec<String>) = rows.unzip();
        let (mut all, mut clear) = (Halves::default(), Halves::default());
        for (number, (act, register)) in acts.iter().zip(self.judge(&texts)?).enumerate() {
            let last =
                register.sentences.iter().rev().find(|sentence| sentence.grammar.act.is_some());
            let found = last.and_then(|sentence| sentence.grammar.act);
            all.add(number, found == Some(*act));
            let doubtful =
                |grammar: &ko_eval::register::Grammar| grammar.by_intonation || grammar.left_open;
            if last.is_some_and(|sentence| !doubtful(&sentence.grammar)) {
                clear.add(number, found == Some(*act));
            }
        }
        Ok((all, clear))
    }
}

pub(super) fn lines(path: &Path) -> Result<Vec<String>> {
    Ok(read(path)?.lines().map(str::to_owned).collect())
}

/// The sentences of a part of StyleKQC, group after group.
pub(super) fn stylekqc_sentences(data: &Data, part: &str) -> Result<Vec<String>> {
    let lines = lines(&data.folder.join(format!("stylekqc/{part}.tsv")))?;
    let sentences = lines.iter().skip(1).filter_map(|line| line.split('\t').nth(1));
    Ok(sentences.map(str::to_owned).collect())
}

/// By the place in its group.
pub(super) fn is_formal(number: usize) -> bool {
    number % 10 < 5
}

/// The text without its marks, and for every character whether it was marked.
fn unmark(line: &str) -> (String, Vec<bool>) {
    let (mut text, mut marks) = (String::new(), Vec::new());
    for (number, part) in line.split("[F]").enumerate() {
        let (inside, outside) = match number {
            0 => ("", part),
            _ => part.split_once("[/F]").unwrap_or((part, "")),
        };
        for (piece, marked) in [(inside, true), (outside, false)] {
            text.push_str(piece);
            marks.extend(piece.chars().map(|_| marked));
        }
    }
    (text, marks)
}

/// Where the eojeols of a text are, in characters.
fn eojeols(text: &str) -> Vec<(usize, usize)> {
    let characters: Vec<char> = text.chars().collect();
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, _) in characters.iter().enumerate().filter(|(_, c)| !c.is_whitespace()) {
        match found.last_mut() {
            Some((_, end)) if *end == at => *end = at + 1,
            _ => found.push((at, at + 1)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_out() {
        let (text, marks) = unmark("또 [F]와요[/F]?");
        assert_eq!(text, "또 와요?");
        assert_eq!(marks, [false, false, true, true, false]);
        assert_eq!(eojeols(&text), [(0, 1), (2, 5)]);
    }
}
