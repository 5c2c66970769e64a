//! Which metric tells a paraphrase in the same tone from one in another: KOSMIC by grammar, the trained KOSMIC where its
//! models are, and what sees only meaning.

use super::{
    Data, Finding,
    register::{is_formal, lines, stylekqc_sentences},
};
use anyhow::Result;
use ko_eval::{Scorer, Segment};
use std::collections::HashMap;

/// A metric with the name it is shown by.
type Named = (&'static str, Box<dyn Scorer>);

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let mut metrics: Vec<Named> = vec![
        ("chrf@jamo", ko_eval::metric("chrf", "jamo")?),
        (
            "KOSMIC by grammar over it",
            ko_eval::metric("kosmic-grammar:sts=chrf@jamo,analyzer=mecab", "jamo")?,
        ),
    ];
    // The trained ones learned from a pair of every group of paraKQC.
    para_kqc(data, &metrics)?;
    metrics.extend(trained()?);
    let tones = style_kqc(data, &metrics)?;
    // Each KOSMIC stands behind what it is made of.
    let findings = metrics.as_chunks().0.iter().zip(tones.as_chunks().0);
    let finding = |([_, (name, _)], [without, with]): (&[Named; 2], &[f64; 2])| {
        let mut finding = Finding::new(format!("paraphrases, {name}"));
        finding.add(with > without, || format!("tells tones no better: {with} and {without}"));
        finding
    };
    Ok(findings.map(finding).collect())
}

/// STS alone and KOSMIC by the models that the neural half of the checks trains, where they have been trained.
#[cfg(feature = "torch")]
fn trained() -> Result<Vec<Named>> {
    let model = |name: &str| ko_eval::home().join("neural").join(name);
    let [sts, fic, csl] = ["sts", "fic", "csl"].map(model);
    let done = [sts.join("ensemble.json"), fic.join("training.json"), csl.join("training.json")];
    if let Some(missing) = done.iter().find(|file| !file.is_file()) {
        println!(
            "SKIPPED: the trained KOSMIC, because nothing was trained in {}",
            missing.display()
        );
        return Ok(Vec::new());
    }
    let [sts, fic, csl] = [sts, fic, csl].map(|folder| folder.display().to_string());
    let kosmic = format!("kosmic:sts={sts},fic={fic},csl={csl}");
    Ok(vec![
        ("trained STS", ko_eval::metric(&format!("sts:{sts}"), "none")?),
        ("trained KOSMIC", ko_eval::metric(&kosmic, "none")?),
    ])
}

#[cfg(not(feature = "torch"))]
fn trained() -> Result<Vec<Named>> {
    println!("SKIPPED: the trained KOSMIC, which needs libtorch");
    Ok(Vec::new())
}

/// StyleKQC's pairs, whose tones are known; for every metric, how well it tells the same tone among paraphrases.
fn style_kqc(data: &Data, metrics: &[Named]) -> Result<Vec<f64>> {
    let formal: HashMap<String, bool> = stylekqc_sentences(data, "act-dev")?
        .into_iter()
        .enumerate()
        .map(|(number, sentence)| (sentence, is_formal(number)))
        .collect();
    let pairs = pairs_of(lines(&data.folder.join("stylekqc/sts-dev.tsv"))?.iter().skip(1), &formal);
    println!("StyleKQC sts-dev, {} pairs: area under the ROC curve", pairs.len());
    let texts = |pair: &Pair| (pair.left.clone(), pair.right.clone());
    let texts: Vec<(String, String)> = pairs.iter().map(texts).collect();
    let mut tones = Vec::new();
    for (name, metric) in metrics {
        let scores = scores(metric.as_ref(), &texts)?;
        let of = |keep: &dyn Fn(&Pair) -> Option<bool>| -> Vec<(f64, bool)> {
            let kept = scores.iter().zip(&pairs);
            kept.filter_map(|(score, pair)| Some((*score, keep(pair)?))).collect()
        };
        let tone = auc(of(&|pair| pair.alike.then_some(pair.same_tone)));
        let meaning = auc(of(&|pair| Some(pair.alike)));
        let both = auc(of(&|pair| Some(pair.alike && pair.same_tone)));
        println!(
            "  {name}: same tone among paraphrases {tone:.4}, paraphrase {meaning:.4}, both at once {both:.4}"
        );
        tones.push(tone);
    }
    Ok(tones)
}

/// paraKQC has groups and no tones: does the tone cost anything where only meaning is asked?
fn para_kqc(data: &Data, metrics: &[Named]) -> Result<()> {
    let sentences: Vec<String> = lines(&data.folder.join("paraphrase/paraKQC_v1.txt"))?
        .iter()
        .filter_map(|line| line.split('\t').nth(2).map(str::to_owned))
        .collect();
    // Of every group the first against the others, and against the same places of the next group.
    let (texts, alike): (Vec<(String, String)>, Vec<bool>) = sentences
        .chunks(10)
        .zip(sentences.chunks(10).skip(1))
        .flat_map(|(group, next)| {
            let first = group.first().map_or("", String::as_str);
            let pair = move |other: &String, alike| ((first.to_owned(), other.clone()), alike);
            let own = group.iter().skip(1).map(move |other| pair(other, true));
            own.chain(next.iter().skip(1).map(move |other| pair(other, false)))
        })
        .unzip();
    println!("paraKQC, {} pairs: area under the ROC curve", texts.len());
    for (name, metric) in metrics {
        let scores = scores(metric.as_ref(), &texts)?;
        let area = auc(scores.into_iter().zip(alike.iter().copied()).collect());
        println!("  {name}: paraphrase {area:.4}");
    }
    Ok(())
}

fn scores(metric: &dyn Scorer, pairs: &[(String, String)]) -> Result<Vec<f64>> {
    let segments: Vec<Segment<'_>> =
        pairs.iter().map(|(left, right)| Segment::new(left, [right])).collect::<Result<_, _>>()?;
    let scores = metric.measure(&segments)?.segment_scores()?;
    Ok(scores.iter().map(|score| score.value).collect())
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
    fn the_area_counts_ties_half() {
        assert_eq!(auc(vec![(1.0, false), (2.0, true)]), 1.0);
        assert_eq!(auc(vec![(1.0, false), (1.0, true)]), 0.5);
        assert_eq!(auc(vec![(3.0, false), (2.0, true), (1.0, false)]), 0.5);
    }
}
