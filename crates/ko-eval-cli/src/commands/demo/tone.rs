//! Two pairs, one that differs only in honorifics and one only in meaning, and what every metric says of them.

use super::{Stage, say};
use crate::{lang::tr, output};
use anyhow::Result;
use ko_eval::{Corpus, Keep};

const PREFERENCE: &str = "Whatever counts pieces prefers B, which sends the teacher to another place: honorifics change more letters than a noun.";
const TONE_METRICS: &str = "`register` and `honorifics` tell what is wrong with A, and nothing about B; `kosmic-grammar` (0 to 5) weighs both.";

pub(super) const PAIRS: &str = include_str!("../../../samples/tone.jsonl");

pub(super) fn show(stage: &Stage) -> Result<()> {
    let pairs: Corpus = PAIRS.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let segments = pairs.segments();
    let mut text = String::new();
    for (name, segment) in ["A", "B"].into_iter().zip(&segments) {
        let (hypothesis, references) = (segment.hypothesis(), segment.references());
        if text.is_empty() {
            text += &format!("{}: {}\n", tr("reference"), references.join(" / "));
        }
        text += &format!("{name}: {hypothesis}\n");
    }
    let wanted = [
        ("bleu:order=1", "word"),
        ("bleu:order=1", "mecab"),
        ("bleu:order=1", "char"),
        ("chrf", "char"),
        ("chrf", "jamo"),
        ("register", "none"),
        ("honorifics", "none"),
        ("kosmic-grammar", "none"),
    ];
    let panel = ko_eval::panel(wanted)?;
    text += &format!("\n{:<28} {:>8} {:>8}   {}\n", "", "A", "B", tr("prefers"));
    for (row, measured) in panel.rows().iter().zip(panel.measure(&segments, Keep::Segments)?) {
        let scores: Vec<f64> = measured.segment_scores()?.iter().map(|score| score.value).collect();
        let [a, b] = scores.as_slice() else { continue };
        let unit = row.unit.as_deref().map_or_else(String::new, |unit| format!(" ({unit})"));
        let prefers = match a.total_cmp(b) {
            std::cmp::Ordering::Greater => "A",
            std::cmp::Ordering::Less => "B",
            std::cmp::Ordering::Equal => "–",
        };
        text += &format!("{:<28} {a:>8.2} {b:>8.2}   {prefers}\n", format!("{}{unit}", row.metric));
    }
    text.push('\n');
    for remark in [PREFERENCE, TONE_METRICS] {
        output::hanging(&mut text, "", tr(remark), output::width());
    }
    say(&text)?;
    let pairs = stage.sample("tone.jsonl")?;
    say(&format!(
        "\n{}\n  ko-eval score --pairs {pairs} -m kosmic-grammar --segments --format json\n",
        tr("The parts of a score:")
    ))
}
