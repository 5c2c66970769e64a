//! sacreBLEU's signatures: read as instructions, and written beside ours.
//!
//! A signature of sacreBLEU 2.x says everything that decides a BLEU, chrF or TER but the order of BLEU, which is 4, and chrF's β,
//! which stands in the metric's name. So it can be followed:
//!
//! ```
//! use ko_ngram_metrics::sacrebleu::Published;
//!
//! let told: Published = "nrefs:1|case:lc|eff:no|tok:ko-mecab-0.996/ko-0.9.2-KO|smooth:floor[0.10]|version:2.6.0".parse()?;
//! assert_eq!(told.metric, "bleu:order=4,smooth=floor,smooth-value=0.1,effective-order=never,case=lower");
//! assert_eq!((told.unit.as_str(), told.references), ("ko-mecab", Some(1)));
//!
//! let other = "nrefs:1|case:mixed|eff:no|tok:ja-mecab|smooth:exp|version:2.6.0".parse::<Published>();
//! assert!(other.unwrap_err().to_string().contains("`tok` cannot be `ja-mecab`"));
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! | field | of | followed as |
//! |---|---|---|
//! | `nrefs` | all | how many references a segment must have; `var` is any number |
//! | `case` | all | `case` |
//! | `eff` | BLEU; chrF | `effective-order`; `eps-smoothing` |
//! | `tok` | BLEU; TER | the unit; only `tercom` |
//! | `smooth` | BLEU | `smooth`, `smooth-value` |
//! | `nc`, `nw`, `space` | chrF | `char-order`, `word-order`, `whitespace` |
//! | `norm`, `punct`, `asian` | TER | `normalized`, `no-punct`, `asian-support` |
//! | `version` | all | 2 and anything behind it |
//!
//! Any other field (`bs`, `ar`, `seed`: how an interval was drawn; `test`, `lang`, `origlang`, `subset`: which data were scored) is
//! refused by its name, and so is one that is missing. The short form (`#:1|c:mixed|e:no|…`), the metric's name before the first field and
//! ` = 34.00 …` behind the last are understood. With `space:yes`, sacreBLEU counts each of several spaces in a row, and we count one.

use crate::{
    Case,
    bleu::{self, EffectiveOrder, Smoothing},
    chrf::{self, Missing},
    settings::{CASE, ORDER},
    ter::{Normalization, Punctuation, Script, tercom},
};
use ko_eval_core::{Error, Recorded, Result, Score, Signature, Spec};
use ko_eval_io::home;
use std::{collections::BTreeMap, str::FromStr, sync::Arc};

/// The version whose signatures are written.
const VERSION: &str = "2.6.0";
/// The unit of metrics that split at white space only.
const WORDS: &str = "sacrebleu-none";
/// sacreBLEU's names of units that are ours under the same name.
const SAME: [&str; 3] = ["13a", "intl", "zh"];
/// How sacreBLEU names its Korean tokenizer in signatures.
const KO_MECAB: &str = "ko-mecab-0.996/ko-0.9.2-KO";
/// Tokenizers that are SentencePiece models.
const MODELS: [&str; 2] = ["flores101", "flores200"];

/// What a signature asks for, in our words.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Published {
    /// The metric, as written on the command line.
    pub metric: String,
    /// The unit.
    pub unit: String,
    /// How many references each segment has; nothing if their number varies.
    pub references: Option<usize>,
}

/// The metrics that have such signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bleu,
    Chrf,
    Ter,
}

impl Kind {
    /// Field names and their short forms, in the order in which sacreBLEU writes them.
    fn fields(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Bleu => &[
                ("nrefs", "#"),
                ("case", "c"),
                ("eff", "e"),
                ("tok", "tok"),
                ("smooth", "s"),
                ("version", "v"),
            ],
            Self::Chrf => &[
                ("nrefs", "#"),
                ("case", "c"),
                ("eff", "e"),
                ("nc", "nc"),
                ("nw", "nw"),
                ("space", "s"),
                ("version", "v"),
            ],
            Self::Ter => &[
                ("nrefs", "#"),
                ("case", "c"),
                ("tok", "t"),
                ("norm", "nr"),
                ("punct", "pn"),
                ("asian", "as"),
                ("version", "v"),
            ],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Bleu => "BLEU",
            Self::Chrf => "chrF",
            Self::Ter => "TER",
        }
    }
}

fn refused(name: &str, value: &str, expected: impl Into<String>) -> Error {
    Error::invalid("sacreBLEU's signature", name, value, expected.into())
}

impl FromStr for Published {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.split(" = ").next().unwrap_or(text).trim();
        let bad = |reason: &str| Error::BadSignature { text: text.into(), reason: reason.into() };
        let (name, fields) = match text.split_once('|') {
            Some((first, rest)) if !first.contains(':') => (Some(first), rest),
            _ => (None, text),
        };
        let pairs: Vec<(&str, &str)> = fields
            .split('|')
            .map(|field| field.split_once(':').ok_or_else(|| bad("a field is `name:value`")))
            .collect::<Result<_>>()?;
        let has = |names: &[&str]| pairs.iter().any(|(name, _)| names.contains(name));
        let (kind, beta) = match name {
            Some("BLEU") => (Kind::Bleu, 2),
            Some("TER") => (Kind::Ter, 2),
            Some(other) => {
                match other.strip_prefix("chrF").map(|rest| rest.trim_end_matches('+')) {
                    Some("") => (Kind::Chrf, 2),
                    Some(beta) => {
                        let beta =
                            beta.parse().map_err(|_| bad("β in `chrFβ` is a whole number"))?;
                        (Kind::Chrf, beta)
                    }
                    None => return Err(bad("expected a signature of BLEU, chrF or TER")),
                }
            }
            None if has(&["smooth"]) || has(&["tok"]) && !has(&["norm", "punct", "asian"]) => {
                (Kind::Bleu, 2)
            }
            None if has(&["nc", "nw"]) => (Kind::Chrf, 2),
            None if has(&["norm", "punct", "asian", "nr", "pn", "as"]) => (Kind::Ter, 2),
            None => return Err(bad("expected a signature of BLEU, chrF or TER")),
        };
        let mut found = BTreeMap::new();
        for (name, value) in pairs {
            let field = kind.fields().iter().find(|(long, short)| [*long, *short].contains(&name));
            let Some((field, _)) = field else {
                let known: Vec<_> = kind.fields().iter().map(|(long, _)| *long).collect();
                let expected = format!("it left out: of {} only {}", kind.name(), known.join(", "));
                return Err(refused(name, value, expected));
            };
            if found.insert(*field, value).is_some() {
                return Err(refused(field, value, "the field only once"));
            }
        }
        if let Some((missing, _)) = kind.fields().iter().find(|(long, _)| !found.contains_key(long))
        {
            return Err(refused(missing, "", "the field, which decides the number"));
        }
        Fields(found).follow(kind, beta)
    }
}

/// All fields of a signature.
struct Fields<'t>(BTreeMap<&'static str, &'t str>);

impl Fields<'_> {
    fn get(&self, name: &str) -> &str {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// One of two words.
    fn either<T>(&self, name: &str, words: [(&str, T); 2]) -> Result<T> {
        let value = self.get(name);
        let expected = format!("{} or {}", words[0].0, words[1].0);
        let found = words.into_iter().find(|(word, _)| *word == value);
        found.map(|(_, meaning)| meaning).ok_or_else(|| refused(name, value, expected))
    }

    fn number(&self, name: &str) -> Result<usize> {
        let value = self.get(name);
        value.parse().map_err(|_| refused(name, value, "a whole number"))
    }

    fn follow(&self, kind: Kind, beta: u32) -> Result<Published> {
        let version = self.get("version");
        if version.split('.').next() != Some("2") {
            return Err(refused("version", version, "2.x: older ones count otherwise"));
        }
        let references = match self.get("nrefs") {
            "var" => None,
            _ => Some(self.number("nrefs")?),
        };
        let case = self.either("case", [("mixed", "mixed"), ("lc", "lower")])?;
        let yes_no = [("yes", "yes"), ("no", "no")];
        let (metric, unit) = match kind {
            Kind::Bleu => {
                let order = self.either("eff", [("yes", "always"), ("no", "never")])?;
                let smooth = self.smoothing()?;
                let settings = format!("order=4,{smooth},effective-order={order},case={case}");
                (format!("bleu:{settings}"), unit_of(self.get("tok"))?)
            }
            Kind::Chrf => {
                let eps = self.either("eff", [("yes", "no"), ("no", "yes")])?;
                let (characters, words) = (self.number("nc")?, self.number("nw")?);
                let space = self.either("space", yes_no)?;
                let settings = format!(
                    "char-order={characters},word-order={words},beta={beta},whitespace={space},\
                     eps-smoothing={eps},case={case}"
                );
                (format!("chrf:{settings}"), WORDS.to_owned())
            }
            Kind::Ter => {
                let tok = self.get("tok");
                if tok != "tercom" {
                    return Err(refused("tok", tok, "tercom"));
                }
                let (norm, asian) = (self.either("norm", yes_no)?, self.either("asian", yes_no)?);
                let punct = self.either("punct", [("yes", "no"), ("no", "yes")])?;
                let settings =
                    format!("case={case},normalized={norm},no-punct={punct},asian-support={asian}");
                (format!("ter:{settings}"), WORDS.to_owned())
            }
        };
        // A number that no setting takes is refused here, and not only when the metric is built.
        crate::by_name(&metric, Arc::new(Recorded::new(Signature::new(&unit))))?;
        Ok(Published { metric, unit, references })
    }

    /// `exp`, `none`, `floor[0.10]`, `add-k[1.00]`.
    fn smoothing(&self) -> Result<String> {
        let value = self.get("smooth");
        let wrong = || refused("smooth", value, "exp, none, floor[X] or add-k[X]");
        match value {
            "exp" | "none" => Ok(format!("smooth={value}")),
            _ => {
                let (method, rest) = value.split_once('[').ok_or_else(wrong)?;
                let number = rest.strip_suffix(']').and_then(|number| number.parse::<f64>().ok());
                match (method, number) {
                    ("floor" | "add-k", Some(number)) => {
                        Ok(format!("smooth={method},smooth-value={number}"))
                    }
                    _ => Err(wrong()),
                }
            }
        }
    }
}

/// Our unit for one of sacreBLEU's tokenizers.
fn unit_of(tok: &str) -> Result<String> {
    match tok {
        "none" => Ok(WORDS.into()),
        "char" => Ok("sacrebleu-char".into()),
        "ko-mecab" | KO_MECAB => Ok("ko-mecab".into()),
        same if SAME.contains(&same) => Ok(same.into()),
        "spm" => unit_of("flores101"),
        model if MODELS.contains(&model) => {
            let path = home().join(format!("{model}.model"));
            match path.is_file() {
                true => Ok(format!("spm:{}", path.display())),
                false => Err(Error::Missing {
                    what: format!("the SentencePiece model behind sacreBLEU's `tok:{model}`"),
                    how_to_get_it: format!("copy it to {}", path.display()),
                }),
            }
        }
        other => {
            let known = format!("none, char, {}, ko-mecab, {}", SAME.join(", "), MODELS.join(", "));
            Err(refused("tok", other, format!("one of {known}")))
        }
    }
}

/// The line that sacreBLEU would print for a score, its own signature included; nothing if the metric, its unit or its settings
/// are none of sacreBLEU's.
///
/// `references` is the number of references of every segment, or nothing if it varies.
pub fn line(metric: &str, unit: &str, references: Option<usize>, score: &Score) -> Option<String> {
    let spec: Spec = metric.parse().ok()?;
    let params = &spec.params;
    let references = references.map_or("var".to_owned(), |count| count.to_string());
    let case = if params.read(&CASE).ok()? == Case::Lower { "lc" } else { "mixed" };
    let begin = format!("nrefs:{references}|case:{case}");
    let value = format!("{:.2}", score.value);
    let end = format!("version:{VERSION} = {value}");
    match spec.name() {
        "bleu" if params.read(&ORDER).ok()? == 4 => {
            let tok = match unit.split(':').next()? {
                "sacrebleu-none" => "none",
                "sacrebleu-char" => "char",
                "ko-mecab" => KO_MECAB,
                "spm" => {
                    MODELS.into_iter().find(|model| unit.ends_with(&format!("{model}.model")))?
                }
                same => SAME.into_iter().find(|name| *name == same)?,
            };
            // sacreBLEU's default for a corpus is ours.
            let eff = match params.read(&bleu::EFFECTIVE_ORDER).ok()? {
                EffectiveOrder::Always => "yes",
                EffectiveOrder::Segments | EffectiveOrder::Never => "no",
            };
            let smooth = match Smoothing::read(params).ok()? {
                Smoothing::Exp => "exp".to_owned(),
                Smoothing::Floor(value) => format!("floor[{value:.2}]"),
                Smoothing::AddK(value) => format!("add-k[{value:.2}]"),
                Smoothing::None => "none".to_owned(),
            };
            let detail = |name: &str| score.detail(name);
            let precisions: Vec<String> = (1..=4)
                .map(|n| detail(&format!("precision-{n}")).map(|p| format!("{p:.1}")))
                .collect::<Option<_>>()?;
            let (hypothesis, reference) =
                (detail("hypothesis-length")?, detail("reference-length")?);
            let ratio = if reference > 0.0 { hypothesis / reference } else { 0.0 };
            Some(format!(
                "BLEU|{begin}|eff:{eff}|tok:{tok}|smooth:{smooth}|{end} {} (BP = {:.3} ratio = {ratio:.3} \
                 hyp_len = {hypothesis:.0} ref_len = {reference:.0})",
                precisions.join("/"),
                detail("brevity-penalty")?
            ))
        }
        "chrf" if unit == WORDS => {
            let eff = match params.read(&chrf::MISSING).ok()? {
                Missing::Epsilon => "no",
                Missing::LeaveOut => "yes",
            };
            let nc = params.read(&chrf::CHAR_ORDER).ok()?;
            let nw = params.read(&chrf::WORD_ORDER).ok()?;
            let space = chrf::WHITE_SPACE.word(&params.read(&chrf::WHITE_SPACE).ok()?);
            let plus = "+".repeat(nw);
            // sacreBLEU knows whole numbers only.
            let beta = Some(params.read(&chrf::BETA).ok()?).filter(|beta| beta.fract() == 0.0)?;
            Some(format!("chrF{beta}{plus}|{begin}|eff:{eff}|nc:{nc}|nw:{nw}|space:{space}|{end}"))
        }
        "ter" if unit == WORDS => {
            let word =
                |setting: &str, on: bool| format!("{setting}:{}", if on { "yes" } else { "no" });
            let norm = params.read(&tercom::NORMALIZED).ok()? == Normalization::Western;
            let punct = params.read(&tercom::NO_PUNCT).ok()? == Punctuation::Kept;
            let asian = params.read(&tercom::ASIAN_SUPPORT).ok()? == Script::Asian;
            let settings =
                [word("norm", norm), word("punct", punct), word("asian", asian)].join("|");
            Some(format!("TER|{begin}|tok:tercom|{settings}|{end}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_no_setting_takes_are_refused() {
        for text in [
            "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:9223372036854775808|space:no|version:2.6.0",
            "chrF4294967295|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0",
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:floor[NaN]|version:2.6.0",
        ] {
            let error = text.parse::<Published>().unwrap_err();
            assert!(matches!(error, Error::InvalidParameter { .. }), "{text}: {error}");
        }
    }
}
