//! Models of two sentences' meaning, judged on KorSTS's test set, which none of them learns from.

use super::{
    tones::{PARA_KQC, STYLE_KQC_TRAIN},
    *,
};
use ko_eval::{meta::selection::rank, neural::bertscore::Match};

/// The cross-encoders whose mean is taken: one seed alone is a hundredth above or below another.
const SEEDS: [u64; 3] = [1, 2, 3];

/// STS, with the untrained backbone and character n-grams beside it.
pub(super) fn sts(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let folder = train_sts_models(context)?;
    let test = part(context, "test")?;
    let scores = |folder: &Path| -> Result<Vec<f64>> {
        Ok(Sts::open(folder, &context.inference())?.score_pairs(&texts(&test))?)
    };
    let mut alone = Vec::new();
    for seed in SEEDS {
        let scores = scores(&folder.join(name(seed)))?;
        alone.push(agreement(report, &name(seed), &test, &scores)?[0]);
    }
    spread(report, KORSTS, "pearson", &alone)?;
    agreement(report, "STS", &test, &scores(&folder)?)?;
    let untrained = cosines(&context.embedder(&context.backbone()?)?, &texts(&test))?;
    agreement(report, "untrained backbone, mean pooling", &test, &untrained)?;
    let letters = letter_cosines(&test);
    agreement(report, "character 1–2-grams, tf-idf cosine", &test, &letters)?;
    Ok(())
}

/// SBERT in two stages, against the untrained backbone's mean pooling.
pub(super) fn sbert(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let whole = train_sbert_model(context)?;
    let (ranked, backbone) = (ranked(context)?, context.backbone()?);
    let pairs = style_kqc_pairs_tsv(context.data("stylekqc/sts-dev.tsv"))?;
    let styles: Vec<(&str, &str)> = pairs.iter().map(|(a, b, _)| (&**a, &**b)).collect();
    for (name, folder) in [("sbert", &whole), ("after ranking", &ranked), ("backbone", &backbone)] {
        judge(context, report, name, folder)?;
        let scores = cosines(&context.embedder(folder)?, &styles)?.into_iter();
        let told = auc(scores.zip(pairs.iter().map(|(_, _, same)| *same)));
        report.figure(&format!("StyleKQC, paraphrases above other pairs, {name}"), told)?;
    }
    let test = part(context, "test")?;
    let [narrow, single] = [Precision::Bf16, Precision::F32].map(|precision| {
        let inference = context.inference().precision(precision);
        cosines(&Embedder::open(&whole, &inference)?, &texts(&test))
    });
    let narrow = Correlation::Pearson.of(&narrow?, &single?)?.value;
    report.figure("KorSTS test, Pearson of cosines in bf16 and f32", narrow)?;
    context.time(report, &["sbert-ranking", "sbert"])
}

/// What each training of `losses` learns from: pairs with scores, pairs with inference labels,
/// triples, or bare sentences.
const EXAMPLES: usize = 2_880;

/// What each loss gives where all learn from as many examples, once, in the same batches.
pub(super) fn losses(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let scored = evenly(part(context, "train")?);
    let inferred = inference_pairs(context)?;
    let sentences = inferred.iter().flat_map(|pair| [&pair.premise, &pair.hypothesis]).cloned();
    let sentences = evenly(sentences.collect::<BTreeSet<_>>().into_iter().collect());
    let (inferred, ranked) = (evenly(inferred), evenly(ranked_texts(context)?));
    let mut by = |name: &str, from: &Path, stage: Stage<'_>| -> Result<PathBuf> {
        let settings = |builder: TrainingBuilder| {
            let builder = builder.longest(64).batch(32).learning_rate(3e-5);
            // SimCSE needs dropout, of which the backbone has none.
            if matches!(stage, Stage::SimCse(_)) { builder.dropout(0.1) } else { builder }
        };
        let folder = context.trained(&format!("loss-{name}"), settings, |folder, training| {
            train_sbert(from, &stage, &[], folder, training)
        })?;
        judge(context, report, name, &folder)?;
        Ok(folder)
    };
    let backbone = &context.backbone()?;
    by("simcse", backbone, Stage::SimCse(&sentences))?;
    by("cosine", backbone, Stage::Cosine(&scored))?;
    by("cosent", backbone, Stage::CoSent(&scored))?;
    let softmax = by("softmax", backbone, Stage::Softmax(&inferred))?;
    by("softmax-cosine", &softmax, Stage::Cosine(&scored))?;
    let ranking = by("ranking", backbone, Stage::Ranking(&ranked))?;
    by("ranking-cosent", &ranking, Stage::CoSent(&scored))?;
    Ok(())
}

/// As many of all as each training learns from, evenly chosen.
fn evenly<T>(all: Vec<T>) -> Vec<T> {
    let count = all.len();
    let chosen = |place: usize| place * EXAMPLES / count != (place + 1) * EXAMPLES / count;
    all.into_iter().enumerate().filter(|(place, _)| chosen(*place)).map(|(_, one)| one).collect()
}

/// A baseline of BERTScore is the mean of so many random pairs, drawn by this seed.
const PAIRS: (usize, u64) = (1000, 12345);

/// BERTScore by layer over the untrained backbone. The baselines are kept in the backbone's folder,
/// where `bertscore:albert-kor-base,rescale=model` finds them.
pub(super) fn bertscore(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let table = "BERTScore by layer";
    let backbone = context.backbone()?;
    let model = Transformer::open(&backbone, &context.inference())?;
    let at = |layer: usize| {
        Ok::<_, ko_eval::neural::Error>(BertScore::new(Arc::new(model.at_layer(layer)?)))
    };
    let by_chance = |layer: usize, pairs: &[ScoredPair]| -> Result<Match> {
        let texts: Vec<&str> = texts(pairs).into_iter().flat_map(|(a, b)| [a, b]).collect();
        Ok(at(layer)?.random_baseline(&texts, PAIRS.0, PAIRS.1)?)
    };
    let train = part(context, "train")?;
    let mut baselines = "LAYER,P,R,F\n".to_owned();
    for layer in 0..=model.layers() {
        let Match { precision, recall, f1 } = by_chance(layer, &train)?;
        baselines += &format!("{layer},{precision},{recall},{f1}\n");
        report.value(table, &layer.to_string(), "baseline of F", f1)?;
    }
    let kept = backbone.join(BASELINES);
    write_atomically(&kept, baselines.as_bytes())?;

    // The first sentence against the second, and what people said.
    let ranked = |layers: &[usize], pairs: &[ScoredPair]| {
        let segments = pairs.iter().map(|pair| Segment::new(&pair.first, [pair.second.as_str()]));
        let segments: Vec<Segment<'_>> = segments.collect::<ko_eval::Result<_>>()?;
        let scorer = |layer| -> ko_eval::Result<Box<dyn Scorer>> { Ok(Box::new(at(layer)?)) };
        let layers = layers.iter().map(|layer| (*layer, scorer(*layer)));
        anyhow::Ok(rank(layers, &segments, &human(pairs))?)
    };
    let layers: Vec<usize> = (0..=model.layers()).collect();
    let on_dev = ranked(&layers, &part(context, "dev")?)?;
    for found in &on_dev {
        let ends = found.interval.as_ref().map(|ends| (ends.interval.low, ends.interval.high));
        let ((low, high), row) = (ends.unwrap_or_default(), found.candidate.to_string());
        let pearson = found.pearson.unwrap_or(0.0);
        report.row(table, &row, [("Pearson, KorSTS dev", pearson), ("from", low), ("to", high)])?;
    }
    let test = part(context, "test")?;
    let best = on_dev.first().map_or(model.layers(), |layer| layer.candidate);
    report.figure("best layer on KorSTS dev", best as f64)?;
    for (what, layer) in [("that layer", best), ("last layer", model.layers())] {
        let pearson = ranked(&[layer], &test)?.first().and_then(|one| one.pearson);
        report.figure(&format!("{what} on KorSTS test, Pearson"), pearson.unwrap_or(0.0))?;
    }
    let (zero, other) = (baseline(kept, best)?.f1, by_chance(best, &test)?.f1);
    report.figure("that layer's baseline, F", zero)?;
    let rescaled = ((other - zero) / (1.0 - zero)).abs();
    report.figure("unrelated sentences of KorSTS test, F rescaled", rescaled)
}

/// Items of RDASS's fine-tuning.
const ITEMS: usize = 320;

/// RDASS on triples made of KorSTS.
pub(super) fn rdass(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let train = documents(&part(context, "train")?);
    let items = train.iter().take(ITEMS).map(|[text, right, summary]| SummaryItem {
        document: text,
        reference: right,
        summary,
    });
    let items: Vec<SummaryItem<'_>> = items.collect();
    let embedder = train_sbert_model(context)?;
    let tuned = context.trained(
        "rdass",
        |builder| builder.longest(96).learning_rate(2e-5),
        |folder, training| train_rdass(&embedder, &items, 1.0, folder, training),
    )?;
    let test = documents(&part(context, "test")?);
    report.figure("triples", test.len() as f64)?;
    for (what, folder) in [("", &tuned), (", before fine-tuning", &embedder)] {
        let rdass = Rdass::new(Arc::new(context.embedder(folder)?));
        // The right summary beside that of the triple half the set away.
        let others = test.iter().cycle().skip(test.len() / 2);
        let segments =
            test.iter().zip(others).flat_map(|([text, reference, right], [.., wrong])| {
                let segment = |summary| Segment::new(summary, [reference.as_str()]);
                [right, wrong].map(|summary: &String| Ok(segment(summary)?.with_source(text)))
            });
        let scores = rdass.segment_scores(&segments.collect::<ko_eval::Result<Vec<_>>>()?)?;
        let right = scores.as_chunks().0.iter().filter(|[right, wrong]| right.value > wrong.value);
        let share = right.count() as f64 / test.len() as f64;
        report.figure(&format!("right summary above a wrong one{what}"), share)?;
    }
    Ok(())
}

/// Documents, references, summaries: of a pair that people find alike (4 and above) the first
/// sentence is the reference, the second the summary, and the first between the sentences before
/// and after it the document.
fn documents(pairs: &[ScoredPair]) -> Vec<[String; 3]> {
    let alike = |three: &&[ScoredPair]| three[1].score >= 4.0 && three[1].first != three[1].second;
    let document = |three: &[ScoredPair]| {
        let document = three.iter().map(|pair| pair.first.as_str()).collect::<Vec<_>>().join(" ");
        [document, three[1].first.clone(), three[1].second.clone()]
    };
    pairs.windows(3).filter(alike).map(document).collect()
}

/// The folder of the trained cross-encoders, which start where SBERT's first stage ended.
pub(super) fn train_sts_models(context: &Context) -> Result<PathBuf> {
    let (train, dev) = (part(context, "train")?, part(context, "dev")?);
    let backbone = ranked(context)?;
    for seed in SEEDS {
        context.trained(
            &format!("sts/{}", name(seed)),
            |builder| builder.epochs(3).average(0.4).seed(seed),
            |folder, training| train_sts(&backbone, &train, &dev, folder, training),
        )?;
    }
    let folder = context.folder("sts");
    Sts::join(&folder, &SEEDS.map(name).each_ref().map(String::as_str))?;
    Ok(folder)
}

fn name(seed: u64) -> String {
    format!("seed-{seed}")
}

/// The folder of SBERT.
pub(super) fn train_sbert_model(context: &Context) -> Result<PathBuf> {
    let (ranked, train) = (ranked(context)?, part(context, "train")?);
    let dev = part(context, "dev")?;
    context.trained(
        "sbert",
        |builder| builder.longest(64).batch(32).epochs(2).learning_rate(3e-5),
        |folder, training| train_sbert(&ranked, &Stage::CoSent(&train), &dev, folder, training),
    )
}

/// SBERT after the first stage.
fn ranked(context: &Context) -> Result<PathBuf> {
    let (texts, dev) = (ranked_texts(context)?, part(context, "dev")?);
    let backbone = context.backbone()?;
    context.trained(
        "sbert-ranking",
        |builder| builder.longest(64).batch(64).learning_rate(4e-5),
        |folder, training| train_sbert(&backbone, &Stage::Ranking(&texts), &dev, folder, training),
    )
}

/// XNLI in Korean and KLUE's development set as triples, and a pair of every group of paraKQC and
/// StyleKQC.
fn ranked_texts(context: &Context) -> Result<Vec<RankedText>> {
    let mut texts = triples(&inference_pairs(context)?);
    texts.extend(paraphrases(para_kqc_tsv(context.data(PARA_KQC))?));
    let groups = style_kqc_tsv(context.data(STYLE_KQC_TRAIN))?;
    texts.extend(paraphrases(groups.iter().map(ToneGroup::texts)));
    Ok(context.some(texts))
}

/// Everything with inference labels.
fn inference_pairs(context: &Context) -> Result<Vec<NliPair>> {
    let files =
        ["kornli/xnli.dev.ko.tsv", "kornli/xnli.test.ko.tsv", "klue/klue-nli-v1.1_dev.json"];
    let parts = files.map(|file| nli(context.data(file))).into_iter();
    Ok(parts.collect::<ko_eval::Result<Vec<_>>>()?.concat())
}

/// KorSTS's `train`, `dev` or `test`.
fn part(context: &Context, name: &str) -> Result<Vec<ScoredPair>> {
    Ok(context.some(sts_tsv(context.data(&format!("korsts/sts-{name}.tsv")))?))
}

fn texts(pairs: &[ScoredPair]) -> Vec<(&str, &str)> {
    pairs.iter().map(|pair| (pair.first.as_str(), pair.second.as_str())).collect()
}

fn human(pairs: &[ScoredPair]) -> Vec<f64> {
    pairs.iter().map(|pair| pair.score).collect()
}

const KORSTS: &str = "KorSTS test";

/// Reports how scores of the test set agree with people.
fn agreement(
    report: &mut Report<'_>,
    row: &str,
    test: &[ScoredPair],
    scores: &[f64],
) -> Result<[f64; 2]> {
    let mut found = [0.0; 2];
    for (value, kind) in found.iter_mut().zip([Correlation::Pearson, Correlation::Spearman]) {
        *value = kind.of(scores, &human(test))?.value;
        report.value(KORSTS, row, kind.name(), *value)?;
    }
    Ok(found)
}

/// Reports how the cosine of a model's vectors agrees with people.
fn judge(context: &Context, report: &mut Report<'_>, row: &str, folder: &Path) -> Result<()> {
    let test = part(context, "test")?;
    let cosines = cosines(&context.embedder(folder)?, &texts(&test))?;
    agreement(report, row, &test, &cosines).map(|_| ())
}

/// The cosine of every pair's vectors.
fn cosines(embedder: &dyn SentenceEmbedder, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
    // Sets of pairs repeat their sentences.
    let distinct: BTreeSet<&str> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let distinct: Vec<&str> = distinct.into_iter().collect();
    let vectors = embedder.embed(&distinct)?;
    let vectors: HashMap<&str, &[f32]> = distinct.iter().copied().zip(vectors.rows()).collect();
    Ok(pairs.iter().map(|(a, b)| f64::from(cosine(vectors[a], vectors[b]))).collect())
}

/// Cosines of tf-idf vectors of characters and pairs of characters, weighted by the test set
/// itself.
fn letter_cosines(pairs: &[ScoredPair]) -> Vec<f64> {
    // How often each is in which sentence.
    let mut grams: BTreeMap<Vec<char>, BTreeMap<usize, f64>> = BTreeMap::new();
    for (place, text) in texts(pairs).into_iter().flat_map(|(a, b)| [a, b]).enumerate() {
        let letters: Vec<char> = text.chars().collect();
        for gram in letters.windows(1).chain(letters.windows(2)) {
            *grams.entry(gram.to_vec()).or_default().entry(place).or_default() += 1.0;
        }
    }
    let mut products = vec![[0.0; 3]; pairs.len()];
    for counts in grams.values() {
        let sentences = 1.0 + 2.0 * pairs.len() as f64;
        let weight = ((sentences / (1.0 + counts.len() as f64)).ln() + 1.0).powi(2);
        for (place, count) in counts {
            products[place / 2][place % 2] += count * count * weight;
            let other = counts.get(&(place + 1)).filter(|_| place % 2 == 0);
            products[place / 2][2] += count * other.unwrap_or(&0.0) * weight;
        }
    }
    let cosine = |[a, b, both]: &[f64; 3]| both / (a * b).sqrt().max(f64::MIN_POSITIVE);
    products.iter().map(cosine).collect()
}
