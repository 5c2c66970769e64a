//! Which metric tells a paraphrase in the same tone from one in another: KOSMIC by grammar, the
//! trained KOSMIC where its models are, and what sees only meaning.

use crate::prelude::*;

/// A metric with the name it is shown by.
type Named = (&'static str, Box<dyn Scorer>);

const TRAINED: &str = "trained KOSMIC";

pub(crate) fn run(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let grammar = "kosmic-grammar:sts=chrf@jamo,analyzer=mecab";
    let mut metrics: Vec<Named> = vec![
        ("chrf@jamo", ko_eval::metric("chrf", "jamo")?),
        ("KOSMIC by grammar over it", ko_eval::metric(grammar, "jamo")?),
    ];
    // The trained ones learned from a pair of every group of paraKQC.
    para_kqc(context, report, &metrics)?;
    let [sts, fic, csl] = ["sts", "fic", "csl"].map(|name| home().join("neural").join(name));
    let done = [sts.join("ensemble.json"), fic.join("training.json"), csl.join("training.json")];
    if cfg!(feature = "torch") && done.iter().all(|file| file.is_file()) {
        let [sts, fic, csl] = [sts, fic, csl].map(|folder| folder.display().to_string());
        let kosmic = format!("kosmic:sts={sts},fic={fic},csl={csl}");
        metrics.push(("trained STS", ko_eval::metric(&format!("sts:{sts}"), "none")?));
        metrics.push((TRAINED, ko_eval::metric(&kosmic, "none")?));
    } else {
        println!("SKIPPED: the {TRAINED}, which needs libtorch and all of {done:?}");
        report.skip(TRAINED);
    }
    let tones = style_kqc(context, report, &metrics)?;
    // Each KOSMIC stands behind what it is made of.
    for ([_, (name, _)], [without, with]) in metrics.as_chunks().0.iter().zip(tones.as_chunks().0) {
        report.value("paraphrases", name, "gain", with - without)?;
    }
    Ok(())
}

/// StyleKQC's pairs, whose tones are known; for every metric, how well it tells the same tone among
/// paraphrases.
fn style_kqc(context: &Context, report: &mut Report<'_>, metrics: &[Named]) -> Result<Vec<f64>> {
    let groups = style_kqc_tsv(context.data("stylekqc/act-dev.tsv"))?;
    let tones: HashMap<&str, Tone> = groups.iter().flat_map(ToneGroup::sentences).collect();
    let pairs = style_kqc_pairs_tsv(context.data("stylekqc/sts-dev.tsv"))?;
    let known = pairs.iter().filter_map(|(left, right, alike)| {
        let same_tone = tones.get(&**left)? == tones.get(&**right)?;
        Some(((left.as_str(), right.as_str()), (*alike, same_tone)))
    });
    let (texts, labels): (Vec<_>, Vec<_>) = known.unzip();
    let mut areas = Vec::new();
    for (name, metric) in metrics {
        let scores = scores(metric.as_ref(), &texts)?;
        let scored = || scores.iter().copied().zip(labels.iter().copied());
        let alike = scored().filter(|(_, (alike, _))| *alike);
        let tone = auc(alike.map(|(score, (_, same))| (score, same)));
        let meaning = auc(scored().map(|(score, (alike, _))| (score, alike)));
        let both = auc(scored().map(|(score, (alike, same))| (score, alike && same)));
        for (column, area) in
            [("same tone among paraphrases", tone), ("paraphrase", meaning), ("both at once", both)]
        {
            report.value("area under ROC, StyleKQC sts-dev", name, column, area)?;
        }
        areas.push(tone);
    }
    Ok(areas)
}

/// paraKQC has groups and no tones: does the tone cost anything where only meaning is asked?
fn para_kqc(context: &Context, report: &mut Report<'_>, metrics: &[Named]) -> Result<()> {
    let groups = para_kqc_tsv(context.data("paraphrase/paraKQC_v1.txt"))?;
    // Of every group the first against the others, and against the same places of the next group.
    let pairs = groups.windows(2).flat_map(|two| {
        let of = |group: usize| two[group].iter().skip(1).map(move |text| (text, group == 0));
        of(0).chain(of(1)).map(|(text, alike)| ((two[0][0].as_str(), text.as_str()), alike))
    });
    let (texts, alike): (Vec<_>, Vec<bool>) = pairs.unzip();
    for (name, metric) in metrics {
        let scores = scores(metric.as_ref(), &texts)?;
        let area = auc(scores.into_iter().zip(alike.iter().copied()));
        report.value("area under ROC, paraKQC", name, "paraphrase", area)?;
    }
    Ok(())
}

fn scores(metric: &dyn Scorer, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
    let segments = pairs.iter().map(|(left, right)| Segment::new(left, [*right]));
    let segments: Vec<Segment<'_>> = segments.collect::<ko_eval::Result<_>>()?;
    let scores = metric.measure(&segments)?.segment_scores()?;
    Ok(scores.iter().map(|score| score.value).collect())
}
