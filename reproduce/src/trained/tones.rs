//! Models of tone, and KOSMIC with them: StyleKQC (CC BY-SA) teaches, IWSLT's formality and
//! SmileStyle, in which nothing was learned, judge.

use super::{sentences::train_sts_models, *};
use ko_eval::meta::{classification::above_threshold, methods::evaluate, selection::tune};

pub(super) const STYLE_KQC_TRAIN: &str = "stylekqc/act-train.tsv";
pub(super) const PARA_KQC: &str = "paraphrase/paraKQC_v1.txt";
const STYLE_KQC_DEV: &str = "stylekqc/act-dev.tsv";

/// Of this chance come the marks and the neighbours of what is learned from.
const SEED: u64 = 1;
/// Pairs of translations by which the paper's figures of FIC are asked for.
const TRANSLATIONS: usize = 1200;
/// Equal tone is pushed above this cosine by CSL, on so many pairs.
const MARGIN: f64 = 0.9;
const LEARNED: usize = 4000;
/// Pairs of each corpus that λ is tuned on, and that KOSMIC is judged on.
const JUDGED: usize = 800;
/// λ is searched on a grid of so many steps.
const STEPS: usize = 20;

/// FIC, learned from StyleKQC's questions and commands, judged on other corpora of other texts.
pub(super) fn fic(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let model = Fic::open(train_fic_model(context)?, &context.inference())?;
    let formality = formality(context)?;
    for (name, groups) in [
        ("IWSLT formality", &formality),
        ("SmileStyle", &smile_style(context, &["formal"], &["informal"])?),
        ("StyleKQC act-dev", &style_kqc_tsv(context.data(STYLE_KQC_DEV))?),
    ] {
        // The share of texts whose tone is told right.
        let (texts, tones): (Vec<&str>, Vec<Tone>) = labelled(groups).into_iter().unzip();
        let told = model.probabilities(&texts)?.into_iter().zip(tones);
        let right = told.filter(|(formal, tone)| (*formal > 0.5) == (*tone == Tone::Formal));
        let accuracy = right.count() as f64 / texts.len().max(1) as f64;
        report.figure(&format!("{name}, accuracy"), accuracy)?;
    }
    let pairs = tone_pairs(&formality, TRANSLATIONS, 1);
    let scores = model.score_pairs(&texts(&pairs))?;
    let agreement = above_threshold(&scores, &same(&pairs), SAME_TONE_ABOVE)?;
    report.figure("pairs at 2.5, accuracy", agreement.accuracy)?;
    report.figure("pairs at 2.5, F1", agreement.f1)?;
    report.figure("pairs at 2.5, precision", agreement.precision)
}

/// KOSMIC whole: λ tuned on pairs of StyleKQC and paraKQC, the paper's Table 1 on pairs of
/// SmileStyle.
pub(super) fn kosmic(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let csl = Csl::new(Arc::new(context.embedder(&train_csl_model(context)?)?));
    let kosmic = Kosmic::new(
        Arc::new(Sts::open(train_sts_models(context)?, &context.inference())?),
        Arc::new(Fic::open(train_fic_model(context)?, &context.inference())?),
        Arc::new(csl.clone()),
        // The parts are asked for, which no weights change.
        KosmicWeights::new(1.0, 0.0, 0.0)?,
    );
    let parts = |pairs: &[TonePairing<'_>]| -> Result<Vec<[f64; 3]>> {
        let scores = kosmic.score(&texts(pairs))?;
        Ok(scores.into_iter().map(|score| score.parts.as_array()).collect())
    };
    let style_kqc = style_kqc_tsv(context.data(STYLE_KQC_DEV))?;
    // Nobody labelled the tones of paraKQC: those that the grammar reads off the endings.
    let analyzer = RegisterAnalyzer::without_dictionary();
    let is_formal = |text: &str| Ok(analyzer.analyze(text)?.polite);
    let groups = para_kqc_tsv(context.data(PARA_KQC))?.into_iter();
    let groups = groups.map(|texts| ToneGroup::by(texts, is_formal));
    let para_kqc: Vec<ToneGroup> = groups.collect::<ko_eval::Result<_>>()?;
    let tuned_on = [tone_pairs(&style_kqc, JUDGED, 1), tone_pairs(&para_kqc, JUDGED, 1)].concat();
    let (tuning, right) = (parts(&tuned_on)?, wanted(&tuned_on));
    let sts = [1.0, 0.0, 0.0];
    let mut rows = vec![("STS alone", sts)];
    for (of, name) in Ablation::ALL {
        rows.push((name, tune(&tuning, &right, STEPS, of.allowed())?.weights));
    }
    let groups = smile_style(context, &["formal", "gentle"], &["informal", "sosim"])?;
    let pairs = tone_pairs(&groups, JUDGED, 1);
    let parts = parts(&pairs)?;
    for row in evaluate(&parts, &wanted(&pairs), &same(&pairs), SAME_TONE_ABOVE, &rows)? {
        let lambda = ["λ of STS", "λ of FIC", "λ of CSL"].into_iter().zip(row.weights);
        let figures = [
            ("Pearson", row.pearson.unwrap_or(0.0)),
            ("Kendall", row.kendall.unwrap_or(0.0)),
            ("accuracy", row.decision.accuracy),
            ("F1", row.decision.f1),
            ("precision", row.decision.precision),
        ];
        report.row("KOSMIC on pairs of SmileStyle", &row.method, lambda.chain(figures))?;
    }
    // How surely a paraphrase in the same tone scores above one in the other tone, and above
    // another meaning in the same tone.
    let whole = rows.last().map_or(sts, |row| row.1);
    for (name, weights) in [("KOSMIC", whole), ("STS alone", sts)] {
        let of = |meaning, tone| -> Vec<f64> {
            let kept = parts
                .iter()
                .zip(&pairs)
                .filter(|(_, pair)| pair.same_meaning == meaning && pair.same_tone() == tone);
            let weigh = |parts: &[f64; 3]| parts.iter().zip(weights).map(|(p, w)| p * w).sum();
            kept.map(|(parts, _)| weigh(parts)).collect()
        };
        let right = of(true, true);
        let what = format!("{name} tells another");
        report.figure(&format!("{what} tone"), separation(&right, &of(true, false)))?;
        report.figure(&format!("{what} meaning"), separation(&right, &of(false, true)))?;
    }
    // CSL for itself, on texts of another kind.
    for (of, groups) in [("IWSLT's formality", &formality(context)?), ("SmileStyle", &groups)] {
        let pairs = tone_pairs(groups, JUDGED, 1);
        let scores = csl.score_pairs(&texts(&pairs))?;
        let decision = above_threshold(&scores, &same(&pairs), SAME_TONE_ABOVE)?;
        report.figure(&format!("CSL, {of}, accuracy at 2.5"), decision.accuracy)?;
    }
    Ok(())
}

/// What each pair was drawn for, 0 to 5.
fn wanted(pairs: &[TonePairing<'_>]) -> Vec<f64> {
    let half = |is: bool| if is { 2.5 } else { 0.0 };
    pairs.iter().map(|pair| half(pair.same_meaning) + half(pair.same_tone())).collect()
}

fn train_fic_model(context: &Context) -> Result<PathBuf> {
    let ([train, dev], backbone) = (learned(context)?, context.backbone()?);
    let (train, dev) = (labelled(&train), labelled(&dev));
    context.trained(
        "fic",
        |builder| builder.batch(16).longest(64).learning_rate(3e-5),
        |folder, training| train_fic(&backbone, &train, &dev, folder, training),
    )
}

fn train_csl_model(context: &Context) -> Result<PathBuf> {
    let ([train, dev], backbone) = (learned(context)?, context.backbone()?);
    let [train, dev] = [(&train, LEARNED), (&dev, LEARNED / 4)].map(|(groups, count)| {
        let pairs = tone_pairs(groups, count, 1).into_iter();
        pairs.map(|pair| (pair.first.0, pair.second.0, pair.same_tone())).collect::<Vec<_>>()
    });
    context.trained(
        "csl",
        |builder| builder.batch(16).longest(64).learning_rate(3e-5).average(0.4),
        |folder, training| train_csl(&backbone, &train, &dev, MARGIN, folder, training),
    )
}

/// StyleKQC's groups as they stand in other texts, to learn from and to choose weights by. The file
/// goes by acts, so every fourth group has them all.
fn learned(context: &Context) -> Result<[Vec<ToneGroup>; 2]> {
    let groups = style_kqc_tsv(context.data(STYLE_KQC_TRAIN))?.into_iter().step_by(4);
    let groups: Vec<ToneGroup> = groups.collect();
    Ok([as_written(&groups, SEED), as_written(&style_kqc_tsv(context.data(STYLE_KQC_DEV))?, SEED)])
}

/// IWSLT's formality: one formal and one informal translation of every sentence.
fn formality(context: &Context) -> Result<Vec<ToneGroup>> {
    let topic = |name: &str| {
        let file = |tone: &str| context.data(&format!("formality/{name}.{tone}.ko"));
        formality_text(file("formal"), file("informal"))
    };
    Ok([topic("telephony")?, topic("topical_chat")?].concat())
}

/// SmileStyle's utterances: these styles in 존댓말, those in 반말.
fn smile_style(context: &Context, formal: &[&str], informal: &[&str]) -> Result<Vec<ToneGroup>> {
    let path = context.data("smilestyle/smilestyle_dataset.tsv");
    Ok(smile_style_columns(path, formal, informal)?.concat())
}

fn labelled(groups: &[ToneGroup]) -> Vec<(&str, Tone)> {
    groups.iter().flat_map(ToneGroup::sentences).collect()
}

fn texts<'t>(pairs: &[TonePairing<'t>]) -> Vec<(&'t str, &'t str)> {
    pairs.iter().map(|pair| (pair.first.0, pair.second.0)).collect()
}

fn same(pairs: &[TonePairing<'_>]) -> Vec<bool> {
    pairs.iter().map(TonePairing::same_tone).collect()
}
