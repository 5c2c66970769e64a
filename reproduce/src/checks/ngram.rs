//! Every n-gram and edit metric on every golden corpus, in words, characters and jamo.

use crate::prelude::*;

/// The units of the golden files. The references read texts without normalising them.
const UNITS: &[(&str, &str)] =
    &[("word", "word:norm=none"), ("char", "char:norm=none"), ("jamo", "jamo:norm=none")];

#[derive(Deserialize)]
struct Golden {
    pairs: Vec<Pair>,
    /// By `unit/metric`.
    scores: BTreeMap<String, Values>,
}

#[derive(Deserialize)]
struct Pair {
    hyp: String,
    refs: Vec<String>,
}

/// Nothing where the reference divides by zero.
#[derive(Deserialize)]
struct Values {
    corpus: Option<f64>,
    segments: Vec<Option<f64>>,
}

pub(crate) fn run(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let tables = report.golden();
    for path in context.files("../golden/ngram_*.json")? {
        let mut golden: Golden =
            serde_json::from_str(&read(&path)?).with_context(|| path.display().to_string())?;
        for (unit, spec) in UNITS {
            let cut = cut(&golden.pairs, spec)?;
            let segments: Vec<_> = cut.iter().map(OwnedSegment::as_segment).collect();
            for table in &tables {
                let tolerance = table.tolerance.context("a golden table without tolerance")?;
                for (name, spec) in &table.rows {
                    let key = format!("{unit}/{name}");
                    let place = format!("{} {key}", stem(&path));
                    let values = golden.scores.remove(&key).context("no such values");
                    let finding = report.finding(name);
                    let outcome = values.and_then(|values| {
                        compare(finding, &spec.concat(), &segments, &values, tolerance, &place)
                    });
                    outcome.unwrap_or_else(|error| finding.fail(format!("{place}: {error:#}")));
                }
            }
        }
        for key in golden.scores.keys() {
            report.finding(key).fail(format!("only in {}", path.display()));
        }
    }
    Ok(())
}

/// The texts as the references got them: units joined by one space.
fn cut(pairs: &[Pair], spec: &str) -> Result<Vec<OwnedSegment>> {
    let unit = ko_eval::unit(spec)?;
    let join = |text: &String| -> Result<String> {
        let tokens = unit.tokenize(text)?;
        Ok(tokens.iter().map(|token| token.as_str()).collect::<Vec<_>>().join(" "))
    };
    let segment = |pair: &Pair| {
        let references = pair.refs.iter().map(join).collect::<Result<Vec<_>>>()?;
        Ok(OwnedSegment::new(join(&pair.hyp)?, references)?)
    };
    pairs.iter().map(segment).collect()
}

fn compare(
    finding: &mut Finding,
    spec: &str,
    segments: &[Segment<'_>],
    values: &Values,
    tolerance: f64,
    place: &str,
) -> Result<()> {
    let evaluation = ko_eval::metric(spec, "none")?.evaluate(&segments)?;
    let corpus = [("corpus".to_owned(), &evaluation.corpus.score, values.corpus)];
    let each = evaluation.segments.iter().zip(&values.segments).enumerate();
    let each =
        each.map(|(index, (ours, reference))| (format!("segment {index}"), ours, *reference));
    for (part, ours, reference) in corpus.into_iter().chain(each) {
        let place = format!("{place} {part}");
        match reference {
            Some(reference) => finding.add_number(ours.value, reference, tolerance, &place),
            None => finding.add(ours.flags.contains(&Flag::Undefined), || {
                format!("{place}: {} without a flag, the reference has no value", ours.value)
            }),
        }
    }
    Ok(())
}
