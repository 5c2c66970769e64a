//! The register of labelled text, by mecab and without a dictionary: formality, StyleKQC,
//! SmileStyle, 3i4k.
//!
//! Every figure is given for the even and the odd groups of lines (translations of one sentence,
//! paraphrases of one meaning) and for both: rules that fit one half only would show.

use crate::prelude::*;
use ko_eval::{
    register::{Act, Register, SpeechLevel},
    tokenize::morpheme::MecabKo,
};

pub(crate) fn run(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let mecab = RegisterAnalyzer::new(Arc::new(MecabKo::new()?));
    let endings = RegisterAnalyzer::without_dictionary();
    for (name, analyzer) in [("mecab", mecab), ("endings", endings)] {
        let mut bench = Bench { context, report: &mut *report, name, analyzer };
        bench.formality()?;
        bench.stylekqc("act-dev")?;
        bench.stylekqc("act-train")?;
        bench.smilestyle()?;
        bench.intentions()?;
    }
    Ok(())
}

struct Bench<'b, 't> {
    context: &'b Context,
    report: &'b mut Report<'t>,
    name: &'static str,
    analyzer: RegisterAnalyzer,
}

/// A group of lines, how much of it was right, and of how much.
type Share = [usize; 3];

/// One text of a group.
fn one(group: usize, right: bool) -> Share {
    [group, usize::from(right), 1]
}

impl Bench<'_, '_> {
    fn judge<T: AsRef<str> + Sync>(&self, texts: &[T]) -> Result<Vec<Register>> {
        Ok(ko_eval::par_map(texts, |text| self.analyzer.analyze(text.as_ref()))?)
    }

    fn show(&mut self, what: &str, shares: &[Share]) -> Result<()> {
        let share = |wanted: &dyn Fn(usize) -> bool| {
            let wanted = shares.iter().filter(|[group, ..]| wanted(*group));
            let (hits, all) = wanted.fold((0, 0), |(h, a), [_, hits, all]| (h + hits, a + all));
            hits as f64 / all.max(1) as f64
        };
        let figures = format!("register by {}", self.name);
        let [even, odd] = [0, 1].map(|parity| share(&|group| group % 2 == parity));
        self.report.row(&figures, what, [("even groups", even), ("odd groups", odd)])?;
        self.report.value("register", self.name, what, share(&|_| true))
    }

    /// Two translations of each sentence, the words that make the difference between `[F]` and
    /// `[/F]`.
    fn formality(&mut self) -> Result<()> {
        let mut sides = Vec::new();
        let [mut precision, mut recall, mut f1] = [const { Vec::new() }; 3];
        for file in [
            "telephony.formal",
            "telephony.informal",
            "topical_chat.formal",
            "topical_chat.informal",
        ] {
            let polite = file.ends_with(".formal");
            let lines = self.context.lines(&format!("formality/{file}.annotated.ko"))?;
            let (texts, marks): (Vec<_>, Vec<_>) = lines.iter().map(|line| unmark(line)).unzip();
            for (group, register) in self.judge(&texts)?.iter().enumerate() {
                sides.push(one(group, register.polite == Some(polite)));
                for (start, end) in eojeols(&texts[group]) {
                    let marked = usize::from(marks[group][start..end].contains(&true));
                    let mut evidence = register.evidence.iter();
                    let found = evidence.any(|word| word.start < end && start < word.end);
                    let found = usize::from(found);
                    precision.push([group, marked * found, found]);
                    recall.push([group, marked * found, marked]);
                    f1.push([group, 2 * marked * found, marked + found]);
                }
            }
        }
        self.show("formality", &sides)?;
        self.show("words, precision", &precision)?;
        self.show("words, recall", &recall)?;
        self.show("words, F1", &f1)
    }

    /// Groups of formal and informal sentences. No level counts as wrong.
    fn stylekqc(&mut self, part: &str) -> Result<()> {
        let mut sides = Vec::new();
        let groups = style_kqc_tsv(self.context.data(&format!("stylekqc/{part}.tsv")))?;
        let sentences = groups.iter().enumerate().flat_map(|(number, group)| {
            group.sentences().map(move |(text, tone)| (text, (number, tone)))
        });
        let (texts, tones): (Vec<&str>, Vec<(usize, Tone)>) = sentences.unzip();
        for ((group, tone), register) in tones.into_iter().zip(self.judge(&texts)?) {
            sides.push(one(group, register.polite == Some(tone == Tone::Formal)));
        }
        self.show(&format!("StyleKQC {part}"), &sides)
    }

    /// Two of the styles have a side; all have levels.
    fn smilestyle(&mut self) -> Result<()> {
        let lines = self.context.lines("smilestyle/smilestyle_dataset.tsv")?;
        let (header, rows) = lines.split_first().context("an empty file")?;
        let (table, mut sides) = (format!("texts of SmileStyle by {}", self.name), Vec::new());
        for (column, style) in header.split('\t').enumerate() {
            let cells = rows.iter().enumerate().filter_map(|(row, line)| {
                let cell = line.split('\t').nth(column).filter(|cell| !cell.trim().is_empty())?;
                Some((row, cell))
            });
            let (rows, texts): (Vec<usize>, Vec<&str>) = cells.unzip();
            let registers = self.judge(&texts)?;
            for level in SpeechLevel::ALL.iter().copied().map(Some).chain([None]) {
                let count = registers.iter().filter(|register| register.level == level).count();
                let name = level.map_or("none", SpeechLevel::name);
                self.report.value(&table, style, name, count as f64)?;
            }
            if ["formal", "informal"].contains(&style) {
                let right = |register: &Register| register.polite == Some(style == "formal");
                sides.extend(
                    rows.iter().zip(&registers).map(|(row, found)| one(*row, right(found))),
                );
            }
        }
        self.show("SmileStyle", &sides)
    }

    /// What an utterance wants: all of them, and those that intonation does not decide.
    fn intentions(&mut self) -> Result<()> {
        let lines = self.context.lines("3i4k/fci_train_val.txt")?;
        let rows = lines.iter().filter_map(|line| {
            let (label, text) = line.split_once('\t')?;
            let acts = [("1", Act::Statement), ("2", Act::Question), ("3", Act::Command)];
            let (_, act) = acts.into_iter().find(|(known, _)| *known == label)?;
            Some((act, text.trim()))
        });
        let (acts, texts): (Vec<Act>, Vec<&str>) = rows.unzip();
        let (mut all, mut clear) = (Vec::new(), Vec::new());
        for (number, (act, register)) in acts.iter().zip(self.judge(&texts)?).enumerate() {
            let mut grammar = register.sentences.iter().rev().map(|sentence| &sentence.grammar);
            let last = grammar.find(|grammar| grammar.act.is_some());
            let share = one(number, last.and_then(|grammar| grammar.act) == Some(*act));
            all.push(share);
            clear.extend(last.filter(|g| !g.by_intonation && !g.left_open).map(|_| share));
        }
        self.show("3i4k, all", &all)?;
        self.show("3i4k, not by intonation", &clear)
    }
}

/// The text without its marks, and for every character whether it was marked.
fn unmark(line: &str) -> (String, Vec<bool>) {
    let line = line.replace("[/F]", "[F]");
    let parts = line.split("[F]").enumerate();
    let marks = parts.flat_map(|(number, part)| part.chars().map(move |_| number % 2 == 1));
    (line.replace("[F]", ""), marks.collect())
}

/// Where the eojeols of a text are, in characters.
fn eojeols(text: &str) -> Vec<(usize, usize)> {
    let mut next = 0;
    let words = text.split(char::is_whitespace).map(|word| {
        let start = next;
        next = start + word.chars().count() + 1;
        (start, next - 1)
    });
    words.filter(|(start, end)| start < end).collect()
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
