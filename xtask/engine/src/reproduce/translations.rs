//! Six systems that translate English into Korean: their published BLEU, and every metric on every unit beside their published COMET.

use super::{Data, Finding, commongen_judged::METRICS, read};
use anyhow::{Context, Result, ensure};
use ko_eval::{
    Cached, Corpus, Direction, MetricEntry, Scorer, Tokenizer, meta::Correlation, read::Lines,
};
use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path, sync::Arc};

/// sacreBLEU's own unit.
const KO_MECAB: &str = "ko-mecab";

/// Units beside those of the table.
const MORE_UNITS: &[&str] = &[KO_MECAB, "mecab:level=particle", "mecab:level=ending"];

/// What a unit's tokenizer may remember, in bytes.
const MEMORY: usize = 512 << 20;

/// One system's translation of one test set.
struct Translation {
    set: String,
    system: String,
    corpus: Corpus,
    /// As printed.
    bleu: String,
    comet: f64,
}

/// The published BLEU, to its decimal.
pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let bleu = ko_eval::metric("bleu", KO_MECAB)?;
    let mut finding = Finding::new("translations, BLEU");
    for Translation { set, system, corpus, bleu: printed, .. } in read_all(data)? {
        let ours = bleu.corpus_score(&corpus.segments())?.score.value;
        let digits = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        println!("        {set:<12} {system:<22} {ours:.digits$} ({printed} published)");
        let place = || format!("{set}, {system}");
        finding.add_rounded(ours, printed.parse().with_context(place)?, digits, place);
    }
    Ok(vec![finding])
}

/// Every metric on every unit that is there, against COMET. Nothing is published to compare the coefficients with; what is checked is
/// that they exist.
pub(super) fn run_all(data: &Data) -> Result<Vec<Finding>> {
    let translations = read_all(data)?;
    let mut units = Vec::new();
    for row in ko_eval::UNITS.iter().filter(|row| row.why_not_compared().is_none()) {
        match ko_eval::unit(row.name) {
            Ok(unit) => units.push((row.name, unit)),
            Err(error) => println!("        {} is left out: {error}", row.name),
        }
    }
    for spec in MORE_UNITS {
        units.push((spec, ko_eval::unit(spec)?));
    }
    let names: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
    let mut scores = String::from("set\tsystem\tCOMET\tmetric\tunit\tscore\n");
    let mut table: BTreeMap<(usize, &str), [f64; 2]> = BTreeMap::new();
    let mut finding = Finding::new("translations, COMET");
    for (name, unit) in units {
        eprintln!("        {name}");
        let unit: Arc<dyn Tokenizer> = Arc::new(Cached::new(unit, MEMORY));
        for (number, spec) in METRICS.iter().enumerate() {
            let scorer = MetricEntry::build_from(ko_eval::METRICS, &spec.parse()?, unit.clone())?;
            let values = corpus_scores(&*scorer, &translations)?;
            for (translation, value) in translations.iter().zip(&values) {
                let Translation { set, system, comet, .. } = translation;
                writeln!(scores, "{set}\t{system}\t{comet}\t{spec}\t{name}\t{value}")?;
            }
            let cell = agreement(scorer.direction(), &translations, &values);
            finding.add(cell.is_ok(), || format!("{spec} on {name} is undefined"));
            if let Ok(cell) = cell {
                table.insert((number, name), cell);
            }
        }
    }
    let folder = Path::new("target/reproduction/translations");
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let page = page(&names, &table)?;
    for (file, text) in [("scores.tsv", &scores), ("comet.md", &page)] {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        println!("        {}", path.display());
    }
    Ok(vec![finding])
}

fn corpus_scores(scorer: &dyn Scorer, translations: &[Translation]) -> Result<Vec<f64>> {
    let score = |t: &Translation| Ok(scorer.corpus_score(&t.corpus.segments())?.score.value);
    translations.iter().map(score).collect()
}

/// Pearson and Kendall over the systems of a set, each the mean over all sets.
fn agreement(
    direction: Direction,
    translations: &[Translation],
    scores: &[f64],
) -> Result<[f64; 2]> {
    let mut sets: BTreeMap<&str, [Vec<f64>; 2]> = BTreeMap::new();
    for (translation, &score) in translations.iter().zip(scores) {
        let [ours, comet] = sets.entry(&translation.set).or_default();
        ours.push(match direction {
            Direction::HigherIsBetter => score,
            Direction::LowerIsBetter => -score,
        });
        comet.push(translation.comet);
    }
    let mut means = [0.0; 2];
    for [ours, comet] in sets.values() {
        for (mean, kind) in means.iter_mut().zip([Correlation::Pearson, Correlation::KendallTauB]) {
            *mean += kind.of(ours, comet)?.value / sets.len() as f64;
        }
    }
    Ok(means)
}

fn page(units: &[&str], table: &BTreeMap<(usize, &str), [f64; 2]>) -> Result<String> {
    let mut page =
        String::from("Pearson r, Kendall τ-b with COMET over systems, means over test sets\n\n");
    writeln!(page, "| metric | {} |", units.join(" | "))?;
    writeln!(page, "|---|{}", "---|".repeat(units.len()))?;
    for (number, metric) in METRICS.iter().enumerate() {
        write!(page, "| {metric} |")?;
        for unit in units {
            match table.get(&(number, *unit)) {
                Some([r, tau]) => write!(page, " {r:.3}, {tau:.2} |")?,
                None => write!(page, " |")?,
            }
        }
        writeln!(page)?;
    }
    Ok(page)
}

/// Every `SET.SYSTEM.ko` with its published scores `SET.SYSTEM.ko.bleu` and `.comet`, in order; the reference is `SET.ko`.
fn read_all(data: &Data) -> Result<Vec<Translation>> {
    let folder = data.folder.join("mt-enko");
    let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<Result<Vec<String>>>()?;
    names.sort();
    let mut translations = Vec::new();
    for name in names {
        let Some((set, system)) =
            name.strip_suffix(".ko.bleu").and_then(|stem| stem.split_once('.'))
        else {
            continue;
        };
        let lines = |file: &str| -> Result<Vec<String>> {
            Ok(Lines::open(folder.join(file))?.collect::<ko_eval::Result<_>>()?)
        };
        let hypotheses = lines(&format!("{set}.{system}.ko"))?;
        let published = |kind: &str| -> Result<String> {
            Ok(read(&folder.join(format!("{set}.{system}.ko.{kind}")))?.trim().to_owned())
        };
        let comet = published("comet")?;
        translations.push(Translation {
            corpus: Corpus::from_columns(hypotheses, [lines(&format!("{set}.ko"))?])
                .with_context(|| format!("{set}, {system}"))?,
            bleu: published("bleu")?,
            comet: comet.parse().with_context(|| format!("COMET of {set}, {system}: {comet}"))?,
            set: set.to_owned(),
            system: system.to_owned(),
        });
    }
    ensure!(!translations.is_empty(), "{} holds no published scores", folder.display());
    Ok(translations)
}
