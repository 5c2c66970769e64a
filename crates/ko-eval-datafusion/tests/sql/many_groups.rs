//! Many small groups, so many that the engine gives up to sum before it exchanges rows.

use crate::table::{Row, ask, expected, numbers, pairs, with_pairs};
use datafusion::arrow::{array::AsArray, datatypes::Int64Type};

#[test]
fn every_group_has_its_own_score() {
    let rows: Vec<Row> = pairs(6000);
    let context = with_pairs(&rows, 3);
    ask(&context, "SET datafusion.execution.skip_partial_aggregation_probe_rows_threshold = 100")
        .unwrap();
    ask(&context, "SET datafusion.execution.skip_partial_aggregation_probe_ratio_threshold = 0.1")
        .unwrap();
    // The hypotheses, which nearly all differ, stand for documents.
    let sql = "SELECT hyp, count(*) AS n, ko_chrf(hyp, refs, 'char') AS c, ko_bleu(hyp, refs, 'word') AS b FROM pairs GROUP BY hyp";
    let batch = ask(&context, sql).unwrap();
    assert!(batch.num_rows() > 1000, "{}", batch.num_rows());
    let texts = batch.column_by_name("hyp").unwrap().as_string::<i32>();
    let counts = batch.column_by_name("n").unwrap().as_primitive::<Int64Type>();
    let (chrf, bleu) = (numbers(&batch, "c"), numbers(&batch, "b"));
    // Groups come in any order: some of the single rows, and some of the groups of several wherever these are.
    let (single, several): (Vec<_>, Vec<_>) =
        (0..batch.num_rows()).partition(|&place| counts.value(place) == 1);
    assert!(several.len() > 10, "groups of several rows are looked at as well");
    for place in single.into_iter().step_by(97).chain(several.into_iter().take(40)) {
        let own: Vec<Row> =
            rows.iter().filter(|row| row.hypothesis == texts.value(place)).cloned().collect();
        assert_eq!(own.len() as i64, counts.value(place));
        assert_eq!(chrf[place], Some(expected("chrf", "char", &own)));
        assert_eq!(bleu[place], Some(expected("bleu", "word", &own)));
    }
}
