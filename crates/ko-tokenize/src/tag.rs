//! The Sejong tag set, as types.

use std::{fmt, str::FromStr};

macro_rules! tags {
    ($($name:ident $code:literal $doc:literal;)*) => {
        /// A part of speech of the 21st Century Sejong Project's tag set, with the few that
        /// mecab-ko-dic adds or splits (`NNBC`; `SSO`, `SSC` and `SC` for Sejong's `SS` and `SP`; `SY`).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Tag { $(#[doc = $doc] $name,)* }

        impl Tag {
            /// Every tag.
            pub const ALL: &[Tag] = &[$(Tag::$name,)*];

            /// The tag as corpora write it: `NNG`.
            pub fn as_str(self) -> &'static str {
                match self { $(Tag::$name => $code,)* }
            }

            /// What it stands for, in a few words.
            pub fn meaning(self) -> &'static str {
                match self { $(Tag::$name => $doc,)* }
            }
        }

        impl FromStr for Tag {
            type Err = UnknownTag;

            fn from_str(text: &str) -> Result<Self, UnknownTag> {
                match text {
                    $($code => Ok(Tag::$name),)*
                    _ => Err(UnknownTag(text.to_owned())),
                }
            }
        }
    };
}

tags! {
    Nng "NNG" "common noun";
    Nnp "NNP" "proper noun";
    Nnb "NNB" "bound noun";
    Nnbc "NNBC" "bound noun that counts (mecab-ko-dic)";
    Nr "NR" "numeral";
    Np "NP" "pronoun";
    Vv "VV" "verb";
    Va "VA" "adjective";
    Vx "VX" "auxiliary predicate";
    Vcp "VCP" "positive copula 이다";
    Vcn "VCN" "negative copula 아니다";
    Mm "MM" "determiner";
    Mag "MAG" "general adverb";
    Maj "MAJ" "conjunctive adverb";
    Ic "IC" "interjection";
    Jks "JKS" "subject particle";
    Jkc "JKC" "complement particle";
    Jkg "JKG" "adnominal particle";
    Jko "JKO" "object particle";
    Jkb "JKB" "adverbial particle";
    Jkv "JKV" "vocative particle";
    Jkq "JKQ" "quotative particle";
    Jx "JX" "auxiliary particle";
    Jc "JC" "conjunctive particle";
    Ep "EP" "pre-final ending";
    Ef "EF" "final ending";
    Ec "EC" "connective ending";
    Etn "ETN" "nominal ending";
    Etm "ETM" "adnominal ending";
    Xpn "XPN" "prefix of a noun";
    Xsn "XSN" "suffix that makes a noun";
    Xsv "XSV" "suffix that makes a verb";
    Xsa "XSA" "suffix that makes an adjective";
    Xr "XR" "root";
    Sf "SF" "full stop, question or exclamation mark";
    Se "SE" "ellipsis";
    Ss "SS" "quotation mark, bracket or dash";
    Sso "SSO" "opening bracket (mecab-ko-dic)";
    Ssc "SSC" "closing bracket (mecab-ko-dic)";
    Sp "SP" "comma, colon, slash or middle dot";
    Sc "SC" "separator (mecab-ko-dic)";
    So "SO" "tilde or hidden letters";
    Sw "SW" "other symbol";
    Sy "SY" "other symbol (mecab-ko-dic)";
    Sl "SL" "foreign letters";
    Sh "SH" "Hanja";
    Sn "SN" "digits";
    Nf "NF" "taken for a noun";
    Nv "NV" "taken for a predicate";
    Na "NA" "not analysable";
}

impl Tag {
    /// The tag in Sejong's own set: what mecab-ko-dic adds or splits is put back.
    #[must_use]
    pub fn sejong(self) -> Self {
        match self {
            Self::Nnbc => Self::Nnb,
            Self::Sso | Self::Ssc => Self::Ss,
            Self::Sc => Self::Sp,
            Self::Sy => Self::Sw,
            other => other,
        }
    }

    /// Whether it is a particle's.
    pub fn is_particle(self) -> bool {
        self.as_str().starts_with('J')
    }

    /// Whether it is an ending's.
    pub fn is_ending(self) -> bool {
        self.as_str().starts_with('E')
    }

    /// Whether it is a punctuation mark's or another symbol's; letters of other scripts and digits are none.
    pub fn is_symbol(self) -> bool {
        self.as_str().starts_with('S') && !matches!(self, Self::Sl | Self::Sh | Self::Sn)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text that is no Sejong tag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a Sejong tag")]
pub struct UnknownTag(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_parses_back() {
        for tag in Tag::ALL {
            assert_eq!(tag.as_str().parse(), Ok(*tag));
        }
        assert_eq!("nng".parse::<Tag>(), Err(UnknownTag("nng".into())));
    }
}
