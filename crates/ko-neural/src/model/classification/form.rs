//! What the families' heads differ in: a layer between the encoder and the labels, its function and its name.

use crate::{
    error::{Error, Result},
    files::config::Settings,
    pooling::Pooling,
};

/// What is labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Token,
    Text,
}

impl Level {
    /// How the names of transformers' classes end.
    fn ending(self) -> &'static str {
        match self {
            Self::Token => "ForTokenClassification",
            Self::Text => "ForSequenceClassification",
        }
    }
}

/// One family's head.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Form {
    /// What transformers calls the whole model.
    pub(crate) class: String,
    /// From tokens to a text; `None` where every token has a label.
    pub(crate) pooling: Option<Pooling>,
    pub(crate) between: Option<Between>,
    /// The layer of the labels.
    pub(crate) labels: &'static str,
    pub(crate) dropout: f64,
}

/// The layer between the encoder and the labels.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Between {
    pub(crate) name: &'static str,
    pub(crate) lies: Lies,
    pub(crate) function: Function,
    pub(crate) has_bias: bool,
    /// What is dropped before it.
    pub(crate) dropout: f64,
    pub(crate) norm: Option<HeadNorm>,
}

/// Where a layer stands among the names of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lies {
    /// Under the encoder's prefix, because the encoder was trained with it.
    InEncoder,
    Beside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Tanh,
    Gelu,
    Relu,
    Silu,
}

/// A norm after the function.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HeadNorm {
    pub(crate) name: &'static str,
    pub(crate) epsilon: f64,
    pub(crate) has_bias: bool,
}

impl Form {
    /// The head of a `config.json`'s family; `dropout` is the encoder's.
    pub(crate) fn of(config: &Settings, level: Level, dropout: f64) -> Result<Self> {
        let family = config.text(&["model_type"]).unwrap_or_default();
        let class = match family {
            "bert" => "Bert",
            "albert" => "Albert",
            "roberta" => "Roberta",
            "xlm-roberta" => "XLMRoberta",
            "electra" => "Electra",
            "modernbert" => "ModernBert",
            "deberta-v2" => "DebertaV2",
            _ => {
                let known = "bert, albert, roberta, xlm-roberta, electra, modernbert, deberta-v2";
                return Err(Error::UnknownArchitecture {
                    path: config.path().into(),
                    name: format!("{family} with labels"),
                    known: known.into(),
                });
            }
        };
        let keys: &[&str] = match (family, level) {
            ("deberta-v2", Level::Token) => &[],
            ("deberta-v2", Level::Text) => &["cls_dropout"],
            _ => &["classifier_dropout", "classifier_dropout_prob"],
        };
        let dropout = config.share(keys, dropout)?;
        let dense = |name, lies, function, dropout| Between {
            name,
            lies,
            function,
            has_bias: true,
            dropout,
            norm: None,
        };
        let (between, labels) = match (family, level) {
            ("modernbert", _) => (Some(modern(config)?), "classifier"),
            (_, Level::Token) => (None, "classifier"),
            ("bert", Level::Text) => {
                (Some(dense("pooler.dense", Lies::InEncoder, Function::Tanh, 0.0)), "classifier")
            }
            ("albert", Level::Text) => {
                (Some(dense("pooler", Lies::InEncoder, Function::Tanh, 0.0)), "classifier")
            }
            ("deberta-v2", Level::Text) => {
                let function = function(config, "pooler_hidden_act")?;
                let dropout = config.share(&["pooler_dropout"], 0.0)?;
                (Some(dense("pooler.dense", Lies::Beside, function, dropout)), "classifier")
            }
            (_, Level::Text) => {
                let function = if family == "electra" { Function::Gelu } else { Function::Tanh };
                let layer = dense("classifier.dense", Lies::Beside, function, dropout);
                (Some(layer), "classifier.out_proj")
            }
        };
        let pooling = match (level, config.text(&["classifier_pooling"])) {
            (Level::Token, _) => None,
            (Level::Text, None | Some("cls")) => Some(Pooling::Cls),
            (Level::Text, Some("mean")) => Some(Pooling::Mean),
            (Level::Text, Some(other)) => {
                let reason = format!("unknown pooling `{other}`; known: cls, mean");
                return Err(config.bad(&["classifier_pooling"], reason));
            }
        };
        let class = format!("{class}{}", level.ending());
        Ok(Self { class, pooling, between, labels, dropout })
    }
}

/// ModernBERT's layer, which it has for tokens, too.
fn modern(config: &Settings) -> Result<Between> {
    Ok(Between {
        name: "head.dense",
        lies: Lies::Beside,
        function: function(config, "classifier_activation")?,
        has_bias: config.yes(&["classifier_bias"], false),
        dropout: 0.0,
        norm: Some(HeadNorm {
            name: "head.norm",
            epsilon: config.share(&["norm_eps"], 1e-5)?,
            has_bias: config.yes(&["norm_bias"], false),
        }),
    })
}

fn function(config: &Settings, key: &str) -> Result<Function> {
    match config.text(&[key]) {
        None | Some("gelu") => Ok(Function::Gelu),
        Some("tanh") => Ok(Function::Tanh),
        Some("relu") => Ok(Function::Relu),
        Some("silu") => Ok(Function::Silu),
        Some(other) => {
            let reason = format!("unknown function `{other}`; known: gelu, tanh, relu, silu");
            Err(config.bad(&[key], reason))
        }
    }
}
