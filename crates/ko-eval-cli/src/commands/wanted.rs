//! Which metrics over which units: the arguments that `score`, `compare` and others share.

use crate::{lang::tr, models, names};
use anyhow::Result;
use ko_eval::{Panel, Spec, ngram::sacrebleu::Published};

const WORD_BLEU: &str =
    "BLEU-4 on words agrees least with people; `-u char -m bleu:order=2` agrees best";

/// Metrics and units.
#[derive(Debug, clap::Args)]
pub(crate) struct WantedArgs {
    /// A metric, as NAME[:key=value,…]; repeatable (see `ko-eval metrics`)
    /// [default: bleu with the order that agrees best with people on the unit (1 for words, 2 for morphemes and
    /// characters, 5 for jamo), and chrf]
    #[arg(long = "metric", short, value_name = "SPEC")]
    metrics: Vec<String>,
    /// A unit, as NAME[:key=value,…]; repeatable (see `ko-eval units`). Metrics over models have none
    #[arg(long = "unit", short, value_name = "SPEC", default_values = ["char"])]
    units: Vec<String>,
    #[command(flatten)]
    how: models::MetricModelArgs,
}

impl WantedArgs {
    /// All metrics over all units.
    pub(crate) fn panel(&self) -> Result<Panel> {
        self.panel_with(&[])
    }

    /// The same, and what signatures of sacreBLEU ask for; they alone, if no metric is named.
    pub(crate) fn panel_with(&self, signatures: &[Published]) -> Result<Panel> {
        let mut wanted: Vec<(String, String)> =
            signatures.iter().map(|told| (told.metric.clone(), told.unit.clone())).collect();
        let metrics = self.metrics.iter().flat_map(|spec| names::metrics(spec));
        let metrics: Vec<String> = metrics.map(|spec| self.how.of(&spec)).collect();
        self.how.check(metrics.iter().map(String::as_str))?;
        for metric in &metrics {
            models::check_argument(metric)?;
        }
        for unit in self.units.iter().map(|spec| names::unit(spec)) {
            match metrics.as_slice() {
                [] if !signatures.is_empty() => {}
                [] => wanted.extend(by_default(&unit).map(|metric| (metric, unit.clone()))),
                metrics => {
                    wanted.extend(metrics.iter().map(|metric| (metric.clone(), unit.clone())));
                }
            }
        }
        for (metric, unit) in &wanted {
            if is_word_bleu(metric, unit) {
                eprintln!("ko-eval: {}: {}", tr("hint"), tr(WORD_BLEU));
            }
        }
        Ok(ko_eval::panel(wanted.iter().map(|(metric, unit)| (metric.as_str(), unit.as_str())))?)
    }
}

/// A text that a model does not read whole names the way out.
pub(super) fn explained(error: ko_eval::Error) -> anyhow::Error {
    match error {
        ko_eval::Error::TooLong { unit: "tokens", .. } => anyhow::anyhow!(
            "{error}; `long=truncate` reads only its beginning, `long=chunk`, where the metric has it, all of it: \
             -m NAME:MODEL,long=truncate"
        ),
        error => error.into(),
    }
}

/// What is measured when nothing is asked for: the metrics of the table in the guide that agree best with people, BLEU
/// with the order that fits the unit.
fn by_default(unit: &str) -> [String; 2] {
    let order = match unit.split(':').next() {
        Some("word" | "none" | "13a" | "intl" | "sacrebleu-none") => 1,
        Some("jamo") => 5,
        _ => 2,
    };
    [format!("bleu:order={order}"), "chrf".to_owned()]
}

/// Whether it is BLEU of order 4 over words.
fn is_word_bleu(metric: &str, unit: &str) -> bool {
    let Ok(spec) = metric.parse::<Spec>() else { return false };
    let order = spec.params.get("order").unwrap_or("4");
    spec.name() == "bleu" && order == "4" && unit.split(':').next() == Some("word")
}
