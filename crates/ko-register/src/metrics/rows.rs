//! The rows of the registry. All stand alone: they see text through a morphological analyzer, and need no units.

use super::{
    GrammarKosmic, Honorifics, LikenessBy, RegisterConsistency, RegisterMatch, RegisterTarget,
    Target, TargetBy, analyzer_by_name,
};
use crate::RegisterAnalyzer;
use ko_eval_core::{
    BuildMetric, Library, MetricEntry, Params, Recorded, Result, Scorer, Signature, Signed, Token,
    Tokenizer,
    setting::{Choice, Text},
};
use ko_eval_model::{Over, PairMetric, PairScorer};
use ko_tokenize::{Morpheme, MorphemeAnalyzer};
use std::sync::Arc;

/// Every metric of this crate by its name.
pub const METRICS: &[MetricEntry] = &[
    row(
        "register",
        "agreement of speech level with the references, or how much of a text is at the level that was asked for",
        &[TARGET.param(), BY.param(), ANALYZER.param()],
        &["target=polite", "target=plain,by=text", "target=해요체"],
        BuildMetric::Alone {
            open: |params, _| register(params, open(params)?),
            recorded: |params, signature| register(params, recorded(signature)),
        },
    ),
    row(
        "register-consistency",
        "how well a text keeps its speech level",
        &[ANALYZER.param()],
        &[],
        BuildMetric::Alone {
            open: |params, _| Ok(Box::new(RegisterConsistency::new(open(params)?))),
            recorded: |_, signature| Ok(Box::new(RegisterConsistency::new(recorded(signature)))),
        },
    ),
    row(
        "honorifics",
        "agreement of subject and object honorification and of honorific words",
        &[ANALYZER.param()],
        &[],
        BuildMetric::Alone {
            open: |params, _| Ok(Box::new(Honorifics::new(open(params)?))),
            recorded: |_, signature| Ok(Box::new(Honorifics::new(recorded(signature)))),
        },
    ),
    MetricEntry {
        range: (0.0, 5.0),
        ..row(
            "kosmic-grammar",
            "likeness in meaning by a metric, in formality and tone by grammar, 0 to 5; not the trained KOSMIC",
            &[STS.param(), WEIGHTS.param(), Over::SETTING.param(), ANALYZER.param()],
            &["weights=1/0/0"],
            BuildMetric::Alone {
                open: |params, library| kosmic(params, sts(params, library)?, open(params)?),
                recorded: |params, signature| {
                    let sts = Arc::new(Recorded::field(signature, STS.param().name));
                    kosmic(params, sts, recorded(signature))
                },
            },
        )
    },
];

const fn row(
    name: &'static str,
    summary: &'static str,
    params: &'static [ko_eval_core::Param],
    variants: &'static [&'static str],
    build: BuildMetric,
) -> MetricEntry {
    let reference = "none: see the formula in docs/METRICS.md";
    MetricEntry {
        name,
        summary,
        reference,
        argument: None,
        params,
        range: (0.0, 100.0),
        variants,
        build,
    }
}

const ANALYZER: Text = Text::new(
    "analyzer",
    "endings, or a unit with tags such as mecab",
    ENDINGS,
    "what takes text apart; endings needs no dictionary",
);
const ENDINGS: &str = "endings";

const TARGET: Text = Text::new(
    "target",
    "polite, plain, 하십시오체, 해요체, 하오체, 하게체, 해라체 or 해체",
    "that of the references",
    "the register that was asked for; then no reference is needed",
);

const BY: Choice<TargetBy> = Choice::new(
    "by",
    &[("sentence", TargetBy::Sentence), ("text", TargetBy::Text)],
    "with a target: whether sentences or texts are counted",
);

const STS: Text = Text::new(
    "sts",
    "METRIC@UNIT",
    DEFAULT_STS,
    "the metric that tells how alike two texts are in meaning",
);
const DEFAULT_STS: &str = "chrf@jamo";

const WEIGHTS: Text = Text::new(
    "weights",
    "three numbers with `/` between that sum to 1",
    "0.5/0.25/0.25",
    "the weights of STS, FIC and CSL",
);

fn open(params: &Params) -> Result<RegisterAnalyzer> {
    let name = params.read(&ANALYZER)?;
    Ok(RegisterAnalyzer::new(analyzer_by_name(name.as_deref().unwrap_or(ENDINGS))?))
}

fn recorded(signature: &Signature) -> RegisterAnalyzer {
    RegisterAnalyzer::new(Arc::new(RecordedAnalyzer(Recorded::field(
        signature,
        ANALYZER.param().name,
    ))))
}

fn register(params: &Params, analyzer: RegisterAnalyzer) -> Result<Box<dyn Scorer>> {
    let by = params.read(&BY)?;
    let Some(text) = params.read(&TARGET)? else {
        return Ok(Box::new(RegisterMatch::new(analyzer)));
    };
    let target: Target =
        text.parse().map_err(|_| params.invalid(TARGET.param().name, TARGET.param().expected()))?;
    Ok(Box::new(RegisterTarget::new(target, analyzer).by(by)))
}

fn sts(params: &Params, library: &Library) -> Result<Arc<dyn PairScorer>> {
    let text = params.read(&STS)?;
    let text = text.as_deref().unwrap_or(DEFAULT_STS);
    let (metric, unit) = text.split_once('@').unwrap_or((text, "jamo"));
    let range = library.row(&metric.parse()?)?.range;
    Ok(Arc::new(LikenessBy::new(library.metric(metric, unit)?, range)?))
}

fn kosmic(
    params: &Params,
    sts: Arc<dyn PairScorer>,
    analyzer: RegisterAnalyzer,
) -> Result<Box<dyn Scorer>> {
    let mut kosmic = GrammarKosmic::new(sts, analyzer);
    if let Some(text) = params.read(&WEIGHTS)? {
        let numbers: Result<Vec<f64>, _> =
            text.split('/').map(|part| part.trim().parse()).collect();
        let weights = numbers.ok().and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
        let wrong = || params.invalid(WEIGHTS.param().name, WEIGHTS.param().expected());
        kosmic = kosmic.weights(weights.ok_or_else(wrong)?)?;
    }
    Ok(Box::new(PairMetric::new(Arc::new(kosmic)).over(params.read(&Over::SETTING)?)))
}

/// An analyzer of which only the signature is left.
#[derive(Debug)]
struct RecordedAnalyzer(Recorded);

impl Signed for RecordedAnalyzer {
    fn signature(&self) -> Signature {
        self.0.signature()
    }
}

impl Tokenizer for RecordedAnalyzer {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        self.0.tokenize(text)
    }
}

impl MorphemeAnalyzer for RecordedAnalyzer {
    fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
        // It refuses, and says why.
        self.0.tokenize(text).map(|_| Vec::new())
    }
}
