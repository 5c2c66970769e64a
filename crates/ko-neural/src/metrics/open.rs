//! Opening the models that a row names.

use super::{
    CSL, FIC, LAYER, PAIR_LONG, POOLING, PREFIX, PROMPT, STS, THREADS, over_encoder, weights,
};
use crate::{
    Device, Embedder, Fic, Inference, Kosmic, LongText, Precision, Prompt, Rdass, Sts, Transformer,
    bertscore::korean_layer, kosmic::Csl,
};
use ko_eval_core::{
    Params, Result, Scorer,
    setting::{Choice, Text},
};
use ko_eval_io::model_folder;
use ko_eval_model::PairScorer;
use std::{path::PathBuf, sync::Arc};

/// The model that stands behind the row's name.
fn argument(params: &Params) -> Result<PathBuf> {
    let form = format!("a model folder, as in {}:FOLDER", params.owner());
    params.argument().map(model_folder).ok_or_else(|| params.invalid("MODEL", form))
}

/// The model of a part.
fn part(params: &Params, setting: &Text) -> Result<PathBuf> {
    let name = setting.param().name;
    let form = format!("a model folder, as in {}:{name}=FOLDER", params.owner());
    params.read(setting)?.map(model_folder).ok_or_else(|| params.invalid(name, form))
}

fn inference(params: &Params, long: &Choice<LongText>) -> Result<Inference> {
    let inference = Inference::new()
        .long_text(params.read(long)?)
        .device(params.read(&Device::SETTING)?)
        .precision(params.read(&Precision::SETTING)?);
    Ok(match params.read(&THREADS)? {
        Some(threads) => inference.threads(threads),
        None => inference,
    })
}

pub(super) fn bertscore(params: &Params) -> Result<Box<dyn Scorer>> {
    let folder = argument(params)?;
    let model = Transformer::open(&folder, &inference(params, &LongText::SETTING)?)?;
    let depth = model.layers();
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let known = || korean_layer(&name).filter(|layer| *layer <= depth).unwrap_or(depth);
    let layer = params.read(&LAYER)?.unwrap_or_else(known);
    if layer > depth {
        let expected = format!("at most {depth}, the model's number of layers");
        return Err(params.invalid(LAYER.param().name, expected));
    }
    over_encoder(params, Arc::new(model.at_layer(layer)?), Some((&folder, layer)))
}

pub(super) fn rdass(params: &Params) -> Result<Box<dyn Scorer>> {
    let (folder, inference) = (argument(params)?, inference(params, &LongText::SETTING)?);
    let embedder = match params.read(&POOLING)? {
        None => Embedder::open(folder, &inference)?.with_prompt(&prompt(params)?)?,
        Some(word) => {
            let expected = || params.invalid(POOLING.param().name, POOLING.param().expected());
            let pooling = word.parse().map_err(|_| expected())?;
            let embedder = Embedder::with_pooling(folder, pooling, &inference)?;
            embedder.with_prompt(&prompt(params)?)?
        }
    };
    Ok(Box::new(Rdass::new(Arc::new(embedder))))
}

/// By its name in the folder, or as it is written, a space behind it: a row's settings cannot end with one.
fn prompt(params: &Params) -> Result<Prompt> {
    Ok(match (params.read(&PROMPT)?, params.read(&PREFIX)?) {
        (Some(_), Some(_)) => {
            return Err(params.invalid(PREFIX.param().name, "nothing beside `prompt`"));
        }
        (Some(name), None) => Prompt::Named(name),
        (None, Some(text)) => Prompt::Text(format!("{text} ")),
        (None, None) => Prompt::AsTheFolderSays,
    })
}

pub(super) fn kosmic(params: &Params) -> Result<Arc<dyn PairScorer>> {
    // All settings are looked at before the first model is opened.
    let weights = weights(params)?;
    let (sts, fic, csl) = (part(params, &STS)?, part(params, &FIC)?, part(params, &CSL)?);
    let inference = inference(params, &PAIR_LONG)?;
    Ok(Arc::new(Kosmic::new(
        Arc::new(Sts::open(sts, &inference)?),
        Arc::new(Fic::open(fic, &inference)?),
        Arc::new(Csl::new(Arc::new(Embedder::open(csl, &inference)?))),
        weights,
    )))
}

pub(super) fn sts(params: &Params) -> Result<Arc<dyn PairScorer>> {
    Ok(Arc::new(Sts::open(argument(params)?, &inference(params, &PAIR_LONG)?)?))
}

pub(super) fn fic(params: &Params) -> Result<Arc<dyn PairScorer>> {
    Ok(Arc::new(Fic::open(argument(params)?, &inference(params, &PAIR_LONG)?)?))
}

pub(super) fn csl(params: &Params) -> Result<Arc<dyn PairScorer>> {
    let embedder = Embedder::open(argument(params)?, &inference(params, &PAIR_LONG)?)?;
    Ok(Arc::new(Csl::new(Arc::new(embedder))))
}
