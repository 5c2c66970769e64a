//! Intervals and comparisons: the same in any partitioning, and near what the core's own bootstrap says.

use crate::table::{Row, ask, expected, pairs, shuffled, with_pairs};
use datafusion::arrow::{
    array::{Array, AsArray, RecordBatch},
    datatypes::{Float64Type, Int64Type},
};
use ko_eval::{OwnedSegment, Scorer as _, Segment, significance::Bootstrap};

/// The numbers of the structure in the first column, and its row as a text.
fn structure(batch: &RecordBatch, names: &[&str]) -> Vec<f64> {
    let row = batch.column(0).as_struct();
    assert!(row.is_valid(0));
    let field =
        |name: &&str| row.column_by_name(name).unwrap().as_primitive::<Float64Type>().value(0);
    names.iter().map(field).collect()
}

const INTERVAL: &[&str] = &["score", "mean", "low", "high"];
const COMPARISON: &[&str] = &["baseline", "system", "p_value"];

/// Rows whose texts differ, and a key that stays with its row.
fn rows() -> Vec<Row> {
    let number = |(number, row): (usize, Row)| Row { source: format!("{number}"), ..row };
    pairs(120).into_iter().enumerate().map(number).collect()
}

#[test]
fn intervals_do_not_depend_on_partitions_or_order() {
    let rows = rows();
    for (metric, unit) in [("bleu", "jamo"), ("rouge-l", "word"), ("ter", "word")] {
        let sql = format!(
            "SELECT ko_corpus_ci('{metric}', '{unit}', hyp, refs, NULL, src, 200, 7) AS ci FROM pairs"
        );
        let mut seen: Option<Vec<u64>> = None;
        for (partitions, seed) in [(1, 0), (2, 3), (7, 9)] {
            let batch = ask(&with_pairs(&shuffled(&rows, seed), partitions), &sql).unwrap();
            let found = structure(&batch, INTERVAL);
            assert_eq!(found[0].to_bits(), expected(metric, unit, &rows).to_bits());
            assert!(found[2] < found[0] && found[0] < found[3], "{found:?}");
            let bits: Vec<u64> = found.iter().map(|number| number.to_bits()).collect();
            assert_eq!(*seen.get_or_insert(bits.clone()), bits, "{metric} in {partitions}");
            let row = batch.column(0).as_struct();
            assert_eq!(
                row.column_by_name("segments").unwrap().as_primitive::<Int64Type>().value(0),
                120
            );
            let signature =
                row.column_by_name("signature").unwrap().as_string::<i32>().value(0).to_owned();
            assert!(signature.contains("nrefs:1-3"), "{signature}");
        }
    }
}

#[test]
fn intervals_are_like_those_of_the_plain_bootstrap() {
    let rows = rows();
    let owned: Vec<OwnedSegment> = rows.iter().map(Row::segment).collect();
    let segments: Vec<Segment<'_>> = owned.iter().map(OwnedSegment::as_segment).collect();
    let metric = ko_eval::metric("chrf", "char").unwrap();
    let plain = metric.confidence(&segments, &Bootstrap::new(2000, 1).unwrap()).unwrap();
    let sql = "SELECT ko_corpus_ci('chrf', 'char', hyp, refs, NULL, src, 2000) FROM pairs";
    let found = structure(&ask(&with_pairs(&rows, 2), sql).unwrap(), INTERVAL);
    let width = plain.high - plain.low;
    assert!((found[2] - plain.low).abs() < width / 6.0, "{found:?} {plain:?}");
    assert!((found[3] - plain.high).abs() < width / 6.0, "{found:?} {plain:?}");
}

#[test]
fn rows_alike_count_alike_unless_a_key_tells_them_apart() {
    let one = pairs(8);
    let many: Vec<Row> = (0..200).map(|number| one[number % 8].clone()).collect();
    let context = with_pairs(&many, 1);
    let width = |key: &str| {
        let sql = format!("SELECT ko_corpus_ci('chrf', 'char', hyp, refs, NULL, {key}) FROM pairs");
        let found = structure(&ask(&context, &sql).unwrap(), INTERVAL);
        found[3] - found[2]
    };
    // A row number of each batch is no key of the table, but tells 13 rows apart.
    assert!(
        width("NULL") > 2.0 * width("concat(CAST(id AS VARCHAR), hyp, src)"),
        "{} {}",
        width("NULL"),
        width("id")
    );
}

#[test]
fn the_better_system_is_found_and_equal_ones_are_not() {
    let rows = rows();
    let sql = |baseline: &str, system: &str| {
        format!(
            "SELECT ko_compare('chrf', 'char', {baseline}, {system}, ref, NULL, src, 300) AS c FROM pairs"
        )
    };
    let mut seen: Option<Vec<u64>> = None;
    for (partitions, seed) in [(1, 0), (2, 3), (7, 9)] {
        let context = with_pairs(&shuffled(&rows, seed), partitions);
        let found = structure(&ask(&context, &sql("hyp", "ref")).unwrap(), COMPARISON);
        assert_eq!(found[1], 100.0);
        assert!(found[0] < 90.0 && found[2] < 0.01, "{found:?}");
        let bits: Vec<u64> = found.iter().map(|number| number.to_bits()).collect();
        assert_eq!(*seen.get_or_insert(bits.clone()), bits, "in {partitions}");
        let same = structure(&ask(&context, &sql("hyp", "hyp")).unwrap(), COMPARISON);
        assert_eq!(same[2], 1.0);
    }
}

#[test]
fn groups_have_intervals_of_their_own() {
    let rows = rows();
    let context = with_pairs(&rows, 7);
    let sql = "SELECT ko_corpus_ci('chrf', 'char', hyp, refs, NULL, src, 50) AS ci FROM pairs GROUP BY system ORDER BY system";
    let batch = ask(&context, sql).unwrap();
    let scores = batch.column(0).as_struct();
    let scores = scores.column_by_name("score").unwrap().as_primitive::<Float64Type>();
    for (place, system) in ["가", "나", "다"].iter().enumerate() {
        let own: Vec<Row> = rows.iter().filter(|row| row.system == *system).cloned().collect();
        assert_eq!(scores.value(place).to_bits(), expected("chrf", "char", &own).to_bits());
    }
    // A single row, most of whose resamples are empty or itself.
    let one =
        "SELECT ko_corpus_ci('chrf', 'char', hyp, refs, NULL, NULL, 3) FROM pairs WHERE src = '1'";
    let found = structure(&ask(&context, one).unwrap(), INTERVAL);
    assert_eq!((found[2], found[3]), (found[0], found[0]));
}
