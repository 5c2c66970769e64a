//! A training's whole state in files that are replaced in one step, so a kill at any moment leaves the last state whole.

use super::{
    adamw::{AdamW, Slot},
    average::Average,
    options::TrainingSettings,
};
pub(crate) use crate::files::checkpoint::{Position, Stored};
use crate::{
    error::{Error, Result},
    files::checkpoint::Head,
    model::{
        numbers,
        weights::{Tensors, save as save_tensors},
    },
};
use ko_eval_core::Fingerprint;
use ko_eval_io::files::{FolderLock, write_atomically};
use std::path::Path;
use tch::Tensor;

/// What means of weights are stored as.
const AVERAGE: &str = "average";

/// Where a training keeps its state, and what the state belongs to. Nobody else trains there at the same time.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    held: FolderLock,
    settings: serde_json::Value,
    examples: String,
    start: String,
}

impl Checkpoints {
    /// A folder for the state of a training that begins with these weights.
    pub(crate) fn open(
        folder: &Path,
        training: &TrainingSettings,
        examples: String,
        optimizer: &AdamW,
    ) -> Result<Self> {
        let held = FolderLock::take(folder)?;
        // Threads and paths are no part of it: they may differ.
        let settings = serde_json::to_value(training).unwrap_or_default();
        Ok(Self { held, settings, examples, start: of_weights(optimizer)? })
    }

    fn folder(&self) -> &Path {
        self.held.folder()
    }

    /// Writes the tensors to a file of the step's own name, then the small head that points to it, then removes the files before: the
    /// head always points to whole files.
    pub(crate) fn save(
        &self,
        optimizer: &AdamW,
        average: Option<&Average>,
        position: &Position,
        best: Option<&Stored>,
    ) -> Result<()> {
        let file = Head::state_file(position.step);
        let tensors = optimizer.slots.iter().flat_map(|slot| {
            [("weight", &slot.weight), ("mean", &slot.mean), ("square", &slot.square)]
                .map(|(part, tensor)| (format!("{part}:{}", slot.name), tensor))
        });
        let means = average.map_or(&[][..], |average| &average.means);
        let averages = optimizer.slots.iter().zip(means);
        let tensors =
            tensors.chain(averages.map(|(slot, mean)| (format!("{AVERAGE}:{}", slot.name), mean)));
        let head = Head {
            position: position.clone(),
            training: self.settings.clone(),
            examples: self.examples.clone(),
            start: self.start.clone(),
            state: self.store(file, tensors)?,
            best: best.cloned(),
        };
        let path = self.folder().join(Head::NAME);
        let json = serde_json::to_vec(&head).map_err(|e| Error::bad(&path, e.to_string()))?;
        write_atomically(&path, &json)?;
        self.remove_all_but(&head);
        Ok(())
    }

    /// Writes the best weights so far; nothing points to them before the next [`save`](Self::save).
    pub(crate) fn save_best(&self, optimizer: &AdamW, step: usize) -> Result<Stored> {
        let tensors = optimizer.slots.iter().map(|slot| (slot.name.clone(), &slot.weight));
        self.store(Head::best_file(step), tensors)
    }

    fn store<'t>(
        &self,
        file: String,
        tensors: impl IntoIterator<Item = (String, &'t Tensor)>,
    ) -> Result<Stored> {
        save_tensors(&self.folder().join(&file), tensors)?;
        Stored::of(self.folder(), file)
    }

    /// A file that stays behind does no harm.
    fn remove_all_but(&self, head: &Head) {
        let kept = [Some(&head.state), head.best.as_ref()];
        for entry in std::fs::read_dir(self.folder()).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let is_kept = kept.iter().flatten().any(|stored| name == *stored.file);
            if name.to_str().is_some_and(Head::is_stored) && !is_kept {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Takes up the last state, if there is one; its files must be what they were when they were written.
    pub(crate) fn load(
        &self,
        optimizer: &mut AdamW,
        average: Option<&mut Average>,
    ) -> Result<Option<Resumed>> {
        let folder = self.folder();
        let Some(head) = Head::read(folder)? else { return Ok(None) };
        let parts = [
            (head.training == self.settings, "settings"),
            (head.examples == self.examples, "examples"),
            (head.start == self.start, "weights at its beginning"),
        ];
        if let Some((_, what)) = parts.iter().find(|(is_same, _)| !is_same) {
            let reason = format!(
                "the checkpoint is of a training with other {what}; remove it to start anew"
            );
            return Err(Error::bad(folder.join(Head::NAME), reason));
        }
        let mut weights = Tensors::read(head.state.verified(folder)?)?;
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
        if let Some(average) = average.filter(|average| average.has_begun(head.position.step)) {
            let mut mean = |slot: &Slot| -> Result<Tensor> {
                let found =
                    weights.take(&format!("{AVERAGE}:{}", slot.name), &slot.weight.size())?;
                // Where the weight lies.
                let mut mean = slot.copied()?;
                mean.f_copy_(&found)?;
                Ok(mean)
            };
            average.means = optimizer.slots.iter().map(&mut mean).collect::<Result<_>>()?;
        }
        optimizer.steps = i32::try_from(head.position.step).unwrap_or(i32::MAX);
        let best = head.best.map(|stored| {
            let mut weights = Tensors::read(stored.verified(folder)?)?;
            let take = |slot: &Slot| weights.take(&slot.name, &slot.weight.size());
            let tensors = optimizer.slots.iter().map(take).collect::<Result<_>>()?;
            Ok::<_, Error>((stored, tensors))
        });
        Ok(Some(Resumed { position: head.position, best: best.transpose()? }))
    }
}

/// A state that was taken up: how far it is, and the best weights so far, with where they lie.
pub(crate) struct Resumed {
    pub(crate) position: Position,
    pub(crate) best: Option<(Stored, Vec<Tensor>)>,
}

/// A checksum of every weight.
fn of_weights(optimizer: &AdamW) -> Result<String> {
    let mut fingerprint = Fingerprint::new();
    for slot in &optimizer.slots {
        let bytes: Vec<u8> =
            numbers(&slot.weight)?.into_iter().flat_map(f32::to_le_bytes).collect();
        fingerprint = fingerprint.text(&slot.name).bytes(&bytes);
    }
    Ok(fingerprint.hex())
}
