//! Columns of texts, however Arrow holds them, and segments out of them.

use datafusion::{
    arrow::{
        array::{
            Array, ArrayRef, AsArray, BooleanArray, LargeListArray, LargeStringArray, ListArray,
            StringArray, StringViewArray,
        },
        compute::cast,
        datatypes::DataType,
    },
    common::exec_err,
    error::Result,
};
use ko_eval::{Needs, Segment};

/// Whether a column of this type holds texts.
pub(crate) fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// Whether a column of this type holds lists of texts.
pub(crate) fn is_texts(data_type: &DataType) -> bool {
    match data_type {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _) => is_text(field.data_type()),
        _ => false,
    }
}

/// A column of texts.
#[derive(Debug)]
pub(crate) enum Texts {
    Short(StringArray),
    Long(LargeStringArray),
    View(StringViewArray),
    /// NULL in every row.
    Nothing,
}

impl Texts {
    pub(crate) fn new(array: &ArrayRef) -> Result<Self> {
        let found = match array.data_type() {
            DataType::Utf8 => array.as_string_opt().cloned().map(Self::Short),
            DataType::LargeUtf8 => array.as_string_opt().cloned().map(Self::Long),
            DataType::Utf8View => array.as_string_view_opt().cloned().map(Self::View),
            DataType::Null => Some(Self::Nothing),
            // Views point into the dictionary: no text is copied.
            DataType::Dictionary(_, values) if is_text(values) => {
                return Self::new(&cast(array, &DataType::Utf8View)?);
            }
            _ => None,
        };
        match found {
            Some(found) => Ok(found),
            None => exec_err!("a column of texts is needed, not of {}", array.data_type()),
        }
    }

    /// The text of a row; nothing where it is NULL.
    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        match self {
            Self::Short(array) => {
                (row < array.len() && array.is_valid(row)).then(|| array.value(row))
            }
            Self::Long(array) => {
                (row < array.len() && array.is_valid(row)).then(|| array.value(row))
            }
            Self::View(array) => {
                (row < array.len() && array.is_valid(row)).then(|| array.value(row))
            }
            Self::Nothing => None,
        }
    }
}

/// A column of references: a text in each row, or a list of them.
#[derive(Debug)]
pub(crate) enum References {
    One(Texts),
    Several(ListArray, Texts),
    SeveralLong(LargeListArray, Texts),
}

impl References {
    pub(crate) fn new(array: &ArrayRef) -> Result<Self> {
        match array.data_type() {
            DataType::List(_) => match array.as_list_opt::<i32>() {
                Some(lists) => Ok(Self::Several(lists.clone(), Texts::new(lists.values())?)),
                None => exec_err!("a column of lists is none"),
            },
            DataType::LargeList(_) => match array.as_list_opt::<i64>() {
                Some(lists) => Ok(Self::SeveralLong(lists.clone(), Texts::new(lists.values())?)),
                None => exec_err!("a column of lists is none"),
            },
            DataType::FixedSizeList(field, _) | DataType::ListView(field) => {
                Self::new(&cast(array, &DataType::List(field.clone()))?)
            }
            DataType::LargeListView(field) => {
                Self::new(&cast(array, &DataType::LargeList(field.clone()))?)
            }
            _ => Ok(Self::One(Texts::new(array)?)),
        }
    }

    /// The references of a row; nothing where there is NULL. What is NULL inside of a list is no reference.
    pub(crate) fn get(&self, row: usize) -> Option<Vec<&str>> {
        match self {
            Self::One(texts) => texts.get(row).map(|text| vec![text]),
            Self::Several(lists, texts) => {
                let ends = lists.value_offsets();
                let (start, end) = (*ends.get(row)?, *ends.get(row + 1)?);
                let places = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
                lists.is_valid(row).then(|| places.filter_map(|place| texts.get(place)).collect())
            }
            Self::SeveralLong(lists, texts) => {
                let ends = lists.value_offsets();
                let (start, end) = (*ends.get(row)?, *ends.get(row + 1)?);
                let places = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
                lists.is_valid(row).then(|| places.filter_map(|place| texts.get(place)).collect())
            }
        }
    }
}

/// The columns that segments are made of.
#[derive(Debug)]
pub(crate) struct SegmentColumns {
    pub(crate) hypothesis: Texts,
    pub(crate) references: References,
    pub(crate) source: Texts,
}

impl SegmentColumns {
    /// The segment of a row; nothing where a text that is needed is NULL.
    pub(crate) fn segment(&self, row: usize, needs: Needs) -> Result<Option<Segment<'_>>> {
        let Some(hypothesis) = self.hypothesis.get(row) else { return Ok(None) };
        let segment = match self.references.get(row) {
            None if needs.references => return Ok(None),
            None => Segment::alone(hypothesis),
            Some(references) if references.is_empty() && needs.references => {
                let shown: String = hypothesis.chars().take(40).collect();
                return exec_err!(
                    "a list of references is empty, beside the hypothesis `{shown}`; leave such rows out by WHERE, or make the list NULL"
                );
            }
            Some(references) if references.is_empty() => Segment::alone(hypothesis),
            Some(references) => {
                Segment::new(hypothesis, references).map_err(crate::metrics::external)?
            }
        };
        Ok(match self.source.get(row) {
            Some(source) => Some(segment.with_source(source)),
            None if needs.source => None,
            None => Some(segment),
        })
    }
}

/// Whether a row passes a filter, as `FILTER (WHERE …)` means it: NULL does not.
pub(crate) fn passes(filter: Option<&BooleanArray>, row: usize) -> bool {
    filter.is_none_or(|filter| row < filter.len() && filter.is_valid(row) && filter.value(row))
}
