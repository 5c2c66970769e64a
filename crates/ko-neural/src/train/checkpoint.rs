//! A training's whole state in one file that is replaced in one step, so a kill at any moment leaves
//! the last state whole.

use super::{adamw::AdamW, options::TrainingSettings};
pub(crate) use crate::files::checkpoint::Position;
use crate::{
    error::{Error, Result},
    files::checkpoint::Head,
    model::weights::{Tensors, save as save_tensors},
};
use ko_eval_core::files::write_atomically;
use rustc_hash::FxBuildHasher;
use std::{hash::BuildHasher as _, path::Path};
use tch::Tensor;

/// A number that other examples hardly have: made of how many there are and how long each is.
pub(crate) fn of_examples(lengths: &[usize]) -> u64 {
    FxBuildHasher.hash_one(lengths)
}

/// Writes the tensors to a file of the step's own name, then the small head that points to it, then
/// removes the file before: the head always points to a whole file.
pub(crate) fn save(
    folder: &Path,
    optimizer: &AdamW,
    position: &Position,
    training: &TrainingSettings,
    examples: u64,
) -> Result<()> {
    let file = Head::file_of(position);
    let tensors = optimizer.slots.iter().flat_map(|slot| {
        [("weight", &slot.weight), ("mean", &slot.mean), ("square", &slot.square)]
            .map(|(part, tensor)| (format!("{part}:{}", slot.name), tensor))
    });
    save_tensors(&folder.join(&file), tensors)?;
    let before = Head::read(folder)?.map(|head| head.file).filter(|before| *before != file);
    let head = Head { position: position.clone(), training: settings(training), examples, file };
    let path = folder.join(Head::NAME);
    let json = serde_json::to_vec(&head).map_err(|e| Error::bad(&path, e.to_string()))?;
    write_atomically(&path, &json)?;
    if let Some(before) = before {
        // A file that stays behind does no harm.
        let _ = std::fs::remove_file(folder.join(before));
    }
    Ok(())
}

/// Takes up the last state, if there is one.
pub(crate) fn load(
    folder: &Path,
    optimizer: &mut AdamW,
    training: &TrainingSettings,
    examples: u64,
) -> Result<Option<Position>> {
    let Some(head) = Head::read(folder)? else { return Ok(None) };
    let path = folder.join(Head::NAME);
    let differs = if head.training != settings(training) {
        Some("settings")
    } else {
        Some("examples").filter(|_| head.examples != examples)
    };
    if let Some(what) = differs {
        let reason =
            format!("the checkpoint is of a training with other {what}; remove it to start anew");
        return Err(Error::bad(path, reason));
    }
    let mut weights = Tensors::read(folder.join(&head.file))?;
    for slot in &mut optimizer.slots {
        let shape = slot.weight.size();
        let mut fill = |part: &str, tensor: &mut Tensor| -> Result<()> {
            let found = weights.take(&format!("{part}:{}", slot.name), &shape)?;
            tch::no_grad(|| tensor.f_copy_(&found))?;
            Ok(())
        };
        fill("weight", &mut slot.weight)?;
        fill("mean", &mut slot.mean)?;
        fill("square", &mut slot.square)?;
    }
    optimizer.steps = i32::try_from(head.position.step).unwrap_or(i32::MAX);
    Ok(Some(head.position))
}

pub(crate) fn save_best(folder: &Path, optimizer: &AdamW) -> Result<()> {
    let tensors = optimizer.slots.iter().map(|slot| (slot.name.clone(), &slot.weight));
    save_tensors(&folder.join("best.safetensors"), tensors)
}

pub(crate) fn load_best(folder: &Path, optimizer: &AdamW) -> Result<Option<Vec<Tensor>>> {
    let path = folder.join("best.safetensors");
    if !path.is_file() {
        return Ok(None);
    }
    let mut weights = Tensors::read(path)?;
    let best = optimizer.slots.iter().map(|slot| weights.take(&slot.name, &slot.weight.size()));
    best.collect::<Result<_>>().map(Some)
}

/// What must be equal for a training to go on; threads and paths may differ.
fn settings(training: &TrainingSettings) -> serde_json::Value {
    serde_json::to_value(training).unwrap_or_default()
}
