//! Columns of any kind of text, NULL and empty ones.

use crate::table::{Row, ask, batch, expected, number, pairs, session};
use datafusion::{
    arrow::{
        array::{ArrayRef, RecordBatch},
        compute::cast,
        datatypes::{DataType, Field, Schema},
    },
    prelude::SessionContext,
};
use std::sync::Arc;

/// The pairs with columns cast to other types.
fn with_types(rows: &[Row], types: &[(&str, DataType)]) -> SessionContext {
    let plain = batch(rows);
    let columns: Vec<(String, ArrayRef)> = plain
        .schema()
        .fields()
        .iter()
        .zip(plain.columns())
        .map(|(field, column)| {
            let wanted = types.iter().find(|(name, _)| name == field.name());
            let column =
                wanted.map_or(Arc::clone(column), |(_, wanted)| cast(column, wanted).unwrap());
            (field.name().clone(), column)
        })
        .collect();
    let context = session(2);
    context.register_batch("pairs", RecordBatch::try_from_iter(columns).unwrap()).unwrap();
    context
}

fn dictionary(of: DataType) -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(of))
}

#[test]
fn texts_of_every_type_are_the_same_texts() {
    let rows = pairs(50);
    let wanted = expected("bleu", "word", &rows);
    for text in [
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
        dictionary(DataType::Utf8),
        dictionary(DataType::LargeUtf8),
    ] {
        let context = with_types(&rows, &[("hyp", text.clone()), ("src", text.clone())]);
        let found = number(&context, "SELECT ko_corpus('bleu', 'word', hyp, refs, src) FROM pairs");
        assert_eq!(found, Some(wanted), "{text}");
    }
    let item = |of| Arc::new(Field::new_list_field(of, true));
    for lists in [
        DataType::List(item(DataType::Utf8View)),
        DataType::LargeList(item(DataType::LargeUtf8)),
        DataType::List(item(dictionary(DataType::Utf8))),
    ] {
        let context = with_types(&rows, &[("refs", lists.clone())]);
        let found = number(&context, "SELECT ko_corpus('bleu', 'word', hyp, refs) FROM pairs");
        assert_eq!(found, Some(wanted), "{lists}");
    }
}

#[test]
fn lists_of_equal_length_are_lists() {
    let rows: Vec<Row> = pairs(30)
        .into_iter()
        .map(|row| Row { references: vec![row.references[0].clone(), row.source.clone()], ..row })
        .collect();
    let wanted = Some(expected("chrf", "char", &rows));
    let item = Arc::new(Field::new_list_field(DataType::Utf8, true));
    let context = with_types(&rows, &[("refs", DataType::FixedSizeList(item, 2))]);
    assert_eq!(number(&context, "SELECT ko_chrf(hyp, refs, 'char') FROM pairs"), wanted);
    // The same from two columns of single references.
    assert_eq!(number(&context, "SELECT ko_chrf(hyp, [ref, src], 'char') FROM pairs"), wanted);
}

fn nullable(values: &str) -> SessionContext {
    let context = session(2);
    let sql = format!("CREATE TABLE pairs AS SELECT * FROM (VALUES {values}) AS t (hyp, ref, src)");
    ask(&context, &sql).unwrap();
    context
}

#[test]
fn null_is_left_out_and_empty_counts() {
    let context = nullable(
        "('나는 밥을 먹었다', '나는 밥을 먹었다', 'x'), (NULL, '나는 간다', 'x'), ('나는 간다', NULL, 'x')",
    );
    let score = |sql: &str| number(&context, &format!("SELECT {sql} FROM pairs"));
    assert_eq!(score("ko_chrf(hyp, ref, 'char')"), Some(100.0));
    // A missing output that is made an empty one costs.
    assert!(score("ko_chrf(coalesce(hyp, ''), ref, 'char')").unwrap() < 100.0);
    assert_eq!(score("ko_chrf(hyp, CAST(NULL AS VARCHAR), 'char')"), None);
    assert_eq!(score("ko_chrf(hyp, NULL, 'char')"), None);
    // A metric that needs no reference counts rows without one.
    let both = score("ko_register_consistency(hyp, NULL)");
    assert!(both.is_some());
    assert_eq!(both, score("ko_register_consistency(hyp, ref) FILTER (WHERE hyp IS NOT NULL)"));
    assert_eq!(number(&context, "SELECT ko_chrf(hyp, ref, 'char') FROM pairs WHERE 1 = 0"), None);
    let none =
        ask(&context, "SELECT ko_chrf(hyp, ref, 'char') FROM pairs WHERE 1 = 0 GROUP BY src")
            .unwrap();
    assert_eq!(none.num_rows(), 0);
}

#[test]
fn lists_may_hold_null_but_not_nothing() {
    let context = session(1);
    let score = |refs: &str| {
        ask(&context, &format!("SELECT ko_chrf('밥을 먹었다', {refs}, 'char') AS c"))
            .map(|batch| crate::table::numbers(&batch, "c")[0])
    };
    assert_eq!(score("[NULL, '밥을 먹었다']").unwrap(), Some(100.0));
    let error = score("arrow_cast([], 'List(Utf8)')").unwrap_err().to_string();
    assert!(
        error.contains("a list of references is empty, beside the hypothesis `밥을 먹었다`"),
        "{error}"
    );
    let error = score("[CAST(NULL AS VARCHAR)]").unwrap_err().to_string();
    assert!(error.contains("a list of references is empty"), "{error}");
}

#[test]
fn a_source_that_is_needed_and_missing_leaves_the_row_out() {
    // No metric that needs a source runs without a model; what it needs is known all the same.
    let schema = Schema::new(vec![Field::new("hyp", DataType::Utf8, true)]);
    let context = session(1);
    context.register_batch("empty", RecordBatch::new_empty(Arc::new(schema))).unwrap();
    let told = ask(&context, "SELECT ko_rdass(hyp, hyp, 'no-such-model', hyp) FROM empty");
    let told = told.unwrap_err().to_string();
    assert!(told.contains("ko_rdass"), "{told}");
}
