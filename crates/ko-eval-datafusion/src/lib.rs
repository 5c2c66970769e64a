#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod aggregate;
mod call;
pub mod files;
mod groups;
mod metrics;
mod scalar;
mod short;
mod texts;

/// The DataFusion that these functions are for, with its Arrow.
#[doc(no_inline)]
pub use datafusion;
pub use short::{functions, udfs};

use aggregate::KoAggregate;
use datafusion::{
    error::Result,
    execution::FunctionRegistry,
    logical_expr::{AggregateUDF, ScalarUDF},
};
use std::sync::Arc;

/// Every scalar function.
pub fn all_scalar_functions() -> Vec<Arc<ScalarUDF>> {
    vec![
        udfs::ko_score_udf(),
        udfs::ko_tokens_udf(),
        udfs::ko_morphemes_udf(),
        udfs::ko_normalize_udf(),
        udfs::ko_register_udf(),
        udfs::ko_signature_udf(),
    ]
}

/// Every aggregate: the general ones, and a short form for each row of the registry.
pub fn all_aggregate_functions() -> Vec<Arc<AggregateUDF>> {
    let general = [udfs::ko_corpus_udaf(), udfs::ko_corpus_ci_udaf(), udfs::ko_compare_udaf()];
    let short = ko_eval::METRICS.iter().map(KoAggregate::short);
    let short = short.map(|function| Arc::new(AggregateUDF::new_from_impl(function)));
    general.into_iter().chain(short).collect()
}

/// Makes all functions known: to a session, to a session's state, or to an executor's registry.
///
/// ```
/// use datafusion::prelude::SessionContext;
///
/// let mut context = SessionContext::new();
/// ko_eval_datafusion::register_all(&mut context)?;
/// assert!(context.state().aggregate_functions().contains_key("ko_bleu"));
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
///
/// # Errors
/// When the registry takes no functions.
pub fn register_all(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in all_scalar_functions() {
        registry.register_udf(function)?;
    }
    for function in all_aggregate_functions() {
        registry.register_udaf(function)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_row_has_a_short_form() {
        let rows: Vec<&str> = ko_eval::METRICS.iter().map(|row| row.name).collect();
        assert_eq!(super::short::NAMES, rows);
    }
}
