//! The rows of metrics over models: `bertscore:klue-bert,layer=9`, `rdass:sbert`, `kosmic:sts=A,fic=B,csl=C`.
//!
//! They stand in the table whether models are compiled in or not; without the feature `torch` a row says what it lacks. A model
//! is a folder: as it is written, or else by its name under [`ko_eval_io::home`].

#[cfg(not(feature = "torch"))]
mod absent;
#[cfg(feature = "torch")]
mod open;

#[cfg(not(feature = "torch"))]
use absent as open;

use crate::{
    BertScore, Device, Kosmic, LongText, Precision, Rdass, VectorFile, VectorProgram,
    bertscore::Idf, kosmic::KosmicWeights, read,
};
use ko_eval_core::{
    BuildMetric, MetricEntry, Params, Recorded, Result, Scorer, Signature, Signed,
    setting::{Argument, Choice, Number, Optional, Text, Whole},
};
use ko_eval_io::{bridge::Program, read::Lines};
use ko_eval_model::{Encoder, Over, PairMetric, PairScorer};
use std::{path::Path, sync::Arc, time::Duration};

/// Where a model's folder keeps its table of baselines, if it has one.
pub const BASELINES: &str = "bertscore-baselines.csv";

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
            VECTORS.param(),
            PROGRAM.param(),
            VERSION.param(),
            TIMEOUT.param(),
        ],
        range: (f64::NEG_INFINITY, 1.0),
        variants: &[],
        build: BuildMetric::Alone {
            open: |params, _| match outside(params)? {
                Some(Outside::File(file)) => over_encoder(params, Arc::new(file), None),
                Some(Outside::Program(program)) => over_encoder(params, Arc::new(program), None),
                None => open::bertscore(params),
            },
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
            PROMPT.param(),
            PREFIX.param(),
            VECTORS.param(),
            PROGRAM.param(),
            VERSION.param(),
            TIMEOUT.param(),
        ],
        range: (-1.0, 1.0),
        variants: &[],
        build: BuildMetric::Alone {
            open: |params, _| match outside(params)? {
                Some(Outside::File(file)) => Ok(Box::new(Rdass::new(Arc::new(file)))),
                Some(Outside::Program(program)) => Ok(Box::new(Rdass::new(Arc::new(program)))),
                None => open::rdass(params),
            },
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
    "rescale by this table of baselines: columns LAYER, P, R, F, as bert-score's and KoBERTScore's; `model` is the one kept in the model's folder",
);

const POOLING: Text = Text::new(
    "pooling",
    "cls, mean, max, last or mean-of-last-K",
    "as the folder says, else mean",
    "how a text's tokens become one vector",
);

const PROMPT: Text = Text::new(
    "prompt",
    "NAME",
    "the default one of the folder, if it names one",
    "the prompt of this name in config_sentence_transformers.json stands before every text",
);

const PREFIX: Text = Text::new(
    "prefix",
    "TEXT",
    "no",
    "this text and a space stand before every text, as in `prefix=query:`",
);

const VECTORS: Text = Text::new(
    "vectors",
    "FILE",
    "a model's",
    "vectors of another runtime, one JSON object per line, instead of a model",
);

const PROGRAM: Text = Text::new(
    "program",
    "COMMAND",
    "a model's",
    "vectors from a program instead of a model: a line of text in, a JSON object out",
)
.program();

const VERSION: Text =
    Text::new("version", "a text", "none", "the program's version, for the signature");

const TIMEOUT: Optional<Number> =
    Number::new("timeout", 600.0, 0.0, 1e9, "seconds to wait for an answer of the program")
        .optional("600");

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

/// Vectors that no model here makes.
enum Outside {
    File(VectorFile),
    Program(VectorProgram),
}

/// The file or the program that a row names; `None` if its vectors are a model's.
fn outside(params: &Params) -> Result<Option<Outside>> {
    let (file, program) = (params.read(&VECTORS)?, params.read(&PROGRAM)?);
    // What would be done to a program is not done to anything else, and must not seem to be.
    for param in [VERSION.param(), TIMEOUT.param()] {
        if program.is_none() && params.get(param.name).is_some() {
            return Err(params.invalid(param.name, "nothing without `program`"));
        }
    }
    if file.is_none() && program.is_none() {
        return Ok(None);
    }
    if let Some(model) = params.argument() {
        let expected = format!("`vectors`, `program` or a model, and not `{model}` as well");
        return Err(params.invalid("MODEL", expected));
    }
    // Nor is what would be done to a model done to vectors.
    for param in [
        LongText::SETTING.param(),
        THREADS.param(),
        Device::SETTING.param(),
        Precision::SETTING.param(),
        POOLING.param(),
        PROMPT.param(),
        PREFIX.param(),
    ] {
        if params.get(param.name).is_some() {
            return Err(params.invalid(param.name, "nothing: it is a setting of models"));
        }
    }
    match (file, program) {
        (Some(path), None) => Ok(Some(Outside::File(VectorFile::open(path)?))),
        (None, Some(command)) => {
            let form = || params.invalid(PROGRAM.param().name, "a command");
            let mut program = Program::parse(&command).ok_or_else(form)?;
            if let Some(version) = params.read(&VERSION)? {
                program = program.version(version);
            }
            if let Some(seconds) = params.read(&TIMEOUT)? {
                program = program.timeout(Duration::from_secs_f64(seconds));
            }
            Ok(Some(Outside::Program(VectorProgram::new(program)?)))
        }
        _ => Err(params.invalid(VECTORS.param().name, "nothing beside `program`")),
    }
}

/// BERTScore with the row's weights and baselines. Vectors of others have no layer of their own: `layer` only says which row of the
/// baselines is theirs.
fn over_encoder(
    params: &Params,
    encoder: Arc<dyn Encoder>,
    model: Option<(&Path, usize)>,
) -> Result<Box<dyn Scorer>> {
    let layer = model.map(|(_, layer)| layer);
    let idf = |path| {
        let texts: Vec<String> = Lines::open(path)?.collect::<Result<_>>()?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Idf::from_references(&*encoder, &texts)
    };
    let idf = params.read(&IDF)?.map(idf).transpose()?;
    let mut metric = BertScore::new(encoder);
    if let Some(idf) = idf {
        metric = metric.idf(idf);
    }
    let given = params.read(&LAYER)?;
    let table = params.read(&RESCALE)?.map(|path| match model {
        Some((folder, _)) if path == "model" => folder.join(BASELINES),
        _ => path.into(),
    });
    match (table, layer.or(given)) {
        (Some(path), Some(layer)) => metric = metric.baseline(read::baseline(path, layer)?)?,
        (Some(_), None) => {
            let expected = "`layer` beside it, which names the row of the table";
            return Err(params.invalid(RESCALE.param().name, expected));
        }
        (None, None) => {}
        (None, Some(_)) if layer.is_none() => {
            let expected = "`rescale` beside it: vectors of others have no layers";
            return Err(params.invalid(LAYER.param().name, expected));
        }
        (None, Some(_)) => {}
    }
    Ok(Box::new(metric))
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
