//! No models: every row says how to get them.

use ko_eval_core::{Error, PairScorer, Params, Result, Scorer};
use std::sync::Arc;

fn missing<T>(params: &Params) -> Result<T> {
    Err(Error::Missing {
        what: format!("libtorch, which `{}` runs on,", params.owner()),
        how_to_get_it: "build with the cargo feature `torch`".into(),
    })
}

pub(super) fn bertscore(params: &Params) -> Result<Box<dyn Scorer>> {
    missing(params)
}

pub(super) fn rdass(params: &Params) -> Result<Box<dyn Scorer>> {
    missing(params)
}

pub(super) fn kosmic(params: &Params) -> Result<Arc<dyn PairScorer>> {
    missing(params)
}

pub(super) fn sts(params: &Params) -> Result<Arc<dyn PairScorer>> {
    missing(params)
}

pub(super) fn fic(params: &Params) -> Result<Arc<dyn PairScorer>> {
    missing(params)
}

pub(super) fn csl(params: &Params) -> Result<Arc<dyn PairScorer>> {
    missing(params)
}
