//! The functions by their names, for whoever builds queries in Rust instead of writing SQL.

use crate::{aggregate::KoAggregate, scalar::KoScalar};
use datafusion::logical_expr::{AggregateUDF, Expr, ScalarUDF};
use std::sync::Arc;

/// Short forms of the registry's rows: a function object, a function that makes an expression, and the row's name, each.
macro_rules! short_forms {
    ($($function:ident, $object:ident, $name:literal;)*) => {
        /// The rows that have a short form; a test holds them to the registry.
        #[cfg(test)]
        pub(crate) const NAMES: &[&str] = &[$($name),*];

        /// Functions that make expressions, for the `DataFrame` interface.
        ///
        /// ```
        /// use datafusion::prelude::{col, lit};
        /// use ko_eval_datafusion::functions::{ko_bleu, ko_score};
        ///
        /// let bleu = ko_bleu(vec![col("hyp"), col("ref"), lit("jamo")]);
        /// assert_eq!(bleu.to_string(), "ko_bleu(hyp, ref, Utf8(\"jamo\"))");
        /// let segment = ko_score(vec![lit("chrf"), lit("char"), col("hyp"), col("ref")]);
        /// assert!(segment.to_string().starts_with("ko_score("));
        /// ```
        pub mod functions {
            use super::Expr;
            pub use super::scalar_and_general_functions::*;
            $(
                #[doc = concat!("`", $name, "` of the registry over a group of rows: arguments as in SQL.")]
                pub fn $function(arguments: Vec<Expr>) -> Expr {
                    super::udfs::$object().call(arguments)
                }
            )*
        }

        /// The function objects themselves.
        ///
        /// ```
        /// use ko_eval_datafusion::udfs;
        ///
        /// assert_eq!(udfs::ko_rouge_l_udaf().aliases(), ["ko_rougel"]);
        /// ```
        pub mod udfs {
            use super::{AggregateUDF, Arc};
            pub use super::scalar_and_general_udfs::*;
            $(
                #[doc = concat!("`", $name, "` of the registry over a group of rows.")]
                pub fn $object() -> Arc<AggregateUDF> {
                    super::short($name)
                }
            )*
        }
    };
}

short_forms! {
    ko_bleu, ko_bleu_udaf, "bleu";
    ko_nltk_bleu, ko_nltk_bleu_udaf, "nltk-bleu";
    ko_gleu, ko_gleu_udaf, "gleu";
    ko_nist, ko_nist_udaf, "nist";
    ko_chrf, ko_chrf_udaf, "chrf";
    ko_ter, ko_ter_udaf, "ter";
    ko_character, ko_character_udaf, "character";
    ko_eed, ko_eed_udaf, "eed";
    ko_ribes, ko_ribes_udaf, "ribes";
    ko_rouge_1, ko_rouge_1_udaf, "rouge-1";
    ko_rouge_2, ko_rouge_2_udaf, "rouge-2";
    ko_rouge_l, ko_rouge_l_udaf, "rouge-l";
    ko_rouge_lsum, ko_rouge_lsum_udaf, "rouge-lsum";
    ko_meteor, ko_meteor_udaf, "meteor";
    ko_register_corpus, ko_register_corpus_udaf, "register";
    ko_register_consistency, ko_register_consistency_udaf, "register-consistency";
    ko_honorifics, ko_honorifics_udaf, "honorifics";
    ko_kosmic_grammar, ko_kosmic_grammar_udaf, "kosmic-grammar";
    ko_bertscore, ko_bertscore_udaf, "bertscore";
    ko_rdass, ko_rdass_udaf, "rdass";
    ko_kosmic, ko_kosmic_udaf, "kosmic";
    ko_sts, ko_sts_udaf, "sts";
    ko_fic, ko_fic_udaf, "fic";
    ko_csl, ko_csl_udaf, "csl";
}

/// The functions that belong to no single row.
macro_rules! general {
    ($($function:ident, $object:ident, $kind:ident, $make:expr, $doc:literal;)*) => {
        mod scalar_and_general_functions {
            use super::Expr;
            $(
                #[doc = $doc]
                pub fn $function(arguments: Vec<Expr>) -> Expr {
                    super::udfs::$object().call(arguments)
                }
            )*
        }

        mod scalar_and_general_udfs {
            use super::*;
            $(
                #[doc = $doc]
                pub fn $object() -> Arc<$kind> {
                    Arc::new($kind::new_from_impl($make))
                }
            )*
        }
    };
}

general! {
    ko_score, ko_score_udf, ScalarUDF, KoScalar::score(), "The score of a segment.";
    ko_tokens, ko_tokens_udf, ScalarUDF, KoScalar::tokens(), "The units of a text.";
    ko_morphemes, ko_morphemes_udf, ScalarUDF, KoScalar::morphemes(), "The morphemes of a text, with tags and places.";
    ko_normalize, ko_normalize_udf, ScalarUDF, KoScalar::normalize(), "A text in a Unicode normalisation form.";
    ko_register, ko_register_udf, ScalarUDF, KoScalar::register(), "Speech level and politeness of a text.";
    ko_signature, ko_signature_udf, ScalarUDF, KoScalar::signature(), "The signature of a metric over a unit.";
    ko_corpus, ko_corpus_udaf, AggregateUDF, KoAggregate::corpus(), "The score of a group of rows, by any metric of the registry.";
    ko_corpus_ci, ko_corpus_ci_udaf, AggregateUDF, KoAggregate::interval(), "The score of a group of rows with its confidence interval.";
    ko_compare, ko_compare_udaf, AggregateUDF, KoAggregate::comparison(), "Two systems on a group of rows, with a paired test.";
}

/// The short form of the row of this name.
fn short(name: &str) -> Arc<AggregateUDF> {
    let row = ko_eval::METRICS.iter().find(|row| row.name == name);
    // A test holds the names to the registry; what there were no row for would be an aggregate that says so when it is planned.
    let function = row.map_or_else(KoAggregate::corpus, KoAggregate::short);
    Arc::new(AggregateUDF::new_from_impl(function))
}
