//! No models: every row says how to get them.

use crate::libtorch;
use ko_eval_core::{Params, Result, Scorer};
use ko_eval_model::PairScorer;
use std::sync::Arc;

fn missing<T>(params: &Params) -> Result<T> {
    Err(libtorch::not_built_in(params.owner()))
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
