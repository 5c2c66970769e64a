//! The rows of metrics over models: `bertscore:klue-bert,layer=9`, `rdass:sbert`, `kosmic:sts=A,fic=B,csl=C`.
//!
//! They stand in the table whether models are compiled in or not; without the feature `torch` a row says what it lacks. A model
//! is a folder: as it is written, or else by its name under [`ko_eval_core::home`].

#[cfg(not(feature = "torch"))]
mod absent;
#[cfg(feature = "torch")]
mod open;

#[cfg(not(feature = "torch"))]
use absent as open;

use crate::{BertScore, Device, Kosmic, LongText, Precision, Rdass, kosmic::KosmicWeights};
use ko_eval_core::{
    BuildMetric, MetricEntry, Over, PairMetric, PairScorer, Params, Recorded, Result, Scorer,
    Signature, Signed,
    setting::{Argument, Choice, Optional, Text, Whole},
};
use std::sync::Arc;

/// Every metric over models by its name.
pub const METRICS: &[MetricEntry] = &[
    MetricEntry {
        name: "bertscore",
        summary: "every token finds its most similar partner on the other side",
        reference: "bert-score 0.3.13",
        argument: Some(Argument::path("MODEL")),
        params: &[
            LAYER.param(),
            IDF.param(),
            RESCALE.param(),
            LongText::SETTING.param(),
            THREADS.param(),
            Device::SETTING.param(),
            Precision::SETTING.param(),
        ],
        range: (f64::NEG_INFINITY, 1.0),
        variants: &[],
        build: BuildMetric::Alone {
            open: |params, _| open::bertscore(params),
            recorded: |_, signature| {
                let word = |key| signature.get(key).unwrap_or("no");
                let metric = BertScore::new(Arc::new(Recorded::field(signature, "encoder")));
                Ok(Box::new(metric.signed_as(word("idf"), word("rescale"))))
            },
        },
    },
    MetricEntry {
        name: "rdass",
        summary: "a summary's likeness to its reference and to its document",
        reference: "none: the paper's formula, see docs/METRICS.md",
        argument: Some(Argument::path("MODEL")),
        params: &[
            POOLING.param(),
            LongText::SETTING.param(),
            THREADS.param(),
            Device::SETTING.param(),
            Precision::SETTING.param(),
        ],
        range: (-1.0, 1.0),
        variants: &[],
        build: BuildMetric::Alone {
            open: |params, _| open::rdass(params),
            recorded: |_, signature| {
                Ok(Box::new(Rdass::new(Arc::new(Recorded::field(signature, "embedder")))))
            },
        },
    },
    MetricEntry {
        name: "kosmic",
        summary: "likeness in meaning, formality and tone together, 0 to 5",
        reference: "none: the paper's formula, see docs/METRICS.md",
        argument: None,
        params: &[
            STS.param(),
            FIC.param(),
            CSL.param(),
            WEIGHTS.param(),
            Over::SETTING.param(),
            PAIR_LONG.param(),
            THREADS.param(),
            Device::SETTING.param(),
            Precision::SETTING.param(),
        ],
        range: (0.0, 5.0),
        variants: &[],
        build: BuildMetric::Alone {
            open: |params, library| match by_grammar(params)? {
                Some(spec) => library.metric(&spec, ""),
                None => pair_metric(params, open::kosmic(params)?),
            },
            recorded: |params, signature| {
                if by_grammar(params)?.is_some() {
                    let own = signature.clone().without(Over::SETTING.param().name);
                    return pair_metric(params, Arc::new(RecordedParts(Recorded::new(own))));
                }
                let part = |key| Arc::new(Recorded::field(signature, key));
                let (sts, fic, csl) = (part("sts"), part("fic"), part("csl"));
                pair_metric(params, Arc::new(Kosmic::new(sts, fic, csl, weights(params)?)))
            },
        },
    },
    pair_row("sts", "likeness in meaning by a trained cross-encoder, 0 to 5", |params, _| {
        pair_metric(params, open::sts(params)?)
    }),
    pair_row("fic", "likeness in formality by a trained classifier, 0 to 5", |params, _| {
        pair_metric(params, open::fic(params)?)
    }),
    pair_row("csl", "likeness in tone by a trained embedder, 0 to 5", |params, _| {
        pair_metric(params, open::csl(params)?)
    }),
];

/// The row of one part of KOSMIC.
const fn pair_row(
    name: &'static str,
    summary: &'static str,
    open: fn(&Params, &ko_eval_core::Library) -> Result<Box<dyn Scorer>>,
) -> MetricEntry {
    MetricEntry {
        name,
        summary,
        reference: "none: the paper's formula, see docs/METRICS.md",
        argument: Some(Argument::path("MODEL")),
        params: PAIR_PARAMS,
        range: (0.0, 5.0),
        variants: &[],
        build: BuildMetric::Alone {
            open,
            recorded: |params, signature| {
                // The scorer's own signature lacks only what the adapter adds.
                let own = signature.clone().without(Over::SETTING.param().name);
                pair_metric(params, Arc::new(Recorded::new(own)))
            },
        },
    }
}

const PAIR_PARAMS: &[ko_eval_core::Param] = &[
    Over::SETTING.param(),
    PAIR_LONG.param(),
    THREADS.param(),
    Device::SETTING.param(),
    Precision::SETTING.param(),
];

const LAYER: Optional<Whole> = Whole::new(
    "layer",
    0,
    0,
    1000,
    "the layer whose vectors are compared, from 1 (0 is the embeddings)",
)
.optional("the one that KoBERTScore chose for the model, else the last");

const IDF: Text =
    Text::new("idf", "FILE", "no", "weigh tokens by their rarity among these texts, one per line");

const RESCALE: Text = Text::new(
    "rescale",
    "FILE",
    "no",
    "rescale by this table of baselines: columns LAYER, P, R, F, as bert-score's and KoBERTScore's",
);

const POOLING: Text = Text::new(
    "pooling",
    "cls, mean, max or mean-of-last-K",
    "as the folder says, else mean",
    "how a text's tokens become one vector",
);

const THREADS: Optional<Whole> =
    Whole::new("threads", 1, 1, 1024, "batches at a time, a core each").optional("all cores");

/// Pairs cannot be read in chunks.
const PAIR_LONG: Choice<LongText> = Choice::new(
    "long",
    &[("error", LongText::Error), ("truncate", LongText::Truncate)],
    "what happens to a pair longer than the model reads",
);

const STS: Text = Text::new(
    "sts",
    "MODEL, or METRIC@UNIT beside grammar",
    "none",
    "the model of meaning (`ko-eval train sts`)",
);
const FIC: Text = Text::new(
    "fic",
    "MODEL or grammar",
    "none",
    "the classifier of formality (`ko-eval train fic`)",
);
const CSL: Text =
    Text::new("csl", "MODEL or grammar", "none", "the embedder of tone (`ko-eval train csl`)");

const WEIGHTS: Text = Text::new(
    "weights",
    "three numbers with `/` between that sum to 1",
    "0.5/0.25/0.25",
    "the weights of STS, FIC and CSL",
);

/// `kosmic:sts=chrf@jamo,fic=grammar,csl=grammar` names no model: it is the metric `kosmic-grammar`, which signs itself so. The
/// analyzer may follow: `grammar@mecab`.
fn by_grammar(params: &Params) -> Result<Option<String>> {
    let part = |setting: &Text| params.read(setting).map(Option::unwrap_or_default);
    let (fic, csl) = (part(&FIC)?, part(&CSL)?);
    let analyzer = |value: &str| {
        let (word, analyzer) = value.split_once('@').unwrap_or((value, "endings"));
        (word == "grammar").then(|| analyzer.to_owned())
    };
    match (analyzer(&fic), analyzer(&csl)) {
        (None, None) => Ok(None),
        (Some(fic), Some(csl)) if fic == csl => {
            let over = Over::SETTING.word(&params.read(&Over::SETTING)?);
            let mut spec = format!("kosmic-grammar:analyzer={fic},over={over}");
            for setting in [&STS, &WEIGHTS] {
                if let Some(value) = params.read(setting)? {
                    spec.push_str(&format!(",{}={value}", setting.param().name));
                }
            }
            Ok(Some(spec))
        }
        _ => {
            Err(params
                .invalid(CSL.param().name, "`grammar` for both `fic` and `csl`, or for neither"))
        }
    }
}

/// KOSMIC by grammar of which only the signature is left: its statistics still have their parts.
#[derive(Debug)]
struct RecordedParts(Recorded);

impl Signed for RecordedParts {
    fn signature(&self) -> Signature {
        self.0.signature()
    }
}

impl PairScorer for RecordedParts {
    fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
        self.0.score_pairs(pairs)
    }

    fn part_names(&self) -> &'static [&'static str] {
        &["sts", "fic", "csl"]
    }
}

fn pair_metric(params: &Params, scorer: Arc<dyn PairScorer>) -> Result<Box<dyn Scorer>> {
    Ok(Box::new(PairMetric::new(scorer).over(params.read(&Over::SETTING)?)))
}

fn weights(params: &Params) -> Result<KosmicWeights> {
    let given = params.read(&WEIGHTS)?;
    let text = given.unwrap_or_else(|| WEIGHTS.param().default.to_string());
    let numbers: Result<Vec<f64>, _> = text.split('/').map(|part| part.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[sts, fic, csl]) => KosmicWeights::new(sts, fic, csl),
        _ => Err(params.invalid(WEIGHTS.param().name, WEIGHTS.param().expected())),
    }
}
