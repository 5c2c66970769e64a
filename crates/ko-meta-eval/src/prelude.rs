//! The everyday names of this crate and of the core: `use ko_meta_eval::prelude::*;`.

#[doc(no_inline)]
pub use crate::{
    AgreementReport, Correlation, Estimate, Experiment, Findings, Judged, MetricRow, Plan, Unit,
    agreement::{cohen_kappa, fleiss_kappa},
    williams,
};
#[doc(no_inline)]
pub use ko_eval_core::prelude::*;
