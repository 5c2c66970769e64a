//! The answers of a batch of rows, as Arrow holds them.

use super::{Question, check_analyzer, form};
use crate::{
    call::{Constants, Role},
    metrics::{self, external},
    texts::{References, SegmentColumns, Texts},
};
use datafusion::{
    arrow::{
        array::{
            ArrayBuilder, ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, ListBuilder,
            StringBuilder, StructBuilder,
        },
        datatypes::{DataType, Field, Fields},
    },
    common::internal_err,
    error::Result,
};
use ko_eval::register::RegisterAnalyzer;
use std::sync::Arc;

/// What is asked of a batch of rows.
pub(super) struct Answer<'c, C> {
    constants: &'c Constants,
    rows: usize,
    column: C,
}

fn list_of(data_type: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(data_type, true)))
}

fn morpheme_fields() -> Fields {
    Fields::from(vec![
        Field::new("form", DataType::Utf8, true),
        Field::new("tag", DataType::Utf8, true),
        Field::new("start", DataType::Int64, true),
        Field::new("end", DataType::Int64, true),
    ])
}

fn register_fields() -> Fields {
    Fields::from(vec![
        Field::new("level", DataType::Utf8, true),
        Field::new("polite", DataType::Boolean, true),
        Field::new("sentences", DataType::Int64, true),
        Field::new("evidence", list_of(DataType::Utf8), true),
    ])
}

/// A column of a structure under construction.
fn part<B: ArrayBuilder>(builder: &mut StructBuilder, place: usize) -> Result<&mut B> {
    match builder.field_builder(place) {
        Some(part) => Ok(part),
        None => internal_err!("column {place} of an answer is of another type"),
    }
}

impl Answer<'_, ()> {
    pub(super) fn data_type(question: Question) -> DataType {
        match question {
            Question::Score => DataType::Float64,
            Question::Tokens => list_of(DataType::Utf8),
            Question::Morphemes => list_of(DataType::Struct(morpheme_fields())),
            Question::Normalized | Question::Signature => DataType::Utf8,
            Question::Register => DataType::Struct(register_fields()),
        }
    }

    /// Whether what is written out makes sense, beyond being a metric and a unit.
    pub(super) fn check(question: Question, constants: &Constants) -> Result<()> {
        match question {
            Question::Morphemes => check_analyzer(&constants.unit),
            Question::Register if !constants.unit.is_empty() => check_analyzer(&constants.unit),
            Question::Normalized => form(constants.form.as_deref()).map(|_| ()),
            _ => Ok(()),
        }
    }
}

impl<'c, C: Fn(Role) -> Result<Option<ArrayRef>>> Answer<'c, C> {
    pub(super) fn new(constants: &'c Constants, rows: usize, column: C) -> Self {
        Self { constants, rows, column }
    }

    fn texts(&self, role: Role) -> Result<Texts> {
        (self.column)(role)?.map_or(Ok(Texts::Nothing), |array| Texts::new(&array))
    }

    /// What `of` makes of all texts that there are, in parallel; nothing for NULL.
    fn map<T: Send>(
        &self,
        of: impl Fn(&str) -> ko_eval::Result<T> + Sync + Send,
    ) -> Result<Vec<Option<T>>> {
        let texts = self.texts(Role::Text)?;
        let rows: Vec<Option<&str>> = (0..self.rows).map(|row| texts.get(row)).collect();
        ko_eval::par_map(&rows, |text| text.map(&of).transpose()).map_err(external)
    }

    /// The score of every segment; NULL where a text that is needed is.
    pub(super) fn scores(&self) -> Result<ArrayRef> {
        let scorer = metrics::scorer(&self.constants.metric, &self.constants.unit)?;
        let references = match (self.column)(Role::References)? {
            Some(array) => References::new(&array)?,
            None => References::One(Texts::Nothing),
        };
        let (hypothesis, source) = (self.texts(Role::Hypothesis)?, self.texts(Role::Source)?);
        let columns = SegmentColumns { hypothesis, references, source };
        let needs = scorer.needs();
        let (mut segments, mut there) = (Vec::new(), Vec::with_capacity(self.rows));
        for row in 0..self.rows {
            let segment = columns.segment(row, needs)?;
            there.push(segment.is_some());
            segments.extend(segment);
        }
        let mut scores = scorer.segment_scores(&segments).map_err(external)?.into_iter();
        let mut builder = Float64Builder::with_capacity(self.rows);
        for there in there {
            builder.append_option(there.then(|| scores.next()).flatten().map(|score| score.value));
        }
        Ok(Arc::new(builder.finish()))
    }

    pub(super) fn tokens(&self) -> Result<ArrayRef> {
        let unit = metrics::unit(&self.constants.unit)?;
        let cut = self.map(|text| {
            Ok(unit.tokenize(text)?.into_iter().map(|t| t.into_text().into_owned()).collect())
        })?;
        let mut lists = ListBuilder::new(StringBuilder::new());
        for tokens in cut {
            let tokens: Option<Vec<String>> = tokens;
            tokens.iter().flatten().for_each(|token| lists.values().append_value(token));
            lists.append(tokens.is_some());
        }
        Ok(Arc::new(lists.finish()))
    }

    pub(super) fn morphemes(&self) -> Result<ArrayRef> {
        let analyzer = metrics::analyzer(&self.constants.unit)?;
        let found = self.map(|text| {
            let places = Characters::new(text);
            let morphemes = analyzer.analyze(text)?.into_iter().map(|morpheme| {
                let (start, end) =
                    (places.number(morpheme.span.start), places.number(morpheme.span.end));
                (morpheme.form.into_owned(), morpheme.tag.into_owned(), start, end)
            });
            Ok(morphemes.collect::<Vec<_>>())
        })?;
        let mut lists = ListBuilder::new(StructBuilder::from_fields(morpheme_fields(), 0));
        for morphemes in found {
            for (form, tag, start, end) in morphemes.iter().flatten() {
                let row = lists.values();
                part::<StringBuilder>(row, 0)?.append_value(form);
                part::<StringBuilder>(row, 1)?.append_value(tag);
                part::<Int64Builder>(row, 2)?.append_value(*start);
                part::<Int64Builder>(row, 3)?.append_value(*end);
                row.append(true);
            }
            lists.append(morphemes.is_some());
        }
        Ok(Arc::new(lists.finish()))
    }

    pub(super) fn normalized(&self) -> Result<ArrayRef> {
        let normalization = form(self.constants.form.as_deref())?;
        let changed = self.map(|text| Ok(normalization.apply(text).into_owned()))?;
        let mut builder = StringBuilder::new();
        changed.iter().for_each(|text| builder.append_option(text.as_deref()));
        Ok(Arc::new(builder.finish()))
    }

    pub(super) fn registers(&self) -> Result<ArrayRef> {
        let analyzer = match self.constants.unit.as_str() {
            "" => RegisterAnalyzer::without_dictionary(),
            unit => RegisterAnalyzer::new(metrics::analyzer(unit)?),
        };
        let registers = self.map(|text| analyzer.analyze(text))?;
        let mut rows = StructBuilder::from_fields(register_fields(), registers.len());
        for register in registers {
            let own = register.as_ref();
            let level = own.and_then(|own| own.level).map(|level| level.name());
            part::<StringBuilder>(&mut rows, 0)?.append_option(level);
            part::<BooleanBuilder>(&mut rows, 1)?.append_option(own.and_then(|own| own.polite));
            let sentences = own.map(|own| i64::try_from(own.sentences.len()).unwrap_or(i64::MAX));
            part::<Int64Builder>(&mut rows, 2)?.append_option(sentences);
            let words = part::<ListBuilder<Box<dyn ArrayBuilder>>>(&mut rows, 3)?;
            let Some(texts) = words.values().as_any_mut().downcast_mut::<StringBuilder>() else {
                return internal_err!("the evidence of a register is texts");
            };
            own.iter()
                .flat_map(|own| &own.evidence)
                .for_each(|word| texts.append_value(&word.text));
            words.append(own.is_some());
            rows.append(own.is_some());
        }
        Ok(Arc::new(rows.finish()))
    }

    pub(super) fn signatures(&self) -> Result<ArrayRef> {
        let scorer = metrics::scorer(&self.constants.metric, &self.constants.unit)?;
        let signature = scorer.signature().to_string();
        let mut builder = StringBuilder::new();
        (0..self.rows).for_each(|_| builder.append_value(&signature));
        Ok(Arc::new(builder.finish()))
    }
}

/// Which character of a text a byte belongs to.
struct Characters {
    /// Where each begins, and where the last ends.
    starts: Vec<usize>,
}

impl Characters {
    fn new(text: &str) -> Self {
        Self { starts: text.char_indices().map(|(at, _)| at).chain([text.len()]).collect() }
    }

    fn number(&self, byte: usize) -> i64 {
        i64::try_from(self.starts.partition_point(|start| *start < byte)).unwrap_or(i64::MAX)
    }
}
