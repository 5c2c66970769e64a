//! The loop that every training shares.
//!
//! Everything random comes from the seed and the number of the step, so a training that is killed
//! and started again sees the same batches with the same dropout as one that ran through.

use super::{
    adamw::{AdamW, Slot},
    average::Average,
    checkpoint::{Checkpoints, Position, Stored},
    options::TrainingSettings,
    order,
    schedule::{Optimizers, linear},
};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::{
    io::Write,
    sync::{Mutex, PoisonError},
    time::Instant,
};
use tch::Tensor;

/// What is trained.
pub(crate) trait Objective {
    /// Every tensor that moves, by name.
    fn parameters(&self) -> Vec<(String, Tensor)>;
    /// The length of every example, for batches of like length.
    fn lengths(&self) -> Vec<usize>;
    /// A checksum of all that is learned from and watched: an interrupted training goes on with the same only.
    fn examples(&self) -> String;
    /// The mean loss of some examples, with gradients.
    fn loss(&self, examples: &[usize]) -> Result<Tensor>;
    /// How many tokens some examples have, where a step's speed is told in tokens.
    fn tokens(&self, _examples: &[usize]) -> Option<usize> {
        None
    }
    /// Whether examples are seen in the order given, epoch after epoch: a curriculum.
    fn keeps_order(&self) -> bool {
        false
    }
    /// Called before the first loss of an epoch, and before the first of a training that goes on within it: what is drawn anew in every epoch.
    fn begin_epoch(&self, _epoch: usize) -> Result<()> {
        Ok(())
    }
    /// Optimisers with rates of their own, instead of one by the settings.
    fn optimizers(&self) -> Option<Optimizers> {
        None
    }
    /// How well the model does on the development set, higher is better; `None` without one.
    fn evaluate(&self) -> Result<Option<f64>>;
}

/// What a training came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainingReport {
    /// Steps taken, those before an interruption included.
    pub steps: usize,
    /// The mean loss of the last 50 steps, or of all if there were fewer.
    pub final_loss: f64,
    /// The best score on the development set, whose weights were kept.
    pub best_score: Option<f64>,
    /// Seconds of this run.
    pub seconds: f64,
    /// Whether the time limit ended it before its last step.
    #[serde(default)]
    pub cut: bool,
}

/// Trains; at the end the objective's tensors hold the best weights seen, or the last without a
/// development set.
pub(crate) fn train(
    objective: &dyn Objective,
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    // libtorch's random numbers are the whole process's: two trainings at once would disturb each other.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let start = Instant::now();
    let threads = tch::get_num_threads();
    tch::set_num_threads(i32::try_from(training.threads).unwrap_or(i32::MAX));
    let report = Run::new(objective, training).and_then(|run| run.run(start));
    tch::set_num_threads(threads);
    report
}

struct Run<'t> {
    objective: &'t dyn Objective,
    training: &'t TrainingSettings,
    lengths: Vec<usize>,
    optimizer: AdamW,
    average: Option<Average>,
    own_rates: Option<Optimizers>,
    position: Position,
    best: Option<Vec<Tensor>>,
    /// Where the best weights lie.
    stored: Option<Stored>,
    checkpoints: Option<Checkpoints>,
    log: Option<std::fs::File>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Step { step: usize, loss: f64, learning_rate: Rates, seconds: f64 },
    Evaluation { step: usize, score: f64, best: f64, seconds: f64 },
}

/// One rate as a number, several as a list.
#[derive(Serialize)]
#[serde(untagged)]
enum Rates {
    One(f64),
    Several(Vec<f64>),
}

impl<'t> Run<'t> {
    fn new(objective: &'t dyn Objective, training: &'t TrainingSettings) -> Result<Self> {
        let lengths = objective.lengths();
        if lengths.is_empty() {
            return Err(Error::setting("training examples", 0, "at least 1"));
        }
        let own_rates = objective.optimizers();
        let mut optimizer = AdamW::new(objective.parameters(), training.weight_decay)?;
        if let Some(own) = &own_rates {
            optimizer = optimizer.grouped(own.group);
        }
        let steps = steps_per_epoch(lengths.len(), training) * training.epochs;
        let mut average = training.average.map(|share| Average::of_last(share, steps));
        let mut position = Position::default();
        let checkpoints = training.checkpoint.as_ref().map(|place| {
            Checkpoints::open(&place.folder, training, objective.examples(), &optimizer)
        });
        let checkpoints = checkpoints.transpose()?;
        let (mut best, mut stored) = (None, None);
        if let Some(checkpoints) = &checkpoints
            && let Some(resumed) = checkpoints.load(&mut optimizer, average.as_mut())?
        {
            position = resumed.position;
            (stored, best) = resumed.best.unzip();
        }
        let log = training.log.as_ref().map(|path| {
            let mut options = std::fs::OpenOptions::new();
            options.create(true).append(true).open(path).map_err(|e| Error::io(path, e))
        });
        let log = log.transpose()?;
        Ok(Self {
            objective,
            training,
            lengths,
            optimizer,
            average,
            own_rates,
            position,
            best,
            stored,
            checkpoints,
            log,
        })
    }

    fn run(mut self, start: Instant) -> Result<TrainingReport> {
        let per_epoch = steps_per_epoch(self.lengths.len(), self.training);
        let total = per_epoch * self.training.epochs;
        let training = self.training;
        let progress = &*training.progress.0;
        progress.begin("training", Some(total as u64));
        progress.advance(self.position.step as u64);
        let mut order = (usize::MAX, Vec::new());
        let mut tokens = 0;
        let mut cut = false;
        while self.position.step < total && !self.position.stopped {
            let epoch = self.position.step / per_epoch;
            if order.0 != epoch {
                let (batch, seed) = (self.training.batch, self.training.seed);
                let batches = match self.objective.keeps_order() {
                    true => order::in_order(self.lengths.len(), batch),
                    false => order::batches(&self.lengths, batch, seed, epoch),
                };
                order = (epoch, batches);
                self.objective.begin_epoch(epoch)?;
            }
            let first = self.position.step % per_epoch * self.training.accumulate;
            let batches: Vec<&Vec<usize>> =
                order.1.iter().skip(first).take(self.training.accumulate).collect();
            let rates = self.learning_rates(total);
            let loss = self.step(&batches, &rates)?;
            let (step, seconds) = (self.position.step, start.elapsed().as_secs_f64());
            let learning_rate = match rates.as_slice() {
                [rate] => Rates::One(*rate),
                _ => Rates::Several(rates),
            };
            self.write(&Line::Step { step, loss, learning_rate, seconds })?;
            progress.advance(1);
            let read = batches.iter().filter_map(|batch| self.objective.tokens(batch));
            tokens += read.sum::<usize>();
            progress.note(&match tokens {
                0 => format!("loss {loss:.4}"),
                _ => format!("loss {loss:.4}, {:.0} tokens/s", tokens as f64 / seconds.max(1e-9)),
            });
            let late = training.time_limit.is_some_and(|limit| start.elapsed() >= limit);
            let evaluated = (late || self.is_evaluation(per_epoch)) && self.evaluate(start)?;
            if let (Some(place), Some(checkpoints)) = (&training.checkpoint, &self.checkpoints)
                && (evaluated || late || step.is_multiple_of(place.every) || step == total)
            {
                let average = self.average.as_ref();
                checkpoints.save(&self.optimizer, average, &self.position, self.stored.as_ref())?;
            }
            if late {
                cut = self.position.step < total && !self.position.stopped;
                break;
            }
        }
        match self.best {
            Some(_) => self.restore_best()?,
            None => self.exchange()?,
        }
        Ok(TrainingReport {
            steps: self.position.step,
            final_loss: self.position.recent_loss(),
            best_score: self.position.best,
            seconds: start.elapsed().as_secs_f64(),
            cut,
        })
    }

    fn step(&mut self, batches: &[&Vec<usize>], rates: &[f64]) -> Result<f64> {
        let step = self.position.step + 1;
        // Dropout's numbers follow from the step alone.
        tch::manual_seed(self.training.seed.wrapping_mul(1 << 20).wrapping_add(step as u64) as i64);
        let mut sum = 0.0;
        for batch in batches {
            let loss = self.objective.loss(batch)?.f_div_scalar(batches.len() as f64)?;
            let value = loss.f_double_value(&[])?;
            if !value.is_finite() {
                return Err(Error::Diverged { step, loss: value });
            }
            sum += value;
            loss.f_backward()?;
        }
        self.optimizer.step(rates, self.training.clip)?;
        self.optimizer.zero_gradients();
        self.position.advance(sum);
        if let Some(average) = &mut self.average {
            average.add(step, &self.optimizer.slots)?;
        }
        Ok(sum)
    }

    /// Puts the mean of the last weights in the place of the last ones, or the last ones back, where a mean is wanted.
    fn exchange(&mut self) -> Result<()> {
        let slots = &mut self.optimizer.slots;
        self.average.as_mut().map_or(Ok(()), |average| average.exchange(slots))
    }

    /// The rates of the objective's own optimisers, or a linear warm-up, then a linear decay to 0.
    fn learning_rates(&self, total: usize) -> Vec<f64> {
        if let Some(own) = &self.own_rates {
            return own.rates(self.position.step + 1);
        }
        let share = (total as f64 * self.training.warm_up).ceil() as usize;
        let warm = self.training.warm_up_steps.unwrap_or(share).min(total);
        let share = linear(self.position.step, total, warm);
        vec![self.training.learning_rate * share]
    }

    fn is_evaluation(&self, per_epoch: usize) -> bool {
        let every = per_epoch.div_ceil(self.training.evaluations);
        let within = self.position.step % per_epoch;
        within == 0 || within.is_multiple_of(every)
    }

    /// Scores the development set, keeps the best weights; whether there is a development set.
    fn evaluate(&mut self, start: Instant) -> Result<bool> {
        self.exchange()?;
        let evaluated = self.evaluate_weights(start)?;
        self.exchange()?;
        Ok(evaluated)
    }

    fn evaluate_weights(&mut self, start: Instant) -> Result<bool> {
        let Some(score) = tch::no_grad(|| self.objective.evaluate())? else { return Ok(false) };
        if self.position.best.is_none_or(|best| score > best) {
            self.position.best = Some(score);
            self.position.without_gain = 0;
            let slots = self.optimizer.slots.iter();
            self.best = Some(slots.map(Slot::copied).collect::<Result<_>>()?);
            if let Some(checkpoints) = &self.checkpoints {
                self.stored = Some(checkpoints.save_best(&self.optimizer, self.position.step)?);
            }
        } else {
            self.position.without_gain += 1;
            self.position.stopped =
                self.training.patience.is_some_and(|limit| self.position.without_gain >= limit);
        }
        let best = self.position.best.unwrap_or(score);
        let seconds = start.elapsed().as_secs_f64();
        self.write(&Line::Evaluation { step: self.position.step, score, best, seconds })?;
        Ok(true)
    }

    fn restore_best(&mut self) -> Result<()> {
        let Some(best) = &self.best else { return Ok(()) };
        tch::no_grad(|| {
            for (slot, tensor) in self.optimizer.slots.iter_mut().zip(best) {
                slot.weight.f_copy_(tensor)?;
            }
            Ok(())
        })
    }

    fn write(&mut self, line: &Line) -> Result<()> {
        let (Some(file), Some(path)) = (&mut self.log, &self.training.log) else { return Ok(()) };
        let json = serde_json::to_string(line).map_err(|e| Error::bad(path, e.to_string()))?;
        writeln!(file, "{json}").map_err(|e| Error::io(path, e))
    }
}

fn steps_per_epoch(examples: usize, training: &TrainingSettings) -> usize {
    examples.div_ceil(training.batch).div_ceil(training.accumulate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::tokenizer::TokenIds,
        pooling::Pooling,
        train::{TrainingBuilder, learner::Learner, supervised::Trained as _},
    };
    use std::{
        cell::{Cell, RefCell},
        path::Path,
    };
    use tch::{Kind, Reduction};

    /// Draws every text's vector towards 0; fails at a given call, as if the process were killed there.
    struct Shrink {
        learner: Learner,
        texts: Vec<TokenIds>,
        calls_left: Cell<usize>,
    }

    impl Shrink {
        fn new(training: &TrainingSettings, calls: usize) -> Self {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/bert");
            let learner = Learner::open(&folder, None, Pooling::Mean, training).unwrap();
            let texts = ["나는 밥을 먹었다.", "비가 온다", "눈이 많이 내린다", "저는 먹었어요."];
            let texts = texts.iter().map(|text| learner.text(text).unwrap()).collect();
            Self { learner, texts, calls_left: Cell::new(calls) }
        }

        fn numbers(&self) -> Vec<Vec<f32>> {
            let parameters = self.learner.parameters();
            parameters.iter().map(|(_, tensor)| crate::model::numbers(tensor).unwrap()).collect()
        }
    }

    impl Objective for Shrink {
        fn parameters(&self) -> Vec<(String, Tensor)> {
            self.learner.parameters()
        }

        fn lengths(&self) -> Vec<usize> {
            self.texts.iter().map(TokenIds::len).collect()
        }

        fn examples(&self) -> String {
            format!("{:?}", self.texts)
        }

        fn loss(&self, examples: &[usize]) -> Result<Tensor> {
            let left = self.calls_left.get().checked_sub(1);
            self.calls_left.set(left.ok_or(Error::Operation("killed".into()))?);
            let texts: Vec<&TokenIds> = examples.iter().map(|&i| &self.texts[i]).collect();
            let pooled = self.learner.pooled(&texts, crate::model::block::Mode::Train)?;
            let target = Tensor::zeros(pooled.size(), (Kind::Float, tch::Device::Cpu));
            Ok(pooled.f_mse_loss(&target, Reduction::Mean)?)
        }

        fn evaluate(&self) -> Result<Option<f64>> {
            let vectors = self.learner.embed(&self.texts)?;
            Ok(Some(-vectors.iter().flatten().map(|x| f64::from(x.abs())).sum::<f64>()))
        }
    }

    /// Remembers which examples it was given, and the weights that each step began with.
    struct Watched {
        inner: Shrink,
        keeps_order: bool,
        seen: RefCell<Vec<Vec<usize>>>,
        weights: RefCell<Vec<Vec<Vec<f32>>>>,
    }

    impl Watched {
        fn new(training: &TrainingSettings, keeps_order: bool) -> Self {
            let inner = Shrink::new(training, usize::MAX);
            Self { inner, keeps_order, seen: RefCell::default(), weights: RefCell::default() }
        }
    }

    impl Objective for Watched {
        fn parameters(&self) -> Vec<(String, Tensor)> {
            self.inner.parameters()
        }

        fn lengths(&self) -> Vec<usize> {
            self.inner.lengths()
        }

        fn examples(&self) -> String {
            self.inner.examples()
        }

        fn tokens(&self, examples: &[usize]) -> Option<usize> {
            Some(7 * examples.len())
        }

        fn keeps_order(&self) -> bool {
            self.keeps_order
        }

        fn loss(&self, examples: &[usize]) -> Result<Tensor> {
            self.seen.borrow_mut().push(examples.to_vec());
            self.weights.borrow_mut().push(self.inner.numbers());
            self.inner.loss(examples)
        }

        fn evaluate(&self) -> Result<Option<f64>> {
            Ok(None)
        }
    }

    /// The last note.
    #[derive(Debug, Default)]
    struct Notes(Mutex<String>);

    impl ko_eval_io::Progress for Notes {
        fn note(&self, text: &str) {
            *self.0.lock().unwrap() = text.to_owned();
        }
    }

    #[test]
    fn a_curriculum_is_seen_in_its_order_and_its_speed_is_told() {
        let notes = std::sync::Arc::new(Notes::default());
        let builder = TrainingSettings::builder().epochs(3).batch(3).threads(1);
        let training = builder.progress(notes.clone()).build().unwrap();
        let seen = |keeps_order| {
            let watched = Watched::new(&training, keeps_order);
            train(&watched, &training).unwrap();
            watched.seen.into_inner()
        };
        let order = vec![vec![vec![0, 1, 2], vec![3]]; 3].concat();
        assert_eq!(seen(true), order);
        assert_ne!(seen(false), order);
        let note = notes.0.lock().unwrap().clone();
        assert!(note.starts_with("loss ") && note.ends_with(" tokens/s"), "{note}");
    }

    #[test]
    fn the_mean_of_the_last_weights_is_kept() {
        let builder = TrainingSettings::builder().epochs(2).batch(2).learning_rate(1e-3).threads(1);
        let ended = |training: &TrainingSettings| {
            let watched = Watched::new(training, true);
            assert_eq!(train(&watched, training).unwrap().steps, 4);
            (watched.weights.take(), watched.inner.numbers())
        };
        let (begun_with, last) = ended(&builder.clone().build().unwrap());
        let (_, mean) = ended(&builder.average(0.5).build().unwrap());
        // What the fourth step began with is what the third led to.
        let third = begun_with.last().unwrap().concat();
        for ((mean, third), last) in mean.concat().iter().zip(third).zip(last.concat()) {
            assert!((mean - (third + last) / 2.0).abs() < 1e-7, "{mean}: {third}, {last}");
        }
        assert_ne!(mean, last);
    }

    #[test]
    fn goes_on_as_if_never_interrupted() {
        let builder = TrainingSettings::builder().epochs(5).batch(2).learning_rate(1e-3).threads(1);
        is_the_same_after_kills(&builder);
        is_the_same_after_kills(&builder.average(0.6));
    }

    fn is_the_same_after_kills(builder: &TrainingBuilder) {
        let build = |folder: &Path| builder.clone().checkpoint(folder, 3).build().unwrap();
        let whole = tempfile::tempdir().unwrap();
        let training = build(whole.path());
        let through = Shrink::new(&training, usize::MAX);
        let report = train(&through, &training).unwrap();
        assert_eq!(report.steps, 10);
        assert_eq!(through.evaluate().unwrap(), report.best_score, "what was scored is kept");
        for killed_at in [1, 4, 9] {
            let folder = tempfile::tempdir().unwrap();
            let training = build(folder.path());
            assert!(train(&Shrink::new(&training, killed_at), &training).is_err());
            let resumed = Shrink::new(&training, usize::MAX);
            let again = train(&resumed, &training).unwrap();
            assert_eq!((again.steps, again.best_score), (10, report.best_score));
            assert_eq!(again.final_loss, report.final_loss);
            assert_eq!(resumed.numbers(), through.numbers(), "killed at {killed_at}");
        }
    }

    #[test]
    fn a_checkpoint_of_another_training_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let build = |rate| {
            let builder = TrainingSettings::builder().batch(2).learning_rate(rate).threads(1);
            builder.checkpoint(folder.path(), 1).build().unwrap()
        };
        train(&Shrink::new(&build(1e-3), usize::MAX), &build(1e-3)).unwrap();
        let error = train(&Shrink::new(&build(2e-3), usize::MAX), &build(2e-3)).unwrap_err();
        assert!(error.to_string().contains("other settings"), "{error}");
        let mut fewer = Shrink::new(&build(1e-3), usize::MAX);
        fewer.texts.pop();
        let error = train(&fewer, &build(1e-3)).unwrap_err();
        assert!(error.to_string().contains("other examples"), "{error}");
        let trained = Shrink::new(&build(1e-3), usize::MAX);
        let _ = tch::no_grad(|| trained.parameters()[0].1.shallow_clone().f_add_scalar_(0.5));
        let error = train(&trained, &build(1e-3)).unwrap_err();
        assert!(error.to_string().contains("other weights at its beginning"), "{error}");
    }

    #[test]
    fn a_damaged_checkpoint_is_refused_and_its_folder_serves_one_training() {
        let folder = tempfile::tempdir().unwrap();
        let builder = TrainingSettings::builder().batch(2).learning_rate(1e-3).threads(1);
        let training = builder.checkpoint(folder.path(), 1).build().unwrap();
        let resume = || train(&Shrink::new(&training, usize::MAX), &training);
        resume().unwrap();
        let mut files: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "safetensors"))
            .collect();
        files.sort();
        assert_eq!(files.len(), 2, "the best weights and the last state: {files:?}");
        for path in &files {
            let whole = std::fs::read(path).unwrap();
            let mut bytes = whole.clone();
            *bytes.last_mut().unwrap() ^= 1;
            std::fs::write(path, bytes).unwrap();
            let error = resume().unwrap_err();
            assert!(matches!(error, Error::Checksum { .. }), "{error}");
            std::fs::write(path, whole).unwrap();
        }
        let held = ko_eval_io::files::FolderLock::take(folder.path()).unwrap();
        let error = resume().unwrap_err();
        assert!(matches!(error, Error::Core(ko_eval_core::Error::InUse { .. })), "{error}");
        drop(held);
        resume().unwrap();
    }
}
