//! Folders of models with labels, in Hugging Face's form: one file of weights for encoder and head, labels in `config.json`.

use super::{
    form::{Form, Level, Lies},
    layers::{ClassificationHead, HeadParts},
};
use crate::{
    error::Result,
    files::{config::Settings, labels},
    model::{
        head::copy_companions,
        layout::Layout,
        network::Network,
        place::Place,
        weights::{Tensors, save as save_tensors},
    },
};
use ko_eval_io::files::write_atomically;
use serde_json::{Map, Value, json};
use std::path::Path;

/// A model with its labels.
pub(super) fn open(
    folder: &Path,
    level: Level,
    place: Place,
) -> Result<(Network, ClassificationHead, Vec<String>)> {
    let config = Settings::open(folder, "config.json")?;
    let labels = labels::read(&config)?;
    let (network, head) = load(folder, &config, level, place, None, Tensors::apart)?;
    Ok((network, head.with_labels(labels.len())?, labels))
}

/// An encoder, and a head for new labels. A layer that the encoder was trained with is kept; the rest begins at random.
pub(crate) fn open_for_training(
    folder: &Path,
    level: Level,
    place: Place,
    seed: u64,
    dropout: Option<f64>,
) -> Result<(Network, HeadParts)> {
    let config = Settings::open(folder, "config.json")?;
    load(folder, &config, level, place, dropout, |weights, layers| {
        // Labels of an earlier task are of no use.
        let kept: Vec<_> = layers.iter().filter(|(_, name)| !is_labels(name)).cloned().collect();
        weights.apart(&kept).or_random(seed)
    })
}

/// Whether a layer belongs to the labels.
fn is_labels(name: &str) -> bool {
    name.starts_with("classifier")
}

fn load(
    folder: &Path,
    config: &Settings,
    level: Level,
    place: Place,
    dropout: Option<f64>,
    take: impl FnOnce(&mut Tensors, &[(String, String)]) -> Tensors,
) -> Result<(Network, HeadParts)> {
    let (encoder, layout, mut weights) = Network::parts(folder, place)?;
    let encoder = encoder.dropping(dropout);
    let form = Form::of(config, level, encoder.dropout)?;
    let mut layers = vec![(form.labels.to_owned(), form.labels.to_owned())];
    if let Some(between) = &form.between {
        let prefix = match between.lies {
            Lies::InEncoder => weights.prefix(),
            Lies::Beside => "",
        };
        layers.push((format!("{prefix}{}", between.name), between.name.to_owned()));
        let norm = between.norm.iter().map(|norm| (norm.name.to_owned(), norm.name.to_owned()));
        layers.extend(norm);
    }
    // The head is computed in single precision: it is small, and decides.
    let own = take(&mut weights, &layers).at(place.single());
    let head = HeadParts { form, hidden: encoder.hidden, weights: own };
    Ok((Network::build(encoder, layout, weights)?, head))
}

/// Writes an ordinary model folder with the files of the one that it was trained from.
pub(crate) fn save(
    folder: &Path,
    source: &Path,
    network: &Network,
    head: &ClassificationHead,
    names: &[String],
) -> Result<()> {
    copy_companions(source, folder)?;
    let config = Settings::open(source, "config.json")?;
    let mut json: Map<String, Value> = config.json().as_object().cloned().unwrap_or_default();
    let form = head.form();
    json.insert("architectures".into(), json!([form.class]));
    json.remove("problem_type");
    json.remove("num_labels");
    labels::write(names, &mut json);
    let text = format!("{:#}\n", Value::from(json));
    write_atomically(&folder.join("config.json"), text.as_bytes())?;
    let layout: &Layout = network.layout();
    let prefix = layout.prefixes.first().copied().unwrap_or_default();
    let encoder =
        network.parameters().iter().map(|(name, tensor)| (format!("{prefix}{name}"), tensor));
    let in_encoder = form.between.as_ref().filter(|layer| layer.lies == Lies::InEncoder);
    let own = head.parameters().iter().map(|(name, tensor)| {
        let is_inside = in_encoder.is_some_and(|layer| name.starts_with(layer.name));
        (if is_inside { format!("{prefix}{name}") } else { name.clone() }, tensor)
    });
    save_tensors(&folder.join("model.safetensors"), encoder.chain(own))
}
