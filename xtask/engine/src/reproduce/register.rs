//! The register of labelled text, by mecab and without a dictionary: formality, StyleKQC, SmileStyle, 3i4k; and whether
//! KOSMIC by grammar tells a paraphrase in the same tone from one in another.
//!
//! Every figure is given for the even and the odd groups of lines (translations of one sentence, paraphrases of one
//! meaning) and for both: rules that fit one half only would show.

use super::{Data, Finding, read};
use anyhow::{Context, Result};
use ko_eval::{
    Scorer, Segment,
    register::{Act, Register, RegisterAnalyzer, SpeechLevel},
};
use ko_tokenize::morpheme::MecabKo;
use std::{
    collections::{BTreeMap, HashMap},
    ops::AddAssign,
    path::Path,
    sync::Arc,
};

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
    findings.push(paraphrases(data, &mecab)?);
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
        let sentences: Vec<_> = self.sentences_of(part)?;
        let mut sides = Halves::default();
        for (number, register) in self.judge(&sentences)?.iter().enumerate() {
            sides.add(number / 10, register.polite == Some(is_formal(number)));
        }
        Ok(sides)
    }

    fn sentences_of(&self, part: &str) -> Result<Vec<String>> {
        let lines = self.lines(&format!("stylekqc/{part}.tsv"))?;
        Ok(lines
            .iter()
            .skip(1)
            .filter_map(|line| line.split('\t').nth(1))
            .map(str::to_owned)
            .collect())
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

fn lines(path: &Path) -> Result<Vec<String>> {
    Ok(read(path)?.lines().map(str::to_owned).collect())
}

/// By the place in its group.
fn is_formal(number: usize) -> bool {
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

/// KOSMIC without a model, and what it is compared with.
const KOSMIC: &str = "kosmic-grammar:sts=chrf@jamo,analyzer=mecab";
const NAMES: [&str; 2] = ["chrf@jamo", "kosmic by grammar over it"];

/// Which metric ranks a paraphrase in the same tone above one in another, and a paraphrase above another sentence.
fn paraphrases(data: &Data, mecab: &RegisterAnalyzer) -> Result<Finding> {
    let bench = Bench { data, analyzer: mecab };
    let formal: HashMap<String, bool> = bench
        .sentences_of("act-dev")?
        .into_iter()
        .enumerate()
        .map(|(number, sentence)| (sentence, is_formal(number)))
        .collect();
    let pairs = pairs_of(lines(&data.folder.join("stylekqc/sts-dev.tsv"))?.iter().skip(1), &formal);
    let metrics = [ko_eval::metric("chrf", "jamo")?, ko_eval::metric(KOSMIC, "jamo")?];
    println!("StyleKQC sts-dev, {} pairs: area under the ROC curve", pairs.len());
    let mut same_tone = Vec::new();
    for (name, metric) in NAMES.iter().zip(&metrics) {
        let segments: Vec<Segment<'_>> = pairs
            .iter()
            .map(|pair| Segment::new(&pair.left, [&pair.right]))
            .collect::<Result<_, _>>()?;
        let scores: Vec<f64> =
            metric.measure(&segments)?.segment_scores()?.iter().map(|score| score.value).collect();
        let of = |keep: &dyn Fn(&Pair) -> Option<bool>| -> Vec<(f64, bool)> {
            scores
                .iter()
                .zip(&pairs)
                .filter_map(|(score, pair)| Some((*score, keep(pair)?)))
                .collect()
        };
        let tone = auc(of(&|pair| pair.alike.then_some(pair.same_tone)));
        let meaning = auc(of(&|pair| Some(pair.alike)));
        let both = auc(of(&|pair| Some(pair.alike && pair.same_tone)));
        println!(
            "  {name}: same tone among paraphrases {tone:.4}, paraphrase {meaning:.4}, both at once {both:.4}"
        );
        same_tone.push(tone);
    }
    para_kqc(data, &metrics)?;
    let mut finding = Finding::new("register, KOSMIC by grammar");
    finding.add(same_tone.get(1) > same_tone.first(), || {
        format!("tells tones no better: {same_tone:?}")
    });
    Ok(finding)
}

/// paraKQC has groups and no tones: does the tone cost anything where only meaning is asked?
fn para_kqc(data: &Data, metrics: &[Box<dyn Scorer>]) -> Result<()> {
    let sentences: Vec<String> = lines(&data.folder.join("paraphrase/paraKQC_v1.txt"))?
        .iter()
        .filter_map(|line| line.split('\t').nth(2).map(str::to_owned))
        .collect();
    // Of every group the first against the others, and against the same places of the next group.
    let pairs: Vec<(&str, &str, bool)> = sentences
        .chunks(10)
        .zip(sentences.chunks(10).skip(1))
        .flat_map(|(group, next)| {
            let first = group.first().map_or("", String::as_str);
            let own = group.iter().skip(1).map(move |other| (first, other.as_str(), true));
            own.chain(next.iter().skip(1).map(move |other| (first, other.as_str(), false)))
        })
        .collect();
    let segments: Vec<Segment<'_>> = pairs
        .iter()
        .map(|(left, right, _)| Segment::new(left, [*right]))
        .collect::<Result<_, _>>()?;
    println!("paraKQC, {} pairs: area under the ROC curve", pairs.len());
    for (name, metric) in NAMES.iter().zip(metrics) {
        let scores = metric.measure(&segments)?.segment_scores()?;
        let labelled =
            scores.iter().zip(&pairs).map(|(score, (.., alike))| (score.value, *alike)).collect();
        println!("  {name}: paraphrase {:.4}", auc(labelled));
    }
    Ok(())
}

struct Pair {
    left: String,
    right: String,
    alike: bool,
    same_tone: bool,
}

fn pairs_of<'l>(
    lines: impl Iterator<Item = &'l String>,
    formal: &HashMap<String, bool>,
) -> Vec<Pair> {
    let pair = |line: &String| {
        let mut columns = line.split('\t');
        let alike = columns.next()? == "1";
        let (left, right) = (columns.next()?.to_owned(), columns.next()?.to_owned());
        let same_tone = formal.get(&left)? == formal.get(&right)?;
        Some(Pair { left, right, alike, same_tone })
    };
    lines.filter_map(pair).collect()
}

/// The chance that a positive scores above a negative; ties count half.
fn auc(mut scores: Vec<(f64, bool)>) -> f64 {
    scores.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut wins) = (0.0, 0.0);
    for tied in scores.chunk_by(|a, b| a.0 == b.0) {
        let positives = tied.iter().filter(|(_, positive)| *positive).count() as f64;
        let negatives = tied.len() as f64 - positives;
        wins += positives * (below + negatives / 2.0);
        below += negatives;
    }
    let positives = scores.iter().filter(|(_, positive)| *positive).count() as f64;
    if positives == 0.0 || below == 0.0 { 0.5 } else { wins / (positives * below) }
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

    #[test]
    fn the_area_counts_ties_half() {
        assert_eq!(auc(vec![(1.0, false), (2.0, true)]), 1.0);
        assert_eq!(auc(vec![(1.0, false), (1.0, true)]), 0.5);
        assert_eq!(auc(vec![(3.0, false), (2.0, true), (1.0, false)]), 0.5);
    }
}
