//! Morphemes and tags: against those of the original programs, against gold morphemes, and how many
//! there are.

use crate::prelude::*;
use ko_eval::tokenize::{
    Level, Leveled,
    gold::{Asked, Gold, Matching},
    tokenize_all,
};

/// A row of a golden table names our analyzer, and the field of a line with another one where that
/// is missing.
pub(crate) fn run(context: &Context, report: &mut Report<'_>) -> Result<()> {
    for table in report.golden() {
        let mut lines: Vec<Value> = Vec::new();
        for path in context.files(&format!("../golden/{}", table.place))? {
            lines.extend(json_lines::<Value>(&path)?);
        }
        for (name, cells) in &table.rows {
            let [unit, field, instead] = cells.as_slice() else { bail!("{name}: three cells") };
            let unit = context.filled_in(unit);
            let analyzer = match table.optional {
                true => report.installed(&unit)?,
                false => Some(analyzer_by_name(&unit)?),
            };
            let Some(analyzer) = analyzer else { continue };
            for line in &lines {
                let text = line["s"].as_str().context("a sentence without text")?;
                // Some programs were asked for a part of the sentences.
                let Some(expected) = line.get(field).or(line.get(instead)) else { continue };
                let expected = expected.as_array().context("morphemes are not a list")?;
                // kiwipiepy marks regular predicates; see `ko_tokenize::kiwi`.
                let expected = expected.iter().filter_map(Value::as_str);
                let expected = expected.map(|unit| unit.strip_suffix("-R").unwrap_or(unit));
                let morphemes = analyzer.analyze(text)?;
                let ours = morphemes.iter().map(|m| format!("{}/{}", m.form, m.tag));
                let ours: Vec<String> = ours.collect();
                let equal = expected.eq(ours.iter().map(String::as_str));
                report.finding(name).add(equal, || format!("{text}: {}", ours.join(" ")));
            }
        }
    }
    Ok(())
}

/// The public benchmark of kiwipiepy's repository, and whole sentences with gold morphemes.
pub(crate) fn run_bench(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let files = context.files("analyzer-bench/*.txt")?.into_iter();
    let files = files.map(|path| Ok((stem(&path), Gold::read(path)?)));
    let files: Vec<(String, Gold)> = files.collect::<Result<_>>()?;
    for unit in report.rows("bench") {
        let Some(analyzer) = report.installed(unit)? else { continue };
        for (name, gold) in &files {
            // The benchmark's own rule; of whole sentences the share of all gold morphemes that are
            // in the analysis.
            let counts = gold.evaluate(&*analyzer, Matching::Letters)?.counts;
            report.value("bench", unit, name, counts.accuracy())?;
            if gold.asked() == Asked::All {
                let counts = gold.evaluate(&*analyzer, Matching::Tags)?.counts;
                let (p, f) = (counts.precision().unwrap_or(0.0), counts.f1().unwrap_or(0.0));
                let cells = [("P", p), ("R", counts.recall()), ("F1", f)];
                let cells = cells.map(|(what, value)| (format!("{name} {what}"), value));
                report.row("Sejong's tags", unit, cells)?;
            }
        }
    }
    Ok(())
}

const LEVELS: [(&str, Level); 3] =
    [("particle", Level::Particle), ("ending", Level::Ending), ("morpheme", Level::Morpheme)];

/// Units per word at each level that grammarians count words at, on Korean CommonGen's references.
pub(crate) fn run_levels(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let items = read_items(context.data("commongen/dataset/test.jsonl"), BadLines::Refuse)?;
    let items = items.into_values();
    let texts = items.iter().flat_map(|item| item.references()).map(String::as_str);
    let texts: Vec<&str> = texts.collect::<BTreeSet<_>>().into_iter().collect();
    let words: usize = texts.iter().map(|text| text.split_whitespace().count()).sum();
    for unit in report.rows("levels") {
        let Some(analyzer) = report.installed(unit)? else { continue };
        let mut below = 0.0;
        for (column, level) in LEVELS {
            let leveled = Leveled::new(Arc::clone(&analyzer), level);
            let units: usize = tokenize_all(&leveled, &texts)?.iter().map(Vec::len).sum();
            let ratio = units as f64 / words as f64;
            report.value("units per word", unit, column, ratio)?;
            report.value("levels", unit, column, ratio - below)?;
            below = ratio;
        }
    }
    Ok(())
}
