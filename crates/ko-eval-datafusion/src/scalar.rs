//! Functions of one row.

mod answer;

use crate::{
    call::{Arguments, Constants, Role},
    metrics,
};
use answer::Answer;
use datafusion::{
    arrow::datatypes::{DataType, Field, FieldRef},
    common::plan_err,
    error::Result,
    logical_expr::{
        ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
    },
};
use std::sync::Arc;

/// A function of one row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct KoScalar {
    name: &'static str,
    arguments: Arguments,
    question: Question,
    signature: Signature,
}

/// What is asked of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    Score,
    Tokens,
    Morphemes,
    Normalized,
    Register,
    Signature,
}

use Role::{Form, Hypothesis, Metric, References, Source, Text, Unit};

impl KoScalar {
    fn new(name: &'static str, arguments: Arguments, question: Question) -> Self {
        let signature = Signature::user_defined(Volatility::Immutable);
        Self { name, arguments, question, signature }
    }

    /// `ko_score`
    pub(crate) fn score() -> Self {
        let roles = &[Metric, Unit, Hypothesis, References, Source];
        Self::new("ko_score", Arguments { roles, required: 4 }, Question::Score)
    }

    /// `ko_tokens`
    pub(crate) fn tokens() -> Self {
        let arguments = Arguments { roles: &[Unit, Text], required: 2 };
        Self::new("ko_tokens", arguments, Question::Tokens)
    }

    /// `ko_morphemes`
    pub(crate) fn morphemes() -> Self {
        let arguments = Arguments { roles: &[Unit, Text], required: 2 };
        Self::new("ko_morphemes", arguments, Question::Morphemes)
    }

    /// `ko_normalize`
    pub(crate) fn normalize() -> Self {
        let arguments = Arguments { roles: &[Text, Form], required: 1 };
        Self::new("ko_normalize", arguments, Question::Normalized)
    }

    /// `ko_register`
    pub(crate) fn register() -> Self {
        let arguments = Arguments { roles: &[Text, Unit], required: 1 };
        Self::new("ko_register", arguments, Question::Register)
    }

    /// `ko_signature`
    pub(crate) fn signature() -> Self {
        let arguments = Arguments { roles: &[Metric, Unit], required: 2 };
        Self::new("ko_signature", arguments, Question::Signature)
    }

    fn constants(
        &self,
        count: usize,
        given: impl Fn(usize) -> crate::call::Given,
    ) -> Result<Constants> {
        let unit_left_out = self.arguments.place(Unit, count).is_none();
        match self.question {
            // Without a unit it judges by endings alone.
            Question::Register if unit_left_out => {
                let (metric, unit) = (String::new(), String::new());
                Ok(Constants { metric, unit, form: None, poisson: None })
            }
            _ => Constants::read(self.name, &self.arguments, count, None, given),
        }
    }
}

impl ScalarUDFImpl for KoScalar {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        self.arguments.coerce(self.name, given)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(Answer::data_type(self.question))
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let given = |place: usize| match args.scalar_arguments.get(place) {
            Some(Some(value)) => Ok((*value).clone()),
            _ => {
                Err(args.arg_fields.get(place).map_or(String::new(), |field| field.name().clone()))
            }
        };
        let constants = self.constants(args.arg_fields.len(), given)?;
        Answer::check(self.question, &constants)?;
        Ok(Arc::new(Field::new(self.name, Answer::data_type(self.question), true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let given = |place: usize| match args.args.get(place) {
            Some(ColumnarValue::Scalar(value)) => Ok(value.clone()),
            Some(ColumnarValue::Array(_)) => {
                Err(args.arg_fields.get(place).map_or(String::new(), |field| field.name().clone()))
            }
            None => Err(String::new()),
        };
        let count = args.args.len();
        let constants = self.constants(count, given)?;
        let column = |role: Role| {
            let column = self.arguments.place(role, count).and_then(|place| args.args.get(place));
            column.map(|column| column.to_array(args.number_rows)).transpose()
        };
        let answer = Answer::new(&constants, args.number_rows, column);
        let answered = match self.question {
            Question::Score => answer.scores(),
            Question::Tokens => answer.tokens(),
            Question::Morphemes => answer.morphemes(),
            Question::Normalized => answer.normalized(),
            Question::Register => answer.registers(),
            Question::Signature => answer.signatures(),
        };
        Ok(ColumnarValue::Array(answered.map_err(|error| error.context(self.name))?))
    }
}

/// The Unicode form of this name.
fn form(name: Option<&str>) -> Result<ko_eval::tokenize::Normalization> {
    use ko_eval::tokenize::{Normalization, normalize::UnicodeForm};
    let form = match name {
        None | Some("nfc") => UnicodeForm::Nfc,
        Some("nfkc") => UnicodeForm::Nfkc,
        Some(other) => {
            return plan_err!("ko_normalize knows the forms nfc and nfkc, not `{other}`");
        }
    };
    Ok(Normalization { form, ..Normalization::default() })
}

/// Checked before anything runs.
fn check_analyzer(unit: &str) -> Result<()> {
    let spec: ko_eval::Spec = unit.parse().map_err(metrics::external)?;
    let tags = |row: &&ko_eval::tokenize::UnitEntry| {
        !matches!(row.build, ko_eval::tokenize::Build::Tokenizer(_))
    };
    let mut tagging = ko_eval::UNITS.iter().filter(tags);
    if tagging.clone().any(|row| row.name == spec.name()) {
        return Ok(());
    }
    let first = tagging.next().map_or("", |row| row.name);
    let known = tagging.fold(first.to_owned(), |all, row| all + ", " + row.name);
    plan_err!("`{}` does not tag morphemes; these do: {known}", spec.name())
}
