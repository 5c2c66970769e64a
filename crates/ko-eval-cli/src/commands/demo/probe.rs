//! A small data set for a probe, made of parts: enough to see a probe work, and no more.

use anyhow::Result;
use ko_eval::files::write_atomically;
use std::path::Path;

pub(super) const ABOUT: &str = "A toy: 240 built sentences, polite or not, and embedders that need no model. 50 is chance; \
    `probe build` makes the nine real tasks from a treebank, `probe run --model FOLDER` asks a transformer.";

const WHO: &[&str] = &["동생은", "친구는", "이웃은", "손님은", "학생은", "직원은"];
const WHEN: &[&str] = &["오늘", "아침에", "주말에", "저녁에"];
/// The end of a sentence, as it is said to somebody who is honoured and as it is written down.
const DOES: &[(&str, &str)] = &[
    ("시장에 가요.", "시장에 간다."),
    ("책을 읽습니다.", "책을 읽는다."),
    ("밥을 먹어요.", "밥을 먹는다."),
    ("산책을 합니다.", "산책을 한다."),
    ("노래를 불러요.", "노래를 부른다."),
];

/// Writes the data set in SentEval's format. The parts share no subject, so that nothing can be learnt by heart.
pub(super) fn write_data(folder: &Path) -> Result<()> {
    let mut text = String::new();
    for (number, who) in WHO.iter().enumerate() {
        let part = match number {
            0..4 => "tr",
            4 => "va",
            _ => "te",
        };
        for when in WHEN {
            for (polite, plain) in DOES {
                text += &format!("{part}\tyes\t{who} {when} {polite}\n");
                text += &format!("{part}\tno\t{who} {when} {plain}\n");
            }
        }
    }
    Ok(write_atomically(&folder.join("Honorifics.txt"), text.as_bytes())?)
}
