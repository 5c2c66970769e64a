//! Systems that translate English into Korean: their published BLEU, and every metric on every unit
//! beside their published COMET.

use super::units::ALL;
use crate::{prelude::*, tables::is_printed};
use ko_eval::{Cached, Corpus, Direction, MetricEntry, read::Lines};

/// sacreBLEU's own unit.
const KO_MECAB: &str = "ko-mecab";

/// Units beside those of the table.
const MORE_UNITS: &[&str] = &[KO_MECAB, "mecab:level=particle", "mecab:level=ending"];

/// What a unit's tokenizer may remember, in bytes.
const MEMORY: usize = 512 << 20;

/// A test set, a system, and what it wrote, with its printed BLEU and COMET.
type Translation = (String, String, Corpus, [String; 2]);

/// The published BLEU, which is part of the data, to its decimal.
pub(crate) fn run(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let bleu = ko_eval::metric("bleu", KO_MECAB)?;
    for (set, system, corpus, [printed, _]) in read_all(context)? {
        let ours = bleu.corpus_score(&corpus.segments())?.score.value;
        report.value("BLEU", &system, &set, ours)?;
        let equal = is_printed(&printed, ours)?;
        let describe = || format!("{set}, {system}: {ours} where {printed} is printed");
        report.finding("translations, BLEU").add(equal, describe);
    }
    Ok(())
}

/// Every metric on every unit that is there: Pearson and Kendall with COMET over the systems of a
/// set, each the mean over all sets.
pub(crate) fn run_all(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let translations = read_all(context)?;
    let rows = ko_eval::UNITS.iter().filter(|row| row.why_not_compared().is_none());
    for name in rows.map(|row| row.name).chain(MORE_UNITS.iter().copied()) {
        let unit: Arc<dyn Tokenizer> = match ko_eval::unit(name) {
            Ok(unit) => Arc::new(Cached::new(unit, MEMORY)),
            Err(error) if !MORE_UNITS.contains(&name) => {
                println!("        {name} is left out: {error}");
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        eprintln!("        {name}");
        for spec in report.rows(ALL) {
            let metric = MetricEntry::build_from(ko_eval::METRICS, &spec.parse()?, unit.clone())?;
            let mut sets: BTreeMap<&str, [Vec<f64>; 2]> = BTreeMap::new();
            for (set, system, corpus, [_, comet]) in &translations {
                let score = metric.corpus_score(&corpus.segments())?.score.value;
                report.value("scores", &format!("{set} {system} {name}"), spec, score)?;
                let [ours, theirs] = sets.entry(set).or_default();
                ours.push(match metric.direction() {
                    Direction::HigherIsBetter => score,
                    Direction::LowerIsBetter => -score,
                });
                theirs.push(comet.parse().with_context(|| format!("COMET of {set}, {system}"))?);
            }
            for kind in [Correlation::Pearson, Correlation::KendallTauB] {
                let each = sets.values().map(|[ours, comet]| Ok(kind.of(ours, comet)?.value));
                let mean = each.sum::<Result<f64>>().map(|sum| sum / sets.len() as f64);
                let table = format!("COMET, {}", kind.name());
                report.value(&table, spec, name, mean.unwrap_or(f64::NAN))?;
            }
        }
    }
    Ok(())
}

/// Every `SET.SYSTEM.ko` with its published scores `SET.SYSTEM.ko.bleu` and `.comet`, in order; the
/// reference is `SET.ko`.
fn read_all(context: &Context) -> Result<Vec<Translation>> {
    let lines = |file: &str| -> Result<Vec<String>> {
        let lines = Lines::open(context.data("mt-enko").join(file))?;
        Ok(lines.collect::<ko_eval::Result<_>>()?)
    };
    let translation = |path: PathBuf| {
        let name = stem(&path);
        let (set, system) =
            name.trim_end_matches(".ko").split_once('.').context("SET.SYSTEM.ko")?;
        let corpus = Corpus::from_columns(lines(&name)?, [lines(&format!("{set}.ko"))?]);
        let printed = |end| anyhow::Ok(read(&path.with_extension(end))?.trim().to_owned());
        let printed = [printed("bleu")?, printed("comet")?];
        Ok((set.to_owned(), system.to_owned(), corpus.with_context(|| name.clone())?, printed))
    };
    context.files("mt-enko/*.ko.bleu")?.into_iter().map(translation).collect()
}
