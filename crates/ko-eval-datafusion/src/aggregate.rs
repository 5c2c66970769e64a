//! Aggregates: the score of a group's rows, its interval, and two systems side by side.

use crate::{
    call::{Arguments, Constants, Role},
    groups::{Groups, OneGroup},
    metrics,
};
use datafusion::{
    arrow::datatypes::{DataType, Field, FieldRef, Fields},
    common::plan_err,
    error::{DataFusionError, Result},
    logical_expr::{
        Accumulator, AggregateUDFImpl, Expr, GroupsAccumulator, Signature, Volatility,
        expr::AggregateFunction,
        function::{AccumulatorArgs, AggregateFunctionSimplification, StateFieldsArgs},
        utils::{AggregateOrderSensitivity, format_state_name},
    },
    physical_expr::expressions::Literal,
};
use std::{fmt::Debug, sync::Arc};

/// What is asked of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    Score,
    Interval,
    Comparison,
}

impl Question {
    /// Of what the answer is made.
    pub(crate) fn fields(self) -> Option<Fields> {
        let numbers: &[&str] = match self {
            Self::Score => return None,
            Self::Interval => &["score", "mean", "low", "high"],
            Self::Comparison => &["baseline", "system", "p_value"],
        };
        let numbers = numbers.iter().map(|name| Field::new(*name, DataType::Float64, true));
        let others = [
            Field::new("segments", DataType::Int64, true),
            Field::new("signature", DataType::Utf8, true),
        ];
        Some(numbers.chain(others).collect())
    }

    pub(crate) fn data_type(self) -> DataType {
        self.fields().map_or(DataType::Float64, DataType::Struct)
    }

    /// Whose statistics the state holds, one after the other.
    pub(crate) fn sides(self) -> &'static [&'static str] {
        match self {
            Self::Score | Self::Interval => &["sums"],
            Self::Comparison => &["baseline_sums", "system_sums"],
        }
    }
}

/// An aggregate function of ours.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct KoAggregate {
    name: String,
    aliases: Vec<String>,
    arguments: Arguments,
    question: Question,
    /// The metric that a short form is named after.
    metric: Option<&'static str>,
    signature: Signature,
}

use Role::{Baseline, Hypothesis, Key, Metric, References, Samples, Seed, Settings, Source, Unit};

impl KoAggregate {
    fn new(name: &str, arguments: Arguments, question: Question) -> Self {
        let signature = Signature::user_defined(Volatility::Immutable);
        let (name, aliases) = (name.to_owned(), Vec::new());
        Self { name, aliases, arguments, question, metric: None, signature }
    }

    /// `ko_corpus`
    pub(crate) fn corpus() -> Self {
        let roles = &[Metric, Unit, Hypothesis, References, Source];
        Self::new("ko_corpus", Arguments { roles, required: 4 }, Question::Score)
    }

    /// `ko_corpus_ci`
    pub(crate) fn interval() -> Self {
        let roles = &[Metric, Unit, Hypothesis, References, Source, Key, Samples, Seed];
        Self::new("ko_corpus_ci", Arguments { roles, required: 4 }, Question::Interval)
    }

    /// `ko_compare`
    pub(crate) fn comparison() -> Self {
        let roles = &[Metric, Unit, Baseline, Hypothesis, References, Source, Key, Samples, Seed];
        Self::new("ko_compare", Arguments { roles, required: 5 }, Question::Comparison)
    }

    /// The short form of a row of the registry: `ko_bleu`.
    pub(crate) fn short(row: &ko_eval::MetricEntry) -> Self {
        let arguments = match row.is_over_units() {
            true => {
                Arguments { roles: &[Hypothesis, References, Unit, Settings, Source], required: 3 }
            }
            false => Arguments { roles: &[Hypothesis, References, Settings, Source], required: 2 },
        };
        let name = match row.name {
            // `ko_register` tells the register of one text.
            "register" => "ko_register_corpus".to_owned(),
            name => format!("ko_{}", name.replace('-', "_")),
        };
        let together = format!("ko_{}", row.name.replace('-', ""));
        let aliases = if row.name.contains('-') { vec![together] } else { Vec::new() };
        let own = Self::new(&name, arguments, Question::Score);
        Self { aliases, metric: Some(row.name), ..own }
    }

    /// The signature of the metric that a call with these arguments measures by, if it can be opened here.
    pub(crate) fn signature_of(&self, arguments: &[Expr]) -> Option<String> {
        let constants = self.constants(arguments).ok()?;
        let scorer = metrics::scorer(&constants.metric, &constants.unit).ok()?;
        Some(ko_eval::Signed::signature(&scorer).to_string())
    }

    /// What is written out in a call.
    fn constants(&self, arguments: &[Expr]) -> Result<Constants> {
        let given = |place: usize| match arguments.get(place) {
            Some(Expr::Literal(value, _)) => Ok(value.clone()),
            Some(other) => Err(other.to_string()),
            None => Err(String::new()),
        };
        Constants::read(&self.name, &self.arguments, arguments.len(), self.metric, given)
    }

    /// What is computed, once the arguments are known.
    fn plan(&self, args: &AccumulatorArgs<'_>) -> Result<Groups> {
        if args.is_distinct {
            return plan_err!(
                "{} has no DISTINCT: a segment counts as often as it stands there",
                self.name
            );
        }
        let given = |place: usize| {
            let Some(expression) = args.exprs.get(place) else { return Err(String::new()) };
            match expression.downcast_ref::<Literal>() {
                Some(literal) => Ok(literal.value().clone()),
                None => Err(expression.to_string()),
            }
        };
        let count = args.exprs.len();
        let constants = Constants::read(&self.name, &self.arguments, count, self.metric, given)?;
        let scorer = metrics::scorer(&constants.metric, &constants.unit)
            .map_err(|error| error.context(self.name.clone()))?;
        Groups::new(&self.name, scorer, &constants, self.arguments, count, self.question)
    }
}

impl AggregateUDFImpl for KoAggregate {
    fn name(&self) -> &str {
        &self.name
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        self.arguments.coerce(&self.name, given)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.question.data_type())
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        let field = |side: &&str| {
            Arc::new(Field::new(format_state_name(args.name, side), DataType::Binary, true))
        };
        Ok(self.question.sides().iter().map(field).collect())
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(OneGroup::new(self.plan(&args)?)))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs<'_>) -> bool {
        true
    }

    fn create_groups_accumulator(
        &self,
        args: AccumulatorArgs<'_>,
    ) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(self.plan(&args)?))
    }

    /// Statistics are the same whatever the order of the rows.
    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }

    /// Changes nothing; it is where a call is first seen with its arguments, before anything runs.
    fn simplify(&self) -> Option<AggregateFunctionSimplification> {
        let function = self.clone();
        Some(Box::new(move |call: AggregateFunction, _| {
            function
                .constants(&call.params.args)
                .map_err(|error| DataFusionError::Plan(error.strip_backtrace()))?;
            Ok(Expr::AggregateFunction(call))
        }))
    }
}
