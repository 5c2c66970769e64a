//! The state of an aggregate: the metric's own statistics, group by group.

use crate::{
    aggregate::Question,
    call::{Arguments, Constants, Role},
    metrics::external,
    texts::{References, SegmentColumns, Texts, passes},
};
use datafusion::{
    arrow::array::{
        Array, ArrayRef, AsArray, BinaryBuilder, BooleanArray, Float64Builder, Int64Builder,
        StringBuilder, StructArray, new_null_array,
    },
    common::{ScalarValue, exec_err},
    error::{DataFusionError, Result},
    logical_expr::{Accumulator, EmitTo, GroupsAccumulator},
};
use ko_eval::{
    Outcome, Scorer, Segment, Totals,
    significance::{Comparison, Interval, Poisson},
};
use std::sync::Arc;

/// The statistics of groups, whatever is asked of them.
#[derive(Debug)]
pub(crate) struct Groups {
    name: String,
    scorer: Arc<dyn Scorer>,
    poisson: Option<Poisson>,
    places: Places,
    question: Question,
    /// As many as the question has sides: the baseline first.
    sides: Vec<Totals>,
}

/// Where the columns stand among the arguments.
#[derive(Debug, Clone, Copy)]
struct Places {
    hypothesis: Option<usize>,
    baseline: Option<usize>,
    references: Option<usize>,
    source: Option<usize>,
    key: Option<usize>,
}

/// Rows of one batch, ready to be measured.
#[derive(Default)]
struct Rows<'c> {
    segments: Vec<Segment<'c>>,
    groups: Vec<usize>,
    keys: Vec<u64>,
}

impl Groups {
    pub(crate) fn new(
        name: &str,
        scorer: Arc<dyn Scorer>,
        constants: &Constants,
        arguments: Arguments,
        count: usize,
        question: Question,
    ) -> Result<Self> {
        let place = |role| arguments.place(role, count);
        let places = Places {
            hypothesis: place(Role::Hypothesis),
            baseline: place(Role::Baseline),
            references: place(Role::References),
            source: place(Role::Source),
            key: place(Role::Key),
        };
        let poisson = constants.poisson;
        let name = name.to_owned();
        let mut own = Self { name, scorer, poisson, places, question, sides: Vec::new() };
        own.sides = own.nothing()?;
        Ok(own)
    }

    /// Sums of no groups, for each side.
    fn nothing(&self) -> Result<Vec<Totals>> {
        let sides = self.question.sides().iter();
        sides.map(|_| self.scorer.totals(self.poisson).map_err(|e| self.told(e))).collect()
    }

    fn told(&self, error: ko_eval::Error) -> DataFusionError {
        external(error).context(self.name.clone())
    }

    /// Measures a batch into `sides`, each row into its group.
    fn measure(
        &self,
        sides: &mut [Totals],
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
    ) -> Result<()> {
        let column = |place: Option<usize>| match place.and_then(|place| values.get(place)) {
            Some(array) => Texts::new(array),
            None => Ok(Texts::Nothing),
        };
        let references = || match self.places.references.and_then(|place| values.get(place)) {
            Some(array) => References::new(array),
            None => Ok(References::One(Texts::Nothing)),
        };
        // The side that is asked about last is the hypothesis; a comparison has the baseline before it.
        let places = [self.places.baseline, self.places.hypothesis];
        let columns = places.iter().skip(places.len().saturating_sub(sides.len())).map(|place| {
            let (hypothesis, source) = (column(*place)?, column(self.places.source)?);
            Ok(SegmentColumns { hypothesis, references: references()?, source })
        });
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let keys = column(self.places.key)?;
        let needs = self.scorer.needs();
        let mut rows: Vec<Rows<'_>> = columns.iter().map(|_| Rows::default()).collect();
        for (row, group) in groups.iter().enumerate().filter(|(row, _)| passes(filter, *row)) {
            let segments = columns.iter().map(|columns| columns.segment(row, needs));
            // A row counts for both sides or for none.
            let Some(segments) = segments.collect::<Result<Option<Vec<_>>>>()? else { continue };
            let key = self.poisson.map(|_| match keys.get(row) {
                Some(key) => Poisson::key([key]),
                None => Poisson::key(
                    segments.iter().flat_map(|segment| segment.texts().chain(segment.source())),
                ),
            });
            for (rows, segment) in rows.iter_mut().zip(segments) {
                rows.segments.push(segment);
                rows.groups.push(*group);
                rows.keys.extend(key);
            }
        }
        for (side, rows) in sides.iter_mut().zip(&rows) {
            let added = self.scorer.add_to(side, &rows.segments, &rows.groups, &rows.keys);
            added.map_err(|e| self.told(e))?;
        }
        Ok(())
    }

    /// Takes out groups, of every side.
    fn take(&mut self, emit_to: EmitTo) -> Vec<Totals> {
        let take = |side: &mut Totals| match emit_to {
            EmitTo::All => side.take_first(side.len()),
            EmitTo::First(groups) => side.take_first(groups),
        };
        self.sides.iter_mut().map(take).collect()
    }

    /// The states of groups, side by side; NULL of a group without rows.
    fn states(&self, sides: &[Totals]) -> Result<Vec<ArrayRef>> {
        let state = |side: &Totals| -> Result<ArrayRef> {
            let mut builder = BinaryBuilder::new();
            for group in 0..side.len() {
                match side.segments(group) {
                    0 => builder.append_null(),
                    _ => {
                        let bytes = self.scorer.to_bytes(side, group).map_err(|e| self.told(e))?;
                        builder.append_value(bytes);
                    }
                }
            }
            Ok(Arc::new(builder.finish()))
        };
        sides.iter().map(state).collect()
    }

    /// The answers of groups.
    fn answers(&self, sides: &[Totals]) -> Result<ArrayRef> {
        let groups = sides.first().map_or(0, Totals::len);
        let outcome =
            |side: &Totals, group| self.scorer.outcome(side, group).map_err(|e| self.told(e));
        let mut answers = Vec::with_capacity(groups);
        for group in 0..groups {
            let outcomes = sides.iter().map(|side| outcome(side, group));
            let outcomes = outcomes.collect::<Result<Option<Vec<_>>>>()?;
            let answer = outcomes.map(|outcomes| Answer::of(self.question, &outcomes));
            answers.push(answer.transpose().map_err(|e| self.told(e))?);
        }
        Answer::array(self.question, &answers)
    }
}

impl GroupsAccumulator for Groups {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        filter: Option<&BooleanArray>,
        total_num_groups: usize,
    ) -> Result<()> {
        let mut sides = std::mem::take(&mut self.sides);
        sides.iter_mut().for_each(|side| side.resize(total_num_groups));
        let measured = self.measure(&mut sides, values, group_indices, filter);
        self.sides = sides;
        measured
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let taken = self.take(emit_to);
        self.answers(&taken)
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let taken = self.take(emit_to);
        self.states(&taken)
    }

    fn merge_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        total_num_groups: usize,
    ) -> Result<()> {
        let Self { name, scorer, sides, .. } = self;
        for (side, states) in sides.iter_mut().zip(values) {
            side.resize(total_num_groups);
            let Some(states) = states.as_binary_opt::<i32>() else {
                return exec_err!("{name}: a state is bytes, not {}", states.data_type());
            };
            for (state, group) in states.iter().zip(group_indices) {
                let Some(state) = state else { continue };
                let merged = scorer.merge_into(side, *group, state);
                merged.map_err(|error| external(error).context(name.clone()))?;
            }
        }
        Ok(())
    }

    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        let rows = values.first().map_or(0, |array| array.len());
        let mut sides = self.nothing()?;
        sides.iter_mut().for_each(|side| side.resize(rows));
        let each: Vec<usize> = (0..rows).collect();
        self.measure(&mut sides, values, &each, filter)?;
        self.states(&sides)
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.sides.iter().map(Totals::memory).sum::<usize>()
    }
}

/// The same where there are no groups.
#[derive(Debug)]
pub(crate) struct OneGroup(Groups);

impl OneGroup {
    pub(crate) fn new(mut groups: Groups) -> Self {
        groups.sides.iter_mut().for_each(|side| side.resize(1));
        Self(groups)
    }
}

impl Accumulator for OneGroup {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let rows = values.first().map_or(0, |array| array.len());
        self.0.update_batch(values, &vec![0; rows], None, 1)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        // A window asks again and again.
        ScalarValue::try_from_array(&self.0.answers(&self.0.sides)?, 0)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let states = self.0.states(&self.0.sides)?;
        states.iter().map(|state| ScalarValue::try_from_array(state, 0)).collect()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let rows = states.first().map_or(0, |array| array.len());
        self.0.merge_batch(states, &vec![0; rows], 1)
    }

    fn size(&self) -> usize {
        self.0.size()
    }
}

/// What a group came to, in the order of the question's fields.
struct Answer {
    numbers: Vec<f64>,
    segments: usize,
    signature: String,
}

impl Answer {
    fn of(question: Question, outcomes: &[Outcome]) -> ko_eval::Result<Self> {
        let numbers = match (question, outcomes) {
            (Question::Score, [own]) => vec![own.corpus.score.value],
            (Question::Interval, [own]) => {
                let score = own.corpus.score.value;
                // So few rows that every resample came out empty.
                let values = match own.resamples.is_empty() {
                    true => vec![score],
                    false => own.resamples.clone(),
                };
                let Interval { score, mean, low, high, .. } =
                    Interval::from_resamples(score, values)?;
                vec![score, mean, low, high]
            }
            (Question::Comparison, [baseline, system]) => {
                let side = |side: &Outcome| side.corpus.score.value;
                let compared = Comparison::from_resamples(
                    (side(baseline), &baseline.resamples),
                    (side(system), &system.resamples),
                )?;
                vec![compared.baseline, compared.system, compared.p_value]
            }
            _ => Vec::new(),
        };
        let (segments, signature) = outcomes
            .last()
            .map_or((0, String::new()), |o| (o.corpus.segments, o.corpus.signature.to_string()));
        Ok(Self { numbers, segments, signature })
    }

    fn array(question: Question, answers: &[Option<Self>]) -> Result<ArrayRef> {
        let number = |place: usize| -> ArrayRef {
            let mut builder = Float64Builder::with_capacity(answers.len());
            for answer in answers {
                builder.append_option(answer.as_ref().and_then(|a| a.numbers.get(place).copied()));
            }
            Arc::new(builder.finish())
        };
        let Some(fields) = question.fields() else { return Ok(number(0)) };
        if answers.is_empty() {
            return Ok(new_null_array(&question.data_type(), 0));
        }
        let (mut segments, mut signatures) = (Int64Builder::new(), StringBuilder::new());
        for answer in answers {
            segments.append_option(
                answer.as_ref().map(|a| i64::try_from(a.segments).unwrap_or(i64::MAX)),
            );
            signatures.append_option(answer.as_ref().map(|a| &a.signature));
        }
        let numbers = (0..fields.len().saturating_sub(2)).map(number);
        let others: [ArrayRef; 2] = [Arc::new(segments.finish()), Arc::new(signatures.finish())];
        let nulls = answers.iter().map(Option::is_some).collect::<Vec<_>>();
        let columns = numbers.chain(others).collect();
        Ok(Arc::new(StructArray::try_new(fields, columns, Some(nulls.into()))?))
    }
}
