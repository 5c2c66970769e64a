//! `ko-eval kosmic`: what is not scoring. Scores come from `ko-eval score -m kosmic:sts=A,fic=B,csl=C`.

mod balance;
mod tables;

use crate::{
    cli::named_file,
    corpus::texts,
    models::{self, ModelArgs, explained},
    output::{Cell, OutputArgs, Report},
    progress::Shown,
};
use anyhow::{Context, Result, bail};
pub(crate) use balance::Unbalanced;
use ko_eval::{
    PairScorer, Signed,
    meta::{
        methods::{compare_paraphrases, decide, evaluate},
        selection::tune,
    },
    neural::{
        Kosmic, Prompt,
        kosmic::{Ablation, Csl, KosmicWeights, SAME_TONE_ABOVE},
        read::{ScoredPair, TonedPair, sts, tone_pairs_tsv, toned_tsv},
    },
    read::parallel_text,
};
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    tables: Option<tables::Command>,
    /// The folder of the model of meaning (`ko-eval train sts`)
    #[arg(long, value_name = "FOLDER", required_unless_present = "check_balance", value_parser = models::folder())]
    sts: Option<PathBuf>,
    /// The folder of the classifier of formality (`ko-eval train fic`)
    #[arg(long, value_name = "FOLDER", required_unless_present = "check_balance", value_parser = models::folder())]
    fic: Option<PathBuf>,
    /// The folder of the embedder of tone (`ko-eval train csl`)
    #[arg(long, value_name = "FOLDER", required_unless_present = "check_balance", value_parser = models::folder())]
    csl: Option<PathBuf>,
    /// The first sentences, one per line
    #[arg(long, value_name = "FILE", requires = "methods")]
    first: Option<PathBuf>,
    /// A method's paraphrases of the first sentences, one per line; repeatable
    #[arg(long = "method", value_name = "NAME=FILE", value_parser = named_file,
          requires = "first")]
    methods: Vec<(String, PathBuf)>,
    /// Judge the metric and its ablations by KTSEval1k's protocol: a table with the columns
    /// sentence1, sentence2, score (1 to 5), formality1 and formality2
    #[arg(long, value_name = "FILE", conflicts_with_all = ["first", "methods"])]
    evaluate: Option<PathBuf>,
    /// Judge the metric and its ablations by tone alone, on data without scores: a table with the
    /// columns sentence1, sentence2, formality1 and formality2
    #[arg(long, value_name = "FILE", conflicts_with_all = ["first", "methods", "evaluate"])]
    evaluate_tone: Option<PathBuf>,
    /// The weights of STS, FIC and CSL: three numbers that sum to 1
    #[arg(long, value_name = "A,B,C", value_parser = weights, default_value = "0.5,0.25,0.25")]
    weights: KosmicWeights,
    /// Choose the weights that agree best with people on this table of other pairs: columns
    /// sentence1, sentence2, score (0 to 5), or KLUE's JSON
    #[arg(long, value_name = "FILE", conflicts_with = "weights")]
    tune: Option<PathBuf>,
    /// Weights are searched on a grid of 1/N
    #[arg(long, value_name = "N", default_value_t = 20, requires = "tune")]
    steps: usize,
    #[command(flatten)]
    balance: balance::BalanceArgs,
    #[command(flatten)]
    how: ModelArgs,
    #[command(flatten)]
    output: OutputArgs,
}

fn weights(text: &str) -> Result<KosmicWeights, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[sts, fic, csl]) => {
            KosmicWeights::new(sts, fic, csl).map_err(|error| error.to_string())
        }
        _ => Err("expected three numbers, as in 0.5,0.25,0.25".into()),
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(command) = &args.tables {
        return tables::run(command);
    }
    if let Some(path) = &args.balance.check_balance {
        return balance::run(path, &args.balance, &args.output);
    }
    let models = Models::open(args)?;
    let task = Task::read(args)?;
    let shown = Shown::of("KOSMIC", None);
    let chosen = match &args.tune {
        Some(path) => Chosen::tuned(&models, path, args.steps)?,
        None => Chosen::fixed(args.weights),
    };
    let report = match &task {
        Task::Weights => chosen.report(&models),
        Task::Methods(sources, methods) => {
            method_report(&models.kosmic(chosen.whole), sources, methods)?
        }
        Task::Evaluate(pairs) => evaluation_report(&models, &chosen, pairs)?,
        Task::EvaluateTone(pairs) => tone_report(&models, &chosen, pairs)?,
    };
    drop(shown);
    args.output.write(&report)
}

/// The three parts.
struct Models {
    sts: Arc<dyn PairScorer>,
    fic: Arc<dyn PairScorer>,
    csl: Arc<dyn PairScorer>,
}

impl Models {
    fn open(args: &Args) -> Result<Self> {
        let folder = |given: &'_ Option<PathBuf>, name: &str| {
            given.clone().with_context(|| format!("--{name} FOLDER is missing"))
        };
        let csl = folder(&args.csl, "csl")?;
        let csl = models::embedder(&csl, None, &Prompt::AsTheFolderSays, &args.how)?;
        Ok(Self {
            sts: models::sts(&folder(&args.sts, "sts")?, &args.how)?,
            fic: models::fic(&folder(&args.fic, "fic")?, &args.how)?,
            csl: Arc::new(Csl::new(csl)),
        })
    }

    fn kosmic(&self, weights: KosmicWeights) -> Kosmic {
        Kosmic::new(self.sts.clone(), self.fic.clone(), self.csl.clone(), weights)
    }

    /// The parts of pairs, which no weights change.
    fn parts(&self, pairs: &[(&str, &str)]) -> Result<Vec<[f64; 3]>> {
        let any = KosmicWeights::new(1.0, 0.0, 0.0)?;
        let scores = self.kosmic(any).score(pairs).map_err(explained(sides(pairs)))?;
        Ok(scores.into_iter().map(|score| score.parts.as_array()).collect())
    }
}

/// Pairs without their scores.
fn texts_of<'p>(pairs: impl Iterator<Item = &'p ScoredPair>) -> Vec<(&'p str, &'p str)> {
    pairs.map(|pair| (pair.first.as_str(), pair.second.as_str())).collect()
}

/// Every pair's texts.
fn sides<'t>(pairs: &[(&'t str, &'t str)]) -> impl Iterator<Item = [&'t str; 2]> {
    pairs.iter().map(|&(a, b)| [a, b])
}

/// What is asked for, read before any model runs.
enum Task {
    /// Only the search for weights.
    Weights,
    Methods(Vec<String>, Vec<(String, Vec<String>)>),
    Evaluate(Vec<TonedPair>),
    EvaluateTone(Vec<(String, String, bool)>),
}

impl Task {
    fn read(args: &Args) -> Result<Self> {
        let task = match (&args.first, &args.evaluate, &args.evaluate_tone) {
            (Some(first), ..) if !args.methods.is_empty() => {
                let mut methods = Vec::new();
                for (name, path) in &args.methods {
                    let pairs = parallel(first, path)?;
                    methods.push((name.clone(), pairs.into_iter().map(|(_, b)| b).collect()));
                }
                Self::Methods(texts(first)?, methods)
            }
            (_, Some(path), _) => Self::Evaluate(toned_tsv(path)?),
            (_, _, Some(path)) => Self::EvaluateTone(tone_pairs_tsv(path)?),
            _ if args.tune.is_some() => return Ok(Self::Weights),
            _ => bail!(
                "give --first FILE with --method NAME=FILE, --evaluate FILE, --evaluate-tone FILE, \
                 --check-balance FILE, or --tune FILE; \
                 pairs are scored by `ko-eval score -m kosmic:sts=A,fic=B,csl=C`"
            ),
        };
        let empty = match &task {
            Self::Weights => false,
            Self::Methods(sources, _) => sources.is_empty(),
            Self::Evaluate(pairs) => pairs.is_empty(),
            Self::EvaluateTone(pairs) => pairs.is_empty(),
        };
        if empty { Err(ko_eval::Error::EmptyCorpus.into()) } else { Ok(task) }
    }
}

/// Two parallel files; unequal lengths are named.
fn parallel(first: &Path, second: &Path) -> Result<Vec<(String, String)>> {
    let pair = |segment: ko_eval::Result<ko_eval::OwnedSegment>| {
        let segment = segment?;
        let segment = segment.as_segment();
        let second = segment.references().first().copied().unwrap_or_default();
        Ok((segment.hypothesis().to_owned(), second.to_owned()))
    };
    Ok(parallel_text(first, [second])?.map(pair).collect::<ko_eval::Result<_>>()?)
}

/// The weights of KOSMIC, and of its ablations and itself by name, with how well they agreed with people where they
/// were searched.
struct Chosen {
    whole: KosmicWeights,
    methods: Vec<(&'static str, KosmicWeights, Option<f64>)>,
}

impl Chosen {
    /// Given ones; an ablation leaves out its part, and has no row where nothing else has weight.
    fn fixed(whole: KosmicWeights) -> Self {
        let row = |(of, name)| Some((name, whole.ablated(of).ok()?, None));
        Self { whole, methods: Ablation::ALL.into_iter().filter_map(row).collect() }
    }

    /// Those that agree best with people.
    fn tuned(models: &Models, path: &Path, steps: usize) -> Result<Self> {
        let pairs = sts(path)?;
        let human: Vec<f64> = pairs.iter().map(|pair| pair.score).collect();
        let parts = models.parts(&texts_of(pairs.iter()))?;
        let mut methods = Vec::new();
        let mut whole = None;
        for (of, name) in Ablation::ALL {
            let found = tune(&parts, &human, steps, of.allowed())?;
            let [sts, fic, csl] = found.weights;
            let weights = KosmicWeights::new(sts, fic, csl)?;
            whole = whole.or((of == Ablation::Whole).then_some(weights));
            methods.push((name, weights, Some(found.pearson)));
        }
        Ok(Self { whole: whole.context("no weights")?, methods })
    }

    /// Meaning alone, the ablations, and the whole: the rows of the paper's Table 1.
    fn rows(&self) -> Result<Vec<(&'static str, KosmicWeights)>> {
        let mut rows = vec![("STS", KosmicWeights::new(1.0, 0.0, 0.0)?)];
        rows.extend(self.methods.iter().map(|&(name, weights, _)| (name, weights)));
        Ok(rows)
    }

    fn report(&self, models: &Models) -> Report {
        let (mut rows, mut values) = (Vec::new(), Vec::new());
        for &(name, weights, pearson) in &self.methods {
            let [sts, fic, csl] = weights.as_array();
            let signature = models.kosmic(weights).signature().to_string();
            rows.push(vec![
                name.into(),
                sts.into(),
                fic.into(),
                csl.into(),
                pearson.map_or(Cell::Empty, Cell::from),
                Cell::Signature(signature.clone()),
            ]);
            values.push(json!({
                "method": name, "weights": [sts, fic, csl], "pearson": pearson,
                "signature": signature,
            }));
        }
        let columns = ["method", "sts", "fic", "csl", "pearson", "signature"];
        Report {
            columns: columns.map(str::to_owned).to_vec(),
            rows,
            json: json!({ "tuned": values }),
        }
    }
}

fn method_report(
    kosmic: &Kosmic,
    sources: &[String],
    methods: &[(String, Vec<String>)],
) -> Result<Report> {
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let methods: Vec<(&str, Vec<&str>)> = methods
        .iter()
        .map(|(name, texts)| (name.as_str(), texts.iter().map(String::as_str).collect()))
        .collect();
    let texts = |line: usize| {
        let paraphrases = methods.iter().filter_map(move |(_, texts)| texts.get(line));
        sources.get(line).into_iter().chain(paraphrases).copied()
    };
    let found = compare_paraphrases(kosmic, &sources, &methods).map_err(ko_eval::Error::from);
    let found = found.map_err(explained((0..sources.len()).map(texts)))?;
    let signature = kosmic.signature().to_string();
    let mut columns = vec!["method"];
    columns.extend(kosmic.part_names());
    columns.extend(["kosmic", "signature"]);
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for row in &found {
        let mut cells = vec![Cell::from(row.method.as_str())];
        cells.extend(row.parts.iter().map(|part| Cell::from(*part)));
        cells.extend([row.score.into(), Cell::Signature(signature.clone())]);
        rows.push(cells);
        let mut value = json!({ "method": row.method, "kosmic": row.score });
        for (name, part) in kosmic.part_names().iter().zip(&row.parts) {
            value[*name] = (*part).into();
        }
        values.push(value);
    }
    Ok(Report {
        columns: columns.into_iter().map(str::to_owned).collect(),
        rows,
        json: json!({ "paraphrases": values, "signature": signature }),
    })
}

fn evaluation_report(models: &Models, chosen: &Chosen, pairs: &[TonedPair]) -> Result<Report> {
    let parts = models.parts(&texts_of(pairs.iter().map(|toned| &toned.pair)))?;
    let human: Vec<f64> = pairs.iter().map(|toned| toned.pair.score).collect();
    let same: Vec<bool> = pairs.iter().map(|toned| toned.tones.0 == toned.tones.1).collect();
    let methods = chosen.rows()?;
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    let weighted = weighted(&methods);
    let found = evaluate(&parts, &human, &same, SAME_TONE_ABOVE, &weighted)?;
    for (row, (_, weights)) in found.iter().zip(methods) {
        let signature = models.kosmic(weights).signature().to_string();
        let number = |value: Option<f64>| value.map_or(Cell::Empty, Cell::from);
        rows.push(vec![
            row.method.as_str().into(),
            number(row.pearson),
            number(row.kendall),
            row.decision.accuracy.into(),
            row.decision.f1.into(),
            row.decision.precision.into(),
            Cell::Signature(signature.clone()),
        ]);
        let mut value = serde_json::to_value(row)?;
        value["signature"] = signature.into();
        values.push(value);
    }
    let columns = ["method", "pearson", "kendall", "accuracy", "f1", "precision", "signature"];
    Ok(Report {
        columns: columns.map(str::to_owned).to_vec(),
        rows,
        json: json!({ "methods": values }),
    })
}

fn weighted<'m>(methods: &[(&'m str, KosmicWeights)]) -> Vec<(&'m str, [f64; 3])> {
    methods.iter().map(|&(name, weights)| (name, weights.as_array())).collect()
}

fn tone_report(
    models: &Models,
    chosen: &Chosen,
    pairs: &[(String, String, bool)],
) -> Result<Report> {
    let (texts, same): (Vec<_>, Vec<bool>) =
        pairs.iter().map(|(a, b, same)| ((a.as_str(), b.as_str()), *same)).unzip();
    let parts = models.parts(&texts)?;
    let methods = chosen.rows()?;
    let found = decide(&parts, &same, SAME_TONE_ABOVE, &weighted(&methods))?;
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for (row, (_, weights)) in found.iter().zip(methods) {
        let signature = models.kosmic(weights).signature().to_string();
        let decision = &row.decision;
        rows.push(vec![
            row.method.as_str().into(),
            decision.accuracy.into(),
            decision.f1.into(),
            decision.precision.into(),
            decision.recall.into(),
            Cell::Signature(signature.clone()),
        ]);
        let mut value = serde_json::to_value(row)?;
        value["signature"] = signature.into();
        values.push(value);
    }
    let columns = ["method", "accuracy", "f1", "precision", "recall", "signature"];
    Ok(Report {
        columns: columns.map(str::to_owned).to_vec(),
        rows,
        json: json!({ "methods": values }),
    })
}
